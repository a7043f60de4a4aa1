/* registered.h - all calculators and strategies: finding them, and adding to them. */
#ifndef LIB_SCHEDULE_REGISTERED_H
#define LIB_SCHEDULE_REGISTERED_H

#include <stdbool.h>
#include <stddef.h>

#include "dls/calc.h"
#include "dls/strategy.h"
#include "lib/base/reading.h"

/* The calculator and the strategy of a name or alias, built in or registered; NULL: there is none. */
const struct dls_calc *dls__calc_named(const char *name, size_t length);
const struct dls_strategy *dls__strategy_named(const char *name, size_t length);

/* Add a copy at the end.  Returns 0, DLS_EEXIST or DLS_ENOMEM. */
int dls__calc_add(const struct dls_calc *calc);
int dls__strategy_add(const struct dls_strategy *strategy);

/* For messages about a wrong name: append "; did you mean NAME?", or nothing if no name is near; the text to
 * write instead if another entry of DLS_SCHEDULE seems to be meant, or NULL. */
void dls__put_nearest(struct dls__printer *to, struct dls__slice written);
const char *dls__entry_meant(struct dls__slice written);

/* Whether a test holds for a name or one of its aliases, which blanks part; `all`: for each of them. */
bool dls__each_name(const char *name, const char *aliases, bool (*test)(const char *name, size_t length), bool all);

#endif
