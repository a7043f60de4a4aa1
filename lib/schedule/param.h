/* param.h - values of parameters as users write them: of strategies, of machines, of costs. */
#ifndef LIB_SCHEDULE_PARAM_H
#define LIB_SCHEDULE_PARAM_H

#include "dls/strategy.h"
#include "lib/base/reading.h"

/* The index of KEY among at most n parameters, which end at the first without a name; -1: it is not among them. */
int dls__param_find(const struct dls_param *param, size_t n, struct dls__slice key);

/* Parse a value; an error says what is accepted.  `list` has room for DLS_LIST_VALUES_MAX numbers; value->list points to it if the
 * parameter is a list.  After an error *value and `list` must not be used. */
int dls__param_parse(const struct dls__reading *in, const struct dls_param *param, struct dls__slice written,
		     struct dls_value *value, double *list);

/* Write a value back, in the C locale. */
void dls__param_put(struct dls__printer *to, const struct dls_param *param, const struct dls_value *value);

/* Write " KEY=" for each parameter. */
void dls__param_names(struct dls__printer *to, const struct dls_param *param, size_t n);

#endif
