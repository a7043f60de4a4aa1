/* study.h - a study: a file or options list what is compared, and where; each combination is a cell, run for
 * all seeds. */
#ifndef STUDY_H
#define STUDY_H

#include <inttypes.h>

#include "dls.h"
#include "bench/tool/tool.h"

/* A line "KEY VALUE" of the file, or an option; a list is a line for each of its values. */
struct study_line {
	const char *key, *value;
	size_t line;		/* 0: of an option */
};

enum { STUDY_LISTS = 5 };

struct cell {
	const char *value[STUDY_LISTS];	/* of each key that has a list; NULL: the default */
	char *files;		/* that it reads, with their checksums */
	char *key;		/* all that its rows depend on, in one line */
	char *rows;		/* CSV, without the head; NULL: it is still to be run */
	bool kept;		/* ... from the last time */
	size_t seeds;
	double *measured;	/* the measure, for each seed */
};

/* What may make two calculators deal alike. */
struct study_facts {
	bool equal;		/* workers have one speed, and tasks take what they are thought to */
	bool told;		/* calculators are told unequal weights */
	unsigned steps;		/* executions */
};

/* What is studied: machines by dls-sim, loops by dls-study. */
struct study;
struct study_kind {
	const char *option;		/* that names the file, for messages */
	/* Keys that have lists, NULL at the end: cells of a group differ in the first; groups differ in the
	 * others, and are ordered by the last, then by the one before it. */
	const char *const *list;
	const char *const *one;		/* keys that have one value; all keys are options of the tool */
	const char *group[2];		/* headings of what the cells of a group have in common */
	/* The text under one of these headings. */
	const char *(*group_text)(const struct study *study, const struct cell *cell, unsigned which);
	const char *first;		/* compared if the list is not given */
	const char *measure;		/* the default */
	const char *measures;		/* examples, for messages */
	bool (*is_measure)(const char *column);
	void (*set)(const char *key, const char *value);	/* take an option for all cells; ... */
	void (*settle)(void);					/* ... all are taken */
	const char *(*all)(size_t i);	/* what "all" of the first list stands for */
	size_t (*item)(const char *key, const char *list);	/* length of a list's first value */
	/* In a process of its own: check a cell (rows NULL), or write its rows as CSV; what depends on the
	 * run is in columns from "seed" on, and before "version". */
	void (*cell)(const struct cell *cell, FILE *rows);
	/* What the rows depend on, but for files and program. */
	void (*key)(const struct cell *cell, FILE *out);
	bool (*alone)(void);		/* runs are in real time: one after the other; NULL: they are not */
	void (*facts)(const struct cell *cell, struct study_facts *facts);
};

/* Cells are ordered by lists; a group is the cells that differ in the first list alone. */
struct study {
	const struct study_kind *kind;
	const char *said;	/* where the study is from, for messages: --study "u.study" */
	const char *file;	/* as given; NULL: options say all */
	const char *base;	/* with which the names of all outputs begin */
	struct study_line *line;
	size_t lines;
	const char *measure;	/* the column that is compared */
	size_t against;		/* the cell of each group to compare with; STUDY_BEST: the best */
	size_t compared, cells;	/* compared: cells of a group */
	struct cell *cell;
	const char *head;	/* of the CSV */
};
#define STUDY_BEST SIZE_MAX

/* study.c: run the study of a file, or of lines that options have given (file NULL); outputs go to `folder`,
 * which is made if need be, NULL: beside the file.  What is wrong ends the program. */
int study_main(const struct study_kind *kind, const char *file, const char *folder);
/* Give a line by an option, before study_main(). */
void study_option(const struct study_kind *kind, const char *key, const char *value);
/* The lines of a file, without blanks at their ends, comments and empty lines: `take` gets each. */
void study_lines(const char *option, const char *file, void (*take)(void *arg, char *text, size_t line),
		 void *arg);

/* run.c: run the cells that have no valid rows from the last time, and write NAME.csv and NAME.manifest. */
void study_cells(struct study *study);
/* The text of a row from a column of this name on; NULL: there is none. */
const char *study_cell(const struct study *study, const char *row, const char *column);
double study_number(const struct study *study, const char *row, const char *column);	/* NAN: it has none */

/* out.c: print what has come out, and write differences, table and figure. */
void study_show(const struct study *study);
/* The file of this ending, open for writing; study_close() ends the program if it could not be written. */
FILE *study_open(const struct study *study, const char *ending);
void study_close(const struct study *study, const char *ending, FILE *file);

/* equal.c: whether the runs of two cells are the same for every seed, in all that was measured; print the
 * cells for which they are. */
bool study_equal(const struct study *study, const struct cell *a, const struct cell *b);
void study_tell_equal(const struct study *study);

/* student.c: the mean of n values and half of its 95 % interval (Student's t), 0 if all values are the same;
 * t of the test that the true mean is 0, and p, the probability of a |t| at least as large if it is; both NAN
 * if all values are the same or n < 2. */
struct student {
	double mean, half, t, p;
	bool same;
};
struct student student(const double *value, size_t n);
double student_quantile(size_t v);	/* 97.5 %, v degrees of freedom */

/* progress.c: on a terminal, runs that take long show their progress.  Begin, with the number of runs; so
 * many more are over; whether progress is shown; what is done of the present run; clear the line before other
 * output; show nothing, in a child process. */
void progress_begin(size_t runs);
void progress_over(size_t runs);
bool progress_shown(void);
void progress_within(const char *text, uint64_t begun, uint64_t all, const char *what);
void progress_clear(void);
void progress_off(void);

#endif
