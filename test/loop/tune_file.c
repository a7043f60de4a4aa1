/* tune_file.c - files of DLS_TUNE in memory: lines, choices, any bytes.
 *
 * Fails if: a field does not come back as it was printed, a line that is damaged or cut is accepted, two choices are taken for
 * one, what a file of any bytes leads to does not read back as the same, or what is no such file is
 * not told of.
 *
 * runs: check */
#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "dls.h"
#include "tune.h"

/* Choices of loops that differ in one thing alone. */
static void keys(void)
{
	static const char *const sites[] = { "", "a", "b", "ab", "a.c:1", "a.c:11" };
	enum { KEYS = 6 * 16 * 129 };
	struct dls__tune_table *table = tune_table("c");

	for (unsigned k = 0; k < 2 * KEYS; k++) {	/* made, then looked up */
		unsigned number = k % KEYS;
		struct dls__tune_key key = { sites[number % 6], 1 + number / 6 % 16, number / 96 };
		struct dls__tune_entry *e = dls__tune_look(table, &key);

		if (k < KEYS && CHECK(!e)) {
			e = dls__tune_make(table, &key);
			e->line.choice.executions = number;
		}
		if (!CHECK(e && e->line.choice.executions == number))
			return;
	}
	CHECK_EQ(table->entries, KEYS);
	tune_table_free(table);
}

/* Every field comes back, whatever bytes are in it; what is cut off anywhere is no line. */
static void lines(void)
{
	static const char *const bad[] = {
		"", " ", "\"a\"", "a threads=1 octave=2 schedule=\"x\" seconds=1 first=1 executions=1 version=\"1\" cpu=\"c\"",
#define REST(p, o, s, t, f, n) \
		"\"a\" threads=" p " octave=" o " schedule=" s " seconds=" t " first=" f " executions=" n " version=\"1\" cpu=\"c\""
		REST("0", "2", "\"x\"", "1", "1", "1"), REST("65537", "2", "\"x\"", "1", "1", "1"), REST("-1", "2", "\"x\"", "1", "1", "1"),
		REST("1", "129", "\"x\"", "1", "1", "1"), REST("1", "2", "\"\"", "1", "1", "1"), REST("1", "2", "x", "1", "1", "1"),
		REST("1", "2", "\"x\"", "0", "1", "1"), REST("1", "2", "\"x\"", "nan", "1", "1"), REST("1", "2", "\"x\"", "1", "inf", "1"),
		REST("1", "2", "\"x\"", "-1", "1", "1"), REST("1", "2", "\"x\"", "2e9", "1", "1"), REST("1", "2", "\"x\"", "--", "1", "1"),
		REST("1", "2", "\"x\"", "1", "1", "18446744073709551616"), REST("1", "2", "\"x\"", "1", "1", "1") " more",
		REST("1", "2", "\"x\"", "1", "1", ""), REST("1", "2", "\"\\x00\"", "1", "1", "1"), REST("1", "2", "\"\\n\"", "1", "1", "1"),
		REST("1", "2", "\"\\x4\"", "1", "1", "1"), REST("1", "2", "\"x\"y", "1", "1", "1"),
		REST("1", "2", "\"1234567890123456789012345678901234567890123456789012345678901234\"", "1", "1", "1"),
	};
	static const char *const good[] = {
		REST("1", "0", "\"x\"", "1", "-", "0"), REST("65536", "128", "\"x\\x22\\x0a\"", "1e-300", "1e9", "18446744073709551615") "\r",
		REST("1", "2", "\"123456789012345678901234567890123456789012345678901234567890123\"", "1", "1", "1") "  ",
		" \t" REST("1", "2\t", "\"x\"", "1", "1", "1"),
	};
	uint64_t seed = tap_seed();
	struct dls__tune_line l;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (!CHECK(!dls__tune_read(&l, bad[i], strlen(bad[i]))))
			tap_note("%s", bad[i]);
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		if (!CHECK(dls__tune_read(&l, good[i], strlen(good[i]))))
			tap_note("%s", good[i]);
	for (int round = 0; round < 2000; round++) {
		struct dls__tune_line from = {
			.workers = 1 + (unsigned)tap_random(&seed) % 65536, .octave = (unsigned)(tap_random(&seed) % 129),
			.choice = { .seconds = 0.25, .first = round % 2 ? NAN : 12340, .executions = tap_random(&seed) },
		}, to;
		struct {
			char *text;
			size_t room;
		} field[] = {
			{ from.site, sizeof(from.site) }, { from.choice.schedule, sizeof(from.choice.schedule) },
			{ from.version, sizeof(from.version) }, { from.cpu, sizeof(from.cpu) },
		};
		char text[DLS__TUNE_LINE];
		size_t n;

		for (int i = 0; i < 4; i++)
			for (size_t k = 1 + tap_random(&seed) % (field[i].room - 1); k-- > 0;)
				field[i].text[k] = (char)(1 + tap_random(&seed) % 255);
		n = strlen(dls__tune_print(&from, text)) - 1;
		CHECK(n < DLS__TUNE_LINE - 1 && text[n] == '\n' && !memchr(text, '\n', n));
		if (!CHECK(dls__tune_read(&to, text, n))) {
			tap_note("%s", text);
			return;
		}
		CHECK(strcmp(from.site, to.site) == 0 && strcmp(from.choice.schedule, to.choice.schedule) == 0 &&
		      strcmp(from.version, to.version) == 0 && strcmp(from.cpu, to.cpu) == 0);
		CHECK(from.workers == to.workers && from.octave == to.octave && from.choice.executions == to.choice.executions);
		CHECK(to.choice.seconds == 0.25 && (round % 2 ? isnan(to.choice.first) : to.choice.first == 12340));
		CHECK(!dls__tune_read(&to, text, tap_random(&seed) % n));
	}
}

