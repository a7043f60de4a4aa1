/* provenance.c - which run a report is of: program, command, date, host, OpenMP runtime. */
#define _GNU_SOURCE		/* program_invocation_name */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/reading.h"
#include "lib/report/report.h"

/* Append n bytes of a text; U+FFFD replaces characters that some format cannot hold. */
static void put(struct dls__printer *to, const char *text, size_t n)
{
	for (const char *end = text + n; text < end;) {
		size_t bytes = dls__character(text);

		if (to->length + 4 > to->size)	/* no cut character */
			return;
		dls__put(to, "%.*s", bytes ? (int)bytes : 3, bytes ? text : "\xef\xbf\xbd");
		text += bytes ? bytes : 1;
	}
}

/* Append an argument, quoted for a shell. */
static void put_argument(struct dls__printer *to, const char *text)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,+%@^-";
	const char *quote;

	if (*text && !text[strspn(text, plain)]) {
		put(to, text, strlen(text));
		return;
	}
	put(to, "'", 1);
	for (; (quote = strchr(text, '\'')); text = quote + 1) {
		put(to, text, (size_t)(quote - text));
		put(to, "'\\''", 4);
	}
	put(to, text, strlen(text));
	put(to, "'", 1);
}

/* Linux's list of arguments; elsewhere the name alone. */
static void read_command(struct dls__printer *to)
{
	char *argument = NULL;
	size_t room = 0;
	FILE *f = fopen("/proc/self/cmdline", "re");

	while (f && getdelim(&argument, &room, 0, f) > 0) {
		put(to, " ", to->length > 0);
		put_argument(to, argument);
	}
	free(argument);
	if (f)
		fclose(f);
	if (!to->length)
		put_argument(to, program_invocation_name);
	if (to->length + 4 > to->size)
		memcpy(to->text + to->size - 4, "...", 4);
}

void dls__provenance_read(struct dls__provenance *p)
{
	struct dls__printer program = { p->program, sizeof(p->program), 0 }, command = { p->command, sizeof(p->command), 0 };
	struct dls__printer host = { p->host, sizeof(p->host), 0 };
	char text[256] = "";
	const char *name;
	time_t now = time(NULL);
	struct tm local;
	ssize_t n = readlink("/proc/self/exe", text, sizeof(text) - 1);

	*p = (struct dls__provenance){ .program = "" };
	text[n > 0 ? n : 0] = 0;
	name = n > 0 ? text : program_invocation_name;
	put(&program, name, strlen(name));
	read_command(&command);
	if (gethostname(text, sizeof(text) - 1) == 0)
		put(&host, text, strlen(text));
	if (localtime_r(&now, &local))
		strftime(p->date, sizeof(p->date), "%Y-%m-%dT%H:%M:%S%z", &local);
	dls__runtime_names(p->runtime);
}
