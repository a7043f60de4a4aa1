/* faults.c - libFuzzer target: any text is refused with a message, or its faults are within their ranges. */
#include "lib/machine/costs.h"
#include "test/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dls__faults f = { .slow = 0 };
	struct dls_parse_error error = { .at = (size_t)-1 };
	char *text = fuzz_text("", data, size);
	int code = dls__faults_parse(&f, text, &error);
	uint64_t most = (uint64_t)1000 * 1000000000;

	if (code) {
		MUST(f.slow == 0);
		fuzz_refused(strlen(text), code, &error);
	} else {
		MUST(error.at == (size_t)-1 && f.slow >= 1 && f.slow <= 1e6 && f.delay <= most && f.stall <= most);
	}
	free(text);
	return 0;
}
