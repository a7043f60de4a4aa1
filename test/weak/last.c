/* last.c - what the last worker to leave a loop takes over from the others, and two locks of the loops. */
#include "dls.h"
#include "lib/deal/deal.h"
#include "lib/site/tuner.h"
#include "weak.h"

static void closed(const struct dls__execution *e);
static void learnt(const struct dls__work_share *d);
#include "lib/base/message.h"
#define dls__tell_user(...) weak_fail("a message", __FILE__, __LINE__)
#define dls__observe_closed closed
#define dls__auto_learn(timing, site, n, p, wall, row) ((void)(site), (void)(wall), (void)(row), learnt(d))
#define dls__calc_blame(calc) true
#include "lib/deal/own.c"
#undef dls__calc_blame
#include "lib/deal/measure.c"
#define learn timing_learn
#include "lib/deal/timing.c"
#undef learn
#include "lib/deal/partials.c"
#include "lib/region/reduce.c"
#define step loop_machine_step
#define start loop_machine_start
#define search loop_machine_search
#include "lib/loop_machine/loop_machine.c"
#undef step
#include "lib/observe/progress.c"

enum { P = 3 };
static struct dls__work_share share;
static unsigned last_ones;

static void open_share(void)
{
	share.p = P;
	share.n = P;
	share.special.users = true;
}

/* own.c: the sum is whole. */
static void leave_users(void)
{
	struct dls__cursor c = { .share = &share, .worker = weak_self(), .workers = P };

	owner_of(&c)->handed = 1;
	leave_own(&c, 0);
}

/* measure.M2: the measurements are complete. */
static struct dls__measurement measurement[P];
static const uint64_t virtual_time = 5;

static void open_measured(void)
{
	open_share();
	share.special.clock = &virtual_time;
	share.measuring.execution = (struct dls__execution){ .measurement = measurement, .workers = P };
}

static void closed(const struct dls__execution *e)
{
	for (unsigned w = 0; w < P; w++)
		HOLDS(e->measurement[w].finished == 5);
	last_ones++;
}

static void leave_measured(void)
{
	struct dls__cursor c = { .share = &share, .worker = weak_self(), .workers = P,
				 .figures.measurement = &measurement[weak_self()] };

	finish(&c);
}

static void one_last(void) { HOLDS(last_ones == 1); }

/* measure.M1: the sums are what the workers have told, and what they finished is counted. */
static const struct dls_calc counted = { .needs = DLS_NEED_DONE };

static void open_told(void)
{
	open_share();
	share.calc = &counted;
}

static void tell_twice(void)
{
	unsigned w = weak_self();
	struct dls__cursor c = { .share = &share, .worker = w, .workers = P,
				 .figures.measurement = &measurement[w] };
	const struct dls_measured *view = &c.figures.view;

	for (unsigned own = 2; own > 0; own--) {
		const double figures[2] = { own + w, 0 };

		HOLDS(tell(&c, figures));
		HOLDS(view->own[0] <= view->sum[0] && view->known > 0 && view->known <= 2);
	}
	measurement[w].chunk.n = 1;
	finish_chunk(&c, 0);
}

static void all_told(void)
{
	HOLDS(share.counts.sum[0] == 3 && share.counts.known == 2 && share.counts.done == 2);
}

/* tuner.H2: the times are complete. */
static struct dls__timed timed[P];

static void open_timed(void)
{
	open_share();
	share.timing.worker = timed;
}

static void learnt(const struct dls__work_share *d)
{
	for (unsigned w = 0; w < P; w++)
		HOLDS(d->timing.worker[w].finished > 0);
	last_ones++;
}

static void leave_with_times(void)
{
	struct dls__cursor c = { .share = &share, .worker = weak_self(), .workers = P };

	timing_leave(&c, false);
}

/* ... also in an execution after one that a worker has left untimed, */
static void open_again(void)
{
	open_timed();
	share.timing.gone = P - 1;
	timing_open(&share, NULL);
}

/* ... and they are there until all have left the work share: then it may be opened again, or freed. */
static atomic_uint passed;

