/* table.c - the table of an experiment: kept, printed, and named row by row; and seed by seed. */
#include <stdarg.h>

#include "bench/paper/paper.h"

struct paper_rows paper_rows;
static bool printed;

void paper_table(const struct paper_column *column)
{
	struct paper_rows *t = &paper_rows;

	t->column = column;
	t->columns = t->cells = 0;
	while (column[t->columns].name)
		t->columns++;
	t->place = tool_need(realloc(t->place, t->columns * sizeof(*t->place)));
	for (size_t c = 0; c < t->columns; c++) {
		t->cells += column[c].kind > 0;
		t->place[c] = t->cells++;
	}
}

const struct paper_cell *paper_cell(size_t row, size_t column, bool theirs)
{
	return &paper_rows.cell[row * paper_rows.cells + paper_rows.place[column] - theirs];
}

static struct paper_cell *add_row(void)
{
	struct paper_rows *t = &paper_rows;

	t->cell = tool_need(realloc(t->cell, (t->rows + 1) * t->cells * sizeof(*t->cell)));
	t->why = tool_need(realloc(t->why, (t->rows + 1) * sizeof(*t->why)));
	t->why[t->rows] = NULL;
	return memset(&t->cell[t->rows++ * t->cells], 0, t->cells * sizeof(*t->cell));
}

void paper_row(size_t texts, const char *const *text, size_t figures, const double *figure)
{
	struct paper_cell *cell = add_row();
	size_t said = 0, given = 0;

	for (const struct paper_column *c = paper_rows.column; c->name; c++) {
		size_t need = c->format ? 1 + (c->kind > 0) : 0;

		if (given + need > figures || said + !c->format > texts)
			break;
		if (!c->format)
			snprintf(cell++->text, sizeof(cell->text), "%s", text[said++]);
		while (need-- > 0)
			cell++->value = figure[given++];
	}
	if (said != texts || given != figures || (size_t)(cell - paper_rows.cell) != paper_rows.rows * paper_rows.cells)
		tool_die(TOOL_CHECK_FAILED, "a row of %zu texts and %zu figures is not the table's", texts, figures);
}

/* Ours in the row last begun. */
static struct paper_cell *last_cell(const struct paper_column *c)
{
	return &paper_rows.cell[(paper_rows.rows - 1) * paper_rows.cells + paper_rows.place[c - paper_rows.column]];
}

void paper_run_row(size_t texts, const char *const *text, const void *theirs, const void *ours)
{
	double figure[64];
	size_t n = 0;

	for (const struct paper_column *c = paper_rows.column; c->name; c++) {
		if (c->kind > 0) {
			double value = paper_member(theirs, c->member);

			figure[n++] = value > 0 ? value : NAN;
		}
		if (c->format)
			figure[n++] = paper_member(ours, c->member);
	}
	paper_row(texts, text, n, figure);
	for (size_t i = 0; i < paper_rows.columns; i++)
		if (paper_rows.column[i].format)
			last_cell(&paper_rows.column[i])->deviation = paper_deviation(ours, paper_rows.column[i].member);
}

void paper_deviates(const char *name, double deviation)
{
	last_cell(paper_column(name, strlen(name)))->deviation = deviation;
}

void paper_as(enum paper_kind kind, const char *columns)
{
	for (const char *at = columns; *at; at += strspn(at, " ")) {
		const struct paper_column *c = paper_column(at, strcspn(at, " "));

		if (c)
			last_cell(c)->kind = kind;
		at += strcspn(at, " ");
	}
}

void paper_why(const char *why)
{
	paper_rows.why[paper_rows.rows - 1] = why;
}

/* A number as it is printed; "-0.000" is not. */
static void number(const struct paper_column *c, double value, bool text, char *to, size_t size)
{
	bool fixed = *c->format == '=';

	if (!isfinite(value))
		snprintf(to, size, "%s", isnan(value) ? "" : value > 0 ? "inf" : "-inf");
	else
		snprintf(to, size, fixed || text ? c->format + fixed : "%.7g", value);
	if (text && isfinite(value) && strtod(to, NULL) == 0)
		snprintf(to, size, c->format + fixed, 0.0);
}

