/* paper.h - an experiment of dls-paper: a table or figure of a paper, rebuilt.
 *
 * An experiment is one file that defines one struct paper_experiment, and its name in list.h.  It runs its cases, fills one
 * table, and judges figures that are not in the table.  The rest is common: the table is printed, its figures are compared
 * with the paper's and with those of the last version, and the picture is drawn from it.
 *
 * Each figure that the paper has too is of a kind: a number that the paper prints as a result, which is
 * counted once, or something else.  ledger.c says how far a number is from the paper's, and on which
 * constants of constants.c it rests.  Apart from that, --check compares every row and figure with those that
 * before.h records; `make papers-renew` writes before.h. */
#ifndef PAPER_H
#define PAPER_H

#include "bench/tool/tool.h"
#include "dls/machine.h"
#include "dls/strategy.h"

/* The picture of --plot, from the table: curves if x is a column of numbers, or no column and y's names are
 * numbers; else bars, a line for each x or, without x, each row.  The paper's figures are drawn as well. */
struct paper_picture {
	const char *title;
	const char *y;			/* names of columns, blanks between */
	const char *x;
	const char *of;			/* the column whose texts tell the curves, or kinds of bar, apart; NULL: the ys do */
	const char *by;			/* the column whose texts tell panels apart */
	const char *split, *panel[2];	/* without `by`: curves whose names end in `split` are in panel[1] */
	const char *low, *high;		/* columns with the limits of y; NULL: confidence intervals, where there are some */
	const char *value;		/* what y is, on its axis; NULL: its column's name */
	const char *x_value;		/* what x is, likewise; NULL: its column's head */
	bool log_x, log_y;
	bool dots;			/* neither curves nor bars */
	bool beside;			/* only rows for which the paper has y */
	bool first_seed;		/* it shows the first seed's run */
};

