/* tool.c - ending a tool with a message, and reading its numbers. */
#include <ctype.h>
#include <stdarg.h>
#include <unistd.h>

#include "bench/tool/tool.h"
#include "dls/strategy.h"

const char *tool_name = "dls";
const char *(*tool_given)(const char *message);

#ifdef __SANITIZE_ADDRESS__
/* What functions hold when the tool ends with an error is no leak; whether their pointers are still in a register is chance. */
static bool ended_early;
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
	return ended_early;
}
#define END_EARLY() (ended_early = true)
#else
#define END_EARLY() ((void)0)
#endif

static bool told;	/* the user has been told what is wrong */

void tool_die(int code, const char *format, ...)
{
	char message[16384];
	va_list args;

	fflush(stdout);
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	fprintf(stderr, "%s: %s%s\n", tool_name, tool_given ? tool_given(message) : "", message);
	END_EARLY();
	told = true;
	exit(code);
}

void tool_end_output(void)
{
	if (told || (fflush(stdout) == 0 && !ferror(stdout)))
		return;
	fprintf(stderr, "%s: standard output is not whole: %s\n", tool_name, strerror(errno));
	_exit(TOOL_CHECK_FAILED);
}

void *tool_need(void *memory)
{
	if (!memory)
		tool_die(TOOL_CHECK_FAILED, "out of memory");
	return memory;
}

char *tool_string(const char *format, ...)
{
	va_list args, again;
	char *text;
	int length;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	text = tool_need(malloc((size_t)length + 1));
	vsprintf(text, format, again);
	va_end(again);
	va_end(args);
	return text;
}

void *tool_grow(void *list, size_t n, size_t size)
{
	/* A power of two is full. */
	return n & (n - 1) ? list : tool_need(realloc(list, (n ? 2 * n : 1) * size));
}

FILE *tool_open(const char *option, const char *file, const char *mode)
{
	FILE *stream = fopen(file, mode);

	if (!stream)
		tool_die(TOOL_USAGE, "%s \"%s\": %s", option, file, strerror(errno));
	return stream;
}

void tool_close(const char *option, const char *file, FILE *stream)
{
	if (ferror(stream) | fclose(stream))
		tool_die(TOOL_CHECK_FAILED, "%s \"%s\": %s", option, file, strerror(errno));
}

static void **held;
static size_t blocks;

static void let_go(void)
{
	while (blocks > 0)
		free(held[--blocks]);
	free(held);
	held = NULL;
}

void *tool_held(void *memory)
{
	tool_need(memory);
	if (blocks == 0)
		atexit(let_go);
	held = tool_grow(held, blocks, sizeof(*held));
	held[blocks++] = memory;
	return memory;
}

static size_t written;	/* which nobody reads */

FILE *tool_text_open(char **text)
{
	return tool_need(open_memstream(text, &written));
}

void tool_text_close(FILE *out)
{
	if (fclose(out))
		tool_need(NULL);
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

uint64_t tool_seeds(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *first)
{
	const char *dash = *text ? strchr(text + 1, '-') : NULL;
	uint64_t last;

	*first = count(option, text, dash ? (size_t)(dash - text) : strlen(text), min, max);
	last = dash ? tool_count(option, dash + 1, min, max) : *first;
	if (last < *first || last - *first >= TOOL_SEEDS_MAX)
		tool_die(TOOL_USAGE, "%s \"%s\": not from a seed to a higher one, %d seeds at most", option,
			text, TOOL_SEEDS_MAX);
	return last - *first + 1;
}

size_t tool_counts(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t **list)
{
	size_t n = 0;

	for (*list = NULL;; text++) {
		text += strspn(text, " ");
		size_t length = strcspn(text, ",;");

		*list = tool_grow(*list, n, sizeof(**list));
		(*list)[n++] = count(option, text, length, min, max);
		text += length;
		if (!*text)
			return n;
	}
}
