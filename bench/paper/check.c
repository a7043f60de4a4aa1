/* check.c - dls-paper --check: does a figure agree with the paper, and is it as before?
 *
 * before.h has 24 bits of a hash of each row, as CSV has it, and of each figure apart from the table that paper_before() is
 * told, with seven digits.  What is judged against the paper alone follows from the rows. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/paper/paper.h"

enum { DIGITS = 6 };	/* of a hash in before.h */

/* A figure, with the range in which it agrees with the paper; without a range it is to be as before alone. */
static struct line {
	char what[160];
	size_t row;			/* of one in the table, and its column; NULL: it is not */
	const struct paper_column *column;
	double theirs, low, high, ours;
	const char *why;
	size_t k;			/* of its hash, if it has no range */
} *line;
static size_t lines, others;		/* first those that are not in the table */
#define EACH(l) (struct line *l = line; l < line + lines; l++)
#define EACH_OTHER(l) (struct line *l = line; l < line + others; l++)

/* Hashes of this run and of before.h: of the rows, which in real time are never the same, and of figures without a range. */
static char *hashes;
static const char *before = "";
static size_t recorded;

/* Of the paper's figures and statements; of those recorded, how many are not as before or are missing. */
static struct {
	size_t agree, differ, unexplained, changed;
	bool own_seeds;	/* those recorded are of these seeds */
} verdict;

static struct line *add(double theirs, double within, double low, double high, double ours, const char *why)
{
	line = tool_need(realloc(line, (lines + 1) * sizeof(*line)));
	line[lines] = (struct line){ .theirs = theirs, .low = low, .high = high, .ours = ours, .why = why };
	if (!isnan(theirs)) {
		line[lines].low = theirs - within * fabs(theirs);
		line[lines].high = theirs + within * fabs(theirs);
	}
	return &line[lines++];
}

void paper_line(double theirs, double within, double low, double high, double ours, const char *why, const char *format, ...)
{
	struct line *l = add(theirs, within, low, high, ours, why);
	va_list args;

	va_start(args, format);
	vsnprintf(l->what, sizeof(l->what), format, args);
	va_end(args);
}

static void add_cell(size_t row, size_t c)
{
	const struct paper_column *column = &paper_rows.column[c];
	double theirs = column->within > 0 ? paper_cell(row, c, true)->value : NAN, ours = paper_cell(row, c, false)->value;
	struct line *l;

	if (isnan(theirs) || isnan(ours))
		return;
	l = add(theirs, column->within, NAN, NAN, ours, paper_rows.why[row] ? paper_rows.why[row] : column->why);
	l->row = row;
	l->column = column;
	paper_label(row, l->what, sizeof(l->what) - 32);
	snprintf(l->what + strlen(l->what), 32, ": %s", column->name);
}

static bool agrees(const struct line *l)
{
	return l->ours >= l->low && l->ours <= l->high;
}

static bool differs(const struct line *l)
{
	return !isnan(l->low) && !agrees(l);
}

static bool as_before(size_t k)
{
	return k < strlen(before) / DIGITS && memcmp(before + k * DIGITS, hashes + k * DIGITS, DIGITS) == 0;
}

static void judge(const struct paper_experiment *e)
{
	size_t had = strlen(before) / DIGITS;

	for EACH(l) {
		verdict.agree += agrees(l);
		verdict.differ += differs(l);
		verdict.unexplained += differs(l) && !l->why;
	}
	verdict.own_seeds = paper.first == e->first && paper.seeds == (size_t)(e->last - e->first + 1);
	if (!verdict.own_seeds)
		return;
	verdict.changed = had > recorded ? had - recorded : 0;
	for (size_t k = 0; k < recorded; k++)
		verdict.changed += !as_before(k);
}

static void add_hash(uint32_t hash)
{
	snprintf(hashes + DIGITS * recorded++, DIGITS + 1, "%06x", (unsigned)(hash >> 8 ^ (hash & 0xff)));
}

void paper_judge(const struct paper_experiment *e)
{
	static const struct {
		const char *name, *hashes;
	} recorded_of[] = {
#define BEFORE(name, hashes) { name, hashes },
#include "bench/paper/before.h"
#undef BEFORE
	};

	for (size_t i = 0; i < sizeof(recorded_of) / sizeof(*recorded_of); i++)
		if (strcmp(recorded_of[i].name, e->name) == 0)
			before = recorded_of[i].hashes;
	hashes = paper_keep(paper_rows.rows + lines + 1, DIGITS);
	for (size_t r = 0; r < paper_rows.rows && !e->real_time; r++)
		add_hash(paper_row_hash(r));
	others = lines;
	for EACH_OTHER(l)
		if (isnan(l->low)) {
			char text[32];

			snprintf(text, sizeof(text), "%.7g", l->ours);
			l->k = recorded;
			add_hash(paper_hash(PAPER_HASH, text));
		}
	for (size_t r = 0; r < paper_rows.rows; r++)
		for (size_t c = 0; c < paper_rows.columns; c++)
			add_cell(r, c);
	judge(e);
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
	for EACH(l)
		if (l->column && l->row == row && n < size && agrees(l) == agree)
			n += (size_t)snprintf(text + n, size - n, "%s%s", k++ ? ", " : "", paper_head(l->column));
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

	if (lines == others)
		return;
	for (int print = 0; print < 2; print++) {
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
		}
	}
	tool_table_end(&table);
}

