/* machine.c - the mailbox, the pool of memory and the window of a processor, and the versions of settings. */
#include "lib/base/versioned.h"
#include "lib/machine/mailbox.h"
#include "lib/machine/pool.c"
#define take window_take		/* pool.c has one, too */
#include "lib/machine/window.c"
#undef take
#include "weak.h"

static struct dls__mailbox box;
static struct dls__msg note[3];
static struct dls__sleepers sleepers;

static void open_box(void)
{
	dls__mailbox_open(&box);
}

static void post(unsigned i)
{
	note[i].bytes = 10 + i;
	dls__mailbox_post(&box, &note[i]);
}

static void post_0(void) { post(0); }
static void post_1(void) { post(1); }
static void post_1_2(void) { post(1); post(2); }

/* mailbox.M1, mailbox.M2: what has come is written, once, and in its sender's order. */
static unsigned drained[3], drains;

static void drain(void)
{
	for (struct dls__msg *m = dls__mailbox_drain(&box); m; m = m->next) {
		HOLDS(m->bytes == 10 + (unsigned)(m - note));
		HOLDS(m != &note[2] || drained[1]);
		m->bytes = 0;
		drained[m - note]++;
		drains++;
	}
}

static void drain_twice(void) { drain(); drain(); }

static void all_drained(void)
{
	drain();
	for (unsigned i = 0; i < 3; i++)
		HOLDS(drained[i] == 1);
}

/* mailbox.M3: no wake-up is lost. */
static void sleep_for_one(void)
{
	HOLDS(dls__mailbox_park(&box, NULL, UINT64_MAX));
	drain();
	HOLDS(drains > 0);
}

/* ... once with a deadline, before which the message comes, or after it. */
static void sleep_till(void)
{
	dls__mailbox_park(&box, NULL, 1000);
	drain();
	while (drains < 1) {
		dls__mailbox_park(&box, NULL, UINT64_MAX);
		drain();
	}
}

/* mailbox.M4: of two or three that sleep, the last one finds it out when nothing is on its way any more. */
static struct dls__mailbox other, third;
static unsigned ends, taken;

static void open_two(void)
{
	dls__mailbox_open(&box);
	dls__mailbox_open(&other);
	dls__mailbox_open(&third);
	sleepers.all = 2;
}

static void open_three(void)
{
	open_two();
	sleepers.all = 3;
}

static bool is_shut(struct dls__mailbox *b)
{
	bool shut;

	pthread_mutex_lock(&b->mutex);
	shut = b->shut;
	pthread_mutex_unlock(&b->mutex);
	return shut;
}

/* Not seen by the explorer: a function of the execution (search.W1). */
__attribute__((no_sanitize("thread"))) static unsigned take_all(struct dls__msg *m)
{
	for (; m; m = m->next)
		taken++;
	return taken;
}

static void sleep_in(struct dls__mailbox *b)
{
	while (!is_shut(b)) {
		if (!dls__mailbox_park(b, &sleepers, UINT64_MAX)) {
			HOLDS(take_all(NULL) == 1);
			ends++;
			dls__mailbox_shut(&box);
			dls__mailbox_shut(&other);
			dls__mailbox_shut(&third);
			return;
		}
		take_all(dls__mailbox_drain(b));
	}
}

static void sleep_box(void) { sleep_in(&box); }
static void sleep_third(void) { sleep_in(&third); }
static void post_and_sleep(void) { post_0(); sleep_in(&other); }
static void one_end(void) { HOLDS(ends == 1); }

/* pool.R1, pool.R2: an item that comes back is its owner's alone, and none is lost. */
static struct dls__pool owner, borrower[2];
enum { LENT = 3 };
static _Alignas(64) char lent[LENT][128];	/* blocks */
enum { SIZE = 6 };

static struct block *block(unsigned i)
{
	return (void *)lent[i];
}

static void lend(void)
{
	owner.shared = borrower[0].shared = borrower[1].shared = true;
	for (unsigned i = 0; i < LENT; i++)
		block(i)->owner = &owner;
}

