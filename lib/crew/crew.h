/* crew.h - the workers of one loop as a machine: each worker is a processor, whose tasks are iterations. */
#ifndef LIB_CREW_CREW_H
#define LIB_CREW_CREW_H

#include <stdatomic.h>

#include "dls/loop.h"
#include "lib/schedule/spec.h"

struct dls__crew;
struct dls__kept_site;

/* Whether the crew was made for this strategy and number of workers; false for NULL. */
bool dls__crew_serves(const struct dls__crew *crew, const struct dls__spec *spec, unsigned p);

/* The net of p workers.  Returns 0, or an error of dls_net_parse(). */
int dls__crew_net(struct dls_net *net, const struct dls__spec *spec, unsigned p);

/* Make *crew ready for an execution of n > 0 iterations, in pieces of `grain`; *crew NULL: make one.  A crew that serves
 * keeps its memory.  If the strategy has `rounds`, shares follow from the rates that the site keeps.  False:
 * there is no memory.  Threads: no worker is in dls__crew_take(). */
bool dls__crew_open(struct dls__crew **crew, const struct dls__spec *spec, uint64_t n, unsigned p, uint64_t grain,
		    struct dls__kept_site *site);

/* A worker's next piece; n = 0: all iterations have started, or *stopped has become true.  `stopped` may be NULL.  Threads: one at a
 * time for each worker. */
struct dls__chunk dls__crew_take(struct dls__crew *crew, unsigned worker, const atomic_bool *stopped);

void dls__crew_free(struct dls__crew *crew);	/* NULL does nothing */

#endif
