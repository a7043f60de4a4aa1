/* options.c - the command line of a tool, read by its table of options; --help prints the same table. */
#include <getopt.h>

#include "dls.h"
#include "bench/tool/tool.h"

enum { OPTIONS_MAX = 64, LONG = 256 };	/* getopt_long() returns a letter, or LONG and the number of the row */

/* The option as it is written: "-n", "--seed". */
static const char *written(const struct tool_option *o, char text[64])
{
	snprintf(text, 64, "%s%s", o->name[1] ? "--" : "-", o->name);
	return text;
}

static int print_left(const struct tool_option *o, int width)
{
	char name[64], text[128];
	int length = snprintf(text, sizeof(text), "%s%s%s", written(o, name), o->value ? " " : "", o->value ? o->value : "");

	return width ? printf("  %-*s  ", width, text) : length;
}

static void print_help(const struct tool *tool)
{
	int width = 0;

	printf("%s\n", tool->about);
	for (const struct tool_option *o = tool->option; o->name; o++)
		width = print_left(o, 0) > width ? print_left(o, 0) : width;
	for (const struct tool_option *o = tool->option; o->name; o++) {
		const char *line = o->help;

		for (print_left(o, width); line[strcspn(line, "\n")]; line += strcspn(line, "\n") + 1)
			printf("%.*s\n%*s", (int)strcspn(line, "\n"), line, width + 4, "");
		puts(line);
	}
	printf("\n%sMore: man %s\n", tool->notes ? tool->notes : "", tool->name);
}

void tool_help(const struct tool *tool)
{
	print_help(tool);
	exit(TOOL_DONE);
}

static void take(const struct tool *tool, const struct tool_option *o, const char *value)
{
	uint64_t min = (uint64_t)o->min, max = o->max > 0 ? (uint64_t)o->max : UINT64_MAX;
	char name[64];

	written(o, name);
	if (o->text) {
		*o->text = value;
	} else if (o->flag) {
		*o->flag = true;
	} else if (o->format) {
		*o->format = o->as;
	} else if (o->count) {
		*o->count = tool_count(name, value, min, max);
	} else if (o->number) {
		*o->number = (unsigned)tool_count(name, value, min, max);
	} else if (o->real) {
		*o->real = tool_real(name, value, o->min, o->max > 0 ? o->max : INFINITY);
	} else {	/* of TOOL_LAST */
		if (strcmp(o->name, "version") != 0)
			tool_help(tool);
		printf("%s %s\n", tool->name, dls_version());
		exit(TOOL_DONE);
	}
}

void tool_take(const struct tool *tool, const char *name, const char *value)
{
	const struct tool_option *o = tool->option;

	while (strcmp(o->name, name) != 0)
		o++;
	take(tool, o, value);
}

char **tool_options(const struct tool *tool, int argc, char **argv)
{
	struct option list[OPTIONS_MAX + 1] = { { 0 } };
	char letters[2 * OPTIONS_MAX + 3] = "";
	int lists = 0, c;

	tool_name = tool->name;
	atexit(tool_end_output);
	strcat(letters, tool->command ? "+:" : ":");
	tool_keep_command(argc, argv);
	for (const struct tool_option *o = tool->option; o->name; o++) {
		int value = o->value ? required_argument : no_argument, at = (int)(o - tool->option);

		if (o->name[1])
			list[lists++] = (struct option){ o->name, value, NULL, LONG + at };
		else
			strcat(strcat(letters, o->name), o->value ? ":" : "");
	}
	while ((c = getopt_long(argc, argv, letters, list, NULL)) != -1) {
		const struct tool_option *o = tool->option;

		if (c == ':' && optopt < LONG)	/* argv[optind - 1] may be behind the last */
			tool_die(TOOL_USAGE, "-%c: needs a value; see %s --help", optopt, tool_name);
		if (c == ':')
			tool_die(TOOL_USAGE, "%s: needs a value; see %s --help", argv[optind - 1], tool_name);
		if (c == '?' && optopt && optopt < LONG)
			tool_die(TOOL_USAGE, "-%c: no such option; see %s --help", optopt, tool_name);
		if (c == '?')
			tool_die(TOOL_USAGE, "%s: %s; see %s --help", argv[optind - 1],
				 optopt ? "takes no value" : "no such option", tool_name);
		while (c < LONG && (o->name[0] != c || o->name[1]))
			o++;
		take(tool, c < LONG ? o : &o[c - LONG], optarg);
	}
	if (argv[optind] && !tool->arguments)
		tool_die(TOOL_USAGE, "\"%s\": no arguments are accepted, only options; see %s --help", argv[optind],
			 tool_name);
	return argv + optind;
}
