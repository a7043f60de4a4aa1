/* scene.c - regions: what their threads did between barriers, and static loops dealt by virtual threads.
 *
 * gcc compiles a static loop into its region, which calls the runtime only for the thread's number and the
 * number of threads.  So libdls measures what each thread does between two barriers.  A loop is dealt by
 * running the region's function for many virtual threads: V blocks of a static loop, which the schedule deals
 * to the real threads.  That is correct only if the region is one static loop and nothing else, which is
 * found out in its first execution, dealt by the runtime.
 *
 * W1: after barrier k worker 0 reads the slots of phase k, and the others write those of phase k + 1, until they come to
 *     barrier k + 1, where they wait for worker 0: two slots a worker are enough. */
#include <stdlib.h>
#include <unistd.h>

#include "dls/stats.h"
#include "lib/base/ending.h"
#include "lib/base/message.h"
#include "lib/omp/know.h"
#include "lib/omp/scene.h"
#include "lib/site/env.h"

enum { VIRTUAL = 64 };		/* blocks for each worker */

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

/* The most that a schedule needs for one of the loops of a name. */
struct needs {
	const char *name, *loop;
	enum dls__reach reach;
	bool dealt;		/* an entry deals one as the whole of its region */
};

static enum dls__reach reach_of_static(const struct dls__spot *spot, const struct dls__spot *region)
{
	/* Virtual threads would share their real thread's thread-local variables. */
	return !(dls__spot_had(spot) & DLS__WAS_PART) && region && dls__spot_is_loop(region) &&
	       !region->module->locals ? DLS__REACH_ALONE : DLS__REACH_SOURCE;
}

static enum dls__reach reach_of_phase(const struct dls__spot *spot, const struct dls__spot *related,
				      const char **loop)
{
	unsigned had = dls__spot_had(spot);
	/* A region's own spot stands for its last phase, and is related to the loop in that phase. */
	bool last = had & (DLS__HAD_LOOP | DLS__HAD_MORE) || !related;

	if (had & DLS__WAS_MORE || dls__spot_had(last ? spot : related) & DLS__HAD_TASKS)
		return DLS__REACH_OTHER;
	if (last && related && strcmp(related->name, spot->name))
		*loop = related->name;
	return had & DLS__WAS_STATIC || (last && related && !*loop) ? DLS__REACH_SOURCE : DLS__REACH_PHASE;
}

static void look(struct dls__spot *spot, void *arg)
{
	struct needs *n = arg;
	/* acquire, both: pair with the releases in dls__spot_know() and dls__spot_relate(). */
	bool known = atomic_load_explicit(&spot->known, memory_order_acquire);
	const struct dls__spot *related = atomic_load_explicit(&spot->related, memory_order_acquire);
	unsigned had = dls__spot_had(spot);
	enum dls__reach reach = DLS__REACH_OWN;
	const char *loop = NULL;

	if (!known || !spot->site || strcmp(spot->name, n->name))
		return;
	if (spot->order != DLS__ENTRY_ALONE)
		reach = spot->order == DLS__ANY_ORDER ? DLS__REACH_ANY_ORDER : DLS__REACH_ENTRY;
	else if (had & DLS__WAS_PHASE)
		reach = reach_of_phase(spot, related, &loop);
	else if (had & DLS__WAS_STATIC)
		reach = reach_of_static(spot, related);
	n->dealt |= spot->does == DLS__TAKES && dls__spot_is_loop(spot);
	if (reach > n->reach) {
		n->reach = reach;
		n->loop = loop;
	}
}

static enum dls__reach reach_of(const char *name, const char **loop)
{
	struct needs n = { .name = name };

	dls__spots_each(look, &n);
	*loop = n.loop;
	return n.dealt ? DLS__REACH_ENTRY : n.reach;
}

void dls__scene_report(bool advise)
{
	static struct dls__ending end = { .write = say_shares };

	began = dls__foreign_clock();
	dls__report_set_regions(each_region, reach_of);
	dls__observers_measure();
	if (advise)
		dls__at_end(&end);
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
	s->region = dls__parallel_open();
	s->whole = spot;
	s->spot = NULL;
	s->source = source;
	s->split = NULL;
	s->apart = s->virtual = s->dealt = false;
	s->slots = s->phases = s->workers = 0;
	atomic_init(&s->had, 0);
	s->begin = dls__watching() ? dls__foreign_clock() : 0;
	if (loop || !(dls__watching() || dls__foreign_entries()))
		return;
	s->spot = spot;
	dls__spot_knows(spot, source, call, DLS__ENTRY_ALONE);
	s->virtual = spot->does == DLS__TAKES && dls__spot_is_loop(spot);
	if (dls__watching() && !s->virtual)
		watch(s, threads);
}

