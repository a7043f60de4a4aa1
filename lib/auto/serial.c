/* serial.c - a small loop by the team or on one thread: two medians, measured in turn. */
#include <math.h>
#include <stdbool.h>

#include "lib/auto/numbers.h"
#include "lib/auto/serial.h"

/* The team goes on, and is not timed for a while. */
static uint32_t stay(struct dls__serial *a)
{
	a->by = DLS__BY_TEAM;
	a->walls.count = 0;
	return RARELY;
}

static uint32_t reject(struct dls__serial *a)
{
	a->rejected = a->together;
	a->skip = SETTLED;
	return stay(a);
}

/* Of 2 to 17 executions one is timed, by chance, so that no cycle of costs hides one. */
static uint32_t go_on(struct dls__serial *a)
{
	a->random = a->random * 1664525 + 1013904223;
	return 1 + a->random / (1u << 28);
}

static uint32_t check(struct dls__serial *a, float took)
{
	a->slower = (double)took > MUCH_LONGER * (double)a->serial ? (uint8_t)(a->slower + 1) : 0;
	if (a->slower < RUNS && ++a->looks < RARELY)
		return go_on(a);
	stay(a);
	return 0;		/* the team is timed */
}

static uint32_t tried(struct dls__serial *a)
{
	float serial = (float)dls__walls_median(&a->walls);

	if ((double)serial >= CLEAR * (double)a->together)
		return reject(a);
	a->serial = serial;
	a->by = DLS__BY_ONE;
	a->slower = a->skip = a->looks = 0;
	return go_on(a);
}

/* Whether a trial need not go on: two executions in sequence are too long, since a single one may have been
 * disturbed. */
static bool hopeless(const struct dls__serial *a, float took)
{
	return a->walls.count > 0 && fminf(took, a->walls.time[a->walls.last]) > a->together;
}

/* Whether one thread may be faster: what is known against it is nothing, or is old, or was of another loop by its time. */
static bool promises(struct dls__serial *a)
{
	if (a->skip == 0)
		return true;
	a->skip--;
	return fabs((double)a->together / (double)a->rejected - 1) > CHANGED;
}

uint32_t dls__serial_ended(struct dls__serial *a, float took)
{
	if (!(took > 0))
		return stay(a);
	if (a->by == DLS__BY_ONE)
		return check(a, took);
	if (a->by == DLS__BY_ONE_ON_TRIAL && hopeless(a, took))
		return reject(a);
	dls__walls_add(&a->walls, (double)took);
	if (a->walls.count < DLS__AUTO_WALLS)
		return 0;
	if (a->by == DLS__BY_ONE_ON_TRIAL)
		return tried(a);
	a->together = (float)dls__walls_median(&a->walls);
	a->walls.count = 0;
	if (!promises(a))
		return stay(a);
	a->by = DLS__BY_ONE_ON_TRIAL;
	return 0;
}
