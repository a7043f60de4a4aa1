/* study.h - dls-sim --study: a file of strategies, nets and loads; each combination of them is a cell, run for all seeds. */
#ifndef STUDY_H
#define STUDY_H

#include "sim.h"

/* "KEY VALUE" of the file; of a key that has a list, one value of it. */
struct study_line {
	const char *key, *value;
	size_t line;
};

struct cell {
	const char *strategy, *net, *load, *platform;	/* NULL: the default */
	char *files;		/* that it reads, with their checksums */
	char *key;		/* all that its rows depend on, in one line */
	char *rows;		/* CSV, without the head; NULL: it is still to be run */
	bool kept;		/* ... from the last time */
	size_t seeds;
	double *value;		/* the measure, for each seed */
};

/* Cells are ordered by loads, platforms, nets, strategies: a group is the cells of one load, platform and net. */
struct study {
	const char *file;	/* as given */
	const char *base;	/* its name without what is behind the last dot, with which all outputs begin */
	struct study_line *line;
	size_t lines;
	const char *measure;	/* the figure that is compared: a column; and its place */
	size_t column;
	size_t against;		/* the strategy of each group that the others are compared with */
	size_t strategies, cells;
	struct cell *cell;
	const char *head;	/* of the CSV */
};

/* study.c: read a file and make its cells; what is wrong with it ends the program. */
void study_read(struct study *study, const char *file);
/* The values of a key that has a list: the next one behind `at`, which begins with NULL. */
const struct study_line *study_next(const struct study *study, const char *key, const struct study_line *at);

/* study_run.c: run the cells, but for those whose rows the last time has left, and write NAME.csv and NAME.manifest. */
void study_cells(struct study *study);

/* study_out.c: print what has come out, and write differences, table and figure. */
void study_show(const struct study *study);
/* The file of this ending, open for writing; study_close() ends the program if it could not be written. */
FILE *study_open(const struct study *study, const char *ending);
void study_close(const struct study *study, const char *ending, FILE *file);

/* student.c: mean of n values and half of its 95 % interval (Student's t), 0 if they are all the same; t of its distance from 0,
 * and the probability of a larger one if it were 0, NAN if they are all the same or n < 2. */
struct student {
	double mean, half, t, p;
	bool same;
};
struct student student(const double *value, size_t n);
double student_quantile(size_t v);	/* 97.5 %, v degrees of freedom */

#endif
