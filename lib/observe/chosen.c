/* chosen.c - the schedules that `auto` has chosen for a program's loops, in a few words for DLS_DISPLAY_ENV. */
#include <stdio.h>
#include <string.h>

#include "lib/observe/chosen.h"

void dls__chosen_count(struct dls__chosen_count *c, const char *schedule)
{
	unsigned i = 0;

	c->loops++;
	while (i < c->schedules && strcmp(c->schedule[i].text, schedule) != 0)
		i++;
	if (i == DLS__CHOSEN_FROM)
		return;
	if (i == c->schedules)
		snprintf(c->schedule[c->schedules++].text, DLS__CHOSEN_TEXT, "%s", schedule);
	for (c->schedule[i].loops++; i > 0 && c->schedule[i].loops > c->schedule[i - 1].loops; i--) {
		struct dls__chosen_loops more = c->schedule[i];

		c->schedule[i] = c->schedule[i - 1];
		c->schedule[i - 1] = more;
	}
}

size_t dls__chosen_print(const struct dls__chosen_count *c, const char *automatic, char *text, size_t size)
{
	enum { NAMED = 3 };
	size_t n = (size_t)snprintf(text, size, "%s (now ", automatic);
	unsigned named = 0;

	for (unsigned i = 0; i < c->schedules && i < NAMED && n < size; i++) {
		n += (size_t)snprintf(text + n, size - n, "%s%s", i ? ", " : "", c->schedule[i].text);
		if (c->schedules > 1 && n < size)
			n += (size_t)snprintf(text + n, size - n, " in %u", c->schedule[i].loops);
		named += c->schedule[i].loops;
	}
	if (named < c->loops && n < size)
		n += (size_t)snprintf(text + n, size - n, ", others in %u", c->loops - named);
	if (n < size)
		n += (size_t)snprintf(text + n, size - n, c->schedules > 1 ? " loops)" : ")");
	return n;
}
