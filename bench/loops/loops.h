/* loops.h - what the files of dls-loops share. */
#ifndef LOOPS_H
#define LOOPS_H

#include "bench/kernels/kernel.h"
#include "bench/tool/tool.h"

enum { COMPILERS = 3 };		/* the first sides are the compiler's: static, dynamic, guided; of programs: shipped, static, guided */
enum { RUNS_MAX = 1000, CLOCKED_RUNS = 3, STEPS_MAX = 1000 };
enum { FEWEST = 3 };		/* runs that have a spread */
enum { LATE = 4 };		/* the first time step, from 1, in which a schedule is taken to have learned */
enum { EQUAL, SLOWED, SPEEDS };	/* all workers alike; with the slow one */

/* Runs of a kernel under a schedule. */
struct runs {
	double *step;		/* a time step of a timed run: [run * loops.steps + step], s */
	double time[RUNS_MAX];	/* all steps of a timed run, s */
	double chunks[CLOCKED_RUNS], imbalance[CLOCKED_RUNS];	/* of the last step */
};

/* A chunk as a worker got it. */
struct chunk {
	uint64_t began;		/* ns */
	int lo, n;
};

/* A schedule of libdls or of the compiler. */
struct side {
	const char *side, *schedule;
	void (*run)(const char *site);
	int way;		/* of a kernel of many loops */
	bool libdls;		/* it is a schedule of libdls, */
	bool learns, parts;	/* learns in one execution for the next; hands out chunks in parts */
	struct runs runs[SPEEDS];
	struct chunk *chunk;	/* of the last clocked step, as they began; NULL: not kept */
	size_t chunks;
	double behind;		/* the largest, over all tables, of: its median time / the shortest - 1 */
};

/* The command line, and the table under way. */
struct loops {
	unsigned threads, processors, slow_worker;
	double factor;		/* of slow_worker */
	int slowed;		/* SLOWED, if there is one */
	unsigned runs, clocked_runs;	/* without and with clocks, of each side */
	unsigned steps;		/* time steps in a run: executions of one site */
	double least;		/* a step is as many loops in a row as take about so long serially, s; 0: one */
	double seconds;		/* ... and at least as many as take so long under the schedule */
	bool plot, report;	/* keep chunks; have libdls measure the clocked runs */
	bool programs;		/* the kernels are programs */

	const struct kernel *kernel;
	int speed;		/* the speed that the table is of */
	double until;		/* tool_now(); from then on FEWEST timed rounds are enough */
	size_t timed, repeats;	/* runs done without clocks, loops in each of their steps */
	double serial, taken;	/* time of the kernel, s; the part of it that the thread was kept from running */
	double mu, sigma;	/* of its iterations, s */
	bool busy;		/* other programs were running, in this table or one before */
	double line_ns;		/* a cache line's way between processors; NaN: only one */
};
extern struct loops loops;

/* Make the compiler's sides and a side for each schedule of a list; returns how many.  The array and the
 * names are malloc'ed. */
size_t loops_sides(const char *list, struct side **side);
void loops_free(struct side *side, size_t sides);
/* Start the threads and time the clock. */
void loops_prepare(void);
/* Run one loop, with or without clocks in it; returns its time, s. */
double loops_run(const struct side *side, const char *site, int speed, bool clocked);
/* Chunks and percent imbalance of the loop that ran last, with clocks; NaN: unknown. */
void loops_tally(double *chunks, double *imbalance);
/* Chunks that a worker got in it. */
const struct chunk *loops_log(unsigned worker, size_t *n);
/* Run the kernel under all sides, at equal speeds and, if there is a slow worker, with it. */
void loops_measure(struct side *side, size_t sides);

/* Median, extremes, quartiles and half their distance. */
struct figure {
	double median, min, max, low, high, half;
};
struct figure loops_figure(const double *value, size_t n);
/* Of the runs, all steps. */
struct figure loops_time(const struct side *side);

/* Time of a late step, the median, s; NaN: there are none. */
double loops_late(const struct runs *runs);
/* With a slow worker: the time of a step if the schedule that is best for equal workers, *best, lost nothing
 * but the slow worker's missing speed.  Else NaN. */
double loops_ideal(const struct side *side, size_t sides, const struct side **best);

void loops_introduce(bool demo);
/* Print the table of what was just measured; bring each side's `behind` up to date. */
void loops_print(struct tool_table *table, struct side *side, size_t sides);
/* What these tables say together. */
void loops_conclude(const struct side *side, size_t sides, size_t tables);

/* Keep the chunks of the loop that ran last, with clocks, under this side. */
void loops_keep_chunks(struct side *side);
/* The plot is begun first; tables come one by one, each when it was measured, and the chunks are those of the
 * last. */
void loops_plot_begin(const char *file);
void loops_plot_table(const struct side *side, size_t sides);
void loops_plot_end(const struct side *side, size_t sides);

#endif
