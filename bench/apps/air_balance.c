/* air_balance.c - the balancer of the air pollution program: it chooses the node that computes the next wind field, and the nodes
 * to which tracers move.
 *
 * Nishikawa 1993, Figure 5.  Departure: with its marks, HIGH = LOW = N of N nodes, two nodes starve; air_open() has two hours
 * more. */
#include "air.h"

/* Lowest and highest phase of the nodes' tracers; `on` has the highest: `told`, or else the first one. */
struct span {
	int64_t min, max;	/* their phases; INT64_MAX: there are no tracers */
	unsigned on;
};

static int span_of(struct dls_view *view, unsigned told, struct span *s)
{
	unsigned nodes = dls_view_nodes(view);
	int code = 0;

	*s = (struct span){ .min = INT64_MAX, .max = INT64_MIN, .on = told };
	for (unsigned n = 0; n < nodes && code == 0; n++) {
		struct dls_class_status status = { .size = sizeof(status) };

		code = dls_view_status(view, AIR_TRACER, n, &status);
		if (code != 0 || status.phase == INT64_MAX)
			continue;
		if (status.phase > s->max || (status.phase == s->max && n == told)) {
			s->max = status.phase;
			s->on = n;
		}
		s->min = status.phase < s->min ? status.phase : s->min;
	}
	return code;
}

/* comp_vel_sch of Figure 5: a node has computed a field; the next one is its own unless that is far ahead of the tracers. */
int air_balance_field(struct dls_view *view, unsigned node, void *context)
{
	const struct air *a = context;
	struct span tracers;
	int64_t next;
	int code = dls_view_next_key(view, AIR_FIELD, &next);

	if (code == 0)
		code = span_of(view, node, &tracers);
	if (code == 0 && next - tracers.min < a->marks.high)
		code = dls_view_schedule(view, AIR_FIELD, node);
	return code < 0 && code != DLS_ENODATA ? code : 0;
}

static int move_tracers(struct dls_view *view)
{
	struct dls_hint hint[16];
	unsigned hints = 0;
	int code = dls_view_plan(view, AIR_TRACER, hint, sizeof(hint) / sizeof(*hint), &hints);

	for (unsigned i = 0; i < hints && code == 0; i++)
		code = dls_view_hint(view, AIR_TRACER, &hint[i]);
	return code;
}

/* tracer_sch: tracers catching up with the fields have one more computed; else those of nodes far behind go to others. */
int air_balance_tracer(struct dls_view *view, unsigned node, void *context)
{
	const struct air *a = context;
	struct span tracers;
	int64_t next;
	int code = span_of(view, node, &tracers);

	if (code != 0 || tracers.min == INT64_MAX)
		return code;
	code = dls_view_next_key(view, AIR_FIELD, &next);
	if (code == 0 && next - tracers.max < a->marks.low)
		code = dls_view_schedule(view, AIR_FIELD, tracers.on);
	else if ((code == 0 || code == DLS_ENODATA) && tracers.max - tracers.min > a->marks.diff)
		code = move_tracers(view);
	return code < 0 && code != DLS_ENODATA ? code : 0;
}
