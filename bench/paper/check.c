/* check.c - dls-paper --check: does a figure agree with the paper, and is it as before?
 *
 * before.h has 24 bits of a hash of each row, as CSV has it, and of each figure apart from the table that paper_before() is
 * told, with seven digits.  What is judged against the paper alone follows from the rows. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/paper/paper.h"

enum kind { FIGURE, BEFORE };
enum { DIGITS = 6 };	/* of a hash in before.h */

/* A figure that is not in the table. */
static struct line {
	char what[120];
	enum kind kind;
	double theirs, low, high, ours;
	const char *why;
} *line;
static size_t lines;

/* Of the paper's figures and statements. */
struct verdict {
	size_t agree, differ, unexplained;
};

static const struct {
	const char *name, *hashes;
} before[] = {
#define BEFORE(name, hashes) { name, hashes },
#include "bench/paper/before.h"
#undef BEFORE
	{ NULL, NULL },
};

static struct line *add(enum kind kind, double ours, const char *why)
{
	line = tool_need(realloc(line, (lines + 1) * sizeof(*line)));
	line[lines] = (struct line){ .kind = kind, .theirs = NAN, .low = NAN, .high = NAN, .ours = ours, .why = why };
	return &line[lines++];
}

#define NAME(l) \
	do { \
		va_list args; \
		va_start(args, format); \
		vsnprintf((l)->what, sizeof((l)->what), format, args); \
		va_end(args); \
	} while (0)

void paper_figure(double theirs, double within, double ours, const char *why, const char *format, ...)
{
	struct line *l = add(FIGURE, ours, why);

	l->theirs = theirs;
	l->low = theirs - within * fabs(theirs);
	l->high = theirs + within * fabs(theirs);
	NAME(l);
}

void paper_claim(double low, double high, double ours, const char *why, const char *format, ...)
{
	struct line *l = add(FIGURE, ours, why);

	l->low = low;
	l->high = high;
	NAME(l);
}

void paper_before(double ours, const char *format, ...)
{
	struct line *l = add(BEFORE, ours, NULL);

	NAME(l);
}

static bool agrees(const struct line *l)
{
	return l->ours >= l->low && l->ours <= l->high;
}

/* A figure of the table; one without the paper's, or without ours, is not judged. */
static bool judged(size_t row, size_t c)
{
	return paper_rows.column[c].within > 0 && !isnan(paper_cell(row, c, true)->value) && !isnan(paper_cell(row, c, false)->value);
}

static bool cell_agrees(size_t row, size_t c)
{
	double theirs = paper_cell(row, c, true)->value;

	return fabs(paper_cell(row, c, false)->value - theirs) <= paper_rows.column[c].within * fabs(theirs);
}

static const char *why_of(size_t row, size_t c)
{
	return paper_rows.why[row] ? paper_rows.why[row] : paper_rows.column[c].why;
}

static struct verdict judge(void)
{
	struct verdict v = { 0, 0, 0 };

	for (size_t r = 0; r < paper_rows.rows; r++)
		for (size_t c = 0; c < paper_rows.columns; c++)
			if (judged(r, c)) {
				v.agree += cell_agrees(r, c);
				v.differ += !cell_agrees(r, c);
				v.unexplained += !cell_agrees(r, c) && !why_of(r, c);
			}
	for (const struct line *l = line; l < line + lines; l++)
		if (l->kind == FIGURE) {
			v.agree += agrees(l);
			v.differ += !agrees(l);
			v.unexplained += !agrees(l) && !l->why;
		}
	return v;
}

/* The k-th figure that is to be as before; NULL: there are not so many. */
static const struct line *to_compare(size_t k)
{
	for (size_t i = 0; i < lines; i++)
		if (line[i].kind == BEFORE && k-- == 0)
			return &line[i];
	return NULL;
}

/* What before.h has: the rows, which in real time are never the same, and such figures after them. */
static size_t rows_recorded(const struct paper_experiment *e)
{
	return e->real_time ? 0 : paper_rows.rows;
}

static size_t recorded(const struct paper_experiment *e)
{
	size_t n = 0;

	while (to_compare(n))
		n++;
	return rows_recorded(e) + n;
}

