/* auto.h - which schedule the next execution of a loop runs, where the user left that to the library.
 *
 * Numbers in, a choice out: the caller measures executions and hands the figures over; equal figures give equal choices.  A loop
 * in the source is remembered by size class, (P, round(2 log2 N)), since the best schedule depends on both.
 * A class starts with a first guess, simulates all candidates from profiles of its executions, tries the best of
 * them and keeps what is measured to be faster.
 *
 *	c = dls__size_class(a, p, n, flags, -1)
 *	if (dls__auto_due(c))			before an execution
 *		dls__auto_decide(c, costs, schedule_of)
 *	choice = dls__auto_choose(c)
 *	dls__auto_ended(c, choice.schedule, n, wall)
 *	dls__auto_profiled(c, n, row)		only if choice.profile
 *
 * Threads: one caller at a time per loop.  Times are in seconds; any value is safe, and what is not finite or not above 0 is
 * ignored. */
#ifndef LIB_AUTO_AUTO_H
#define LIB_AUTO_AUTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/predict.h"
#include "lib/predict/profile.h"

enum {
	DLS__SIZE_CLASSES = 128,	/* most of one loop */
	DLS__AUTO_CANDIDATES = 6,
	DLS__AUTO_WALLS = 6,		/* last ones, of each candidate; those of two or three loops that take turns are as many of each */
	DLS__AUTO_NONE = 255
};

/* A schedule that auto may choose is a number below DLS__AUTO_SCHEDULES, valid in the whole process. */
enum {
	DLS__AUTO_STATIC, DLS__AUTO_FAC2, DLS__AUTO_GSS,
	DLS__AUTO_STEAL,			/* steal,1; the next ones steal,2 .. steal,65536 */
	DLS__AUTO_SS = DLS__AUTO_STEAL + 17,	/* ss,1; the next ones ss,2 .. ss,2^60 */
	DLS__AUTO_SCHEDULES = DLS__AUTO_SS + 61
};

/* Write the text of a schedule, as dls_schedule_parse() reads it. */
enum { DLS__AUTO_TEXT = 32 };
void dls__auto_text(unsigned schedule, char text[DLS__AUTO_TEXT]);

enum {
	DLS__AUTO_MONOTONIC = 1,	/* no steal; the first guess is fac2 */
	DLS__AUTO_OWN = 2		/* times 1 + a schedule: the loop's own, which is the first guess and a candidate */
};

/* The first guess: what a loop that nothing is known of runs.  Its own schedule; if it has none, steal,K0 as in
 * sched/chunk/first.h, N being that of the class's middle; monotonic: fac2. */
unsigned dls__auto_first(unsigned p, uint64_t n, unsigned flags);

/* round(2 log2 n): the half octave of a class; 0 for n = 0. */
unsigned dls__auto_octave(uint64_t n);

/* The last times of executions; all zero at first. */
struct dls__walls {
	uint8_t count, last;		/* last: place of the newest */
	float time[DLS__AUTO_WALLS];
};

void dls__walls_add(struct dls__walls *w, double time);

/* 0: there are none. */
double dls__walls_median(const struct dls__walls *w);

/* One candidate, as an arm of a bandit: what is measured and predicted of it. */
struct dls__auto_arm {
	uint8_t schedule;
	uint32_t until;			/* no trial before this execution */
	float predicted;		/* by the last decision, with the correction for caches, s for one iteration; 0: not predicted */
	struct dls__walls walls;	/* s for one iteration */
};

/* What has become of a class so far, for reports. */
struct dls__auto_summary {
	uint32_t executions;
	uint32_t adopted;		/* execution with which the current schedule started */
	uint32_t trials, kept;
	double total, lost;		/* time of all executions; part of it lost in trials that were rejected */
};

/* A trial. */
struct dls__auto_trial {
	uint8_t place;			/* in `arm`; DLS__AUTO_NONE: there is none */
	uint8_t runs;			/* of the trial; since the last switch otherwise, clamped to 255 */
	bool together;			/* of static, with other loops */
	double losing;			/* what it has lost, s */
};

/* Detection of drift: whether the loop changes. */
struct dls__auto_drift {
	uint32_t since;			/* executions since what was known was forgotten */
	float usual;			/* median of its last walls, s for one iteration; 0: not known */
	float last_wall;		/* s */
};

/* The next decision. */
struct dls__auto_decision {
	uint32_t at;			/* executions since what was known was forgotten, at which it is due */
	uint8_t in_vain;		/* in sequence, clamped to 4: the next one waits twice as long for each */
	double ran;			/* time of executions since then */
};

/* A size class.  The caller reads it for reports, and changes nothing. */
struct dls__size_class {
	struct dls__size_class *next;
	unsigned p, octave, flags;
	unsigned at_once;		/* workers of p that can run at one time */
	uint64_t n;			/* of the last execution */
	float region;			/* beginning and ending a parallel region of p workers */
	float sharing;			/* the same, or moving data from worker to worker if that takes longer */
	struct dls__auto_summary summary;
	struct dls__auto_trial trial;
	struct dls__auto_drift drift;
	struct dls__auto_decision decision;
	struct dls__last_profile profile;
	uint32_t profile_at;		/* no execution before this one is profiled */
	bool single;			/* nothing to choose: P = 1 or N = 1 */
	uint16_t more;			/* what the last choice said */
	uint8_t current;		/* place in `arm`; the first guess has place 0 */
	uint8_t candidates;
	struct dls__auto_arm arm[DLS__AUTO_CANDIDATES];
};

