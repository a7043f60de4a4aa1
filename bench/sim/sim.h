/* sim.h - what the files of dls-sim share. */
#ifndef SIM_H
#define SIM_H

#include <inttypes.h>

#include "dls.h"
#include "dls/machine.h"
#include "dls/strategy.h"
#include "bench/tool/tool.h"

/* The command line. */
struct sim {
	const char *net, *costs, *faults, *load, *speeds, *weights, *platform;	/* as written; NULL: not given */
	const char *spend;		/* on threads; NULL: not given */
	bool threads;			/* in real time: --engine threads or mpi */
	bool ranks;			/* --engine mpi */
	const char *engine;
	unsigned processors;		/* 0: not given */
	unsigned intervals;		/* of --series */
	uint64_t tasks, seed;		/* tasks: of each processor */
	uint64_t bytes;			/* of a task in a message */
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
/* The type of tasks of so many bytes that take their cost; add such a task, which comes `at` ns after the begin. */
const struct dls_task_type *load_type(uint64_t bytes);
void load_put(struct dls_machine *machine, unsigned processor, const struct dls_task *task, uint64_t at);

/* Tasks that wait for others: graph=FILE. */
bool graph_is(void);
void graph_read(void);
struct load graph_add(struct dls_machine *machine, const double *speed);
/* Tasks that come over time: poisson, trace=FILE. */
bool arrive_is(void);
bool arrive_drawn(void);
void arrive_read(void);
void arrive_check(unsigned P);
struct load arrive_add(struct dls_machine *machine, const double *speed);

/* --platform: read the file once; its description, speeds relative to the fastest host's, and names of links.  NULL: not given. */
struct dls_platform;
void platform_read(void);
const struct dls_platform *platform_given(void);
const double *platform_speeds(void);
unsigned platform_links(void);
const char *platform_link_name(unsigned link);

/* What the processors did with their time up to the end of the last task, per cent: the mean, the least and the most of them. */
struct part {
	double mean, least, most;
};
enum { PART_BUSY, PART_POLLING, PART_OVERHEAD, PART_SERVICE, PART_HELD, PART_IDLE, PARTS_N };

/* The traffic of one link. */
struct traffic {
	uint64_t messages, bytes;
	double busy, waited;		/* s */
};

/* A run that is over.  Its inputs are in `sim`. */
struct run {
	const char *text;		/* the strategy as it was written */
	const struct dls_strategy *strategy;
	char net[64];
	struct load load;
	struct dls_run_result result;
	struct part part[PARTS_N];
	struct traffic *traffic;	/* of each link of the platform; NULL: there is none */
};

/* A run that is to be done, and its command line. */
struct job {
	const char *given;	/* the strategy as the command line has it */
	const char *strategy;	/* the strategy with the sweep's parameters */
	const char *point;	/* of the sweep: "tasks=20 latency=0.001" */
	const char *costs;	/* sim.costs, if the sweep has changed them */
	struct sim sim;
	uint64_t seeds;		/* how many jobs differ in the seed alone */
	bool last;		/* this is the last of them */
};
/* Make the jobs: each strategy of a list, each point of a sweep (NULL: none), each seed; returns how many. */
size_t jobs_make(const char *strategies, const char *sweep, const char *seeds, struct job **jobs);

/* Run a job in this process; run->traffic has room for all links.  Under --speed, print how fast it was. */
void job_run(const struct job *job, struct run *run);
/* Run all jobs, on all processors if `parallel`, and print their results in the order of the jobs. */
void jobs_run(const struct job *jobs, size_t n, bool parallel);
void jobs_in_turn(const struct job *jobs, size_t n);	/* ... in this process */

/* The runs of one strategy, net, load and platform (NULL: the default) for all seeds: print their rows to a file; only check them if it is NULL.
 * In a process of its own, as what a load has read stays. */
void sim_cell(const char *strategy, const char *net, const char *load, const char *platform, FILE *file);
/* Take an option's value, for all cells; when all are taken, set what depends on them, load the plug-in. */
void sim_set(const char *option, const char *value);
void sim_settle(void);
/* As --seed was given. */
const char *sim_seeds(void);

/* Show the progress of this run. */
void progress_run(struct dls_machine *machine, const struct run *run);

/* Rows go to `file`.  several: text is a row for each run too, not a block. */
void print_begin(FILE *file, enum tool_format format, bool several);
void print_run(const struct job *job, const struct run *run);
void print_end(void);
/* "rid on hypercube:5: 32 processors, ..." with all inputs. */
void print_inputs(FILE *file, const struct run *run);
/* Read the rows that a file of CSV has already; leave the file behind the last whole one.  Returns how many runs they are. */
size_t print_resume(FILE *file, const char *name, const struct job *jobs, size_t n);

/* The place of a figure in a row; COLUMNS_MAX: there is none of this name. */
enum { COLUMNS_MAX = 64 };
size_t print_column(const char *name);

/* Figures of a row by columns, NAN: none; mean, deviation and 95 % interval of n rows.  Rows that all agree are of a deterministic run. */
enum { SUMMARIES = 4 };
extern const char *const summary_name[SUMMARIES];
void summary_add(const double *figure, size_t columns);
void summary_forget(void);
bool summary_deterministic(const double *figure, size_t columns);	/* those added so far, and these */
void summary_take(double value[SUMMARIES][COLUMNS_MAX]);	/* and begin anew */

/* A way to show a run in a file, an option.  The run is over when `begin` is called; then `add` gets its events.
 * NULL: nothing is to be done. */
struct watch_way {
	const char *option;
	bool several;			/* runs in one file */
	void (*open)(FILE *file, const char *name);
	void (*begin)(const struct run *run, const struct dls_net *net);
	void (*add)(const struct dls_machine_event *event);
	void (*end)(FILE *file);
	void (*close)(FILE *file);	/* all runs are over */
};
extern const struct watch_way gantt_way, heat_way, messages_way, html_way, series_way, trace_way;

/* All of them. */
enum { WATCH_GANTT, WATCH_HEAT, WATCH_MESSAGES, WATCH_HTML, WATCH_SERIES, WATCH_SPANS, WATCH_TRACE, WATCH_N };
enum { WATCH_RUNS = 16 };	/* at most, of those that show several */
struct watch {
	const struct watch_way *way;
	const char *name;		/* NULL: not given */
	FILE *file;
};
extern struct watch watch[];

bool watch_any(void);
void watch_look(size_t runs);	/* refuse files of one run for several */
void watch_open(void);
/* Repeat a run on another machine like the run's, and show it; that machine is then closed. */
void watch_run(struct dls_machine *machine, const struct run *run, const double *speed);
/* On threads: before the run, and when it is over. */
void watch_keep(struct dls_machine *machine);
void watch_kept(const struct dls_net *net, const struct run *run);
void watch_close(void);

void html_check(const char *name, unsigned P);

/* study.c: --study. */
struct study_kind;
extern const struct study_kind machines;

/* The phases of a run, for the page: begin; add a message that was received; write them. */
void phases_begin(const struct dls_strategy *strategy, const struct dls_net *net);
void phases_add(const struct dls_machine_event *received);
void phases_end(FILE *file);

#endif