/* Report a phase.  spot: where the phase's loop begins, if known; else the call that ended the phase. */
static void report(struct dls__scene *s, unsigned phase, unsigned workers, const struct dls__spot *spot,
		   unsigned was)
{
	uint64_t longest = 0, last = 0;
	struct dls__region_part *part;

	if (workers > s->slots)
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
	if (spot != s->spot)
		dls__spot_relate(spot, s->spot);
	dls__spot_has(spot, DLS__WAS_PHASE | was);
	part = spot->site ? malloc(workers * sizeof(*part)) : NULL;
	for (unsigned i = 0; part && i < workers; i++)
		part[i] = s->slot[i][phase % 2].part;
	if (part)
		dls__foreign_parts(spot->site, workers, part, dls__schedule_like(DLS__STATIC_KIND, 0));
	else if (spot->site)
		dls__spot_no_memory();
	free(part);
}

/* Add up the time of a region that is not nested. */
static void count(const struct dls__scene *s)
{
	struct dls__spot *spot = (struct dls__spot *)s->whole;
	uint64_t now = dls__foreign_clock();

	dls__spot_knows(spot, NULL, NULL, DLS__ENTRY_ALONE);	/* if nothing is known of the spot yet, it is a region's, not a loop's */
	/* relaxed, both: numbers alone. */
	atomic_fetch_add_explicit(&spot->inside, now - s->begin, memory_order_relaxed);
	atomic_fetch_add_explicit(&spot->executions, 1, memory_order_relaxed);
}

/* Spot of a phase's loop; NULL: not known, or several regions' functions were merged into one. */
static const struct dls__spot *loop_in(const struct dls__scene *s, const struct dls__spot *split)
{
	if (!split)
		return NULL;
	dls__spot_knows(split, NULL, NULL, DLS__ENTRY_ALONE);
	return strcmp(split->symbol, s->spot->symbol) == 0 ? split : NULL;
}

/* Report the last phase: under its loop's name if known, else under the region's, for which alone there may
 * be an entry. */
static void report_last(struct dls__scene *s)
{
	const struct dls__spot *loop = loop_in(s, s->split);

	if (loop)
		dls__spot_relate(s->spot, loop);
	if (loop && s->phases)
		report(s, s->phases, s->workers, loop, DLS__WAS_STATIC | DLS__WAS_PART);
	else
		report(s, s->phases, s->workers, s->spot, s->more ? DLS__WAS_MORE : 0);
}

void dls__scene_close(struct dls__scene *s)
{
	const struct dls__spot *spot = s->spot;
	unsigned had;

	dls__foreign_close(&s->region, s->runtime->omp_get_cancellation());
	if (s->begin && !dls__place)
		count(s);
	if (!spot)
		return;
	/* relaxed: written by threads that have left the region. */
	had = atomic_load_explicit(&s->had, memory_order_relaxed);
	/* An entry for the function is used for a loop that was dealt. */
	if (!s->virtual && dls__spot_has(spot, had) & DLS__HAD_MORE && spot->does == DLS__TAKES && !s->dealt)
		dls__tell_user("%s: the region is not one static loop alone, so its entry in DLS_SCHEDULE is not used "
			       "for it", spot->name);
	if (s->slots) {
		report_last(s);
		free(s->slot);
	}
}

void dls__place_mixes(struct dls__place *p)
{
	if (!p->scene || !dls__place_within(p))
		return;
	p->had |= DLS__HAD_MORE;
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
	if (p->seat.worker == 0) {
		const struct dls__spot *loop = p->more ? NULL : loop_in(p->scene, p->split);

		if (loop)
			report(p->scene, p->phase, p->seat.workers, loop, DLS__WAS_STATIC | DLS__WAS_PART);
		else
			report(p->scene, p->phase, p->seat.workers, spot->own ? p->scene->spot : spot,
			       p->more ? DLS__WAS_MORE : 0);
	}
	p->asked = p->split = NULL;
	p->more = p->scene->apart;
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