static void print_lines(void)
{
	static const char *const column[] = { "other figures", "paper", "range", "here", "verdict", NULL };
	int width[] = { -20, 8, 16, 9, -7 };
	struct tool_table table = { .out = stdout, .format = TOOL_TEXT, .column = column, .width = width };

	if (others == 0)
		return;
	for EACH_OTHER(l)
		widen(&width[0], l->what);
	putchar('\n');
	tool_table_begin(&table);
	for EACH_OTHER(l) {
		char text[64];

		range(l, text, sizeof(text));
		tool_text(&table, l->what);
		tool_number(&table, "%.5g", l->theirs);
		tool_text(&table, text);
		tool_number(&table, "%.5g", l->ours);
		if (!isnan(l->low))
			tool_text(&table, agrees(l) ? "agrees" : "does not agree");
		else
			tool_text(&table, !verdict.own_seeds ? "" : as_before(l->k) ? "as before" : "not as before");
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
	putchar('\n');
	for (const struct paper_column *c = paper_rows.column; c && c->name; c++)
		for EACH(l)
			if (l->column == c && differs(l) && !paper_rows.why[l->row]) {
				print_reason(paper_head(c), c->why);
				break;
			}
	for (size_t r = 0; r < paper_rows.rows; r++) {
		char label[128], no[160];

		paper_label(r, label, sizeof(label));
		if (paper_rows.why[r] && name_columns(r, false, no, sizeof(no)) > 0)
			print_reason(label, paper_rows.why[r]);
	}
	for EACH_OTHER(l)
		if (differs(l))
			print_reason(l->what, l->why);
}

void paper_print_check(void)
{
	print_rows();
	print_lines();
	if (verdict.differ > 0)
		print_reasons();
	putchar('\n');
	if (verdict.agree + verdict.differ > 0)
		printf("%zu of the paper's figures and statements agree, %zu do not.\n", verdict.agree, verdict.differ);
	if (!verdict.own_seeds)
		puts("Whether all is as before is not known of these seeds.");
	else if (verdict.changed > 0)
		printf("%zu of %zu rows and figures are not as before.\n", verdict.changed, recorded);
	else
		printf("All %zu rows and figures are as before.\n", recorded);
}

static void complain(const struct paper_experiment *e, const struct line *l)
{
	char text[32] = "";

	if (!isnan(l->theirs))
		snprintf(text, sizeof(text), ", not %.5g", l->theirs);
	fprintf(stderr, "%s: %s: %s: %.5g%s: does not agree with the paper\n", tool_name, e->name, l->what, l->ours, text);
}

static void complain_of_change(const struct paper_experiment *e, const char *what)
{
	fprintf(stderr, "%s: %s: %s: is not as before\n", tool_name, e->name, what);
}

int paper_check(const struct paper_experiment *e)
{
	char what[160];

	fflush(stdout);
	for EACH(l)
		if (differs(l) && !l->why)
			complain(e, l);
	for (size_t r = 0; r < paper_rows.rows && !e->real_time && verdict.changed > 0; r++)
		if (!as_before(r)) {
			paper_label(r, what, sizeof(what));
			complain_of_change(e, what);
		}
	for EACH_OTHER(l)
		if (isnan(l->low) && verdict.changed > 0 && !as_before(l->k)) {
			snprintf(what, sizeof(what), "%s: %.5g", l->what, l->ours);
			complain_of_change(e, what);
		}
	free(line);
	if (verdict.unexplained + verdict.changed > 0)
		tool_die(TOOL_CHECK_FAILED, "%s: %zu figures do not agree with the paper, for no known reason, and %zu rows and "
			 "figures are not as before", e->name, verdict.unexplained, verdict.changed);
	return TOOL_DONE;
}

bool paper_judged(size_t k, struct paper_judged *j)
{
	const struct line *l = line + k;

	if (k < lines)
		*j = (struct paper_judged){ l->what, l->why, l->row, l->column, l->theirs, l->low, l->high, l->ours, agrees(l) };
	return k < lines;
}

size_t paper_changed(void)
{
	return verdict.changed;
}

void paper_print_record(const struct paper_experiment *e)
{
	enum { COLUMNS_OF_LINE = 128 };
	int column = printf("BEFORE(\"%s\", \"", e->name);

	for (size_t k = 0; k < recorded; k++) {
		if (column + DIGITS > COLUMNS_OF_LINE)
			column = printf("\"\n\t\"") + 5;	/* with the tab */
		column += printf("%.*s", DIGITS, hashes + k * DIGITS);
	}
	puts("\")");
}
