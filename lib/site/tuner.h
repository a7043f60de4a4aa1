/* tuner.h - loops under the schedule `auto`: which schedule an execution runs, and what is measured of it.
 *
 * lib/auto decides: it is asked before an execution, and told the times afterwards.  Most executions of small loops do neither: an
 * answer also says how many executions may follow without asking.
 *
 * H1: one thread at a time asks or reports for a site, under its mutex; a thread that does not get the mutex at once does without.
 * H2: a timed execution ends when its last worker leaves.  That worker sees what all others have measured,
 *     and the work share does not change until it leaves; it frees the buckets.
 * Loops in virtual time and loops without a site run the first guess.
 * Progress: opening and leaving never wait. */
#ifndef LIB_SITE_TUNER_H
#define LIB_SITE_TUNER_H

#include <pthread.h>

#include "lib/auto/auto.h"
#include "lib/base/apart.h"
#include "lib/base/tsan.h"
#include "lib/schedule/schedule.h"
#include "lib/site/blocks.h"

struct dls__chosen;

/* Classes that differ in octaves, as those of one team do up to 2^32 iterations, have places of their own for
 * their answers; others take turns. */
enum { DLS__ANSWERS = 64 };

struct dls__tuner {
	/* Auto's last answers, by class: most executions of short loops run what was answered before, without
	 * asking.  Each is one word, the whole of what threads share; two executions may count as one. */
	_Alignas(DLS__APART) _Atomic uint64_t answer[DLS__ANSWERS];
	struct dls__auto_blocks blocks;
	pthread_mutex_t mutex;		/* held while one thread asks or learns */
	struct dls__auto known;
};

/* A schedule that auto may choose, by its number: as it would be parsed from its text.  All are made when the
 * first is asked for, and kept. */
struct dls__choice {
	struct dls_schedule schedule;
	char text[DLS__AUTO_TEXT];
};
const struct dls__choice *dls__choice_of(unsigned number);

/* NULL: there is none yet. */
static inline struct dls__tuner *dls__tuner_of(struct dls__kept_site *site)
{
	/* acquire: pairs with the release in make_tuner(). */
	struct dls__tuner *tuner = atomic_load_explicit(&site->tuner, memory_order_acquire);

	dls__tsan_acquire(&site->tuner);
	return tuner;
}

/* One worker's times in an execution, ns. */
struct dls__timed {
	_Alignas(DLS__APART) uint64_t finished;	/* when it left */
	uint64_t came;			/* if it is profiled */
	uint64_t since;			/* the last reading of the clock; time since then belongs to the current bucket, or to `across` */
	struct dls__worker_profile profile;
	struct dls__chunk rest;		/* of the chunk in hand, after the piece */
	struct dls__chunk across;	/* the piece, if it is not of the profile's current bucket alone */
};

/* Times of a work share under auto. */
struct dls__timing {
	bool timed, profiled;		/* this execution is timed as a whole, by bucket */
	uint8_t schedule;		/* lib/auto's number of the schedule that it runs */
	const char *chosen;		/* that schedule as text; NULL: no execution was under auto yet */
	unsigned flags;			/* of its class */
	unsigned buckets;
	unsigned room;			/* workers for which there is room, */
	size_t room_buckets;		/* ... and buckets, of all workers together */
	uint64_t opened;		/* ns */
	struct dls__timed *worker;
	struct dls__bucket *bucket;	/* of worker 0, of worker 1, ... */
	_Alignas(DLS__APART) atomic_uint gone;	/* workers that have left */
};

/* The schedule of an execution of n iterations by p workers, if `asked` is auto.  Sets `timing`.  `site` may be NULL: nothing is known
 * then, and nothing learned; `own`, too: the program has no schedule of its own for the loop. */
const struct dls_schedule *dls__auto_schedule(struct dls__timing *timing, struct dls__kept_site *site, const struct dls_schedule *asked,
					      const struct dls_schedule *own, uint64_t n, unsigned p);

/* Learn from a timed execution that has ended: `wall`, the time that it took, s, and the buckets of each worker; row NULL: it was not
 * profiled. */
void dls__auto_learn(const struct dls__timing *timing, struct dls__kept_site *site, uint64_t n, unsigned p, double wall,
		     const struct dls__bucket *const *row);

/* What auto has chosen for a site, a choice for each class of its loops, those that took most, for the report.  Returns how many
 * there are, at most DLS__CHOSEN; 0 also if another thread holds the tuner. */
unsigned dls__auto_chosen(struct dls__kept_site *site, struct dls__chosen *chosen);

void dls__tuner_free(struct dls__tuner *tuner);

#endif
