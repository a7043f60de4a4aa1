/* progress.c - the progress of long runs, as a line on a terminal: runs that are over, and how far the
 * present one is. */
#include <unistd.h>

#include "study.h"

static struct {
	bool on, shown;
	double begin, last;
	size_t runs, over;
	uint64_t begun, all;
	const char *text, *what;
} p;

void progress_begin(size_t runs)
{
	p.on = isatty(STDERR_FILENO);
	p.runs = runs;
	p.begin = p.last = tool_now();
}

void progress_off(void)
{
	p.on = false;
}

static void clear(void)
{
	if (p.shown)
		fputs("\r\033[K", stderr);
	p.shown = false;
}

/* Write the line, from half a second on, ten times a second. */
static void show(void)
{
	double now = tool_now();

	if (now - p.begin < .5 || now - p.last < .1)
		return;
	p.last = now;
	fprintf(stderr, "\r%s: ", tool_name);
	if (p.runs > 1)
		fprintf(stderr, "%zu of %zu runs%s", p.over, p.runs, p.all ? "; " : "");
	if (p.all)
		fprintf(stderr, "%s: %.0f %% of %.0f %s", p.text, 100 * (double)p.begun / (double)p.all,
			(double)p.all, p.what);
	fprintf(stderr, ", %.0f s\033[K", now - p.begin);
	fflush(stderr);
	p.shown = true;
}

void progress_over(size_t runs)
{
	p.over += runs;
	p.all = 0;
	if (p.on && p.over < p.runs)
		show();
}

bool progress_shown(void)
{
	return p.on;
}

void progress_within(const char *text, uint64_t begun, uint64_t all, const char *what)
{
	p.text = text;
	p.begun = begun;
	p.all = all;
	p.what = what;
	show();
}

void progress_clear(void)
{
	if (p.on)
		clear();
}
