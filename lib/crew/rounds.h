/* rounds.h - a loop executed over and over: shares in proportion to each worker's rate in earlier executions.
 *
 * The loop's site keeps the rates.  The opener of an execution reads all of them; each worker writes its own when it leaves.
 * Overlapping executions of one site may see each other's rates, which does no harm.
 *
 * Source: Hanxleden & Scott, "Load balancing on message passing architectures", J. Parallel and Distributed Computing
 * 13:312-324, 1991.  Nishikawa & Steenkiste name this way of balancing for loops within loops. */
#ifndef LIB_CREW_ROUNDS_H
#define LIB_CREW_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

struct dls__kept_site;

/* n iterations in P shares, of which those of workers 0 .. `worker` - 1 have been given out. */
struct dls__division {
	struct dls__kept_site *site;	/* NULL: shares are equal */
	uint64_t n;
	unsigned p, worker;
	double mean;			/* of the rates that are known */
	double sum, upto;		/* of all weights; of the weights of shares given out */
};

/* Divide by the rates that the site knows; equally if it knows none, or there is no site. */
struct dls__division dls__divide(struct dls__kept_site *site, uint64_t n, unsigned p);
/* The end of the next worker's share; the last one's is n. */
uint64_t dls__division_end(struct dls__division *division);

/* The work that one worker does in one execution. */
struct dls__round {
	uint64_t began, n;		/* the piece in hand; n = 0: none */
	uint64_t time, done;		/* ns and iterations of pieces that have ended */
};

static inline void dls__round_ended(struct dls__round *round, uint64_t now)
{
	round->time += round->n && now > round->began ? now - round->began : 0;
	round->done += round->n;
	round->n = 0;
}

/* The worker leaves: write its rate to the site. */
void dls__round_over(const struct dls__round *round, struct dls__kept_site *site, unsigned worker);

#endif