static uint32_t hash_of(const struct paper_experiment *e, size_t k)
{
	size_t rows = rows_recorded(e);
	uint32_t hash;
	char text[32];

	if (k < rows) {
		hash = paper_row_hash(k);
	} else {
		snprintf(text, sizeof(text), "%.7g", to_compare(k - rows)->ours);
		hash = paper_hash(PAPER_HASH, text);
	}
	return hash >> 8 ^ (hash & 0xff);
}

static bool own_seeds(const struct paper_experiment *e)
{
	return paper.first == e->first && paper.seeds == (size_t)(e->last - e->first + 1);
}

static const char *hashes_of(const struct paper_experiment *e)
{
	for (size_t i = 0; before[i].name; i++)
		if (strcmp(before[i].name, e->name) == 0)
			return before[i].hashes;
	return "";
}

static bool as_before(const struct paper_experiment *e, size_t k)
{
	const char *hashes = hashes_of(e);
	char now[DIGITS + 1];

	snprintf(now, sizeof(now), "%06x", (unsigned)hash_of(e, k));
	return k < strlen(hashes) / DIGITS && memcmp(hashes + k * DIGITS, now, DIGITS) == 0;
}

/* How many rows and figures are not, or are missing. */
static size_t changed(const struct paper_experiment *e)
{
	size_t n = recorded(e), had = strlen(hashes_of(e)) / DIGITS, off = had > n ? had - n : 0;

	for (size_t k = 0; k < n; k++)
		off += !as_before(e, k);
	return off;
}

