/* spec.c - strategies as users write them: what is accepted, and the messages about what is not. */
#include <locale.h>
#include <string.h>

#include "lib/base/name.h"
#include "lib/schedule/schedule.h"
#include "lib/base/reading.h"
#include "lib/schedule/param.h"
#include "lib/schedule/spec.h"
#include "lib/schedule/registered.h"
#include "sched/registry.h"

/* The machine's keys for every strategy, besides net=. */
enum { ORDER, LOAD, BLOCK, KEYS };
const struct dls_param dls__spec_keys[KEYS + 1] = {
	[ORDER] = { .name = "order", .min = 1, .words = "fifo lifo key", .text = "which queued task is run next" },
	[LOAD] = { .name = "load", .min = 1, .words = "count cost", .text = "tasks, or the time they take" },
	[BLOCK] = { .name = "block", .min = 1, .max = 1e15, .whole = true, .words = "all", .text = "tasks in one message" },
};

struct parser {
	struct dls__input in;
	struct dls__spec *spec;
	enum dls__spec_of of;
	bool given[KEYS];
};

static int parse_key(struct parser *p, int key, struct dls__slice written)
{
	struct dls__spec *s = p->spec;
	struct dls_value value;

	if (p->given[key])
		return dls__refuse(&p->in, DLS_EINVAL, written, "%s is given twice", dls__spec_keys[key].name);
	p->given[key] = true;

	int code = dls__param_parse(&p->in, &dls__spec_keys[key], written, &value, NULL);

	if (code)
		return code;
	if (key == LOAD) {
		s->by_cost = value.word == 1;
	} else if (key == ORDER) {
		s->lifo = value.word == 1;
		s->by_key = value.word == 2;
	} else {
		s->block = value.word == 0 ? UINT64_MAX : (uint64_t)value.real;
	}
	return 0;
}

/* Check a net for one processor, or for the number that the text gives. */
static int check_net(const char *text, struct dls_parse_error *error)
{
	struct dls_net net;

	return dls_net_parse(&net, text, 1, NULL) ? dls_net_parse(&net, text, 0, error) : 0;
}

static int parse_net(struct parser *p, struct dls__slice written)
{
	char text[DLS__NET_TEXT], *net = p->spec->net;
	struct dls_parse_error error;

	if (net[0])
		return dls__refuse(&p->in, DLS_EINVAL, written, "net is given twice");
	if (written.n == 0 || written.n >= sizeof(text) || memchr(written.s, 0, written.n))
		return dls__refuse(&p->in, DLS_EINVAL, written, "net= is the name of a net, of at most %d bytes",
				   DLS__NET_TEXT - 1);
	memcpy(text, written.s, written.n);
	text[written.n] = 0;

	int code = check_net(text, &error);

	if (code)
		return dls__refuse(&p->in, code, (struct dls__slice){ written.s + error.at, error.length },
				   "%s", error.what);
	for (const char *c = text; *c; c++)
		if (!strchr(" \t-_", *c))
			*net++ = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
	return 0;
}

static int parse_of_loop(struct parser *p, int i, struct dls__slice key, struct dls__slice written)
{
	if (p->of != DLS__OF_LOOP)
		return dls__refuse(&p->in, DLS_EINVAL, key, "%s= is for loops", dls__loop_keys[i].name);
	return dls__loop_key_parse(&p->in, i, written, &p->spec->loop);
}

static bool of_classes(const struct parser *p)
{
	return p->of == DLS__OF_CLASSES || p->of == DLS__OF_CLASS;
}

/* Number of the machine's keys that a text may have.  Policies have no load= and block=. */
static size_t keys_taken(const struct parser *p)
{
	if (of_classes(p))
		return 0;
	return p->spec->strategy->policy ? LOAD : KEYS;
}

