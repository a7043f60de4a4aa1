/* check.c - figure by figure: how far from the paper, as before or changed, calibrated or predicted.
 *
 * before.h has 24 bits of a hash of each row, as CSV has it, and of each figure apart from the table
 * with which the paper has nothing to compare, with seven digits.  One with which it has, and from which no reason is known to
 * differ, has changed if it does not agree.  Beside them it has how many figures agree and do not, and a hash of those that do not. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/paper/paper.h"

enum { DIGITS = PAPER_DIGITS };

/* A figure, with the range in which it agrees with the paper; without a range the paper has nothing to compare. */
static struct line {
	char what[160];
	size_t row;			/* of one in the table, and its column; NULL: it is not */
	const struct paper_column *column;
	double theirs, low, high, ours;
	const char *why;
	const char *by;			/* constant by which it is calibrated; NULL: it is predicted */
	size_t k;			/* of its hash, which is its row's in the table; not with a range */
} *line;
static size_t lines, others;		/* first those that are not in the table */
#define EACH(l) (struct line *l = line; l < line + lines; l++)
#define EACH_OTHER(l) (struct line *l = line; l < line + others; l++)

/* Hashes of this run and of before.h: of the rows, which in real time are never the same, and of figures without a range. */
static char *hashes;
static const struct paper_recorded *before;
static size_t recorded;

