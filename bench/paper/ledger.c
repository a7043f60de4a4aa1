/* ledger.c - the ledger: of each figure that a paper prints or describes, how far ours is from it, and what it rests on.
 *
 * A paper's number is known to half a unit of its last digit, and is of one run, or the mean of as many as
 * the paper averaged.  Our seeds give the deviation of a run, and so by how much both means may differ. */
#include <stdarg.h>

#include "bench/paper/paper.h"
#include "lib/report/page.h"

/* Words and what they mean, in the words of dls-paper(1). */
struct word {
	const char *name, *means;
};
static const struct word classes[PAPER_CLASSES] = {
	[PAPER_ROUNDING] = { "rounding", "our figure, rounded as the paper rounds, equals the paper's; a statement holds" },
	[PAPER_SPREAD] = { "spread", "within the rounding and the 95 % interval of our mean less that of as many runs as the paper averaged" },
	[PAPER_FIVE] = { "5 %", "further off, by up to 5 % of the paper's figure" },
	[PAPER_TEN] = { "10 %", "further off, by up to 10 %" },
	[PAPER_BEYOND] = { "beyond", "further off than that; a statement does not hold" },
};
static const struct word accounts[PAPER_ACCOUNTS] = {
	[PAPER_PREDICTED] = { "predicted", "results computed without fitting anything to their table" },
	[PAPER_OUT_OF_SAMPLE] = { "out of sample", "numbers of results; something that they rest on was fitted to other numbers of their table" },
	[PAPER_FITTED] = { "fitted", "numbers of results to which something was fitted" },
	{ "again", "results told again, under another reading or as a picture, or worked out of results" },
	{ "structure", "what follows from a rule of the paper" },
	{ "input", "what the paper puts in" },
	{ "statement", "what the paper says in words" },
	{ "own", "what we say, of what the paper has not run" },
};
enum { NUMBERS = PAPER_FITTED + 1 };	/* accounts of these */

static struct paper_line *line;
static size_t lines;
struct paper_ledger paper_ledger;

struct paper_line *paper_line(size_t k)
{
	return k < lines ? &line[k] : NULL;
}

void paper_lines_clear(void)
{
	free(line);
	line = NULL;
	lines = 0;
}

static struct paper_line *add(const struct paper_line *l)
{
	line = tool_need(realloc(line, (lines + 1) * sizeof(*line)));
	line[lines] = *l;
	return &line[lines++];
}

void paper_add(enum paper_kind kind, double theirs, double unit, double low, double high, double ours, const char *why,
	       const char *format, ...)
{
	struct paper_line *l = add(&(struct paper_line){ .kind = kind, .theirs = theirs, .unit = unit, .low = low, .high = high,
							 .ours = ours, .why = why });
	va_list args;

	va_start(args, format);
	vsnprintf(l->what, sizeof(l->what), format, args);
	va_end(args);
}

static void add_cell(size_t row, size_t c)
{
	const struct paper_column *column = &paper_rows.column[c];
	const struct paper_cell *ours = paper_cell(row, c, false);
	double theirs = column->kind ? paper_cell(row, c, true)->value : NAN, least;
	struct paper_line *l;

	if (isnan(theirs) || isnan(ours->value))
		return;
	l = add(&(struct paper_line){ .kind = ours->kind ? ours->kind : column->kind, .theirs = theirs, .unit = column->unit, .low = NAN,
				      .high = NAN, .ours = ours->value, .why = paper_rows.why[row] ? paper_rows.why[row] : column->why,
				      .row = row, .k = row, .column = column, .deviation = ours->deviation });
	if (column->digits > 0 && theirs != 0) {
		least = pow(10, floor(log10(fabs(theirs)) + 1e-9) + 1 - column->digits);
		l->unit = fmax(l->unit, least);
	}
	paper_label(row, l->what, sizeof(l->what) - 32);
	snprintf(l->what + strlen(l->what), 32, ": %s", column->name);
}

void paper_line_deviates(double deviation)
{
	line[lines - 1].deviation = deviation;
}

/* Standard deviation of the difference between our mean or median over the seeds and the paper's.  That of a
 * median of normal variates is sqrt(pi / 2) times that of their mean. */
#define OF_MEDIANS 1.2533
static double deviation(const struct paper_experiment *e, const struct paper_line *l)
{
	double ours = l->deviation * (e->medians ? OF_MEDIANS : 1) / sqrt((double)paper.seeds);

	return hypot(ours, l->deviation / sqrt(e->averaged ? e->averaged : 1));
}

