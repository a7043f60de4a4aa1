/* tool.h - run one of the tools as its users do, and keep what it prints. */
#ifndef TOOL_H
#define TOOL_H

#include <sys/wait.h>

#include "tap.h"

static char tool_out[1 << 20];	/* what the tool printed last */

/* Run it with these arguments and redirections; returns its exit status, -1 if it was killed. */
__attribute__((format(printf, 2, 3))) static int tool_run(const char *name, const char *format, ...)
{
	const char *bin = getenv("DLS_BIN");
	char command[512];
	va_list args;
	FILE *tool;
	int at = snprintf(command, sizeof(command), "%s/%s ", bin ? bin : "build/bin", name), status;

	va_start(args, format);
	vsnprintf(command + at, sizeof(command) - (size_t)at, format, args);
	va_end(args);
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

#endif
