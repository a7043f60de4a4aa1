/* tune.c - libFuzzer target: any bytes in a file of DLS_TUNE are refused line by line, or come into the table; what is written
 * of them reads back as the same, and once more written is the same file. */
#include "dls.h"
#include "lib/observe/tune_file.h"
#include "test/fuzz/fuzz.h"

static struct dls__content written(const struct dls__tune_table *table, struct dls__content old)
{
	struct dls__content c = { NULL, 0 };
	FILE *f = open_memstream(&c.text, &c.length);

	MUST(f);
	dls__tune_write(f, table, old);
	MUST(fclose(f) == 0);
	return c;
}

/* A line as it is, or if it is a choice, as one of this library's. */
static void put_line(FILE *f, const char *text, size_t length)
{
	struct dls__tune_line l, again;
	char print[DLS__TUNE_LINE], twice[DLS__TUNE_LINE];

	if (!dls__tune_read(&l, text, length)) {
		fwrite(text, 1, length, f);
		putc('\n', f);
		return;
	}
	MUST(*l.site && l.workers >= 1 && l.octave <= 128 && *l.choice.schedule && *l.version && *l.cpu);
	MUST(!(l.choice.seconds <= 0) && !(l.choice.first <= 0));
	dls__tune_print(&l, print);
	MUST(strlen(print) < sizeof(print) - 1 && strchr(print, '\n') == print + strlen(print) - 1);
	MUST(dls__tune_read(&again, print, strlen(print) - 1));
	MUST(strcmp(dls__tune_print(&again, twice), print) == 0);
	strcpy(l.version, DLS_VERSION);
	strcpy(l.cpu, "c");
	fputs(dls__tune_print(&l, print), f);
}

static struct dls__content made_of(const char *data, size_t size)
{
	struct dls__content c = { NULL, 0 };
	FILE *f = open_memstream(&c.text, &c.length);

	MUST(f);
	fputs("libdls tune 1\n", f);
	for (size_t at = 0, n; at < size; at += n + 1) {
		const char *end = memchr(data + at, '\n', size - at);

		n = end ? (size_t)(end - data) - at : size - at;
		put_line(f, data + at, n);
	}
	MUST(fclose(f) == 0);
	return c;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dls__tune_table table = { .cpu = "c" };
	struct dls__content old = made_of((const char *)data, size), once, twice;
	struct dls__tune_count before, after;

	before = dls__tune_take(&table, old);
	MUST(before.used + before.bad <= before.lines && table.entries <= before.used);
	MUST(!before.bad == !before.first_bad);
	for (struct dls__tune_entry *e = table.first; e; e = e->after)
		if (e->line.octave % 2) {
			e->changed = true;
			table.changed++;
		}
	once = written(&table, old);
	after = dls__tune_take(&table, once);
	MUST(after.bad == 0 && after.used <= before.used && after.lines <= before.lines);
	twice = written(&table, once);
	MUST(twice.length == once.length && memcmp(once.text, twice.text, once.length) == 0);
	for (struct dls__tune_entry *e = table.first, *next; e; e = next) {
		next = e->after;
		free(e);
	}
	free(old.text);
	free(once.text);
	free(twice.text);
	return 0;
}
