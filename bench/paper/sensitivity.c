/* sensitivity.c - which of a paper's open parameters matter most for each figure. */
#include "sensitivity.h"

enum { PARAMETERS_MAX = 64 };

struct effect {
	const char *parameter;
	double most;
};

static int larger(const void *a, const void *b)
{
	const struct effect *x = a, *y = b;

	return x->most != y->most ? (x->most < y->most) - (x->most > y->most) : strcmp(x->parameter, y->parameter);
}

/* The effects on a column; rows of one parameter follow each other. */
static size_t effects(size_t column, struct effect of[PARAMETERS_MAX])
{
	double base = paper_cell(0, column, false)->value;
	size_t n = 0;

	for (size_t r = 1; r < paper_rows.rows; r++) {
		const char *parameter = paper_cell(r, 0, false)->text;
		double change = fabs(paper_cell(r, column, false)->value - base);

		if (isnan(change))
			continue;
		if (n == 0 || strcmp(of[n - 1].parameter, parameter) != 0) {
			if (n == PARAMETERS_MAX)
				break;
			of[n++] = (struct effect){ parameter, 0 };
		}
		of[n - 1].most = fmax(of[n - 1].most, change);
	}
	qsort(of, n, sizeof(*of), larger);
	return n;
}

/* Whether parameters have one of the name with which a word begins. */
static bool given(const char *parameters, const char *word)
{
	size_t n = strcspn(word, "=,");

	for (const char *at = parameters; (at = strchr(at, ',')); )
		if (strncmp(++at, word, n) == 0 && at[n] == '=')
			return true;
	return false;
}

void sensitivity_text(char *to, size_t size, const char *strategy, const char *more)
{
	size_t at = strcspn(strategy, ",");

	snprintf(to, size, "%.*s", (int)at, strategy);
	for (const char *word = strategy + at; *word; word += strcspn(word, ",")) {
		word++;
		if (!given(more, word))
			snprintf(to + strlen(to), size - strlen(to), ",%.*s", (int)strcspn(word, ","), word);
	}
	snprintf(to + strlen(to), size - strlen(to), "%s", more);
}

void sensitivity_say(void)
{
	paper_say("\nWhat changes each figure most, and by how much:\n");
	for (size_t i = 0; i < paper_rows.columns; i++) {
		struct effect of[PARAMETERS_MAX];
		char text[2048];
		size_t n, at;

		if (!paper_rows.column[i].format)
			continue;
		n = effects(i, of);
		at = (size_t)snprintf(text, sizeof(text), "%-16s %.3g:", paper_head(&paper_rows.column[i]), paper_cell(0, i, false)->value);
		for (size_t k = 0; k < n && at < sizeof(text); k++)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s %s %.2g", k ? "," : "", of[k].parameter, of[k].most);
		paper_say("%s", text);
	}
}
