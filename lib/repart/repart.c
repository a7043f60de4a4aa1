/* repart.c - making a repartitioning from its description, freeing it, and reading its state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dls/calc.h"
#include "lib/base/affinity.h"
#include "lib/base/reading.h"
#include "lib/base/sized.h"
#include "lib/machine/machine.h"
#include "lib/repart/repart.h"
#include "lib/schedule/schedule.h"
#include "sched/balance/repart_param.h"

static struct dls__slice whole(const char *text)
{
	return (struct dls__slice){ text, strlen(text) };
}

/* The racks of a description: its own, or one of all processors. */
struct racks {
	const unsigned *rack;
	size_t racks;
	unsigned all;
};

static void find_racks(struct racks *racks, const struct dls_repart_desc *desc)
{
	bool bound;

	*racks = (struct racks){ desc->rack, desc->racks, desc->processors };
	if (desc->rack)
		return;
	if (!racks->all)
		racks->all = dls__processors_allowed(&bound) + !desc->shared;
	racks->rack = &racks->all;
	racks->racks = 1;
}

static int make_groups(struct dls_repart *r, const struct dls_repart_desc *desc, struct dls_parse_error *error)
{
	struct racks racks;
	struct dls_group *group;
	size_t scheduler, groups;
	int code;

	find_racks(&racks, desc);
	scheduler = desc->shared ? racks.racks : desc->scheduler_rack;
	code = dls_group_form(racks.rack, racks.racks, desc->limit, scheduler, NULL, 0, &groups);
	code = dls__repart_check_groups(desc, code, error);
	if (code)
		return code;
	group = malloc(groups * sizeof(*group));
	r->part = aligned_alloc(DLS__APART, groups * sizeof(*r->part));
	if (!group || !r->part) {
		free(group);
		return DLS_ENOMEM;
	}
	memset(r->part, 0, groups * sizeof(*r->part));
	r->groups = (unsigned)groups;
	code = dls_group_form(racks.rack, racks.racks, desc->limit, scheduler, group, groups, &groups);
	for (unsigned g = 0; g < r->groups && code == 0; g++) {
		r->part[g] = (struct dls_part){ .repart = r, .group = group[g], .id = g, .first = r->processors };
		r->processors += group[g].size;
	}
	free(group);
	return code;
}

static int make_members(struct dls_repart *r, const double *speed)
{
	r->member = aligned_alloc(DLS__APART, r->processors * sizeof(*r->member));
	if (!r->member)
		return DLS_ENOMEM;
	for (unsigned g = 0; g < r->groups; g++) {
		struct dls_part *p = &r->part[g];
		unsigned most = r->regroup < r->processors ? r->regroup : r->processors;

		p->member = malloc((most > p->group.size ? most : p->group.size) * sizeof(struct dls__repart_worker *));
		if (!p->member)
			return DLS_ENOMEM;
		p->slowest = INFINITY;
		for (unsigned m = 0, rack = 0, left = p->group.from[0]; m < p->group.size; m++, left--) {
			double own = speed ? speed[p->first + m] : 1;

			if (left == 0)
				left = p->group.from[++rack];
			p->member[m] = &r->member[p->first + m];
			*p->member[m] = (struct dls__repart_worker){ .speed = own, .group = g, .rack = p->group.rack[rack] };
			p->speed += own;
			p->slowest = own < p->slowest ? own : p->slowest;
		}
	}
	return 0;
}

static int deal(struct dls_repart *r, const struct dls_repart_desc *desc, unsigned *owner)
{
	unsigned *size;
	int code;

	if (desc->owner) {
		memcpy(owner, desc->owner, r->objects * sizeof(*owner));
		return 0;
	}
	size = malloc(r->groups * sizeof(*size));
	if (!size)
		return DLS_ENOMEM;
	for (unsigned g = 0; g < r->groups; g++)
		size[g] = r->part[g].group.size;
	code = dls_group_deal(desc->weight, r->objects, size, r->groups, owner);
	free(size);
	return code;
}

/* Bytes of an object in a message. */
static uint32_t bytes(int64_t weight, uint32_t unit_bytes)
{
	uint64_t unit = unit_bytes ? unit_bytes : 8, n;

	if (__builtin_mul_overflow((uint64_t)weight, unit, &n) || n > UINT32_MAX)
		return UINT32_MAX;
	return (uint32_t)n;
}

static int make_objects(struct dls_repart *r, const struct dls_repart_desc *desc)
{
	unsigned *owner;
	int code;

	r->objects = desc->objects;
	r->object = calloc(r->objects, sizeof(*r->object));
	r->type = calloc(r->objects, sizeof(*r->type));
	r->order = dls__by_weight(desc->weight, r->objects);
	owner = calloc(r->objects, sizeof(*owner));
	code = r->object && r->type && r->order && owner ? deal(r, desc, owner) : DLS_ENOMEM;
	for (size_t i = 0; i < r->objects && !code; i++) {
		r->object[i] = (struct dls__object){ .weight = desc->weight[i], .cost = (uint64_t)desc->weight[i],
						     .owner = owner[i], .was = owner[i] };
		r->type[i] = (struct dls_task_type){ .size = sizeof(r->type[i]), .name = "object", .run = dls__repart_run,
						     .context = r, .bytes = bytes(desc->weight[i], desc->unit_bytes) };
	}
	free(owner);
	return code;
}

