/* costs.c - libFuzzer target: as costs and as faults any text is refused with a message, or each number is in its range. */
#include "lib/machine/costs.h"
#include "test/fuzz/fuzz.h"

#define SECONDS(x) ((uint64_t)1000000000 * (x))

static void costs(const char *text)
{
	struct dls__machine_costs c = { .preset = NULL };
	struct dls_parse_error error = FUZZ_UNSAID;
	int code = dls__costs_parse(&c, text, &error);
	const uint64_t times[] = { c.quantum, c.poll, c.send, c.receive, c.latency, c.hop, c.pause, c.setup, c.carry,
				   c.pack, c.create, c.dequeue, c.schedule, c.phase };

	if (!fuzz_accepts(c.preset, strlen(text), code, &error))
		return;
	MUST(c.pause >= 1 && c.longer <= UINT32_MAX && c.byte >= 0 && c.byte <= 1e9);
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		MUST(times[i] <= SECONDS(1000));
}

static void faults(const char *text)
{
	struct dls__faults f = { .slow = 0 };
	struct dls_parse_error error = FUZZ_UNSAID;
	int code = dls__faults_parse(&f, text, &error);

	if (fuzz_accepts(f.slow > 0, strlen(text), code, &error))
		MUST(f.slow >= 1 && f.slow <= 1e6 && f.delay <= SECONDS(1000) && f.stall <= SECONDS(1000));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text("", data, size);

	costs(text);
	faults(text);
	free(text);
	return 0;
}
