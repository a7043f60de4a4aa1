/* blocks.h - whether a loop is dealt, or is static blocks that share nothing, or is run by one thread.
 *
 * A program asks for blocks by the schedule static.  Under auto, loops that are too small to be dealt, or
 * short and even, are blocks as long as those are not often too long; of such loops one thread runs those for
 * which a team takes longer.
 *
 * Threads: any number of callers.  Nobody waits; one thread at a time learns, and one that comes meanwhile
 * does without. */
#ifndef LIB_SITE_BLOCKS_H
#define LIB_SITE_BLOCKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/auto/auto.h"
#include "lib/auto/serial.h"
#include "lib/site/site.h"

/* A site's answer to a request: b, blocks are loops of fewer than 2^b iterations; 0, none; ALWAYS, all but
 * those of 2^63 or more, which are dealt alike.  AUTO is or-ed to it if the schedule is auto, which has
 * chosen b.  The site's setting has a byte for each `kind`, as they stand in memory. */
enum { DLS__BLOCKS_ALWAYS = 63, DLS__BLOCKS_AUTO = 64 };

/* Workers whose blocks are told apart; a further one shares the place of one of them.  Octaves of loops that
 * one thread may run. */
enum { DLS__BLOCKS_WORKERS = 64, DLS__BLOCKS_OCTAVES = 17 };

/* Of loops of 2^b .. 2^(b+1) - 1 iterations that are blocks under auto. */
struct dls__blocks_octave {
	atomic_uint answer;		/* 2 * executions without a clock, + 1: they run on one thread */
	struct dls__serial serial;	/* guarded by the tuner's mutex */
};

/* What auto knows of a site's blocks, all zero at first.  What is atomic are numbers that stand for
 * themselves: all orders are relaxed. */
struct dls__auto_blocks {
	atomic_uint below;		/* b; 0: there are none at present */
	_Atomic float each;		/* what an iteration takes of its worker's time, ns */
	atomic_ushort late[DLS__BLOCKS_WORKERS];	/* by worker, a bit for each timed block: too long */
	struct dls__blocks_octave octave[DLS__BLOCKS_OCTAVES];
	/* The mutex guards the rest. */
	unsigned calm;			/* answers of auto in sequence that want blocks, */
	unsigned enough;		/* ... and how many of them it takes; 0: one */
	bool undone;			/* loops that were blocks are dealt again, and `enough` has grown */
};

/* The site's answer at a version of the settings to a request that says so, whatever is or-ed to it; every
 * thread finds the same. */
static inline unsigned dls__blocks_at(const struct dls__kept_site *site, int kind, uint64_t version)
{
	const void *all = &dls__versioned_find(&site->below, version)->value;
	unsigned answer = ((const unsigned char *)all)[kind & DLS__KIND_OTHER];

	return answer && dls__versioned_at(&dls__progress_setting, version) ? 0 : answer;
}

/* Whether a loop of n iterations is blocks by an answer. */
static inline bool dls__is_blocks(unsigned answer, uint64_t n)
{
	return answer && n >> (answer & DLS__BLOCKS_ALWAYS) == 0;
}

/* The same in a plain region, which has no version: if the first answer is ALWAYS it holds for ever.  Later
 * changes are reported. */
bool dls__blocks_plain(struct dls__kept_site *site, int kind);

/* Set the answers of a new site. */
void dls__blocks_made(struct dls__kept_site *site);

/* Set them anew after `own` or `measure` has changed; the sites are locked. */
void dls__blocks_changed(struct dls__kept_site *site);

/* For auto: loops of fewer than 2^b iterations are blocks from now on, b < 32; an iteration takes `each` ns
 * of its worker's time.  The site has a tuner, whose mutex is held. */
void dls__blocks_begin(struct dls__kept_site *site, unsigned b, double each);

/* Likewise: begin if auto's choices for the classes of the site's loops, of which this is the next, have
 * asked for it often enough. */
void dls__blocks_consider(struct dls__kept_site *site, const struct dls__size_class *c,
			  struct dls__auto_choice choice);

/* A worker's block of a loop of n iterations took so many ns.  Loops whose blocks are often too long are
 * dealt again. */
void dls__blocks_timed(struct dls__kept_site *site, uint64_t n, unsigned worker, unsigned workers,
		       uint64_t took);

/* Whether one thread runs a loop of n iterations that is blocks under auto, of a program that can do so;
 * *timed: tell what it took. */
bool dls__blocks_serial(struct dls__kept_site *site, uint64_t n, bool *timed);

/* It took so many ns, on one thread or on a team; 0: no team was given. */
void dls__blocks_serial_ended(struct dls__kept_site *site, uint64_t n, bool serial, uint64_t took);

#endif
