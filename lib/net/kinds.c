/* kinds.c - nets by name: those built in, then the program's own. */
#include <stdio.h>
#include <string.h>

#include "lib/base/name.h"
#include "lib/net/kind.h"

static const struct dls__net_ops *const kinds[] = {
#define X(name) &dls__net_##name,
#include "lib/net/list.h"
#undef X
};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static const struct dls__net_ops *kind_at(size_t i)
{
	return i < KINDS ? kinds[i] : dls__net_own(i - KINDS);
}

const char *dls_net_kind_at(size_t i)
{
	const struct dls__net_ops *kind = kind_at(i);

	return kind ? kind->name : NULL;
}

static int no_such_kind(const struct dls__net_arg *name)
{
	const struct dls__net_ops *kind;
	char list[200];
	size_t used = 0;

	list[0] = 0;
	for (size_t i = 0; (kind = kind_at(i)) && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, " %s", kind->form);
	return dls__refuse(&name->in, DLS_ENOENT, name->at, "no net has this name; there are:%s", list);
}

int dls_net_parse(struct dls_net *net, const char *text, unsigned processors, struct dls_parse_error *error)
{
	struct dls_net made = { .processors = processors };
	const struct dls__net_ops *kind;

	if (!net || !text)
		return DLS_EINVAL;

	struct dls__net_arg all = { { { text, strlen(text) }, error }, { text, strlen(text) } }, name = all, arg = all;

	name.at = dls__cut(&arg.at, ':');
	if (arg.at.s)
		arg.at = dls__trim(arg.at);
	for (size_t i = 0; (kind = kind_at(i)) && !made.kind; i++)
		if (name.at.n && dls__name_equal(name.at.s, name.at.n, kind->name, strlen(kind->name)))
			made.kind = kind;
	if (!made.kind)
		return no_such_kind(&name);
	if (processors > DLS_PROCESSORS_MAX)
		return dls__refuse(&all.in, DLS_ERANGE, all.at, "a net has at most %u processors, not %u", DLS_PROCESSORS_MAX,
				       processors);

	int code = made.kind->parse(&made, &arg);

	if (!code && made.processors == 0)
		code = dls__refuse(&all.in, DLS_EINVAL, all.at, "this does not say how many processors there are, as "
				       "hypercube:5, mesh:8x4 and torus:8x4 do");
	if (!code)
		*net = made;
	return code;
}

static bool taken(const char *name)
{
	const char *other;

	for (size_t i = 0; (other = dls_net_kind_at(i)); i++)
		if (dls__name_equal(name, strlen(name), other, strlen(other)))
			return true;
	return false;
}

int dls_net_register(const struct dls_net_kind *kind)
{
	return dls__net_own_register(kind, taken);
}
