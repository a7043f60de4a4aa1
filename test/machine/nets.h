/* nets.h - the net that is looked at, and which one it was where something is wrong. */
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

/* Whether its name begins like this. */
static bool is(const char *name)
{
	char text[64];

	dls_net_print(&net, text, sizeof(text));
	return strncmp(text, name, strlen(name)) == 0;
}

#endif
