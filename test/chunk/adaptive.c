/* adaptive.c - schedules that learn against adaptive.py, which deals the same loops in exact arithmetic.
 *
 * One thread asks for all workers in virtual time, each when its piece is done, ties by number; every request costs h.
 * Fails if any of the formulas changes, a sample is counted twice, late or for another worker, or a weight takes effect
 * too early or too late.
 *
 * runs: check, alone */
#include <inttypes.h>

#include "deal.h"
#include "oracle.h"

enum { WORKERS = 64, MOST = 10007 };

struct cell {
	char schedule[64], times[16], speeds[16];
	uint64_t n, seed, mu, sigma, h, chunks, hash;	/* ns */
	unsigned p;
};

static bool cell_read(struct cell *c, const char *line)
{
	return sscanf(line, "%63[^|]|%" SCNu64 "|%u|%15[^|]|%" SCNu64 "|%15[^|]|%" SCNu64 "|%" SCNu64 "|%" SCNu64
		      "|%" SCNu64 "|%" SCNx64, c->schedule, &c->n, &c->p, c->times, &c->seed, c->speeds, &c->mu, &c->sigma,
		      &c->h, &c->chunks, &c->hash) == 11;
}

static uint64_t mix(uint64_t seed, uint64_t i)
{
	uint64_t state = seed + i * 0x9e3779b97f4a7c15u;

	return tap_random(&state);
}

static const char *const times[] = { "const", "uniform", "exp", "increasing", "bimodal" };
enum { CONST, UNIFORM, EXP, INCREASING, BIMODAL, TIMES };

/* Of iteration i, to which z is drawn; ns. */
static uint64_t time_of(size_t kind, uint64_t z, uint64_t i)
{
	uint32_t u = (uint32_t)(z >> 32) | 1;
	unsigned zeros = (unsigned)__builtin_clz(u);
	const uint64_t time[TIMES] = {
		[CONST] = 1009, [UNIFORM] = 11 + z % 2003, [INCREASING] = 101 + i, [BIMODAL] = z % 10 ? 307 : 20011,
		/* About -log2 of a uniform number, linear between powers of two. */
		[EXP] = zeros * 1000 + 1000 - ((u << zeros & 0x7fffffff) * (uint64_t)1000 >> 31) + 1,
	};

	return time[kind];
}

/* Iterations 0 .. i - 1 take before[i] ns on a worker of full speed. */
static bool make_times(uint64_t before[MOST + 1], const struct cell *c)
{
	size_t t = 0;

	while (t < TIMES && strcmp(times[t], c->times))
		t++;
	if (!CHECK(t < TIMES))
		return false;
	before[0] = 0;
	for (uint64_t i = 0; i < MOST; i++)
		before[i + 1] = before[i] + time_of(t, mix(c->seed, i), i);
	return true;
}

/* Hundredths. */
static uint64_t slowness(const char *speeds, unsigned w)
{
	if (strcmp(speeds, "mixed") == 0)
		return 100 + mix(7, w) % 400;
	return strcmp(speeds, "slow") == 0 && w == 0 ? 200 : 100;
}

/* Deal the loop; returns the hash over worker, begin and size of each piece. */
static uint64_t deal(struct dls_loop *loop, const struct cell *c, const uint64_t *before)
{
	uint64_t now[WORKERS] = { 0 }, hash = 14695981039346656037u;
	bool left[WORKERS] = { false };

	for (;;) {
		unsigned w = WORKERS;
		int64_t begin, end;

		for (unsigned i = 0; i < c->p; i++)
			if (!left[i] && (w == WORKERS || now[i] < now[w]))
				w = i;
		if (w == WORKERS)
			return hash;
		CHECK_EQ(dls_loop_set_time(loop, 1e-9 * (double)now[w]), 0);
		if (!dls_loop_next(loop, w, &begin, &end)) {
			left[w] = true;
			continue;
		}
		if (!CHECK(0 <= begin && begin < end && (uint64_t)end <= c->n))
			return 0;
		now[w] += c->h + (before[end] - before[begin]) * slowness(c->speeds, w) / 100;
		hash = (hash ^ w) * 1099511628211u;
		hash = (hash ^ (uint64_t)begin) * 1099511628211u;
		hash = (hash ^ (uint64_t)(end - begin)) * 1099511628211u;
	}
}

static bool run(const struct cell *c, const uint64_t *before)
{
	static unsigned runs;
	struct dls_loop *loop;
	struct dls_site *site;
	struct dls_stats stats;
	uint64_t iterations, hash;
	char name[32];

	snprintf(name, sizeof name, "cell %u", runs++);
	site = deal_site(name);
	loop = deal_open(c->schedule, c->p, site, DLS_LOOP_VIRTUAL_TIME | DLS_LOOP_EVERY_CHUNK);
	CHECK_EQ(dls_loop_set_moments(loop, 1e-9 * (double)c->mu, 1e-9 * (double)c->sigma), 0);
	CHECK_EQ(dls_loop_set_overhead(loop, 1e-9 * (double)c->h), 0);
	CHECK_EQ(dls_loop_start(loop, 0, (int64_t)c->n, 1), 0);
	hash = deal(loop, c, before);
	CHECK_EQ(dls_loop_end(loop, &iterations), 0);
	dls_loop_close(loop);
	CHECK_EQ(iterations, c->n);
	stats = deal_stats(site);
	if (hash == c->hash && stats.chunks == c->chunks)
		return true;
	tap_note("%s, N = %" PRIu64 ", P = %u, %s %" PRIu64 ", %s, h = %" PRIu64 " ns: %" PRIu64 " chunks, not %" PRIu64,
		 c->schedule, c->n, c->p, c->times, c->seed, c->speeds, c->h, stats.chunks, c->chunks);
	return false;
}

static bool look(const char *line)
{
	static uint64_t before[MOST + 1], made_seed;
	static char made[16];
	struct cell c;

	if (!CHECK(cell_read(&c, line)) || !CHECK(c.n <= MOST && c.p <= WORKERS))
		return false;
	if (strcmp(made, c.times) || made_seed != c.seed) {
		if (!make_times(before, &c))
			return false;
		strcpy(made, c.times);
		made_seed = c.seed;
	}
	return run(&c, before);
}

static void grid(void)
{
	oracle_each("test/chunk/adaptive.py", look, 900);
}

TEST_MAIN(T(grid))
