/* loops.h - what the files of dls-loops share. */
#ifndef LOOPS_H
#define LOOPS_H

#include "kernels/kernel.h"
#include "tool.h"

enum { COMPILERS = 3 };		/* the first sides are the compiler's: static, dynamic, guided */
enum { RUNS_MAX = 1000, CLOCKED_RUNS = 3 };
enum { FEWEST = 3 };		/* runs that have a spread */

/* A schedule of libdls or of the compiler, and its runs of one kernel. */
struct side {
	const char *side, *schedule;
	void (*run)(const char *schedule);
	double time[RUNS_MAX];	/* of a loop, s, by round */
	double chunks[CLOCKED_RUNS], imbalance[CLOCKED_RUNS];
	double behind;		/* the most that its median time exceeded a table's shortest, as a part of that */
};

/* What is asked for, and the table under way. */
struct loops {
	unsigned threads, processors, slow_worker;
	double factor;		/* of slow_worker */
	size_t runs, clocked_runs;	/* without and with clocks, of each side */
	double least;		/* a run is that many loops in a row as take about so long serially, s; 0: one */

	const struct kernel *kernel;
	double until;		/* tool_now(); from then on FEWEST timed rounds are enough */
	size_t timed, repeats;	/* runs done without clocks, loops in each */
	double serial, taken;	/* time of the kernel, s; the part of it that the thread was kept from running */
	bool busy;		/* other programs were running, in this table or one before */
	double line_ns;		/* a cache line's way between processors; NaN: only one */
};
extern struct loops loops;

/* The compiler's sides and one for each schedule of a list, malloc'ed as their names are; returns how many. */
size_t loops_sides(const char *list, struct side **side);
/* Start the threads and time the clock. */
void loops_prepare(void);
/* Run the kernel under all sides. */
void loops_measure(struct side *side, size_t sides);

void loops_introduce(bool demo);
/* The table just measured; brings each side's `behind` up to date. */
void loops_print(struct tool_table *table, struct side *side, size_t sides);
/* What so many tables say together. */
void loops_conclude(const struct side *side, size_t sides, size_t tables);

#endif
