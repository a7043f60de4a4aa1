/* parse.c - schedules as users write them: what is accepted, and the messages about what is not. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "dls/loop.h"
#include "lib/base/name.h"
#include "lib/schedule/schedule.h"
#include "lib/base/reading.h"
#include "lib/schedule/param.h"
#include "lib/schedule/spec.h"
#include "lib/schedule/registered.h"
#include "sched/registry.h"

enum { TEXT_MAX = 1 << 20 };

struct parser {
	struct dls__input in;
	struct dls_schedule *schedule;
};

/* The names that a message lists. */
static void put_names(struct dls__printer *to)
{
	const struct dls_strategy *strategy;
	const struct dls_calc *calc;

	for (size_t i = 0; (calc = dls_calc_at(i)); i++)
		dls__put(to, " %s", calc->name);
	for (size_t i = 0; (strategy = dls_strategy_at(i)); i++)
		dls__put(to, " %s", strategy->name);
}

static int parse_chunk(struct parser *p, struct dls__slice t)
{
	const char *meaning = p->schedule->calc->chunk;
	bool fits, number = dls__whole(t, &p->schedule->chunk, &fits);

	if (number && fits && p->schedule->chunk > 0)
		return 0;
	if (dls__entry_meant(t))
		return dls__refuse(&p->in, DLS_EINVAL, t, "%s", dls__entry_meant(t));
	return dls__refuse(&p->in, number ? DLS_ERANGE : DLS_EINVAL, t,
			   "CHUNK (%s) is a whole number from 1 to 18446744073709551615",
			   meaning ? meaning : "smallest chunk, iterations");
}

static int parse_real(struct parser *p, struct dls__slice value, double min, double max, bool above,
		      const char *text, double *result)
{
	double x = dls__real(value);

	if (isnan(x))
		return dls__refuse(&p->in, DLS_EINVAL, value, "this is not a number: %s", text);
	if (!(x >= min && x <= max) || (above && x == min) || isinf(x))
		return dls__refuse(&p->in, DLS_ERANGE, value, "the number is out of range: %s", text);
	*result = x;
	return 0;
}

/* The i-th parameter of the calculator, written at `place`. */
static int parse_arg(struct parser *p, int i, struct dls__slice place, struct dls__slice value)
{
	const struct dls_param *param = &p->schedule->calc->param[i];
	struct dls_value *arg = &p->schedule->arg[i];

	if (arg->given)
		return dls__refuse(&p->in, DLS_EINVAL, place, "%s is given twice", param->name);
	return dls__param_parse(&p->in, param, value, arg, NULL);
}

static int parse_weights(struct parser *p, struct dls__slice value)
{
	struct dls_schedule *s = p->schedule;
	size_t n = 1;

	for (size_t i = 0; i < value.n; i++)
		n += value.s[i] == ':';
	if (s->weight || s->site_weights)
		return dls__refuse(&p->in, DLS_EINVAL, value, "weights are given twice");
	if (dls__name_equal(value.s, value.n, "site", 4)) {
		s->site_weights = true;
		return 0;
	}
	if (n > DLS_WORKERS_MAX)
		return dls__refuse(&p->in, DLS_ERANGE, value, "more than %u weights", DLS_WORKERS_MAX);
	s->weight = malloc(2 * n * sizeof(*s->weight));
	if (!s->weight)
		return DLS_ENOMEM;

	double sum = 0;

	for (struct dls__slice rest = value; s->weights < n; s->weights++) {
		int code = parse_real(p, dls__cut(&rest, ':'), 1e-9, 1e9, false,
				      "weights are numbers from 1e-9 to 1e9 with colons between, or \"site\"", &s->weight[s->weights]);

		if (code)
			return code;
		sum += s->weight[s->weights];
		s->weight[n + s->weights] = sum;
	}
	return 0;
}

/* A calculator that needs one of the moments accepts them all: they are known together. */
static bool takes_moments(const struct dls_calc *calc)
{
	return calc->needs & (DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H);
}

/* The keys that a message lists. */
static void put_keys(struct dls__printer *to, const struct dls_calc *calc)
{
	dls__param_names(to, calc->param, DLS_PARAMS_MAX);
	for (size_t i = 0; i < DLS__MOMENTS && takes_moments(calc); i++)
		dls__put(to, " %s=", dls__moments[i].name);
	if (calc->needs & DLS_NEED_WEIGHTS)
		dls__put(to, " weights=");
	dls__param_names(to, dls__loop_keys, DLS__LOOP_KEYS);
}

/* A field, KEY=VALUE. */
static int parse_pair(struct parser *p, struct dls__slice field, struct dls__slice key,
		      struct dls__slice value)
{
	struct dls_schedule *s = p->schedule;
	const struct dls_calc *calc = s->calc;
	char list[256];
	struct dls__printer to = { list, sizeof(list), 0 };
	int own = dls__param_find(calc->param, DLS_PARAMS_MAX, key), of_loop;

