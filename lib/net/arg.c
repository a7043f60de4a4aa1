/* arg.c - the argument of a net's name, after the colon. */
#include "lib/net/kind.h"

int dls__net_number(const struct dls__net_arg *arg, const char *name, unsigned min, unsigned max, unsigned *value)
{
	struct dls__stretch digits = dls__trim(arg->at);
	uint64_t number;
	bool fits;

	if (!dls__whole(digits, &number, &fits))
		return dls__refuse(&arg->in, DLS_EINVAL, digits, "%s is a whole number from %u to %u", name, min, max);
	if (!fits || number < min || number > max)
		return dls__refuse(&arg->in, DLS_ERANGE, digits, "the number is out of range: %s is a whole number from %u to %u",
				   name, min, max);
	*value = (unsigned)number;
	return 0;
}

int dls__net_plain(struct dls_net *net, const struct dls__net_arg *arg)
{
	if (arg->at.s)
		return dls__refuse(&arg->in, DLS_EINVAL, arg->at, "%s is written without a colon", net->kind->name);
	return 0;
}
