/* scene.c - regions: what their threads did between barriers, and static loops dealt by virtual threads.
 *
 * gcc compiles a static loop into its region, which calls the runtime only for the thread's number and the number of threads.  So what
 * is measured is what each thread did between two barriers.  A loop is dealt by running the region's function for many virtual
 * threads: V blocks of a static loop, which the schedule deals to the real threads.  That is right for regions that are one static
 * loop and nothing else; the first execution, which the runtime deals, shows whether a region is.
 *
 * W1: after barrier k worker 0 reads the slots of phase k, and the others write those of phase k + 1, until they come to
 *     barrier k + 1, where they wait for worker 0: two slots a worker are enough. */
#include <stdlib.h>
#include <unistd.h>

#include "dls/stats.h"
#include "lib/base/message.h"
#include "lib/omp/know.h"
#include "lib/omp/scene.h"
#include "lib/site/unseen.h"

enum { VIRTUAL = 64 };		/* blocks for each worker */

enum { UNSEEN, PLAIN, MIXED };

static uint64_t began;

static void add_inside(struct dls__spot *spot, void *sum)
{
	*(uint64_t *)sum += atomic_load_explicit(&spot->inside, memory_order_relaxed);	/* relaxed: a number alone */
}

static void say_shares(void)
{
	uint64_t inside = 0;
	double all = (double)(dls__foreign_clock() - began);

	dls__spots_each(add_inside, &inside);
	if (inside == 0) {
		if (dls__foreign_run())
			dls__tell_user("no parallel region was seen in process %lld; there is nothing to advise", (long long)getpid());
		return;
	}
	dls_report("advice");
	dls__tell_user("%.1f %% of %.3g s was spent in parallel regions, the rest between them", 100 * (double)inside / all, 1e-9 * all);
}

struct visit {
	void (*visit)(void *arg, const struct dls__region_met *met);
	void *arg;
};

static void visit_region(struct dls__spot *spot, void *arg)
{
	const struct visit *v = arg;
	/* acquire: pairs with the release in dls__spot_know().  relaxed: numbers alone. */
	bool known = atomic_load_explicit(&spot->known, memory_order_acquire);
	uint64_t executions = atomic_load_explicit(&spot->executions, memory_order_relaxed);

	if (known && executions)
		v->visit(v->arg, &(struct dls__region_met){
			.name = spot->name, .function = spot->function, .executions = executions,
			.seconds = 1e-9 * (double)atomic_load_explicit(&spot->inside, memory_order_relaxed),
		});
}

static double each_region(void (*visit)(void *arg, const struct dls__region_met *met), void *arg)
{
	dls__spots_each(visit_region, &(struct visit){ visit, arg });
	return 1e-9 * (double)(dls__foreign_clock() - began);
}

void dls__scene_report(bool advise)
{
	began = dls__foreign_clock();
	dls__foreign_regions(each_region);
	if (advise)
		dls__foreign_at_end(say_shares);
}

static void watch(struct dls__scene *s, unsigned threads)
{
	unsigned most = threads ? threads : (unsigned)s->runtime->omp_get_max_threads();

	s->slot = calloc(most, sizeof(*s->slot));
	s->slots = s->slot ? most : 0;
}

void dls__scene_open(struct dls__scene *s, const struct dls__spot *spot, const char *source, const void *call, unsigned threads,
		     bool loop)
{
	s->runtime = spot->runtime;
	s->region = dls__foreign_open();
	s->whole = spot;
	s->spot = NULL;
	s->virtual = s->dealt = false;
	s->slots = s->phases = s->workers = 0;
	atomic_init(&s->mixed, false);
	s->begin = dls__watching() ? dls__foreign_clock() : 0;
	if (loop || !(dls__watching() || dls__foreign_entries()))
		return;
	s->spot = spot;
	dls__spot_knows(spot, source, call, DLS__ENTRY_ALONE);
	/* relaxed: the number alone matters. */
	s->virtual = spot->does == DLS__TAKES && atomic_load_explicit(&((struct dls__spot *)spot)->region, memory_order_relaxed) == PLAIN;
	if (dls__watching() && !s->virtual)
		watch(s, threads);
}

