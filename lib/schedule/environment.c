/* environment.c - the schedules in DLS_SCHEDULE and OMP_SCHEDULE.
 *
 * DLS_SCHEDULE holds entries [SITE:]SCHEDULE between semicolons: the last one without a site is for all loops, each of the
 * others for the loops of that name or place.  OMP_SCHEDULE, a single schedule, is used only if DLS_SCHEDULE has none for all
 * loops. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/name.h"
#include "lib/base/message.h"
#include "lib/base/variable.h"
#include "lib/schedule/environment.h"
#include "lib/schedule/schedule.h"
#include "sched/registry.h"

const struct dls_schedule dls__auto = { .calc = &dls__calc_auto };
const struct dls_schedule dls__fac2 = { .calc = &dls__calc_fac2 };

enum { SHOWN = 8 };
static size_t refused;		/* entries of the variable being read */
static struct dls__schedules *to;
static dls__complainer *complain;
static const char dls_schedule_name[] = "DLS_SCHEDULE";
static char *copy;		/* of its value, since setenv() may come later */

static bool is_modifier(const char *text, size_t n)
{
	return dls__name_equal(text, n, "monotonic", 9) || dls__name_equal(text, n, "nonmonotonic", 12);
}

/* The bytes of an entry before its schedule, without the colon; 0 if it is for all sites.  The text before the first comma is
 * [SITE:] [monotonic:|nonmonotonic:] NAME, and SITE may hold a colon itself. */
static size_t site_length(const char *entry, size_t length)
{
	const char *comma = memchr(entry, ',', length);
	size_t end = comma ? (size_t)(comma - entry) : length, colon[2] = { 0, 0 };
	int colons = 0;

	while (end > 0 && colons < 2)
		if (entry[--end] == ':')
			colon[colons++] = end;
	if (colons == 0)
		return 0;

	const char *word = colons == 2 ? entry + colon[1] + 1 : entry;
	size_t n = (size_t)(entry + colon[0] - word);

	if (!is_modifier(word, n))
		return colon[0];
	return colons == 2 && !is_modifier(entry, colon[1]) ? colon[1] : 0;
}

/* Report a wrong entry of a variable, quoting the whole value. */
static void refuse(const char *name, const char *value, const struct dls_parse_error *error)
{
	if (refused++ < SHOWN)
		complain(name, value, strlen(value), error, to->general);
	else if (refused == SHOWN + 1)
		dls__tell_user("%s: further entries are refused", name);
}

/* Parse one entry of a variable; NULL if it is refused. */
static struct dls_schedule *entry(const char *name, const char *value, size_t at, size_t length)
{
	struct dls_parse_error error;
	struct dls_schedule *schedule;

	if (to->refused)
		return NULL;
	if (dls__schedule_read(&schedule, value + at, length, &error) == 0)
		return schedule;
	error.at += at;
	refuse(name, value, &error);
	return NULL;
}

static void read_general(const char *name)
{
	const char *value = getenv(name);

	if (!value || dls__blank(value, strlen(value)))
		return;
	refused = 0;

	const struct dls_schedule *schedule = entry(name, value, 0, strlen(value));

	if (schedule) {
		to->general = schedule;
		to->origin = name;
	}
}

/* Call visit(at, length) for the entries of a value between semicolons. */
static void each_entry(const char *value, void (*visit)(const char *value, size_t at, size_t length))
{
	for (size_t at = 0, n;; at += n + 1) {
		n = strcspn(value + at, ";");
		visit(value, at, n);
		if (!value[at + n])
			return;
	}
}

/* Read entries for all loops.  No messages yet: the schedule that replaces a refused entry may be in a later
 * entry. */
static void read_for_all(const char *value, size_t at, size_t length)
{
	static struct dls_schedule *last;
	struct dls_schedule *schedule;

	if (dls__blank(value + at, length) || site_length(value + at, length) ||
	    dls__schedule_read(&schedule, value + at, length, NULL))
		return;
	dls_schedule_free(last);
	to->general = last = schedule;
	to->origin = dls_schedule_name;
}

/* The length of the number at the end of a text, if it follows `before` and has no leading zero; 0: there is
 * none. */
static size_t number_at_end(const char *text, size_t length, char before)
{
	size_t digits = 0;

	while (digits < length && text[length - digits - 1] >= '0' && text[length - digits - 1] <= '9')
		digits++;
	return digits && digits + 1 < length && text[length - digits - 1] == before && text[length - digits] != '0' ? digits : 0;
}

