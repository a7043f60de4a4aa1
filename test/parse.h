/* parse.h - schedules as texts: what is accepted and how it prints, what is refused and what is said. */
#ifndef PARSE_H
#define PARSE_H

#include "dls/schedule.h"
#include "tap.h"

/* To be freed; NULL, which is a failed check: it is refused. */
static inline struct dls_schedule *parse(const char *text)
{
	struct dls_parse_error error = { .what = "" };
	struct dls_schedule *schedule = NULL;

	if (CHECK_EQ(dls_schedule_parse(&schedule, text, &error), 0))
		tap_note("%s: %s", text, error.what);
	return schedule;
}

static inline void parses(const char *text, const char *canonical)
{
	struct dls_schedule *schedule = parse(text);
	char print[400] = "";

	if (schedule && (CHECK_EQ(dls_schedule_print(schedule, print, sizeof(print)), strlen(canonical)) != strlen(canonical) ||
			 !CHECK_TEXT(print, canonical)))
		tap_note("%s", text);
	dls_schedule_free(schedule);
}

/* The message has this phrase. */
static inline void refuses(const char *text, int code, const char *phrase)
{
	struct dls_parse_error error = { .what = "" };
	struct dls_schedule *schedule = NULL;

	CHECK_EQ(dls_schedule_parse(&schedule, text, &error), code);
	if (!CHECK(!schedule && strstr(error.what, phrase)))
		tap_note("%s: %s", text, error.what);
}

#endif
