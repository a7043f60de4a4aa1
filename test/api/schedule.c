/* schedule.c - schedules: what is accepted, how it prints, what is refused, where and with which code.
 *
 * Fails if: a name, alias, number or key is read otherwise than documented, or something else than asked is run without
 * an error.
 *
 * runs: check, machines */
#include <locale.h>

#include "dls.h"
#include "dls/strategy.h"
#include "parse.h"

static void accepted(void)
{
	static const struct {
		const char *text, *canonical;
	} rows[] = {
		{ "gss", "gss" }, { " G S-S , 8 ", "gss,8" }, { "guided,8", "gss,8" }, { "Dynamic, 4", "ss,4" },
		{ "AUTO", "auto" }, { "trapezoidal,L=2,f=100", "tss,f=100,l=2" }, { "static_steal", "steal" },
		{ "nonmonotonic:dynamic", "nonmonotonic:ss" }, { "Mono-tonic : guided", "monotonic:gss" },
		{ "fsc,mu=1e-6,sigma=2e-7,h=1e-7", "fsc,mu=1e-06,sigma=2e-07,h=1e-07" },
		{ "fac,h=0,sigma=.5,mu=+1", "fac,mu=1,sigma=0.5,h=0" }, { "wf,weights=2:1:1.25", "wf,weights=2:1:1.25" },
		{ "wf , 3 , weights = 2 : 1", "wf,3,weights=2:1" },
		{ "rnd,seed=0,max=18446744073709551615", "rnd,max=18446744073709551615,seed=0" },
		{ "ss,18446744073709551615", "ss,18446744073709551615" }, { "ss,007", "ss,7" },
		{ "tap,alpha=0.1", "tap,alpha=0.1" }, { "RID", "rid" },
		{ " nonmonotonic : R-i_d , 256 ", "nonmonotonic:rid,256" },
		{ "rid,net=mesh:4x2,u=0.9,low=1,threshold=1,min=1", "rid,u=0.9,low=1,threshold=1,min=1,net=mesh:4x2" },
		{ "gss, Curve = Hilbert", "gss,curve=hilbert" }, { "frac,curve=morton", "frac,curve=morton" },
		{ "frac,curve=hilbert", "frac,curve=hilbert" }, { "wf,curve=rows,weights=2:1", "wf,weights=2:1,curve=rows" },
		{ "rid,9,curve=hilbert,u=0.9,block=all", "rid,9,u=0.9,block=all,curve=hilbert" },
		{ "static, Multiple = 064", "static,multiple=64" },
		{ "gss,multiple=4294967296,curve=morton", "gss,curve=morton,multiple=4294967296" },
		{ "rid,9,multiple=1,u=0.9", "rid,9,u=0.9,multiple=1" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		parses(rows[i].text, rows[i].canonical);
	for (size_t i = 0; dls_calc_at(i); i++)
		parses(dls_calc_at(i)->name, dls_calc_at(i)->name);
	for (size_t i = 0; dls_strategy_at(i); i++)
		parses(dls_strategy_at(i)->name, dls_strategy_at(i)->name);
	if (setlocale(LC_NUMERIC, "de_DE.UTF-8"))
		parses("tap,alpha=1.5", "tap,alpha=1.5");
}

static void refused(void)
{
	refuse(parse_schedule, DLS_ENOENT,
	       "[]|[gsss]|gss,[k]=4|nonmonotonic: rid,[bogus]=1|rid,[weights]=1:2|[solver]:gss|[gss;ss]|"
	       " [:]ss", "");
	refuse(parse_schedule, DLS_ERANGE,
	       "gss,[-4]|gss,[0]|gss,[18446744073709551616]|fac,mu=[0]|fac,mu=[-1]|fac,mu=[1e999]|"
	       "fac,sigma=[-0.1]|wf,weights=2:[0]:1|tss,f=[0]|fiss,b=[1]|rid,[0]|gss,multiple=[0]|"
	       "gss,multiple=[-64]|gss,multiple=[4294967297]|gss,multiple=[99999999999999999999]|"
	       "rid,multiple=[0]", "");
	refuse(parse_schedule, DLS_EINVAL,
	       "gss,[1.5]|gss,[4k]|gss,[]|gss,4,[5]|fac,mu=[nan]|fac,mu=[inf]|fac,mu=[0x1p3]|fac,mu=[]|"
	       "fac,mu=1,[mu]=2|wf,weights=2:[]:1|wf,weights=2:[x]|wf,weights=1,weights=[1]|tss,f=[1.5]|"
	       "[rnd,min=9,max=3]|[monotonic:steal]|[monotonic:rid,4]|[monotonic:r\tid]|rid,net=mesh:[4y]|"
	       "[static,3,weights=1:2]|[static,3,weights=site]|[nonmonotonic:static,weights=1:2]|"
	       "[nonmonotonic:static,weights=site]|gss,multiple=[]|gss,multiple=[many]|gss,multiple=[1.5]|"
	       "gss,[multiple]|gss,multiple=2,multiple=[2]|nonmonotonic:rid,multiple=2,multiple=[2]|"
	       "gss,curve=[]|gss,curve=[peano]|gss,curve=[1]|gss,[curve]|gss,curve=rows,curve=[rows]|"
	       "rid,curve=[peano]|nonmonotonic:rid,curve=rows,curve=[rows]|monotonic:[monotonic]:ss|"
	       "nonmonotonic: [solver] :ss|monotonic: [:]ss", "");
	CHECK_EQ(dls_schedule_parse(NULL, "gss", NULL), DLS_EINVAL);
}

/* Of calculators and strategies, in the same words. */
static void not_monotonic(void)
{
	refuse(parse_schedule, DLS_EINVAL, "[monotonic:frac],3",
	       "frac is not monotonic: iterations that come from another worker need not rise");
	refuse(parse_schedule, DLS_EINVAL, "[monotonic:rid,3]",
	       "rid is not monotonic: iterations that come from another worker need not rise");
}

static void long_texts(void)
{
	size_t n = (1 << 20) + 1;
	char *text = malloc(n + 1), print[8];
	struct dls_schedule *s = NULL;
	struct dls_parse_error error;

	memset(text, ' ', n);
	memcpy(text, "gss", 3);
	text[n] = 0;
	CHECK_EQ(dls_schedule_parse(&s, text, &error), DLS_ERANGE);
	text[n - 1] = 0;
	CHECK_EQ(dls_schedule_parse(&s, text, &error), 0);
	CHECK_EQ(dls_schedule_print(s, NULL, 0), 3);
	memset(print, 'x', sizeof(print));
	CHECK_EQ(dls_schedule_print(s, print, 3), 3);
	CHECK_TEXT(print, "gs");
	CHECK_EQ(print[3], 'x');
	dls_schedule_free(s);
	memset(text, ':', n - 1);
	memcpy(text, "wf,weights=", 11);
	CHECK(dls_schedule_parse(&s, text, &error) < 0);
	memset(text, ',', n - 1);
	CHECK_EQ(dls_schedule_parse(&s, text, &error), DLS_ENOENT);
	free(text);
}

static void weights(void)
{
	struct dls_schedule *s = parse("wf,weights=2:1:1");
	struct dls_loop_desc d = { .size = sizeof(d) };

	CHECK(dls_schedule_describe(s, 10, 3, 0, &d) == 0 && d.weight == 1.5);
	CHECK(dls_schedule_describe(s, 10, 3, 2, &d) == 0 && d.weight == 0.75);
	CHECK(dls_schedule_describe(s, 10, 2, 1, &d) == 0 && d.weight > 0.66 && d.weight < 0.67);	/* one is surplus */
	CHECK(dls_schedule_describe(s, 10, 5, 4, &d) == 0 && d.weight == 1);	/* missing: the mean */
	CHECK_EACH(DLS_EINVAL, dls_schedule_describe(s, 0, 1, 0, &d), dls_schedule_describe(s, 10, 0, 0, &d),
		   dls_schedule_describe(s, 10, 3, 3, &d));
	dls_schedule_free(s);
	dls_schedule_free(NULL);
}

/* A strategy is no calculator; its loops are described as static's, CHUNK included. */
static void strategies(void)
{
	struct dls_parse_error error;
	struct dls_schedule *s = parse("gss");
	struct dls_loop_desc d = { .size = sizeof(d) };

	CHECK(dls_schedule_calc(s) == dls_calc_find("gss") && !dls_schedule_strategy(s));
	dls_schedule_free(s);
	s = parse("rid,256");
	CHECK(!dls_schedule_calc(s) && dls_schedule_strategy(s) == dls_strategy_find("rid"));
	CHECK(dls_schedule_describe(s, 1000, 4, 3, &d) == 0 && d.chunk == 256 && d.weight == 1);
	dls_schedule_free(s);
	CHECK_EQ(dls_schedule_parse(&s, "nosuch", &error), DLS_ENOENT);
	CHECK(strstr(error.what, " steal ") && strstr(error.what, " rid ") && strstr(error.what, " dem"));
}

static void errors(void)
{
	for (int code = DLS_EDEADLK; code <= 0; code++)
		CHECK(strcmp(dls_strerror(code), "unknown error") != 0);
	CHECK_TEXT(dls_strerror(1), "unknown error");
	CHECK_TEXT(dls_strerror(-99), "unknown error");
	CHECK_TEXT(dls_version(), DLS_VERSION);
}

TEST_MAIN(T(accepted) T(not_monotonic) T(refused) T(long_texts) T(weights) T(strategies) T(errors))
