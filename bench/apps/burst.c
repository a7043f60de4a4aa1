/* burst.c - is a light curve more than a linear autoregression?  A bootstrap test. */
#include "burst.h"

#include <math.h>
#include <stdlib.h>

#include "bench/tool/random.h"

enum { d = BURST_CHANNELS };
enum { LEAST_NEIGHBOURS = 4 * 2 * BURST_REGRESSORS };	/* four responses for each coefficient of a fit */

/* Of the responses those that are neighbours: what cross-validation chooses from. */
const double burst_share[BURST_SHARES] = { 0.2, 0.3, 0.45, 0.65, 0.95 };

static const double multiply_add = 0.2e-9;	/* s, about, with the vectors of any x86-64; in virtual time */

/* What one member of the group writes, on cache lines of its own. */
struct member {
	_Alignas(64) double *row;	/* of a fit that is not kept */
	burst_lanes *e;
	uint64_t work;
};

struct analysis {
	struct memory memory;
	const struct burst *burst;
	struct dls_part *part;
	struct burst_fit fit;
	struct member *member;
	unsigned members, replications;
	struct burst_band band;		/* no rows: they are not kept */
	double (*left)[d];		/* residuals of the functional fit */
	double *own;			/* S_tt; NaN: that fit has no single solution */
	double T;
	unsigned *exceeded;		/* in each block */
};

static int each(struct analysis *a, size_t n, void (*body)(void *, unsigned, uint64_t, uint64_t))
{
	if (a->part)
		return dls_part_for(a->part, n, body, a);
	body(a, 0, 0, n);
	return 0;
}

static void spend(struct analysis *a, unsigned member, uint64_t work)
{
	a->member[member].work += work;
	if (a->part)
		dls_part_spend(a->part, multiply_add * (double)work);
}

/* Responses begin .. end - 1: fit each. */
static void fit_responses(void *arg, unsigned member, uint64_t begin, uint64_t end)
{
	struct analysis *a = arg;
	size_t k = a->band.k, first = 0;

	for (size_t t = begin; t < end; t++) {
		double *row = a->band.row ? a->band.row + t * k : a->member[member].row;
		bool solved;

		first = burst_fit_nearest(&a->fit, t, k, first);
		solved = burst_fit_row(&a->fit, t, first, k, row);
		a->band.first[t] = first;
		a->own[t] = solved ? 1 - row[t - first] : NAN;
		for (unsigned c = 0; c < d; c++) {
			a->left[t][c] = 0;
			for (size_t i = 0; i < k && solved; i++)
				a->left[t][c] += row[i] * a->fit.e[first + i][c];
		}
	}
	spend(a, member, (end - begin) * k * (BURST_FIT_WORK + d));
}

static double square_sum(const double (*e)[d], size_t n)
{
	double sum = 0;

	for (size_t t = 0; t < n; t++)
		for (unsigned c = 0; c < d; c++)
			sum += e[t][c] * e[t][c];
	return sum;
}

/* Craven and Wahba's generalised cross-validation: the mean square of residuals over the square of the mean of 1 -
 * S_tt. NaN if a fit fails. */
static double cross_validation(const struct analysis *a)
{
	double n = (double)a->fit.n, free = n;

	for (size_t t = 0; t < a->fit.n; t++)
		free -= a->own[t];
	return n * square_sum((const double (*)[d])a->left, a->fit.n) / (free * free);
}

static int fit_with(struct analysis *a, double part_of_all)
{
	a->band.k = (size_t)(part_of_all * (double)a->fit.n);
	return each(a, a->fit.n, fit_responses);
}

/* Returns 0 and the best share; or an error. */
static int choose_share(struct analysis *a, double *chosen)
{
	double best = INFINITY;

	for (size_t i = 0; i < BURST_SHARES; i++) {
		double score;
		int code;

		if (burst_share[i] * (double)a->fit.n < LEAST_NEIGHBOURS)
			continue;
		code = fit_with(a, burst_share[i]);
		if (code)
			return code;
		score = cross_validation(a);
		if (score < best) {	/* NaN is not */
			best = score;
			*chosen = burst_share[i];
		}
	}
	return best < INFINITY ? 0 : BURST_SINGULAR;
}

