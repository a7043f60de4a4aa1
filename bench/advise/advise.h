/* advise.h - what the files of dls-advise share. */
#ifndef ADVISE_H
#define ADVISE_H

#include <jansson.h>

#include "bench/tool/tool.h"
#include "lib/report/advice.h"

/* A loop, as far as files tell of it. */
struct loop {
	char *name;
	unsigned workers;			/* the most; what follows is of executions by so many */
	struct dls__profile_sums profile;
	struct dls__bars bars;			/* of the file that has the most; none: not known */
	double *speed;				/* of each worker */
	struct dls__speed *learned;		/* what traces tell of each worker's speed */
	double busy_mean, busy_longest;		/* sums over executions, s */
	double wall, saving;			/* sums, s; part of wall that a perfect balance saves */
	double executions;			/* how many executions these sums are of */
	double threads, dispatch;		/* sums, s, of all threads; the part spent dispatching */
	const char *now;			/* the schedule in force last; NULL: not known */
	bool ordered;				/* asks for chunks in order, whatever auto made of it */
	bool parts;				/* an unmodified program's runtime dealt: no chunk is known */
	bool blocks;				/* an unmodified program's runtime dealt static blocks */
	enum dls__reach reach;			/* what another schedule needs, the most that a report says */
	const char *of;				/* DLS__REACH_PHASE: the loop in it; NULL: not known */
	const char *repeat;			/* the schedule that repeats auto's choice; NULL: none */
	struct dls__tried *tried;		/* by any number of workers */
	unsigned trieds;
	struct dls__taken alone;
	double share;				/* of the program's time, the most that a report says; 0: not known */
	double time[DLS__BUCKETS];		/* for `known` */
	struct dls__known known;
	struct dls__advice advice;
};

struct loops {
	struct loop *loop;
	size_t n;
};

/* The loop of a name; it is made if it is new. */
struct loop *loop_named(struct loops *loops, const char *name);
/* What it took under a schedule. */
void loop_tried(struct loop *loop, const char *schedule, const struct dls__taken *taken);
/* Have the loop be known by so many workers; false: more are known already. */
bool loop_workers(struct loop *loop, unsigned workers);

/* Read a file that DLS_TRACE or DLS_REPORT has written; any other file ends the program. */
void read_file(struct loops *loops, const char *file);

/* Replace control characters. */
void printable(char *text);

/* A file's name and where in it something is wrong; ends the program. */
_Noreturn void read_die(const char *file, uint64_t value, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* A member of an object: a finite number from min to max; what is missing or null is `otherwise`, unless that is NAN. */
struct place {
	const char *file;
	uint64_t value;			/* which object of the file, from 1 */
};
double read_number(const struct place *at, const json_t *object, const char *name, double min, double max, double otherwise);
/* NULL: it is missing or null. */
const char *read_text(const struct place *at, const json_t *object, const char *name);

/* A loop of a report. */
void report_take(struct loops *loops, const struct place *at, const json_t *site);

/* The events of a trace: one after the other, then all together. */
struct trace;
struct trace *trace_open(void);
void trace_take(struct trace *trace, const struct place *at, const json_t *event);
void trace_close(struct trace *trace, struct loops *loops);

void print_loops(const struct loops *loops, enum tool_format format);
void page_loops(FILE *file, const struct loops *loops);

/* Run a program, advise on its loops, each of which takes some share of its time, and run it in turn without the advice and with it. */
void verify(char **command, unsigned rounds, enum tool_format format, void (*advise)(struct loop *loop));

void free_loops(struct loops *loops);

#endif
