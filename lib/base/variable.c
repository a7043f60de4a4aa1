/* variable.c - one variable of the environment: as a flag, as a text, displayed. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif
#include <unistd.h>

#include "lib/base/name.h"
#include "lib/base/message.h"
#include "lib/base/once.h"
#include "lib/base/variable.h"
#include "lib/base/writing.h"

bool dls__blank(const char *text, size_t length)
{
	return strspn(text, " \t") >= length;
}

bool dls__variable_flag(const char *name)
{
	const char *text = getenv(name);
	char quote[DLS__QUOTE];

	if (!text || dls__blank(text, strlen(text)) || strcmp(text, "0") == 0 ||
	    dls__name_equal(text, strlen(text), "false", 5))
		return false;
	if (strcmp(text, "1") == 0 || dls__name_equal(text, strlen(text), "true", 4))
		return true;
	dls__tell_user("%s=\"%s\": accepted are 0, 1, true and false; using 0", name,
		       dls__quote(quote, text, strlen(text), 0, strlen(text)));
	return false;
}

bool dls__variables_trusted(void)
{
#ifdef __linux__
	return !getauxval(AT_SECURE);
#else
	return getuid() == geteuid() && getgid() == getegid();
#endif
}

static bool check;

static void read_check(void)
{
	check = dls__variable_flag("DLS_CHECK");
}

bool dls__check(void)
{
	static atomic_bool done;

	dls__once(&done, read_check);
	return check;
}

char *dls__variable_text(const char *name, bool display)
{
	const char *value = dls__variables_trusted() ? getenv(name) : NULL;
	char *copy;

	if (display && !value && getenv(name))
		dls__tell_user("%s: ignored, since the program has rights that its user has not (setuid)", name);
	if (!value || dls__blank(value, strlen(value)))
		return NULL;
	copy = strdup(value);
	if (!copy)
		dls__tell_user("%s: no memory for it; it is not used", name);
	return copy;
}

void dls__variable_display(const char *name, const char *value, const char *where)
{
	char quote[DLS__QUOTE];

	dls__write_line("  %s = '%s'%s%s%s\n", name, dls__quote(quote, value, strlen(value), 0, 0), where ? " [" : "",
		where ? where : "", where ? "]" : "");
}

void dls__variable_display_flag(const char *name, bool value)
{
	dls__variable_display(name, value ? "TRUE" : "FALSE", NULL);
}
