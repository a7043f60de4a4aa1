/* burst_set.c - many light curves, analysed as the objects of a repartitioning. */
#include <stdlib.h>

#include "bench/tool/random.h"
#include "burst.h"

int burst_open(struct burst_set *set, size_t datasets, int64_t low, int64_t high, uint64_t seed)
{
	int code = 0;

	*set = (struct burst_set){ .datasets = datasets, .n = malloc(datasets * sizeof(*set->n)),
				   .burst = calloc(datasets, sizeof(*set->burst)) };
	if (!set->n || !set->burst)
		code = DLS_ENOMEM;
	else
		burst_sizes(datasets, low, high, seed, set->n);
	for (size_t i = 0; i < datasets && code == 0; i++)
		code = burst_draw(&set->burst[i], (size_t)set->n[i], random_next(&seed));
	if (code)
		burst_close(set);
	return code;
}

void burst_close(struct burst_set *set)
{
	for (size_t i = 0; i < set->datasets && set->burst; i++)
		burst_free(&set->burst[i]);
	free(set->burst);
	free(set->n);
}

int burst_work(struct dls_part *part, size_t object, void *arg)
{
	const struct burst_sweep *sweep = arg;

	return burst_analyse(&sweep->set->burst[object], sweep->replications, part, &sweep->result[object]);
}

int burst_run(const struct burst_set *set, const struct dls_repart_desc *desc, const unsigned *replications, size_t sweeps,
	      struct dls_sweep_result *sweep, struct burst_result *result)
{
	struct dls_repart_desc of_set = *desc;
	struct dls_repart *repart;
	int code;

	of_set.objects = set->datasets;
	of_set.weight = set->n;
	of_set.work = burst_work;
	code = dls_repart_open(&repart, &of_set, NULL);
	if (code)
		return code;
	for (size_t i = 0; i < sweeps && code == 0; i++) {
		struct burst_sweep what = { set, replications[i], result + i * set->datasets };

		for (size_t k = 0; k < set->datasets; k++)
			what.result[k] = (struct burst_result){ .T = 0 };
		sweep[i].size = sizeof(*sweep);
		code = dls_repart_sweep(repart, &what, &sweep[i]);
	}
	dls_repart_close(repart);
	return code;
}
