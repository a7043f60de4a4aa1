/* table.c - tables as text, CSV and JSON. */
#include "dls.h"
#include "bench/tool/tool.h"

/* Whether a spreadsheet would take a text for a formula.  Such texts get an apostrophe before them, and so do those that
 * begin with one. */
static bool like_formula(const char *text)
{
	char *end;

	if (!*text || !strchr("=+-@'\t\r", *text))
		return false;
	strtod(text, &end);
	return *end && strcmp(text, "-") != 0;	/* else it is a number, or a dash for none */
}

static void quoted_csv(FILE *out, const char *text)
{
	bool formula = like_formula(text);

	if (!formula && !text[strcspn(text, ",\"\r\n")]) {
		fputs(text, out);
		return;
	}
	fputs(formula ? "\"'" : "\"", out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

void tool_json_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if ((unsigned char)*text < ' ')
			fprintf(out, "\\u%04x", (unsigned)*text);
		else
			fputc(*text, out);
	}
	fputc('"', out);
}

static void quoted(struct tool_table *table, FILE *out, const char *text)
{
	(table->format == TOOL_CSV ? quoted_csv : tool_json_text)(out, text);
}

/* Write what goes before a cell. */
static void begin_cell(struct tool_table *table)
{
	size_t k = table->cells++;

	if (table->format == TOOL_CSV && k)
		fputc(',', table->out);
	if (table->format == TOOL_JSON) {
		fputs(k ? ", " : table->rows ? ",\n  {" : "\n  {", table->out);
		tool_json_text(table->out, table->column[k]);
		fputs(": ", table->out);
	}
}

/* Write what goes after a row, if the cell is the row's last. */
static void end_cell(struct tool_table *table)
{
	if (table->column[table->cells])
		return;
	if (table->source)
		fputs(table->source, table->out);
	fputs(table->format == TOOL_JSON ? "}" : "\n", table->out);
	table->cells = 0;
	table->rows++;
}

static void cell(struct tool_table *table, const char *text, bool plain)
{
	size_t k = table->cells;
	bool last = !table->column[k + 1];

	begin_cell(table);
	if (table->format == TOOL_TEXT)		/* no blanks at the end of a line */
		fprintf(table->out, "%s%*s", k ? "  " : "", last && table->width[k] < 0 ? 0 : table->width[k], text);
	else if (table->format == TOOL_JSON && plain)
		fputs(text, table->out);
	else
		quoted(table, table->out, text);
	end_cell(table);
}

/* Where the output comes from, as each row has it. */
static void make_source(struct tool_table *table)
{
	const struct {
		const char *name, *text;
	} part[] = { { "version", dls_version() }, { "command", tool_command() }, { "files", tool_files() } };
	FILE *out = tool_text_open(&table->source);

	for (size_t i = 0; i < 3; i++) {
		fputs(table->format == TOOL_CSV ? "," : ", ", out);
		if (table->format == TOOL_JSON)
			fprintf(out, "\"%s\": ", part[i].name);
		quoted(table, out, part[i].text);
	}
	tool_text_close(out);
}

void tool_table_begin(struct tool_table *table)
{
	table->rows = table->cells = 0;
	table->source = NULL;
	if (table->format == TOOL_JSON)
		fputc('[', table->out);
	for (size_t k = 0; table->column[k] && table->format == TOOL_TEXT; k++)
		cell(table, table->column[k], false);
	for (size_t k = 0; table->column[k] && table->format == TOOL_CSV; k++)
		fprintf(table->out, "%s%s", table->column[k], table->column[k + 1] ? "," : ",version,command,files\n");
	if (table->format != TOOL_TEXT)
		make_source(table);
	table->rows = 0;
}

void tool_text(struct tool_table *table, const char *text)
{
	cell(table, text, false);
}

void tool_number(struct tool_table *table, const char *format, double value)
{
	char text[512];

	if (isfinite(value))
		snprintf(text, sizeof(text), format, value);
	else
		strcpy(text, table->format == TOOL_JSON ? "null" : isnan(value) ? "" : value > 0 ? "inf" : "-inf");
	cell(table, text, true);
}

void tool_whole(struct tool_table *table, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	cell(table, text, true);
}

void tool_ns(struct tool_table *table, uint64_t ns)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu.%09llu", (unsigned long long)ns / 1000000000, (unsigned long long)ns % 1000000000);
	cell(table, text, true);
}

void tool_named(struct tool_table *table, const char *const *name, size_t n, const uint64_t *value)
{
	size_t some = 0;
	char *text;
	FILE *out = tool_text_open(&text);

	for (size_t i = 0; i < n; i++) {
		if (!name[i])
			continue;
		fputs(some++ ? table->format == TOOL_JSON ? ", " : " " : "", out);
		if (table->format == TOOL_JSON)
			tool_json_text(out, name[i]);
		else
			fputs(name[i], out);
		fprintf(out, table->format == TOOL_JSON ? ": %llu" : "=%llu", (unsigned long long)value[i]);
	}
	tool_text_close(out);
	if (table->format == TOOL_JSON) {
		begin_cell(table);
		fprintf(table->out, "{%s}", text);
		end_cell(table);
	} else {
		cell(table, text, false);
	}
	free(text);
}

void tool_table_end(struct tool_table *table)
{
	if (table->format == TOOL_JSON)
		fputs(table->rows ? "\n]\n" : "]\n", table->out);
	if (fflush(table->out) || ferror(table->out))
		tool_die(TOOL_CHECK_FAILED, "cannot write the table: %s", strerror(errno));
	free(table->source);
	table->source = NULL;
}