static int parse_pair(struct parser *p, struct dls__slice key, struct dls__slice written)
{
	struct dls__spec *s = p->spec;
	size_t taken = keys_taken(p);
	int i = dls__param_find(s->strategy->param, DLS_VALUES_MAX, key);

	if (i >= 0) {
		if (s->value[i].given)
			return dls__refuse(&p->in, DLS_EINVAL, written, "%s is given twice", s->strategy->param[i].name);
		return dls__param_parse(&p->in, &s->strategy->param[i], written, &s->value[i], s->list);
	}
	if (p->of != DLS__OF_CLASS && dls__name_equal(key.s, key.n, "net", 3))
		return parse_net(p, written);
	i = dls__param_find(dls__spec_keys, taken, key);
	if (i >= 0)
		return parse_key(p, i, written);
	i = dls__param_find(dls__loop_keys, DLS__LOOP_KEYS, key);
	if (i >= 0)
		return parse_of_loop(p, i, key, written);

	char text[256] = " none";
	struct dls__printer to = { text, sizeof(text), 0 };

	dls__param_names(&to, s->strategy->param, DLS_VALUES_MAX);
	if (p->of != DLS__OF_CLASS)
		dls__put(&to, " net=");
	dls__param_names(&to, dls__spec_keys, taken);
	if (p->of == DLS__OF_LOOP)
		dls__param_names(&to, dls__loop_keys, DLS__LOOP_KEYS);
	return dls__refuse(&p->in, DLS_ENOENT, key, "%s has no such parameter; it has:%s", s->strategy->name, text);
}

static int parse_chunk(struct parser *p, struct dls__slice t)
{
	bool fits, number = dls__whole(t, &p->spec->chunk, &fits);

	if (of_classes(p))
		return dls__refuse(&p->in, DLS_EINVAL, t, "KEY=VALUE belongs here");
	if (number && fits && p->spec->chunk > 0)
		return 0;
	if (p->of == DLS__OF_LOOP && dls__entry_meant(t))
		return dls__refuse(&p->in, DLS_EINVAL, t, "%s", dls__entry_meant(t));
	return dls__refuse(&p->in, number ? DLS_ERANGE : DLS_EINVAL, t,
			   "CHUNK (iterations of one piece of a loop) is a whole number from 1 to 18446744073709551615");
}

/* A class may have no policy: `none`, which has no parameters. */
static bool fits(enum dls__spec_of of, const struct dls_strategy *strategy)
{
	return of != DLS__OF_CLASS || strategy->policy || strcmp(strategy->name, "none") == 0;
}

static int parse_name(struct parser *p, struct dls__slice name)
{
	const struct dls_strategy *strategy = name.n ? dls__strategy_named(name.s, name.n) : NULL;
	bool classes = dls__name_equal(name.s, name.n, dls__strategy_classes.name, strlen(dls__strategy_classes.name));
	char text[400];
	struct dls__printer to = { text, sizeof(text), 0 };

	if (p->of == DLS__OF_CLASSES) {
		p->spec->strategy = &dls__strategy_classes;
		return classes ? 0 : dls__refuse(&p->in, DLS_EINVAL, name,
						 "a machine that has classes of tasks has the strategy \"classes\"; "
						 "each class has a policy of its own");
	}
	if (strategy && fits(p->of, strategy)) {
		p->spec->strategy = strategy;
		return 0;
	}
	if (classes)
		return dls__refuse(&p->in, DLS_EINVAL, name, "%s",
				   p->of == DLS__OF_CLASS ? "classes is for machines, not for one of their classes"
						     : "classes is for machines that have classes of tasks");
	for (size_t i = 0; (strategy = dls_strategy_at(i)); i++)
		if (fits(p->of, strategy))
			dls__put(&to, " %s", strategy->name);
	return dls__refuse(&p->in, DLS_ENOENT, name, "no %s has this name; there are:%s",
			   p->of == DLS__OF_CLASS ? "policy" : "strategy", text);
}

/* The default of load=. */
static bool by_cost(const struct dls__spec *s)
{
	const struct dls_param *param = s->strategy->param;

	for (size_t i = 0; i < DLS_VALUES_MAX && param[i].name; i++) {
		const char *word = param[i].by_cost;

		if (word &&
		    s->value[i].word == dls__word((struct dls__slice){ word, strlen(word) }, param[i].words))
			return true;
	}
	return false;
}

/* The default of block=. */
static uint64_t block(const struct dls__spec *s)
{
	return s->strategy->block_all ? UINT64_MAX : 1;
}

