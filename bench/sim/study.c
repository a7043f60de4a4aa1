/* study.c - the file of a study: lines "KEY VALUE", comments and empty lines. */
#include <ctype.h>

#include "study.h"

enum { CELLS_MOST = 100000 };

/* Keys that are options of dls-sim; those of the first row have lists. */
static const char *const list_key[] = { "strategy", "net", "load", "platform", NULL };
static const char *const one_key[] = { "seed", "processors", "costs", "faults", "tasks", "grain", "bytes", "speeds", "weights", "engine",
				       "spend", "plugin", NULL };
static const char *const own_key[] = { "measure", "against", NULL };

static const struct study *current;	/* for messages */

static bool among(const char *const *key, const char *text)
{
	while (*key && strcmp(*key, text) != 0)
		key++;
	return *key != NULL;
}

/* A message that begins by "--net "mesh:0"" is about the line of that value, or of that key. */
static const char *given(const char *message)
{
	static char where[512];
	const struct study_line *of = NULL;

	for (size_t i = 0; i < current->lines; i++) {
		const struct study_line *l = &current->line[i];
		size_t length = strlen(l->key);
		bool key = strncmp(message, "--", 2) == 0 && strncmp(message + 2, l->key, length) == 0 && message[2 + length] == ' ';

		if (key && (!of || strncmp(message + 2 + length + 2, l->value, strlen(l->value)) == 0))
			of = l;
	}
	if (of)
		snprintf(where, sizeof(where), "--study \"%.400s\", line %zu: ", current->file, of->line);
	else
		snprintf(where, sizeof(where), "--study \"%.400s\": ", current->file);
	return strncmp(message, "--study", 7) == 0 ? "" : where;
}

_Noreturn static void refuse(const struct study *s, size_t line, const char *value, const char *why)
{
	tool_die(TOOL_USAGE, "--study \"%s\", line %zu, \"%s\": %s", s->file, line, value, why);
}

/* Without blanks at its ends. */
static char *trimmed(char *text)
{
	size_t n;

	text += strspn(text, " \t\r\n");
	for (n = strlen(text); n && isspace((unsigned char)text[n - 1]); n--)
		text[n - 1] = 0;
	return text;
}

static void add_line(struct study *s, const char *key, const char *value, size_t line)
{
	for (size_t i = 0; i < s->lines; i++)
		if (strcmp(s->line[i].key, key) == 0 && (!among(list_key, key) || strcmp(s->line[i].value, value) == 0))
			refuse(s, line, among(list_key, key) ? value : key, "given before");
	s->line = tool_grow(s->line, s->lines, sizeof(*s->line));
	s->line[s->lines++] = (struct study_line){ tool_held_string("%s", key), tool_held_string("%s", value), line };
}

static void take_line(struct study *s, char *text, size_t line)
{
	char *key = trimmed(text), *value, *rest;

	if (!*key || *key == '#')
		return;
	value = key + strcspn(key, " \t");
	if (*value)
		*value++ = 0;
	value = trimmed(value);
	if (!among(list_key, key) && !among(one_key, key) && !among(own_key, key))
		refuse(s, line, key, "not strategy, net, load, platform, seed, processors, costs, faults, tasks, grain, bytes, speeds, weights, engine, "
		       "spend, plugin, measure or against");
	if (!*value)
		refuse(s, line, key, "needs a value");
	if (!among(list_key, key)) {
		add_line(s, key, value, line);
		return;
	}
	for (rest = value; rest; ) {
		char *item = rest, *end = rest + (strcmp(key,
			"strategy") == 0 ? tool_item(rest) : strcspn(rest, ";"));

		rest = *end ? end + 1 : NULL;
		*end = 0;
		item = trimmed(item);
		if (!*item)
			refuse(s, line, key, "values are separated by single semicolons; one is empty");
		add_line(s, key, item, line);
	}
}

static void read_lines(struct study *s)
{
	FILE *in = tool_open_again("--study", s->file, "rb");
	char *text = NULL;
	size_t room = 0;
	ssize_t length = 0;

	for (size_t line = 1; (length = getline(&text, &room, in)) >= 0; line++) {
		if (memchr(text, 0, (size_t)length))
			tool_die(TOOL_USAGE, "--study \"%s\", line %zu: a NUL byte; only text is accepted", s->file, line);
		take_line(s, text, line);
	}
	if (ferror(in) || !feof(in))
		tool_die(TOOL_USAGE, "--study \"%s\": %s", s->file, strerror(errno));
	free(text);
	fclose(in);
}

