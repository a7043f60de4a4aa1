/* costs.h - a machine's costs and faults: read from text, and looked up. */
#ifndef LIB_MACHINE_COSTS_H
#define LIB_MACHINE_COSTS_H

#include <stdint.h>

#include "dls/strategy.h"

/* The keys of costs and of faults, with the values that each accepts; the last has no name. */
extern const struct dls_param dls__costs_keys[], dls__faults_keys[];

/* Whether messages wait for links, and if so move on from a processor when they have arrived whole, or as soon as their head has. */
enum dls__contention { DLS__CONTENTION_OFF, DLS__CONTENTION_STORE, DLS__CONTENTION_CUT };

/* What things cost, ns. */
struct dls__machine_costs {
	const char *preset;
	uint64_t quantum, poll, send, receive, latency, hop, pause;
	uint64_t longer, setup;		/* a message of more than `longer` bytes takes `setup` more ... */
	double byte;			/* ... and this for each byte */
	uint64_t carry, pack;		/* at either processor: more for a message with tasks, and for each of its tasks */
	uint64_t create, dequeue, schedule, phase;
	enum dls__contention contention;
};
int dls__costs_parse(struct dls__machine_costs *costs, const char *text, struct dls_parse_error *error);

/* Faults, drawn from a seed. */
struct dls__faults {
	uint64_t delay, stall;		/* ns; 0: none */
	double slow;			/* 1: none */
};
int dls__faults_parse(struct dls__faults *faults, const char *text, struct dls_parse_error *error);

/* When a message arrives that without faults would arrive at `time`.  It is late by up to `delay`, which is not 0, and overtakes no
 * other of its link. */
uint64_t dls__faults_late(const struct dls__faults *faults, uint64_t seed, uint64_t link, uint64_t time);
/* When a processor goes on that without faults would go on at `time`.  Once in every 8 `stall`, which is not 0, it stops for up to
 * `stall`. */
uint64_t dls__faults_stalled(const struct dls__faults *faults, uint64_t seed, uint32_t id, uint64_t time);
/* The factor by which a processor is slower. */
double dls__faults_slowed(const struct dls__faults *faults, uint64_t seed, uint32_t id);

#endif