/* Whatever a file holds: what is read of it is written, and read again as the same. */
static void any_bytes(void)
{
	uint64_t seed = tap_seed();
	struct dls__tune_table *table = tune_table("c");

	for (int round = 0; round < 1000; round++) {
		char text[2048], *again;
		size_t length = (size_t)snprintf(text, sizeof(text), "libdls tune 1\n%s# x\n%s%s",
						 tune_line("a", 2, "gss", DLS_VERSION, "c"), tune_line("b", 3, "ss", DLS_VERSION, "c"),
						 tune_line("c", 4, "ss", DLS_VERSION, "other"));
		struct dls__tune_count before, after;
		struct dls__content c;
		FILE *f;

		for (uint64_t k = tap_random(&seed) % 6; k > 0; k--)
			text[tap_random(&seed) % length] = (char)tap_random(&seed);
		c = (struct dls__content){ malloc(length), length };
		memcpy(c.text, text, length);
		before = dls__tune_take(table, c);
		CHECK(before.lines <= 10 && before.used + before.bad <= before.lines);
		again = NULL;
		length = 0;
		f = open_memstream(&again, &length);
		dls__tune_write(f, table, c);
		fclose(f);
		after = dls__tune_take(table, (struct dls__content){ again, length });
		CHECK_EQ(after.bad, 0);
		CHECK_EQ(after.used, before.used);
		CHECK_EQ(after.lines, before.lines - before.bad);
		free(again);
		free(c.text);
	}
	tune_table_free(table);
}

/* What a place with these bytes, or none, is said to be; its content is in *c. */
static const char *load(const char *text, struct dls__content *c)
{
	static char place[] = "/tmp/dls-tune-file-XXXXXX";
	struct dls__output file = { .place = place, .descriptor = -1 };
	const char *why;
	int fd;

	memcpy(place + strlen(place) - 6, "XXXXXX", 6);
	fd = mkstemp(place);
	if (fd < 0 || (text && write(fd, text, strlen(text)) != (ssize_t)strlen(text)))
		exit(1);
	close(fd);
	if (!text)
		unlink(place);
	why = dls__tune_load(&file, c);
	unlink(place);
	return why;
}

/* A file whose lines end as on Windows is read as others are; one that is missing or empty has nothing; a folder, what is no file
 * of choices and what lies below a file are told of. */
static void loaded(void)
{
	struct dls__tune_table *table = tune_table("c");
	struct dls__output file = { .place = (char[]){ "/" }, .descriptor = -1 };
	struct dls__tune_count count;
	struct dls__content c;
	char text[2048], below[40] = "/tmp/dls-tune-file-XXXXXX";
	int fd;

	snprintf(text, sizeof(text), "libdls tune 1\r\n# x\r\n\r\n%.*s\r\n", (int)strlen(tune_line("a", 2, "gss", DLS_VERSION, "c")) - 1,
		 tune_line("a", 2, "gss", DLS_VERSION, "c"));
	CHECK(load(text, &c) == NULL);
	count = dls__tune_take(table, c);
	CHECK(count.lines == 1 && count.used == 1 && count.bad == 0);
	free(c.text);
	snprintf(text, sizeof(text), "libdls tune 1\n%s", tune_line("b", 2, "gss", "another version", "c"));
	CHECK(load(text, &c) == NULL);
	count = dls__tune_take(table, c);
	CHECK(count.lines == 1 && count.used == 0 && count.bad == 0);
	free(c.text);
	CHECK(load(NULL, &c) == NULL && !c.text && c.length == 0);
	CHECK(load("", &c) == NULL && !c.text && c.length == 0);
	CHECK_TEXT(load("libdls tune 2\n", &c), "its first line is not \"libdls tune 1\"");
	CHECK(!c.text && c.length == 0);
	CHECK_TEXT(load("\r\n", &c), "its first line is not \"libdls tune 1\"");
	CHECK_TEXT(dls__tune_load(&file, &c), "it is no regular file");
	file.descriptor = 1;
	CHECK_TEXT(dls__tune_load(&file, &c), "it is no regular file");
	file = (struct dls__output){ .place = below, .descriptor = -1 };
	fd = mkstemp(below);
	strcat(below, "/x");
	CHECK(fd >= 0);
	CHECK_TEXT(dls__tune_load(&file, &c), strerror(ENOTDIR));
	*strrchr(below, '/') = 0;
	unlink(below);
	close(fd);
	tune_table_free(table);
}

TEST_MAIN(T(keys) T(lines) T(any_bytes) T(loaded))
