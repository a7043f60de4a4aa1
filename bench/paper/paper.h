/* paper.h - an experiment of dls-paper: a table or figure of a paper, rebuilt.
 *
 * An experiment is one file that defines one struct paper_experiment, and its name in list.h.  It runs its cases, fills one
 * table, and judges figures that are not in the table.  The rest is common: the table is printed, its figures are compared
 * with the paper's and with those of the last version, and the picture is drawn from it.
 *
 * Of each figure three things are said.  Its distance from the paper's: it "agrees" within a tenth, unless said otherwise, or if
 * it is as the paper says without a figure; else it does not reproduce, and the reason is printed.  Its regression: it is as
 * before.h has it, which `make papers-renew` writes, or it has changed; --check fails on this alone.  Its basis: it is calibrated
 * by a constant of constants.c, which was chosen so that this figure fits, or predicted. */
#ifndef PAPER_H
#define PAPER_H

#include <math.h>
#include <stddef.h>

#include "bench/tool/tool.h"
#include "dls/machine.h"
#include "dls/strategy.h"

/* The picture of --plot, from the table: curves where x is a column of numbers, or not a column while the names of the ys are
 * numbers; else bars, a line for each x, or each row without x.  The paper's figures are drawn as well. */
struct paper_picture {
	const char *title;
	const char *y;			/* names of columns, blanks between */
	const char *x;
	const char *of;			/* the column whose texts tell the curves, or kinds of bar, apart; NULL: the ys do */
	const char *by;			/* the column whose texts tell panels apart */
	const char *split, *panel[2];	/* without `by`: a curve whose name ends by `split` is in the second panel, without it */
	const char *low, *high;		/* columns with the limits of y; NULL: confidence intervals, where there are some */
	const char *value;		/* what y is, on its axis; NULL: the head of its column */
	bool log_x, log_y;
	bool dots;			/* neither curves nor bars */
	bool beside;			/* rows alone of which the paper has y */
	bool tornado;			/* a panel for each y: its range over the rows of one label, from that of the first row */
	bool first_seed;		/* it shows the first seed's run */
};

struct paper_experiment {
	const char *name;		/* "wlr93-table4" */
	const char *what;		/* it shows; one line */
	uint64_t first, last;		/* seeds, unless --seeds says others; both 0: it draws nothing at random */
	void (*run)(void);
	const struct paper_column *column;	/* of its table */
	const char *note;		/* printed after the table, in text */
	struct paper_picture picture;
	bool one_seed;			/* it has no use for several */
	bool medians;			/* it prints medians over the seeds, not means */
	bool real_time;			/* the table is not the same twice */
	bool again;			/* its figures are those of other experiments, run otherwise */
	const char *nearest;		/* readings or loads that come nearest to what does not reproduce; without a full stop */
};

#define X(name) extern const struct paper_experiment paper_##name;
#include "bench/paper/list.h"
#undef X

/* The command line. */
struct paper {
	uint64_t first;		/* of the seeds first .. first + seeds - 1 */
	size_t seeds;
	enum tool_format format;
	bool record;		/* print what goes into before.h, and nothing else */
	bool figures;		/* print the figures beside the paper's in place of the table */
	bool by_seed;		/* print the table of each seed, then means, deviations and intervals */
};
extern struct paper paper;

