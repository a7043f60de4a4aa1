/* study.c - the file of a study: lines "KEY VALUE", comments and empty lines; and its cells. */
#include <ctype.h>
#include <sys/stat.h>

#include "study.h"

enum { CELLS_MOST = 100000 };

static const char *const own_key[] = { "measure", "against", NULL };

static struct study study;

static bool among(const char *const *key, const char *text)
{
	while (*key && strcmp(*key, text) != 0)
		key++;
	return *key != NULL;
}

/* A message that begins by "--net "mesh:0"" is about the line of that value, or of that key.  No memory is
 * asked for: it may have run out. */
static const char *given(const char *message)
{
	static char where[512];
	const struct study_line *of = NULL;

	for (size_t i = 0; i < study.lines; i++) {
		const struct study_line *l = &study.line[i];
		size_t length = strlen(l->key);
		bool key = strncmp(message, "--", 2) == 0 && strncmp(message + 2, l->key, length) == 0 &&
			   message[2 + length] == ' ';

		if (key && l->line &&
		    (!of || strncmp(message + 2 + length + 2, l->value, strlen(l->value)) == 0))
			of = l;
	}
	if (!study.file || strncmp(message, study.said, strlen(study.said)) == 0)
		return "";
	if (of)
		snprintf(where, sizeof(where), "%.400s, line %zu: ", study.said, of->line);
	else
		snprintf(where, sizeof(where), "%.400s: ", study.said);
	return where;
}

_Noreturn static void refuse(size_t line, const char *key, const char *value, const char *why)
{
	if (line)
		tool_die(TOOL_USAGE, "%s, line %zu, \"%s\": %s", study.said, line, value, why);
	tool_die(TOOL_USAGE, "%s \"%s\": %s", tool_written(key), value, why);
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

static void add_line(const char *key, const char *value, size_t line)
{
	struct study *s = &study;
	bool list = among(s->kind->list, key);

	for (size_t i = 0; i < s->lines; i++)
		if (strcmp(s->line[i].key, key) == 0 && (!list || strcmp(s->line[i].value, value) == 0))
			refuse(line, key, list ? value : key, "given before");
	s->line = tool_grow(s->line, s->lines, sizeof(*s->line));
	s->line[s->lines++] =
		(struct study_line){ tool_held_string("%s", key), tool_held_string("%s", value), line };
}

/* A key's value, or each of its list, which the text is cut into. */
static void add_values(const char *key, char *value, size_t line)
{
	const char *whole = tool_held_string("%s", value);	/* which is cut below */

	if (!among(study.kind->list, key)) {
		add_line(key, value, line);
		return;
	}
	for (char *rest = value; rest; ) {
		char *item = rest, *end = rest + study.kind->item(key, rest);

		rest = *end ? end + 1 : NULL;
		*end = 0;
		item = trimmed(item);
		if (!*item)
			refuse(line, key, whole, "values are separated by single semicolons; one is empty");
		add_line(key, item, line);
	}
}

/* "strategy, net, load ... measure or against". */
static const char *all_keys(const struct study_kind *kind)
{
	const char *const *const list[] = { kind->list, kind->one, own_key };
	const char *text = NULL;

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		for (const char *const *key = list[i]; *key; key++)
			text = !text ? *key
				     : tool_held_string("%s%s%s", text,
							list[i] == own_key && !key[1] ? " or " : ", ", *key);
	return text;
}

static void take_line(void *arg, char *key, size_t line)
{
	const struct study_kind *kind = study.kind;
	char *value = key + strcspn(key, " \t");

	(void)arg;
	if (*value)
		*value++ = 0;
	value = trimmed(value);
	if (!among(kind->list, key) && !among(kind->one, key) && !among(own_key, key))
		refuse(line, key, key, tool_held_string("not %s", all_keys(kind)));
	if (!*value)
		refuse(line, key, key, "needs a value");
	add_values(key, value, line);
}

void study_lines(const char *option, const char *file, void (*take)(void *arg, char *text, size_t line),
		 void *arg)
{
	struct tool_lines lines = { .option = option, .file = file, .in = tool_open_again(option, file, "rb") };

	while (tool_line(&lines)) {
		char *text = trimmed(lines.text);

		if (*text && *text != '#')
			take(arg, text, lines.line);
	}
	fclose(lines.in);
}

void study_option(const struct study_kind *kind, const char *key, const char *value)
{
	study.kind = kind;
	if (value)
		add_values(key, tool_held_string("%s", value), 0);
}

static const struct study_line *line_of(const char *key)
{
	for (size_t i = 0; i < study.lines; i++)
		if (strcmp(study.line[i].key, key) == 0)
			return &study.line[i];
	return NULL;
}

/* The values of a list, in an array; of the first list "all" stands for several. */
static size_t values_of(size_t list, const char ***value)
{
	const struct study_kind *kind = study.kind;
	const char *one;
	size_t n = 0;

	*value = NULL;
	for (size_t i = 0; i < study.lines; i++) {
		bool all = list == 0 && strcmp(study.line[i].value, "all") == 0;

		if (strcmp(study.line[i].key, kind->list[list]) != 0)
			continue;
		for (size_t k = 0; all ? (one = kind->all(k)) != NULL : k == 0; k++) {
			*value = tool_grow(*value, n, sizeof(**value));
			(*value)[n++] = all ? one : study.line[i].value;
		}
	}
	if (!n) {
		*value = tool_grow(*value, 0, sizeof(**value));
		(*value)[n++] = list == 0 ? kind->first : NULL;
	}
	return n;
}

/* Each value of each list with each of the others. */
static void make_cells(struct study *s)
{
	const char **value[STUDY_LISTS] = { NULL };
	size_t n[STUDY_LISTS] = { 0 }, lists = 0;

	s->cells = 1;
	for (; s->kind->list[lists]; lists++) {
		n[lists] = values_of(lists, &value[lists]);
		s->cells *= n[lists];
		if (s->cells > CELLS_MOST)
			tool_die(TOOL_USAGE, "%s: more than %d combinations", s->said, CELLS_MOST);
	}
	s->compared = n[0];
	s->cell = tool_need(calloc(s->cells, sizeof(*s->cell)));
	for (size_t i = 0; i < s->cells; i++)
		for (size_t list = 0, rest = i; list < lists; rest /= n[list++])
			s->cell[i].value[list] = value[list][rest % n[list]];
	for (size_t list = 0; list < lists; list++)
		free(value[list]);
}

static void find_against(struct study *s)
{
	const struct study_line *line = line_of("against");

	if (line && strcmp(line->value, "best") == 0) {
		s->against = STUDY_BEST;
		return;
	}
	while (line && s->against < s->compared && strcmp(s->cell[s->against].value[0], line->value) != 0)
		s->against++;
	if (line && s->against == s->compared)
		refuse(line->line, "against", line->value,
		       tool_held_string("not one of the study's, as \"%s\" lists them, nor best",
					s->kind->list[0]));
}

/* "u" of "u.study"; outputs must not be the file itself. */
static const char *base_of(const char *file)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file, *dot = strrchr(name, '.');

	if (!*name || (dot && (strcmp(dot, ".study") != 0 && strcmp(dot, ".txt") != 0)) || dot == name)
		tool_die(TOOL_USAGE,
			 "%s: its name must end in .study or .txt, or have no dot: the outputs are named "
			 "after it",
			 study.said);
	return tool_held_string("%.*s", (int)(dot ? dot - file : (long)strlen(file)), file);
}

