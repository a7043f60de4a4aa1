/* recorded.c - what before.h has of the experiments, and their columns. */
#include "bench/paper/paper.h"

const struct paper_recorded *paper_recorded(const struct paper_experiment *e)
{
	static const struct paper_recorded recorded[] = {
#define BEFORE(...) { __VA_ARGS__ },
#include "bench/paper/before.h"
#undef BEFORE
	}, none = { .classes = "", .hashes = "" };

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
			for (int theirs = c->kind > 0; theirs >= 0; theirs--) {
				size_t n = strlen(names);

				paper_column_name(c, theirs, name);
				snprintf(names + n, sizeof(names) - n, "%s%s", n ? " " : "", name);
			}
		tool_text(&table, paper_experiments[i]->name);
		tool_text(&table, names);
	}
	tool_table_end(&table);
}
