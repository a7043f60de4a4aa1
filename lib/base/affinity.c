/* affinity.c - the processors for threads that the library starts.
 *
 * libgomp binds the initial thread when it is loaded (OMP_PROC_BIND).  If that was before this library was
 * loaded, the process's processors are taken from the runtime's places.  libomp binds it in the first region.
 * A machine of more processors than a cpu_set_t holds counts as one on which no thread is bound. */
#define _GNU_SOURCE	/* sched_getaffinity() */
#include <sched.h>

#include "lib/base/affinity.h"
#include "lib/base/processors.h"

#ifdef CPU_COUNT

/* Undefined if the program is linked with no runtime.  Only libomp defines the second function. */
__attribute__((weak)) int omp_get_num_places(void);
__attribute__((weak)) int omp_get_place_num_procs(int place);
__attribute__((weak)) void omp_get_place_proc_ids(int place, int *ids);
__attribute__((weak)) int __kmpc_global_thread_num(void *);

static cpu_set_t at_start;	/* of the process; empty: not known */

__attribute__((constructor(101))) static void begin(void)
{
	if (sched_getaffinity(0, sizeof(at_start), &at_start))
		CPU_ZERO(&at_start);
}

static int places(void)
{
	return omp_get_num_places && omp_get_place_num_procs && omp_get_place_proc_ids ? omp_get_num_places() : 0;
}

/* The processors of one of the runtime's places; empty: there are too many. */
static cpu_set_t place_at(int place)
{
	int ids[CPU_SETSIZE], n = omp_get_place_num_procs(place);
	cpu_set_t set;

	CPU_ZERO(&set);
	if (n > CPU_SETSIZE)
		return set;
	omp_get_place_proc_ids(place, ids);
	for (int i = 0; i < n; i++)
		if (ids[i] >= 0 && ids[i] < CPU_SETSIZE)
			CPU_SET(ids[i], &set);
	return set;
}

static cpu_set_t of_process(void)
{
	cpu_set_t all = at_start;

	for (int n = __kmpc_global_thread_num ? 0 : places(), i = 0; i < n; i++) {
		cpu_set_t place = place_at(i);

		CPU_OR(&all, &all, &place);
	}
	return all;
}

static bool is_place(const cpu_set_t *set)
{
	for (int n = places(), i = 0; i < n; i++) {
		cpu_set_t place = place_at(i);

		if (CPU_EQUAL(&place, set))
			return true;
	}
	return false;
}

unsigned dls__processors_allowed(bool *bound)
{
	cpu_set_t own, all;

	*bound = false;
	if (sched_getaffinity(0, sizeof(own), &own))
		return dls__processors_online();
	all = of_process();
	if (CPU_COUNT(&own) >= CPU_COUNT(&all))
		return (unsigned)CPU_COUNT(&own);
	*bound = CPU_COUNT(&own) == 1 || is_place(&own);
	return (unsigned)CPU_COUNT(*bound ? &all : &own);
}

void dls__unbind(void)
{
	cpu_set_t all = of_process();

	sched_setaffinity(0, sizeof(all), &all);
}

#else

unsigned dls__processors_allowed(bool *bound)
{
	*bound = false;
	return dls__processors_online();
}

void dls__unbind(void)
{
}

#endif
