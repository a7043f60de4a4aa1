/* table.c - tables as text, CSV and JSON. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void quoted_json(FILE *out, const char *text)
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

/* One cell, and what goes before it and after the row. */
static void cell(struct tool_table *table, const char *text, bool plain)
{
	size_t k = table->cells++;
	bool last = !table->column[k + 1];

	switch (table->format) {
	case TOOL_TEXT:
		/* No blanks at the end of a line. */
		fprintf(table->out, "%s%*s", k ? "  " : "", last && table->width[k] < 0 ? 0 : table->width[k], text);
		break;
	case TOOL_CSV:
		if (k)
			fputc(',', table->out);
		quoted_csv(table->out, text);
		break;
	case TOOL_JSON:
		fputs(k ? ", " : table->rows ? ",\n  {" : "\n  {", table->out);
		quoted_json(table->out, table->column[k]);
		fputs(": ", table->out);
		if (plain)
			fputs(text, table->out);
		else
			quoted_json(table->out, text);
		if (last)
			fputc('}', table->out);
	}
	if (last) {
		if (table->format != TOOL_JSON)
			fputc('\n', table->out);
		table->cells = 0;
		table->rows++;
	}
}

void tool_table_begin(struct tool_table *table)
{
	table->rows = table->cells = 0;
	if (table->format == TOOL_JSON)
		fputc('[', table->out);
	else
		for (size_t k = 0; table->column[k]; k++)
			cell(table, table->column[k], false);
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

void tool_table_end(struct tool_table *table)
{
	if (table->format == TOOL_JSON)
		fputs(table->rows ? "\n]\n" : "]\n", table->out);
	if (fflush(table->out) || ferror(table->out))
		tool_die(TOOL_CHECK_FAILED, "cannot write the table: %s", strerror(errno));
}