static void range(const struct line *l, char *text, size_t size)
{
	if (isnan(l->low))
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

/* The columns of a row that agree, or do not, by their heads. */
static size_t name_columns(size_t row, bool agree, char *text, size_t size)
{
	size_t n = 0, k = 0;

	*text = 0;
	for (size_t c = 0; c < paper_rows.columns && n < size; c++) {
		const struct paper_column *column = &paper_rows.column[c];

		if (judged(row, c) && cell_agrees(row, c) == agree)
			n += (size_t)snprintf(text + n, size - n, "%s%s", k++ ? ", " : "", paper_head(column));
	}
	return k;
}

static void widen(int *width, const char *text)
{
	*width = -(int)strlen(text) < *width ? -(int)strlen(text) : *width;
}

static void print_rows(void)
{
	static const char *const column[] = { "the paper's figures", "agree", "do not agree", NULL };
	int width[] = { -20, -5, -12 };
	struct tool_table table = { .out = stdout, .format = TOOL_TEXT, .column = column, .width = width };
	size_t named = 0;

	for (int print = 0; print <= (named > 0); print++) {
		if (print) {
			putchar('\n');
			tool_table_begin(&table);
		}
		for (size_t r = 0; r < paper_rows.rows; r++) {
			char text[3][160];

			paper_label(r, text[0], 128);
			if (name_columns(r, true, text[1], sizeof(*text)) + name_columns(r, false, text[2], sizeof(*text)) == 0)
				continue;
			for (int k = 0; k < 3; k++) {
				if (print)
					tool_text(&table, text[k]);
				else if (k < 2)
					widen(&width[k], text[k]);
			}
			named++;
		}
	}
	if (named > 0)
		tool_table_end(&table);
}

static void print_lines(const struct paper_experiment *e)
{
	static const char *const column[] = { "other figures", "paper", "range", "here", "verdict", NULL };
	int width[] = { -20, 8, 16, 9, -7 };
	struct tool_table table = { .out = stdout, .format = TOOL_TEXT, .column = column, .width = width };
	size_t compared = rows_recorded(e);

	for (size_t i = 0; i < lines; i++)
		widen(&width[0], line[i].what);
	putchar('\n');
	tool_table_begin(&table);
	for (size_t i = 0; i < lines; i++) {
		const struct line *l = &line[i];
		char text[64];

		range(l, text, sizeof(text));
		tool_text(&table, l->what);
		tool_number(&table, "%.5g", l->theirs);
		tool_text(&table, text);
		tool_number(&table, "%.5g", l->ours);
		if (l->kind != BEFORE)
			tool_text(&table, agrees(l) ? "agrees" : "does not agree");
		else
			tool_text(&table, !own_seeds(e) ? "" : as_before(e, compared++) ? "as before" : "not as before");
	}
	tool_table_end(&table);
}

static void print_reason(const char *what, const char *why)
{
	printf("%s does not agree: %s\n", what, why ? why : "no reason is known");
}

/* Each reason once: of the columns, of the rows, of the other figures. */
static void print_reasons(void)
{
	char label[128];

	putchar('\n');
	for (size_t c = 0; c < paper_rows.columns; c++) {
		const struct paper_column *column = &paper_rows.column[c];
		size_t n = 0;

		for (size_t r = 0; r < paper_rows.rows; r++)
			n += judged(r, c) && !cell_agrees(r, c) && !paper_rows.why[r];
		if (n > 0)
			print_reason(paper_head(column), column->why);
	}
	for (size_t r = 0; r < paper_rows.rows; r++) {
		char no[160];

		paper_label(r, label, sizeof(label));
		if (paper_rows.why[r] && name_columns(r, false, no, sizeof(no)) > 0)
			print_reason(label, paper_rows.why[r]);
	}
	for (const struct line *l = line; l < line + lines; l++)
		if (l->kind == FIGURE && !agrees(l))
			print_reason(l->what, l->why);
}

void paper_print_check(const struct paper_experiment *e)
{
	struct verdict v = judge();

	print_rows();
	if (lines > 0)
		print_lines(e);
	if (v.differ > 0)
		print_reasons();
	putchar('\n');
	if (v.agree + v.differ > 0)
		printf("%zu of the paper's figures and statements agree, %zu do not.\n", v.agree, v.differ);
	if (!own_seeds(e))
		puts("Whether all is as before is not known of these seeds.");
	else if (changed(e) > 0)
		printf("%zu of %zu rows and figures are not as before.\n", changed(e), recorded(e));
	else
		printf("All %zu rows and figures are as before.\n", recorded(e));
}

static void complain(const struct paper_experiment *e, const char *what, double theirs, double ours)
{
	char text[32] = "";

	if (!isnan(theirs))
		snprintf(text, sizeof(text), ", not %.5g", theirs);
	fprintf(stderr, "%s: %s: %s: %.5g%s: does not agree with the paper\n", tool_name, e->name, what, ours, text);
}

int paper_check(const struct paper_experiment *e)
{
	struct verdict v = judge();
	size_t rows = rows_recorded(e), off = own_seeds(e) ? changed(e) : 0;
	char label[160];

	fflush(stdout);
	for (size_t r = 0; r < paper_rows.rows; r++)
		for (size_t c = 0; c < paper_rows.columns; c++)
			if (judged(r, c) && !cell_agrees(r, c) && !why_of(r, c)) {
				paper_label(r, label, sizeof(label) - 32);
				snprintf(label + strlen(label), 32, ": %s", paper_rows.column[c].name);
				complain(e, label, paper_cell(r, c, true)->value, paper_cell(r, c, false)->value);
			}
	for (const struct line *l = line; l < line + lines; l++)
		if (l->kind == FIGURE && !agrees(l) && !l->why)
			complain(e, l->what, l->theirs, l->ours);
	for (size_t k = 0; k < recorded(e) && off > 0; k++)
		if (!as_before(e, k)) {
			if (k < rows)
				paper_label(k, label, sizeof(label));
			else
				snprintf(label, sizeof(label), "%s: %.5g", to_compare(k - rows)->what, to_compare(k - rows)->ours);
			fprintf(stderr, "%s: %s: %s: is not as before\n", tool_name, e->name, label);
		}
	free(line);
	if (v.unexplained + off > 0)
		tool_die(TOOL_CHECK_FAILED, "%s: %zu figures do not agree with the paper, for no known reason, and %zu rows and "
			 "figures are not as before", e->name, v.unexplained, off);
	return TOOL_DONE;
}

void paper_print_record(const struct paper_experiment *e)
{
	enum { COLUMNS_OF_LINE = 128 };
	int column = printf("BEFORE(\"%s\", \"", e->name);

	for (size_t k = 0; k < recorded(e); k++) {
		if (column + DIGITS > COLUMNS_OF_LINE)
			column = printf("\"\n\t\"") + 5;	/* with the tab */
		column += printf("%06x", (unsigned)hash_of(e, k));
	}
	puts("\")");
}
