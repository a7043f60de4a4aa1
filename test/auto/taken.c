/* taken.c - auto on processors that are taken away from time to time: by another program, by a quota, by threads that share one.
 *
 * Auto asks nobody.  Under steal, the schedule that it has is right for slow workers too; fac2 deals them less.
 * Fails if a schedule that suits equal workers alone is kept.
 *
 * runs: alone */
#include "auto/world.h"

enum { P = 4, N = 2000, EXECUTIONS = 150, COURSES = 5 };

/* A worker has its processor for `on`, then not for `off`, s, first at -phase; off 0: always. */
struct taken {
	double on, off, phase;
};

struct story {
	const char *name;
	double work;			/* of a worker's share, s */
	struct taken taken[P];
	double ratio;			/* time over that of the best candidate for all executions, at most */
};

/* When `work` is done that begins at `now`. */
static double finish(const struct taken *t, double now, double work)
{
	double period = t->on + t->off, at;

	if (t->off == 0)
		return now + work;
	at = fmod(now + t->phase, period);
	if (at >= t->on) {
		now += period - at;
		at = 0;
	}
	if (work <= t->on - at)
		return now + work;
	work -= t->on - at;
	now += period - at;
	return now + floor(work / t->on) * period + fmod(work, t->on);
}

/* One execution that begins at `now`; row NULL: not profiled. */
struct run {
	const struct story *story;
	double now;
	struct dls__bucket (*row)[2 * WORKERS_MOST];
	unsigned buckets;
};

static double body(const struct run *r, unsigned w, double now, uint64_t lo, uint64_t end)
{
	double each = r->story->work * P / N;

	while (lo < end) {
		unsigned b = (unsigned)(lo * 64 / N);
		uint64_t next;
		double then;

		while (b > 0 && dls__bucket_begin(N, 64, b) > lo)
			b--;
		while (dls__bucket_begin(N, 64, b + 1) <= lo)
			b++;
		next = dls__bucket_begin(N, 64, b + 1);
		next = next < end ? next : end;
		then = finish(&r->story->taken[w], now, each * (double)(next - lo));
		if (r->row) {
			r->row[w][b].time += then - now;
			r->row[w][b].n += next - lo;
		}
		now = then;
		lo = next;
	}
	return now;
}

static double blocks(const struct run *r)
{
	double end = 0;

	for (unsigned w = 0; w < P; w++)
		end = fmax(end, body(r, w, r->now, N / P * w, N / P * (w + 1)));
	return end - r->now;
}

/* Chunks from one queue. */
static double queue(const struct run *r, unsigned schedule)
{
	const struct dls_schedule *s = world_schedule(schedule);
	const struct dls_calc *calc = dls_schedule_calc(s);
	struct dls_loop_desc desc = { .size = sizeof(desc) };
	uint64_t state[DLS_STATE_MAX / 8], next = 0;
	bool gone[P] = { false };
	double at[P], end = 0;

	for (unsigned w = 0; w < P; w++)
		at[w] = r->now;
	CHECK_EQ(dls_schedule_describe(s, N, P, 0, &desc), 0);
	CHECK_EQ(calc->init(state, &desc), 0);
	while (next < N) {
		unsigned w = world_first(at, gone, P);
		uint64_t K = calc->next(state, N - next);

		at[w] = body(r, w, at[w] + TRANSFER, next, next + K);
		next += K;
		end = fmax(end, at[w]);
	}
	return end - r->now;
}

/* Chunks from the own range; then half of what another one has left. */
static double ranges(const struct run *r, uint64_t K)
{
	uint64_t M = dls_ceil_div(N, K), next[P], end[P];
	bool gone[P] = { false };
	double at[P], last = 0;
	unsigned w;

	for (w = 0; w < P; w++) {
		next[w] = dls_static_begin(M, P, w);
		end[w] = dls_static_begin(M, P, w + 1);
		at[w] = r->now;
	}
	while ((w = world_first(at, gone, P)) < P) {
		for (unsigned v = 0; v < P && next[w] == end[w]; v++) {
			uint64_t half = (end[v] - next[v] + 1) / 2;

			if (half > 0) {
				next[w] = end[v] - half;
				end[w] = end[v];
				end[v] -= half;
				at[w] += 2 * TRANSFER;
			}
		}
		gone[w] = next[w] == end[w];
		if (gone[w]) {
			last = fmax(last, at[w]);
			continue;
		}
		at[w] = body(r, w, at[w] + TAKE, next[w] * K, next[w] * K + K < N ? next[w] * K + K : N);
		next[w]++;
	}
	return last - r->now;
}

