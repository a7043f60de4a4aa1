/* live.c - the live dispenser: many workers, sums under contention.  Its sequences are those of chunk/adaptive.c, its bounds those
 * of chunk/learn.c.
 *
 * Fails if: a size follows from another R than the one it is taken from, figures are lost between two workers that report
 * at once.  All atomics of the dispenser are relaxed: ThreadSanitizer would find an
 * access that depends on their order by the plain writes in api/team.c. */
#include "deal.h"
#include "once.h"

/* The largest number of workers, of which each has figures of its own, also those that draw tickets. */
static void many_workers(void)
{
	enum { MANY = DLS_WORKERS_MAX };
	static const char *const schedule[] = { "af", "bold,mu=1,sigma=1,h=1", "awf-b" };

	for (unsigned k = 0; k < 3; k++) {
		struct dls_loop *loop = deal_start(schedule[k], MANY, 8 * MANY, DLS_LOOP_EVERY_CHUNK | DLS_LOOP_VIRTUAL_TIME);
		uint64_t sum = 0, n = 0, call = 0;
		unsigned idle = 0;

		for (; idle < MANY; call++) {
			if (call % MANY == 0)
				dls_loop_set_time(loop, 1e-6 * (double)call);
			n = (uint64_t)deal_next(loop, (unsigned)(call % MANY)).n;
			idle = n ? 0 : idle + 1;
			sum += n;
		}
		if (CHECK_EQ(sum, 8 * MANY) != 8 * MANY)
			tap_note("%s", schedule[k]);
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

/* The worker that reported last has seen the sum of what all have run, N: in virtual time, where figures are reported at once. */
static void check_sum(const struct once_job *job)
{
	double sum = 0;

	for (unsigned w = 0; w < P; w++)
		if (view_of[w] && view_of[w]->has_own)
			sum = sum > view_of[w]->sum[1] ? sum : view_of[w]->sum[1];
	CHECK_EQ(sum, job->range.end);
	memset(view_of, 0, sizeof(view_of));
}

static void threads(void)
{
	static const char *const schedule[] = { "counting", "af", "af,exact", "bold,mu=1e-6,sigma=1e-6,h=1e-6" };

	CHECK_EQ(dls_calc_register(&counting), 0);
	once_threads(tap_stress(.7) / 2, schedule, 1, P, 3000, DLS_LOOP_VIRTUAL_TIME, check_sum);
	once_threads(tap_stress(.7) / 2, schedule, 4, P, 3000, 0, NULL);
	CHECK_EQ(wrong, 0);
}

TEST_MAIN(T_ALONE(many_workers) T(threads))
