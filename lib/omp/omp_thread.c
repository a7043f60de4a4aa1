/* omp_thread.c - where a thread is: regions and loops entered and left. */
#include <pthread.h>
#include <stdlib.h>

#include "lib/base/apart.h"
#include "lib/base/room.h"
#include "lib/omp/omp_thread.h"

_Thread_local struct dls__omp_thread *dls__omp_thread;

static _Thread_local bool told;			/* dls__narrow() has been called for this thread */
static _Thread_local struct dls__omp_thread *spare;	/* records of this thread's, linked by `outer` */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void free_spare(void *unused)
{
	(void)unused;
	while (spare) {
		struct dls__omp_thread *t = spare;

		spare = t->outer;
		free(t);
	}
}

static void make_key(void)
{
	pthread_key_create(&key, free_spare);	/* without a key, a thread's records leak */
}

struct dls__omp_thread *dls__omp_thread_new(void)
{
	struct dls__omp_thread *t = spare;

	if (t) {
		spare = t->outer;
		return t;
	}
	pthread_once(&once, make_key);
	pthread_setspecific(key, &spare);
	return aligned_alloc(DLS__APART, (sizeof(*t) + DLS__APART - 1) / DLS__APART * DLS__APART);
}

void dls__omp_thread_keep(struct dls__omp_thread *t)
{
	t->outer = spare;
	spare = t;
}

void dls__omp_thread_enter(struct dls__omp_thread *t, struct dls__omp_region *region)
{
	const struct dls__runtime *runtime = region->runtime;

	t->outer = dls__omp_thread;
	t->region = region;
	t->runtime = runtime;
	t->loop = DLS__NO_LOOP;
	t->nested = t->doacross = t->dealt = false;
	t->more = region->apart;
	t->phase = t->virtual = t->calls = t->had = 0;
	t->asked = t->split = NULL;
	t->level = runtime->omp_get_level();
	t->state = dls__team_state_first(&region->region, -1, (unsigned)runtime->omp_get_thread_num(),
					 (unsigned)runtime->omp_get_num_threads());
	if (t->state.worker > 0 && !told) {
		told = true;
		dls__narrow();
		dls__foreign_narrow();
	}
	if (region->call_site && t->state.worker < region->thread_phases)
		region->thread_phase[t->state.worker][0] =
			(struct dls__thread_phase){ .time.begin = dls__foreign_clock() };
	dls__omp_thread = t;
}

void dls__omp_thread_leave(struct dls__omp_thread *t)
{
	struct dls__omp_region *region = t->region;

	dls__omp_loop_end(t);
	if (region->call_site && t->state.worker < region->thread_phases)
		dls__thread_phase_end(&region->thread_phase[t->state.worker][t->phase % 2]);
	if (region->call_site && t->state.worker == 0) {
		region->workers = t->state.workers;
		region->dealt = t->dealt;
		region->phases = t->phase;
		region->more = t->more;
		region->split = t->more ? NULL : t->split;
	}
	if (t->calls)
		t->had |= dls__omp_thread_is_loop(t) ? DLS__HAD_LOOP : DLS__HAD_MORE;
	/* relaxed, both: read when all threads have come to the region's end. */
	if (region->call_site && t->had & ~atomic_load_explicit(&region->had, memory_order_relaxed))
		atomic_fetch_or_explicit(&region->had, t->had, memory_order_relaxed);
	if (t->state.team)
		dls__team_state_last(&t->state);
	dls__omp_thread = t->outer;
}

void dls__omp_nested_begin(const struct dls__runtime *runtime)
{
	struct dls__omp_thread *t = calloc(1, sizeof(*t));

	if (!t)
		return;
	t->outer = dls__omp_thread;
	t->runtime = runtime;
	t->nested = true;
	t->level = -1;
	dls__omp_thread = t;
}

void dls__omp_nested_end(void)
{
	struct dls__omp_thread *t = dls__omp_thread;

	dls__omp_thread = t->outer;
	free(t);
}

static void open_loop(struct dls__omp_thread *t, const struct dls__request *request,
		      enum dls__loop_state state)
{
	t->loop = state;
	if (t->region->call_site && t->state.worker < t->region->thread_phases)
		t->region->thread_phase[t->state.worker][t->phase % 2].looped = true;
	dls__foreign_join(&t->cursor, &t->state, request);
}

void dls__omp_loop_open(struct dls__omp_thread *t, const struct dls__call_site *call_site, uint64_t n,
			uint64_t multiple, const struct dls_schedule *own)
{
	t->call_site = call_site;
	t->dealt = true;
	open_loop(t, &(struct dls__request){
		.site = call_site->site, .n = n, .multiple = multiple,
		.extra = &(struct dls__extra){ .schedule = call_site->schedule, .own = own,
					     .foreign = true },
	}, DLS__TAKEN);
}

void dls__omp_loop_measure(struct dls__omp_thread *t, const struct dls__call_site *call_site, uint64_t n,
			   const struct dls_schedule *like, bool scattered,
			   struct dls__chunk (*take)(struct dls__cursor *, uint64_t))
{
	t->call_site = call_site;
	t->cursor.native = take;
	open_loop(t, &(struct dls__request){
		.site = call_site->site, .n = n,
		.extra = &(struct dls__extra){ .schedule = like, .foreign = true, .native = true,
						.scattered = scattered },
	}, DLS__MEASURED);
}
