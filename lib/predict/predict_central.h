/* predict_central.h - an execution by a central dispenser in virtual time: predict_central.c has its time, predict_sizes.c its
 * chunks. */
#ifndef LIB_PREDICT_PREDICT_CENTRAL_H
#define LIB_PREDICT_PREDICT_CENTRAL_H

#include "lib/predict/predict.h"

enum { DLS__CALLS = 16384 };	/* of a calculator, and four more for each worker */

/* The row of equal chunks that was computed last. */
struct dls__row {
	uint64_t K, lo, end;	/* size, first iteration, end */
	uint64_t first, past;	/* ... and tickets */
	uint64_t ahead, more;	/* size of the chunk after the row; number of further chunks of that size */
	uint64_t calls;		/* of the calculator */
	bool grew;		/* chunks of some row were larger than those of the row before */
};

/* A central dispenser in the execution under way. */
struct dls__predicted_central {
	struct dls_predictor *q;
	const unsigned *order;	/* in which workers arrive */
	uint64_t lo;		/* first iteration that is not dealt */
	unsigned b;		/* ... its bucket */
	double upto;		/* ... time of those before it at speed 1 */
	double line;		/* when the count can be changed next */
	unsigned last;		/* worker that changed it last; p: none */
	uint64_t steps;		/* chunks simulated one by one */
	uint64_t tried_row;	/* where dealing at once was tried last: the row's first ticket, */
	unsigned tried_b;	/* ... the bucket */
	struct dls__row row;	/* of tickets */
	/* Shares: */
	uint64_t x, most;	/* next unit; longest chunk */
	bool by_weight, by_figures;	/* shares; live; neither: tickets */
	/* Learning: */
	bool learns;
	struct dls_measured view;
};

/* Work out the next row of tickets; false: there is none. */
bool dls__predict_central_row(struct dls__predicted_central *c);

/* Size of the next chunk, if one is left: by tickets; by worker w's share; live. */
uint64_t dls__predict_central_ticket(struct dls__predicted_central *c);
uint64_t dls__predict_central_share(struct dls__predicted_central *c, unsigned w);
uint64_t dls__predict_central_live(struct dls__predicted_central *c, unsigned w);

/* Shares and live: before the first chunk; when worker w asks, and may have finished a chunk; when it has new
 * figures. */
void dls__predict_central_begin(struct dls__predicted_central *c);
void dls__predict_central_learn(struct dls__predicted_central *c, unsigned w);
bool dls__predict_central_update(struct dls__predicted_central *c, struct dls__predicted_worker *worker,
				 const double own[2]);

#endif