static enum paper_class class_of(const struct paper_experiment *e, const struct paper_line *l)
{
	double by = fabs(l->ours - l->theirs), rounding = l->unit / 2 + 1e-9 * fabs(l->theirs), part = by / fabs(l->theirs);

	if (isnan(l->theirs))
		return !(l->ours >= l->low && l->ours <= l->high) ? PAPER_BEYOND : l->kind == PAPER_AGAIN ? PAPER_SPREAD : PAPER_ROUNDING;
	if (by <= rounding)
		return PAPER_ROUNDING;
	if (l->deviation > 0 && by <= rounding + paper_student((double)paper.seeds - 1) * deviation(e, l))
		return PAPER_SPREAD;
	return part <= 0.05 ? PAPER_FIVE : part <= 0.1 ? PAPER_TEN : PAPER_BEYOND;
}

static unsigned account_of(const struct paper_line *l)
{
	return l->kind == PAPER_NUMBER ? l->basis : NUMBERS + l->kind - PAPER_AGAIN;
}

void paper_judge(const struct paper_experiment *e)
{
	for (size_t r = 0; r < paper_rows.rows; r++)
		for (size_t c = 0; c < paper_rows.columns; c++)
			add_cell(r, c);
	for (struct paper_line *l = line; l < line + lines; l++) {
		char row[160];

		if (l->kind == PAPER_ALONE)
			continue;
		snprintf(row, sizeof(row), "%.*s", (int)(l->column ? strrchr(l->what, ':') - l->what : (long)sizeof(row)), l->what);
		l->class = class_of(e, l);
		l->basis = paper_basis(e->name, row, l->column ? l->column->name : "", &l->constants);
		paper_ledger.account[account_of(l)][l->class]++;
	}
	paper_compare(e);
}

const char *paper_class_name(const struct paper_line *l)
{
	return l->kind == PAPER_ALONE ? "" : classes[l->class].name;
}

const char *paper_basis_name(const struct paper_line *l)
{
	return l->kind == PAPER_ALONE ? "" : accounts[account_of(l)].name;
}

void paper_said(const struct paper_line *l, char *text, size_t size)
{
	int decimals = l->unit > 0 ? (int)fmax(0, ceil(-log10(l->unit) - 1e-9)) : 0;

	if (!isnan(l->theirs))
		snprintf(text, size, l->unit > 0 ? "%.*f" : "%.*g", l->unit > 0 ? decimals : 5, l->theirs);
	else if (isnan(l->low))
		*text = 0;
	else if (l->low == l->high)
		snprintf(text, size, "%.5g", l->low);
	else if (l->low == -INFINITY)
		snprintf(text, size, "<= %.5g", l->high);
	else if (l->high == INFINITY)
		snprintf(text, size, ">= %.5g", l->low);
	else
		snprintf(text, size, "%.5g to %.5g", l->low, l->high);
}

static void print_into(char *text, size_t size, const char *format, double value)
{
	if (isfinite(value))
		snprintf(text, size, format, value);
	else
		*text = 0;
}

enum { CELLS = 12, WIDE = 160 };
static const char *const head[CELLS + 1] = { "figure", "paper", "here", "low", "high", "units", "percent", "deviations", "class", "basis",
					     "constants", "regression", NULL };

static void cells(const struct paper_experiment *e, const struct paper_line *l, char (*text)[WIDE])
{
	double half = paper_half(l->deviation, paper.seeds) * (e->medians ? OF_MEDIANS : 1), by = l->ours - l->theirs;
	double both = hypot(deviation(e, l), l->unit / sqrt(12));

	snprintf(text[0], WIDE, "%s", l->what);
	paper_said(l, text[1], WIDE);
	print_into(text[2], WIDE, "%.5g", l->ours);
	print_into(text[3], WIDE, "%.5g", half > 0 ? l->ours - half : NAN);
	print_into(text[4], WIDE, "%.5g", half > 0 ? l->ours + half : NAN);
	print_into(text[5], WIDE, "%+.1f", l->unit > 0 ? by / l->unit : NAN);
	print_into(text[6], WIDE, "%+.1f", l->theirs != 0 ? 100 * by / fabs(l->theirs) : NAN);
	print_into(text[7], WIDE, "%+.1f", l->deviation > 0 ? by / both : NAN);
	snprintf(text[8], WIDE, "%s", paper_class_name(l));
	snprintf(text[9], WIDE, "%s", paper_basis_name(l));
	snprintf(text[10], WIDE, "%s", l->constants ? l->constants : "");
	snprintf(text[11], WIDE, "%s", paper_regression(l));
}