static double run(const struct run *r, unsigned schedule)
{
	if (schedule == DLS__AUTO_STATIC)
		return blocks(r);
	if (schedule >= DLS__AUTO_STEAL && schedule < DLS__AUTO_SS)
		return ranges(r, (uint64_t)1 << (schedule - DLS__AUTO_STEAL));
	return queue(r, schedule);
}

/* Returns the time over that of the best candidate for all executions. */
static double play_once(const struct story *s, unsigned flags, uint64_t random)
{
	static struct dls__bucket row[P][2 * WORKERS_MOST];
	double now = 0, took = 0, best = INFINITY, always[DLS__AUTO_CANDIDATES] = { 0 };
	struct dls__auto a = { 0 };
	struct dls__size_class *c = NULL;

	for (unsigned e = 0; e < EXECUTIONS; e++) {
		struct run r = { .story = s, .now = now };
		struct dls__auto_choice choice;
		double wall;

		c = dls__size_class(&a, P, N, flags, REGION, 0);
		choice = dls__auto_choose(c);
		for (unsigned i = 0; i < c->candidates; i++)
			always[i] += run(&r, c->arm[i].schedule);
		memset(row, 0, sizeof(row));
		r.row = row;
		wall = run(&r, choice.schedule);
		took += wall;
		now += wall + 20e-3 * (double)(tap_random(&random) >> 11) * 0x1p-53;
		dls__auto_ended(c, choice.schedule, N, wall);
		if (choice.profile)
			dls__auto_profiled(c, N, (const struct dls__bucket *const[]){ row[0], row[1], row[2], row[3] });
		world_decide(c, 30e-6);
	}
	for (unsigned i = 0; i < c->candidates; i++)
		best = fmin(best, always[i]);
	tap_note("%-34s %.4f of the best", s->name, took / best);
	dls__auto_free(&a);
	return took / best;
}

/* When an execution meets the other program is chance: the mean of several courses. */
static void play_from(const struct story *s, unsigned flags)
{
	double mean = 0;

	for (unsigned i = 1; i <= COURSES; i++)
		mean += play_once(s, flags, i) / COURSES;
	if (!CHECK(mean <= s->ratio))
		tap_note("%s: %.4f of the best", s->name, mean);
}

/* Under steal, whether iterations are dear or their worker is slow makes no difference. */
static void play(const struct story *s)
{
	play_from(s, 0);
	play_from(s, DLS__AUTO_MONOTONIC);
}

/* Another program has worker 1's processor for half of the time, in turns that are shorter than a bucket, and longer. */
static void another_program(void)
{
	static const struct story stories[] = {
		{ "half, turns of 0.1 ms in 5 ms", 5e-3, { [1] = { 1e-4, 1e-4, 0 } }, 1.05 },
		{ "half, turns of 1 ms in 5 ms", 5e-3, { [1] = { 1e-3, 1e-3, 0 } }, 1.05 },
		{ "half, turns of 4 ms in 5 ms", 5e-3, { [1] = { 4e-3, 4e-3, 0 } }, 1.06 },
		{ "half, turns of 4 ms in 50 ms", 50e-3, { [1] = { 4e-3, 4e-3, 0 } }, 1.05 },
		{ "a tenth, 0.1 of 1 ms in 50 ms", 50e-3, { [1] = { 9e-4, 1e-4, 0 } }, 1.05 },
	};

	for (size_t i = 0; i < sizeof(stories) / sizeof(*stories); i++)
		play(&stories[i]);
}

/* All lose alike. */
static void quota(void)
{
	static const struct taken all = { 75e-3, 25e-3, 0 };

	play(&(struct story){ "a quota of three quarters, 5 ms", 5e-3, { all, all, all, all }, 1.03 });
	play(&(struct story){ "a quota of three quarters, 50 ms", 50e-3, { all, all, all, all }, 1.03 });
}

/* Workers 0 and 1 take turns on one processor. */
static void affinity(void)
{
	play(&(struct story){ "two on one processor", 50e-3, { { 3e-3, 3e-3, 0 }, { 3e-3, 3e-3, 3e-3 } }, 1.05 });
}

TEST_MAIN(T(another_program) T(quota) T(affinity))
