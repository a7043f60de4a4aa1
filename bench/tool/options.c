/* options.c - the command line of a tool, read by its table of options; --help prints the same table. */
#include <getopt.h>

#include "dls.h"
#include "bench/tool/tool.h"
#include "lib/base/name.h"

/* getopt_long() returns 1 for an argument, a letter, or ROW + its row. */
enum { ROWS_MAX = 64, NAMES_MAX = 4 * ROWS_MAX, ROW = 256 };

/* The tool whose command line is read, and how each option was written that was given. */
static const struct tool *current;
static const char *given[ROWS_MAX];

/* The next of some names with blanks between, or of none; its length. */
static const char *next_name(const char *names, size_t *length)
{
	names += strspn(names, " ");
	*length = strcspn(names, " ");
	return *length ? names : NULL;
}

static bool among(const char *names, const char *name)
{
	size_t length;

	for (const char *at = names ? names : ""; (at = next_name(at, &length)); at += length)
		if (strlen(name) == length && memcmp(at, name, length) == 0)
			return true;
	return false;
}

/* What --help has before the text: "-s, --schedule LIST"; a value that may be left out follows at once. */
static int print_left(const struct tool_option *o, int width)
{
	char text[128], letter[8] = "    ";
	int length;

	if (o->letter)
		snprintf(letter, sizeof(letter), "-%c, ", o->letter);
	length = snprintf(text, sizeof(text), "%s--%s%s%s", letter, o->name,
			  o->value && *o->value != '[' ? " " : "", o->value ? o->value : "");
	return width ? printf("  %-*s  ", width, text) : length;
}

static bool listed(const struct tool_option *o, bool all)
{
	return o->help && (all || !o->rare);
}

static void print_help(const struct tool *tool, bool all)
{
	int width = 0;

	printf("%s%s\n", tool->about, all && tool->examples ? tool->examples : "");
	for (const struct tool_option *o = tool->option; o->name; o++)
		if (listed(o, all))
			width = print_left(o, 0) > width ? print_left(o, 0) : width;
	for (const struct tool_option *o = tool->option; o->name; o++) {
		const char *line = o->help;

		if (!listed(o, all))
			continue;
		for (print_left(o, width); all && line[strcspn(line, "\n")]; line += strcspn(line, "\n") + 1)
			printf("%.*s\n%*s", (int)strcspn(line, "\n"), line, width + 4, "");
		printf("%.*s\n", (int)strcspn(line, "\n"), line);
	}
	printf("\n%sMore: man %s\n", all && tool->notes ? tool->notes : "", tool->name);
}

void tool_help(const struct tool *tool)
{
	print_help(tool, false);
	exit(TOOL_DONE);
}

static void last(const struct tool *tool, const struct tool_option *o, const char *value)
{
	if (value && strcmp(value, "all") != 0)
		tool_die(TOOL_USAGE, "--help \"%s\": not all", value);
	if (strcmp(o->name, "version") == 0)
		printf("%s %s\n", tool->name, dls_version());
	else
		print_help(tool, value != NULL);
	exit(TOOL_DONE);
}

/* A list by colons. */
static const char *with_colons(const char *value)
{
	char *text = tool_held_string("%s", value);

	for (char *c = text; *c; c++)
		if (*c == ',' || *c == ';')
			*c = ':';
	return text;
}

/* `name`: as it was written, for messages. */
static void take(const struct tool *tool, const struct tool_option *o, const char *name, const char *value)
{
	uint64_t min = (uint64_t)o->min, max = o->max > 0 ? (uint64_t)o->max : UINT64_MAX;

	given[o - tool->option] = name;
	if (o->text)
		*o->text = o->colons ? with_colons(value) : value;
	else if (o->flag)
		*o->flag = true;
	else if (o->format)
		*o->format = o->as;
	else if (o->count)
		*o->count = tool_count(name, value, min, max);
	else if (o->number)
		*o->number = (unsigned)tool_count(name, value, min, max);
	else if (o->real)
		*o->real = tool_real(name, value, o->min, o->max > 0 ? o->max : INFINITY);
	else	/* of TOOL_LAST */
		last(tool, o, value);
}

static const struct tool_option *find(const struct tool *tool, const char *name)
{
	const struct tool_option *o = tool->option;

	while (o->name && strcmp(o->name, name) != 0 && !among(o->also, name) &&
	       !(o->letter == name[0] && !name[1]))
		o++;
	return o->name ? o : NULL;
}

void tool_take(const struct tool *tool, const char *name, const char *value)
{
	take(tool, find(tool, name), tool_held_string("--%s", name), value);
}

const char *tool_written(const char *name)
{
	const struct tool_option *o = current ? find(current, name) : NULL;
	const char *text = o ? given[o - current->option] : NULL;

	return text ? text : tool_held_string("--%s", name);
}

