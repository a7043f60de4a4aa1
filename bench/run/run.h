/* run.h - the program that dls-run runs. */
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>

/* The path of a command, found as a shell does; NULL: there is none. */
char *run_find(const char *command);

/* End the tool with a message if no library can be preloaded into the program.  False: the program seems to
 * have no OpenMP, which was reported. */
bool run_check(const char *path, const char *command);

#endif
