/* parameters.c - the parameters of all calculators and strategies: name, default, range, words, as dls_chunk(7) and dls_balance(7)
 * have them.
 *
 * Fails if: a parameter gets another range, default or kind, or is added or removed, without the table below; or a number outside a
 * range, or for a parameter that takes none, is accepted.
 *
 * runs: check, machines */

#include "dls/calc.h"
#include "dls/error.h"
#include "dls/schedule.h"
#include "dls/strategy.h"
#include "tap.h"

/* Those that take part in load updates begin with these. */
#define UPDATE(U) "update=factor 1..0 factor step period drop; u=" U " 0..1; dl=10% 0..inf percent; t=pause 1e-09..1e+09 pause; "

/* NAME: PARAMETER=DEFAULT MIN..MAX and what else it takes; ...; 1..0 is no number at all. */
static const char *const table[] = {
	"tss: f= 1..inf whole; l= 1..inf whole",
	"af: first= 1..inf whole; window= 1..0 last all; exact= 0..1 whole",
	"tap: alpha= 0..1e+06",
	"fiss: b= 2..65536 whole",
	"viss: x= 1..65536 whole",
	"rnd: min= 1..inf whole; max= 1..inf whole; seed= 0..inf whole",
	"frac: x= 1..1e+06",
	"rand: draw=independent 1..0 independent cyclic",
	"sid: " UPDATE("0.9") "low=inf 0..inf alpha inf; threshold=1 0..inf; min=1 0..inf; round=floor 1..0 nearest floor; "
	  "small=drop 1..0 drop raise; cap=on 1..0 on off; counts=all 1..0 all pending; unknown=mean 1..0 empty wait mean; credit=on 1..0 on off",
	"rid: " UPDATE("0.9") "low=alpha 0..inf alpha inf; threshold=1 0..inf; min=1 0..inf; round=nearest 1..0 nearest floor; "
	  "small=drop 1..0 drop raise; cap=off 1..0 on off; counts=all 1..0 all pending; unknown=empty 1..0 empty wait mean; trigger=any 1..0 any load",
	"gm: lwm=alpha 0..1e+15 alpha; hwm=double 0..1e+15 double; delta=1 0..1e+15 percent; "
	  "hops=log 1..4.29497e+09 whole log; update=change 1..0 change period; t=pause 1e-09..1e+09 pause; "
	  "arrived=on 1..0 on stays",
	"hbm: " UPDATE("0.5") "threshold=pair 0..1e+15 list pair; min=1 0..1e+15; notify=direct 1..0 direct tree",
	"dem: low=1 0..1e+15; min=1 0..1e+15; wait=pause 1e-09..1e+09 pause",
	"acwn: " UPDATE("0.5") "radius=diameter 0..1000 whole diameter; horizon=0 0..1000 whole; saturation=4 0..inf inf",
	"polling: target=rp 1..0 arr grr rp nn; split=0.5 0..1; wait=pause 1e-09..1e+09 pause",
	"manager: t=pause 1e-09..1e+09 pause; least=0.1 0.001..1000",
	"rips: transfer=any 1..0 all any; queue=lazy 1..0 lazy eager; walk=twa 1..0 twa mtwa twaet dem; "
	  "eligible=on 1..0 on off",
	"factor: least=1 1..1e+15 whole",
	"phase: threshold=1 0..1e+15; least=2 1..1e+15 whole; links=any 1..0 any chain",
	"priority: ahead=1 0..1e+06 whole",
	"repart: calc=awf-c 1..0 calculator; ahead=1 0..64 whole; mode=active 1..0 active reactive; "
	  "return=no 1..0 no yes; queue=distributed 1..0 distributed replicated central; "
	  "scheduler=shared 1..0 shared dedicated; room=any 0..1e+15 any; least=1 0..1e+15; first=any 0..1e+15 any; "
	  "serve=rising 1..0 rising falling; mu=unknown 1e-15..1e+09 unknown; sigma=unknown 0..1e+09 unknown; "
	  "h=unknown 0..1e+09 unknown",
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

/* All that one takes, in a line as in the table. */
static void parameters(const char *name, const struct dls_param *param, size_t most)
{
	char line[1024];
	int n = 0;

	for (const struct dls_param *p = param; p < param + most && p->name; p++) {
		n += snprintf(line + n, sizeof(line) - (size_t)n, "%s%s %s=%s %g..%g%s%s%s%s%s%s", n ? ";" : name, n ? "" : ":", p->name,
			      p->value ? p->value : "", p->min, p->max, p->whole ? " whole" : "", p->list ? " list" : "",
			      p->percent ? " percent" : "", p->calc ? " calculator" : "", p->words ? " " : "", p->words ? p->words : "");
		if (p->min > p->max)
			CHECK(!reads(name, p, p->min) && !reads(name, p, p->max) && !reads(name, p, 2));
		else if (p->max < 1e18)
			CHECK(!reads(name, p, p->max * 1.01 + 1) && !reads(name, p, -1 - p->min));
	}
	if (n > 0 && !CHECK(lines < LINES && strcmp(line, table[lines]) == 0))
		tap_note("\t\"%s\",", line);
	lines += n > 0;
}

static void all(void)
{
	const struct dls_calc *calc;
	const struct dls_strategy *strategy;

	for (size_t i = 0; (calc = dls_calc_at(i)); i++)
		parameters(calc->name, calc->param, DLS_PARAMS_MAX);
	for (size_t i = 0; (strategy = dls_strategy_at(i)); i++)
		parameters(strategy->name, strategy->param, DLS_VALUES_MAX);
	CHECK_EQ(lines, LINES);
}

TEST_MAIN(T(all))
