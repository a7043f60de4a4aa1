/* run.h - the program that dls-run runs. */
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>

/* The path of a command, found as a shell does; NULL: there is none. */
char *run_find(const char *command);

/* A program that cannot be run with a library before it ends the tool, in words; one that seems to have no OpenMP is reported;
 * false: it was. */
bool run_check(const char *path, const char *command);

#endif
