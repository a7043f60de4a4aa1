/* html.c - dls-chunks --html: schedules side by side on one page, which deals their chunks as time goes.
 *
 * The page (page/) gets every chunk as JSON: worker, first iteration, iterations, and in ns when it was asked for, how long that took
 * and how long its iterations took; and when each worker came and left. */
#include "chunks.h"

enum { SCHEDULES_MOST = 4, WORKERS_MOST = 256, CHUNKS_MOST = 200000 };

static void put_ns(FILE *f, const char *before, double seconds)
{
	fprintf(f, "%s%.0f", before, round(1e9 * fmax(seconds, 0)));
}

static void put_run(FILE *f, const struct row *row)
{
	struct trial *trial = trial_begin(row);
	const char *before = "";
	struct chunk c;

	fputs("{\"name\":", f);
	tool_page_text(f, row->label);
	fprintf(f, ",\"measured\":%s,\"chunk\":[", row->found == MEASURED ? "true" : "false");
	while (trial_next(trial, &c)) {
		fprintf(f, "%s%u,%" PRIu64 ",%" PRIu64, before, c.worker, c.begin, c.size);
		put_ns(f, ",", c.start - c.dispatch);
		put_ns(f, ",", c.dispatch);
		put_ns(f, ",", c.time);
		before = ",";
	}
	for (unsigned k = 0; k < 2; k++) {
		fprintf(f, "],\n\"%s\":[", k ? "left" : "came");
		for (unsigned w = 0; w < chunks_p; w++) {
			double came, left;

			trial_worker(trial, w, &came, &left);
			put_ns(f, w ? "," : "", k ? left : came);
		}
	}
	put_ns(f, "],\n\"time\":", row->time);
	fputs("}", f);
	trial_end(trial);
}

void chunks_html(const struct row *row, size_t rows, const char *file)
{
	uint64_t chunks = 0;
	char *loop = chunks_loop();
	FILE *f;

	if (rows > SCHEDULES_MOST)
		tool_die(TOOL_USAGE, "--html \"%s\": shows at most %u schedules, not %zu; -s chooses them", file, SCHEDULES_MOST, rows);
	if (chunks_p > WORKERS_MOST)
		tool_die(TOOL_USAGE, "--html \"%s\": shows at most %u workers, not %u", file, WORKERS_MOST, chunks_p);
	for (size_t i = 0; i < rows; i++) {
		chunks += row[i].chunks;
		if (row[i].time > 9e6)
			tool_die(TOOL_USAGE, "--html \"%s\": shows at most 9e6 s, %s takes %.4g", file, row[i].label, row[i].time);
	}
	if (chunks > CHUNKS_MOST)
		tool_die(TOOL_USAGE, "--html \"%s\": shows at most %u chunks, these schedules have %" PRIu64 ": take larger ones or a "
			 "smaller -n", file, CHUNKS_MOST, chunks);
	f = tool_open("--html", file, "w");
	tool_page_begin(f, tool_page_head);
	fputs(",\"loop\":", f);
	tool_page_text(f, loop);
	fprintf(f, ",\"n\":%" PRIu64 ",\"p\":%u,\"runs\":[", chunks_n, chunks_p);
	for (size_t i = 0; i < rows; i++) {
		fputs(i ? ",\n" : "\n", f);
		put_run(f, &row[i]);
	}
	fputs("\n]", f);
	tool_page_end(f, tool_page_tail);
	tool_close("--html", file, f);
}
