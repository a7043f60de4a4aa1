/* tool.c - what the command line tools share: options, tables, schedule lists, medians, clocks. */
#define _GNU_SOURCE	/* sched_setaffinity(), where there is one */

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dls/schedule.h"
#include "tool.h"

const char *tool_name = "dls";

void tool_die(int code, const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fprintf(stderr, "%s: ", tool_name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(code);
}

static void *grow(void *list, size_t n, size_t size)
{
	/* A power of two is full. */
	if ((n & (n - 1)) == 0) {
		list = realloc(list, (n ? 2 * n : 1) * size);
		if (!list)
			tool_die(TOOL_CHECK_FAILED, "out of memory");
	}
	return list;
}

static char *copy(const char *text, size_t length)
{
	char *to = malloc(length + 1);

	if (!to)
		tool_die(TOOL_CHECK_FAILED, "out of memory");
	memcpy(to, text, length);
	to[length] = 0;
	return to;
}

/* Digits, and then perhaps e and the number of zeros: 1e6. */
static bool whole(const char *text, size_t length, uint64_t *value)
{
	const char *end = text + length;
	uint64_t zeros = 0;

	if (length == 0 || !isdigit((unsigned char)*text))
		return false;
	for (*value = 0; text < end && isdigit((unsigned char)*text); text++) {
		uint64_t digit = (uint64_t)(*text - '0');

		if (*value > (UINT64_MAX - digit) / 10)
			return false;
		*value = 10 * *value + digit;
	}
	if (text == end)
		return true;
	if ((*text != 'e' && *text != 'E') || ++text == end)
		return false;
	for (; text < end && isdigit((unsigned char)*text) && zeros < 100; text++)
		zeros = 10 * zeros + (uint64_t)(*text - '0');
	if (text < end)
		return false;
	for (; zeros && *value; zeros--) {
		if (*value > UINT64_MAX / 10)
			return false;
		*value *= 10;
	}
	return true;
}

static uint64_t count(const char *option, const char *text, size_t length, uint64_t min, uint64_t max)
{
	uint64_t value;

	if (!whole(text, length, &value) || value < min || value > max)
		tool_die(TOOL_USAGE, "%s \"%.*s\": not a whole number from %llu to %llu", option, (int)length, text,
			 (unsigned long long)min, (unsigned long long)max);
	return value;
}

uint64_t tool_count(const char *option, const char *text, uint64_t min, uint64_t max)
{
	return count(option, text, strlen(text), min, max);
}

double tool_real(const char *option, const char *text, double min, double max)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !isfinite(value) || value < min || value > max) {
		if (isfinite(max))
			tool_die(TOOL_USAGE, "%s \"%s\": not a number from %g to %g", option, text, min, max);
		tool_die(TOOL_USAGE, "%s \"%s\": not a finite number of at least %g", option, text, min);
	}
	return value;
}

size_t tool_counts(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t **list)
{
	size_t n = 0;

	for (*list = NULL;; text++) {
		size_t length = strcspn(text, ",");

		*list = grow(*list, n, sizeof(**list));
		(*list)[n++] = count(option, text, length, min, max);
		text += length;
		if (!*text)
			return n;
	}
}

/* The words of the text, each with what belongs to it. */
static size_t words(const char *option, const char *text, char ***list)
{
	static const char between[] = ",; \t\n";
	size_t n = 0;

	for (*list = NULL; *(text += strspn(text, between));) {
		size_t length = strcspn(text, between);

		if (isdigit((unsigned char)*text) || memchr(text, '=', length)) {
			if (n == 0)
				tool_die(TOOL_USAGE, "%s \"%.*s\": no schedule before it", option, (int)length, text);
			char *last = (*list)[n - 1];
			size_t before = strlen(last);

			last = realloc(last, before + 1 + length + 1);
			if (!last)
				tool_die(TOOL_CHECK_FAILED, "out of memory");
			last[before] = ',';
			memcpy(last + before + 1, text, length);
			last[before + 1 + length] = 0;
			(*list)[n - 1] = last;
		} else {
			*list = grow(*list, n, sizeof(**list));
			(*list)[n++] = copy(text, length);
		}
		text += length;
	}
	if (n == 0)
		tool_die(TOOL_USAGE, "%s: no schedule given; \"all\" names every one", option);
	return n;
}

size_t tool_schedules(const char *option, const char *text, char ***list)
{
	const struct dls_calc *calc;
	char **word;
	size_t given = words(option, text, &word), n = 0;

	*list = NULL;
	for (size_t i = 0; i < given; i++) {
		struct dls_schedule *schedule;
		struct dls_parse_error error;

		if (strcmp(word[i], "all") == 0) {
			for (size_t k = 0; (calc = dls_calc_at(k)); k++) {
				*list = grow(*list, n, sizeof(**list));
				(*list)[n++] = copy(calc->name, strlen(calc->name));
			}
			free(word[i]);
			continue;
		}
		if (dls_schedule_parse(&schedule, word[i], &error))
			tool_die(TOOL_USAGE, "%s \"%s\": %s", option, word[i], error.what);
		dls_schedule_free(schedule);
		*list = grow(*list, n, sizeof(**list));
		(*list)[n++] = word[i];
	}
	free(word);
	return n;
}

