/* spec.c - texts of machines: strategies, costs, faults; which are accepted, how they print, which are refused and where.
 *
 * Fails if: a name, key or number is read otherwise than documented, a refusal does not mark its place or list what is
 * accepted, or a refused text changes anything.
 *
 * runs: check, machines, pthreads */
#include <locale.h>
#include <math.h>

#include "dls.h"
#include "lib/base/reading.h"
#include "lib/schedule/param.h"
#include "lib/machine/costs.h"
#include "lib/schedule/spec.h"
#include "parse.h"

static void same(const char *text, const char *canonical)
{
	struct dls__spec s, again;
	char print[300];

	if (!CHECK(dls__spec_parse(&s, text, strlen(text), NULL) == 0)) {
		tap_note("%s", text);
		return;
	}
	CHECK_EQ(dls__spec_print(&s, print, sizeof(print)), strlen(canonical));
	CHECK_TEXT(print, canonical);
	CHECK_EQ(dls__spec_parse(&again, print, strlen(print), NULL), 0);
	dls__spec_print(&again, print, sizeof(print));
	CHECK_TEXT(print, canonical);
	for (size_t i = 0; i < DLS_VALUES_MAX; i++)
		CHECK_EQ(s.value[i].given, again.value[i].given);
	CHECK_TEXT(again.net, s.net);
	CHECK_EQ(s.block, again.block);
}

static void accepted(void)
{
	same("rid", "rid");
	same(" R-i_D , 256 ", "rid,256");
	same("NoBal", "none");
	same("rid,u=.5,LOW=Alpha,min=2", "rid,u=0.5,low=alpha,min=2");
	same("rid,net=mesh:4x2,u=0.9,low=1,threshold=1,min=1", "rid,u=0.9,low=1,threshold=1,min=1,net=mesh:4x2");
	same("sid,dl=5 %,update=Step", "sid,update=step,dl=5%");
	same("sid,update=period,t=1e-5", "sid,update=period,t=1e-05");
	same("none,load=count,order=fifo,block=1", "none");
	same("none,block=all,order=lifo,load=cost", "none,load=cost,order=lifo,block=all");
	same("none,block=1000000", "none,block=1000000");
	same("none,block=2,order=lifo", "none,order=lifo,block=2");
	same("none,order=Key", "none,order=key");
	same("rips,order=key", "rips,order=key");
	same("factor,order=fifo,least=2", "factor,least=2");
	same("Fac-Tor,order=key", "factor,order=key");
	same("phase,order=key,links=Chain", "phase,links=chain");
	same("phase,order=fifo", "phase,order=fifo");
	same("priority,order=lifo", "priority,order=lifo");
	same("none,net= Hypercube ", "none,net=hypercube");
	same("none,net=complete", "none,net=complete");
	same("rand,18446744073709551615,draw=cyclic", "rand,18446744073709551615,draw=cyclic");
	for (size_t i = 0; dls_strategy_at(i); i++)
		same(dls_strategy_at(i)->name, dls_strategy_at(i)->name);
	if (setlocale(LC_NUMERIC, "de_DE.UTF-8"))
		same("rid,u=0.25", "rid,u=0.25");
	setlocale(LC_NUMERIC, "C");
}

static int spec(const char *text, struct dls_parse_error *error)
{
	struct dls__spec s, before;

	memset(&s, 0x5a, sizeof(s));
	before = s;

	int code = dls__spec_parse(&s, text, strlen(text), error);

	CHECK(code == 0 || memcmp(&s, &before, sizeof(s)) == 0);
	return code;
}

static int costs_of(const char *text, struct dls_parse_error *error)
{
	struct dls__machine_costs c = { .preset = "mine" };
	int code = dls__costs_parse(&c, text, error);

	CHECK(code == 0 || strcmp(c.preset, "mine") == 0);
	return code;
}

static int faults_of(const char *text, struct dls_parse_error *error)
{
	struct dls__faults f = { .slow = 7 };
	int code = dls__faults_parse(&f, text, error);

	CHECK(code == 0 || f.slow == 7);
	return code;
}

