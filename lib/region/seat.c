/* seat.c - where a thread is: its region, and the loop inside whose body it is. */
#include "lib/region/chain.h"
#include "lib/site/env.h"

_Thread_local struct dls__here dls__here = { .seat = { .level = -1, .busy = -1 } };

/* The thread runs the loops to come by itself. */
static void forsake(void)
{
	dls__here = (struct dls__here){ .seat = { .level = DLS__ALONE, .busy = -1, .workers = 1 } };
}

void dls__region_forked(void)
{
	if (dls__here.seat.level >= 0 || dls__here.seat.busy >= 0)
		forsake();
}

__attribute__((constructor)) static void begin(void)
{
	dls__env_end = forsake;
}
