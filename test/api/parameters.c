/* parameters.c - the parameters of all calculators and strategies: name, default, range, words, as dls_chunk(7) and dls_balance(7)
 * have them.
 *
 * Fails if: a parameter gets another range, default or kind, or is added or removed, without the table below; or a number outside a
 * range, or for a parameter that takes none, is accepted. */
#include <math.h>

#include "dls/calc.h"
#include "dls/error.h"
#include "dls/schedule.h"
#include "dls/strategy.h"
#include "tap.h"

static const char *const table[] = {
	"tss,f= 1..inf whole",
	"tss,l= 1..inf whole",
	"af,first= 1..inf whole",
	"af,window= 1..0 last all",
	"af,exact= 0..1 whole",
	"tap,alpha= 0..1e+06",
	"fiss,b= 2..65536 whole",
	"viss,x= 1..65536 whole",
	"rnd,min= 1..inf whole",
	"rnd,max= 1..inf whole",
	"rnd,seed= 0..inf whole",
	"frac,x= 1..1e+06",
	"rand,draw=independent 1..0 independent cyclic",
	"sid,update=factor 1..0 factor step period drop",
	"sid,u=0.9 0..1",
	"sid,dl=10% 0..inf percent",
	"sid,t=pause 1e-09..1e+09 pause",
	"sid,low=inf 0..inf alpha inf",
	"sid,threshold=1 0..inf",
	"sid,min=1 0..inf",
	"sid,round=floor 1..0 nearest floor",
	"sid,small=drop 1..0 drop raise",
	"sid,cap=on 1..0 on off",
	"sid,counts=all 1..0 all pending",
	"sid,credit=on 1..0 on off",
	"rid,update=factor 1..0 factor step period drop",
	"rid,u=0.9 0..1",
	"rid,dl=10% 0..inf percent",
	"rid,t=pause 1e-09..1e+09 pause",
	"rid,low=alpha 0..inf alpha inf",
	"rid,threshold=1 0..inf",
	"rid,min=1 0..inf",
	"rid,round=nearest 1..0 nearest floor",
	"rid,small=drop 1..0 drop raise",
	"rid,cap=off 1..0 on off",
	"rid,counts=all 1..0 all pending",
	"rid,trigger=any 1..0 any load",
	"gm,lwm=alpha 0..1e+15 alpha",
	"gm,hwm=double 0..1e+15 double",
	"gm,delta=1 0..1e+15 percent",
	"gm,hops=log 1..4.29497e+09 whole log",
	"gm,update=change 1..0 change period",
	"gm,t=pause 1e-09..1e+09 pause",
	"gm,arrived=on 1..0 on stays",
	"hbm,update=factor 1..0 factor step period drop",
	"hbm,u=0.5 0..1",
	"hbm,dl=10% 0..inf percent",
	"hbm,t=pause 1e-09..1e+09 pause",
	"hbm,threshold=pair 0..1e+15 list pair",
	"hbm,min=1 0..1e+15",
	"hbm,notify=direct 1..0 direct tree",
	"dem,low=1 0..1e+15",
	"dem,min=1 0..1e+15",
	"dem,wait=pause 1e-09..1e+09 pause",
	"acwn,update=factor 1..0 factor step period drop",
	"acwn,u=0.5 0..1",
	"acwn,dl=10% 0..inf percent",
	"acwn,t=pause 1e-09..1e+09 pause",
	"acwn,radius=diameter 0..1000 whole diameter",
	"acwn,horizon=0 0..1000 whole",
	"acwn,saturation=4 0..inf inf",
	"acwn,redistribute=on 1..0 on off",
	"polling,target=rp 1..0 arr grr rp nn",
	"polling,split=0.5 0..1",
	"polling,wait=pause 1e-09..1e+09 pause",
	"manager,t=pause 1e-09..1e+09 pause",
	"manager,least=0.1 0.001..1000",
	"rips,transfer=any 1..0 all any",
	"rips,queue=lazy 1..0 lazy eager",
	"rips,walk=twa 1..0 twa mtwa twaet dem",
	"rips,detect=signal 1..0 signal reduce",
	"rips,t=pause 1e-09..1e+09 pause",
	"rips,eligible=on 1..0 on off",
	"rips,low=eager 1..0 eager off",
	"rips,patience=0.125 0.001..1",
	"factor,silence=on 1..0 on off",
	"factor,least=1 1..1e+15 whole",
	"phase,threshold=1 0..1e+15",
	"phase,least=2 1..1e+15 whole",
	"phase,links=any 1..0 any chain",
	"priority,ahead=1 0..1e+06 whole",
	"repart,calc=awf-c 1..0 calculator",
	"repart,ahead=1 0..64 whole",
	"repart,fetch=give 1..0 give get",
	"repart,mode=active 1..0 active reactive",
	"repart,return=no 1..0 no yes",
	"repart,queue=distributed 1..0 distributed replicated central",
	"repart,scheduler=shared 1..0 shared dedicated",
	"repart,room=any 0..1e+15 any",
	"repart,least=1 0..1e+15",
	"repart,first=any 0..1e+15 any",
	"repart,serve=rising 1..0 rising falling",
	"repart,mu=unknown 1e-15..1e+09 unknown",
	"repart,sigma=unknown 0..1e+09 unknown",
	"repart,h=unknown 0..1e+09 unknown",
};

enum { LINES = sizeof(table) / sizeof(*table) };
static size_t lines;

/* Whether "NAME,PARAMETER=X" is read. */
static bool reads(const char *name, const struct dls_param *p, double x)
{
	struct dls_schedule *schedule = NULL;
	char text[160];
	int code;

	snprintf(text, sizeof(text), p->whole ? "%s,%s=%.0f" : "%s,%s=%.17g", name, p->name, x);
	code = dls_schedule_parse(&schedule, text, NULL);
	dls_schedule_free(schedule);
	return code == 0;
}

static void parameter(const char *name, const struct dls_param *p)
{
	char line[256];

	snprintf(line, sizeof(line), "%s,%s=%s %g..%g%s%s%s%s%s%s", name, p->name, p->value ? p->value : "", p->min, p->max,
		 p->whole ? " whole" : "", p->list ? " list" : "", p->percent ? " percent" : "", p->calc ? " calculator" : "",
		 p->words ? " " : "", p->words ? p->words : "");
	if (!CHECK(lines < LINES && strcmp(line, table[lines]) == 0))
		tap_note("\t\"%s\",", line);
	lines++;
	if (p->min > p->max)
		CHECK(!reads(name, p, p->min) && !reads(name, p, p->max) && !reads(name, p, 2));
	else if (p->max < 1e18)
		CHECK(!reads(name, p, p->max * 1.01 + 1) && !reads(name, p, -1 - p->min));
}

static void all(void)
{
	const struct dls_calc *calc;
	const struct dls_strategy *strategy;

	for (size_t i = 0; (calc = dls_calc_at(i)); i++)
		for (size_t k = 0; k < DLS_PARAMS_MAX && calc->param[k].name; k++)
			parameter(calc->name, &calc->param[k]);
	for (size_t i = 0; (strategy = dls_strategy_at(i)); i++)
		for (size_t k = 0; k < DLS_VALUES_MAX && strategy->param[k].name; k++)
			parameter(strategy->name, &strategy->param[k]);
	CHECK_EQ(lines, LINES);
}

TEST_MAIN(T(all))
