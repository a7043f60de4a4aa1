/* choices.c - the schedules that auto chooses from, by number: made together, when the first is asked for, and
 * kept. */
#include <string.h>

#include "lib/auto/auto.h"
#include "lib/base/once.h"
#include "lib/site/classes.h"
#include "sched/registry.h"

static struct dls__choice choices[DLS__AUTO_SCHEDULES];

static void set(unsigned number, const struct dls_calc *calc, uint64_t chunk)
{
	struct dls__choice *choice = &choices[number];

	choice->schedule = (struct dls_schedule){ .calc = calc, .chunk = chunk, .loop.curve = calc->curve };
	dls__auto_text(number, choice->text, sizeof(choice->text));
}

static void set_all(void)
{
	set(DLS__AUTO_STATIC, &dls__calc_static, 0);
	set(DLS__AUTO_FAC2, &dls__calc_fac2, 0);
	set(DLS__AUTO_GSS, &dls__calc_gss, 0);
	for (unsigned i = DLS__AUTO_STEAL; i < DLS__AUTO_SS; i++)
		set(i, &dls__calc_steal, (uint64_t)1 << (i - DLS__AUTO_STEAL));
	for (unsigned i = DLS__AUTO_SS; i < DLS__AUTO_SCHEDULES; i++)
		set(i, &dls__calc_ss, (uint64_t)1 << (i - DLS__AUTO_SS));
}

const struct dls__choice *dls__choice_of(unsigned number)
{
	static atomic_bool done;

	dls__once(&done, set_all);
	return &choices[number];
}