const struct study_line *study_next(const struct study *s, const char *key, const struct study_line *at)
{
	for (at = at ? at + 1 : s->line; at && at < s->line + s->lines; at++)
		if (strcmp(at->key, key) == 0)
			return at;
	return NULL;
}

static const char *value_of(const struct study *s, const char *key, const char *by_default)
{
	const struct study_line *line = study_next(s, key, NULL);

	return line ? line->value : by_default;
}

static void add_cell(struct study *s, const char *strategy, const struct cell *group)
{
	if (s->cells == CELLS_MOST)
		tool_die(TOOL_USAGE, "--study \"%s\": more than %d combinations", s->file, CELLS_MOST);
	s->cell = tool_grow(s->cell, s->cells, sizeof(*s->cell));
	s->cell[s->cells++] = (struct cell){ .strategy = strategy, .net = group->net, .load = group->load, .platform = group->platform };
}

/* The cells of one load, platform and net. */
static void add_group(struct study *s, const struct cell *group)
{
	const struct study_line *line = study_next(s, "strategy", NULL);
	const struct dls_strategy *strategy;
	size_t before = s->cells;

	if (!line)
		add_cell(s, "rid", group);
	for (; line; line = study_next(s, "strategy", line)) {
		bool all = strcmp(line->value, "all") == 0;

		for (size_t i = 0; all ? (strategy = dls_strategy_at(i)) != NULL : i == 0; i++)
			add_cell(s, all ? strategy->name : line->value, group);
	}
	s->strategies = s->cells - before;
}

/* Each load with each platform and net; one that is not given is the default. */
static void add_groups(struct study *s)
{
	const struct study_line *load = study_next(s, "load", NULL), *platform, *net;

	do {
		platform = study_next(s, "platform", NULL);
		do {
			net = study_next(s, "net", NULL);
			do
				add_group(s, &(struct cell){ .load = load ? load->value : NULL, .platform = platform ? platform->value : NULL,
							     .net = net ? net->value : NULL });
			while (net && (net = study_next(s, "net", net)));
		} while (platform && (platform = study_next(s, "platform", platform)));
	} while (load && (load = study_next(s, "load", load)));
}

static void find_against(struct study *s)
{
	const struct study_line *line = study_next(s, "against", NULL);

	while (line && s->against < s->strategies && strcmp(s->cell[s->against].strategy, line->value) != 0)
		s->against++;
	if (line && s->against == s->strategies)
		refuse(s, line->line, line->value, "not one of the study's strategies, as they are written there");
}

/* "u" of "u.study"; outputs must not be the file itself. */
static const char *base_of(const char *file)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file, *dot = strrchr(name, '.');

	if (!*name || (dot && (strcmp(dot, ".study") != 0 && strcmp(dot, ".txt") != 0)) || dot == name)
		tool_die(TOOL_USAGE, "--study \"%s\": its name must end in .study or .txt, or have no dot: the outputs are named after it", file);
	return tool_held_string("%.*s", (int)(dot ? dot - file : (long)strlen(file)), file);
}

void study_read(struct study *s, const char *file)
{
	*s = (struct study){ .file = file, .base = base_of(file), .against = 0 };
	current = s;
	read_lines(s);
	tool_given = given;
	for (size_t i = 0; i < s->lines; i++)
		if (among(one_key, s->line[i].key))
			sim_set(s->line[i].key, s->line[i].value);
	sim_settle();
	s->measure = value_of(s, "measure", "t_bal_s");
	s->column = print_column(s->measure);
	if (s->column == COLUMNS_MAX)
		refuse(s, study_next(s, "measure", NULL)->line, s->measure,
		       "not a column of figures, such as t_bal_s, pi, messages or idle_percent; see dls-sim(1), Measures");
	add_groups(s);
	find_against(s);
}

int study_main(const char *file)
{
	struct study s;

	study_read(&s, file);
	study_cells(&s);
	study_show(&s);
	tool_given = NULL;
	free(s.line);
	free(s.cell);
	return TOOL_DONE;
}