const char *paper_cell_text(size_t row, size_t i, bool theirs, bool text, char to[PAPER_TEXT])
{
	const struct paper_cell *cell = paper_cell(row, i, theirs);

	if (!paper_rows.column[i].format)
		return cell->text;
	number(&paper_rows.column[i], cell->value, text, to, PAPER_TEXT);
	return to;
}

const char *paper_head(const struct paper_column *c)
{
	return c->head ? c->head : c->name;
}

void paper_label(size_t row, char *text, size_t size)
{
	*text = 0;
	for (size_t i = 0; i < paper_rows.columns; i++) {
		const struct paper_column *c = &paper_rows.column[i];
		char value[PAPER_TEXT];
		const char *said = paper_cell_text(row, i, false, true, value);
		size_t n = strlen(text);

		if (c->key && !c->data && (c->format || *said))
			snprintf(text + n, size - n, "%s%s%s%s", n ? ", " : "", c->format ? paper_head(c) : "", c->format ? " " : "", said);
	}
}

const struct paper_column *paper_column(const char *name, size_t length)
{
	for (const struct paper_column *c = paper_rows.column; c && c->name; c++)
		if (strlen(c->name) == length && memcmp(c->name, name, length) == 0)
			return c;
	return NULL;
}

/* FNV-1a. */
uint32_t paper_hash(uint32_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (uint8_t)*text) * UINT32_C(16777619);
	return hash;
}

/* Of the row as CSV has it. */
uint32_t paper_row_hash(size_t row)
{
	uint32_t hash = PAPER_HASH;
	char value[PAPER_TEXT];

	for (size_t i = 0; i < paper_rows.columns; i++)
		for (int theirs = paper_rows.column[i].kind > 0; theirs >= 0; theirs--)
			hash = paper_hash(paper_hash(hash, paper_cell_text(row, i, theirs, false, value)), ",");
	return hash;
}

void paper_column_name(const struct paper_column *c, bool theirs, char to[PAPER_TEXT])
{
	if (theirs && c->theirs)
		snprintf(to, PAPER_TEXT, "%s", c->theirs);
	else
		snprintf(to, PAPER_TEXT, "%s%s", c->name, theirs ? "_paper" : "");
}

/* The heads of the columns, and how wide they are in text. */
static void heads(bool text, char (*name)[PAPER_TEXT], const char **column, int *width)
{
	size_t k = 0;

	for (size_t i = 0; i < paper_rows.columns; i++) {
		const struct paper_column *c = &paper_rows.column[i];

		for (int theirs = c->kind > 0; theirs >= 0 && !(text && c->data); theirs--, k++) {
			if (text)
				snprintf(name[k], sizeof(*name), "%s%s", paper_head(c), theirs ? "*" : "");
			else
				paper_column_name(c, theirs, name[k]);
			column[k] = name[k];
			width[k] = (int)strlen(name[k]);
			for (size_t r = 0; r < paper_rows.rows; r++) {
				char value[PAPER_TEXT];
				int wide = (int)strlen(paper_cell_text(r, i, theirs, true, value));

				width[k] = wide > width[k] ? wide : width[k];
			}
			width[k] = c->format ? width[k] : -width[k];
		}
	}
	column[k] = NULL;
}

static void print_row(struct tool_table *table, size_t row, bool text)
{
	for (size_t i = 0; i < paper_rows.columns; i++) {
		const struct paper_column *c = &paper_rows.column[i];

		for (int theirs = c->kind > 0; theirs >= 0 && !(text && c->data); theirs--) {
			char value[PAPER_TEXT];

			if (text || !c->format)
				tool_text(table, paper_cell_text(row, i, theirs, text, value));
			else
				tool_number(table, *c->format == '=' ? c->format + 1 : "%.7g", paper_cell(row, i, theirs)->value);
		}
	}
}

