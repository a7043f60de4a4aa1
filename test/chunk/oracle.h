/* oracle.h - cells that a Python script prints, each with what a schedule must come to in it. */
#ifndef ORACLE_H
#define ORACLE_H

#include <sys/wait.h>

#include "tap.h"

/* Hand each line of the script to `look`, which says whether the cell is as it should be; lines with # are notes.  There are
 * `least` cells at least; after 20 that are wrong the rest is left out. */
static void oracle_each(const char *script, bool (*look)(const char *line), unsigned least)
{
	unsigned compared = 0, wrong = 0;
	char command[128], line[1024];
	FILE *oracle;
	int status;

	/* -B: no __pycache__ in the tree. */
	snprintf(command, sizeof(command), "command -v python3 >/dev/null || exit 127; exec python3 -B %s", script);
	oracle = popen(command, "r");
	if (!CHECK(oracle != NULL))
		return;
	while (wrong < 20 && fgets(line, sizeof(line), oracle)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '#') {
			tap_note("%s", line + 2);
			continue;
		}
		compared++;
		wrong += !look(line);
	}
	status = pclose(oracle);
	if (compared == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127) {
		tap_skip("no python3 (package python3)");
		return;
	}
	tap_note("%u cells compared", compared);
	CHECK_EQ(wrong, 0);
	CHECK_EQ(status, 0);
	CHECK(compared >= least);
}

#endif
