/* schedules.c - lists of schedules on the command line. */
#include <ctype.h>

#include "bench/tool/tool.h"
#include "dls/strategy.h"

/* Whether a word is KEY alone, a parameter of the schedule before it: "exact" after "af". */
static bool is_flag(const char *schedule, const char *word, size_t length)
{
	char name[64];
	const struct dls_calc *calc;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(schedule, ","), schedule);
	calc = dls_calc_find(name);
	for (size_t i = 0; calc && i < DLS_PARAMS_MAX && calc->param[i].name; i++)
		if (strlen(calc->param[i].name) == length && memcmp(calc->param[i].name, word, length) == 0)
			return true;
	return false;
}

static size_t add(const char ***list, size_t n, const char *text)
{
	*list = tool_grow(*list, n, sizeof(**list));
	(*list)[n] = text;
	return n + 1;
}

/* The words of the text, each with what belongs to it. */
static size_t words(const char *option, const char *text, const char ***list)
{
	static const char between[] = ",; \t\n";
	size_t n = 0;

	for (*list = NULL; *(text += strspn(text, between));) {
		size_t length = strcspn(text, between);

		if (isdigit((unsigned char)*text) || memchr(text, '=', length) ||
		    (n > 0 && is_flag((*list)[n - 1], text, length))) {
			if (n == 0)
				tool_die(TOOL_USAGE, "%s \"%.*s\": no schedule before it", option, (int)length, text);
			(*list)[n - 1] = tool_held_string("%s,%.*s", (*list)[n - 1], (int)length, text);
		} else {
			n = add(list, n, tool_held_string("%.*s", (int)length, text));
		}
		text += length;
	}
	if (n == 0)
		tool_die(TOOL_USAGE, "%s: no schedule given; \"all\" names every one", option);
	return n;
}

size_t tool_item(const char *text)
{
	size_t n = strcspn(text, ",;");

	while (text[n] == ',') {
		const char *word = text + n + 1 + strspn(text + n + 1, " \t\n");

		if (!isdigit((unsigned char)*word) && !memchr(word, '=', strcspn(word, ",;")))
			break;
		n = (size_t)(word - text) + strcspn(word, ",;");
	}
	return n;
}

struct dls_schedule *tool_parse(const char *option, const char *value, const char *text)
{
	struct dls_schedule *schedule;
	struct dls_parse_error error;
	int code = dls_schedule_parse(&schedule, text, &error);

	if (code)
		tool_die(code == DLS_ENOMEM ? TOOL_CHECK_FAILED : TOOL_USAGE, "%s \"%s\": %s", option, value, error.what);
	return schedule;
}

char *tool_schedule_text(const struct dls_schedule *schedule)
{
	size_t size = dls_schedule_print(schedule, NULL, 0) + 1;
	char *text = tool_held(malloc(size));

	dls_schedule_print(schedule, text, size);
	return text;
}

const struct dls_calc *tool_calc(const struct dls_schedule *schedule)
{
	const struct dls_calc *calc = dls_schedule_calc(schedule);

	return calc ? calc : dls_calc_find("static");
}

size_t tool_schedules(const char *option, const char *text, bool strategies, const char ***list)
{
	const struct dls_strategy *strategy;
	const struct dls_calc *calc;
	const char **word;
	size_t given = words(option, text, &word), n = 0;

	*list = NULL;
	for (size_t i = 0; i < given; i++) {
		if (strcmp(word[i], "all") == 0) {
			for (size_t k = 0; (calc = dls_calc_at(k)); k++)
				n = add(list, n, calc->name);
			for (size_t k = 0; strategies && (strategy = dls_strategy_at(k)); k++)
				n = add(list, n, strategy->name);
			continue;
		}
		struct dls_schedule *schedule = tool_parse(option, word[i], word[i]);

		if (!strategies && dls_schedule_strategy(schedule))
			tool_die(TOOL_USAGE, "%s \"%s\": a strategy has no chunk sizes of its own", option, word[i]);
		dls_schedule_free(schedule);
		n = add(list, n, word[i]);
	}
	free(word);
	tool_held(*list);
	return n;
}
