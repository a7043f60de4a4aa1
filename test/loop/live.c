/* live.c - the live dispenser: sequences and bounds in virtual time, the ends of the types, sums under contention.
 *
 * Fails if: a size follows from another R than the one it is taken from, figures are lost between two workers that report
 * at once, af exceeds N/2P, a size overflows.  All atomics of the dispenser are relaxed: ThreadSanitizer would find an
 * access that depends on their order by the plain writes in api/team.c. */
#include <math.h>

#include "deal.h"
#include "once.h"

enum { VIRTUAL = DLS_LOOP_EVERY_CHUNK | DLS_LOOP_VIRTUAL_TIME };

/* A worker asks at this time and gets a chunk of n, perhaps in parts; returns the time when it has run it. */
static double take(struct dls_loop *loop, double now, unsigned worker, uint64_t n, double each)
{
	uint64_t begin, end, got = 0;

	while (got < n) {
		dls_loop_set_time(loop, now);
		if (!CHECK(dls_loop_next_u64(loop, worker, &begin, &end)))
			break;
		got += end - begin;
		now += each * (double)(end - begin);
	}
	CHECK_EQ(got, n);
	return now;
}

/* af without variance: K = R (1 / mu_w) / sum of 1 / mu, those not known being the mean of the others, at most
 * N/2P = 251 (1003 / 4 rounded up); first 251 / 4 rounded up: 63.  Worker 0 needs 1 second, worker 1 needs 2:
 *	t = 0: 63, 63; t = 63: R = 877, one known: 877/2, no more than 251; t = 126: R = 626, 1/3 of it: 209
 *	t = 314: R = 417, 2/3: 278, no more than 251; t = 544: R = 166, 1/3: 56; t = 565: R = 110, 2/3: 74. */
static void af_by_hand(void)
{
	struct dls_loop *loop = deal_start("af", 2, 1003, VIRTUAL);
	double now[2];

	now[0] = take(loop, 0, 0, 63, 1);
	now[1] = take(loop, 0, 1, 63, 2);
	now[0] = take(loop, now[0], 0, 251, 1);
	now[1] = take(loop, now[1], 1, 209, 2);
	now[0] = take(loop, now[0], 0, 251, 1);
	now[1] = take(loop, now[1], 1, 56, 2);
	now[0] = take(loop, now[0], 0, 74, 1);
	CHECK(now[0] == 639 && now[1] == 656);
	dls_loop_close(loop);
}

/* With a smallest chunk, and chunks that are told. */
static void af_options(void)
{
	struct dls_loop *loop = deal_start("af,100,first=7", 2, 1003, VIRTUAL);

	take(loop, 0, 0, 100, 1);
	dls_loop_close(loop);
	loop = deal_start("af,first=7", 2, 1003, VIRTUAL);
	take(loop, 0, 0, 7, 1);
	take(loop, 0, 1, 7, 1);
	dls_loop_close(loop);
	loop = deal_start("af,first=100000", 2, 1003, VIRTUAL);	/* at most fac2's */
	take(loop, 0, 0, 251, 1);
	take(loop, 0, 1, 188, 1);
	dls_loop_close(loop);
}

/* Iterations of 1 ns to 10 s, clocks that stand still: each chunk begins where the last one ends, and none is longer than
 * ceil(N / 2P). */
static void bounded(void)
{
	static const char *const schedule[] = {
		"af", "af,window=all", "af,exact", "af,first=9", "bold,mu=1e-3,sigma=1e-3,h=1e-6",
		"bold,mu=1e-9,sigma=1e3,h=0", "bold,mu=1e3,sigma=1e-9,h=1e3", "bold,mu=1e-3,sigma=0,h=1e-3",
	};
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < 800; i++) {
		uint64_t pick = tap_random(&seed), n = 1 + (pick >> 20) % 5000, at = 0, begin, end;
		unsigned p = 1 + (unsigned)pick % 12;
		uint64_t most = i % 8 < 4 ? (n + 2 * p - 1) / (2 * p) : n;
		struct dls_loop *loop = deal_start(schedule[i % 8], p, n, VIRTUAL);
		double now[12] = { 0 };

		while (at < n) {
			unsigned w = (unsigned)tap_random(&seed) % p;

			dls_loop_set_time(loop, fmin(now[w], 1e9));
			if (!dls_loop_next_u64(loop, w, &begin, &end))
				continue;	/* others have the rest in hand, in parts */
			if (!CHECK(begin < end && end - begin <= most && end <= n))
				tap_note("%s, N = %u, P = %u: %u", schedule[i % 8], (unsigned)n, p,
					 (unsigned)(end - begin));
			if (tap_random(&seed) % 5)
				now[w] += pow(10, (double)(tap_random(&seed) % 11) - 9) * (double)(end - begin);
			at += end - begin;
		}
		for (unsigned w = 0; w < p; w++)
			CHECK(!dls_loop_next_u64(loop, w, &begin, &end));
		deal_end(loop, n);
		dls_loop_close(loop);
	}
}

