/* chunks.h - what the files of dls-chunks share. */
#ifndef CHUNKS_H
#define CHUNKS_H

#include <inttypes.h>

#include "dls.h"
#include "bench/tool/tool.h"

/* Most rows of --csv and --json, and most sizes asked of one calculator that cannot repeat. */
#define ROWS_MAX 10000000u

/* Most iterations of a loop that is run in virtual time. */
#define RUN_MAX 10000000u

/* The table shows HEAD runs of equal chunks from the start of a long sequence, and TAIL from its end. */
enum { HEAD = 20, TAIL = 4 };

struct run {
	uint64_t size, times;
};

/* How a schedule's sequence is found. */
enum found {
	WALKED,		/* by its calculator alone */
	IN_TURN,	/* workers draw from a loop, one after the other */
	TIMED,		/* in virtual time workers draw from a loop, each when its last chunk has ended */
	MEASURED	/* a program ran it: the chunks are those of a trace */
};

/* Schedules of one kind, which share a panel of the picture. */
enum family { FIXED, DECREASING, FACTORING, WEIGHTED, ADAPTIVE, STEALING, OTHER, FAMILIES };

/* A schedule and what its sequence comes to. */
struct row {
	const char *label;
	struct dls_schedule *schedule;	/* NULL: MEASURED, of a schedule without a calculator */
	const struct dls_calc *calc;
	enum found found;
	enum family family;
	char missing[32];	/* what the named schedule lacks, so that its fallback runs; "": nothing */
	uint64_t chunks, largest, smallest, runs;
	bool endless;		/* more than ROWS_MAX steps: the figures are those of the first */
	double time;		/* TIMED, MEASURED: when the last worker finishes, s; else NAN, as the next four */
	double cov, imbalance;	/* of finishing times; of busy times, per cent */
	double efficiency;	/* time of the iterations, spread perfectly, / time */
	double predicted;	/* time by dls_predict(), s; NAN also where it is not known */
	struct run shown[HEAD + TAIL];
};

extern uint64_t chunks_n;	/* iterations */
extern unsigned chunks_p;	/* workers */
extern unsigned chunks_steps;	/* executions, the last of which is shown */
extern double chunks_overhead;	/* time of one dispatch, s */
extern bool chunks_timed;	/* every schedule is run in virtual time */

/* resolve.c: a value that the command line gives to schedules that need it and do not have it in their text;
 * `probe`: a schedule that takes the key, parsed to check the value. */
struct told {
	const char *option, *key, *probe;
	unsigned need;
	const char *value;
};
enum { TOLD_MU, TOLD_SIGMA, TOLD_OVERHEAD, TOLD_WEIGHTS, TOLD };
extern struct told told[TOLD];
/* Refuse a value that its probe does not accept. */
void chunks_check(const struct told *t);
/* If --weights gives some workers a weight, give the other workers 1. */
void chunks_complete_weights(void);
/* Make the times that are asked for, and give their moments to schedules for which there are no others. */
void chunks_times(void);
/* Parse a schedule, with the values of the command line that it needs; if it needs others, its fallback. */
void chunks_resolve(struct row *row, const char *name);

/* The times of the loop's iterations, s, for a worker of speed 1. */
struct times {
	const char *name;	/* a distribution's, or a file's */
	double mu, sigma;	/* as asked for; sigma < 0: not given */
	uint64_t seed;
	double mean, deviation;	/* of those made */
};
extern struct times times;
void times_make(void);		/* make them as asked for, for iterations 0 .. chunks_n - 1 */
void times_measured(void);	/* take them from the trace: all iterations of a chunk have the same */
double times_of(uint64_t begin, uint64_t end);
bool times_drawn(void);		/* whether they depend on the seed */
void times_print(FILE *out);

void speeds_parse(const char *text);
double speed_of(unsigned worker);
void speeds_print(FILE *out);

/* A chunk that a worker of a trial got. */
struct chunk {
	uint64_t begin, size;
	unsigned worker;
	double start, time;	/* s: when it began, after the loop's begin; how long it took; IN_TURN: NAN */
	double dispatch;	/* from the request to `start`, s */
};

/* An execution of a loop, as a trace has it. */
struct trace {
	const char *file;	/* NULL: there is no trace */
	bool report;		/* the file is a report: the buckets of a loop's profile stand for chunks */
	char *site, *ran;	/* the loop's name; its schedule */
	uint64_t number;	/* which of the loop's executions in the file, from 1 */
	uint64_t iterations;
	unsigned workers;
	struct chunk *chunk;	/* in the order in which they were asked for */
	size_t chunks;
	double *came, *left;	/* of each worker, s */
	double dispatch;	/* mean, s */
};
extern struct trace trace;
/* loop NULL: the loop that took the most time; execution 0: the loop's last execution. */
void trace_read(const char *file, const char *loop, uint64_t execution);

/* A loop that the library deals, in one thread that acts for all workers; MEASURED: the trace's chunks. */
struct trial *trial_begin(const struct row *row);
bool trial_next(struct trial *trial, struct chunk *chunk);	/* in the order in which they were asked for */
void trial_figures(struct trial *trial, struct row *row);	/* of a TIMED or MEASURED one, which is run to its end */
/* When a worker came and left, s after the loop's begin; only once the trial is over. */
void trial_worker(const struct trial *trial, unsigned worker, double *came, double *left);
void trial_end(struct trial *trial);

/* Predict the execution of a TIMED row, whose time is known. */
void chunks_predict(struct row *row);

/* A schedule's sequence, read run by run; to be freed by chunks_end(). */
struct walk {
	const struct dls_calc *calc;
	struct trial *trial;	/* NULL: the calculator is asked */
	uint64_t state[DLS_STATE_MAX / 8];
	uint64_t min, R, steps;
	bool cut;		/* what remains is the last repetition, cut short by the loop's end */
	struct run ahead;	/* the next run; times = 0: the end */
};
void chunks_begin(struct walk *walk, const struct row *row);
bool chunks_next(struct walk *walk, struct run *run);
void chunks_end(struct walk *walk);

/* Fill in the figures of a row. */
void chunks_survey(struct row *row);

/* Whether a calculator draws shares of tickets by weights that it does not learn. */
bool takes_weights(const struct dls_calc *calc);
/* Whether a schedule says KEY=. */
bool says(const struct dls_schedule *schedule, const char *key);
enum family chunks_family(const struct dls_schedule *schedule);

/* What the loop is, in one line; malloc'ed. */
char *chunks_loop(void);

void chunks_print_text(const struct row *row, size_t rows);
void chunks_print_rows(const struct row *row, size_t rows, enum tool_format format);
void chunks_plot(const struct row *row, size_t rows, const char *file);
void chunks_html(const struct row *row, size_t rows, const char *file);

#endif
