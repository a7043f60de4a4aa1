/* platform.h - a machine's platform: its links (platform.c) and changing speeds. */
#ifndef LIB_MACHINE_PLATFORM_H
#define LIB_MACHINE_PLATFORM_H

#include <stdint.h>

#include "dls/platform.h"

struct dls__msg;
struct dls_parse_error;

/* Check a description and keep it; the machine's net is set.  NULL: there is none. */
int dls__platform_set(struct dls_machine *machine, const struct dls_platform *desc, struct dls_parse_error *error);
void dls__platform_clear(struct dls_machine *machine);	/* before a run */
void dls__platform_free(struct dls_machine *machine);

/* A message comes to the next link of its route. */
void dls__platform_pass(struct dls_machine *machine, struct dls__msg *msg, uint64_t time);
/* The factor of a processor's speed; a bad one fails the machine and is 1. */
double dls__platform_factor(struct dls_machine *machine, unsigned processor, uint64_t time, uint64_t *until);

#endif
