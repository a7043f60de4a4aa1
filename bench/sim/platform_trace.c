/* platform_trace.c - speeds of hosts over time: lines "seconds factor", and perhaps "LOOPAFTER seconds". */
#include <sys/stat.h>

#include "platform.h"

/* Least time between two changes, s: at each, what is left of a task is rounded to whole ns. */
#define APART 1e-6

/* The factor of a speed from each time on; period 0: it does not repeat. */
struct platform_trace {
	size_t n;
	uint64_t *time, period;		/* ns */
	double *factor;
};

/* "seconds factor" or "LOOPAFTER seconds"; false: it is none. */
static bool read_line(struct platform_trace *t, const char *line, double *after)
{
	double time, factor;
	char word[16], more;

	if (sscanf(line, "%15[A-Z] %lf %c", word, after, &more) == 2 && (strcmp(word, "LOOPAFTER") == 0 || strcmp(word, "PERIODICITY") == 0))
		return *after > 0 && *after < 1e9;
	if (sscanf(line, "%lf %lf %c", &time, &factor, &more) != 2 || !(time >= 0 && time < 1e9) || !(factor >= 1e-6 && factor <= 1e6))
		return false;
	if (t->n && (double)t->time[t->n - 1] > (time - APART) * 1e9 + .5)
		return false;
	t->time = tool_grow(t->time, t->n, sizeof(*t->time));
	t->factor = tool_grow(t->factor, t->n, sizeof(*t->factor));
	t->time[t->n] = (uint64_t)llround(time * 1e9);
	t->factor[t->n++] = factor;
	return true;
}

const struct platform_trace *platform_trace(const char *text, const char *where, const char *period)
{
	struct platform_trace *t = tool_need(calloc(1, sizeof(*t)));
	double after = period ? platform_seconds(period) : 0;

	for (size_t k = 1; *text; k++) {
		char *line = tool_string("%.*s", (int)strcspn(text, "\r\n"), text);

		if (line[strspn(line, " \t")] && line[strspn(line, " \t")] != '#' && !read_line(t, line, &after))
			platform_refuse(line, "%s, line %zu: not \"seconds factor\", at least 1 us after the line before, with a factor from 1e-6 to "
					"1e6 (processors do not fail: 0 is refused), or LOOPAFTER seconds", where, k);
		text += strcspn(text, "\n");
		text += *text == '\n';
		free(line);
	}
	if (!t->n)
		platform_refuse(where, "no line \"seconds factor\"");
	if (after > 0 && after * 1e9 + (double)t->time[0] < APART * 1e9)
		platform_refuse(where, "repeats %g s after its last line: that is less than 1 us", after);
	if (after >= 1e9)
		platform_refuse(period, "not a period below 1e9 s");
	t->period = after > 0 ? t->time[t->n - 1] + (uint64_t)llround(after * 1e9) : 0;
	return t;
}

static struct {
	struct platform_names names;	/* by path */
	const struct platform_trace **trace;
	size_t n;
} files;

/* The text of a file, malloc'ed. */
static char *read_file(const char *path, const char *file)
{
	struct stat status;
	FILE *in, *out;
	char *text;
	int c;

	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
		platform_refuse(file, "it is no regular file");
	in = fopen(path, "r");
	if (!in)
		platform_refuse(file, "%s", strerror(errno));
	tool_keep_file(path, tool_cksum("--platform", path));
	out = tool_text_open(&text);
	while ((c = getc(in)) != EOF) {
		if (c == 0)
			platform_refuse(file, "a NUL byte; only text is accepted");
		putc(c, out);
	}
	if (ferror(in))
		platform_refuse(file, "%s", strerror(errno));
	tool_text_close(out);
	fclose(in);
	return text;
}

const struct platform_trace *platform_trace_file(const char *file)
{
	const char *slash = strrchr(platform_place.file, '/');
	char *path = *file == '/' || !slash ? tool_string("%s", file) : tool_string("%.*s/%s", (int)(slash - platform_place.file),
										     platform_place.file, file);
	int at = platform_find(&files.names, path);
	char *text;

	if (at != PLATFORM_NONE) {
		free(path);
		return files.trace[at];
	}
	files.trace = tool_grow(files.trace, files.n, sizeof(*files.trace));
	text = read_file(path, file);
	files.trace[files.n] = platform_trace(text, file, NULL);
	platform_put(&files.names, path, files.n);
	free(text);
	return files.trace[files.n++];
}

/* How many of its times are up to `within`. */
static size_t times_until(const struct platform_trace *t, uint64_t within)
{
	size_t low = 0, high = t->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->time[middle] <= within)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

double platform_trace_factor(const struct platform_trace *t, uint64_t ns, uint64_t *until)
{
	uint64_t round = t->period ? ns / t->period : 0;
	size_t i = times_until(t, ns - round * t->period);

	if (i < t->n || t->period)
		*until = round * t->period + (i < t->n ? t->time[i] : t->period + t->time[0]);
	return i ? t->factor[i - 1] : round ? t->factor[t->n - 1] : 1;
}
