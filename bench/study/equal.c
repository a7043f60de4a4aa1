/* equal.c - cells of a group whose runs are all the same, and why: what their calculators declare. */
#include "study.h"
#include "dls/strategy.h"

bool study_equal(const struct study *s, const struct cell *a, const struct cell *b)
{
	const char *x = a->rows, *y = b->rows;

	for (; *x && *y; x += strcspn(x, "\n") + 1, y += strcspn(y, "\n") + 1) {
		const char *from = study_cell(s, x, "seed"), *other = study_cell(s, y, "seed");
		size_t length = (size_t)(study_cell(s, x, "version") - from);

		if (strncmp(from, other, length) != 0)
			return false;
	}
	return !*x && !*y;
}

/* The calculator of a schedule, or of a strategy's calc=; NULL: there is none. */
static const struct dls_calc *calculator(const char *text)
{
	const char *calc = strstr(text, "calc=");
	const char *name = calc ? calc + strlen("calc=") : text;

	return dls_calc_find(tool_held_string("%.*s", (int)strcspn(name, ",;"), name));
}

/* A figure that is the same in all rows; NAN: it is not. */
static double common(const struct study *s, const struct cell *c, const char *column)
{
	double value = study_number(s, c->rows, column);

	for (const char *row = c->rows; *row; row += strcspn(row, "\n") + 1)
		if (study_number(s, row, column) - value != 0)
			return NAN;
	return value;
}

/* Why a calculator deals here like one that learns nothing, and knows nothing of the workers; NULL: it is
 * such a calculator, or no reason is known. */
static const char *why_plain(const struct study *s, const struct cell *c)
{
	const struct dls_calc *calc = calculator(c->value[0]);
	struct study_facts facts = { .equal = false };
	bool weighs;

	if (!calc)
		return NULL;
	weighs = calc->needs & DLS_NEED_WEIGHTS && calc->dispenser == DLS_DISPENSER_TICKETS;
	s->kind->facts(c, &facts);
	if (calc->pace == DLS_PACE_EXECUTION && facts.steps == 1)
		return "learns from an execution for the next one, and this is the first";
	if (calc->pace == DLS_PACE_NEVER)
		return weighs && !facts.told ? "deals by weights, and is told none that differ" : NULL;
	if (common(s, c, "chunks") <= common(s, c, "workers"))
		return "learns from a worker's chunks for its next one, and none gets a second";
	return facts.equal ? "learns how fast workers are, and measures the same of all" : NULL;
}

/* The cells of a group that equal c, and why, if c is the first of them; NULL: no cell equals it, or an
 * earlier one does. */
static const char *set_of(const struct study *s, const struct cell *c, const struct cell *group)
{
	const char *names = c->value[0], *why = NULL;
	bool found = false;

	for (const struct cell *d = group; d < group + s->compared; d++) {
		const char *plain;

		if (d != c && !study_equal(s, c, d))
			continue;
		if (d < c)
			return NULL;
		if (d != c)
			names = tool_held_string("%s = %s", names, d->value[0]);
		plain = why_plain(s, d);
		if (plain)
			why = tool_held_string("%s%s%s: %s", why ? why : "", why ? "\n      " : "",
					       d->value[0], plain);
		found |= d != c;
	}
	if (!(common(s, c, "chunks") - common(s, c, "iterations") < 0 || isnan(common(s, c, "chunks"))))
		why = "every chunk is one iteration";
	why = why ? why : "the calculators declare no reason";
	return found ? tool_held_string("%s\n      %s", names, why) : NULL;
}

void study_tell_equal(const struct study *s)
{
	struct set {
		const char *text, *where;
		size_t groups;
	} *set = NULL;
	size_t sets = 0, groups = s->cells / s->compared;

	for (size_t i = 0; i < s->cells; i++) {
		const struct cell *c = &s->cell[i], *group = c - i % s->compared;
		const char *text = set_of(s, c, group);
		const char *where = tool_held_string("%s on %s", s->kind->group_text(s, group, 0),
						     s->kind->group_text(s, group, 1));
		size_t k = 0;

		while (text && k < sets && strcmp(set[k].text, text) != 0)
			k++;
		if (!text)
			continue;
		if (k == sets) {
			set = tool_grow(set, sets, sizeof(*set));
			set[sets++] = (struct set){ text, where, 0 };
		} else if (set[k].groups < 3) {
			set[k].where = tool_held_string("%s; %s", set[k].where, where);
		}
		set[k].groups++;
	}
	if (sets)
		puts("\nThe same in every run, to the last bit:");
	for (size_t k = 0; k < sets; k++)
		printf("  %s\n      %s%s\n", set[k].text,
		       set[k].groups == groups && groups > 1 ? "everywhere" : set[k].where,
		       set[k].groups > 3 && set[k].groups < groups ? "; and more" : "");
	free(set);
}
