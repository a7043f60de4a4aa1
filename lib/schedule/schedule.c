/* schedule.c - reading a parsed schedule: its text, its calculator, the description of a loop for it. */
#include <locale.h>
#include <stdlib.h>

#include "lib/schedule/schedule.h"
#include "lib/base/reading.h"
#include "lib/base/sized.h"
#include "lib/schedule/param.h"
#include "lib/schedule/spec.h"
#include "sched/registry.h"

const struct dls__moment dls__moments[DLS__MOMENTS] = {
	[DLS__MU] = { "mu", DLS_NEED_MU, true, "mean time of an iteration, s, above 0" },
	[DLS__SIGMA] = { "sigma", DLS_NEED_SIGMA, false, "standard deviation of an iteration's time, s, at least 0" },
	[DLS__H] = { "h", DLS_NEED_H, false, "time of one dispatch, s, at least 0" },
};

void dls_schedule_free(struct dls_schedule *schedule)
{
	if (schedule) {
		free(schedule->spec);
		free(schedule->weight);
	}
	free(schedule);
}

const struct dls_calc *dls_schedule_calc(const struct dls_schedule *schedule)
{
	return schedule && !schedule->spec ? schedule->calc : NULL;
}

const struct dls_strategy *dls_schedule_strategy(const struct dls_schedule *schedule)
{
	return schedule && schedule->spec ? schedule->spec->strategy : NULL;
}

const char *dls__schedule_name(const struct dls_schedule *schedule)
{
	return schedule->spec ? schedule->spec->strategy->name : schedule->calc->name;
}

size_t dls_schedule_print(const struct dls_schedule *s, char *text, size_t size)
{
	static const char *const order[] = { "", "monotonic:", "nonmonotonic:" };
	struct dls__printer to = { text, text ? size : 0, 0 };
	locale_t outer;

	dls__put(&to, "%s", s ? order[s->order] : "");
	if (!s)
		return 0;
	if (DLS__MACHINES && s->spec) {
		size_t room = to.length < to.size ? to.size - to.length : 0;

		return to.length + dls__spec_print(s->spec, room ? text + to.length : NULL, room);
	}
	outer = dls__enter_c_locale();
	dls__put(&to, "%s", s->calc->name);
	if (s->chunk)
		dls__put(&to, ",%llu", (unsigned long long)s->chunk);
	for (size_t i = 0; i < DLS_PARAMS_MAX && s->calc->param[i].name; i++) {
		if (!s->arg[i].given)
			continue;
		dls__put(&to, ",%s=", s->calc->param[i].name);
		dls__param_put(&to, &s->calc->param[i], &s->arg[i]);
	}
	for (size_t i = 0; i < DLS__MOMENTS; i++) {
		if (!(s->given & dls__moments[i].need))
			continue;
		dls__put(&to, ",%s=", dls__moments[i].name);
		dls__put_real(&to, s->moment[i]);
	}
	if (s->site_weights)
		dls__put(&to, ",weights=site");
	for (size_t i = 0; i < s->weights; i++) {
		dls__put(&to, "%s", i ? ":" : ",weights=");
		dls__put_real(&to, s->weight[i]);
	}
	uselocale(outer);
	dls__loop_values_put(&to, &s->loop);
	return to.length;
}

/* Sum of the weights of the first w workers; the first m > 0 are given and normalised to a mean of 1. */
static double sum_before(const struct dls_schedule *s, size_t m, size_t w)
{
	if (w >= m)
		return (double)w;
	return w ? s->weight[s->weights + w - 1] * (double)m / s->weight[s->weights + m - 1] : 0;
}

void dls__schedule_fill_desc(const struct dls_schedule *s, uint64_t n, unsigned p, unsigned worker, struct dls_loop_desc *desc)
{
	size_t m = s->weights < p ? s->weights : p;	/* weights that are used */

	*desc = (struct dls_loop_desc){
		.size = sizeof(struct dls_loop_desc), .n = n, .p = p, .chunk = s->chunk, .worker = worker,
		.mu = s->moment[DLS__MU], .sigma = s->moment[DLS__SIGMA], .h = s->moment[DLS__H],
		.weight = worker < m ? s->weight[worker] * (double)m / s->weight[s->weights + m - 1] : 1,
		.before = m ? sum_before(s, m, worker) : 0, .upto = m ? sum_before(s, m, worker + 1) : 0,
		.arg = s->arg,
	};
}

int dls_schedule_describe(const struct dls_schedule *s, uint64_t n, unsigned p, unsigned worker,
			  struct dls_loop_desc *desc)
{
	struct dls_loop_desc own;

	if (!s || n == 0 || p == 0 || worker >= p)
		return DLS_EINVAL;
	dls__schedule_fill_desc(s, n, p, worker, &own);
	return dls__sized_write(desc, &own, sizeof(own));
}
