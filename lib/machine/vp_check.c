/* vp_check.c - refusing calls; DLS_CHECK=1 checks further rules of dls/strategy.h, which take time to check. */
#include <stdarg.h>
#include <stdio.h>

#include "lib/base/message.h"
#include "lib/machine/vp.h"
#include "lib/machine/vp_check.h"

void dls__vp_refuse(const struct dls_vp *vp, const char *call, const char *format, ...)
{
	struct dls_machine *m = vp->machine;
	char what[160];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	if (!dls__machine_failed(m))
		dls__tell_user("strategy %s, processor %u of %u: %s(): %s; the run ends", m->spec.strategy->name, vp->id,
			       m->net.processors, call, what);
	dls__machine_fail(m, DLS_EINVAL);
}

bool dls__check_named(const struct dls_vp *vp, const char *call, const char *what, const char *name, unsigned i)
{
	if (name)
		return true;
	dls__vp_refuse(vp, call, "the strategy names no %s %u", what, i);
	return false;
}

bool dls__check_amount(const struct dls_vp *vp, const char *call, int64_t amount)
{
	if (amount >= 0)
		return true;
	dls__vp_refuse(vp, call, "a load of %lld is below 0", (long long)amount);
	return false;
}

bool dls__check_hint(const struct dls_vp *vp, const struct dls_hint *hint)
{
	if (hint->count == 0)
		dls__vp_refuse(vp, "dls_vp_ship", "0 tasks are to be sent");
	else if (hint->source != vp->id)
		dls__vp_refuse(vp, "dls_vp_ship", "source %u is not the processor itself", hint->source);
	else
		return true;
	return false;
}