/* A column of the table. */
struct paper_column {
	const char *name, *head;	/* in CSV and JSON; in text, NULL: the same */
	const char *format;		/* of numbers, in text; elsewhere they have seven digits, but after a '='; NULL: texts */
	size_t member;			/* offset in a struct of doubles, for paper_run_row() */
	bool key;			/* it names the row, as texts do */
	bool data;			/* in CSV and JSON alone */
	double within;			/* > 0: after the paper's figure, from which it may differ by this part */
	const char *why;		/* it need not agree */
	const char *theirs;		/* name of the paper's in CSV; NULL: the name and "_paper" */
	const char *by;			/* constant by which its figures are calibrated; NULL: they are predicted */
};
#define PAPER_EXACT 1e-9
#define COLUMN_TEXT(name, head) { name, head, NULL, .key = true }
#define COLUMN_KEY(name, head) { name, head, "%.0f", .key = true }
#define COLUMN(name, head, format) { name, head, format, .within = 0 }
#define COLUMN_BY(name, head, format, reason, constant) { name, head, format, .within = 0.1, .why = reason, .by = constant }
#define COLUMN_BOTH(name, head, format, reason) COLUMN_BY(name, head, format, reason, NULL)
#define COLUMN_EXACT(name, head, format, reason) { name, head, format, .within = PAPER_EXACT, .why = reason }
#define COLUMN_MEMBER(of, m, head, format) { #m, head, format, .member = offsetof(of, m) }
#define COLUMN_MEMBER_BY(of, m, head, format, reason, constant) \
	{ #m, head, format, offsetof(of, m), .within = 0.1, .why = reason, .by = constant }

/* The columns of a table; the last has no name. */
#define COLUMNS(...) static const struct paper_column column[] = { __VA_ARGS__, { .name = NULL } }

/* Begin the table; columns stay as they are. */
void paper_table(const struct paper_column *column);

/* A row: its texts, and its numbers, the paper's before those found here; NAN is an empty cell. */
#define TEXTS(...) sizeof((const char *const []){ __VA_ARGS__ }) / sizeof(char *), (const char *const []){ __VA_ARGS__ }
#define FIGURES(...) sizeof((const double []){ __VA_ARGS__ }) / sizeof(double), (const double []){ __VA_ARGS__ }
void paper_row(size_t texts, const char *const *text, size_t figures, const double *figure);
/* The numbers are members of two structs: the paper's, where 0 is an empty cell, and that found here. */
void paper_run_row(size_t texts, const char *const *text, const void *theirs, const void *ours);
double paper_member(const void *run, size_t member);
/* Half of the confidence interval of a member of means that paper_mean() made, at 95 per cent; 0: none is known. */
double paper_half(const void *mean, size_t member);
/* Half of the interval of a column in the row last begun, where the row is not of paper_run_row(). */
void paper_interval(const char *column, double half);
/* The quantile of Student's t for a two-sided interval of 95 per cent, by the degrees of freedom. */
double paper_student(double degrees);
/* Why the row last begun does not agree with the paper, in place of the columns' reasons. */
void paper_why(const char *why);

/* Figures of the row last begun, in columns that say by which constant they are calibrated, are calibrated by this one; NULL:
 * predicted.  What is arithmetic stays so. */
void paper_row_by(const char *constant);
/* The figure that the last paper_figure() or paper_claim() has told is calibrated by this constant. */
void paper_by(const char *constant);

/* A paragraph before or after the table: in text alone. */
void paper_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Figures that are not in the table, named by a format and its arguments.  One that the paper has, with the part of it by which
 * ours may differ; one of which the paper says what it is, ends included, without a figure; and one to be as before alone.
 * why: it need not agree; NULL: it must. */
#define paper_figure(theirs, within, ours, why, ...) paper_line(theirs, within, NAN, NAN, ours, why, __VA_ARGS__)
#define paper_claim(low, high, ours, why, ...) paper_line(NAN, 0, low, high, ours, why, __VA_ARGS__)
#define paper_before(ours, ...) paper_line(NAN, 0, NAN, NAN, ours, NULL, __VA_ARGS__)
void paper_line(double theirs, double within, double low, double high, double ours, const char *why, const char *format, ...)
	__attribute__((format(printf, 7, 8)));

/* Run job(arg, i) for i = 0 .. n - 1, in any order and on several threads: each writes to a place of its own. */
void paper_each(void (*job)(void *arg, size_t i), void *arg, size_t n);

/* Memory, all 0, that lasts until the program ends.  Threads: the first alone. */
void *paper_keep(size_t n, size_t size);

/* Cases, each to be run under all seeds of the command line, and what a run gives: a struct of doubles, all 0 before. */
struct paper_runs {
	void (*run)(const void *one, uint64_t seed, void *figures);
	bool (*drawn)(const void *one);	/* whether it depends on the seed: others run once; NULL: all do */
	const void *cases;
	size_t case_size, n, run_size;
};
#define PAPER_RUNS(f, c, count, type) \
	&(struct paper_runs){ .run = f, .cases = c, .case_size = sizeof(*(c)), .n = count, .run_size = sizeof(type) }

/* Run them.  Returns the run of case c under the k-th seed at c * paper.seeds + k; the means over the seeds, by case;
 * both from paper_keep(). */
void *paper_runs(const struct paper_runs *runs);
void *paper_means(const struct paper_runs *runs);
/* The means of n runs; median, least and most of a member, of the runs of a case. */
void paper_mean(const void *runs, size_t run_size, size_t n, void *mean);
struct tool_spread paper_spread(const void *runs, size_t run_size, size_t member);

/* End the program with what failed, if the code is not 0. */
void paper_need(int code, const char *what);

/* Open a machine; run it and take its result.  The program ends if it cannot. */
struct dls_machine *paper_machine(const struct dls_machine_desc *desc);
void paper_machine_run(struct dls_machine *machine, const char *what, struct dls_run_result *result);

/* The sum of a run's messages, or of a strategy's counters, of these names, blanks between them; NAN: there are none such. */
#define paper_kind(strategy, result, names) paper_sum((strategy)->kind, (result)->kind, DLS_KINDS_MAX, names)
#define paper_counter(strategy, result, names) paper_sum((strategy)->counter, (result)->counter, DLS_COUNTERS_MAX, names)
double paper_sum(const char *const *name, const uint64_t *value, size_t n, const char *names);

/* For paper.c and what it is made of. */

extern const struct paper_experiment *const paper_experiments[];
extern const size_t paper_experiments_n;
/* Run one, and print it. */
void paper_experiment_run(const struct paper_experiment *experiment);
/* Run all that are not there yet, into a folder, with their own seeds or those of the command line; returns the exit status.
 * The page of what is there; the part of it about the one that has run. */
int paper_report(const char *folder, bool own_seeds);
void paper_report_page(FILE *out, const char *folder);
void paper_page(FILE *out, const struct paper_experiment *experiment, const char *svg);

struct paper_cell {
	char text[96];
	double value;
	double half;	/* of its confidence interval over the seeds; 0: none is known */
};
/* The table: cells of column c at place[c], the paper's one before. */
struct paper_rows {
	const struct paper_column *column;
	size_t columns, cells, rows, *place;
	struct paper_cell *cell;
	const char **why;	/* of each row */
	const char **by;	/* likewise; "": predicted; NULL: as the columns say */
};
extern struct paper_rows paper_rows;
const struct paper_cell *paper_cell(size_t row, size_t column, bool theirs);
const char *paper_head(const struct paper_column *column);
const struct paper_column *paper_column(const char *name, size_t length);
void paper_label(size_t row, char *text, size_t size);	/* what the row is about: "mm, nodes 3" */
uint32_t paper_row_hash(size_t row);
#define PAPER_HASH UINT32_C(2166136261)	/* of nothing */
uint32_t paper_hash(uint32_t hash, const char *text);
void paper_table_end(void);	/* print it, unless that is done */
void paper_table_print(FILE *out, enum tool_format format);
enum { PAPER_TEXT = 96 };
/* A column's name in CSV and JSON. */
void paper_column_name(const struct paper_column *c, bool theirs, char to[PAPER_TEXT]);
/* A cell as it is printed, in `to` if it is a number. */
const char *paper_cell_text(size_t row, size_t column, bool theirs, bool text, char to[PAPER_TEXT]);

/* Judge the figures, once the table is complete.  Then: the judgement, in text; the exit status of --check; the lines of
 * before.h. */
void paper_judge(const struct paper_experiment *experiment);
void paper_print_check(const struct paper_experiment *experiment);
void paper_print_figures(const struct paper_experiment *experiment);
int paper_check(const struct paper_experiment *experiment);
/* The k-th figure that is judged, those apart from the table first; false: there is none. */
struct paper_judged {
	const char *what, *why;
	size_t row;
	const struct paper_column *column;	/* NULL: apart from the table */
	double theirs, low, high, ours;		/* low NAN: it is to be as before alone */
	bool agrees;
	const char *by;		/* the constant by which it is calibrated; NULL: it is predicted */
};
bool paper_judged(size_t k, struct paper_judged *judged);
size_t paper_changed(void);	/* rows and figures that are not as before */
void paper_print_record(const struct paper_experiment *experiment);
void paper_lines_clear(void);

/* table.c: print the rows of a seed; then of all the mean, the deviation, and the ends of the mean's 95 % interval.  The rows are
 * gone after each. */
void paper_seed_rows(uint64_t seed);
void paper_seeds_end(void);

/* recorded.c: what before.h has of an experiment.  Print that of all, and the columns of all. */
struct paper_recorded {
	const char *name;
	size_t agree, differ;	/* of the paper's figures and statements */
	const char *verdicts;	/* a hash of the columns' names, and of those that differ, with distances */
	const char *hashes;	/* of rows and figures, one after the other */
};
enum { PAPER_DIGITS = 6 };	/* of a hash in before.h */
const struct paper_recorded *paper_recorded(const struct paper_experiment *experiment);
void paper_print_verdicts(void);
void paper_print_columns(void);

#define PAPER_ARITHMETIC "arithmetic"

/* constants.c: the name of a constant, which must be in its table; print the table, also as a part of a web page. */
const char *paper_constant(const char *name);
void paper_print_constants(void);
void paper_html_constants(FILE *out);

/* The picture goes to this file; the program ends if it cannot.  A point of the picture:
 * of the paper alone, beside the table's, or in place of all of these. */
void paper_plot_begin(const char *file);
void paper_point(const char *panel, const char *curve, double x, double theirs, double ours);
void paper_plot_end(const struct paper_experiment *experiment);

#endif
