/* paper.h - an experiment of dls-paper: a table or figure of a paper, rebuilt.
 *
 * An experiment is one file that defines one struct paper_experiment, and its line in list.h.  It prints one table; on
 * stdout, all of it as --csv and --json too; what paper_say() prints, and the acceptance, only without these. */
#ifndef PAPER_H
#define PAPER_H

#include "bench/tool/tool.h"

struct paper_experiment {
	const char *name;	/* "wlr93-table4" */
	const char *what;	/* it shows; one line */
	uint64_t first, last;	/* seeds, unless --seeds says others; both 0: it draws nothing at random */
	void (*run)(void);
	bool one_seed;		/* it has no use for several */
	bool plots;		/* calls paper_plot() or paper_bars() */
	bool medians;		/* it prints medians over the seeds, not means */
};

#define X(name) extern const struct paper_experiment paper_##name;
#include "bench/paper/list.h"
#undef X

/* The command line. */
struct paper {
	uint64_t first;		/* of the seeds first .. first + seeds - 1 */
	size_t seeds;
	enum tool_format format;
};
extern struct paper paper;

/* Run job(arg, i) for i = 0 .. n - 1, in any order and on several threads: each writes to a place of its own. */
void paper_each(void (*job)(void *arg, size_t i), void *arg, size_t n);

/* A paragraph before or after the table: in text alone. */
void paper_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The experiment's table: columns as for struct tool_table; ended by tool_table_end().  NAN is an empty cell. */
void paper_table(struct tool_table *table, const char *const *column, const int *width);

/* A number: in text by the format, else with seven digits. */
void paper_number(struct tool_table *table, const char *format, double value);

/* One line of the acceptance: a figure named by the text, the paper's own (NAN: it has none), what is accepted (ends included,
 * -INFINITY and INFINITY: no end).  NAN is never accepted.  All lines are printed after the run, in text; under --check the
 * program ends with TOOL_CHECK_FAILED if a figure is outside. */
void paper_accept(double theirs, double low, double high, double ours, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* The picture of --plot, drawn at most once; nothing without it.  Points (x[i], y[k][i]), NAN: none. */
struct paper_curves {
	const char *title, *x_label, *y_label;
	bool log_x;
	size_t points, curves;
	size_t colours;			/* curves k and k + colours have one colour, and differ in dashes; 0: none has */
	const double *x;
	const double *const *y;
	const char *const *name;	/* of the curves */
};
void paper_plot(const struct paper_curves *curves);

/* The same as bars side by side: the paper's value[0][i] and ours, value[1][i].  Names without quotes. */
void paper_bars(const char *title, const char *y_label, size_t n, const char *const *name, const double *const value[2]);

/* For paper.c: the picture goes to this file; the program ends if it cannot. */
void paper_plot_begin(const char *file);
void paper_plot_end(void);

#endif
