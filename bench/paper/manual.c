/* manual.c - the part of dls-paper(1) about an experiment: the columns of its table, how many of the paper's figures agree, and those
 * that do not, by name.
 *
 * Of an experiment whose figures are those of others, run otherwise, the number alone. */
#include <string.h>

#include "bench/paper/paper.h"

/* As a line of mdoc, which may not begin with a dot. */
static void print_text(const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", stdout);
	for (; *text; text++)
		fputs(*text == '\\' ? "\\e" : (char[]){ *text, 0 }, stdout);
}

/* The distance from the paper, where it has a figure. */
static void print_distance(const struct paper_judged *j)
{
	double by = (j->ours - j->theirs) / fabs(j->theirs);

	if (isfinite(by))
		printf(fabs(by) < 0.0095 ? " %+.1f%%" : " %+.0f%%", 100 * by);
}

static bool differs(const struct paper_judged *j)
{
	return !isnan(j->low) && !j->agrees;
}

/* A line for each row of the table, and for each figure apart from it. */
static void print_differing(void)
{
	const char *end = "";
	size_t row = SIZE_MAX;
	struct paper_judged j;
	char label[128];

	for (size_t k = 0; paper_judged(k, &j); k++) {
		if (!differs(&j))
			continue;
		if (j.column && j.row == row) {
			printf(", %s", j.column->name);
		} else {
			fputs(end, stdout);
			if (j.column)
				paper_label(row = j.row, label, sizeof(label));
			print_text(j.column ? label : j.what);
			if (j.column)
				printf(": %s", j.column->name);
			end = ";\n";
		}
		print_distance(&j);
	}
	puts(".");
}

/* As CSV has them, without the last three, which are everywhere. */
static void print_columns(const struct paper_experiment *e)
{
	enum { COLUMNS_OF_LINE = 100 };
	char name[PAPER_TEXT];
	int column = 0;

	printf(".It Cm %s\n", e->name);
	for (const struct paper_column *c = paper_rows.column; c && c->name; c++)
		for (int theirs = c->within > 0; theirs >= 0; theirs--) {
			paper_column_name(c, theirs, name);
			fputs(!column ? "" : column > COLUMNS_OF_LINE ? "\n" : " ", stdout);
			column = (column > COLUMNS_OF_LINE ? 0 : column) + 1 + (int)strlen(name);
			print_text(name);
		}
	putchar('\n');
}

void paper_print_manual(const struct paper_experiment *e)
{
	size_t agree = 0, differ = 0;
	struct paper_judged j;

	print_columns(e);
	if (e->real_time)
		return;
	for (size_t k = 0; paper_judged(k, &j); k++) {
		agree += !isnan(j.low) && j.agrees;
		differ += differs(&j);
	}
	printf(".It %s Ta %zu Ta %zu Ta %zu Ta %s\n", e->name, agree, differ, paper_recorded(), e->again ? "again" : "own");
	if (differ == 0)
		return;
	printf(".It Cm %s\n", e->name);
	if (!e->again)
		print_differing();
	if (e->nearest) {
		fputs("Nearest: ", stdout);
		print_text(e->nearest);
		puts(".");
	}
}