	if (own >= 0)
		return parse_arg(p, own, value, value);
	for (size_t i = 0; i < DLS__MOMENTS; i++) {
		const char *name = dls__moments[i].name;

		if (!takes_moments(calc) || !dls__name_equal(key.s, key.n, name, strlen(name)))
			continue;
		if (s->given & dls__moments[i].need)
			return dls__refuse(&p->in, DLS_EINVAL, key, "%s is given twice", name);
		s->given |= dls__moments[i].need;
		return parse_real(p, value, 0, INFINITY, dls__moments[i].above, dls__moments[i].text, &s->moment[i]);
	}
	if (calc->needs & DLS_NEED_WEIGHTS && dls__name_equal(key.s, key.n, "weights", 7))
		return parse_weights(p, value);
	of_loop = dls__param_find(dls__loop_keys, DLS__LOOP_KEYS, key);
	if (of_loop >= 0)
		return dls__loop_key_parse(&p->in, of_loop, value, &s->loop);
	if (dls__entry_meant(field))
		return dls__refuse(&p->in, DLS_EINVAL, field, "%s", dls__entry_meant(field));
	put_keys(&to, calc);
	return dls__refuse(&p->in, DLS_ENOENT, key, "%s has no such parameter; it has:%s", calc->name, list);
}

/* The parameter for which KEY alone stands for KEY=1; -1: none. */
static int find_flag(const struct dls_calc *calc, struct dls__slice key)
{
	int i = dls__param_find(calc->param, DLS_PARAMS_MAX, key);

	return i >= 0 && calc->param[i].whole && calc->param[i].min == 0 && calc->param[i].max == 1 ? i : -1;
}

/* Parse one field after the name: CHUNK or KEY=VALUE. */
static int parse_field(struct parser *p, struct dls__slice field, bool first)
{
	struct dls__slice value = field, key = dls__cut(&value, '=');
	int flag = value.s ? -1 : find_flag(p->schedule->calc, key);

	if (flag >= 0)
		return parse_arg(p, flag, key, (struct dls__slice){ "1", 1 });
	if (value.s)
		return parse_pair(p, field, key, dls__trim(value));
	if (first)
		return parse_chunk(p, field);
	if (dls__entry_meant(field))
		return dls__refuse(&p->in, DLS_EINVAL, field, "%s", dls__entry_meant(field));
	return dls__refuse(&p->in, DLS_EINVAL, field, "CHUNK or KEY=VALUE belongs here, CHUNK first");
}

/* Refuse `at`, which begins with "monotonic:", since workers take iterations from each other. */
static int refuse_monotonic(struct parser *p, struct dls__slice at, const char *name)
{
	return dls__refuse(&p->in, DLS_EINVAL, at,
			   "%s is not monotonic: iterations that come from another worker need not rise", name);
}

/* A strategy, from its name to the end of the text.  It moves iterations that "static" has dealt. */
static int parse_strategy(struct parser *p, struct dls__slice name)
{
	struct dls_schedule *s = p->schedule;
	size_t at = (size_t)(name.s - p->in.all.s);
	int code;

	if (s->order == DLS__MONOTONIC)
		return refuse_monotonic(p, p->in.all, dls__strategy_named(name.s, name.n)->name);
	s->spec = malloc(sizeof(*s->spec));
	if (!s->spec)
		return DLS_ENOMEM;
	code = dls__spec_parse_of(DLS__OF_LOOP, s->spec, name.s, p->in.all.n - at, p->in.error);
	if (code) {
		if (p->in.error)
			p->in.error->at += at;
		return code;
	}
	s->calc = &dls__calc_static;
	s->chunk = s->spec->chunk;
	s->loop = s->spec->loop;
	return 0;
}

/* The text before a colon, for a message; the colon itself if the text is empty. */
static struct dls__slice or_colon(struct dls__slice t)
{
	return t.n ? t : (struct dls__slice){ t.s, 1 };
}

