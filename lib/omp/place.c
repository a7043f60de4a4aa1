/* place.c - where a thread is: regions and loops entered and left. */
#include <pthread.h>
#include <stdlib.h>

#include "lib/base/apart.h"
#include "lib/base/room.h"
#include "lib/omp/place.h"

_Thread_local struct dls__place *dls__place;

static _Thread_local bool told;			/* dls__narrow() has been called for this thread */
static _Thread_local struct dls__place *spare;	/* places of this thread's, linked by `outer` */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void free_spare(void *unused)
{
	(void)unused;
	while (spare) {
		struct dls__place *p = spare;

		spare = p->outer;
		free(p);
	}
}

static void make_key(void)
{
	pthread_key_create(&key, free_spare);	/* without a key, a thread's places leak */
}

struct dls__place *dls__place_new(void)
{
	struct dls__place *p = spare;

	if (p) {
		spare = p->outer;
		return p;
	}
	pthread_once(&once, make_key);
	pthread_setspecific(key, &spare);
	return aligned_alloc(DLS__APART, (sizeof(*p) + DLS__APART - 1) / DLS__APART * DLS__APART);
}

void dls__place_keep(struct dls__place *p)
{
	p->outer = spare;
	spare = p;
}

void dls__place_enter(struct dls__place *p, struct dls__scene *scene)
{
	const struct dls__runtime *runtime = scene->runtime;

	p->outer = dls__place;
	p->scene = scene;
	p->runtime = runtime;
	p->mode = DLS__NO_LOOP;
	p->aside = p->doacross = p->dealt = false;
	p->more = scene->apart;
	p->phase = p->virtual = p->calls = p->had = 0;
	p->asked = p->split = NULL;
	p->level = runtime->omp_get_level();
	p->seat = dls__seat_first(&scene->region, -1, (unsigned)runtime->omp_get_thread_num(),
				  (unsigned)runtime->omp_get_num_threads());
	if (p->seat.worker > 0 && !told) {
		told = true;
		dls__narrow();
		dls__foreign_narrow();
	}
	if (scene->spot && p->seat.worker < scene->slots)
		scene->slot[p->seat.worker][0] = (struct dls__slot){ .part.begin = dls__foreign_clock() };
	dls__place = p;
}

void dls__place_leave(struct dls__place *p)
{
	struct dls__scene *scene = p->scene;

	dls__place_end(p);
	if (scene->spot && p->seat.worker < scene->slots)
		dls__slot_end(&scene->slot[p->seat.worker][p->phase % 2]);
	if (scene->spot && p->seat.worker == 0) {
		scene->workers = p->seat.workers;
		scene->dealt = p->dealt;
		scene->phases = p->phase;
		scene->more = p->more;
		scene->split = p->more ? NULL : p->split;
	}
	if (p->calls)
		p->had |= dls__place_is_loop(p) ? DLS__HAD_LOOP : DLS__HAD_MORE;
	/* relaxed, both: read when all threads have come to the region's end. */
	if (scene->spot && p->had & ~atomic_load_explicit(&scene->had, memory_order_relaxed))
		atomic_fetch_or_explicit(&scene->had, p->had, memory_order_relaxed);
	if (p->seat.team)
		dls__seat_last(&p->seat);
	dls__place = p->outer;
}

void dls__place_step_aside(const struct dls__runtime *runtime)
{
	struct dls__place *p = calloc(1, sizeof(*p));

	if (!p)
		return;
	p->outer = dls__place;
	p->runtime = runtime;
	p->aside = true;
	p->level = -1;
	dls__place = p;
}

void dls__place_step_back(void)
{
	struct dls__place *p = dls__place;

	dls__place = p->outer;
	free(p);
}

static void open_loop(struct dls__place *p, const struct dls__ask *ask, enum dls__mode mode)
{
	p->mode = mode;
	if (p->scene->spot && p->seat.worker < p->scene->slots)
		p->scene->slot[p->seat.worker][p->phase % 2].looped = true;
	dls__foreign_join(&p->cursor, &p->seat, ask);
}

void dls__place_open(struct dls__place *p, const struct dls__spot *spot, uint64_t n, uint64_t multiple, const struct dls_schedule *own)
{
	p->spot = spot;
	p->dealt = true;
	open_loop(p, &(struct dls__ask){
		.site = spot->site, .n = n, .multiple = multiple,
		.wish = &(struct dls__wish){ .schedule = spot->schedule, .own = own, .foreign = true, .hold = true },
	}, DLS__TAKEN);
}

void dls__place_watch(struct dls__place *p, const struct dls__spot *spot, uint64_t n, const struct dls_schedule *like, bool scattered,
		      struct dls__chunk (*take)(struct dls__cursor *, uint64_t))
{
	p->spot = spot;
	p->cursor.native = take;
	open_loop(p, &(struct dls__ask){
		.site = spot->site, .n = n,
		.wish = &(struct dls__wish){ .schedule = like, .foreign = true, .native = true, .scattered = scattered },
	}, DLS__WATCHED);
}
