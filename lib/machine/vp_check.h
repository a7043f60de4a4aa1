/* vp_check.h - calls of dls/strategy.h that break its rules (vp_check.c). */
#ifndef LIB_MACHINE_VP_CHECK_H
#define LIB_MACHINE_VP_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "dls/strategy.h"

/* A call breaks the rules of dls/strategy.h: print a message, and end the run with DLS_EINVAL. */
void dls__vp_refuse(const struct dls_vp *vp, const char *call, const char *format, ...)
	__attribute__((cold, format(printf, 3, 4)));
/* Whether a value is below a bound; if not, the call is refused. */
static inline bool dls__vp_below(const struct dls_vp *vp, const char *call, const char *what, uint64_t value, uint64_t bound)
{
	if (value < bound)
		return true;
	dls__vp_refuse(vp, call, "%s %llu is not below %llu", what, (unsigned long long)value, (unsigned long long)bound);
	return false;
}

/* Called if the machine has `check`.  They return whether the call keeps the rules, and otherwise refuse it: a kind, a counter or a
 * parameter, the i-th, for which the strategy's table has no name; a load below 0; a hint for 0 tasks or with another source. */
bool dls__check_named(const struct dls_vp *vp, const char *call, const char *what, const char *name, unsigned i);
bool dls__check_amount(const struct dls_vp *vp, const char *call, int64_t amount);
bool dls__check_hint(const struct dls_vp *vp, const struct dls_hint *hint);

#endif
