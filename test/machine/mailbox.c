/* mailbox.c - messages between threads: each once, in order, no owner left asleep.
 *
 * runs: machines, pthreads */
#include <pthread.h>
#include <sched.h>

#include "lib/machine/mailbox.h"
#include "lib/base/clock.h"
#include "tap.h"

enum { POSTERS = 3, MESSAGES = 20000, RING = 4 };

struct poster {
	struct dls__mailbox *box;
	struct dls__msg *msg;
	unsigned id;
	uint64_t random;
};

static void *post_all(void *arg)
{
	struct poster *p = arg;

	for (unsigned i = 0; i < MESSAGES; i++) {
		uint64_t r = tap_random(&p->random);

		p->msg[i].from = p->id;
		p->msg[i].time = i;
		dls__mailbox_post(p->box, &p->msg[i]);
		if (r % 64 == 0)
			sched_yield();
		for (volatile uint64_t wait = r / 64 % 16 == 0 ? r % 4096 : 0; wait > 0;)
			wait--;
	}
	return NULL;
}

/* Drain until all have come, asleep whenever there is nothing; false: not in order. */
static bool take_all(struct dls__mailbox *box, uint64_t *random)
{
	uint64_t next[POSTERS] = { 0 };
	bool ok = true;

	for (unsigned left = POSTERS * MESSAGES; left > 0;) {
		struct dls__msg *m = dls__mailbox_drain(box);

		if (!m) {
			ok &= dls__mailbox_park(box, NULL, tap_random(random) % 4 ? UINT64_MAX : 1000);
			continue;
		}
		for (; m; m = m->next, left--)
			ok &= m->time == next[m->from]++;
	}
	return ok;
}

/* Fails if: head is not a chain of all that was posted, the newest first; a poster leaves a sleeper asleep (hangs).  Under
 * ThreadSanitizer also if: a post does not release, a drain does not acquire. */
static void posted_once(void)
{
	static struct dls__msg msg[POSTERS][MESSAGES];
	double until = 1e-9 * (double)dls__clock_monotonic() + tap_stress(0.3);
	uint64_t random = tap_seed();
	struct dls__mailbox box;

	CHECK_EQ(dls__mailbox_open(&box), 0);
	do {
		struct poster poster[POSTERS];
		pthread_t thread[POSTERS];

		for (unsigned i = 0; i < POSTERS; i++) {
			poster[i] = (struct poster){ &box, msg[i], i, tap_random(&random) };
			CHECK_EQ(pthread_create(&thread[i], NULL, post_all, &poster[i]), 0);
		}
		CHECK(take_all(&box, &random));
		for (unsigned i = 0; i < POSTERS; i++)
			pthread_join(thread[i], NULL);
		CHECK(dls__mailbox_empty(&box));
	} while (1e-9 * (double)dls__clock_monotonic() < until);
	dls__mailbox_close(&box);
}

/* A ring of owners, who pass two messages on so many times and then let them drop. */
struct owner {
	struct dls__mailbox box;
	struct dls__sleepers *sleepers;
	struct owner *ring, *next;
	unsigned dropped, alone;	/* messages; times that it has found all asleep */
};

static void *pass_on(void *arg)
{
	struct owner *o = arg;

	for (;;) {
		struct dls__msg *m = dls__mailbox_drain(&o->box);

		for (struct dls__msg *rest; m; m = rest) {
			rest = m->next;
			if (m->time-- > 0)
				dls__mailbox_post(&o->next->box, m);
			else
				o->dropped++;
		}
		if (!dls__mailbox_empty(&o->box))
			continue;
		if (!dls__mailbox_park(&o->box, o->sleepers, UINT64_MAX)) {
			o->alone++;
			for (unsigned i = 0; i < RING; i++)
				dls__mailbox_shut(&o->ring[i].box);
		}
		if (o->box.shut)	/* which changes no more after all are asleep */
			return NULL;
	}
}

/* Fails if: the count of sleepers is complete while a message is on its way, or never; somebody sleeps in a box that is
 * shut (hangs). */
static void all_asleep(void)
{
	double until = 1e-9 * (double)dls__clock_monotonic() + tap_stress(0.3);
	struct dls__msg msg[2];

	do {
		struct dls__sleepers sleepers = { .all = RING };
		struct owner ring[RING];
		pthread_t thread[RING];
		unsigned dropped = 0, alone = 0;

		for (unsigned i = 0; i < RING; i++) {
			ring[i].sleepers = &sleepers;
			ring[i].ring = ring;
			ring[i].next = &ring[(i + 1) % RING];
			ring[i].dropped = ring[i].alone = 0;
			CHECK_EQ(dls__mailbox_open(&ring[i].box), 0);
		}
		for (unsigned i = 0; i < 2; i++) {
			msg[i].time = 50;
			dls__mailbox_post(&ring[0].box, &msg[i]);
		}
		for (unsigned i = 0; i < RING; i++)
			CHECK_EQ(pthread_create(&thread[i], NULL, pass_on, &ring[i]), 0);
		for (unsigned i = 0; i < RING; i++)
			pthread_join(thread[i], NULL);
		for (unsigned i = 0; i < RING; i++) {
			dropped += ring[i].dropped;
			alone += ring[i].alone;
			dls__mailbox_close(&ring[i].box);
		}
		CHECK_EQ(dropped, 2);
		CHECK_EQ(alone, 1);
		CHECK_EQ(atomic_load_explicit(&sleepers.now, memory_order_relaxed), 0);	/* relaxed: joined */
	} while (1e-9 * (double)dls__clock_monotonic() < until);
}

/* Fails if: a deadline is of another clock or in other units; a sleep that ended by it leaves the box marked. */
static void deadline(void)
{
	struct dls__mailbox box;
	struct dls__msg msg = { .time = 0 };
	uint64_t before;

	CHECK_EQ(dls__mailbox_open(&box), 0);
	before = dls__clock_monotonic();
	CHECK(dls__mailbox_park(&box, NULL, 20000000));
	CHECK(dls__clock_monotonic() - before >= 20000000);
	CHECK(dls__mailbox_empty(&box));
	dls__mailbox_post(&box, &msg);
	CHECK(dls__mailbox_park(&box, NULL, UINT64_MAX));
	CHECK(dls__mailbox_drain(&box) == &msg && !msg.next);
	dls__mailbox_shut(&box);
	CHECK(dls__mailbox_park(&box, NULL, UINT64_MAX));
	dls__mailbox_close(&box);
}

TEST_MAIN(T(posted_once) T(all_asleep) T(deadline))
