/* spec.h - a machine's texts, parsed: strategy, costs, faults. */
#ifndef LIB_MACHINE_SPEC_H
#define LIB_MACHINE_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/balance.h"
#include "dls/curve.h"
#include "dls/net.h"

enum { DLS__NET_TEXT = 64 };

/* A strategy as it was written. */
struct dls__spec {
	const struct dls_strategy *strategy;
	struct dls_value value[DLS_VALUES_MAX];	/* as written or by default; `list` points into the parsed one's own */
	double list[DLS_LIST_MAX];
	bool given[DLS_VALUES_MAX];
	char net[DLS__NET_TEXT];	/* "": not given */
	bool by_cost;			/* load=cost */
	bool lifo, by_key;		/* order=lifo, order=key */
	uint64_t block;			/* tasks in one message; UINT64_MAX: all */
	uint64_t chunk;			/* iterations of one piece of a loop; 0: not given */
	enum dls_curve_kind curve;	/* of a loop: order of the cells if it is a 2-D one */
	bool curve_given;
};

/* The keys of a strategy that are the machine's, of costs, and of faults, with what each accepts; the last has no name. */
extern const struct dls_strategy_param dls__spec_keys[], dls__costs_keys[], dls__faults_keys[];

/* Parse "NAME[,CHUNK][,KEY=VALUE]..."; text[0 .. length - 1].  *spec is unchanged on error. */
int dls__spec_parse(struct dls__spec *spec, const char *text, size_t length, struct dls_parse_error *error);
/* The same for a loop, which takes curve= as well. */
int dls__spec_parse_loop(struct dls__spec *spec, const char *text, size_t length, struct dls_parse_error *error);
/* The same for a machine with classes: "classes[,KEY=VALUE]..."; and for one of its classes: "NAME[,KEY=VALUE]...", with the
 * parameters of the policy alone. */
int dls__spec_parse_classes(struct dls__spec *spec, const char *text, struct dls_parse_error *error);
int dls__spec_parse_policy(struct dls__spec *spec, const char *text, struct dls_parse_error *error);
/* Copy, so that `list` points into the copy. */
void dls__spec_copy(struct dls__spec *to, const struct dls__spec *from);
/* Its shortest canonical form; returns as snprintf(). */
size_t dls__spec_print(const struct dls__spec *spec, char *text, size_t size);

/* What things cost, ns. */
struct dls__costs {
	const char *preset;
	uint64_t quantum, poll, send, receive, latency, hop, pause;
	uint64_t longer, setup;		/* bytes above which a message takes `setup` more ... */
	double byte;			/* ... and so much for each byte */
	uint64_t carry, pack;		/* at either processor: a message with tasks takes so much more, each task so much */
	uint64_t create, dequeue, schedule, phase;
};
int dls__costs_parse(struct dls__costs *costs, const char *text, struct dls_parse_error *error);

/* What goes wrong, drawn from a seed. */
struct dls__faults {
	uint64_t delay, stall;		/* ns; 0: none */
	double slow;			/* 1: none */
};
int dls__faults_parse(struct dls__faults *faults, const char *text, struct dls_parse_error *error);

#endif
