/* omp_region.c - regions: what their threads did between barriers, and static loops dealt by virtual threads.
 *
 * gcc compiles a static loop into its region, which calls the runtime only for the thread's number and the
 * number of threads.  So libdls measures what each thread does between two barriers.  A loop is dealt by
 * running the region's function for many virtual threads: V blocks of a static loop, which the schedule deals
 * to the real threads.  That is correct only if the region is one static loop and nothing else, which is
 * found out in its first execution, dealt by the runtime.
 *
 * W1: after barrier k worker 0 reads the records of phase k, and the others write those of phase k + 1, until
 *     they come to barrier k + 1, where they wait for worker 0: two records a worker are enough. */
#include <stdlib.h>
#include <unistd.h>

#include "dls/stats.h"
#include "lib/base/ending.h"
#include "lib/base/message.h"
#include "lib/omp/know.h"
#include "lib/omp/omp_region.h"
#include "lib/site/env.h"

enum { VIRTUAL = 64 };		/* blocks for each worker */

static uint64_t began;

static void add_inside(struct dls__call_site *call_site, void *sum)
{
	/* relaxed: a number alone. */
	*(uint64_t *)sum += atomic_load_explicit(&call_site->inside, memory_order_relaxed);
}

static void say_shares(void)
{
	uint64_t inside = 0;
	double all = (double)(dls__foreign_clock() - began);

	dls__call_sites_each(add_inside, &inside);
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

static void visit_region(struct dls__call_site *call_site, void *arg)
{
	const struct visit *v = arg;
	/* acquire: pairs with the release in dls__call_site_know().  relaxed: numbers alone. */
	bool known = atomic_load_explicit(&call_site->known, memory_order_acquire);
	uint64_t executions = atomic_load_explicit(&call_site->executions, memory_order_relaxed);

	if (known && executions)
		v->visit(v->arg, &(struct dls__region_met){
			.name = call_site->name, .function = call_site->function, .executions = executions,
			.seconds = 1e-9 *
				   (double)atomic_load_explicit(&call_site->inside, memory_order_relaxed),
		});
}

static double each_region(void (*visit)(void *arg, const struct dls__region_met *met), void *arg)
{
	dls__call_sites_each(visit_region, &(struct visit){ visit, arg });
	return 1e-9 * (double)(dls__foreign_clock() - began);
}

/* The most that a schedule needs for one of the loops of a name. */
struct needs {
	const char *name, *loop;
	enum dls__reach reach;
	bool dealt;		/* an entry deals one as the whole of its region */
};

static enum dls__reach reach_of_static(const struct dls__call_site *call_site,
				       const struct dls__call_site *region)
{
	/* Virtual threads would share their real thread's thread-local variables. */
	return !(dls__call_site_had(call_site) & DLS__WAS_PART) && region && dls__call_site_is_loop(region) &&
	       !region->module->locals ? DLS__REACH_ALONE : DLS__REACH_SOURCE;
}

static enum dls__reach reach_of_phase(const struct dls__call_site *call_site,
				      const struct dls__call_site *related, const char **loop)
{
	unsigned had = dls__call_site_had(call_site);
	/* A region's own call site stands for its last phase, and is related to the loop in that phase. */
	bool last = had & (DLS__HAD_LOOP | DLS__HAD_MORE) || !related;

	if (had & DLS__WAS_MORE || dls__call_site_had(last ? call_site : related) & DLS__HAD_TASKS)
		return DLS__REACH_OTHER;
	if (last && related && strcmp(related->name, call_site->name))
		*loop = related->name;
	return had & DLS__WAS_STATIC || (last && related && !*loop) ? DLS__REACH_SOURCE : DLS__REACH_PHASE;
}

static void look(struct dls__call_site *call_site, void *arg)
{
	struct needs *n = arg;
	/* acquire, both: pair with the releases in dls__call_site_know() and dls__call_site_relate(). */
	bool known = atomic_load_explicit(&call_site->known, memory_order_acquire);
	const struct dls__call_site *related = atomic_load_explicit(&call_site->related,
								    memory_order_acquire);
	unsigned had = dls__call_site_had(call_site);
	enum dls__reach reach = DLS__REACH_OWN;
	const char *loop = NULL;

	if (!known || !call_site->site || strcmp(call_site->name, n->name))
		return;
	if (call_site->order != DLS__ENTRY_ALONE)
		reach = call_site->order == DLS__ANY_ORDER ? DLS__REACH_ANY_ORDER : DLS__REACH_ENTRY;
	else if (had & DLS__WAS_PHASE)
		reach = reach_of_phase(call_site, related, &loop);
	else if (had & DLS__WAS_STATIC)
		reach = reach_of_static(call_site, related);
	n->dealt |= call_site->action == DLS__TAKES && dls__call_site_is_loop(call_site);
	if (reach > n->reach) {
		n->reach = reach;
		n->loop = loop;
	}
}

static enum dls__reach reach_of(const char *name, const char **loop)
{
	struct needs n = { .name = name };

	dls__call_sites_each(look, &n);
	*loop = n.loop;
	return n.dealt ? DLS__REACH_ENTRY : n.reach;
}

void dls__omp_region_report(bool advise)
{
	static struct dls__ending end = { .write = say_shares };

	began = dls__foreign_clock();
	dls__report_set_regions(each_region, reach_of);
	dls__observers_measure();
	if (advise)
		dls__at_end(&end);
}

static void measure_phases(struct dls__omp_region *r, unsigned threads)
{
	unsigned most = threads ? threads : (unsigned)r->runtime->omp_get_max_threads();

	r->thread_phase = calloc(most, sizeof(*r->thread_phase));
	r->thread_phases = r->thread_phase ? most : 0;
}

void dls__omp_region_open(struct dls__omp_region *r, const struct dls__call_site *call_site,
			  const char *source, const void *call, unsigned threads, bool loop)
{
	r->runtime = call_site->runtime;
	r->region = dls__parallel_open();
	r->whole = call_site;
	r->call_site = NULL;
	r->source = source;
	r->split = NULL;
	r->apart = r->virtual = r->dealt = false;
	r->thread_phases = r->phases = r->workers = 0;
	atomic_init(&r->had, 0);
	r->begin = dls__measuring() ? dls__foreign_clock() : 0;
	if (loop || !(dls__measuring() || dls__foreign_entries()))
		return;
	r->call_site = call_site;
	dls__call_site_knows(call_site, source, call, DLS__ENTRY_ALONE);
	r->virtual = call_site->action == DLS__TAKES && dls__call_site_is_loop(call_site);
	if (dls__measuring() && !r->virtual)
		measure_phases(r, threads);
}

/* Report a phase.  call_site: where the phase's loop begins, if known; else the call that ended the phase. */
static void report(struct dls__omp_region *r, unsigned phase, unsigned workers,
		   const struct dls__call_site *call_site, unsigned was)
{
	uint64_t longest = 0, last = 0;
	struct dls__phase_time *times;

	if (workers > r->thread_phases)
		return;
	for (unsigned i = 0; i < workers; i++) {
		const struct dls__thread_phase *thread_phase = &r->thread_phase[i][phase % 2];
		uint64_t length = thread_phase->time.end - thread_phase->time.begin;

		if (thread_phase->looped)
			return;
		longest = length > longest ? length : longest;
		last = thread_phase->time.end > last ? thread_phase->time.end : last;
	}
	if (longest < (last - r->begin) / 100)
		return;
	dls__call_site_knows(call_site, NULL, NULL, DLS__ENTRY_ALONE);
	if (call_site != r->call_site)
		dls__call_site_relate(call_site, r->call_site);
	dls__call_site_has(call_site, DLS__WAS_PHASE | was);
	times = call_site->site ? malloc(workers * sizeof(*times)) : NULL;
	for (unsigned i = 0; times && i < workers; i++)
		times[i] = r->thread_phase[i][phase % 2].time;
	if (times)
		dls__foreign_parts(call_site->site, workers, times, dls__schedule_like(DLS__STATIC_KIND, 0));
	else if (call_site->site)
		dls__call_site_no_memory();
	free(times);
}

/* Add up the time of a region that is not nested. */
static void count(const struct dls__omp_region *r)
{
	struct dls__call_site *call_site = (struct dls__call_site *)r->whole;
	uint64_t now = dls__foreign_clock();

	/* If nothing is known of it yet, it is a region's, not a loop's. */
	dls__call_site_knows(call_site, NULL, NULL, DLS__ENTRY_ALONE);
	/* relaxed, both: numbers alone. */
	atomic_fetch_add_explicit(&call_site->inside, now - r->begin, memory_order_relaxed);
	atomic_fetch_add_explicit(&call_site->executions, 1, memory_order_relaxed);
}

/* The call site of a phase's loop; NULL: not known, or several regions' functions were merged into one. */
static const struct dls__call_site *loop_in(const struct dls__omp_region *r,
					    const struct dls__call_site *split)
{
	if (!split)
		return NULL;
	dls__call_site_knows(split, NULL, NULL, DLS__ENTRY_ALONE);
	return strcmp(split->symbol, r->call_site->symbol) == 0 ? split : NULL;
}

/* Report the last phase: under its loop's name if known, else under the region's, for which alone there may
 * be an entry. */
static void report_last(struct dls__omp_region *r)
{
	const struct dls__call_site *loop = loop_in(r, r->split);

	if (loop)
		dls__call_site_relate(r->call_site, loop);
	if (loop && r->phases)
		report(r, r->phases, r->workers, loop, DLS__WAS_STATIC | DLS__WAS_PART);
	else
		report(r, r->phases, r->workers, r->call_site, r->more ? DLS__WAS_MORE : 0);
}

void dls__omp_region_close(struct dls__omp_region *r)
{
	const struct dls__call_site *call_site = r->call_site;
	unsigned had;

	dls__foreign_close(&r->region, r->runtime->omp_get_cancellation());
	if (r->begin && !dls__omp_thread)
		count(r);
	if (!call_site)
		return;
	/* relaxed: written by threads that have left the region. */
	had = atomic_load_explicit(&r->had, memory_order_relaxed);
	/* An entry for the function is used for a loop that was dealt. */
	if (!r->virtual && dls__call_site_has(call_site, had) & DLS__HAD_MORE &&
	    call_site->action == DLS__TAKES && !r->dealt)
		dls__tell_user("%s: the region is not one static loop alone, so its entry in DLS_SCHEDULE is not used "
			       "for it", call_site->name);
	if (r->thread_phases) {
		report_last(r);
		free(r->thread_phase);
	}
}

void dls__omp_thread_mixes(struct dls__omp_thread *t)
{
	if (!t->region || !dls__omp_thread_within(t))
		return;
	t->had |= DLS__HAD_MORE;
	if (t->virtual) {
		dls__tell_user("%s: the region was one static loop alone when it first ran, and is not now; it cannot go on under its "
			       "entry in DLS_SCHEDULE", t->region->call_site->name);
		abort();
	}
}

void dls__omp_thread_arrive(void)
{
	struct dls__omp_thread *t = dls__omp_thread;

	if (!t || !t->region)
		return;
	dls__omp_thread_mixes(t);
	if (t->state.worker < t->region->thread_phases && dls__omp_thread_within(t))
		dls__thread_phase_end(&t->region->thread_phase[t->state.worker][t->phase % 2]);
}

void dls__omp_thread_pass(const struct dls__call_site *call_site)
{
	struct dls__omp_thread *t = dls__omp_thread;

	if (!t || !t->region || !t->region->thread_phases || !dls__omp_thread_within(t))
		return;
	if (t->state.worker == 0) {
		const struct dls__call_site *loop = t->more ? NULL : loop_in(t->region, t->split);

		if (loop)
			report(t->region, t->phase, t->state.workers, loop, DLS__WAS_STATIC | DLS__WAS_PART);
		else
			report(t->region, t->phase, t->state.workers,
			       call_site->own ? t->region->call_site : call_site,
			       t->more ? DLS__WAS_MORE : 0);
	}
	t->asked = t->split = NULL;
	t->more = t->region->apart;
	t->phase++;
	if (t->state.worker < t->region->thread_phases)
		t->region->thread_phase[t->state.worker][t->phase % 2] =
			(struct dls__thread_phase){ .time.begin = dls__foreign_clock() };
}

void dls__omp_region_work_share(struct dls__omp_thread *t, void (*call)(void *), void *arg)
{
	struct dls__chunk chunk;

	t->virtuals = VIRTUAL * t->state.workers;
	dls__omp_loop_open(t, t->region->call_site, t->virtuals, 0, NULL);
	while ((chunk = dls__omp_loop_next(t)).n)
		for (uint64_t v = chunk.lo; v < chunk.lo + chunk.n; v++) {
			t->virtual = (unsigned)v + 1;
			call(arg);
		}
	t->virtual = 0;
	dls__omp_loop_end(t);
}