/* Equal iterations; the largest number of workers, and far more iterations than can be run. */
static void large(void)
{
	static const struct {
		const char *schedule;
		unsigned p;
		uint64_t n;
	} cell[] = {
		{ "af", DLS_WORKERS_MAX, 8 * DLS_WORKERS_MAX }, { "af", 7, (uint64_t)1 << 63 }, { "af", 3, UINT64_MAX },
		{ "bold,mu=1,sigma=1,h=1", DLS_WORKERS_MAX, 8 * DLS_WORKERS_MAX },
		{ "bold,mu=1,sigma=1,h=1", 3, UINT64_MAX },
	};

	for (unsigned i = 0; i < sizeof(cell) / sizeof(*cell); i++) {
		struct dls_loop *loop = deal_start(cell[i].schedule, cell[i].p, cell[i].n, VIRTUAL);
		uint64_t sum = 0, begin, end, calls = 0;
		unsigned idle = 0;

		for (unsigned w = 0; idle < cell[i].p && calls < 5000000; w = (w + 1) % cell[i].p, calls++) {
			if (w == 0)
				dls_loop_set_time(loop, 1e-6 * (double)calls);
			if (!dls_loop_next_u64(loop, w, &begin, &end)) {
				idle++;
				continue;
			}
			sum += end - begin;
			idle = 0;
		}
		if (CHECK_EQ(sum, cell[i].n) != cell[i].n)
			tap_note("%s, P = %u", cell[i].schedule, cell[i].p);
		dls_loop_close(loop);
	}
}

/* A calculator in which each worker reports 1 and the iterations it has run: the sum of the ones is how many have reported. */
enum { P = 5 };

static const struct dls_measured *view_of[P];
static atomic_uint wrong;

struct counting {
	const struct dls_measured *view;
};

static int counting_init(void *state, const struct dls_loop_desc *loop)
{
	((struct counting *)state)->view = loop->view;
	if (loop->view)
		view_of[loop->worker] = loop->view;
	return 0;
}

static uint64_t counting_next(void *state, uint64_t R)
{
	const struct dls_measured *v = ((const struct counting *)state)->view;

	if (v->has_own && !(v->own[0] == 1 && v->own[0] <= v->sum[0] && v->sum[0] <= P &&
			    v->own[1] <= v->sum[1] && v->known >= 1 && v->known <= P))
		atomic_fetch_add(&wrong, 1);
	return 1 + R % 2 < R ? 1 + R % 2 : R;
}

static void counting_learn(const void *state, struct dls_learned *memory, const struct dls_sample *sample,
			   double own[2])
{
	(void)state;
	own[0] = 1;
	own[1] = memory->value[0] += (double)sample->n;
}

static const struct dls_calc counting = {
	.size = sizeof(struct dls_calc), .name = "counting", .source = "test", .dispenser = DLS_DISPENSER_LIVE,
	.state_size = sizeof(struct counting), .init = counting_init, .next = counting_next, .pace = DLS_PACE_CHUNK,
	.learn = counting_learn,
};

/* Each iteration once; the worker that reported last has seen the sum of what all have run, N: in virtual time, where
 * figures are reported at once. */
static void threads(void)
{
	enum { MOST = 3000 };
	static const char *const schedule[] = {
		"counting", "af", "af,exact", "bold,mu=1e-6,sigma=1e-6,h=1e-6", "counting",
	};
	static atomic_uchar hits[MOST];
	uint64_t seed = tap_seed();
	time_t start = time(NULL);
	double seconds = tap_stress(.7);
	struct dls_loop *real, *virtual;
	struct once_job job = { .hits = hits };
	struct dls_team *team;

	CHECK_EQ(dls_calc_register(&counting), 0);
	CHECK_EQ(dls_team_open(&team, P), 0);
	CHECK_EQ(dls_loop_open(&real, P, NULL, 0), 0);
	CHECK_EQ(dls_loop_open(&virtual, P, NULL, DLS_LOOP_VIRTUAL_TIME), 0);
	for (unsigned k = 0; difftime(time(NULL), start) < seconds && tap_failures == 0; k++) {
		uint64_t n = 1 + tap_random(&seed) % (k % 3 ? 300 : MOST);
		double sum = 0;

		job.range = (struct once_range){ 0, (long)n, 1 };
		memset(view_of, 0, sizeof(view_of));
		job.loop = k % 5 ? real : virtual;
		dls_loop_set_schedule(job.loop, schedule[k % 5]);
		dls_loop_start(job.loop, 0, (int64_t)n, 1);
		dls_team_run(team, once_work, &job);
		once_check(hits, n, 1, schedule[k % 5], P);
		for (unsigned w = 0; k % 5 == 0 && w < P; w++)
			if (view_of[w] && view_of[w]->has_own)
				sum = fmax(sum, view_of[w]->sum[1]);
		if (k % 5 == 0)
			CHECK_EQ(sum, n);
		dls_loop_end(job.loop, NULL);
	}
	CHECK_EQ(wrong, 0);
	dls_loop_close(real);
	dls_loop_close(virtual);
	dls_team_close(team);
}

TEST_MAIN(T(af_by_hand) T(af_options) T(bounded) T(large) T(threads))