struct paper_experiment {
	const char *name;		/* "wlr93-table4" */
	const char *what;		/* it shows; one line */
	uint64_t first, last;		/* seeds, unless --seed says others; both 0: nothing is random */
	void (*run)(void);
	const struct paper_column *column;	/* of its table */
	const char *note;		/* printed after the table, in text */
	struct paper_picture picture;
	bool medians;			/* it prints medians over the seeds, not means */
	unsigned averaged;		/* runs of which the paper's numbers are means; 0: 1 */
	const char *nearest;		/* what comes nearest to the figures not reproduced; no full stop */
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

/* What the paper's figure beside ours is. */
enum paper_kind {
	PAPER_ALONE,		/* there is none */
	PAPER_NUMBER,		/* a result that the paper prints */
	PAPER_AGAIN,		/* such a result told again, under another reading, or what is worked out of such results */
	PAPER_STRUCTURE,	/* what follows from a rule of the paper */
	PAPER_INPUT,		/* what the paper puts in */
	PAPER_STATEMENT,	/* what the paper says in words */
	PAPER_OWN,		/* what we say, of what the paper has not run */
};

/* A column of the table. */
struct paper_column {
	const char *name, *head;	/* in CSV and JSON; in text, NULL: the same */
	const char *format;		/* of numbers; CSV and JSON have %.7g, but after '='; NULL: texts */
	size_t member;			/* offset in a struct of doubles, for paper_run_row() */
	bool key;			/* it names the row, as texts do */
	bool data;			/* in CSV and JSON alone */
	enum paper_kind kind;		/* of the paper's figure, which stands before ours */
	double unit;			/* of the last digit that the paper prints */
	unsigned digits;		/* the paper prints so many at most; 0: any number */
	const char *why;		/* why it is beyond 10 % */
	const char *theirs;		/* name of the paper's in CSV; NULL: the name and "_paper" */
};
#define COLUMN_TEXT(name, head) { name, head, NULL, .key = true }
#define COLUMN_KEY(name, head) { name, head, "%.0f", .key = true }
#define COLUMN(name, head, format) { name, head, format, .kind = PAPER_ALONE }
/* A column of a kind and a unit; other members of struct paper_column may follow. */
#define COLUMN_OF(k, name, head, format, ...) { name, head, format, .kind = PAPER_##k, .unit = __VA_ARGS__ }
#define COLUMN_MEMBER(of, m, head, format) { #m, head, format, .member = offsetof(of, m) }
#define COLUMN_MEMBER_OF(k, of, m, head, format, ...) \
	{ #m, head, format, offsetof(of, m), .kind = PAPER_##k, .unit = __VA_ARGS__ }

/* The columns of a table; the last has no name. */
#define COLUMNS(...) static const struct paper_column column[] = { __VA_ARGS__, { .name = NULL } }

/* Begin the table; `column` is not copied, and must not change. */
void paper_table(const struct paper_column *column);

/* Add a row: its texts, and its numbers, in a column the paper's before ours; NAN: an empty cell. */
#define TEXTS(...) sizeof((const char *const []){ __VA_ARGS__ }) / sizeof(char *), (const char *const []){ __VA_ARGS__ }
#define FIGURES(...) sizeof((const double []){ __VA_ARGS__ }) / sizeof(double), (const double []){ __VA_ARGS__ }
void paper_row(size_t texts, const char *const *text, size_t figures, const double *figure);
/* Add a row whose numbers are members of two structs: the paper's, where 0 is an empty cell, and ours. */
void paper_run_row(size_t texts, const char *const *text, const void *theirs, const void *ours);
double paper_member(const void *run, size_t member);
/* Standard deviation over the seeds of a member of means that paper_mean() made; 0: none is known.  Of runs of one case. */
double paper_deviation(const void *mean, size_t member);
double paper_deviation_of(const void *runs, size_t run_size, size_t member);
/* Give the standard deviation of a column's figure in the last row, which paper_row() has begun. */
void paper_deviates(const char *column, double deviation);
/* Half of the 95 per cent interval of a mean of n runs; the quantile of Student's t for that, by the degrees of freedom. */
double paper_half(double deviation, size_t n);
double paper_student(double degrees);
/* Why figures of the row last begun are beyond 10 %, in place of the columns' reasons. */
void paper_why(const char *why);
/* In the row last begun, the paper's figures in these columns, blanks between, are of this kind. */
void paper_as(enum paper_kind kind, const char *columns);

/* A paragraph before or after the table: in text alone. */
void paper_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Figures that are not in the table, named by a format and its arguments: one that the paper has, with its
 * kind and the unit of its last digit; a statement of the paper, and one of ours, as a range with its ends; a
 * figure that is only compared with before.h.  why: the reason if it is beyond 10 %, or does not hold. */
#define paper_figure(kind, theirs, unit, ours, why, ...) \
	paper_add(PAPER_##kind, theirs, unit, NAN, NAN, ours, why, __VA_ARGS__)
#define paper_range(kind, low, high, ours, why, ...) \
	paper_add(PAPER_##kind, NAN, 0, low, high, ours, why, __VA_ARGS__)
#define paper_claim(low, high, ours, why, ...) paper_range(STATEMENT, low, high, ours, why, __VA_ARGS__)
#define paper_own(low, high, ours, why, ...) paper_range(OWN, low, high, ours, why, __VA_ARGS__)
#define paper_before(ours, ...) paper_range(ALONE, NAN, NAN, ours, NULL, __VA_ARGS__)
enum paper_class { PAPER_ROUNDING, PAPER_SPREAD, PAPER_FIVE, PAPER_TEN, PAPER_BEYOND, PAPER_CLASSES };
enum paper_basis { PAPER_PREDICTED, PAPER_OUT_OF_SAMPLE, PAPER_FITTED };
struct paper_line {
	enum paper_kind kind;
	double theirs, unit, low, high, ours;
	const char *why;
	/* ledger.c fills in the rest. */
	char what[160];
	size_t row;
	const struct paper_column *column;	/* NULL: apart from the table */
	double deviation;			/* of one run; 0: it is not known */
	enum paper_class class;
	enum paper_basis basis;
	const char *constants;			/* names of those on which it rests */
	size_t k;				/* number of its hash in before.h */
};
void paper_add(enum paper_kind kind, double theirs, double unit, double low, double high, double ours, const char *why,
	       const char *format, ...) __attribute__((format(printf, 8, 9)));
/* Give the standard deviation of the figure added last: that of a single run. */
void paper_line_deviates(double deviation);

/* Run job(arg, i) for i = 0 .. n - 1, in any order and on several threads: each writes to a place of its own. */
void paper_each(void (*job)(void *arg, size_t i), void *arg, size_t n);

/* Cases, each to be run under all seeds of the command line, and what a run gives: a struct of doubles, all 0 before. */
struct paper_runs {
	void (*run)(const void *one, uint64_t seed, void *figures);
	bool (*drawn)(const void *one);	/* whether a case depends on the seed, or runs once; NULL: all do */
	const void *cases;
	size_t case_size, n, run_size;
};
#define PAPER_RUNS(f, c, count, type) \
	&(struct paper_runs){ .run = f, .cases = c, .case_size = sizeof(*(c)), .n = count, .run_size = sizeof(type) }

/* Run them.  Returns the run of case c under the k-th seed at c * paper.seeds + k; the means over the seeds, by case;
 * both from tool_held(). */
void *paper_runs(const struct paper_runs *runs);
void *paper_means(const struct paper_runs *runs);
/* The means of n runs, into *mean; median, least and most of one member over the runs of a case. */
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
/* Run all experiments whose parts the folder lacks, with their own seeds or the command line's; returns the
 * exit status.  Write the page of the folder's parts; write the part of the experiment just run. */
int paper_report(const char *folder, bool own_seeds);
void paper_report_page(FILE *out, const char *folder);
void paper_page(FILE *out, const struct paper_experiment *experiment, const char *svg);

struct paper_cell {
	char text[96];
	double value;
	double deviation;	/* over the seeds; 0: none is known */
	enum paper_kind kind;	/* not PAPER_ALONE: in place of its column's */
};
/* The table: in each row our cell of column c is at place[c], and the paper's is the one before it. */
struct paper_rows {
	const struct paper_column *column;
	size_t columns, cells, rows, *place;
	struct paper_cell *cell;
	const char **why;	/* of each row */
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

/* ledger.c: classes of figures, counted by account: a number's account is its basis, else it is the kind. */
enum { PAPER_ACCOUNTS = 8 };
struct paper_ledger {
	unsigned account[PAPER_ACCOUNTS][PAPER_CLASSES];
};
void paper_judge(const struct paper_experiment *experiment);
extern struct paper_ledger paper_ledger;
/* The k-th figure, those apart from the table first; NULL: there is none. */
struct paper_line *paper_line(size_t k);
void paper_lines_clear(void);
void paper_print_figures(const struct paper_experiment *experiment);
void paper_print_judgement(const struct paper_experiment *experiment);
/* What the paper says: its figure as it prints it, or the range of a statement; "": nothing. */
void paper_said(const struct paper_line *line, char *text, size_t size);
const char *paper_class_name(const struct paper_line *line);
const char *paper_basis_name(const struct paper_line *line);
/* Print the table of all papers, by the counts in before.h; as HTML, by those given of each experiment. */
void paper_print_ledger(void);
void paper_html_ledger(FILE *out, const struct paper_ledger *of);

/* check.c: compare all with before.h; what that says of a figure, "as before", "changed" or ""; how many have
 * changed; print that; tell each change, for --check; print the lines of before.h. */
void paper_compare(const struct paper_experiment *experiment);
const char *paper_regression(const struct paper_line *line);
size_t paper_changed(void);
void paper_print_changed(void);
int paper_check(const struct paper_experiment *experiment);
void paper_print_record(const struct paper_experiment *experiment);

/* table.c: print the rows of one seed, and empty the table for the next; after the last seed, print the mean
 * over all seeds, the deviation, and the ends of the mean's 95 % interval. */
void paper_seed_rows(uint64_t seed);
void paper_seeds_end(void);

/* recorded.c: what before.h has of an experiment; the columns of all. */
struct paper_recorded {
	const char *name;
	struct paper_ledger ledger;
	const char *classes;	/* a hash of the columns' names, and of the figures' classes */
	const char *hashes;	/* of rows and figures, one after the other */
};
enum { PAPER_DIGITS = 6 };	/* of a hash in before.h */
const struct paper_recorded *paper_recorded(const struct paper_experiment *experiment);
void paper_print_columns(void);

/* constants.c: what a figure rests on, by its row's label and column; print the table, also as a part of a web page. */
enum paper_basis paper_basis(const char *experiment, const char *row, const char *column, const char **constants);
void paper_print_constants(FILE *out, enum tool_format format);
void paper_html_constants(FILE *out);

/* Begin a picture in this file; the program ends if it cannot be written.  Add a point: if `ours` is NAN, a
 * figure of the paper beside the table's points; otherwise the picture has added points alone, and none of
 * the table's.  Draw the picture. */
void paper_plot_begin(const char *file);
void paper_point(const char *panel, const char *curve, double x, double theirs, double ours);
void paper_plot_end(const struct paper_experiment *experiment);

#endif
