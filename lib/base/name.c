/* name.c - how names of schedules, nets, keys and values match. */
#include <string.h>

#include "lib/base/name.h"

static bool ignored(char c)
{
	return c == ' ' || c == '\t' || c == '-' || c == '_';
}

/* Not tolower(): a name means the same in every locale. */
static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool dls__name_equal(const char *written, size_t length, const char *name, size_t name_length)
{
	const char *w = written, *w_end = written + length, *n = name, *n_end = name + name_length;

	for (;;) {
		while (w < w_end && ignored(*w))
			w++;
		while (n < n_end && ignored(*n))
			n++;
		if (w == w_end || n == n_end)
			return w == w_end && n == n_end;
		if (lower(*w++) != lower(*n++))
			return false;
	}
}

bool dls__named(const char *name, size_t length, const char *canonical, const char *aliases)
{
	if (dls__name_equal(name, length, canonical, strlen(canonical)))
		return true;
	for (const char *alias = aliases; alias && *alias;) {
		size_t n = strcspn(alias, " ");

		if (dls__name_equal(name, length, alias, n))
			return true;
		alias += n + strspn(alias + n, " ");
	}
	return false;
}

bool dls__name_good(const char *name, size_t length)
{
	if (length == 0 || length > 31 || name[0] < 'a' || name[0] > 'z')
		return false;
	for (size_t i = 0; i < length; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789-_", name[i]))
			return false;
	return true;
}
