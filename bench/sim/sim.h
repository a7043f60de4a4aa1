/* sim.h - what the files of dls-sim share. */
#ifndef SIM_H
#define SIM_H

#include "dls.h"
#include "dls/machine.h"
#include "dls/strategy.h"
#include "bench/tool/tool.h"

/* The command line. */
struct sim {
	const char *net, *costs, *faults, *load, *speeds, *weights;	/* as written; NULL: not given */
	bool threads;			/* in real time */
	bool ranks;			/* --engine mpi: it is, too */
	const char *engine;
	unsigned processors;		/* 0: not given */
	unsigned intervals;		/* of --series */
	uint64_t tasks, seed;		/* tasks: of each processor */
	double grain;			/* mean time of a task, s */
};
extern struct sim sim;

/* The load, without polling and messages. */
struct load {
	uint64_t tasks;
	double work, longest;	/* the sum of their times, and the longest, at speed 1, s */
	double t_opt, t_nobal;	/* divided evenly; where the tasks are; s, each processor by its speed */
};

/* --engine mpi: begin; from then on only rank 0 writes to stdout.  And end. */
void ranks_begin(void);
void ranks_end(void);

/* The types of the tasks that loads are made of. */
unsigned load_types(const struct dls_task_type *const **type);
/* Read --load; then check it against P processors. */
void load_read(void);
void load_check(unsigned P);
/* Whether there are --tasks on each processor; whether --load names a file. */
bool load_drawn(void);
bool load_of_file(void);
/* Add the load to a machine whose processors have these speeds. */
struct load load_add(struct dls_machine *machine, const double *speed);

/* What the processors did with their time up to the end of the last task, per cent: the mean, the least and the most of them. */
struct part {
	double mean, least, most;
};
enum { PART_BUSY, PART_POLLING, PART_OVERHEAD, PART_SERVICE, PART_HELD, PART_IDLE, PARTS_N };

/* A run that is over.  Its inputs are in `sim`. */
struct run {
	const char *text;		/* the strategy as it was written */
	const struct dls_strategy *strategy;
	char net[64];
	struct load load;
	struct dls_run_result result;
	struct part part[PARTS_N];
};

/* A run that is to be done, and its command line. */
struct job {
	char *strategy;
	char *point;		/* of the sweep: "tasks=20 latency=0.001" */
	char *costs;		/* sim.costs, if the sweep has changed them */
	struct sim sim;
	uint64_t seeds;		/* jobs that differ in the seed alone, of which this is ... */
	bool last;		/* ... the last */
};
/* Make the jobs: each strategy of a list, each point of a sweep (NULL: none), each seed; returns how many. */
size_t jobs_make(const char *strategies, const char *sweep, const char *seeds, struct job **jobs);

/* Run a job in this process, and say how fast it was, if asked to. */
void job_run(const struct job *job, struct run *run);
/* Run them all, on all processors if `parallel`, and print them in their order; `done` of them are printed already. */
void jobs_run(const struct job *jobs, size_t n, size_t done, bool parallel);

/* Rows go to `file`.  several: text is a row for each run too, not a block. */
void print_begin(FILE *file, enum tool_format format, bool several);
void print_run(const struct job *job, const struct run *run);
void print_end(void);
/* "rid on hypercube:5: 32 processors, ..." with all inputs. */
void print_inputs(FILE *file, const struct run *run);
/* Read the rows that a file of CSV has already; leave the file behind the last whole one.  Returns how many runs they are. */
size_t print_resume(FILE *file, const char *name, const struct job *jobs, size_t n);

/* Figures of a row by columns, NAN: none; mean, deviation and 95 % interval of n rows. */
enum { COLUMNS_MAX = 64, SUMMARIES = 4 };
extern const char *const summary_name[SUMMARIES];
void summary_add(const double *figure, size_t columns);
void summary_forget(void);
size_t summary_take(double value[SUMMARIES][COLUMNS_MAX]);	/* and begin anew; returns n */

/* --series, --spans and --trace; NULL: not given.  Open the files; later run a machine like that of a run, and write them.  The
 * machine is then closed. */
void watch_begin(const char *series, const char *spans, const char *trace);
void watch_run(struct dls_machine *machine, const struct run *run, const double *speed);

void series_begin(const struct run *run);
void series_add(const struct dls_machine_event *event);
void series_end(FILE *file, const struct run *run);

void trace_begin(FILE *file, const struct run *run);
void trace_add(FILE *file, const struct dls_machine_event *event);
void trace_end(FILE *file);

/* Draw what a machine does: begin before it runs, end when it has, into an open file. */
void gantt_begin(struct dls_machine *machine);
void gantt_end(FILE *file, const struct run *run);

#endif