/* Of the paper's figures and statements; of those recorded, how many are not as before or are missing. */
static struct {
	size_t agree, differ, calibrated, changed;
	bool own_seeds;	/* those recorded are of these seeds */
	bool as_before;	/* the same figures agree, and the others are as far from the paper */
	char hash[DIGITS + 1];
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

void paper_by(const char *constant)
{
	line[lines - 1].by = paper_constant(constant);
}

static void add_cell(size_t row, size_t c)
{
	const struct paper_column *column = &paper_rows.column[c];
	double theirs = column->within > 0 ? paper_cell(row, c, true)->value : NAN, ours = paper_cell(row, c, false)->value;
	struct line *l;

	if (isnan(theirs) || isnan(ours))
		return;
	l = add(theirs, column->within, NAN, NAN, ours, paper_rows.why[row] ? paper_rows.why[row] : column->why);
	l->row = l->k = row;
	l->column = column;
	l->by = column->by;
	if (l->by && paper_rows.by[row] && strcmp(l->by, PAPER_ARITHMETIC) != 0)
		l->by = *paper_rows.by[row] ? paper_rows.by[row] : NULL;
	l->by = l->by ? paper_constant(l->by) : NULL;
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
	return k < strlen(before->hashes) / DIGITS && memcmp(before->hashes + k * DIGITS, hashes + k * DIGITS, DIGITS) == 0;
}

/* From the paper's figure: in per cent of it, or in the figure's own unit if it is 0. */
static void distance(const struct line *l, char *text, size_t size)
{
	double by = l->ours - l->theirs;

	if (isnan(by))
		*text = 0;
	else if (l->theirs == 0)
		snprintf(text, size, "%+.3g", by);
	else
		snprintf(text, size, fabs(by) < 0.1 * fabs(l->theirs) ? "%+.1f %%" : "%+.0f %%", 100 * by / fabs(l->theirs));
}

static void print_hash(char to[DIGITS + 1], uint32_t hash)
{
	snprintf(to, DIGITS + 1, "%06x", (unsigned)(hash >> 8 ^ (hash & 0xff)));
}

/* Count what agrees, and hash what does not. */
static void judge_figures(const struct paper_experiment *e)
{
	uint32_t hash = PAPER_HASH;
	char text[PAPER_TEXT];

	for (const struct paper_column *c = e->column; c->name; c++)
		for (int theirs = c->within > 0; theirs >= 0; theirs--) {
			paper_column_name(c, theirs, text);
			hash = paper_hash(paper_hash(hash, text), " ");
		}
	for EACH(l) {
		verdict.agree += agrees(l);
		verdict.differ += differs(l);
		verdict.calibrated += l->by && !isnan(l->low);
		if (differs(l) && !e->real_time) {
			distance(l, text, sizeof(text));
			hash = paper_hash(paper_hash(hash, l->what), text);
		}
	}
	print_hash(verdict.hash, hash);
	verdict.as_before = strcmp(verdict.hash, before->verdicts) == 0 &&
			    (e->real_time || (verdict.agree == before->agree && verdict.differ == before->differ));
}

static void judge(const struct paper_experiment *e)
{
	size_t had = strlen(before->hashes) / DIGITS;

	judge_figures(e);
	verdict.own_seeds = paper.first == e->first && paper.seeds == (size_t)(e->last - e->first + 1);
	if (!verdict.own_seeds)
		return;
	verdict.changed = !verdict.as_before + (had > recorded ? had - recorded : 0);
	for EACH_OTHER(l)
		verdict.changed += differs(l) && !l->why;
	for (size_t k = 0; k < recorded; k++)
		verdict.changed += !as_before(k);
}

static void add_hash(uint32_t hash)
{
	print_hash(hashes + DIGITS * recorded++, hash);
}

void paper_judge(const struct paper_experiment *e)
{
	before = paper_recorded(e);
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

/* What the paper says: its figure, or the range of a statement. */
static void said(const struct line *l, char *text, size_t size)
{
	if (!isnan(l->theirs))
		snprintf(text, size, "%.5g", l->theirs);
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

static const char *regression(const struct paper_experiment *e, const struct line *l)
{
	if (!verdict.own_seeds || (l->column && e->real_time) || (!l->column && !isnan(l->low) && l->why))
		return "";
	if (!l->column && !isnan(l->low))
		return agrees(l) ? "as before" : "changed";
	return as_before(l->k) ? "as before" : "changed";
}

static void cells(const struct paper_experiment *e, const struct line *l, char (*text)[160])
{
	snprintf(text[0], sizeof(*text), "%s", l->what);
	said(l, text[1], sizeof(*text));
	snprintf(text[2], sizeof(*text), "%.5g", l->ours);
	distance(l, text[3], sizeof(*text));
	snprintf(text[4], sizeof(*text), "%s", regression(e, l));
	snprintf(text[5], sizeof(*text), "%s", isnan(l->low) ? "" : agrees(l) ? "agrees" : "does not reproduce");
	if (!l->by || strcmp(l->by, PAPER_ARITHMETIC) == 0)
		snprintf(text[6], sizeof(*text), "%s", l->by ? l->by : "predicted");
	else
		snprintf(text[6], sizeof(*text), "calibrated: %s", l->by);
}

static void print_text(const struct paper_experiment *e)
{
	enum { COLUMNS = 7 };
	static const char *const column[] = { "figure", "paper", "here", "distance", "regression", "verdict", "basis", NULL };
	int width[COLUMNS] = { -6, 5, 4, 8, -10, -7, -5 };
	struct tool_table table = { .out = stdout, .format = TOOL_TEXT, .column = column, .width = width };
	char text[COLUMNS][160];

	for (int print = 0; print < 2; print++) {
		if (print)
			tool_table_begin(&table);
		for EACH(l) {
			cells(e, l, text);
			for (int k = 0; k < COLUMNS; k++) {
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
	static const char *const column[] = { "experiment", "figure", "paper", "low", "high", "here", "distance", "regression",
					      "verdict", "basis", NULL };
	struct tool_table table = { .out = stdout, .format = paper.format, .column = column };
	char text[7][160];

	if (paper.format == TOOL_TEXT) {
		if (lines > 0)
			print_text(e);
		return;
	}
	tool_table_begin(&table);
	for EACH(l) {
		const double number[] = { l->theirs, l->low, l->high, l->ours, (l->ours - l->theirs) / fabs(l->theirs) };

		cells(e, l, text);
		tool_text(&table, e->name);
		tool_text(&table, text[0]);
		for (size_t k = 0; k < sizeof(number) / sizeof(*number); k++)
			tool_number(&table, "%.7g", isfinite(number[k]) ? number[k] : NAN);
		for (int k = 4; k < 7; k++)
			tool_text(&table, text[k]);
	}
	tool_table_end(&table);
}

static void print_reason(const char *what, const char *why)
{
	printf("%s does not reproduce: %s\n", what, why ? why : "no reason is known");
}

/* Whether a figure of the row does not agree. */
static bool row_differs(size_t row)
{
	for EACH(l)
		if (l->column && l->row == row && differs(l))
			return true;
	return false;
}

/* Each reason once: of the columns, of the rows, of the other figures; and what comes nearest. */
static void print_reasons(const struct paper_experiment *e)
{
	putchar('\n');
	for (const struct paper_column *c = paper_rows.column; c && c->name; c++)
		for EACH(l)
			if (l->column == c && differs(l) && !paper_rows.why[l->row]) {
				print_reason(paper_head(c), c->why);
				break;
			}
	for (size_t r = 0; r < paper_rows.rows; r++) {
		char label[128];

		paper_label(r, label, sizeof(label));
		if (paper_rows.why[r] && row_differs(r))
			print_reason(label, paper_rows.why[r]);
	}
	for EACH_OTHER(l)
		if (differs(l))
			print_reason(l->what, l->why);
	if (e->nearest)
		printf("Nearest: %s.\n", e->nearest);
}

void paper_print_check(const struct paper_experiment *e)
{
	putchar('\n');
	if (lines > 0)
		print_text(e);
	if (verdict.differ > 0)
		print_reasons(e);
	putchar('\n');
	if (verdict.agree + verdict.differ > 0)
		printf("%zu of the paper's figures and statements agree, %zu do not; %zu are calibrated, %zu predicted.\n",
		       verdict.agree, verdict.differ, verdict.calibrated, verdict.agree + verdict.differ - verdict.calibrated);
	if (!verdict.own_seeds)
		puts("Whether all is as before is not known of these seeds.");
	else if (verdict.changed > 0)
		printf("%zu rows and figures have changed.\n", verdict.changed);
	else
		puts("All rows and figures are as before.");
}

static void complain(const struct paper_experiment *e, const char *what)
{
	fprintf(stderr, "%s: %s: %s: has changed\n", tool_name, e->name, what);
}

int paper_check(const struct paper_experiment *e)
{
	char what[192];

	fflush(stdout);
	for (size_t r = 0; r < paper_rows.rows && !e->real_time && verdict.changed > 0; r++)
		if (!as_before(r)) {
			paper_label(r, what, sizeof(what));
			complain(e, what);
		}
	for EACH_OTHER(l)
		if (strcmp(regression(e, l), "changed") == 0) {
			snprintf(what, sizeof(what), "%s: %.5g", l->what, l->ours);
			complain(e, what);
		}
	if (verdict.own_seeds && !verdict.as_before) {
		snprintf(what, sizeof(what), "what agrees with the paper (%zu, before %zu), what does not (%zu, before %zu), or a column",
			 verdict.agree, before->agree, verdict.differ, before->differ);
		complain(e, what);
	}
	if (verdict.changed > 0)
		tool_die(TOOL_CHECK_FAILED, "%s: %zu rows and figures have changed", e->name, verdict.changed);
	return TOOL_DONE;
}

bool paper_judged(size_t k, struct paper_judged *j)
{
	const struct line *l = line + k;

	if (k < lines)
		*j = (struct paper_judged){ l->what, l->why, l->row, l->column, l->theirs, l->low, l->high, l->ours, agrees(l), l->by };
	return k < lines;
}

size_t paper_changed(void)
{
	return verdict.changed;
}

void paper_lines_clear(void)
{
	free(line);
	line = NULL;
	lines = 0;
}

void paper_print_record(const struct paper_experiment *e)
{
	enum { COLUMNS_OF_LINE = 128 };
	int column = printf("BEFORE(\"%s\", %zu, %zu, \"%s\", \"", e->name, e->real_time ? 0 : verdict.agree,
			    e->real_time ? 0 : verdict.differ, verdict.hash);

	for (size_t k = 0; k < recorded; k++) {
		if (column + DIGITS > COLUMNS_OF_LINE)
			column = printf("\"\n\t\"") + 5;	/* with the tab */
		column += printf("%.*s", DIGITS, hashes + k * DIGITS);
	}
	puts("\")");
}
