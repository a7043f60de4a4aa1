/* serial.c - a small loop by the team or on one thread: two medians, measured in turn. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "lib/auto/numbers.h"
#include "lib/auto/serial.h"

static float median(const float time[DLS__SERIAL_TIMES])
{
	float sorted[DLS__SERIAL_TIMES];

	memcpy(sorted, time, sizeof(sorted));
	for (unsigned i = 1; i < DLS__SERIAL_TIMES; i++) {
		float t = sorted[i];
		unsigned k = i;

		for (; k > 0 && sorted[k - 1] > t; k--)
			sorted[k] = sorted[k - 1];
		sorted[k] = t;
	}
	return sorted[DLS__SERIAL_TIMES / 2];
}

/* The team goes on, and is not timed for a while. */
static uint32_t stay(struct dls__serial *a)
{
	a->by = DLS__BY_TEAM;
	a->times = 0;
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
	float serial = median(a->time);

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
	return a->times > 0 && fminf(took, a->time[a->times - 1]) > a->together;
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
	a->time[a->times++] = took;
	if (a->times < DLS__SERIAL_TIMES)
		return 0;
	a->times = 0;
	if (a->by == DLS__BY_ONE_ON_TRIAL)
		return tried(a);
	a->together = median(a->time);
	if (!promises(a))
		return stay(a);
	a->by = DLS__BY_ONE_ON_TRIAL;
	return 0;
}
