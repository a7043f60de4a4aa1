/* numbers.h - the numbers by which auto is tuned, and what each is for; in brackets how much longer the
 * worlds of test/auto take without the rule, in the mean and in the worst one. */
#ifndef LIB_AUTO_NUMBERS_H
#define LIB_AUTO_NUMBERS_H

enum {
	RUNS = 3,		/* that show a change, or what a candidate takes [-; 7 %] */
	RUNS_ORDER = 8,		/* of a trial for which no gain was predicted [-; 2 %] */
	REJECTED = 64,		/* executions before a candidate is tried again, doubled each time */
	OLD = 32,		/* executions before a trial for which no gain is predicted [0.6 %; 69 %] */
	TOGETHER = 256,		/* executions before a trial of static with others [0.6 %; 212 %] */
	DECIDE_EVERY = 8,	/* executions from decision to decision [16: -; 15 %] */
	WORTH = 100,		/* times what a decision takes the loop runs before the next one, ... */
	DOUBLINGS = 4,		/* ... and up to 2^4 times that after decisions in vain [0.1 %; 2 %] */
	/* Of so many executions one is profiled.  Primes: loops that take turns among a few sizes would
	 * otherwise show but one. */
	EVERY = 5,
	EVERY_SHORT = 17,	/* of short loops, of which a profile takes a larger part */
	EVERY_TINY = 1021,	/* of tiny ones [-; 4 %] */
	UNTOLD = 60,		/* most executions without a call: 61 is a prime */
	CHUNKS = 8,		/* of a worker, at least, for others to steal */
	CHUNKS_SS = 64,		/* of a worker under ss [0.3 %; 55 %] */
	BLOCKS_SETTLED = 64,	/* executions under static after which even loops share nothing */
	BLOCKS_LATE = 3,	/* blocks too long, of the last timed ones of a worker: deal the loop again */
	BLOCKS_LAST = 10,	/* the system takes a processor in one or two of ten, hardly in three */
	BLOCKS_AGAIN = 8,	/* times more answers for blocks are wanted after each such deal */
	ALONE_PAUSE = 256,	/* executions from one look at what the team takes to the next */
	ALONE_LOOKS = 255,	/* timed executions on one thread before the team is measured again */
	ALONE_SKIP = 8		/* looks without a trial after one in vain, if nothing has changed */
};

__attribute__((unused)) static const double
	SHORT = 200e-6,		/* s; measuring takes a large part of shorter loops */
	TINY = 10e-6,		/* s; ... and a larger one of these */
	LONG = 1e-3,		/* s; shorter even loops try static, longer ones fac2 [2 %; 171 %] */
	SMALL = 10,		/* regions: what takes less has little to gain by sharing [-; 4 %] */
	GAIN = 0.02,		/* predicted, for a trial [0.03: 0.2 %; 30 %]; even blocks lose less */
	UNKNOWN = 1.05,		/* what caches may make of a prediction [0.6 %; 69 %] */
	UNREST = 0.15,		/* share of a profile that changes its place [0.2 %; 14 %] */
	KEEP = 0.985,		/* of the current time: what a candidate has to take to be kept */
	KEEP_CLEAR = 0.9,	/* the same where no gain was predicted [0.05 %; 13 %], and for one thread */
	HOPELESS = 1.15,	/* of the current time, twice in sequence: that ends a trial [-; 5 %] */
	LOST = 0.01,		/* of all time, that trials may lose, ... */
	LOST_ONCE = 0.3,	/* ... and of an execution, as two in sequence show it [both: -; 2 %] */
	CHANGED = 0.3,		/* by so much the times of a loop that has changed differ [-; 7 %] */
	MUCH_LONGER = 1.5,	/* what leads back to the first guess; within it times are steady */
	TOLD_EVERY = 80e-6,	/* s of a short loop, of which one execution is told: that takes 0.25 us */
	TAKE = 8e-9,		/* s, of a chunk of the own range */
	TOOK = 10e-6,		/* s, of the first decision, on a slow machine, ... */
	TOOK_WORKER = 5e-6,	/* ... and for each worker */
	BLOCKS_REGIONS = 10,	/* regions: what takes less, and less than TINY, shares nothing at once */
	BLOCKS_DEAR = 3,	/* regions: what takes less does so even if it takes longer than TINY */
	BLOCKS_LONG = 20e-6,	/* s; no shorter block is too long: interrupts prolong it as often */
	BLOCKS_MORE = 1.25,	/* of the expected time; nor is a shorter one: a deal gains little */
	ALONE_PROMISING = 2,	/* of the team's time: what one thread may take, by the blocks, for a trial */
	ALONE_HOPELESS = 8;	/* the same: one execution that takes so much ends the trial */

#endif
