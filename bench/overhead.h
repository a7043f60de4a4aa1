/* overhead.h - what the files of dls-overhead share. */
#ifndef OVERHEAD_H
#define OVERHEAD_H

#include "dls.h"

/* One line of the result: a side under a schedule, and what is measured of it. */
struct cell {
	const char *side, *schedule;
	char what[32];
	/* One repetition: ns of one `what`; of a chunk side all that the processors have spent, bodies included. */
	double (*run)(const struct cell *cell);
	const char *text;	/* libdls: the schedule with the moments it needs */
	int threads, busy;	/* processors that the threads keep busy */
	int n, loops;		/* iterations of a loop, loops in a repetition */
	uint64_t chunks;	/* chunk sides, and dispatch by the counter: how many a loop has */
	int64_t trips;		/* dispatch: iterations of a loop */
	struct dls_loop *loop;	/* call */
	double *ns;		/* of each repetition */
};

/* How each side does one thing. */
struct overhead_kind {
	const char *what;
	double (*own[3])(const struct cell *cell);	/* the compiler's static, dynamic, guided */
	double (*libdls)(const struct cell *cell);
};
enum { OVERHEAD_LOOPS = 5 };
extern const struct overhead_kind overhead_chunk, overhead_loop[OVERHEAD_LOOPS];
double overhead_counter(const struct cell *cell);	/* overhead_chunk's counter */
double overhead_single(const struct cell *cell);
double overhead_dispatch(const struct cell *cell);	/* as the macros do it */
double overhead_call(const struct cell *cell);		/* dls_loop_next() */
double overhead_tickets(const struct cell *cell);	/* the counter, c->chunks a loop */

/* Number of the repetition: the lines that the counters of chunk sides are on go by it. */
extern unsigned overhead_turn;

/* Make the body of chunk sides take so long; run n of it serially and return what one has taken, ns. */
void overhead_calibrate(double ns);
double overhead_serial(int n);

/* Run the loop of libdls' chunk side once, untimed, and count its chunks. */
uint64_t overhead_chunks(const struct cell *cell);

/* Choose the iterations of a dispatch loop, 20000 to 2^40; returns its chunks, at most 20000. */
uint64_t overhead_dispatches(struct cell *cell);

/* One line: compiler, OpenMP, runtime. */
void overhead_print_runtime(void);

/* End the program unless `runs` runs have run every iteration once, on as many threads as asked for. */
void overhead_check(const struct cell *cell, int runs);

#endif