static void add_item(struct dls__free_lists *s, unsigned i)
{
	struct dls__item *item = (void *)block(i)->bytes;

	item->next = s->others;
	s->others = item;
}

static void return_one(void)
{
	struct dls__free_lists *s = &borrower[0].free[SIZE];

	add_item(s, 0);
	give_back(s, SIZE);
}

static void return_two(void)
{
	struct dls__free_lists *s = &borrower[1].free[SIZE];

	add_item(s, 1);
	add_item(s, 2);
	give_back(s, SIZE);
}

static unsigned got;

static void take_two(void)
{
	for (int i = 0; i < 2; i++) {
		struct dls__item *item = take(&owner, SIZE);

		if (item) {
			item->next = NULL;
			got++;
		}
	}
}

static void all_returned(void)
{
	while (take(&owner, SIZE))
		got++;
	HOLDS(got == LENT);
}

/* window.W1: the slots that are left are the holder's. */
static struct dls__window window;

static void count_slot(void)
{
	lock(&window);
	window.lefts++;
	unlock(&window);
}

static void all_counted(void) { HOLDS(window.lefts == 2); }

/* versioned.E1, versioned.E2: the value at a version is the same to all. */
static struct dls__versioned setting[2] = { DLS__VERSIONED(&setting[0], 0), DLS__VERSIONED(&setting[1], 0) };

static void change_both(void)
{
	dls__versioned_set(&setting[0], 1, 0);
	dls__versioned_set(&setting[1], 2, 0);
}

static void look_at_both(void)
{
	uint64_t version = dls__version_now();
	unsigned value[2] = {
		dls__versioned_at(&setting[0], version), dls__versioned_at(&setting[1], version),
	};

	HOLDS(value[0] == (version > 0) && value[1] == (version > 1 ? 2 : 0));
	HOLDS(dls__versioned_at(&setting[0], version) == value[0]);
}

/* versioned.E3: the last value that there is room for is the one that is always right. */
static void leave_room_for_one(void)
{
	dls__versioned_set(&setting[0], 1, 9);
	setting[0].newest->number = DLS__VALUES_MOST - 1;
}

static void change_last(void)
{
	dls__versioned_set(&setting[0], 2, 9);
	dls__versioned_set(&setting[0], 3, 9);
}

static void look_at_last(void)
{
	uint64_t version = dls__version_now();

	for (int i = 0; i < 2; i++)
		HOLDS(dls__versioned_at(&setting[0], version) == (version > 1 ? 9 : 1));
}

/* A value that has been noticed before its version is known. */
static void look_at_any(void)
{
	unsigned value = dls__versioned_at(&setting[1], UINT64_MAX);

	HOLDS(value == 0 || value == 2);
}

WEAK_MAIN(1,
	{ "mailbox, two senders", open_box, { post_0, post_1_2, drain_twice }, all_drained, 0, 0 },
	{ "mailbox, parked", open_box, { sleep_for_one, post_0 }, NULL, 0, 0 },
	{ "mailbox, parked, two senders", open_box, { sleep_for_one, post_0, post_1 }, NULL, 0, 0 },
	{ "mailbox, parked till then", open_box, { sleep_till, post_0 }, NULL, 0, 0 },
	{ "mailbox, three asleep", open_three, { sleep_box, post_and_sleep, sleep_third }, one_end, 0, WEAK_INTERLEAVED },
	{ "mailbox, all asleep", open_two, { sleep_box, post_and_sleep }, one_end, 0, 0 },
	{ "pool", lend, { return_one, return_two, take_two }, all_returned, 0, 0 },
	{ "window", NULL, { count_slot, count_slot }, all_counted, 0, 0 },
	{ "version", NULL, { change_both, look_at_both }, NULL, 0, 0 },
	{ "version, no more room", leave_room_for_one, { change_last, look_at_last }, NULL, 0, 0 },
	{ "version, settings", NULL, { change_both, look_at_any }, NULL, 0, 0 })
