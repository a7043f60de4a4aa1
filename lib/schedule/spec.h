/* spec.h - a strategy with its parameters, parsed. */
#ifndef LIB_SCHEDULE_SPEC_H
#define LIB_SCHEDULE_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/curve.h"
#include "dls/net.h"
#include "dls/strategy.h"
#include "lib/base/reading.h"

enum { DLS__NET_TEXT = 64 };

/* The keys curve= and multiple=, which loops take under every calculator and strategy. */
enum { DLS__CURVE, DLS__MULTIPLE, DLS__LOOP_KEYS };
extern const struct dls_param dls__loop_keys[DLS__LOOP_KEYS];
struct dls__loop_values {
	enum dls_curve_kind curve;	/* order of the cells of 2-D loops */
	bool curve_given;		/* ... given by the schedule; else by the calculator */
	uint64_t multiple;		/* chunks start and end at multiples of it, iterations; 0: not given */
};

/* Parse the value of one of these keys, an error if it is given twice; write the keys back. */
int dls__loop_key_parse(const struct dls__input *in, int key, struct dls__slice written,
			struct dls__loop_values *values);
void dls__loop_values_put(struct dls__printer *to, const struct dls__loop_values *values);

/* A strategy as written. */
struct dls__spec {
	const struct dls_strategy *strategy;
	struct dls_value value[DLS_VALUES_MAX];	/* as written, or the default; `list` points into the member `list` below */
	double list[DLS_LIST_VALUES_MAX];
	char net[DLS__NET_TEXT];	/* "": not given */
	bool by_cost;			/* load=cost */
	bool lifo, by_key;		/* order=lifo, order=key */
	uint64_t block;			/* tasks per message; UINT64_MAX: all */
	uint64_t chunk;			/* iterations of one piece of a loop; 0: not given */
	struct dls__loop_values loop;
};

/* The keys that every strategy takes, with what each accepts; the last has no name. */
extern const struct dls_param dls__spec_keys[];

/* What a text may hold: the strategy of a machine, "NAME[,CHUNK][,KEY=VALUE]..."; of a loop, which also takes
 * the keys above; of a machine with classes, "classes[,KEY=VALUE]..."; or the policy of a class,
 * "NAME[,KEY=VALUE]...", with only its parameters. */
enum dls__spec_of { DLS__OF_TASKS, DLS__OF_LOOP, DLS__OF_CLASSES, DLS__OF_CLASS };

/* Parse text[0 .. length - 1], by default DLS__OF_TASKS.  *spec is unchanged on error. */
int dls__spec_parse_of(enum dls__spec_of of, struct dls__spec *spec, const char *text, size_t length,
		       struct dls_parse_error *error);
int dls__spec_parse(struct dls__spec *spec, const char *text, size_t length, struct dls_parse_error *error);
/* Parse all defaults of a strategy: 0, else the error.  Whether the machine or loops accept KEY for every
 * strategy. */
int dls__spec_defaults(const struct dls_strategy *strategy);
bool dls__spec_reserves(struct dls__slice key);
/* Copy; `list` of the values then points into the copy. */
void dls__spec_copy(struct dls__spec *to, const struct dls__spec *from);
/* Print a spec in its shortest canonical form; returns as snprintf(). */
size_t dls__spec_print(const struct dls__spec *spec, char *text, size_t size);

#endif
