/* recorded.c - what before.h has of the experiments, and the tables of it and of their columns, for which nothing runs. */
#include <string.h>

#include "bench/paper/paper.h"

const struct paper_recorded *paper_recorded(const struct paper_experiment *e)
{
	static const struct paper_recorded recorded[] = {
#define BEFORE(...) { __VA_ARGS__ },
#include "bench/paper/before.h"
#undef BEFORE
	}, none = { .verdicts = "", .hashes = "" };

	for (size_t i = 0; i < sizeof(recorded) / sizeof(*recorded); i++)
		if (strcmp(recorded[i].name, e->name) == 0)
			return &recorded[i];
	return &none;
}

void paper_print_columns(void)
{
	static const char *const column[] = { "experiment", "columns", NULL };
	static const int width[] = { -18, -7 };
	struct tool_table table = { .out = stdout, .format = paper.format, .column = column, .width = width };

	tool_table_begin(&table);
	for (size_t i = 0; i < paper_experiments_n; i++) {
		char names[1024] = "", name[PAPER_TEXT];

		for (const struct paper_column *c = paper_experiments[i]->column; c->name; c++)
			for (int theirs = c->within > 0; theirs >= 0; theirs--) {
				size_t n = strlen(names);

				paper_column_name(c, theirs, name);
				snprintf(names + n, sizeof(names) - n, "%s%s", n ? " " : "", name);
			}
		tool_text(&table, paper_experiments[i]->name);
		tool_text(&table, names);
	}
	tool_table_end(&table);
}

static void print_verdicts(struct tool_table *table, const char *name, const struct paper_recorded *r, size_t rows,
			   const struct paper_experiment *e)
{
	tool_text(table, name);
	tool_whole(table, r->agree);
	tool_whole(table, r->differ);
	tool_whole(table, rows);
	tool_text(table, e && e->again ? "again" : "own");
	tool_text(table, e && e->nearest ? e->nearest : "");
}

/* Of the experiments whose names begin so, each figure once. */
static void print_sum(struct tool_table *table, const char *name, const char *paper_name, size_t length)
{
	struct paper_recorded sum = { .agree = 0 };
	size_t rows = 0;

	for (size_t i = 0; i < paper_experiments_n; i++) {
		const struct paper_experiment *e = paper_experiments[i];
		const struct paper_recorded *r = paper_recorded(e);

		if (e->real_time || e->again || strncmp(e->name, paper_name, length) != 0)
			continue;
		sum.agree += r->agree;
		sum.differ += r->differ;
		rows += strlen(r->hashes) / PAPER_DIGITS;
	}
	print_verdicts(table, name, &sum, rows, NULL);
}

void paper_print_verdicts(void)
{
	static const char *const column[] = { "experiment", "agree", "differ", "as_before", "figures", "nearest", NULL };
	static const int width[] = { -18, 5, 6, 9, -7, -7 };
	struct tool_table table = { .out = stdout, .format = paper.format, .column = column, .width = width };
	const char *last = "";

	tool_table_begin(&table);
	for (size_t i = 0; i < paper_experiments_n; i++) {
		const struct paper_experiment *e = paper_experiments[i];
		const struct paper_recorded *r = paper_recorded(e);

		if (!e->real_time)
			print_verdicts(&table, e->name, r, strlen(r->hashes) / PAPER_DIGITS, e);
	}
	for (size_t i = 0; i < paper_experiments_n; i++) {
		const char *name = paper_experiments[i]->name;
		size_t length = strcspn(name, "-");
		char text[16];

		if (strncmp(name, last, length + 1) != 0) {
			snprintf(text, sizeof(text), "%.*s", (int)length, name);
			print_sum(&table, text, name, length);
		}
		last = name;
	}
	print_sum(&table, "all", "", 0);
	tool_table_end(&table);
}
