/* tool.c - the command line of the tools: options, numbers, schedule lists. */
#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tool/tool.h"
#include "dls/strategy.h"

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

void *tool_need(void *memory)
{
	if (!memory)
		tool_die(TOOL_CHECK_FAILED, "out of memory");
	return memory;
}

void tool_refuse(int c, char **argv)
{
	if (c == ':')
		tool_die(TOOL_USAGE, "%s: needs a value; see %s --help", argv[optind - 1], tool_name);
	if (optopt && optopt <= UCHAR_MAX)
		tool_die(TOOL_USAGE, "-%c: no such option; see %s --help", optopt, tool_name);
	tool_die(TOOL_USAGE, "%s: no such option; see %s --help", argv[optind - 1], tool_name);
}

void tool_no_arguments(char **argv)
{
	if (argv[optind])
		tool_die(TOOL_USAGE, "\"%s\": no arguments are accepted, only options; see %s --help", argv[optind],
			 tool_name);
}

static void *grow(void *list, size_t n, size_t size)
{
	/* A power of two is full. */
	return n & (n - 1) ? list : tool_need(realloc(list, (n ? 2 * n : 1) * size));
}

static char *copy(const char *text, size_t length)
{
	char *to = tool_need(malloc(length + 1));

	memcpy(to, text, length);
	to[length] = 0;
	return to;
}

bool tool_is_whole(const char *text, size_t length, uint64_t *value)
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

	if (!tool_is_whole(text, length, &value) || value < min || value > max)
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

/* Whether a word is KEY alone, a parameter of the schedule before it: "exact" after "af". */
static bool is_flag(const char *schedule, const char *word, size_t length)
{
	char name[64];
	const struct dls_calc *calc;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(schedule, ","), schedule);
	calc = dls_calc_find(name);
	for (size_t i = 0; calc && i < DLS_PARAMS_MAX && calc->param[i].name; i++)
		if (strlen(calc->param[i].name) == length && memcmp(calc->param[i].name, word, length) == 0)
			return true;
	return false;
}

/* The words of the text, each with what belongs to it. */
static size_t words(const char *option, const char *text, char ***list)
{
	static const char between[] = ",; \t\n";
	size_t n = 0;

	for (*list = NULL; *(text += strspn(text, between));) {
		size_t length = strcspn(text, between);

		if (isdigit((unsigned char)*text) || memchr(text, '=', length) ||
		    (n > 0 && is_flag((*list)[n - 1], text, length))) {
			if (n == 0)
				tool_die(TOOL_USAGE, "%s \"%.*s\": no schedule before it", option, (int)length, text);
			char *last = (*list)[n - 1];
			size_t before = strlen(last);

			last = tool_need(realloc(last, before + 1 + length + 1));
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

struct dls_schedule *tool_parse(const char *option, const char *value, const char *text)
{
	struct dls_schedule *schedule;
	struct dls_parse_error error;
	int code = dls_schedule_parse(&schedule, text, &error);

	if (code)
		tool_die(code == DLS_ENOMEM ? TOOL_CHECK_FAILED : TOOL_USAGE, "%s \"%s\": %s", option, value, error.what);
	return schedule;
}

static size_t add(char ***list, size_t n, char *text)
{
	*list = grow(*list, n, sizeof(**list));
	(*list)[n] = text;
	return n + 1;
}

const struct dls_calc *tool_calc(const struct dls_schedule *schedule)
{
	const struct dls_calc *calc = dls_schedule_calc(schedule);

	return calc ? calc : dls_calc_find("static");
}

size_t tool_schedules(const char *option, const char *text, bool strategies, char ***list)
{
	const struct dls_strategy *strategy;
	const struct dls_calc *calc;
	char **word;
	size_t given = words(option, text, &word), n = 0;

	*list = NULL;
	for (size_t i = 0; i < given; i++) {
		if (strcmp(word[i], "all") == 0) {
			for (size_t k = 0; (calc = dls_calc_at(k)); k++)
				n = add(list, n, copy(calc->name, strlen(calc->name)));
			for (size_t k = 0; strategies && (strategy = dls_strategy_at(k)); k++)
				n = add(list, n, copy(strategy->name, strlen(strategy->name)));
			free(word[i]);
			continue;
		}
		struct dls_schedule *schedule = tool_parse(option, word[i], word[i]);

		if (!strategies && dls_schedule_strategy(schedule))
			tool_die(TOOL_USAGE, "%s \"%s\": a strategy has no chunk sizes of its own", option, word[i]);
		dls_schedule_free(schedule);
		n = add(list, n, word[i]);
	}
	free(word);
	return n;
}
