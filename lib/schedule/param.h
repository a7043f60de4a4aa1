/* param.h - values of parameters as users write them: of strategies, of machines, of costs. */
#ifndef LIB_SCHEDULE_PARAM_H
#define LIB_SCHEDULE_PARAM_H

#include "dls/strategy.h"
#include "lib/base/reading.h"

/* The place of KEY among at most n parameters, the last of them before one without a name; -1: it is none of them. */
int dls__param_find(const struct dls_param *param, size_t n, struct dls__stretch key);

/* Parse a value; a refusal says what is accepted.  `list` has room for DLS_LIST_MAX numbers, to which value->list will
 * point if the parameter is a list.  What is written to is not to be used after an error. */
int dls__param_parse(const struct dls__reading *in, const struct dls_param *param, struct dls__stretch written,
		     struct dls_value *value, double *list);

/* Write a value back, in the C locale. */
void dls__param_put(struct dls__printer *to, const struct dls_param *param, const struct dls_value *value);

/* Write " KEY=" for each of them. */
void dls__param_names(struct dls__printer *to, const struct dls_param *param, size_t n);

#endif
