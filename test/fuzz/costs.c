/* costs.c - libFuzzer target: any text is refused with a message, or its costs are within their ranges. */
#include "lib/machine/costs.h"
#include "test/fuzz/fuzz.h"

#define SECONDS(x) ((uint64_t)1000000000 * (x))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dls__machine_costs c = { .preset = NULL };
	struct dls_parse_error error = { .at = (size_t)-1 };
	char *text = fuzz_text("", data, size);
	int code = dls__costs_parse(&c, text, &error);

	if (code) {
		MUST(!c.preset);
		fuzz_refused(strlen(text), code, &error);
	} else {
		const uint64_t times[] = { c.quantum, c.poll, c.send, c.receive, c.latency, c.hop, c.pause, c.setup, c.carry,
					   c.pack, c.create, c.dequeue, c.schedule, c.phase };

		MUST(c.preset && error.at == (size_t)-1 && c.pause >= 1 && c.longer <= UINT32_MAX);
		MUST(c.byte >= 0 && c.byte <= 1e9);
		for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
			MUST(times[i] <= SECONDS(1000));
	}
	free(text);
	return 0;
}
