/* list.c - libFuzzer target: as speeds and as weights any text is refused with a message, or each number is in its range. */
#include <math.h>

#include "bench/tool/tool.h"
#include "dls/calc.h"
#include "dls/schedule.h"
#include "test/fuzz/fuzz.h"

static void speeds(const char *text)
{
	static const struct tool_field field = { "number", 1e-6, 1e6, false };
	struct tool_fault fault;
	double *value;
	size_t n = tool_read_list(text, &field, &value, &fault), colons = 0;

	for (const char *c = text; *c; c++)
		colons += *c == ':';
	MUST(!n == !value && !n == (fault.code == TOOL_USAGE));
	if (!n) {
		fuzz_line(fault.what, sizeof(fault.what));
		return;
	}
	MUST(n == colons + 1);
	for (size_t i = 0; i < n; i++)
		MUST(value[i] >= 1e-6 && value[i] <= 1e6);
	free(value);
}

static void weights(const char *text, uint64_t h)
{
	struct dls_schedule *schedule = NULL;
	struct dls_parse_error error = FUZZ_UNSAID;
	int code = dls_schedule_parse(&schedule, text, &error);
	unsigned p = 1 + (unsigned)(h % 40);
	double sum = 0;

	if (!fuzz_accepts(schedule, strlen(text), code, &error))
		return;
	for (unsigned w = 0; w < p; w++) {
		struct dls_loop_desc desc = { .size = sizeof(desc) };

		MUST(dls_schedule_describe(schedule, 1000, p, w, &desc) == 0 && desc.weight > 0);
		sum += desc.weight;
	}
	MUST(fabs(sum - p) <= 1e-6 * p);
	dls_schedule_free(schedule);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text("wf,weights=", data, size);

	speeds(text + strlen("wf,weights="));
	weights(text, fuzz_hash(text));
	free(text);
	return 0;
}
