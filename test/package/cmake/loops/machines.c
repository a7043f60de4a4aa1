/* machines.c - a net of the machines, by the shared and by the static library. */
#include <dls/machine.h>
#include <stdio.h>

int main(void)
{
	struct dls_net net;

	puts(dls_net_parse(&net, "hypercube:10", 0, NULL) == 0 && dls_net_diameter(&net) == 10 ? "right" : "wrong");
	return 0;
}
