/* machine.c - making a machine from its description, and freeing it.  Runs: run.c; results: result.c.
 *
 * Memory: one block of P processors, each followed by its lanes, if there are classes of tasks, and by its strategy's state,
 * which has room for the links of the processor with the most neighbours.  Outside of the block, only speeds, weights and the
 * strategy's table have an entry for each processor, if there are any. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/variable.h"
#include "lib/base/name.h"
#include "lib/base/reading.h"
#include "lib/base/sized.h"
#include "lib/machine/platform.h"
#include "lib/machine/vp.h"

static const struct dls__engine *const engines[] = { &dls__engine_virtual, &dls__engine_threads };
enum { ENGINES = sizeof(engines) / sizeof(*engines) };
static const struct dls__engine *further;

int dls__engine_enlist(const struct dls__engine *engine)
{
	if (engine && further)
		return DLS_EBUSY;
	further = engine;
	return 0;
}

static struct dls__slice whole(const char *text)
{
	return (struct dls__slice){ text, strlen(text) };
}

static bool is_named(const struct dls__engine *engine, const char *text)
{
	struct dls__slice name = dls__trim(whole(text));

	return dls__name_equal(name.s, name.n, engine->name, strlen(engine->name));
}

const struct dls__engine *dls__engine_named(const char *text)
{
	for (size_t i = 0; i < ENGINES; i++)
		if (is_named(engines[i], text))
			return engines[i];
	return further && is_named(further, text) ? further : NULL;
}

static int set_strategy(struct dls_machine *m, const struct dls_machine_desc *desc, struct dls_parse_error *error)
{
	const char *text = desc->strategy ? desc->strategy : desc->classes ? "classes" : "none";
	struct dls__input in = { whole(text), error };
	struct dls__slice rest = in.all;
	int code = dls__spec_parse_of(desc->classes ? DLS__OF_CLASSES : DLS__OF_TASKS, &m->spec, text, in.all.n, error);

	if (!code && !desc->classes && desc->class_count)
		code = dls__refuse(&in, DLS_EINVAL, (struct dls__slice){ text, 0 },
				   "%u classes, but none are given", desc->class_count);
	if (!code && desc->classes)
		code = dls__class_set(m, desc, error);
	m->rules.timed = m->classes.of || (!code && m->spec.strategy->times);
	if (code || !m->spec.chunk)
		return code;
	dls__cut(&rest, ',');
	return dls__refuse(&in, DLS_EINVAL, dls__cut(&rest, ','), "CHUNK is for loops: the types of tasks say their grain");
}

/* If the net is part of the strategy's text, an error in it marks that whole text. */
static int set_net(struct dls_machine *m, const struct dls_machine_desc *desc, struct dls_parse_error *error)
{
	const char *text = desc->net ? desc->net : m->spec.net[0] ? m->spec.net : desc->platform ? "complete" : "hypercube";
	struct dls_parse_error own;
	int code = dls_net_parse(&m->net, text, desc->processors, &own);

	if (code && error) {
		*error = own;
		if (text == m->spec.net) {
			error->at = 0;
			error->length = strlen(desc->strategy);
		} else if (!desc->net) {
			error->at = error->length = 0;
		}
	}
	return code;
}

static int set_engine(struct dls_machine *m, const char *text, struct dls_parse_error *error)
{
	struct dls__input in = { whole(text), error };
	char list[80];
	struct dls__printer to = { list, sizeof(list), 0 };

	m->engine = dls__engine_named(text);
	if (m->engine)
		return 0;
	for (size_t i = 0; i < ENGINES; i++)
		dls__put(&to, " %s", engines[i]->name);
	if (further)
		dls__put(&to, " %s", further->name);
	return dls__refuse(&in, DLS_ENOENT, dls__trim(in.all), "no engine has this name; there are:%s", list);
}

static int set_costs(struct dls_machine *m, const struct dls_machine_desc *desc, struct dls_parse_error *error)
{
	int code = dls__costs_parse(&m->costs, desc->costs ? desc->costs : "ideal", error);

	if (!code && !desc->costs && m->engine->pause)
		m->costs.pause = m->engine->pause;
	return code;
}

static int set_faults(struct dls_machine *m, const char *text, struct dls_parse_error *error)
{
	struct dls__input in = { whole(text), error };

	if (!m->engine->virtual && dls__trim(in.all).n)
		return dls__refuse(&in, DLS_EINVAL, in.all, "faults are for the engine virtual alone");
	return dls__faults_parse(&m->faults, text, error);
}

/* Copy an array of one number for each processor; NULL: there is none. */
static int set_each(const struct dls_machine *m, double **copy, const char *what, const double *value,
		    struct dls_parse_error *error)
{
	struct dls__input in = { whole(""), error };

	for (unsigned i = 0; value && i < m->net.processors; i++)
		if (!(value[i] > 0) || isinf(value[i]))
			return dls__refuse(&in, DLS_ERANGE, in.all, "processor %u has the %s %g, not a number above 0", i, what,
					   value[i]);
	*copy = value ? malloc(m->net.processors * sizeof(**copy)) : NULL;
	if (!*copy)
		return value ? DLS_ENOMEM : 0;
	memcpy(*copy, value, m->net.processors * sizeof(**copy));
	return 0;
}

static int set_speed(struct dls_machine *m, const double *speed, struct dls_parse_error *error)
{
	struct dls__input in = { whole(""), error };

	if (speed && !m->engine->virtual && !m->spend)
		return dls__refuse(&in, DLS_EINVAL, in.all, "speeds are for the engine virtual, or for tasks whose time is spent as "
				   "the description says: work or sleep");
	return set_each(m, &m->speed, "speed", speed, error);
}

