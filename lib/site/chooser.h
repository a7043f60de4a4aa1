/* chooser.h - loops under the schedule `auto`: which schedule an execution runs, and what is measured of it.
 *
 * lib/auto decides; here it is asked before an execution and told of it afterwards.  Executions of small loops are neither: an
 * answer says how many may follow on it.
 *
 * H1: one thread at a time asks or tells of a site, by its mutex; whoever does not get that at once goes on without.
 * H2: a timed execution ends when its last worker leaves, which sees what all others have measured, and the deal unchanged until
 *     it leaves too; it frees the buckets.
 * Loops in virtual time and those without a site run the first guess.
 * Progress: opening and leaving wait for nobody. */
#ifndef LIB_SITE_CHOOSER_H
#define LIB_SITE_CHOOSER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "dls/loop.h"
#include "lib/base/apart.h"

struct dls__auto_bucket;
struct dls_schedule;
struct dls__chooser;
struct dls__chosen;
struct dls__kept_site;

/* One worker's times in an execution, ns. */
struct dls__timed {
	_Alignas(DLS__APART) uint64_t left;	/* when it left */
	uint64_t came;			/* ... and came, if it is profiled */
	uint64_t since;			/* the last reading of the clock; what it does since then belongs to ... */
	unsigned bucket;		/* ... this bucket, whose iterations are lo .. end - 1 */
	uint64_t lo, end;
	uint64_t done;			/* ... of which it has run so many */
	struct dls__chunk rest;		/* of the chunk in hand, beyond the bucket */
};

/* What a deal under auto keeps. */
struct dls__timing {
	bool timed, profiled;		/* this execution, in all and by bucket */
	uint8_t schedule;		/* lib/auto's number of what it runs */
	const char *chosen;		/* ... in words; NULL: no execution was under auto yet */
	unsigned flags;			/* of its class */
	unsigned buckets;
	unsigned room;			/* workers that there is room for */
	size_t room_buckets;		/* ... and buckets of all of them */
	uint64_t opened;		/* ns */
	struct dls__timed *worker;
	struct dls__auto_bucket *bucket;	/* of worker 0, of worker 1, ... */
	_Alignas(DLS__APART) atomic_uint left;	/* workers that have left */
};

/* The schedule of an execution of n iterations by p workers, `asked` being auto.  Sets `timing`.  site NULL: there is none to learn
 * from, nor to learn. */
const struct dls_schedule *dls__auto_schedule(struct dls__timing *timing, struct dls__kept_site *site, const struct dls_schedule *asked,
					      uint64_t n, unsigned p);

/* After so many executions of a site, at most, whether its small loops are still small is looked at. */
enum { DLS__AUTO_AGAIN = 4096 };
void dls__auto_again(struct dls__kept_site *site);

/* A timed execution has ended: how long it took, s, and the buckets of each worker; row NULL: it was not profiled. */
void dls__auto_learn(const struct dls__timing *timing, struct dls__kept_site *site, uint64_t n, unsigned p, double wall,
		     const struct dls__auto_bucket *const *row);

/* What auto has chosen for a site, a choice for each class of its loops, those that took most, for the report.  Returns how many
 * there are, at most DLS__CHOSEN; 0 also if another thread holds the chooser for more than a second. */
unsigned dls__auto_chosen(struct dls__kept_site *site, struct dls__chosen *chosen);

void dls__chooser_free(struct dls__chooser *chooser);

#endif
