/* wf.c - weighted factoring, Hummel, Schmidt, Uma & Wein 1996. */
#include "deal.h"
#include "walk.h"

/* Equal weights are FAC2.  With weights the workers 0, 1, .. ask in turn and share its tickets: of 1:3, the first takes
 * half a ticket and the second one and a half.  Fails if weights are not normalised to sum P, a batch base is not the
 * R that is left, or what is left of a ticket is lost or rounded up. */
static void rows(void)
{
	CHECK_TEXT(walk("wf", 1000, 4), "125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4");
	CHECK_TEXT(walk("wf,weights=7:7:7:7", 1000, 4), "125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4");
	CHECK_TEXT(walk("wf,weights=1:3", 1000, 2), "125 375 62 188 31 95 15 47 8 24 4 12 2 6 1 3 1x2");
	CHECK_TEXT(walk("wf,weights=0.125:0.125:0.125:0.625", 1000, 4), "62 63 62 313 31 32 31 158 15 16 15 78 "
		   "8x3 40 4x3 20 2x3 10 1x3 5 1x4");
	CHECK_TEXT(walk("wf,weights=5:1:1:1", 1000, 4), "312 63 62 63 157 32 31 32 77 16 15 16 40 8x3 20 4x3 10 2x3 5 "
		   "1x3 2 1x2");
	CHECK_TEXT(walk("wf,weights=1:5", 1000, 2), "83 417 41 209 20 106 10 52 5 27 2 14 1 7 1 3 1x2");
}

/* Fails if a worker's share stops at a ticket's end, or at a batch's: of 5:1:1:1 the first takes two and a half of the four
 * of 125, and at once two and a half more, of which the last is one of 63. */
static void over_batches(void)
{
	struct dls_loop *loop = deal_open("wf,weights=5:1:1:1", 4, NULL, 0);
	struct deal more;

	CHECK_EQ(dls_loop_start(loop, 0, 1000, 1), 0);
	CHECK_EQ(deal_next(loop, 0).end, 312);
	more = deal_next(loop, 0);
	CHECK_EQ(more.begin, 312);
	CHECK_EQ(more.end, 4 * 125 + 63);
	CHECK_EQ(deal_next(loop, 3).n, 31);
	dls_loop_close(loop);
}

/* Fails if a missing weight is not the mean of those given (here 4, so 1/2, 3/2, 1, 1), or a surplus one counts. */
static void weight_count(void)
{
	CHECK_TEXT(walk("wf,weights=2:6", 1000, 4), "62 188 125x2 31 95 63x2 15 47 31x2 8 24 16x2 4 12 8x2 2 6 4x2 1 3 "
		   "2x2 1 2 1");
	CHECK_TEXT(walk("wf,weights=1:3:9", 1000, 2), "125 375 62 188 31 95 15 47 8 24 4 12 2 6 1 3 1x2");
	CHECK_TEXT(walk("wf,weights=1:3:9", 1000, 1), "500 250 125 63 31 16 8 4 2 1");
}

/* Fails if a light worker's chunk is shorter than CHUNK.  The last ticket may be, and what is drawn across its begin. */
static void smallest(void)
{
	static const char *const text[] = { "wf,20,weights=1:3", "wf,20,weights=1:100:3", "wf,7,weights=1e-6:1:1:1" };

	for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
		struct dls_loop *loop = deal_open(text[i], 4, NULL, DLS_LOOP_EVERY_CHUNK);
		unsigned p = 0, short_ones = 0;
		int64_t end = 0;

		CHECK_EQ(dls_loop_start(loop, 0, 5000, 1), 0);
		for (struct deal d; (d = deal_next(loop, p)).n; p = (p + 1) % 4) {
			short_ones += d.n < strtol(text[i] + 3, NULL, 10) && d.begin < 5000 - 40;
			end = d.end;
		}
		CHECK_EQ(short_ones, 0);
		CHECK_EQ(end, 5000);
		dls_loop_close(loop);
	}
}

/* Batches are a matter of tickets, not of how often a worker has asked.  Fails if each worker counts batches of its
 * own: the third worker asks first when 300 iterations are dealt. */
static void asleep(void)
{
	struct dls_loop *loop = deal_open("wf", 4, NULL, 0);

	CHECK_EQ(dls_loop_start(loop, 0, 1000, 1), 0);
	for (unsigned i = 0; i < 6; i++)
		CHECK_EQ(deal_next(loop, i % 2).n, i < 4 ? 125 : 63);
	CHECK_EQ(deal_next(loop, 2).n, 63);
	CHECK_EQ(deal_next(loop, 3).n, 63);
	CHECK_EQ(deal_next(loop, 2).n, 31);
	dls_loop_close(loop);
	CHECK_EQ(dls_calc_find("wf")->dispenser, DLS_DISPENSER_TICKETS);
}

/* Fails if a tiny weight gives nothing, or a whole ticket, or a great one does not end. */
static void extremes(void)
{
	CHECK_TEXT(walk("wf,weights=1e-9:1", 1000, 2), "1 499 1 249 1 125 1 61 1 31 1 15 1 7 1 3 1x2");
	CHECK(walk_count("wf,weights=1e9:1e-9:1", 10000, 3) <= 64);
	CHECK_TEXT(walk("wf,weights=1e9:1e9:1e9:1e9", 1000, 4), "125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4");
}

static void edges(void)
{
	CHECK_TEXT(walk("wf", 3, 8), "1x3");
	CHECK_TEXT(walk("wf,weights=2:6", 10, 4), "1 3 2x2 1x2");
	WALK_EDGES("wf", "wf,3,weights=1:2:3");
	WALK_HUGE("wf", "wf,weights=1:3");
}

static void refused(void)
{
	WALK_REFUSED(DLS_ERANGE, "wf,weights=1:-1", "wf,weights=0:1", "wf,weights=1:1e-10");
	WALK_REFUSED(DLS_EINVAL, "wf,weights=nan:1", "wf,weights=1::2", "wf,weights=1:x",
		     "wf,weights=");
	WALK_REFUSED(DLS_ENOENT, "fac2,weights=1:2");
}

TEST_MAIN(T(rows) T(over_batches) T(weight_count) T(smallest) T(asleep) T(extremes) T(edges) T(refused))