static void print_text(const struct paper_experiment *e)
{
	int width[CELLS] = { -6, 5, 4, 3, 4, 5, 7, 10, -5, -5, -9, -10 };
	struct tool_table table = { .out = stdout, .format = TOOL_TEXT, .column = head, .width = width };
	char text[CELLS][WIDE];

	for (int print = 0; print < 2; print++) {
		if (print)
			tool_table_begin(&table);
		for (const struct paper_line *l = line; l < line + lines; l++) {
			cells(e, l, text);
			for (int k = 0; k < CELLS; k++) {
				int length = (int)strlen(text[k]), sign = width[k] < 0 ? -1 : 1;

				if (print)
					tool_text(&table, text[k]);
				else if (length > sign * width[k])
					width[k] = sign * length;
			}
		}
	}
	tool_table_end(&table);
}

void paper_print_figures(const struct paper_experiment *e)
{
	const char *column[CELLS + 2] = { "experiment" };
	struct tool_table table = { .out = stdout, .format = paper.format, .column = column };
	char text[CELLS][WIDE];

	if (paper.format == TOOL_TEXT) {
		if (lines > 0)
			print_text(e);
		return;
	}
	memcpy(column + 1, head, sizeof(head));
	tool_table_begin(&table);
	for (const struct paper_line *l = line; l < line + lines; l++) {
		cells(e, l, text);
		tool_text(&table, e->name);
		for (int k = 0; k < CELLS; k++)
			if (k >= 1 && k <= 7 && (*text[k] || k > 1) && (k > 1 || !isnan(l->theirs)))
				tool_number(&table, k == 2 ? "%.7g" : "%.5g", k == 2 ? l->ours : *text[k] ? strtod(text[k], NULL) : NAN);
			else
				tool_text(&table, text[k]);
	}
	tool_table_end(&table);
}

/* Reasons, each once: of what is beyond 10 % or does not hold. */
static void print_reasons(const struct paper_experiment *e)
{
	for (const struct paper_line *l = line; l < line + lines; l++) {
		const struct paper_line *before = line;

		if (l->kind == PAPER_ALONE || l->class != PAPER_BEYOND || !l->why)
			continue;
		while (before < l && (before->kind == PAPER_ALONE || before->class != PAPER_BEYOND || before->why != l->why))
			before++;
		if (before == l)
			printf("%s is beyond: %s\n", l->what, l->why);
	}
	if (e->nearest)
		printf("Nearest: %s.\n", e->nearest);
}

static unsigned sum(const struct paper_ledger *of, unsigned first, unsigned n, int class)
{
	unsigned all = 0;

	for (unsigned a = first; a < first + n; a++)
		for (int c = 0; c < PAPER_CLASSES; c++)
			all += class < 0 || c == class ? of->account[a][c] : 0;
	return all;
}

void paper_print_judgement(const struct paper_experiment *e)
{
	unsigned numbers = sum(&paper_ledger, 0, NUMBERS, -1);

	putchar('\n');
	if (lines > 0)
		print_text(e);
	putchar('\n');
	print_reasons(e);
	if (numbers > 0) {
		printf("%u numbers of the paper's results:", numbers);
		for (int c = 0; c < PAPER_CLASSES; c++)
			printf("%s %u %s", c ? "," : "", sum(&paper_ledger, 0, NUMBERS, c), classes[c].name);
		puts(".");
	}
	paper_print_changed();
}

/* The papers, by the names of their experiments. */
static const char *const papers[] = { "wlr93", "rips", "aroma", "repart", "all" };
enum { PAPERS = sizeof(papers) / sizeof(*papers), ALL = PAPERS - 1 };

static void add_ledger(struct paper_ledger *to, const struct paper_ledger *more)
{
	for (unsigned a = 0; a < PAPER_ACCOUNTS; a++)
		for (int c = 0; c < PAPER_CLASSES; c++)
			to->account[a][c] += more->account[a][c];
}

/* Of each paper, and of all: counts of the ledger, and how many rows and figures before.h has. */
struct paper_sums {
	struct paper_ledger of[PAPERS];
	size_t before[PAPERS];
};

static struct paper_sums sums(const struct paper_ledger *given)
{
	struct paper_sums s = { .before = { 0 } };

	for (size_t i = 0; i < paper_experiments_n; i++) {
		const struct paper_recorded *r = paper_recorded(paper_experiments[i]);
		size_t p = 0;

		while (p < ALL && strncmp(paper_experiments[i]->name, papers[p], strlen(papers[p])) != 0)
			p++;
		for (; p < PAPERS; p = p < ALL ? ALL : PAPERS) {
			add_ledger(&s.of[p], given ? &given[i] : &r->ledger);
			s.before[p] += strlen(r->hashes) / PAPER_DIGITS;
		}
	}
	return s;
}

