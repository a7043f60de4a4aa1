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

/* Read --load; then check it against P processors. */
void load_read(void);
void load_check(unsigned P);
/* Whether --load names a file. */
bool load_of_file(void);
/* Add the load to a machine whose processors have these speeds. */
struct load load_add(struct dls_machine *machine, const double *speed);

/* A run that is over. */
struct run {
	const char *strategy;	/* as it was written */
	struct dls_machine *machine;
	struct load load;
	struct dls_run_result result;
};
void print_begin(enum tool_format format);
/* "rid on hypercube:5: 32 processors, ..." with all inputs. */
void print_inputs(FILE *file, const struct run *run);
void print_run(const struct run *run);
void print_end(void);

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