/* [monotonic:|nonmonotonic:] NAME; for a strategy also the rest of the text. */
static int parse_name(struct parser *p, struct dls__slice t)
{
	struct dls_schedule *s = p->schedule;
	struct dls__slice name = t, order = dls__cut(&name, ':');
	const struct dls_calc *calc;
	char list[400], near[64] = "";
	struct dls__printer to = { list, sizeof(list), 0 }, nearest = { near, sizeof(near), 0 };

	if (!name.s) {
		name = order;
	} else if (dls__name_equal(order.s, order.n, "monotonic", 9)) {
		s->order = DLS__MONOTONIC;
	} else if (dls__name_equal(order.s, order.n, "nonmonotonic", 12)) {
		s->order = DLS__NONMONOTONIC;
	} else {
		return dls__refuse(&p->in, DLS_ENOENT, or_colon(order),
				   "only monotonic: or nonmonotonic: may stand before a schedule");
	}
	name = dls__trim(name);
	if (name.n && memchr(name.s, ':', name.n))
		return dls__refuse(&p->in, DLS_EINVAL, or_colon(dls__cut(&name, ':')),
				   "monotonic: or nonmonotonic: stands right before a schedule, once");
	calc = name.n ? dls__calc_named(name.s, name.n) : NULL;
	if (DLS__MACHINES && !calc && name.n && dls__strategy_named(name.s, name.n))
		return parse_strategy(p, name);
	if (!calc && dls__entry_meant(name))
		return dls__refuse(&p->in, DLS_ENOENT, name, "no schedule has this name: a site's is written SITE:SCHEDULE, with a colon");
	if (!calc) {
		put_names(&to);
		dls__put_nearest(&nearest, name);
		return dls__refuse(&p->in, DLS_ENOENT, name,
				   "no schedule has this name%s; there are:%s; dynamic and guided as well%s", near, list,
				   DLS__MACHINES ? "" : "; this library was built without strategies");
	}
	s->calc = calc;
	s->users = dls__calc_users(calc);
	if (s->order == DLS__MONOTONIC && calc->dispenser == DLS_DISPENSER_RANGES && calc != &dls__calc_auto)
		return refuse_monotonic(p, t, calc->name);
	return 0;
}

/* Check that the arguments agree with each other, by the calculator's init() for a loop of one iteration. */
static int try_out(const struct parser *p)
{
	_Alignas(max_align_t) char state[DLS_STATE_MAX];
	bool weights = p->schedule->weight || p->schedule->site_weights;
	struct dls_loop_desc desc = { .size = sizeof(desc), .n = 1, .p = 1, .chunk = p->schedule->chunk, .mu = 1, .sigma = 1,
				      .h = 1, .weight = 1, .upto = weights ? 1 : 0, .arg = p->schedule->arg };

	if (p->schedule->calc->init(state, &desc))
		return dls__refuse(&p->in, DLS_EINVAL, p->in.all, "%s does not accept these values together",
				   p->schedule->calc->name);
	return 0;
}

static int parse(struct parser *p)
{
	struct dls__slice rest = p->in.all, field = dls__cut(&rest, ',');
	int code = parse_name(p, field);

	if (code || p->schedule->spec)
		return code;
	for (bool first = true; !code && rest.s; first = false)
		code = parse_field(p, dls__cut(&rest, ','), first);
	if (!code && p->schedule->calc->dispenser == DLS_DISPENSER_OWN && p->schedule->chunk &&
	    (p->schedule->weight || p->schedule->site_weights))
		code = dls__refuse(&p->in, DLS_EINVAL, p->in.all, "CHUNK and weights= of %s do not go together",
				   p->schedule->calc->name);
	if (!code && p->schedule->order == DLS__NONMONOTONIC && (p->schedule->weight || p->schedule->site_weights))
		code = dls__refuse(&p->in, DLS_EINVAL, p->in.all, "nonmonotonic: and weights= do not go together");
	if (!code && !p->schedule->loop.curve_given)
		p->schedule->loop.curve = p->schedule->calc->curve;
	return code ? code : try_out(p);
}

int dls__schedule_read(struct dls_schedule **schedule, const char *text, size_t length,
		       struct dls_parse_error *error)
{
	static _Atomic uint64_t parsed;
	struct parser p = { { { text, length }, error }, NULL };

	if (length > TEXT_MAX)
		return dls__refuse(&p.in, DLS_ERANGE, (struct dls__slice){ text + TEXT_MAX, 1 },
				   "a schedule has at most %d bytes", TEXT_MAX);
	p.schedule = calloc(1, sizeof(*p.schedule));

	int code = p.schedule ? parse(&p) : DLS_ENOMEM;

	if (code == DLS_ENOMEM)
		dls__refuse(&p.in, code, p.in.all, "%s", dls_strerror(code));
	if (code) {
		dls_schedule_free(p.schedule);
		return code;
	}
	/* relaxed: a number that must only be new. */
	p.schedule->number = atomic_fetch_add_explicit(&parsed, 1, memory_order_relaxed) + 1;
	*schedule = p.schedule;
	return 0;
}

int dls_schedule_parse(struct dls_schedule **schedule, const char *text, struct dls_parse_error *error)
{
	if (!schedule || !text)
		return DLS_EINVAL;
	return dls__schedule_read(schedule, text, strlen(text), error);
}
