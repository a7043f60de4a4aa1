/* platform_names.c - names of what a platform has, of which there may be a million. */
#include <search.h>

#include "platform.h"

struct named {
	const char *name;
	int at;
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return strcmp(x->name, y->name);
}

int platform_find(const struct platform_names *names, const char *name)
{
	struct named key = { .name = name };
	void *const *found = tfind(&key, &names->tree, by_name);

	return found ? ((const struct named *)*found)->at : PLATFORM_NONE;
}

void platform_put(struct platform_names *names, const char *name, size_t at)
{
	struct named *named = tool_need(malloc(sizeof(*named)));

	*named = (struct named){ name, (int)at };
	tool_need(tsearch(named, &names->tree, by_name));
}