static void refused(void)
{
	refuse(spec, DLS_ENOENT, "[]|[ridd],4|[gss]",
	       "no strategy has this name; there are: none rand| sid rid");
	refuse(spec, DLS_ERANGE, "rid,[0]|rid,[18446744073709551616]", "CHUNK|a whole number from 1");
	refuse(spec, DLS_EINVAL, "rid,[x]|rid,[]", "CHUNK|a whole number from 1");
	refuse(spec, DLS_EINVAL, "rid,4,[5]|rid,u=.5,[5]", "CHUNK first");
	refuse(spec, DLS_ENOENT, "rid,[k]=4", "rid has no such parameter; it has: update= u= dl= t= low= "
	       "threshold= min= round= small= cap= counts= unknown= trigger= net= order= load= block=");
	refuse(spec, DLS_EINVAL, "rid,[curve]=hilbert", "curve= is for loops");
	refuse(spec, DLS_EINVAL, "rid,[multiple]=64", "multiple= is for loops");
	refuse(spec, DLS_ENOENT, "none,[u]=4",
	       "none has no such parameter; it has: net= order= load= block=");
	refuse(spec, DLS_ENOENT, "factor,[block]=all", "it has: least= net= order=");
	refuse(spec, DLS_ENOENT, "phase,[load]=cost", "phase has no such parameter");
	refuse(spec, DLS_ERANGE, "rid,u=[1.5]|rid,u=[-1]", "u= (|is a number from 0 to 1");
	refuse(spec, DLS_EINVAL, "rid,u=[]|rid,u=[nan]|rid,u=[5%]", "u= (|is a number from 0 to 1");
	refuse(spec, DLS_EINVAL, "rid,u=.5,u=[.5]", "u is given twice");
	refuse(spec, DLS_EINVAL, "rid,low=[beta]", "low= (|a number of at least 0, or one of: alpha inf");
	refuse(spec, DLS_ERANGE, "rid,low=[1e999]", "low= (");
	refuse(spec, DLS_EINVAL, "rid,dl=[x%]", "% after it for per cent of the initial load");
	refuse(spec, DLS_EINVAL, "rid,round=[up]|rid,round=[1]", "round= (|is one of: nearest floor");
	refuse(spec, DLS_EINVAL, "rid,load=[size]", "load= (|one of: count cost");
	refuse(spec, DLS_EINVAL, "rid,load=cost,load=[cost]", "load is given twice");
	refuse(spec, DLS_EINVAL, "rid,order=[random]", "order= (|one of: fifo lifo key");
	refuse(spec, DLS_EINVAL, "phase,order=key,order=[key]", "order is given twice");
	refuse(spec, DLS_EINVAL, "phase,links=[maybe]", "links= (|one of: any chain");
	refuse(spec, DLS_ENOENT, "repart,calc=[gas]", "calc= (|is one of: static");
	refuse(spec, DLS_EINVAL, "phase,links=[ring]", "links= (|one of: any chain");
	refuse(spec, DLS_EINVAL, "[classes]", "for machines that have classes of tasks");
	refuse(spec, DLS_ERANGE, "rid,block=[0]|rid,block=[-2]", "block= (|a whole number from 1|one of: all");
	refuse(spec, DLS_EINVAL, "rid,block=[1.5]", "block= (");
	refuse(spec, DLS_EINVAL, "rid,net=[]", "net= is the name of a net");
	refuse(spec, DLS_ENOENT, "rid,net=[mash]:4x2", "no net has this name; there are: hypercube| mesh");
	refuse(spec, DLS_EINVAL, "rid, net = mesh:4x[b]", "");
	refuse(spec, DLS_ERANGE, "rid,net=hypercube:[99]", "");
	refuse(spec, DLS_EINVAL, "rid,net=ring,net=[ring]", "net is given twice");
}

static void costs_refused(void)
{
	refuse(costs_of, DLS_ENOENT, "[]|[ipsc3],send=1",
	       "no costs have this name; there are: ipsc2 cm5 nectar cluster ideal");
	refuse(costs_of, DLS_ENOENT, "ipsc2,[sned]=1",
	       "quantum= poll= send= receive= latency= hop= long= setup= byte= pause=");
	refuse(costs_of, DLS_EINVAL, "ipsc2,[4]", "KEY=VALUE belongs here");
	refuse(costs_of, DLS_EINVAL, "ipsc2,send=[x]", "send= (s; one message|a number from 0 to 1000");
	refuse(costs_of, DLS_ERANGE, "ipsc2,send=[-1e-9]|ipsc2,send=[1001]", "send= (");
	refuse(costs_of, DLS_EINVAL, "ipsc2,send=1,send=[2]", "send is given twice");
	refuse(costs_of, DLS_ERANGE, "ipsc2,pause=[0]|ipsc2,pause=[9e-10]", "pause= (");
	refuse(costs_of, DLS_EINVAL, "ipsc2,long=[1.5]", "long= (");
	refuse(faults_of, DLS_EINVAL, "[slow]|slow=2,[]",
	       "KEY=VALUE belongs here, KEY being one of: delay= stall= slow=");
	refuse(faults_of, DLS_ENOENT, "[sloww]=2", "one of: delay= stall= slow=");
	refuse(faults_of, DLS_ERANGE, "slow=[0.5]", "slow= (|from 1 to");
}