void burst_draw_errors(uint64_t seed, const double (*residual)[d], size_t n, uint64_t r, burst_lanes *e, size_t lane)
{
	uint64_t state = seed + r * UINT64_C(0xd1342543de82ef95);

	state = random_next(&state);
	for (size_t t = 0; t < n; t++) {
		const double *drawn = residual[(random_next(&state) >> 32) * n >> 32];

		for (unsigned c = 0; c < d; c++)
			e[t][lane + c] = drawn[c];
	}
}

static double over_channels(const burst_lanes rss, size_t lane)
{
	double sum = 0;

	for (unsigned c = 0; c < d; c++)
		sum += rss[lane + c];
	return sum;
}

static void replicate_block(struct analysis *a, burst_lanes *e, uint64_t block)
{
	uint64_t begin = block * BURST_BLOCK;
	size_t count = a->replications - begin < BURST_BLOCK ? a->replications - begin : BURST_BLOCK;
	burst_lanes rss_0, rss_1;

	for (size_t r = 0; r < count; r++)
		burst_draw_errors(a->burst->seed, (const double (*)[d])a->left, a->fit.n, begin + r, e, r * d);
	burst_rss_constant(&a->fit, (const burst_lanes *)e, rss_0);
	burst_rss_functional(&a->fit, &a->band, (const burst_lanes *)e, rss_1);
	a->exceeded[block] = 0;
	for (size_t r = 0; r < count; r++)
		a->exceeded[block] += over_channels(rss_0, r * d) / over_channels(rss_1, r * d) - 1 >= a->T;
}

/* Blocks begin .. end - 1 of replications. */
static void replicate(void *arg, unsigned member, uint64_t begin, uint64_t end)
{
	struct analysis *a = arg;

	for (uint64_t block = begin; block < end; block++)
		replicate_block(a, a->member[member].e, block);
	spend(a, member, (end - begin) * a->fit.n * a->band.k * BURST_LANES);
}

/* The fit that is tested, its T and its residuals. */
static int fit_best(struct analysis *a, double chosen)
{
	int code;

	a->band.row = memory_alloc(&a->memory, (size_t)(chosen * (double)a->fit.n) * a->fit.n, sizeof(*a->band.row));
	if (!a->band.row)
		return DLS_ENOMEM;
	code = fit_with(a, chosen);
	a->T = square_sum((const double (*)[d])a->fit.e, a->fit.n) / square_sum((const double (*)[d])a->left, a->fit.n) - 1;
	return code;
}

static size_t blocks(const struct analysis *a)
{
	return ((size_t)a->replications + BURST_BLOCK - 1) / BURST_BLOCK;
}

static int make_room(struct analysis *a)
{
	size_t n = a->fit.n;

	a->band.first = memory_alloc(&a->memory, n, sizeof(*a->band.first));
	a->left = memory_alloc(&a->memory, n, sizeof(*a->left));
	a->own = memory_alloc(&a->memory, n, sizeof(*a->own));
	a->exceeded = memory_alloc(&a->memory, blocks(a) + 1, sizeof(*a->exceeded));
	a->member = memory_alloc(&a->memory, a->members, sizeof(*a->member));
	for (unsigned m = 0; a->member && m < a->members; m++) {
		a->member[m].row = memory_alloc(&a->memory, n, sizeof(double));
		a->member[m].e = memory_alloc(&a->memory, n, sizeof(burst_lanes));
	}
	return a->memory.failed ? DLS_ENOMEM : 0;
}

static struct burst_result conclude(const struct analysis *a, double chosen)
{
	struct burst_result result = { .T = a->T, .a = chosen };

	for (size_t block = 0; block < blocks(a); block++)
		result.exceeded += a->exceeded[block];
	for (unsigned m = 0; m < a->members; m++)
		result.work += a->member[m].work;
	result.p = (1.0 + result.exceeded) / (1.0 + a->replications);
	return result;
}

int burst_analyse(const struct burst *burst, unsigned replications, struct dls_part *part, struct burst_result *result)
{
	struct analysis a = {
		.burst = burst, .part = part, .members = part ? dls_part_members(part) : 1, .replications = replications,
	};
	double chosen = 0;
	int code = burst_fit_open(&a.fit, burst);

	if (code == 0)
		code = make_room(&a);
	if (code == 0)
		code = choose_share(&a, &chosen);
	if (code == 0)
		code = fit_best(&a, chosen);
	if (code == 0)
		code = each(&a, blocks(&a), replicate);
	if (code == 0)
		*result = conclude(&a, chosen);
	memory_free(&a.memory);
	burst_fit_close(&a.fit);
	return code;
}