/* Whether a site is written as FILE:LINE or FILE:LINE#NUMBER. */
static bool is_place(const char *site, size_t length)
{
	size_t number = number_at_end(site, length, '#');

	return number_at_end(site, number ? length - number - 1 : length, ':') > 0;
}

/* Whether a site is a name, with colons only in pairs as in C++: a single one separates parts of an entry. */
static bool is_name(const char *site, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (site[i] == ':' && (++i == length || site[i] != ':'))
			return false;
	return length > 0 && length < DLS__SITE_NAME;
}

bool dls__nameable(const char *name)
{
	char entry[DLS__SITE_NAME + 4];
	size_t n = name ? strlen(name) : 0;

	if (n == 0 || n >= DLS__SITE_NAME || strpbrk(name, ";'") || strstr(name, "\xef\xbf\xbd") || dls__blank(name, 1) ||
	    dls__blank(name + n - 1, 1))
		return false;
	snprintf(entry, sizeof(entry), "%s:ss", name);
	return site_length(entry, n + 3) == n && (is_place(name, n) || is_name(name, n));
}

static void read_for_site(const char *value, size_t at, size_t length, size_t site)
{
	static const struct dls_parse_error no_site = {
		.what = "SITE of SITE:SCHEDULE is the name of a loop, of 1 to 63 bytes, with colons in pairs alone, or FILE:LINE"
	};
	struct dls_parse_error error = no_site;
	size_t skip = strspn(value + at, " \t"), n = site > skip ? site - skip : 0;
	const char *text = value + at + skip;

	while (n && dls__blank(&text[n - 1], 1))
		n--;
	if (!is_place(text, n) && !is_name(text, n)) {
		error.at = n ? at + skip : at + site;
		error.length = n ? n : 1;
		refuse(dls_schedule_name, value, &error);
		return;
	}

	const struct dls_schedule *schedule = entry(dls_schedule_name, value, at + site + 1, length - site - 1);

	if (schedule)
		to->entry[to->entries++] = (struct dls__schedule_entry){ text, n, schedule, false };
}

/* Read entries that are not for all loops, and report every wrong entry. */
static void read_rest(const char *value, size_t at, size_t length)
{
	static bool told;
	size_t site = site_length(value + at, length);

	if (dls__blank(value + at, length)) {	/* the text after the last semicolon may be empty */
		if (value[at + length] && !told)
			refuse(dls_schedule_name, value, &(struct dls_parse_error){ at + length, 1,
			       "an entry, [SITE:]SCHEDULE, is missing before this semicolon" });
		told = true;
	} else if (site) {
		read_for_site(value, at, length, site);
	} else {
		dls_schedule_free(entry(dls_schedule_name, value, at, length));
	}
}

static void read_sites(const char *value)
{
	size_t n = 1;

	for (const char *c = value; *c; c++)
		n += *c == ';';
	to->entry = calloc(n, sizeof(*to->entry));
	if (to->entry)
		each_entry(value, read_rest);
	else
		dls__tell_user("%s: no memory for the entries of single loops; they are not used", dls_schedule_name);
}

void dls__schedules_read(struct dls__schedules *schedules, dls__complainer *complainer)
{
	const char *value = getenv(dls_schedule_name);

	to = schedules;
	complain = complainer;
	/* OMP_SCHEDULE is read only if DLS_SCHEDULE has no schedule for all loops. */
	if (!value || dls__blank(value, strlen(value))) {
		read_general("OMP_SCHEDULE");
	} else if ((copy = strdup(value))) {
		each_entry(copy, read_for_all);
		if (to->origin != dls_schedule_name)
			read_general("OMP_SCHEDULE");
		read_sites(copy);
	} else {
		dls__tell_user("%s: no memory for it; using auto", dls_schedule_name);
	}
}

void dls__schedules_display(const struct dls__schedules *s)
{
	char text[256], quote[DLS__QUOTE], name[DLS__QUOTE + 32];

	dls_schedule_print(s->general, text, sizeof(text));
	dls__variable_display(dls_schedule_name, text, s->origin);
	for (size_t i = 0; i < s->entries; i++) {
		dls_schedule_print(s->entry[i].schedule, text, sizeof(text));
		snprintf(name, sizeof(name), "%s for %s", dls_schedule_name,
			 dls__quote(quote, s->entry[i].site, s->entry[i].length, 0, 0));
		dls__variable_display(name, text, NULL);
	}
}
