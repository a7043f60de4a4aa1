/* overhead.h - what the files of dls-overhead share. */
#ifndef OVERHEAD_H
#define OVERHEAD_H

#include <stdatomic.h>

#include "dls.h"
#include "bench/kernels/kernel.h"
#include "bench/tool/tool.h"

#define PRAGMA(...) _Pragma(#__VA_ARGS__)

enum { OVERHEAD_RUNS = 41, OVERHEAD_RUNS_MAX = 1000 };

/* The command line. */
extern struct overhead {
	unsigned processors;
	size_t runs;		/* repetitions */
	bool runs_asked;	/* ... exactly so many */
	size_t schedules;
	struct overhead_schedule {
		const char *given, *text;	/* as it is run */
		const struct dls_calc *calc;
		const struct cell *counter;	/* dispatch: that beside it */
	} *schedule;
	struct tool_table table;
} overhead;

/* One line of the result: a side under a schedule, and what of it is measured. */
struct cell {
	const char *side, *schedule;
	char what[32];
	/* One repetition: ns of one `what`; of a chunk side the time that all processors have spent, bodies included. */
	double (*run)(const struct cell *cell);
	/* NULL: measured; else it follows from those of two others in the same repetition. */
	double (*derive)(double a, double b);
	const struct cell *from[2];
	bool ratio;		/* ... and has no unit */
	const char *text;	/* libdls: the schedule with the moments it needs */
	int threads, busy;	/* processors that the threads keep busy */
	int n, loops;		/* iterations of a loop, loops in a repetition */
	uint64_t chunks;	/* chunk sides, and dispatch by the counter: how many a loop has */
	int64_t trips;		/* dispatch, next, index: iterations of a loop */
	int links;		/* index: multiplications of a body */
	bool whole;		/* dispatch: a chunk that comes in parts counts as one */
	bool learns;		/* dispatch, call: the schedule learns, so even empty loops are measured */
	unsigned workers;	/* next */
	struct dls_loop *loop;	/* call, next */
	const struct overhead_way *way;	/* observe */
	const struct kernel *kernel;	/* ... a step of many loops; NULL: one loop */
	double *ns;		/* of each repetition */
};

/* Measure and print one kind of figures, between begin and end. */
void overhead_begin(void);
void overhead_measure_observe(int threads, uint64_t body);	/* before any other; body 0: bare dispatches */
void overhead_measure_stencils(int threads);			/* so, too */
void overhead_measure_chunks(int threads, uint64_t body);
void overhead_measure_lines(int threads);
void overhead_measure_dispatches(int threads);
void overhead_measure_nexts(void);
void overhead_measure_loops(int threads);
void overhead_measure_reductions(int threads);

/* Print what a model of the counter's line predicts.  line: "LINE,REACH", ns. */
void overhead_model(const uint64_t *threads, size_t teams, const uint64_t *body, size_t bodies,
		    const char *line);

/* How each side does one thing. */
struct overhead_kind {
	const char *what;
	double (*own[3])(const struct cell *cell);	/* the compiler's static, dynamic, guided */
	double (*libdls)(const struct cell *cell);
};
enum { OVERHEAD_LOOPS = 5 };
extern const struct overhead_kind overhead_chunk, overhead_loop[OVERHEAD_LOOPS];
double overhead_counter(const struct cell *cell);	/* overhead_chunk's counter */
/* A chunk for each iteration, whose body begins with its index or with a constant: the counter, the
 * compiler's dynamic, ss. */
extern const struct overhead_line_kind {
	const char *what;
	double (*run[3])(const struct cell *cell);	/* ns a chunk and thread */
	double (*changes[3])(const struct cell *cell);	/* of thread, in 100 chunks */
} overhead_line_kind[2];
double overhead_chain(const struct cell *cell);		/* the body alone, one after another */
double overhead_single(const struct cell *cell);
double overhead_vector(const struct cell *cell);	/* a loop that compilers vectorise, the compiler's and DLS_FOR */
double overhead_vector_libdls(const struct cell *cell);
double overhead_dispatch(const struct cell *cell);	/* as the macros do it */
double overhead_call(const struct cell *cell);		/* dls_loop_next() */
double overhead_tickets(const struct cell *cell);	/* the counter, c->chunks a loop */
double overhead_next(const struct cell *cell);		/* dls_loop_next(), all workers by one thread */
double overhead_clock(const struct cell *cell);		/* dls_clock() */
double overhead_clock_gettime(const struct cell *cell);

/* How a loop is watched; each way in a process of its own, since a process reads the environment once. */
struct overhead_way {
	const char *name, *variable, *value;	/* no variable: not by the environment */
	bool measure;				/* dls_site_set_measured() */
};
enum { OVERHEAD_WAYS = 4 };
extern const struct overhead_way overhead_way[OVERHEAD_WAYS];	/* the first is not at all */

/* Time in a child process: a step of the kernel; without a kernel, the chunk side; without a body, dispatch.
 * This process must not have opened an OpenMP region or a loop yet. */
double overhead_observe(const struct cell *cell);

/* Add a cell to be measured; add one whose figure follows from two others; measure and print all cells so
 * far, each once per repetition, so that the machine disturbs them alike. */
struct cell *overhead_add(const char *what, const char *side, const char *name, double (*run)(const struct cell *), int threads,
			  int n);
struct cell *overhead_add_derived(const char *what, const char *side, double (*derive)(double a, double b),
				  const struct cell *a, const struct cell *b);
void overhead_time(bool bodies, uint64_t body);
double overhead_by(double a, double b);

/* Run one repetition of a side; if `bodies`, between two serial runs of bodies, whose time is subtracted. */
double overhead_repeat(const struct cell *cell, bool bodies);

/* The site of chunk and dispatch loops. */
#define OVERHEAD_SITE "dls-overhead"

/* Counters, each on a line to itself, and the one prefetched with it; several, since they are not equally far from
 * the processors: sides take them in turn, as libdls does from loop to loop. */
enum { OVERHEAD_LINES = 16 };
extern struct overhead_line {
	_Alignas(128) atomic_uint_fast64_t next;
} overhead_line[OVERHEAD_LINES];

/* Number of the repetition, by which chunk sides choose the lines of their counters. */
extern unsigned overhead_turn;

/* Make the body of chunk sides take so long; run n of it serially and return what one has taken, ns. */
void overhead_calibrate(double ns);
double overhead_serial(int n);

/* Run the loop of libdls' chunk side once, untimed, and count its chunks. */
uint64_t overhead_chunks(const struct cell *cell);

/* Choose the iterations of a dispatch loop, 20000 to 2^40; returns its chunks, at most 20000. */
uint64_t overhead_dispatches(struct cell *cell);

/* Open the loop of a call cell. */
void overhead_call_open(struct cell *cell);

/* Open the loop of a next cell for so many workers, with as many iterations for each as `like` has, or, if that is
 * NULL, so many that each gets several chunks. */
void overhead_next_open(struct cell *cell, unsigned workers, const struct cell *like);

/* Print what was measured in so many repetitions, under a head for each `what`; line: ns. */
void overhead_print(const struct cell *cells, size_t count, size_t runs, double line, bool bodies, uint64_t body);

/* One line: compiler, OpenMP, runtime. */
void overhead_print_runtime(void);

/* End the program unless `runs` runs have run every iteration once, on as many threads as asked for. */
void overhead_check(const struct cell *cell, int runs);

#endif