/* Begin to print; the column `first`, if there is one, comes before the table's. */
static void begin(struct tool_table *table, FILE *out, enum tool_format format, const char *first, int first_width)
{
	size_t more = first != NULL;
	char (*name)[PAPER_TEXT] = tool_held(calloc(paper_rows.cells, sizeof(*name)));
	const char **column = tool_held(calloc(paper_rows.cells + 1 + more, sizeof(*column)));
	int *width = tool_held(calloc(paper_rows.cells + more, sizeof(*width)));

	*table = (struct tool_table){ .out = out, .format = format, .column = column, .width = width };
	column[0] = first;
	width[0] = first_width;
	heads(format == TOOL_TEXT, name, column + more, width + more);
	tool_table_begin(table);
}

void paper_table_print(FILE *out, enum tool_format format)
{
	struct tool_table table;

	begin(&table, out, format, NULL, 0);
	for (size_t r = 0; r < paper_rows.rows; r++)
		print_row(&table, r, format == TOOL_TEXT);
	tool_table_end(&table);
}

/* Of each cell: the first seed's value; sums over all seeds of the difference from it, and of its square. */
static struct {
	struct tool_table table;
	struct paper_cell *first;
	double *sum, *squares;
	size_t seeds, rows;
} by_seed;

static void print_rows(const char *what)
{
	for (size_t r = 0; r < paper_rows.rows; r++) {
		tool_text(&by_seed.table, what);
		print_row(&by_seed.table, r, paper.format == TOOL_TEXT);
	}
}

void paper_seed_rows(uint64_t seed)
{
	size_t n = paper_rows.rows * paper_rows.cells;
	char text[24];

	if (by_seed.seeds++ == 0) {
		begin(&by_seed.table, stdout, paper.format, "seed", -9);
		by_seed.rows = paper_rows.rows;
		by_seed.first = tool_held(calloc(n + 1, sizeof(*by_seed.first)));
		memcpy(by_seed.first, paper_rows.cell, n * sizeof(*by_seed.first));
		by_seed.sum = tool_held(calloc(n + 1, sizeof(double)));
		by_seed.squares = tool_held(calloc(n + 1, sizeof(double)));
	}
	if (paper_rows.rows != by_seed.rows)
		tool_die(TOOL_CHECK_FAILED, "seed %llu has another number of rows than the first", (unsigned long long)seed);
	for (size_t i = 0; i < n; i++) {
		double x = paper_rows.cell[i].value - by_seed.first[i].value;

		by_seed.sum[i] += x;
		by_seed.squares[i] += x * x;
	}
	snprintf(text, sizeof(text), "%llu", (unsigned long long)seed);
	print_rows(text);
	paper_rows.rows = 0;
}

/* Abramowitz and Stegun 26.7.5, exact for 1 and 2. */
double paper_student(double n)
{
	static const double z = 1.959964;
	double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;

	if (n < 3)
		return n < 2 ? 12.7062 : 4.30265;
	return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
	       (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

void paper_seeds_end(void)
{
	static const char *const what[] = { "mean", "deviation", "low", "high" };
	double n = (double)by_seed.seeds;

	paper_rows.rows = by_seed.rows;
	for (int k = 0; k < 4; k++) {
		size_t i = 0;

		for (size_t r = 0; r < by_seed.rows; r++)
			for (size_t c = 0; c < paper_rows.columns; c++)
				for (int theirs = paper_rows.column[c].kind > 0; theirs >= 0; theirs--, i++) {
					double mean = by_seed.first[i].value + by_seed.sum[i] / n;
					double deviation = sqrt(fmax(0, by_seed.squares[i] - by_seed.sum[i] * by_seed.sum[i] / n) / (n - 1));
					double half = paper_student(n - 1) * deviation / sqrt(n);
					const double value[] = { mean, deviation, mean - half, mean + half };

					if (!theirs && !paper_rows.column[c].key)
						paper_rows.cell[i].value = value[k];
				}
		print_rows(what[k]);
	}
	tool_table_end(&by_seed.table);
}

void paper_table_end(void)
{
	if (printed || paper_rows.rows == 0 || paper.record || paper.figures || paper.by_seed)
		return;
	printed = true;
	paper_table_print(stdout, paper.format);
}

void paper_say(const char *format, ...)
{
	va_list args;

	if (paper.format != TOOL_TEXT || paper.record || paper.figures || paper.by_seed)
		return;
	paper_table_end();
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}