/* Read the strategy's values that concern sweeps.  *tell: its text lacks scheduler=, which must be added. */
static int read_values(struct dls_repart *r, const struct dls__spec *spec, const struct dls__reading *in, bool *tell)
{
	const struct dls_value *value = spec->value;

	r->measures = value[DLS__MODE].word == DLS__REACTIVE;
	r->learns = !r->measures && value[DLS__CALC].calc->pace != DLS_PACE_NEVER;
	r->returns = value[DLS__RETURN].word == DLS__YES;
	*tell = !value[DLS__SCHEDULER].given;
	if (r->processes.across && (r->returns || value[DLS__QUEUE].word == DLS__REPLICATED))
		return dls__refuse(in, DLS_EINVAL, in->all, "across ranks objects have one place: no return=yes, no queue=replicated");
	if (*tell || value[DLS__SCHEDULER].word == (r->dedicated ? DLS__DEDICATED : DLS__SHARED))
		return 0;
	return dls__refuse(in, DLS_EINVAL, in->all, "the scheduler is %s here, as `shared` is %sset",
			   r->dedicated ? "dedicated" : "shared", r->dedicated ? "not " : "");
}

/* Read the strategy's text.  *has: the strategy has a scheduler. */
static int read_schedule(struct dls_repart *r, const char *text, bool *has, bool *tell, struct dls_parse_error *error)
{
	struct dls__reading in = { whole(text), error };
	struct dls__spec spec;
	int code = dls__spec_parse(&spec, text, in.all.n, error);

	*has = !code && spec.strategy == &dls__strategy_repart;
	*tell = false;
	return *has ? read_values(r, &spec, &in, tell) : code;
}

/* Open the machine, whose last processor is the dedicated scheduler.  If the strategy has no scheduler, this
 * processor is left out: it would be one more worker. */
static int make_machine(struct dls_repart *r, const struct dls_repart_desc *desc, struct dls_parse_error *error)
{
	const char *text = desc->schedule ? desc->schedule : "repart";
	const char *scheduler = r->dedicated ? ",scheduler=dedicated" : ",scheduler=shared";
	size_t n = strlen(text);
	struct dls_parse_error own = { .length = 0 };
	struct dls_machine_desc machine = {
		.size = sizeof(machine), .net = desc->net, .engine = desc->engine, .costs = desc->costs, .faults = desc->faults,
		.seed = desc->seed,
	};
	char *longer;
	bool has, tell;
	int code = read_schedule(r, text, &has, &tell, error);

	if (code)
		return code;
	longer = malloc(n + strlen(scheduler) + 1);
	if (!longer)
		return DLS_ENOMEM;
	memcpy(longer, text, n);
	strcpy(longer + n, tell ? scheduler : "");
	machine.strategy = longer;
	machine.processors = r->groups + (has && r->dedicated);
	code = dls_machine_open(&r->machine, &machine, &own);
	if (code && error && own.what[0]) {
		*error = own;
		error->length = own.length < n ? own.length : n;
	}
	free(longer);
	return code;
}

/* Refuse speeds on threads, and a strategy as schedule of inner loops in virtual time. */
static int check_engine(struct dls_repart *r, const struct dls_repart_desc *desc, const struct dls_schedule *inner,
			struct dls_parse_error *error)
{
	struct dls__reading speeds = { whole(""), error }, loops = { whole(desc->inner ? desc->inner : ""), error };

	r->virtual = r->machine->engine->virtual;
	if (!r->virtual && desc->speed)
		return dls__refuse(&speeds, DLS_EINVAL, speeds.all, "speeds are for the engine virtual alone");
	if (r->virtual && inner->spec)
		return dls__refuse(&loops, DLS_EINVAL, loops.all,
				   "%s runs inner loops on threads alone; in virtual time a calculator does",
				   inner->spec->strategy->name);
	return 0;
}

/* Whether a schedule gives each worker an equal share. */
static bool plain(const struct dls_schedule *s)
{
	return !s->spec && s->calc == dls_calc_find("static") && !s->chunk && !s->weights && !s->site_weights &&
	       s->order != DLS__NONMONOTONIC;
}

