/* dls.c - dls: the front of the tools.  `dls chunks` runs dls-chunks, `dls help chunks` opens its page.
 * It finds the tools in its own folder, installed or not. */
#include <unistd.h>

#include "bench/tool/tool.h"
#include "lib/base/name.h"

/* In the order in which they are listed; what each does is its page's first line. */
static const struct front {
	const char *name, *does;
} fronts[] = {
	{ "run", "run an OpenMP program under a schedule, or see what its loops do" },
	{ "advise", "tell what to change about a program's loops" },
	{ "chunks", "show the chunk sizes of loop schedules side by side" },
	{ "loops", "time real irregular loops under every schedule" },
	{ "overhead", "time what loop schedules cost, beside the compiler's own" },
	{ "sim", "run a machine whose processors balance their load by messages" },
	{ "study", "compare loop schedules, or strategies, over seeds, with tests" },
	{ "paper", "rebuild tables and figures of the papers, beside the papers' own" },
	{ "mpi-loops", "compare schedules of real irregular loops across MPI ranks" },
};
enum { FRONTS = sizeof(fronts) / sizeof(*fronts) };

static char *folder;	/* NULL: it is not known */

/* The tool's file, if it is there. */
static const char *file_of(const char *name)
{
	const char *file = folder ? tool_held_string("%s/dls-%s", folder, name) : NULL;

	return file && !strchr(name, '/') && access(file, X_OK) == 0 ? file : NULL;
}

static const char *list(void)
{
	const char *text = "dls TOOL [ARGUMENT...] runs dls-TOOL.\n\n";

	for (size_t i = 0; i < FRONTS; i++)
		if (file_of(fronts[i].name))
			text = tool_held_string("%s  %-13s %s\n", text, fronts[i].name, fronts[i].does);
	return tool_held_string("%s  %-13s %s\n", text, "help TOOL", "open its manual page");
}

static void consider(struct dls__nearest *nearest, const char *name)
{
	dls__nearest_try(nearest, name, strlen(name));
}

_Noreturn static void refuse(const char *name)
{
	struct dls__nearest nearest = { .written = name, .length = strlen(name) };

	for (size_t i = 0; i < FRONTS; i++)
		if (strcmp(fronts[i].name, name) == 0)
			tool_die(TOOL_MISSING, "dls-%s is not in \"%s\", where this tool is", name,
				 folder ? folder : "?");
	for (size_t i = 0; i < FRONTS; i++)
		if (file_of(fronts[i].name))
			consider(&nearest, fronts[i].name);
	consider(&nearest, "help");
	if (nearest.name)
		tool_die(TOOL_USAGE, "unknown tool '%s': did you mean %s?", name, nearest.name);
	tool_die(TOOL_USAGE, "unknown tool '%s'; see dls --help", name);
}

/* The page of a tool: beside it as prefixes have it, or in the source; else where man looks. */
_Noreturn static void help(const char *name)
{
	static const char *const places[] = { "share/man/man1", "../man" };
	const char *page, *file;

	if (strcmp(name, "dls") != 0 && !file_of(name))
		refuse(name);
	page = strcmp(name, "dls") ? tool_held_string("dls-%s", name) : name;
	for (size_t i = 0; folder && i < sizeof(places) / sizeof(*places); i++) {
		file = tool_held_string("%s/../%s/%s.1", folder, places[i], page);
		if (access(file, R_OK) == 0)
			execlp("man", "man", "-l", file, (char *)NULL);
	}
	execlp("man", "man", "1", page, (char *)NULL);
	tool_die(TOOL_MISSING, "man: %s; %s --help has the options", strerror(errno), page);
}

static const struct tool_option options[] = { TOOL_LAST };

int main(int argc, char **argv)
{
	struct tool tool = { .name = "dls", .option = options, .arguments = true, .command = true };
	const char *file;
	char **name;

	folder = tool_folder();
	tool.about = list();
	name = tool_options(&tool, argc, argv);
	if (!*name || (strcmp(*name, "help") == 0 && !name[1]))
		tool_help(&tool);
	if (strcmp(*name, "help") == 0)
		help(name[1]);
	file = file_of(*name);
	if (!file)
		refuse(*name);
	*name = tool_held_string("dls-%s", *name);
	execv(file, name);
	tool_die(errno == ENOENT ? 127 : 126, "\"%s\": %s", file, strerror(errno));
}
