/* plugin.c - shared objects that register strategies, calculators or nets of their own. */
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dls.h"
#include "dls/net.h"
#include "dls/strategy.h"
#include "bench/tool/tool.h"

enum { LOADED = 99 };	/* exit status */

static size_t registered(void)
{
	size_t strategies = 0, calculators = 0, nets = 0;

	while (dls_strategy_at(strategies))
		strategies++;
	while (dls_calc_at(calculators))
		calculators++;
#ifndef DLS__LOOPS_ALONE
	while (dls_net_kind_at(nets))
		nets++;
#endif
	return strategies + calculators + nets;
}

/* Not in the folders where libraries are searched. */
static char *path_of(const char *file)
{
	return strchr(file, '/') ? tool_string("%s", file) : tool_string("./%s", file);
}

/* Load it; returns what dls_plugin(), if there is one, does. */
static int load(const char *file)
{
	char *path = path_of(file);
	void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int (*enter)(void) = NULL;

	if (!plugin)
		tool_die(TOOL_USAGE, "--plugin \"%s\": %s", file, dlerror());
	*(void **)(void *)&enter = dlsym(plugin, "dls_plugin");
	free(path);
	return enter ? enter() : 0;
}

/* Load it in a child first: what crashes there does not take the tool with it. */
static void try(const char *file)
{
	int status = 0;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		load(file);
		_exit(LOADED);
	}
	if (child < 0)
		return;
	waitpid(child, &status, 0);
	if (WIFSIGNALED(status))
		tool_die(TOOL_USAGE, "--plugin \"%s\": it is killed by signal %d (%s) while it registers", file, WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status) == TOOL_USAGE)	/* tool_die() has said why */
		exit(TOOL_USAGE);
	if (WEXITSTATUS(status) != LOADED)
		tool_die(TOOL_USAGE, "--plugin \"%s\": it ends the program, with exit status %d, while it registers", file,
			 WEXITSTATUS(status));
}

void tool_plugin(const char *file)
{
	size_t before;
	char *path;
	int code;

	if (!file)
		return;
	try(file);
	path = path_of(file);
	tool_keep_file(file, tool_cksum("--plugin", path));
	free(path);
	before = registered();
	code = load(file);
	if (code)
		tool_die(TOOL_USAGE, "--plugin \"%s\": dls_plugin() returns %d: %s", file, code, dls_strerror(code));
	if (registered() == before)
		tool_die(TOOL_USAGE, "--plugin \"%s\": it registers no strategy, calculator or net: dls_strategy_register() and its like "
			 "say why, in its constructor or in its dls_plugin()", file);
}
