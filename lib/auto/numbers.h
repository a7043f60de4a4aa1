/* numbers.h - the numbers by which auto is tuned, and what each is for; in brackets how much longer the
 * worlds of test/auto take without the rule, in the mean and in the worst one. */
#ifndef LIB_AUTO_NUMBERS_H
#define LIB_AUTO_NUMBERS_H

enum {
	RUNS = 3,		/* that show a change, what a candidate takes, or too long blocks [-; 7 %] */
	RUNS_MANY = 8,		/* of a trial without a predicted gain; from decision to decision [-; 15 %] */
	OLD = 32,		/* executions before a trial without a predicted gain [0.6 %; 69 %] */
	SETTLED = 64,		/* executions before a rejected trial is repeated, and of static before even
				 * loops share nothing [32: 0.1 %; 23 %]; times that the team is timed again before
				 * one thread is tried anew */
	RARELY = 256,		/* executions before a trial of static with others [0.6 %; 212 %], and between
				 * looks at what a team, or one thread, takes */
	IN_VAIN = 8,		/* times longer blocks wait after they were chosen in vain */
	DOUBLINGS = 4,		/* of the time to the next decision after those in vain [0.1 %; 5 %] */
	EVERY = 5,		/* of so many executions one is profiled, of short ones fewer [0.05 %; 5 %] */
	CHUNKS = 32,		/* of a worker, at least, for others to take [0.3 %; 55 %] */
	BLOCKS_LAST = 10	/* timed blocks of a worker that count: the system disturbs one or two */
};

__attribute__((unused)) static const double
	SHORT = 200e-6,		/* s; measuring takes a large part of shorter loops */
	LONG = 1e-3,		/* s; shorter even loops try static, longer ones fac2 [2 %; 171 %] */
	SMALL = 5,		/* regions: what takes less has little to gain by sharing [-; 4 %] */
	GAIN = 0.02,		/* less is no gain, no loss by blocks, no effect of caches [0.5 %; 69 %] */
	CLEAR = 0.9,		/* of the time: a gain without a prediction [0.05 %; 13 %] */
	LOST = 0.01,		/* of all time, that trials may lose, and decisions take [-; 2 %] */
	CHANGED = 0.3,		/* by so much times, profiles and blocks of a changed loop differ [-; 7 %] */
	MUCH_LONGER = 1.5,	/* what leads back to the first guess; within it times are steady */
	TIMED_EVERY = 80e-6,	/* s of a short loop, of which one execution is timed: that takes 0.25 us */
	TAKE = 8e-9,		/* s, of a chunk of the own range */
	TOOK = 5e-6,		/* s for each worker, of a decision */
	BLOCKS_LONG = 20e-6;	/* s; no shorter block is too long: interrupts prolong it as often */

/* Rules without a number of their own:
 *
 *	ss,N/32P; steal,K/4 as candidates				[7 %; 480 %]; [1 %; 170 %]
 *	no trial without a predicted gain where costs move		[0.2 %; 7 %]
 *	predictions are scaled by what the current schedule takes	[0.8 %; 43 %]
 *	fac2; a schedule that keeps data, without a predicted gain	[0.4 %; 42 %]; [0.06 %; 14 %]
 *	three profiles before such a trial, none of them in vain	[0.04 %; 14 %]
 *	the first guess anew, by the first execution			[0.2 %; 12 %]
 *	back to the first guess after a change				[0.04 %; 15 %]
 *	small and even loops try static without a prediction		[0.06 %; 9 %]
 *	most executions of short loops are not timed			[0.06 %; 7 %]
 *	the first execution after a change of schedule does not count	[0.03 %; 22 %]
 *	a change makes profiles void					[-; 3.5 %]
 *	uneven loops do not try static with others			[0.7 % of 300 executions]
 *	loops that do keep it by a gain over their mean			[-; 96 %]
 *	a new class profiles its first executions			[0.01 %; 2.4 %]
 *
 * Workers that take turns on a processor are in no world: see test/auto/bounds. */

#endif