/* A loop in the source; all zero at first, but for the processors if they are known. */
struct dls__auto {
	unsigned processors;		/* that its workers share; 0: one for each worker */
	unsigned count;			/* of the classes */
	struct dls__size_class *first;
};

/* The size class of an execution by p > 0 workers of n iterations; it is made if there is none.
 *
 * flags   a class of other flags is forgotten
 * region  what beginning and ending a parallel region takes of no more workers than processors, s; 0: 1 us
 * moving  what a chunk's data take from worker to worker and back, s; 0: less than a region
 *
 * Returns NULL if there is no memory, or a loop has DLS__SIZE_CLASSES others. */
struct dls__size_class *dls__size_class(struct dls__auto *a, unsigned p, uint64_t n, unsigned flags, double region,
				      double moving);

/* Free what is kept of a loop, which is all zero then. */
void dls__auto_free(struct dls__auto *a);

/* What the next execution does. */
struct dls__auto_choice {
	uint8_t schedule;
	bool profile;		/* measure it by bucket, and call dls__auto_profiled() */
	uint16_t more;		/* this many executions after it may run the same without any call */
};
struct dls__auto_choice dls__auto_choose(struct dls__size_class *c);

/* An execution of n iterations has ended.
 *
 * schedule  that it ran; one that is neither the current one nor on trial adds only its time
 * wall      from the region's begin to its end, or the loop's; the same in all executions */
void dls__auto_ended(struct dls__size_class *c, unsigned schedule, uint64_t n, double wall);

/* The profile of the execution last handed to dls__auto_ended(), as for dls__last_profile_add(). */
void dls__auto_profiled(struct dls__size_class *c, uint64_t n, const struct dls__bucket *const *row);

/* Whether a decision should be made: enough executions, and they ran 100 times what a decision takes by estimate, or
 * up to 1600 times after decisions that found nothing to try. */
bool dls__auto_due(const struct dls__size_class *c);

/* Predict all candidates by dls_predictor_run() and start a trial if one promises a gain.
 *
 * costs        of the machine; NULL: those of dls_predict()
 * schedule_of  returns the schedule of a number
 *
 * Returns 0; DLS_ENOMEM, and all is as before.  Allocates twice, the predictor included. */
int dls__auto_decide(struct dls__size_class *c, const struct dls_costs *costs,
		     const struct dls_schedule *(*schedule_of)(unsigned));

/* Whether a schedule leaves workers on their own iterations: static, steal. */
bool dls__auto_affine(unsigned schedule);

/* Whether a class has run static blocks for so many executions, even and steady ones, and all classes of fewer iterations run them, too. */
bool dls__auto_settled(const struct dls__auto *a, const struct dls__size_class *c, uint32_t executions);

/* What an execution takes at present, s; 0: not known. */
double dls__auto_usual(const struct dls__size_class *c);

/* Between the files of this folder: start a trial of candidate i. */
void dls__auto_try(struct dls__size_class *c, unsigned i);

/* Likewise: whether candidate i may be tried at present. */
bool dls__auto_open(const struct dls__size_class *c, unsigned i);

/* Likewise: the place of a schedule among the candidates; c->candidates: it is none. */
unsigned dls__auto_find(const struct dls__size_class *c, unsigned schedule);

/* Likewise: of so many executions that take `wall` one is profiled; of workers that take turns, the share of one counts. */
unsigned dls__auto_every(const struct dls__size_class *c, double wall);

/* Likewise: the first guess of the library's own, for iterations that take `each` s; 0: nothing is known of them. */
unsigned dls__auto_suited(const struct dls__size_class *c, double each);

/* Likewise: name the candidates anew; the first guess, which becomes the current one, is for iterations that take `each` s, 0 for
 * iterations of which nothing is known.  Nothing has been measured of them. */
void dls__auto_guess(struct dls__size_class *c, double each);

/* Likewise: what an iteration takes of its worker's time where an execution takes `wall`, s. */
double dls__auto_each(const struct dls__size_class *c, double wall);

/* Likewise: what an execution that takes `wall` loses by static blocks of unequal cost, s; 0 also if there is no profile. */
double dls__auto_uneven(const struct dls__size_class *c, double wall);

/* Likewise: whether it is so short that sharing iterations costs more than it can gain. */
bool dls__auto_small(const struct dls__size_class *c, double wall);

/* Likewise: whether profiles show that static blocks lose hardly anything. */
bool dls__auto_even(const struct dls__size_class *c, double wall);

/* Likewise: whether the last executions took about as long. */
bool dls__auto_steady(const struct dls__size_class *c);

#endif
