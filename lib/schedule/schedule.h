/* schedule.h - a parsed schedule. */
#ifndef LIB_SCHEDULE_SCHEDULE_H
#define LIB_SCHEDULE_SCHEDULE_H

#include <locale.h>

#include "dls/schedule.h"
#include "lib/base/reading.h"
#include "lib/schedule/spec.h"

enum dls__order { DLS__UNSAID, DLS__MONOTONIC, DLS__NONMONOTONIC };

enum { DLS__MU, DLS__SIGMA, DLS__H, DLS__MOMENTS };

/* The keys mu, sigma and h, the same for all calculators. */
extern const struct dls__moment {
	const char *name;
	enum dls_need need;
	bool above;		/* 0 is not accepted */
	const char *text;
} dls__moments[DLS__MOMENTS];

struct dls_schedule {
	uint64_t number;		/* unique, from 1; not reused when a schedule is freed */
	const struct dls_calc *calc;	/* under a strategy: "static", which deals the first iterations */
	bool users;			/* calc is not built in */
	struct dls__spec *spec;		/* the strategy, which then balances them; NULL: none */
	enum dls__order order;
	uint64_t chunk;			/* 0: not given */
	double moment[DLS__MOMENTS];	/* s; 0: not given */
	unsigned given;			/* which of them: enum dls_need */
	struct dls_value arg[DLS_PARAMS_MAX];
	struct dls__loop_values loop;
	bool site_weights;		/* weights=site: use those that the site has learned */
	size_t weights;			/* number of weights given */
	double *weight;			/* as given, followed by their prefix sums ... */
};

/* Parse text[0 .. length - 1]; positions in *error count from text[0]. */
int dls__schedule_read(struct dls_schedule **schedule, const char *text, size_t length,
		       struct dls_parse_error *error);

/* dls_schedule_describe() without its checks: the arguments are valid, and desc->size need not be set. */
void dls__schedule_fill_desc(const struct dls_schedule *schedule, uint64_t n, unsigned p, unsigned worker,
			     struct dls_loop_desc *desc);

/* Whether a calculator is the user's own; whether this call is the first that complains about it. */
bool dls__calc_users(const struct dls_calc *calc);
bool dls__calc_blame(const struct dls_calc *calc);

/* Report, once, that the next chunk of a loop, of which R iterations remain, was of none; it has `min`. */
void dls__tell_of_nothing(const struct dls_calc *calc, const char *loop, uint64_t R, uint64_t min)
	__attribute__((cold));

/* After next() has returned K with R iterations left: number of further chunks of K, the last of which may be
 * cut. */
static inline uint64_t dls__calc_repeats(const struct dls_calc *calc, void *state, uint64_t K, uint64_t R)
{
	uint64_t more = calc->repeat ? calc->repeat(state) : 0;

	return more > 0 && more > (R - 1) / K ? (R - 1) / K : more;
}

/* A size rounded up to a multiple (0 and 1: not rounded), at most R. */
static inline uint64_t dls__round(uint64_t K, uint64_t multiple, uint64_t R)
{
	uint64_t past = multiple > 1 ? K % multiple : 0;

	if (past > 0)
		K = K < R && multiple - past < R - K ? K + (multiple - past) : R;
	return K < R ? K : R;
}

/* Clamp a learned weight, so that no chunk is empty or the whole loop: a measurement may be wrong. */
static inline double dls__learned_weight(double weight, unsigned p)
{
	return weight > 1.0 / 64 ? weight < p ? weight : p : 1.0 / 64;
}

/* The name of its strategy, else of its calculator. */
const char *dls__schedule_name(const struct dls_schedule *schedule);

#endif