static void quoted_csv(FILE *out, const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
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

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct tool_spread tool_spread(double *value, size_t n)
{
	if (n == 0)
		return (struct tool_spread){ NAN, NAN, NAN };
	qsort(value, n, sizeof(*value), ascending);
	return (struct tool_spread){ (value[(n - 1) / 2] + value[n / 2]) / 2, value[0], value[n - 1] };
}

double tool_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

unsigned tool_processors(void)
{
#ifdef CPU_SET
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		return (unsigned)CPU_COUNT(&set);
#endif
	long online = sysconf(_SC_NPROCESSORS_ONLN);	/* also where the set is too small for the machine */

	return online > 0 ? (unsigned)online : 1;
}

/* Pin the calling thread to the first or the last processor it may run on: those two do not share a core if
 * there are more.  Where that is refused the threads run where they are put. */
static void pin(bool last)
{
#ifdef CPU_SET
	cpu_set_t set, one;
	int at = -1;

	if (sched_getaffinity(0, sizeof(set), &set))
		return;
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set) && (last || at < 0))
			at = i;
	CPU_ZERO(&one);
	CPU_SET(at, &one);
	sched_setaffinity(0, sizeof(one), &one);
#else
	(void)last;
#endif
}

/* The line that goes to and fro: even while it is the pinger's turn, odd while it is the ponger's.
 * Every access is relaxed: the number itself is all that is passed. */
struct line {
	_Alignas(256) atomic_uint turn;		/* alone on its line, and on the one that is prefetched with it */
};

enum { HOPS = 200, ROUNDS = 31, OVER = 1 << 30 };

static void *pong(void *arg)
{
	struct line *line = arg;
	unsigned turn;

	pin(true);
	while ((turn = atomic_load_explicit(&line->turn, memory_order_relaxed)) != OVER)
		if (turn % 2)
			atomic_store_explicit(&line->turn, turn + 1, memory_order_relaxed);
	return NULL;
}

static void *ping(void *arg)
{
	static struct line line;
	double until = tool_now() + 0.04, round[ROUNDS], *ns = arg;
	pthread_t other;
	size_t done = 0;
	bool late = false;

	atomic_init(&line.turn, 0);
	if (pthread_create(&other, NULL, pong, &line))
		return NULL;
	pin(false);	/* after the other thread has inherited the whole set */
	/* The first round, in which the other thread starts, is not counted. */
	for (unsigned r = 0, turn = 0; r <= ROUNDS && !late; r++) {
		double start = tool_now();

		for (unsigned k = 0; k < HOPS / 2 && !late; k++) {
			atomic_store_explicit(&line.turn, turn + 1, memory_order_relaxed);
			turn += 2;
			for (unsigned spins = 1; !late && atomic_load_explicit(&line.turn, memory_order_relaxed) != turn;)
				late = spins++ % 1024 == 0 && tool_now() > until;
		}
		if (r > 0 && !late)
			round[done++] = (tool_now() - start) / HOPS * 1e9;
	}
	if (late)	/* the answer to a turn may still be on its way, and would undo the end */
		while (atomic_load_explicit(&line.turn, memory_order_relaxed) % 2)
			sched_yield();
	atomic_store_explicit(&line.turn, OVER, memory_order_relaxed);
	pthread_join(other, NULL);
	*ns = tool_spread(round, done).median;
	return NULL;
}

double tool_line_ns(void)
{
	double ns = NAN;
	pthread_t thread;

	/* In a thread of its own, so that the caller stays free to run anywhere. */
	if (tool_processors() > 1 && pthread_create(&thread, NULL, ping, &ns) == 0)
		pthread_join(thread, NULL);
	return ns;
}

bool tool_gnuplot(void)
{
	if (system("command -v gnuplot >/dev/null 2>&1") == 0)
		return true;
	fprintf(stderr, "%s: gnuplot is not installed (package gnuplot-nox)\n", tool_name);
	return false;
}

FILE *tool_plot_begin(const char *option, const char *file)
{
	/* Okabe and Ito's colours, which the colour-blind tell apart, less black and with a darker yellow. */
	static const char *const colour[] = { "0072b2", "d55e00", "009e73", "cc79a7", "56b4e9", "e69f00", "b8a900" };
	FILE *plot;

	if (!tool_gnuplot())
		exit(TOOL_MISSING);
	plot = fopen(file, "w");
	if (!plot)
		tool_die(TOOL_USAGE, "%s \"%s\": %s", option, file, strerror(errno));
	fclose(plot);
	signal(SIGPIPE, SIG_IGN);	/* tool_plot_end() reports a gnuplot that gave up */
	plot = popen("gnuplot", "w");
	if (!plot)
		tool_die(TOOL_MISSING, "cannot run gnuplot: %s", strerror(errno));
	fputs("set terminal svg size 960,600 noenhanced background '#ffffff' font 'sans-serif,14'\n"
	      "set output ", plot);
	tool_plot_text(plot, file);
	fputc('\n', plot);
	for (unsigned i = 0; i < 28; i++)
		fprintf(plot, "set linetype %u linewidth 1.8 linecolor rgb '#%s' dashtype %u pointtype %u\n", i + 1,
			colour[i % 7], i / 7 + 1, i + 4);
	fputs("set linetype cycle 28\nset grid linecolor rgb '#d8d8d8' linewidth 0.6\nset border 3\n"
	      "set tics nomirror out\nset key outside right top reverse Left\n", plot);
	return plot;
}

void tool_plot_text(FILE *plot, const char *text)
{
	fputc('\'', plot);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', plot);
		fputc(*text == '\n' ? ' ' : *text, plot);
	}
	fputc('\'', plot);
}

void tool_plot_end(FILE *plot)
{
	if (pclose(plot))
		tool_die(TOOL_CHECK_FAILED, "gnuplot failed");
}
