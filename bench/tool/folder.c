/* folder.c - where a tool is: what belongs to it is found from there, installed or not. */
#define _XOPEN_SOURCE 700	/* realpath() */
#include <sys/auxv.h>

#include "bench/tool/tool.h"

/* There may be no /proc. */
char *tool_folder(void)
{
	const char *as_started = (const char *)getauxval(AT_EXECFN);
	char *path = as_started ? realpath(as_started, NULL) : NULL;
	char *slash = path ? strrchr(path, '/') : NULL;

	if (slash)
		*slash = 0;
	return path;
}
