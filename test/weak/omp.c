/* omp.c - what libdls-omp.so finds out once: modules, runtimes, call sites, schedules. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>

/* A runtime: any function is this one. */
static int any_function(void)
{
	return 0;
}

static char runtime_begins, library_begins;

static int find_begin(const void *address, Dl_info *info)
{
	info->dli_fname = "";
	info->dli_fbase = address == (void *)(uintptr_t)any_function ? &runtime_begins : &library_begins;
	return 1;
}
#define dlsym(handle, name) ((void)(handle), (void)(name), (void *)(uintptr_t)any_function)
#define dlopen(name, flags) NULL
#define dladdr(address, info) find_begin(address, info)
#include "lib/base/fork.h"
#undef DLS__ACROSS_FORK			/* it has members of the names that are replaced below */
#define DLS__ACROSS_FORK(name, ...) struct dls__across_fork
#include "lib/region/foreign.h"
#include "lib/omp/lines.h"
#include "lib/omp/runtime.c"
static bool entries;
#define dls__foreign_entries() entries
#define dls__omp_line(address, line, size) (snprintf(line, size, "%p", (const void *)(address)), 0)
#define mutex call_site_mutex
#define find call_site_find
#define first call_site_first
#include "lib/omp/call_site.c"
#undef mutex
#define mutex know_mutex
#include "lib/omp/know.c"
#undef mutex
#undef find
#undef first
#include "lib/omp/omp_region.c"
#include "lib/site/env.h"
#include "lib/omp/gomp.h"
#include "weak.h"

static struct dls__module module;

static void find_runtime(void)
{
	HOLDS(dls__runtime_of(&module, DLS__OF_GOMP)->GOMP_loop_end);
}

/* In the library's own code the short way goes by the only runtime there is. */
static void next_chunk(void)
{
	long lo, past;

	if (atomic_load_explicit(&dls__only[DLS__OF_GOMP], memory_order_relaxed))
		HOLDS(!GOMP_loop_dynamic_next(&lo, &past));
}

static void find_module(void)
{
	HOLDS(dls__module_of((void *)(uintptr_t)any_function)->begin > 0);
}

static void find_call_site(void)
{
	const struct dls__call_site *s = dls__call_site_slowly("at", DLS__OF_GOMP);

	HOLDS(s->runtime);
	dls__call_site_knows(s, NULL, NULL, DLS__ANY_ORDER);
	HOLDS(s->action == DLS__PASSES);
}

static void count_call_site(struct dls__call_site *s, void *arg)
{
	*(unsigned *)arg += s->runtime != NULL;
}

static void name_region(void *arg, const struct dls__region_met *met)
{
	(void)arg;
	HOLDS(strlen(met->name) > 0);
}

static void visit_call_sites(void)
{
	struct visit v = { name_region, NULL };
	unsigned n = 0;

	dls__call_sites_each(count_call_site, &n);
	HOLDS(n < 2);
	dls__call_sites_each(visit_region, &v);
}

static void run_call_site(void)
{
	struct dls__call_site *s = (struct dls__call_site *)dls__call_site_slowly("at", DLS__OF_GOMP);

	atomic_fetch_add_explicit(&s->executions, 1, memory_order_relaxed);
	dls__call_site_know(s, NULL, NULL, DLS__ANY_ORDER);
}

/* A region, known to one thread and then related to its loop, as the other one looks for what it allows. */
static struct dls__call_site *region;

static void meet_region(void)
{
	dls__env();
	region = (struct dls__call_site *)dls__call_site_slowly("region", DLS__OF_GOMP);
	dls__call_site_has(region, DLS__WAS_PHASE | DLS__HAD_LOOP);
}

static void relate_region(void)
{
	static struct dls_site site;
	struct dls__call_site *loop = (struct dls__call_site *)dls__call_site_slowly("loop", DLS__OF_GOMP);

	strcpy(region->name, "a region");
	region->site = &site;
	region->order = DLS__ENTRY_ALONE;
	atomic_store_explicit(&region->known, true, memory_order_release);
	strcpy(loop->name, "a loop");
	dls__call_site_relate(region, loop);
}

static void look_for_reach(void)
{
	const char *loop;

	reach_of("a region", &loop);
	HOLDS(!loop || strcmp(loop, "a loop") == 0);
}

static void find_like(void)
{
	HOLDS(dls__schedule_like(DLS__DYNAMIC_KIND, 4)->number > 0);
}

static void read_env(void)
{
	dls__env();
}

WEAK_MAIN(1,
	{ "runtime", NULL, { find_runtime, find_runtime }, NULL, 0, 30 },
	{ "runtime, the short way", NULL, { find_runtime, next_chunk }, NULL, 0, 30 },
	{ "module", NULL, { find_module, find_module }, NULL, 0, 30 },
	{ "call site", read_env, { find_call_site, find_call_site }, NULL, 0, 30 },
	{ "call sites, visited", read_env, { run_call_site, visit_call_sites }, NULL, 0, 30 },
	{ "region and its loop", meet_region, { relate_region, look_for_reach }, NULL, 0, 30 },
	{ "schedules alike", read_env, { find_like, find_like }, NULL, 0, 30 })
