/* walks.c - loops far too long to run: what the dispensers deal partitions the range, up to the ends of the types.
 *
 * One thread asks for all workers, in turn or at random, and adds up what it gets.  Fails if: size arithmetic overflows
 * anywhere near 2^31, 2^32, 2^63 or 2^64 (UBSan sees the signed ones), tickets past the end wrap, a range's count or
 * bound is off by one.
 *
 * runs: check, alone */
#include "deal.h"
#include "strategies.h"

struct piece {
	uint64_t begin, end;
};

static int by_begin(const void *a, const void *b)
{
	const struct piece *p = a, *q = b;

	return (p->begin > q->begin) - (p->begin < q->begin);
}

/* Deal an ascending range [begin, end) of step 1 to p workers; all of it, each part once, in at most `most` chunks. */
static void walk(const char *schedule, uint64_t begin, uint64_t end, bool is_signed, unsigned p, uint64_t *seed)
{
	enum { MOST = 400000 };
	static struct piece piece[MOST];
	/* In real time a pause of this process makes af's chunks so small that there are more than MOST. */
	unsigned clock = strcmp(schedule, "af") == 0 ? DLS_LOOP_VIRTUAL_TIME : 0;
	struct dls_loop *loop = deal_open(schedule, p, NULL, DLS_LOOP_EVERY_CHUNK | clock);
	uint64_t ran, at = 0;
	size_t n = 0;
	unsigned idle = 0;

	if (is_signed)
		CHECK_EQ(dls_loop_start(loop, (int64_t)begin, (int64_t)end, 1), 0);
	else
		CHECK_EQ(dls_loop_start_u64(loop, begin, end, 1), 0);
	for (unsigned turn = 0; idle < 4 * p + 50 && n < MOST; turn++) {
		unsigned w = tap_random(seed) % 4 ? turn % p : (unsigned)tap_random(seed) % p;

		if (clock)
			dls_loop_set_time(loop, 1e-9 * turn);
		if (dls_loop_next_u64(loop, w, &piece[n].begin, &piece[n].end)) {
			n++;
			idle = 0;
		} else {
			idle++;
		}
	}
	for (unsigned w = 0; w < p; w++)	/* random turns may have left one out */
		while (n < MOST && dls_loop_next_u64(loop, w, &piece[n].begin, &piece[n].end))
			n++;
	dls_loop_end(loop, &ran);
	dls_loop_close(loop);

	for (size_t i = 0; i < n; i++) {	/* signed ranges: in the order of their numbers */
		piece[i].begin -= begin;
		piece[i].end -= begin;
	}
	qsort(piece, n, sizeof(*piece), by_begin);
	for (size_t i = 0; i < n && at == piece[i].begin; i++)
		at = piece[i].end;
	if (at != end - begin || ran != end - begin) {
		tap_note("%s, %llu iterations, P = %u: gap or overlap at %llu", schedule,
			 (unsigned long long)(end - begin), p, (unsigned long long)at);
		CHECK_EQ(at, end - begin);
		CHECK_EQ(ran, end - begin);
	}
}

static const char *const few_chunks[] = {
	"static", "gss", "tss", "fac", "fac2", "mfsc", "wf", "wf,weights=3:1:2", "tfss", "fiss", "viss", "rnd",
	"fac,mu=1e-6,sigma=2e-6", "tap,mu=1e-6,sigma=1e-6", "nonmonotonic:static", "nonmonotonic:mfsc",
	"wf,9,weights=1e-6:1:1e6", "wf,weights=1e-9:1:1e9", "wf,weights=1e9:1e-9", "wf,1000000007,weights=1:3",
	"static,weights=3:1:2", "awf", "awf-b", "awf-c", "awf-d", "awf-e,9", "af",
	"bold,mu=1e-6,sigma=1e-6,h=1e-6", "frac", "frac,x=3.5", "frac,x=1.3", "frac,x=1", "nonmonotonic:frac,x=1",
	STRATEGIES("none", "rand", "sid", "rid", "gm", "hbm", "dem", "rips",)
};