/* Every preset by its documented figures, every key by its own; times in ns. */
static void costs(void)
{
	static const struct {
		const char *text, *preset;
		uint64_t quantum, poll, send, receive, latency, hop, longer, setup, pause;
		double byte;
	} row[] = {
		{ "iPSC-2", "ipsc2", 130000, 40000, 150000, 150000, 50000, 10000, 100, 310000, 100000000, 360 },
		{ "cm5", "cm5", 4000000, 0, 50000, 50000, 10000, 0, 100, 0, 1000000, 125 },
		{ "nectar", "nectar", 1000000000000, 0, 300000, 300000, 200000, 0, 0, 0, 100000000, 333 },
		{ "ideal", "ideal", 1000, 0, 0, 0, 1000, 0, 0, 0, 100000, 0 },
		{ "cluster, quantum=1e-9,poll=2e-9,send=3e-9,receive=4e-9,latency=5e-9,hop=6e-9,long=7,setup=8e-9,byte=9e-9,"
		  "pause=130e-6", "cluster", 1, 2, 3, 4, 5, 6, 7, 8, 130000, 9 },
	};
	struct dls__machine_costs c;
	struct dls__faults f;

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		CHECK_EQ(dls__costs_parse(&c, row[i].text, NULL), 0);
		CHECK_TEXT(c.preset, row[i].preset);
		CHECK_EQ(c.quantum, row[i].quantum);
		CHECK_EQ(c.poll, row[i].poll);
		CHECK_EQ(c.send, row[i].send);
		CHECK_EQ(c.receive, row[i].receive);
		CHECK_EQ(c.latency, row[i].latency);
		CHECK_EQ(c.hop, row[i].hop);
		CHECK_EQ(c.longer, row[i].longer);
		CHECK_EQ(c.setup, row[i].setup);
		CHECK_EQ(c.pause, row[i].pause);
		CHECK(fabs(c.byte - row[i].byte) < 1e-9);
	}
	CHECK_EQ(dls__costs_parse(&c, "cm5", NULL), 0);
	CHECK(c.carry == 600000 && c.pack == 20000 && c.create == 190000 && c.dequeue == 190000 && c.schedule == 300000 &&
	      c.phase == 200000);
	CHECK_EQ(dls__costs_parse(&c, "nectar", NULL), 0);
	CHECK(c.carry == 0 && c.create == 0 && c.schedule == 200000 && c.phase == 0);
	CHECK_EQ(dls__faults_parse(&f, " ", NULL), 0);
	CHECK(f.delay == 0 && f.stall == 0 && f.slow == 1);
	CHECK_EQ(dls__faults_parse(&f, "slow=4, stall=1e-3 ,delay=0.5", NULL), 0);
	CHECK(f.delay == 500000000 && f.stall == 1000000 && f.slow == 4);
}

#define LIST { .name = "threshold", .min = 0.5, .max = 9, .list = true, .text = "tasks" }

/* Lists of numbers, of which a copy has its own. */
static void lists(void)
{
	static const struct dls_param param = LIST;
	static const struct dls_strategy strategy = { .name = "made", .param = { LIST } };
	const char *const text[] = { "1:2.5 :9", "1::2", "1:0.25", "9:9.5" };
	static const int code[] = { 0, DLS_EINVAL, DLS_ERANGE, DLS_ERANGE };
	static struct dls__spec a, b;
	char print[80], many[80] = "1";
	struct dls_parse_error error;

	for (int i = 3; i >= 0; i--) {
		struct dls__input in = { { text[i], strlen(text[i]) }, &error };

		CHECK_EQ(dls__param_parse(&in, &param, in.all, &a.value[0], a.list), code[i]);
		if (code[i])
			CHECK(strstr(error.what, "threshold= (tasks) is up to 32 numbers from 0.5 to 9 with "));
	}
	CHECK(a.value[0].values == 3 && a.value[0].list == a.list && a.list[1] == 2.5 && a.value[0].real == 1);
	a.strategy = &strategy;
	a.value[0].given = true;
	a.block = 1;
	dls__spec_copy(&b, &a);
	CHECK(b.value[0].list == b.list);
	memset(a.list, 0, sizeof(a.list));
	dls__spec_print(&b, print, sizeof(print));
	CHECK_TEXT(print, "made,threshold=1:2.5:9");
	for (int i = 1; i < 33; i++)
		strcat(many, ":1");

	struct dls__input in = { { many, strlen(many) - 2 }, &error };

	CHECK_EQ(dls__param_parse(&in, &param, in.all, &a.value[0], a.list), 0);
	in.all.n += 2;
	CHECK_EQ(dls__param_parse(&in, &param, in.all, &a.value[0], a.list), DLS_ERANGE);
	CHECK_EQ(error.at, 64);
}

