/* curve.c - libFuzzer target: any text after curve= is refused with a message, by calculators and strategies alike, or is a
 * curve that visits each cell once. */
#include "dls/curve.h"
#include "dls/schedule.h"
#include "lib/schedule/schedule.h"
#include "test/fuzz/fuzz.h"

/* A position somewhere, its cell, and the way from there. */
static void visit(enum dls_curve_kind kind, uint64_t h)
{
	uint64_t rows = 1 + ((h & UINT32_MAX) >> h % 32), columns = 1 + (h >> 32 >> (h >> 5) % 32);
	uint64_t cells = rows * columns, at, i, j, back;
	struct dls_curve_cursor cursor;
	struct dls_curve curve;

	if (rows >> 32 && columns >> 32)	/* 2^64 cells */
		return;
	at = h * 0x9e3779b97f4a7c15u % cells;
	MUST(dls_curve_init(&curve, kind, rows, columns) == 0);
	dls_curve_seek(&cursor, &curve, at);
	MUST(dls_curve_next(&cursor, &i, &j) && i < rows && j < columns);
	MUST(dls_curve_index(&curve, i, j, &back) == 0 && back == at);
	dls_curve_seek(&cursor, &curve, cells);
	MUST(!dls_curve_next(&cursor, &i, &j));
	MUST(dls_curve_index(&curve, rows, 0, &back) == DLS_ERANGE && dls_curve_index(&curve, 0, columns, &back) == DLS_ERANGE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const heads[] = { "gss,curve=", "frac,7,curve=", "rid,curve=" };
	int codes[3];

	for (int k = 0; k < 3; k++) {
		struct dls_schedule *schedule = NULL;
		struct dls_parse_error error = FUZZ_UNSAID;
		char *text = fuzz_text(heads[k], data, size);

		codes[k] = dls_schedule_parse(&schedule, text, &error);
		if (fuzz_accepts(schedule, strlen(text), codes[k], &error)) {
			MUST(schedule->loop.curve <= DLS_CURVE_MORTON);
			visit(schedule->loop.curve, fuzz_hash(text));
			dls_schedule_free(schedule);
		}
		free(text);
	}
	MUST(memchr(data, ',', size) || (!codes[0] == !codes[1] && !codes[0] == !codes[2]));
	return 0;
}