bool tool_only(const char *names)
{
	for (const struct tool_option *o = current->option; o->name; o++)
		if (given[o - current->option] && !among(names, o->name))
			return false;
	return true;
}

/* Refuse "--shedule", and what begins several names. */
_Noreturn static void refuse_name(const struct tool *tool, const char *written)
{
	size_t length = strcspn(written, "="), n;
	struct dls__nearest nearest = { .written = written + 2, .length = length - 2 };
	const char *means = NULL, *begins = "";
	unsigned several = 0;

	for (const struct tool_option *o = tool->option; o->name; o++) {
		const char *before = nearest.name;

		if (!o->help)
			continue;
		dls__nearest_try(&nearest, o->name, strlen(o->name));
		for (const char *at = o->also ? o->also : ""; (at = next_name(at, &n)); at += n)
			dls__nearest_try(&nearest, at, n);
		if (nearest.name != before)
			means = o->name;
		if (length > 2 && strncmp(o->name, written + 2, length - 2) == 0)
			begins = tool_held_string("%s%s--%s", begins, several++ ? ", " : "", o->name);
	}
	if (several == 1 && !means)	/* musl: other spellings of it begin so, too */
		means = begins + 2;
	if (several > 1)
		tool_die(TOOL_USAGE, "option '%.*s' is one of several: %s", (int)length, written, begins);
	if (means)
		tool_die(TOOL_USAGE, "unknown option '%.*s': did you mean --%s?", (int)length, written, means);
	tool_die(TOOL_USAGE, "unknown option '%.*s'; see %s --help", (int)length, written, tool_name);
}

/* What getopt_long() refused; argv[optind - 1] may be behind the last. */
_Noreturn static void refuse(const struct tool *tool, char **argv, int c)
{
	const char *written = argv[optind - 1];
	bool letter = optopt && optopt < ROW;

	if (c == ':' && letter)
		tool_die(TOOL_USAGE, "-%c: needs a value; see %s --help", optopt, tool_name);
	if (c == ':')
		tool_die(TOOL_USAGE, "%s: needs a value; see %s --help", written, tool_name);
	if (letter)
		tool_die(TOOL_USAGE, "unknown option '-%c'; see %s --help", optopt, tool_name);
	if (optopt)
		tool_die(TOOL_USAGE, "%s: takes no value; see %s --help", written, tool_name);
	refuse_name(tool, written);
}

/* All spellings, for getopt_long(). */
static struct option names[NAMES_MAX + 1];
static char letters[2 * NAMES_MAX + 3];

static void spell(const char *name, size_t length, int value, int row)
{
	static int n;

	if (length == 1)
		strcat(strncat(letters, name, 1), value == required_argument ? ":" : "");
	else
		names[n++] = (struct option){ tool_held_string("%.*s", (int)length, name), value, NULL, ROW + row };
}

static void spell_all(const struct tool *tool)
{
	strcpy(letters, "-:");
	for (const struct tool_option *o = tool->option; o->name; o++) {
		int value = !o->value ? no_argument :
			    *o->value == '[' ? optional_argument : required_argument;
		int row = (int)(o - tool->option);
		size_t length;

		spell(o->name, strlen(o->name), value, row);
		if (o->letter)
			spell(&o->letter, 1, value, row);
		for (const char *at = o->also ? o->also : ""; (at = next_name(at, &length)); at += length)
			spell(at, length, value, row);
	}
}

char **tool_options(const struct tool *tool, int argc, char **argv)
{
	char **arguments = tool_held(calloc((size_t)argc + 1, sizeof(*arguments)));
	bool command = tool->command;
	int c, at = 0;
	size_t n = 0;

	current = tool;
	tool_name = tool->name;
	atexit(tool_end_output);
	tool_keep_command(argc, argv);
	spell_all(tool);
	while ((c = getopt_long(argc, argv, letters, names, &at)) != -1) {
		const struct tool_option *o;
		char letter[2] = { (char)c, 0 };

		if (c == 1 && command) {
			optind--;
			break;
		}
		if (c == 1) {
			arguments[n++] = optarg;
			continue;
		}
		if (c == ':' || c == '?')
			refuse(tool, argv, c);
		o = c < ROW ? find(tool, letter) : &tool->option[c - ROW];
		command |= o->command;
		take(tool, o, c < ROW ? tool_held_string("-%s", letter) : tool_held_string("--%s", names[at].name),
		     optarg);
	}
	while (optind < argc)
		arguments[n++] = argv[optind++];
	if (n && !tool->arguments)
		tool_die(TOOL_USAGE, "\"%s\": no arguments are accepted, only options; see %s --help",
			 arguments[0], tool_name);
	return arguments;
}