static void each_name(const char *name, const char *aliases, void (*check)(const char *name))
{
	check(name);
	for (const char *alias = aliases; alias && *alias;) {
		size_t n = strcspn(alias, " ");
		char text[40];

		snprintf(text, sizeof(text), "%.*s", (int)n, alias);
		check(text);
		alias += n + strspn(alias + n, " ");
	}
}

static int no_init(void *state, const struct dls_loop_desc *loop)
{
	return 0;
}

static uint64_t no_next(void *state, uint64_t R)
{
	return R;
}

static void not_a_calculator(const char *name)
{
	struct dls_calc calc = { .size = sizeof(calc), .name = name, .init = no_init, .next = no_next };

	CHECK(dls_calc_find(name) == NULL);
	CHECK(dls_strategy_find(name) != NULL);
	CHECK_EQ(dls_calc_register(&calc), DLS_EEXIST);
}

static void not_a_strategy(const char *name)
{
	CHECK(dls_strategy_find(name) == NULL);
}

/* Calculators and strategies share one space of names; a strategy's parameters do not hide the machine's keys. */
static void names(void)
{
	const struct dls_strategy *s;
	const struct dls_calc *c;
	size_t i;

	for (i = 0; (c = dls_calc_at(i)); i++)
		each_name(c->name, c->aliases, not_a_strategy);
	for (i = 0; (s = dls_strategy_at(i)); i++) {
		each_name(s->name, s->aliases, not_a_calculator);
		CHECK(dls_strategy_find(s->name) == s && s->source && s->idea);
		for (size_t k = 0; k < DLS_VALUES_MAX && s->param[k].name; k++) {
			const char *name = s->param[k].name;

			CHECK(s->param[k].text && s->param[k].value);
			CHECK(strcmp(name, "net") && strcmp(name, "load") && strcmp(name, "order") &&
			      strcmp(name, "block"));
			for (size_t j = 0; j < k; j++)
				CHECK(strcmp(name, s->param[j].name) != 0);
		}
	}
	CHECK(i > 0 && dls_strategy_at(i + 1) == NULL && dls_strategy_at((size_t)-1) == NULL);
	CHECK(dls_strategy_find("R_I D") == dls_strategy_find("rid") && dls_strategy_find("rid") != NULL);
	CHECK(dls_strategy_find("") == NULL && dls_strategy_find(NULL) == NULL);
}

/* The first and last characters of each length, and what is none: RFC 3629; the last two of a plane are no characters of XML. */
static void characters(void)
{
	static const struct {
		const char *text;
		size_t bytes;
	} c[] = {
		{ "", 0 }, { "\x1f", 0 }, { " ", 1 }, { "~", 1 }, { "\x7f", 0 }, { "\x80", 0 }, { "\xc1\xbf", 0 }, { "\xc2\x80", 2 },
		{ "\xdf\xbf", 2 }, { "\xc3(", 0 }, { "\xe0\x9f\xbf", 0 }, { "\xe0\xa0\x80", 3 }, { "\xe2\x82", 0 },
		{ "\xed\x9f\xbf", 3 }, { "\xed\xa0\x80", 0 }, { "\xee\x80\x80", 3 }, { "\xef\xbe\xbf", 3 }, { "\xef\xbf\xbd", 3 },
		{ "\xef\xbf\xbe", 0 }, { "\xf0\x8f\xbf\xbf", 0 }, { "\xf0\x90\x80\x80", 4 }, { "\xf4\x8f\xbf\xbf", 4 },
		{ "\xf4\x90\x80\x80", 0 }, { "\xf5\x80\x80\x80", 0 },
	};

	for (size_t i = 0; i < sizeof(c) / sizeof(*c); i++)
		if (CHECK_EQ(dls__character(c[i].text), c[i].bytes) != c[i].bytes)
			tap_note("character %zu", i);
}

TEST_MAIN(T(accepted) T(refused) T(costs_refused) T(costs) T(lists) T(names) T(characters))
