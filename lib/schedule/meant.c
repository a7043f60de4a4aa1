/* meant.c - what the writer of a wrong schedule may have meant. */
#include <string.h>

#include "lib/base/name.h"
#include "lib/schedule/registered.h"

/* Names of schedules in papers that are not accepted here, and the names to write instead. */
static const struct { const char *paper, *name; } called[] = {
	{ "self-scheduling", "ss" }, { "guided self-scheduling", "gss" }, { "trapezoid self-scheduling", "tss" },
	{ "fixed size chunking", "fsc" }, { "factoring", "fac2" }, { "weighted factoring", "wf" }, { "adaptive factoring", "af" },
	{ "adaptive weighted factoring", "awf" }, { "work stealing", "steal" },
};

enum { CALLED = sizeof(called) / sizeof(*called) };

static void try_names(struct dls__nearest *nearest, const char *name, const char *aliases)
{
	dls__nearest_try(nearest, name, strlen(name));
	for (const char *alias = aliases; alias && *alias;) {
		size_t n = strcspn(alias, " ");

		dls__nearest_try(nearest, alias, n);
		alias += n + strspn(alias + n, " ");
	}
}

void dls__put_nearest(struct dls__printer *to, struct dls__slice written)
{
	struct dls__nearest nearest = { .written = written.s, .length = written.n };
	const struct dls_strategy *strategy;
	const struct dls_calc *calc;

	for (size_t i = 0; (calc = dls_calc_at(i)); i++)
		try_names(&nearest, calc->name, calc->aliases);
	for (size_t i = 0; (strategy = dls_strategy_at(i)); i++)
		try_names(&nearest, strategy->name, strategy->aliases);
	for (size_t i = 0; i < CALLED; i++)
		dls__nearest_try(&nearest, called[i].paper, strlen(called[i].paper));
	for (size_t i = 0; i < CALLED; i++)
		if (nearest.name == called[i].paper) {
			nearest.name = called[i].name;
			nearest.name_length = strlen(called[i].name);
			break;
		}
	if (nearest.name)
		dls__put(to, "; did you mean %.*s?", (int)nearest.name_length, nearest.name);
}

static bool is_schedule(struct dls__slice name)
{
	return name.n && (dls__calc_named(name.s, name.n) || dls__strategy_named(name.s, name.n));
}

const char *dls__entry_meant(struct dls__slice t)
{
	size_t end = t.n;

	if (is_schedule(t))
		return "a schedule begins a new entry, SITE:SCHEDULE, after a semicolon";
	while (end > 0 && t.s[end - 1] != ':' && t.s[end - 1] != '=')
		end--;
	if (end < 2 || !is_schedule(dls__trim((struct dls__slice){ t.s + end, t.n - end })))
		return NULL;
	if (t.s[end - 1] == '=')
		return "a site's schedule is written SITE:SCHEDULE, with a colon, and begins a new entry after a semicolon";
	return "SITE:SCHEDULE begins a new entry, after a semicolon";
}
