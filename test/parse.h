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

/* A parse_fn of texts that are all refused. */
static inline int parse_schedule(const char *text, struct dls_parse_error *error)
{
	struct dls_schedule *schedule = NULL;
	int code = dls_schedule_parse(&schedule, text, error);

	CHECK(!schedule);
	return code;
}

/* Copy what stands before the next bar, and step behind it; false: there is nothing left. */
static inline bool parse_next(const char **list, char *part, size_t size)
{
	size_t n = *list ? strcspn(*list, "|") : 0;

	if (!*list)
		return false;
	CHECK(n < size);
	snprintf(part, size, "%.*s", (int)n, *list);
	*list = (*list)[n] ? *list + n + 1 : NULL;
	return true;
}

typedef int parse_fn(const char *text, struct dls_parse_error *error);

/* Texts that are refused alike, a bar between: what stands in brackets is marked, each of several phrases said. */
static inline void refuse(parse_fn *parser, int code, const char *texts, const char *phrases)
{
	char marked[200], text[200], phrase[200];

	while (parse_next(&texts, marked, sizeof(marked))) {
		struct dls_parse_error error = { .at = 999 };
		size_t at = strcspn(marked, "["), end = strcspn(marked, "]");
		unsigned before = tap_failures;

		snprintf(text, sizeof(text), "%.*s%.*s%s", (int)at, marked, (int)(end - at - 1), marked + at + 1,
			 marked + end + 1);
		CHECK_EACH(code, parser(text, NULL), parser(text, &error));
		CHECK(error.at == at && error.length == end - at - 1 && error.what[0]);
		for (const char *c = error.what; *c; c++)
			CHECK(*c >= ' ' && *c <= '~');
		for (const char *list = phrases; parse_next(&list, phrase, sizeof(phrase));)
			CHECK(strstr(error.what, phrase) != NULL);
		if (tap_failures > before)
			tap_note("%s: at %zu, %zu: %s, not %s", marked, error.at, error.length, error.what, phrases);
	}
}

#endif
