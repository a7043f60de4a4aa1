/* message.c - lines on stderr, and the quoting of users' text in them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/message.h"
#include "lib/base/room.h"
#include "lib/base/writing.h"

struct message {
	const char *format;
	va_list args;
};

/* Print one line; control characters, which names may contain, as \xNN. */
static void print(void *arg)
{
	struct message *m = arg;
	char text[1200] = "libdls: ", line[4 * sizeof(text) + 2], *o = line;
	size_t head = strlen(text);

	vsnprintf(text + head, sizeof(text) - head, m->format, m->args);
	for (const char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			o += sprintf(o, "\\x%02x", (unsigned)*c);
		else
			*o++ = *c;
	strcpy(o, "\n");
	dls__write_text(line);
}

void dls__tell_user(const char *format, ...)
{
	struct message m = { .format = format };

	va_start(m.args, format);
	dls__with_room(print, &m);
	va_end(m.args);
}

_Noreturn void dls__fatal(const char *format, ...)
{
	struct message m = { .format = format };

	va_start(m.args, format);
	dls__with_room(print, &m);
	va_end(m.args);
	abort();
}

static size_t escaped(unsigned char c)
{
	return c < ' ' || c > '~' ? 4 : 1;
}

char *dls__quote(char out[DLS__QUOTE], const char *text, size_t length, size_t at, size_t marked)
{
	enum { BEFORE = 60, ALL = 200 };
	size_t from = at, bytes = 0;
	char *o = out;

	while (from > 0 && bytes + escaped((unsigned char)text[from - 1]) <= BEFORE)
		bytes += escaped((unsigned char)text[--from]);
	if (from > 0)
		o += sprintf(o, "...");
	bytes = 0;
	for (size_t i = from;; i++) {
		if ((marked || at) && i == at)
			*o++ = '[';
		if ((marked || at) && i == at + marked)
			*o++ = ']';
		if (i == length)
			break;

		unsigned char c = (unsigned char)text[i];

		bytes += escaped(c);
		if (bytes > ALL) {
			o += sprintf(o, "...%s", i > at && i < at + marked ? "]" : "");
			break;
		}
		if (escaped(c) == 1)
			*o++ = (char)c;
		else
			o += sprintf(o, "\\x%02x", c);
	}
	*o = 0;
	return out;
}
