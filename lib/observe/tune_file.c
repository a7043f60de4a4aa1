/* tune_file.c - the file of DLS_TUNE: its lines, read into a table, and written with the table's changes.
 *
 * Lines of other loops, threads, processors and versions stay as they are, comments too. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dls.h"
#include "lib/observe/tune_file.h"

#define HEAD "libdls tune 1"

/* The next line, without its end; there is one. */
static struct dls__stretch next_line(struct dls__content *rest)
{
	char *end = memchr(rest->text, '\n', rest->length);
	struct dls__stretch line = { rest->text, end ? (size_t)(end - rest->text) : rest->length };
	size_t n = line.n + (end != NULL);

	rest->text += n;
	rest->length -= n;
	return line;
}

static bool headed(struct dls__content c)
{
	struct dls__stretch line = next_line(&c);

	if (line.n && line.s[line.n - 1] == '\r')
		line.n--;
	return line.n == strlen(HEAD) && memcmp(line.s, HEAD, line.n) == 0;
}

/* Returns NULL, or why it cannot be read, in words. */
static const char *read_all(int fd, struct dls__content *c)
{
	struct stat info;
	ssize_t got = 1;
	size_t size;

	if (fstat(fd, &info) != 0)
		return strerror(errno);
	if (!S_ISREG(info.st_mode))
		return "it is no regular file";
	if (info.st_size > DLS__TUNE_BYTES)
		return "it is larger than 20 MB";
	size = (size_t)info.st_size;
	c->text = size ? malloc(size) : NULL;
	if (size && !c->text)
		return strerror(ENOMEM);
	while (c->length < size && got) {
		got = read(fd, c->text + c->length, size - c->length);
		if (got < 0 && errno != EINTR)
			return strerror(errno);
		c->length += got > 0 ? (size_t)got : 0;
	}
	return c->length && !headed(*c) ? "its first line is not \"" HEAD "\"" : NULL;
}

const char *dls__tune_load(const struct dls__output *file, struct dls__content *c)
{
	const char *why;
	struct stat info;
	int fd;

	*c = (struct dls__content){ .text = NULL };
	if (file->descriptor >= 0 || (stat(file->place, &info) == 0 && !S_ISREG(info.st_mode)))
		return "it is no regular file";
	fd = open(file->place, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return errno == ENOENT ? NULL : strerror(errno);
	why = read_all(fd, c);
	close(fd);
	if (why || !c->length) {
		free(c->text);
		*c = (struct dls__content){ .text = NULL };
	}
	return why;
}

static bool comment(struct dls__stretch line)
{
	line = dls__trim(line);
	return line.n == 0 || *line.s == '#' || (line.n == 1 && *line.s == '\r');
}

struct dls__tune_count dls__tune_take(struct dls__tune_table *table, struct dls__content c)
{
	struct dls__tune_count count = { .lines = 0 };
	struct dls__tune_line line;
	struct dls__tune_entry *e;

	for (unsigned number = 1; c.length; number++) {
		struct dls__stretch text = next_line(&c);

		if (number == 1 || comment(text))
			continue;
		count.lines++;
		if (!dls__tune_read(&line, text.s, text.n)) {
			if (count.bad++ == 0)
				count.first_bad = number;
		} else if (strcmp(line.cpu, table->cpu) == 0 && strcmp(line.version, DLS_VERSION) == 0 &&
			   (e = dls__tune_make(table, &(struct dls__tune_key){ line.site, line.workers, line.octave }))) {
			e->line.choice = line.choice;
			count.used++;
		}
	}
	return count;
}

/* Whether a line stays as it is; other lines have changed choices, or are not choices. */
static bool stays(const struct dls__tune_table *table, struct dls__stretch text)
{
	const struct dls__tune_entry *e;
	struct dls__tune_line line;

	if (comment(text))
		return true;
	if (!dls__tune_read(&line, text.s, text.n))
		return false;
	if (strcmp(line.cpu, table->cpu) != 0)
		return true;
	e = dls__tune_look(table, &(struct dls__tune_key){ line.site, line.workers, line.octave });
	return !e || !e->changed;
}

/* By how many lines the file would be too long: as many of the first ones, which are the oldest, are left out. */
static unsigned too_many(const struct dls__tune_table *table, struct dls__content old)
{
	unsigned n = table->changed;

	while (old.length)
		n += stays(table, next_line(&old));
	return n > DLS__TUNE_LINES ? n - DLS__TUNE_LINES : 0;
}

void dls__tune_write(FILE *f, const struct dls__tune_table *table, struct dls__content old)
{
	char text[DLS__TUNE_LINE];
	unsigned drop;

	fputs(HEAD "\n", f);
	if (old.length)
		next_line(&old);
	else
		fputs("# What libdls has learned of loops: see dls(7), Tune file.\n", f);
	for (drop = too_many(table, old); old.length;) {
		struct dls__stretch line = next_line(&old);

		if (!stays(table, line) || (drop && drop--))
			continue;
		fwrite(line.s, 1, line.n, f);
		putc('\n', f);
	}
	for (const struct dls__tune_entry *e = table->first; e; e = e->after)
		if (e->changed)
			fputs(dls__tune_print(&e->line, text), f);
}