static int set_spend(struct dls_machine *m, const char *text, struct dls_parse_error *error)
{
	struct dls__input in = { whole(text), error };
	struct dls__slice word = dls__trim(in.all);
	int which = word.n ? dls__word(word, "work sleep") : -1;

	if (word.n && which < 0)
		return dls__refuse(&in, DLS_EINVAL, word, "time is spent by work or sleep");
	if (which < 0 || !m->engine->spend)
		return 0;
	m->spend = which ? DLS__SPEND_SLEEP : DLS__SPEND_WORK;
	dls__spend_start();
	return 0;
}

size_t dls__state_size(const struct dls_strategy *strategy, const struct dls_net *net)
{
	size_t size;
	unsigned degree = 0;

	for (unsigned i = 0; strategy->link_size && i < net->processors; i++) {
		unsigned d = dls_net_degree(net, i);

		degree = d > degree ? d : degree;
	}
	if (__builtin_mul_overflow(degree, strategy->link_size, &size) ||
	    __builtin_add_overflow(size, strategy->state_size, &size))
		return SIZE_MAX;
	return size;
}

static size_t round_up(size_t size, size_t to)
{
	return (size + to - 1) / to * to;
}

static int allocate(struct dls_machine *m)
{
	size_t align = m->engine->vp_align < sizeof(void *) ? sizeof(void *) : m->engine->vp_align, size;
	size_t state = dls__state_size(m->spec.strategy, &m->net);
	size_t lanes_at = round_up(m->engine->vp_size, _Alignof(max_align_t));
	size_t lanes = m->classes.of ? (m->classes.count + 1) * sizeof(struct dls__lane) : 0;
	unsigned P = m->net.processors;
	void *block;

	m->own.end = P;
	if (m->engine->share)
		m->engine->share(m);

	if (state > SIZE_MAX / 2)
		return DLS_ENOMEM;
	m->own.state_at = round_up(lanes_at + lanes, _Alignof(max_align_t));
	m->own.stride = round_up(m->own.state_at + state, align);
	if (__builtin_mul_overflow(m->own.end - m->own.first, m->own.stride, &size) || !(block = dls__memory_new(align, size)))
		return DLS_ENOMEM;
	m->own.block = block;
	m->own.from = (char *)((uintptr_t)block - m->own.first * m->own.stride);
	memset(block, 0, size);
	for (unsigned i = m->own.first; i < m->own.end; i++) {
		struct dls_vp *vp = dls__vp_at(m, i);

		*vp = (struct dls_vp){ .machine = m, .state = (char *)vp + m->own.state_at, .pool = &m->pool, .id = i };
		if (m->classes.of)
			vp->classes.lane = (struct dls__lane *)(void *)((char *)vp + lanes_at);
	}
	if (m->own.end < P || !m->spec.strategy->table_size)
		return 0;
	m->table = calloc(P, m->spec.strategy->table_size);
	return m->table ? 0 : DLS_ENOMEM;
}

static int open_machine(struct dls_machine *m, const struct dls_machine_desc *desc, struct dls_parse_error *error)
{
	int code = set_strategy(m, desc, error);

	if (!code)
		code = set_net(m, desc, error);
	if (!code)
		code = set_engine(m, desc->engine ? desc->engine : "virtual", error);
	if (!code)
		code = set_costs(m, desc, error);
	if (!code)
		code = set_faults(m, desc->faults ? desc->faults : "", error);
	if (!code)
		code = set_spend(m, desc->spend ? desc->spend : "", error);
	if (!code)
		code = set_speed(m, desc->speed, error);
	if (!code)
		code = set_each(m, &m->weight, "weight", desc->weight, error);
	if (!code)
		code = dls__platform_set(m, desc->platform, error);
	if (!code)
		code = allocate(m);
	m->rules.check = dls__check();
	m->seed = desc->seed;
	m->limits.most = desc->tasks;
	return code ? code : m->engine->open(m);
}

static void free_machine(struct dls_machine *m)
{
	dls__pool_free(&m->pool);
	dls__arrivals_free(m);
	free(m->own.block);
	free(m->table);
	free(m->classes.of);
	dls__platform_free(m);
	free(m->speed);
	free(m->weight);
	free(m);
}

int dls_machine_open(struct dls_machine **machine, const struct dls_machine_desc *desc, struct dls_parse_error *error)
{
	struct dls_machine_desc own;
	struct dls_machine *m;
	int code;

	if (!machine || !desc)
		return DLS_EINVAL;
	code = dls__sized_read(&own, sizeof(own), desc, "dls_machine_desc", error);
	if (code)
		return code;
	m = calloc(1, sizeof(*m));
	if (!m)
		return DLS_ENOMEM;
	code = open_machine(m, &own, error);
	if (code)
		free_machine(m);
	else
		*machine = m;
	return code;
}

void dls_machine_close(struct dls_machine *m)
{
	if (!m || m->running)	/* running: in a child that fork() made during a run; its state is not consistent there */
		return;
	m->engine->close(m);
	free_machine(m);
}

const struct dls_net *dls_machine_net(const struct dls_machine *m)
{
	return m ? &m->net : NULL;
}

const struct dls_strategy *dls_machine_strategy(const struct dls_machine *m)
{
	return m ? m->spec.strategy : NULL;
}
