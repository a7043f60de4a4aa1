/* serial.c - a small loop by the team or on one thread: two medians, measured in turn. */
#include <math.h>
#include <string.h>

#include "lib/auto/serial.h"

/* What one thread may take of the team's time to be chosen, by its blocks and measured: data that it leaves in its cache may make the next
 * loop longer.  HOPELESS: one execution of a trial that takes that much ends it.  SLOWER: times what it took when it was chosen.
 * OTHER: by so much the team's time differs if the loop has changed. */
static const float PROMISING = 2, FASTER = 0.9f, HOPELESS = 8, SLOWER = 1.5f, OTHER = 0.3f;

enum {
	PAUSE = 256,			/* executions before the next look at what the team takes */
	SKIP = 8,			/* looks after a trial in vain that lead to none, if the loop is as it was */
	SLOW = 3,			/* executions in sequence after which the choice is made anew */
	LOOKS = 255			/* timed executions after which it is, too */
};

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
static struct dls__serial_answer stay(struct dls__serial *a)
{
	a->trying = a->chosen = false;
	a->times = 0;
	return (struct dls__serial_answer){ false, PAUSE };
}

static struct dls__serial_answer reject(struct dls__serial *a)
{
	a->rejected = a->together;
	a->skip = SKIP;
	return stay(a);
}

/* The team runs it, and is timed. */
static struct dls__serial_answer measure(struct dls__serial *a)
{
	stay(a);
	return (struct dls__serial_answer){ false, 0 };
}

/* Of 2 to 17 executions one is timed, by chance, so that no cycle of costs hides one. */
static struct dls__serial_answer go_on(struct dls__serial *a)
{
	a->random = a->random * 1664525 + 1013904223;
	return (struct dls__serial_answer){ true, 1 + a->random / (1u << 28) };
}

static struct dls__serial_answer check(struct dls__serial *a, float took)
{
	a->slower = took > SLOWER * a->serial ? (uint8_t)(a->slower + 1) : 0;
	return a->slower < SLOW && ++a->looks < LOOKS ? go_on(a) : measure(a);
}

static struct dls__serial_answer tried(struct dls__serial *a)
{
	float serial = median(a->time);

	if (serial >= FASTER * a->together)
		return reject(a);
	a->serial = serial;
	a->trying = false;
	a->chosen = true;
	a->slower = a->skip = a->looks = 0;
	return go_on(a);
}

/* Whether a trial need not go on.  A single execution that is a little too long may have been disturbed; but where the blocks promise
 * nothing, the first one has to be short: it would be if the workers contended. */
static bool hopeless(const struct dls__serial *a, float took)
{
	if (a->times == 0)
		return took > (a->work < FASTER * a->together ? HOPELESS : FASTER) * a->together;
	return took > HOPELESS * a->together || fminf(took, a->time[a->times - 1]) > a->together;
}

/* Whether one thread may be faster: what is known against it is nothing, or is old, or was of another loop by its time. */
static bool promises(struct dls__serial *a)
{
	if (a->work > PROMISING * a->together)
		return false;
	if (a->skip == 0)
		return true;
	a->skip--;
	return fabsf(a->together / a->rejected - 1) > OTHER;
}

struct dls__serial_answer dls__serial_ended(struct dls__serial *a, float took, float work)
{
	if (!(took > 0))
		return stay(a);
	if (a->chosen)
		return check(a, took);
	if (a->trying && hopeless(a, took))
		return reject(a);
	a->time[a->times++] = took;
	if (a->times < DLS__SERIAL_TIMES)
		return (struct dls__serial_answer){ a->trying, 0 };
	a->times = 0;
	if (a->trying)
		return tried(a);
	a->together = median(a->time);
	a->work = work;
	if (!promises(a))
		return stay(a);
	a->trying = true;
	return (struct dls__serial_answer){ true, 0 };
}
