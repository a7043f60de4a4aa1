/* tool.h - run a tool, or a script that looks at files, and keep what it prints. */
#ifndef TOOL_H
#define TOOL_H

#include <sys/wait.h>

#include "dls.h"
#include "tap.h"

static char tool_out[1 << 22];	/* what was printed last */

/* Run a program with these arguments and redirections; returns its exit status, -1 if it was killed. */
static int tool_command(const char *program, const char *format, va_list args)
{
	char command[768];
	int at = snprintf(command, sizeof(command), "%s ", program), status;
	FILE *tool;

	vsnprintf(command + at, sizeof(command) - (size_t)at, format, args);
	tool = popen(command, "r");
	if (!CHECK(tool))
		exit(1);
	tool_out[fread(tool_out, 1, sizeof(tool_out) - 1, tool)] = 0;
	while (fgetc(tool) != EOF)	/* so that no pipe breaks */
		;
	status = pclose(tool);
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	tap_note("%s: killed", command);
	return -1;
}

/* One of the tools, as its users run it. */
__attribute__((format(printf, 2, 3), unused)) static int tool_run(const char *name, const char *format, ...)
{
	const char *bin = getenv("DLS_BIN");
	char program[256];
	va_list args;
	int status;

	snprintf(program, sizeof(program), "%s/%s", bin ? bin : "build/bin", name);
	va_start(args, format);
	status = tool_command(program, format, args);
	va_end(args);
	return status;
}

/* A Python script, the first of the arguments.  Without python3 the test is skipped: -1. */
__attribute__((format(printf, 1, 2), unused)) static int tool_python(const char *format, ...)
{
	va_list args;
	int status;

	if (system("python3 -c '' 2>/dev/null") != 0) {
		tap_skip("python3 is not installed (package python3)");
		return -1;
	}
	va_start(args, format);
	status = tool_command("python3", format, args);
	va_end(args);
	return status;
}

#endif