/* Call row() with each row of the table: paper, account, n[]: the sum, the classes' counts, -1: none. */
static size_t ledger_rows(const struct paper_ledger *given, void (*row)(void *to, const char *paper, const char *account, const int n[]),
			  void *to)
{
	struct paper_sums s = sums(given);
	size_t rows = 0;

	for (size_t p = 0; p < PAPERS; p++)
		for (int a = -1; a <= PAPER_ACCOUNTS; a++) {
			int n[PAPER_CLASSES + 1] = { a == PAPER_ACCOUNTS ? (int)s.before[p] : 0, -1, -1, -1, -1, -1 };

			for (int c = 0; c < PAPER_CLASSES && a < PAPER_ACCOUNTS; c++) {
				n[c + 1] = (int)sum(&s.of[p], a < 0 ? 0 : (unsigned)a, a < 0 ? NUMBERS : 1, c);
				n[0] += n[c + 1];
			}
			if (n[0] > 0) {
				row(to, papers[p], a < 0 ? "numbers" : a == PAPER_ACCOUNTS ? "as before" : accounts[a].name, n);
				rows++;
			}
		}
	return rows;
}

static void table_row(void *to, const char *of, const char *account, const int n[])
{
	tool_text(to, of);
	tool_text(to, account);
	for (int c = 0; c <= PAPER_CLASSES; c++)
		if (n[c] >= 0)
			tool_whole(to, (uint64_t)n[c]);
		else
			tool_text(to, "");
}

static void print_words(void)
{
	const struct word others[] = { { "numbers", "predicted, out of sample and fitted together, each told once" },
				       { "as before", "rows and figures that --check compares with the last version" } };
	size_t n = sizeof(others) / sizeof(*others);

	putchar('\n');
	for (size_t k = 0; k < PAPER_ACCOUNTS + n; k++) {
		const struct word *w = k == 0 ? &others[0] : k <= PAPER_ACCOUNTS ? &accounts[k - 1] : &others[1];

		printf("%-14s %s\n", w->name, w->means);
	}
	putchar('\n');
	for (int c = 0; c < PAPER_CLASSES; c++)
		printf("%-14s %s\n", classes[c].name, classes[c].means);
}

void paper_print_ledger(void)
{
	const char *column[PAPER_CLASSES + 4] = { "paper", "account", "figures" };
	int width[PAPER_CLASSES + 3] = { -6, -13, 7 };
	struct tool_table table = { .out = stdout, .format = paper.format, .column = column, .width = width };

	for (int c = 0; c < PAPER_CLASSES; c++) {
		column[3 + c] = classes[c].name;
		width[3 + c] = 8;
	}
	tool_table_begin(&table);
	ledger_rows(NULL, table_row, &table);
	tool_table_end(&table);
	if (paper.format == TOOL_TEXT)
		print_words();
}

static void html_row(void *to, const char *of, const char *account, const int n[])
{
	bool head_row = strcmp(account, "numbers") == 0;
	FILE *out = to;

	dls__page_put(out, head_row ? "<tr><th>%s</th><th class=text>%s" : "<tr><td class=text>%s</td><td class=text>%s", of, account);
	fprintf(out, "</td>");
	for (int c = 0; c <= PAPER_CLASSES; c++)
		if (n[c] >= 0)
			fprintf(out, "<td>%d</td>", n[c]);
		else
			fputs("<td></td>", out);
	fputs("</tr>\n", out);
}

static void html_words(FILE *out, const struct word *words, size_t n)
{
	fputs("<dl class=notes>", out);
	for (size_t k = 0; k < n; k++) {
		dls__page_put(out, "<dt>%s</dt>", words[k].name);
		dls__page_put(out, "<dd>%s</dd>\n", words[k].means);
	}
	fputs("</dl>\n", out);
}

void paper_html_ledger(FILE *out, const struct paper_ledger *of)
{
	fputs("<table><thead><tr><th>paper</th><th class=text>account</th><th>figures</th>", out);
	for (int c = 0; c < PAPER_CLASSES; c++)
		dls__page_put(out, "<th>%s</th>", classes[c].name);
	fputs("</tr></thead><tbody>\n", out);
	ledger_rows(of, html_row, out);
	fputs("</tbody></table>\n", out);
	html_words(out, accounts, PAPER_ACCOUNTS);
	html_words(out, classes, PAPER_CLASSES);
}
