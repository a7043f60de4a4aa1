/* chunks_loops.c - the rows of dls-chunks are what a loop deals to workers that ask in turn, unless workers own ranges or the clock
 * decides.
 *
 * Fails if: a row is not what a loop deals.
 *
 * runs: machines */
#include <inttypes.h>

#include "deal.h"
#include "tool.h"

static void rows_are_what_loops_deal(void)
{
	static const struct {
		int64_t n;
		unsigned p;
	} of[] = { { 1000, 4 }, { 1009, 7 }, { 5, 8 }, { 20011, 3 }, { 1000, 1 } };

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		uint64_t b, size;
		int64_t lo, hi;
		char schedule[64] = "", name[64];
		struct dls_loop *loop = NULL;
		const struct dls_calc *calc = NULL;
		unsigned worker = 0;

		CHECK_EQ(tool_run("dls-chunks", "-n %lld -p %u --csv --mu 1e-6 --sigma 3e-6 --overhead 1e-7",
			     (long long)of[i].n, of[i].p), 0);
		for (char *at = tool_out; (at = strchr(at, '\n')) && *++at;) {
			if (!CHECK(sscanf(at, "%63[^,],%*[^,],%" SCNu64 ",%" SCNu64, name, &b, &size) == 3))
				return;
			if (strcmp(name, schedule)) {
				strcpy(schedule, name);
				calc = dls_calc_find(name);
				dls_loop_close(loop);
				loop = deal_open(name, of[i].p, NULL, DLS_LOOP_EVERY_CHUNK);
				if (!CHECK(calc) || !CHECK(loop))
					return;
				CHECK_EQ(dls_loop_set_moments(loop, 1e-6, 3e-6), 0);
				CHECK_EQ(dls_loop_set_overhead(loop, 1e-7), 0);
				CHECK_EQ(dls_loop_start(loop, 0, of[i].n, 1), 0);
				worker = 0;
			}
			if (calc->dispenser == DLS_DISPENSER_RANGES || calc->dispenser == DLS_DISPENSER_LIVE || calc->pace != DLS_PACE_NEVER)
				continue;
			lo = hi = 0;
			/* A worker without a share of its own is passed over. */
			for (unsigned asked = 0; asked < of[i].p; asked++)
				if (dls_loop_next(loop, worker++ % of[i].p, &lo, &hi))
					break;
			if (CHECK_EQ(lo, b) != b || CHECK_EQ(hi - lo, size) != size) {
				tap_note("%s, N = %lld, P = %u", name, (long long)of[i].n, of[i].p);
				break;
			}
		}
		dls_loop_close(loop);
	}
}

TEST_MAIN(T(rows_are_what_loops_deal))
