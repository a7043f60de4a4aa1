/* costs.h - what things cost on a machine, and what goes wrong: parsed. */
#ifndef LIB_MACHINE_COSTS_H
#define LIB_MACHINE_COSTS_H

#include <stdint.h>

#include "dls/strategy.h"

/* The keys of costs and of faults, with what each accepts; the last has no name. */
extern const struct dls_param dls__costs_keys[], dls__faults_keys[];

/* Whether messages wait for links, and move on from processor to processor when they have come whole, or with their head. */
enum dls__contention { DLS__CONTENTION_OFF, DLS__CONTENTION_STORE, DLS__CONTENTION_CUT };

/* What things cost, ns. */
struct dls__machine_costs {
	const char *preset;
	uint64_t quantum, poll, send, receive, latency, hop, pause;
	uint64_t longer, setup;		/* bytes above which a message takes `setup` more ... */
	double byte;			/* ... and so much for each byte */
	uint64_t carry, pack;		/* at either processor: a message with tasks takes so much more, each task so much */
	uint64_t create, dequeue, schedule, phase;
	enum dls__contention contention;
};
int dls__costs_parse(struct dls__machine_costs *costs, const char *text, struct dls_parse_error *error);

/* What goes wrong, drawn from a seed. */
struct dls__faults {
	uint64_t delay, stall;		/* ns; 0: none */
	double slow;			/* 1: none */
};
int dls__faults_parse(struct dls__faults *faults, const char *text, struct dls_parse_error *error);

/* When a message arrives that would do so at `time`; `delay` is not 0.  It is late by up to `delay`, and overtakes none of its
 * link. */
uint64_t dls__faults_late(const struct dls__faults *faults, uint64_t seed, uint64_t link, uint64_t time);
/* When a processor goes on that would do so at `time`; `stall` is not 0.  Once in every 8 `stall` it stands still, for up to
 * `stall`. */
uint64_t dls__faults_stalled(const struct dls__faults *faults, uint64_t seed, uint32_t id, uint64_t time);
/* Times that a processor is slower. */
double dls__faults_slowed(const struct dls__faults *faults, uint64_t seed, uint32_t id);

#endif