/* Report a phase.  key: that of the call which ended it. */
static void report(struct dls__scene *s, unsigned phase, unsigned workers, const struct dls__spot *spot)
{
	uint64_t longest = 0, last = 0;
	struct dls__region_part *part;

	if (workers > s->slots || workers < 2)
		return;
	for (unsigned i = 0; i < workers; i++) {
		const struct dls__slot *slot = &s->slot[i][phase % 2];
		uint64_t length = slot->part.end - slot->part.begin;

		if (slot->looped)
			return;
		longest = length > longest ? length : longest;
		last = slot->part.end > last ? slot->part.end : last;
	}
	if (longest < (last - s->begin) / 100)
		return;
	dls__spot_knows(spot, NULL, NULL, DLS__ENTRY_ALONE);
	part = spot->site ? malloc(workers * sizeof(*part)) : NULL;
	for (unsigned i = 0; part && i < workers; i++)
		part[i] = s->slot[i][phase % 2].part;
	if (part)
		dls__foreign_parts(spot->site, workers, part, dls__schedule_like(DLS__STATIC_KIND, 0));
	else if (spot->site)
		dls__spot_no_memory();
	free(part);
}

/* Count the time of a region that is nested in no other. */
static void count(const struct dls__scene *s)
{
	struct dls__spot *spot = (struct dls__spot *)s->whole;
	uint64_t now = dls__foreign_clock();

	dls__spot_knows(spot, NULL, NULL, DLS__ENTRY_ALONE);	/* where it is not yet: it is not a loop's */
	/* relaxed, both: numbers alone. */
	atomic_fetch_add_explicit(&spot->inside, now - s->begin, memory_order_relaxed);
	atomic_fetch_add_explicit(&spot->executions, 1, memory_order_relaxed);
}

void dls__scene_close(struct dls__scene *s)
{
	struct dls__spot *spot = (struct dls__spot *)s->spot;

	dls__foreign_close(&s->region, s->runtime->cancellable);
	if (s->begin && !dls__place)
		count(s);
	if (!spot)
		return;
	/* relaxed, all: the number alone matters. */
	if (spot->does == DLS__TAKES && !s->virtual && atomic_load_explicit(&spot->region, memory_order_relaxed) == UNSEEN) {
		bool mixed = atomic_load_explicit(&s->mixed, memory_order_relaxed);

		atomic_store_explicit(&spot->region, mixed ? MIXED : PLAIN, memory_order_relaxed);
		if (mixed && !s->dealt)		/* an entry for the function is used for that loop */
			dls__tell_user("%s: the region is not one static loop alone, so its entry in DLS_SCHEDULE is not used for it",
				       spot->name);
	}
	if (s->slots) {
		report(s, s->phases, s->workers, spot);
		free(s->slot);
	}
}

void dls__place_mixes(struct dls__place *p)
{
	if (!p->scene || !dls__place_within(p))
		return;
	p->mixed = true;
	if (p->virtual) {
		dls__tell_user("%s: the region was one static loop alone when it first ran, and is not now; it cannot go on under its "
			       "entry in DLS_SCHEDULE", p->scene->spot->name);
		abort();
	}
}

void dls__place_arrive(void)
{
	struct dls__place *p = dls__place;

	if (!p || !p->scene)
		return;
	dls__place_mixes(p);
	if (p->seat.worker < p->scene->slots && dls__place_within(p))
		dls__slot_end(&p->scene->slot[p->seat.worker][p->phase % 2]);
}

void dls__place_pass(const struct dls__spot *spot)
{
	struct dls__place *p = dls__place;

	if (!p || !p->scene || !p->scene->slots || !dls__place_within(p))
		return;
	if (p->seat.worker == 0)
		report(p->scene, p->phase, p->seat.workers, spot->own ? p->scene->spot : spot);
	p->phase++;
	if (p->seat.worker < p->scene->slots)
		p->scene->slot[p->seat.worker][p->phase % 2] = (struct dls__slot){ .part.begin = dls__foreign_clock() };
}

void dls__scene_deal(struct dls__place *p, void (*call)(void *), void *arg)
{
	struct dls__chunk chunk;

	p->virtuals = VIRTUAL * p->seat.workers;
	dls__place_open(p, p->scene->spot, p->virtuals, 0, NULL);
	while ((chunk = dls__place_next(p)).n)
		for (uint64_t v = chunk.lo; v < chunk.lo + chunk.n; v++) {
			p->virtual = (unsigned)v + 1;
			call(arg);
		}
	p->virtual = 0;
	dls__place_end(p);
}
