/* unseen.c - at the end of a process: a report was asked for, and the library has seen no loop; sites of DLS_SCHEDULE, and it has
 * seen others. */
#define _GNU_SOURCE		/* program_invocation_short_name */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/message.h"
#include "lib/base/variable.h"
#include "lib/site/unseen.h"

static pid_t process;		/* the process for which it was asked; 0: none */
static bool (*environment_known)(void);
static void (*environment_end)(void);

/* libdls-omp.so is loaded, also into all programs that the program starts, such as shells. */
static bool preloaded;
static long run;		/* the process that dls-run has started; 0: none, or not a program of OpenMP */

void dls__foreign_loaded(void)
{
	const char *number = getenv("DLS_RUN");

	preloaded = true;
	run = number ? strtol(number, NULL, 10) : 0;
}

bool dls__foreign_run(void)
{
	return run == getpid();
}

bool dls__foreign_cleared(void)
{
	return dls__foreign_run() && !getenv("DLS_RUN");
}

/* If the environment was read, a report is written instead. */
static void say_unseen(void)
{
	char *file, quote[DLS__QUOTE];

	if (getpid() != process || (preloaded && !dls__foreign_run()))
		return;
	if (environment_known()) {
		environment_end();
		return;
	}
	file = dls__variable_text("DLS_REPORT", false);
	if (file)
		dls__tell_user("DLS_REPORT=\"%s\": no loop was seen in process %lld (%s); no report is written",
			       dls__quote(quote, file, strlen(file), 0, 0), (long long)process, program_invocation_short_name);
	free(file);
}

void dls__unseen_ask(bool (*known)(void), void (*end)(void))
{
	char *file = dls__variable_text("DLS_REPORT", false);
	const char *schedule = getenv("DLS_SCHEDULE");

	if (!file && !(schedule && strchr(schedule, ':')))
		return;
	free(file);
	process = getpid();
	environment_known = known;
	environment_end = end;
	atexit(say_unseen);
}