static void open_layer(void)
{
	open_timed();
	share.filters = 1u << DLS__FILTER_timing;
}

static void pass(struct dls__cursor *c)
{
	(void)c;
	if (atomic_fetch_add_explicit(&passed, 1, memory_order_acq_rel) == P - 1)
		for (unsigned w = 0; w < P; w++)
			timed[w].finished = 0;
}

static void leave_share(void)
{
	struct dls__cursor c = { .worker = weak_self(), .workers = P, .leave = pass };

	dls__work_share_join(&c, &share);
	c.leave(&c);
}

/* The partials are complete. */
static struct dls__partials *partials;
static double value[P];

static void open_partials(void)
{
	partials = dls__partials_make(P, sizeof(double));
}

static void reduce(bool cancelled)
{
	struct dls__reduce_part r = { .n = P };
	struct part *p = part_of(&r);

	p->partials = partials;
	p->tree.blocks = P;
	p->tree.past = partials->past;
	cursor_of(&r)->workers = P;
	cursor_of(&r)->cancelled = cancelled;
	partials->past[weak_self()] = weak_self() + 1;
	value[weak_self()] = 1;
	if (last(&r)) {
		HOLDS(value[0] + value[1] + value[2] == 3);
		last_ones++;
	}
}

/* Those that are left for the next loop are one loop's at a time. */
static void use_partials(void)
{
	struct dls__partials *p = dls__partials_make(P, sizeof(double));

	p->value[0] = (char)weak_self();
	HOLDS(p->value[0] == (char)weak_self());
	dls__partials_free(p);
}

static void reduce_whole(void) { reduce(false); }
static void reduce_cancelled(void) { reduce(true); }
static void none_last(void) { HOLDS(last_ones == 0); }

/* loop_machine.C2: the holder of a processor's lock alone touches it. */
static struct dls__loop_processor processor;

static void step_processor(void)
{
	for (int i = 0; i < 2; i++)
		if (try_lock(&processor)) {
			processor.from++;
			unlock(&processor);
		}
}

/* Of the program's function one call is under way, and it sees what the one before it wrote. */
static struct dls__progress_count progress[2];
static unsigned calls;

static void called(const struct dls_progress *p, void *arg)
{
	(void)p, (void)arg;
	calls++;
}

static void wish_progress(void)
{
	callback = called;
	callback_period = 1;
}

static void finish_chunk_of(unsigned i)
{
	struct dls__execution e = { .progress = &progress[i], .n = 9, .workers = 1, .site = "", .ran = "" };

	dls__progress_chunk(&e, &(struct dls__chunk_span){ .n = 1, .ended = 1 });
}

static void finish_chunk_0(void) { finish_chunk_of(0); }
static void finish_chunk_1(void) { finish_chunk_of(1); }

WEAK_MAIN(1,
	{ "own, users' chunks", open_share, { leave_users, leave_users, leave_users }, NULL, 0, 0 },
	{ "measured", open_measured, { leave_measured, leave_measured, leave_measured }, one_last, 0, 0 },
	{ "told", open_told, { tell_twice, tell_twice }, all_told, 0, 30 },
	{ "timed", open_timed, { leave_with_times, leave_with_times, leave_with_times }, one_last, 0, 0 },
	{ "timed, opened again", open_again, { leave_with_times, leave_with_times, leave_with_times }, one_last,
	  0, 0 },
	{ "timed, passed", open_layer, { leave_share, leave_share, leave_share }, one_last, 0, 0 },
	{ "reduction", open_partials, { reduce_whole, reduce_whole, reduce_whole }, one_last, 0, 0 },
	{ "reduction, cancelled", open_partials, { reduce_whole, reduce_cancelled, reduce_whole }, none_last, 0, 0 },
	{ "partials", NULL, { use_partials, use_partials }, NULL, 0, 2 },
	{ "processors' locks", NULL, { step_processor, step_processor }, NULL, 0, 0 },
	{ "progress", wish_progress, { finish_chunk_0, finish_chunk_1 }, NULL, 0, 0 })