/* Set each parameter to its default. */
static int set_defaults(struct dls__spec *s, struct dls_parse_error *error)
{
	const struct dls_param *param = s->strategy->param;
	int code = 0;

	s->block = block(s);
	for (size_t i = 0; i < DLS_VALUES_MAX && param[i].name && !code; i++) {
		struct dls__slice value = { param[i].value, strlen(param[i].value) };

		code = dls__param_parse(&(struct dls__input){ value, error }, &param[i], value, &s->value[i], s->list);
		s->value[i].given = false;
	}
	return code;
}

int dls__spec_defaults(const struct dls_strategy *strategy)
{
	struct dls__spec spec = { .strategy = strategy };

	return set_defaults(&spec, NULL);
}

bool dls__spec_reserves(struct dls__slice key)
{
	return dls__name_equal(key.s, key.n, "net", 3) || dls__param_find(dls__spec_keys, KEYS, key) >= 0 ||
	       dls__param_find(dls__loop_keys, DLS__LOOP_KEYS, key) >= 0;
}

static int parse(struct parser *p)
{
	struct dls__slice rest = p->in.all, field = dls__cut(&rest, ',');
	int code = parse_name(p, field);

	if (!code)
		code = set_defaults(p->spec, p->in.error);
	for (bool first = true; !code && rest.s; first = false) {
		field = dls__cut(&rest, ',');

		struct dls__slice value = field, key = dls__cut(&value, '=');

		if (value.s)
			code = parse_pair(p, key, dls__trim(value));
		else if (first || (p->of == DLS__OF_LOOP && dls__entry_meant(field)))
			code = parse_chunk(p, field);
		else
			code = dls__refuse(&p->in, DLS_EINVAL, field, "CHUNK or KEY=VALUE belongs here, CHUNK first");
	}
	if (!code && !p->given[LOAD])
		p->spec->by_cost = by_cost(p->spec);
	if (!code && !p->given[ORDER])
		p->spec->by_key = p->spec->strategy->by_key;
	return code;
}

int dls__spec_parse_of(enum dls__spec_of of, struct dls__spec *spec, const char *text, size_t length,
		       struct dls_parse_error *error)
{
	struct dls__spec parsed = { 0 };
	struct parser p = { .in = { { text, length }, error }, .spec = &parsed, .of = of };
	int code = parse(&p);

	if (!code)
		dls__spec_copy(spec, &parsed);
	return code;
}

int dls__spec_parse(struct dls__spec *spec, const char *text, size_t length, struct dls_parse_error *error)
{
	return dls__spec_parse_of(DLS__OF_TASKS, spec, text, length, error);
}

void dls__spec_copy(struct dls__spec *to, const struct dls__spec *from)
{
	*to = *from;
	for (size_t i = 0; i < DLS_VALUES_MAX; i++)
		if (to->value[i].list)
			to->value[i].list = to->list;
}

size_t dls__spec_print(const struct dls__spec *s, char *text, size_t size)
{
	struct dls__printer to = { text, size, 0 };
	locale_t outer = dls__enter_c_locale();

	dls__put(&to, "%s", s->strategy->name);
	if (s->chunk)
		dls__put(&to, ",%llu", (unsigned long long)s->chunk);
	for (size_t i = 0; i < DLS_VALUES_MAX && s->strategy->param[i].name; i++) {
		if (!s->value[i].given)
			continue;
		dls__put(&to, ",%s=", s->strategy->param[i].name);
		dls__param_put(&to, &s->strategy->param[i], &s->value[i]);
	}
	if (s->net[0])
		dls__put(&to, ",net=%s", s->net);
	if (s->by_cost != by_cost(s))
		dls__put(&to, s->by_cost ? ",load=cost" : ",load=count");
	if (s->lifo || s->by_key != s->strategy->by_key)
		dls__put(&to, ",order=%s", s->lifo ? "lifo" : s->by_key ? "key" : "fifo");
	if (s->block == UINT64_MAX && !s->strategy->block_all)
		dls__put(&to, ",block=all");
	else if (s->block != block(s))
		dls__put(&to, ",block=%llu", (unsigned long long)s->block);
	dls__loop_values_put(&to, &s->loop);
	uselocale(outer);
	return to.length;
}
