/* registry.h - the tables behind dls_calc_find() and dls_strategy_find(), for the library alone. */
#ifndef SCHED_REGISTRY_H
#define SCHED_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "dls/calc.h"
#include "dls/strategy.h"

/* Built in calculators and how many there are; each is dls__calc_NAME. */
#define X(name) extern const struct dls_calc dls__calc_##name;
#include "chunk/list.h"
#undef X
extern const struct dls_calc *const dls__calcs[];
extern const size_t dls__calcs_n;

/* Likewise strategies; each is dls__strategy_NAME. */
#define X(name) extern const struct dls_strategy dls__strategy_##name;
#include "balance/list.h"
#undef X
extern const struct dls_strategy *const dls__strategies[];
extern const size_t dls__strategies_n;

/* The calculator and the strategy of a name or alias, built in or registered; NULL: there is none. */
const struct dls_calc *dls__calc_find(const char *name, size_t length);
const struct dls_strategy *dls__strategy_find(const char *name, size_t length);

/* That of machines with classes of tasks: no name leads to it. */
extern const struct dls_strategy dls__strategy_classes;

/* Whether `name`, length bytes of any kind, is this name or one of these aliases; NULL: there are none. */
bool dls__named(const char *name, size_t length, const char *canonical, const char *aliases);

/* Compare a written name with a canonical one: case, blanks, dashes and underscores do not matter. */
bool dls__name_equal(const char *written, size_t length, const char *name, size_t name_length);

/* Whether a name can be registered: lower case letters, digits, - and _, a letter first, 31 characters at most. */
bool dls__name_good(const char *name, size_t length);

#endif