static void huge(void)
{
	static const uint64_t size[] = {
		((uint64_t)1 << 31) - 1, (uint64_t)1 << 31, ((uint64_t)1 << 31) + 1, ((uint64_t)1 << 32) - 1,
		((uint64_t)1 << 32) + 1, ((uint64_t)1 << 33) + 5, ((uint64_t)1 << 40) - 1, ((uint64_t)1 << 63) - 1, (uint64_t)1 << 63, UINT64_MAX - 1, UINT64_MAX,
	};
	static const unsigned workers[] = { 1, 2, 3, 7, 64 };
	uint64_t seed = tap_seed();
	char text[80];

	for (unsigned i = 0; i < sizeof(size) / sizeof(*size); i++)
		for (unsigned j = 0; j < sizeof(workers) / sizeof(*workers); j++) {
			for (unsigned k = 0; k < sizeof(few_chunks) / sizeof(*few_chunks); k++)
				walk(few_chunks[k], 0, size[i], false, workers[j], &seed);
			for (unsigned k = 0; k < 5; k++) {	/* fixed sizes: about a thousand chunks */
				static const char *const fixed[] = { "ss", "static", "steal", "nonmonotonic:ss", STRATEGY("rid", "frac") };

				snprintf(text, sizeof(text), "%s,%llu", fixed[k], (unsigned long long)(size[i] / 1000));
				walk(text, 0, size[i], false, workers[j], &seed);
				snprintf(text, sizeof(text), "%s,%llu", fixed[k], (unsigned long long)size[i]);
				walk(text, 0, size[i], false, workers[j], &seed);
			}
		}
}

static void signed_ends(void)
{
	uint64_t seed = tap_seed();

	for (unsigned k = 0; k < sizeof(few_chunks) / sizeof(*few_chunks); k++) {
		walk(few_chunks[k], (uint64_t)INT64_MIN, (uint64_t)INT64_MAX, true, 5, &seed);
		walk(few_chunks[k], (uint64_t)INT64_MIN, (uint64_t)INT64_MIN + 1000, true, 5, &seed);
		walk(few_chunks[k], (uint64_t)INT64_MAX - 1000, (uint64_t)INT64_MAX, true, 5, &seed);
		walk(few_chunks[k], UINT64_MAX - 1000, UINT64_MAX, false, 5, &seed);
	}
}

/* The chunks of ranges have the size that is asked for; without one, static's are shares.  Breaks if a share is taken where a size is
 * given, or the other way round. */
static void range_sizes(void)
{
	static const struct {
		const char *schedule;
		uint64_t n;
	} row[] = {
		{ "nonmonotonic:static", 250 }, { "nonmonotonic:static,7", 7 }, { "nonmonotonic:ss", 1 }, { "nonmonotonic:ss,7", 7 },
		{ "steal,7", 7 },
	};

	for (unsigned k = 0; k < sizeof(row) / sizeof(*row); k++) {
		struct dls_loop *loop = deal_start(row[k].schedule, 4, 1000, DLS_LOOP_EVERY_CHUNK);

		for (unsigned w = 0; w < 4; w++)
			CHECK_EQ(deal_next(loop, w).n, row[k].n);
		dls_loop_close(loop);
	}
}

/* The numbers of chunks stay below 2^64 - 2^32: from there on chunks have two iterations. */
static void least(void)
{
	for (uint64_t k = 0; k < 2; k++) {
		struct dls_loop *loop = deal_start("ss", 4, UINT64_MAX - UINT32_MAX + k, DLS_LOOP_EVERY_CHUNK);

		CHECK_EQ(deal_next(loop, 0).n, 1 + k);
		dls_loop_close(loop);
	}
}

#ifdef __SIZEOF_INT128__
/* Steps of any size and sign: the number of iterations against long division, the bounds against the step. */
static void steps(void)
{
	static const int64_t step[] = { 1, -1, 3, -7, 1000003, INT64_MAX, INT64_MIN, -INT64_MAX };
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < 3000; i++) {
		__extension__ typedef __int128 wide;
		int64_t s = step[i % 8], a = (int64_t)tap_random(&seed), b = (int64_t)tap_random(&seed);
		wide distance = (wide)b - a, up = s > 0 ? s : -(wide)s, n;
		struct dls_loop *loop = deal_open(i & 1 ? "gss" : "fac2", 3, NULL, 0);
		int64_t begin, end;

		if (i % 3 == 0) {	/* close enough for several chunks of small steps */
			a = s > 0 ? INT64_MAX - 5000 : INT64_MIN + 5000;
			b = s > 0 ? INT64_MAX : INT64_MIN;
			distance = (wide)b - a;
		}
		if (s < 0)
			distance = -distance;
		n = distance <= 0 ? 0 : (distance + up - 1) / up;
		CHECK_EQ(dls_loop_start(loop, a, b, s), 0);

		wide at = a;

		for (unsigned w = 0; dls_loop_next(loop, w, &begin, &end); w = (w + 1) % 3) {
			CHECK(at == begin);
			CHECK(s > 0 ? begin < end && end <= b : begin > end && end >= b);
			for (at = begin; end != b && at != end && i % 3 == 0;)
				at += s;
			if (end != b) {
				CHECK(((wide)end - begin) % s == 0);
				at = end;
			}
		}
		deal_end(loop, (uint64_t)n);
		dls_loop_close(loop);
	}
}

#define T_STEPS T(steps)
#else
#define T_STEPS T_SKIPPED(steps, "the compiler has no __int128 to compare with")
#endif

TEST_MAIN(T(huge) T(signed_ends) T(range_sizes) T(least) T_STEPS)