/* The base in another folder. */
static const char *base_in(const char *folder, const char *base)
{
	const char *slash = strrchr(base, '/');

	if (mkdir(folder, 0777) && errno != EEXIST)
		tool_die(TOOL_USAGE, "-o \"%s\": %s", folder, strerror(errno));
	return tool_held_string("%s/%s", folder, slash ? slash + 1 : base);
}

int study_main(const struct study_kind *kind, const char *file, const char *folder)
{
	struct study *s = &study;
	const struct study_line *measure;

	s->kind = kind;
	s->said = file ? tool_held_string("%s \"%s\"", kind->option, file) : kind->option;
	s->file = file;
	s->base = file ? base_of(file) : "loops";
	if (file)
		study_lines(kind->option, file, take_line, NULL);
	tool_given = given;
	for (size_t i = 0; i < s->lines; i++)
		if (among(kind->one, s->line[i].key))
			kind->set(s->line[i].key, s->line[i].value);
	kind->settle();
	measure = line_of("measure");
	s->measure = measure ? measure->value : kind->measure;
	if (!kind->is_measure(s->measure))
		refuse(measure->line, "measure", s->measure,
		       tool_held_string("not a column of figures, such as %s; see %s(1), Measures",
					kind->measures, tool_name));
	make_cells(s);
	find_against(s);
	if (folder)
		s->base = base_in(folder, s->base);
	study_cells(s);
	study_show(s);
	tool_given = NULL;
	free(s->line);
	free(s->cell);
	return TOOL_DONE;
}
