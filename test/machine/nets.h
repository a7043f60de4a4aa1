/* nets.h - the net under test, named by each failure. */
#ifndef NETS_H
#define NETS_H

#include "dls/net.h"
#include "tap.h"

static struct dls_net net;

static void report(const char *what, unsigned p, unsigned q)
{
	char name[64];

	dls_net_print(&net, name, sizeof(name));
	if (tap_failures++ <= 20)
		tap_note("%s, P = %u: %s at %u, %u", name, net.processors, what, p, q);
}
#define SO(condition, p, q) do { if (!(condition)) report(#condition, p, q); } while (0)

/* Whether the net's name begins with `name`. */
static bool is(const char *name)
{
	char text[64];

	dls_net_print(&net, text, sizeof(text));
	return strncmp(text, name, strlen(name)) == 0;
}

#endif
