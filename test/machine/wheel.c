/* wheel.c - the timing wheel: events come out by time, and among those of one time in the order in which they were put.
 *
 * runs: machines, pthreads */
#include "lib/machine/wheel.h"
#include "tap.h"

enum { EVENTS = 5000 };

static struct dls__wheel wheel;
static struct dls_machine machine;
static struct dls__due_event event[EVENTS];	/* `processor` is the number */
static bool out[EVENTS];

/* Distances of all sizes from the present, 0 among them; taken now and then.  Each event that comes out is compared with all
 * that are still in.  Breaks if a slot is not first in first out, or a level is left too early. */
static void total_order(void)
{
	uint64_t random = tap_seed();
	unsigned in = 0, taken = 0;

	dls__wheel_open(&wheel, &machine);
	while (taken < EVENTS) {
		if (in < EVENTS && (in == taken || tap_random(&random) % 3)) {
			uint64_t distance = tap_random(&random) >> (12 + tap_random(&random) % 52);

			event[in] = (struct dls__due_event){ .time = wheel.now + distance, .processor = in };
			dls__wheel_put(&wheel, &event[in++]);
			continue;
		}

		struct dls__due_event *e = dls__wheel_take(&wheel);

		if (!CHECK(e != NULL))
			return;
		out[e->processor] = true;
		taken++;
		for (unsigned i = 0; i < in; i++)
			CHECK(out[i] || event[i].time > e->time || (event[i].time == e->time && i > e->processor));
	}
	CHECK(dls__wheel_take(&wheel) == NULL);
	dls__wheel_close(&wheel);
}

/* The last moment of all. */
static void far(void)
{
	static struct dls__wheel w;
	struct dls__due_event end = { .time = UINT64_MAX }, near = { .time = 3 };

	dls__wheel_open(&w, &machine);
	dls__wheel_put(&w, &end);
	dls__wheel_put(&w, &near);
	CHECK(dls__wheel_take(&w) == &near);
	CHECK(dls__wheel_take(&w) == &end);
	CHECK(dls__wheel_take(&w) == NULL);
	dls__wheel_close(&w);
}

TEST_MAIN(T(total_order) T(far))
