/* print.c - the output of dls-chunks: the table, a row for each chunk. */
#include "chunks.h"

enum { LINES = 2, MARGIN = 100 };	/* the sizes of a long sequence take LINES lines, up to column MARGIN */

/* Write the sizes of a row, the first `head` runs of them if it is a long one, in lines that start at `indent`.
 * Returns the number of lines. */
static int lay(char *text, const struct row *row, uint64_t head, int indent)
{
	int lines = 1, column = indent;

	for (uint64_t k = 0; k < row->runs; k++) {
		const struct run *run = &row->shown[k < HEAD ? k : HEAD + (k - HEAD) % TAIL];
		char word[64];
		int length;

		if (k == head) {
			k = row->runs - TAIL - 1;
			length = sprintf(word, "..");
		} else {
			length = sprintf(word, "%" PRIu64, run->size);
			if (run->times > 1)
				length += sprintf(word + length, "x%" PRIu64, run->times);
		}
		if (column > indent && column + 1 + length > MARGIN) {
			text += sprintf(text, "\n%*s", indent, "");
			column = indent;
			lines++;
		}
		if (column > indent)
			*text++ = ' ', column++;
		text += sprintf(text, "%s", word);
		column += length;
	}
	strcpy(text, row->endless ? " .." : "");
	return lines;
}

static void print_sizes(struct tool_table *table, const struct row *row, int indent)
{
	char text[(HEAD + TAIL + 1) * 256];
	uint64_t head = row->runs <= HEAD + TAIL ? row->runs : HEAD;

	if (indent > MARGIN - 30)
		indent = MARGIN - 30;
	while (lay(text, row, head, indent) > LINES && head > 1 && row->runs > TAIL + 1)
		head = head == row->runs ? head - TAIL - 1 : head - 1;
	tool_text(table, text);
}

static int digits(uint64_t value)
{
	return snprintf(NULL, 0, "%" PRIu64, value);
}

char *chunks_loop(void)
{
	char *text;
	FILE *out = tool_text_open(&text);

	fprintf(out, "%" PRIu64 " iteration%s, %u worker%s", chunks_n, chunks_n == 1 ? "" : "s", chunks_p, chunks_p == 1 ? "" : "s");
	if (chunks_timed) {
		fputc('\n', out);
		times_print(out);
		speeds_print(out);
		if (chunks_overhead > 0)
			fprintf(out, "; a dispatch %g s", chunks_overhead);
		if (chunks_steps > 1)
			fprintf(out, "; the last of %u executions", chunks_steps);
	}
	tool_text_close(out);
	return tool_held(text);
}

static void print_head(void)
{
	tool_print_head();
	printf("%s\n\n", chunks_loop());
}

void chunks_print_text(const struct row *row, size_t rows)
{
	static const char *const plain[] = { "schedule", "chunks", "largest", "smallest", "sizes", NULL };
	static const char *const timed[] = { "schedule", "chunks", "largest", "smallest", "time, s", "c.o.v.",
					     "imbalance", "efficiency", "predicted, s", "sizes", NULL };
	int width[] = { -8, 6, 7, 8, -5, 6, 9, 10, 12, -5 }, indent;
	struct tool_table table = { .out = stdout, .format = TOOL_TEXT, .column = chunks_timed ? timed : plain,
				    .width = width };

	for (size_t i = 0; i < rows; i++) {
		int need[] = { (int)strlen(row[i].label), digits(row[i].chunks) + row[i].endless,
			       digits(row[i].largest), digits(row[i].smallest) };

		if (-need[0] < width[0])
			width[0] = -need[0];
		for (int k = 1; k < 4; k++)
			if (need[k] > width[k])
				width[k] = need[k];
	}
	indent = -width[0] + width[1] + width[2] + width[3] + 8;
	if (chunks_timed) {
		width[4] = 10;
		indent += width[4] + width[5] + width[6] + width[7] + width[8] + 10;
	}
	print_head();
	tool_table_begin(&table);
	for (size_t i = 0; i < rows; i++) {
		tool_text(&table, row[i].label);
		if (row[i].endless) {
			char text[32];

			sprintf(text, ">%" PRIu64, row[i].chunks);
			tool_text(&table, text);
		} else {
			tool_whole(&table, row[i].chunks);
		}
		tool_whole(&table, row[i].largest);
		tool_whole(&table, row[i].smallest);
		if (chunks_timed) {
			tool_number(&table, "%.6g", row[i].time);
			tool_number(&table, "%.4f", row[i].cov);
			tool_number(&table, "%.1f%%", row[i].imbalance);
			tool_number(&table, "%.4f", row[i].efficiency);
			tool_number(&table, "%.6g", row[i].predicted);
		}
		print_sizes(&table, &row[i], indent);
	}
	for (size_t i = 0, noted = 0; i < rows; i++)
		if (*row[i].missing)
			printf("%s%s: needs %s\n", noted++ ? "" : "\n", row[i].label, row[i].missing);
	tool_table_end(&table);
}

/* One row of --csv or --json. */
static void print_chunk(struct tool_table *table, const struct row *row, uint64_t k, const struct chunk *chunk)
{
	tool_text(table, row->label);
	tool_whole(table, k);
	tool_whole(table, chunk->begin);
	tool_whole(table, chunk->size);
	tool_number(table, "%.0f", row->found == WALKED ? NAN : chunk->worker);
	tool_number(table, "%.9f", chunk->start);
	tool_number(table, "%.9f", chunk->time);
}

static void print_walk(struct tool_table *table, const struct row *row)
{
	struct chunk chunk = { .start = NAN, .time = NAN };
	struct walk walk;
	struct run run;
	uint64_t k = 0;

	for (chunks_begin(&walk, row); chunks_next(&walk, &run);)
		for (chunk.size = run.size; run.times; run.times--) {
			print_chunk(table, row, k++, &chunk);
			chunk.begin += run.size;
		}
	chunks_end(&walk);
}

static void print_trial(struct tool_table *table, const struct row *row)
{
	struct trial *trial = trial_begin(row);
	struct chunk chunk;

	for (uint64_t k = 0; trial_next(trial, &chunk); k++)
		print_chunk(table, row, k, &chunk);
	trial_end(trial);
}

void chunks_print_rows(const struct row *row, size_t rows, enum tool_format format)
{
	static const char *const column[] = { "schedule", "chunk", "begin", "size", "worker", "start_s", "time_s", NULL };
	struct tool_table table = { .out = stdout, .format = format, .column = column };
	const char *option = format == TOOL_CSV ? "--csv" : "--json";
	uint64_t left = ROWS_MAX;

	for (size_t i = 0; i < rows; i++) {
		if (row[i].endless || row[i].chunks > left)
			tool_die(TOOL_USAGE, "%s: more than %u rows with \"%s\"; the table without %s has no limit",
				 option, ROWS_MAX, row[i].label, option);
		left -= row[i].chunks;
	}
	tool_table_begin(&table);
	for (size_t i = 0; i < rows; i++)
		(row[i].found == WALKED ? print_walk : print_trial)(&table, &row[i]);
	tool_table_end(&table);
}