static int make_parts(struct dls_repart *r, const struct dls_repart_desc *desc, struct dls_parse_error *error)
{
	const char *text = desc->inner ? desc->inner : "static";
	struct dls_schedule *inner;
	int code = dls_schedule_parse(&inner, text, error);

	if (code)
		return code;
	code = check_engine(r, desc, inner, error);
	if (!code && !plain(inner)) {
		r->inner = strdup(text);
		code = r->inner ? 0 : DLS_ENOMEM;
	}
	r->inner_h = inner->moment[DLS__H];
	for (unsigned g = r->machine->own.first; g < r->groups && g < r->machine->own.end && !code; g++)
		code = dls__part_open(&r->part[g], r->inner, r->inner_h);
	dls_schedule_free(inner);
	return code;
}

static int open_repart(struct dls_repart *r, const struct dls_repart_desc *desc, struct dls_parse_error *error)
{
	int code = dls__repart_check(desc, error);

	if (!code)
		code = make_groups(r, desc, error);
	if (!code)
		code = dls__repart_check_processors(desc, r->processors, error);
	if (!code)
		code = make_members(r, desc->speed);
	if (!code)
		code = make_objects(r, desc);
	if (!code)
		code = make_machine(r, desc, error);
	if (!code)
		code = dls__repart_check_regroup(desc, r->returns, r->processes.across, error);
	if (!code)
		code = make_parts(r, desc, error);
	if (!code && r->processes.across)
		code = dls__repart_processes(r);
	if (!code)
		dls__repart_count(r);
	return code;
}

int dls_repart_open(struct dls_repart **repart, const struct dls_repart_desc *desc, struct dls_parse_error *error)
{
	struct dls_repart_desc own = { .size = sizeof(own) };
	const struct dls__engine *engine;
	struct dls_repart *r;
	int code;

	if (!repart || !desc)
		return DLS_EINVAL;
	code = dls__sized_read(&own, sizeof(own), desc, "dls_repart_desc", error);
	if (code)
		return code;
	engine = own.engine ? dls__engine_named(own.engine) : NULL;
	r = calloc(1, sizeof(*r));
	if (r) {
		r->calls = (struct dls__repart_calls){ .work = own.work, .move = own.move, .pack = own.pack, .unpack = own.unpack,
						       .context = own.context };
		r->dedicated = !own.shared;
		r->regroup = own.regroup;
		r->processes.across = engine && engine->share;
	}
	code = r ? open_repart(r, &own, error) : DLS_ENOMEM;
	if (engine && engine->share)
		code = dls__repart_agree(engine, r, &own, code, error);
	if (code)
		dls_repart_close(r);
	else
		*repart = r;
	return code;
}

void dls_repart_close(struct dls_repart *r)
{
	if (!r || r->running)	/* as in dls_machine_close() */
		return;
	dls_machine_close(r->machine);
	for (unsigned g = 0; g < r->groups; g++) {
		dls__part_close(&r->part[g]);
		free(r->part[g].member);
	}
	free(r->inner);
	free(r->part);
	free(r->member);
	free(r->object);
	free(r->type);
	free(r->order);
	free(r->processes.told);
	free(r);
}

int dls_repart_owner(const struct dls_repart *r, size_t object, unsigned *processor)
{
	if (!r || !processor)
		return DLS_EINVAL;
	if (object >= r->objects)
		return DLS_ERANGE;
	*processor = r->object[object].owner;
	return 0;
}

int dls_repart_rank(const struct dls_repart *r, unsigned processor, unsigned *rank)
{
	if (!r || !rank)
		return DLS_EINVAL;
	if (processor >= r->processors)
		return DLS_ERANGE;
	*rank = r->processes.across ? r->machine->engine->process_of(r->machine, r->member[processor].group) : 0;
	return 0;
}

int dls_repart_machine_result(const struct dls_repart *r, struct dls_run_result *result)
{
	return r ? dls_machine_result(r->machine, result) : DLS_EINVAL;
}

int dls_repart_code(const struct dls_repart *r, size_t object, int *code)
{
	if (!r || !code)
		return DLS_EINVAL;
	if (object >= r->objects)
		return DLS_ERANGE;
	*code = r->object[object].code;
	return 0;
}

unsigned dls_repart_groups(const struct dls_repart *r)
{
	return r ? r->groups : 0;
}

int dls_repart_group(const struct dls_repart *r, unsigned i, struct dls_group *group)
{
	if (!r || !group)
		return DLS_EINVAL;
	if (i >= r->groups)
		return DLS_ERANGE;
	*group = r->part[i].group;
	return 0;
}

int dls_repart_processor_stats(const struct dls_repart *r, unsigned processor, struct dls_repart_stats *stats)
{
	const struct dls__repart_worker *m;
	struct dls_repart_stats s;

	if (!r)
		return DLS_EINVAL;
	if (processor >= r->processors)
		return DLS_ERANGE;
	m = &r->member[processor];
	s = (struct dls_repart_stats){ .group = m->group, .objects = m->objects, .weight = m->weight,
				       .work = 1e-9 * (double)m->work };
	return dls__sized_write(stats, &s, sizeof(s));
}
