/* costs.h - a machine's costs and faults: read from text, and looked up. */
#ifndef LIB_MACHINE_COSTS_H
#define LIB_MACHINE_COSTS_H

#include <stdint.h>

#include "dls/strategy.h"

/* The keys of costs and of faults, with the values that each accepts; the last has no name. */
extern const struct dls_param dls__costs_keys[], dls__faults_keys[];

/* What things cost, ns. */
struct dls__machine_costs {
	const char *preset;
	uint64_t quantum, poll, send, receive, latency, hop, pause;
	uint64_t longer, setup;		/* a message of more than `longer` bytes takes `setup` more ... */
	double byte;			/* ... and this for each byte */
	uint64_t carry, pack;		/* at either end: more for a message with tasks; for each task */
	uint64_t create, dequeue, schedule, phase;
};
int dls__costs_parse(struct dls__machine_costs *costs, const char *text, struct dls_parse_error *error);

/* Faults, drawn from a seed. */
struct dls__faults {
	uint64_t delay, stall;		/* ns; 0: none */
	double slow;			/* 1: none */
};
int dls__faults_parse(struct dls__faults *faults, const char *text, struct dls_parse_error *error);

/* Arrival time under faults of a message due at `time`: delayed by at most `delay` (> 0), never ahead of an
 * earlier message on the same link. */
uint64_t dls__faults_late(const struct dls__faults *faults, uint64_t seed, uint64_t link, uint64_t time);
/* Time at which a processor continues that would continue at `time` without faults: once in every 8 `stall`
 * (> 0) it stops for at most `stall`. */
uint64_t dls__faults_stalled(const struct dls__faults *faults, uint64_t seed, uint32_t id, uint64_t time);
/* The factor by which a processor is slower. */
double dls__faults_slowed(const struct dls__faults *faults, uint64_t seed, uint32_t id);

#endif
