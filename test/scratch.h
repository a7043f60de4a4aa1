/* scratch.h - files in a folder of this process's own, which goes with all that is in it when the process ends.
 *
 *	CHECK_EQ(dls_report(scratch("x.csv")), 0); */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char scratch_folder[] = "/tmp/dls-test-XXXXXX";
static pid_t scratch_owner;		/* children that end by exit() leave it alone */

static void scratch_remove(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", scratch_folder);
	if (getpid() == scratch_owner && system(command) != 0)
		fprintf(stderr, "%s stays\n", scratch_folder);
}

/* The path of a file of this name; the text stays until the eighth call from now. */
static const char *scratch(const char *name)
{
	static char path[8][80];
	static unsigned i;

	if (!scratch_owner) {
		scratch_owner = getpid();
		if (!mkdtemp(scratch_folder) || atexit(scratch_remove))
			abort();
	}
	snprintf(path[++i % 8], sizeof(path[0]), "%s/%s", scratch_folder, name);
	return path[i % 8];
}

#endif
