/* schedule.c - schedules: what is accepted, how it prints, what is refused, where and with which code.
 *
 * Fails if: a name, alias, number or key is read otherwise than documented, or something else than asked is run without
 * an error. */
#include <locale.h>

#include "dls.h"
#include "dls/strategy.h"
#include "tap.h"

static void same(const char *text, const char *canonical)
{
	struct dls_schedule *s = NULL;
	char print[300];

	if (!CHECK(dls_schedule_parse(&s, text, NULL) == 0)) {
		tap_note("%s", text);
		return;
	}
	CHECK_EQ(dls_schedule_print(s, print, sizeof(print)), strlen(canonical));
	CHECK_TEXT(print, canonical);
	dls_schedule_free(s);
}

static void accepted(void)
{
	same("gss", "gss");
	same(" G S-S , 8 ", "gss,8");
	same("guided,8", "gss,8");
	same("Dynamic, 4", "ss,4");
	same("AUTO", "auto");
	same("trapezoidal,L=2,f=100", "tss,f=100,l=2");
	same("static_steal", "steal");
	same("nonmonotonic:dynamic", "nonmonotonic:ss");
	same("Mono-tonic : guided", "monotonic:gss");
	same("fsc,mu=1e-6,sigma=2e-7,h=1e-7", "fsc,mu=1e-06,sigma=2e-07,h=1e-07");
	same("fac,h=0,sigma=.5,mu=+1", "fac,mu=1,sigma=0.5,h=0");
	same("wf,weights=2:1:1.25", "wf,weights=2:1:1.25");
	same("wf , 3 , weights = 2 : 1", "wf,3,weights=2:1");
	same("rnd,seed=0,max=18446744073709551615", "rnd,max=18446744073709551615,seed=0");
	same("ss,18446744073709551615", "ss,18446744073709551615");
	same("ss,007", "ss,7");
	same("tap,alpha=0.1", "tap,alpha=0.1");
	same("RID", "rid");
	same(" nonmonotonic : R-i_d , 256 ", "nonmonotonic:rid,256");
	same("rid,net=mesh:4x2,u=0.9,low=1,threshold=1,min=1", "rid,u=0.9,low=1,threshold=1,min=1,net=mesh:4x2");
	same("gss, Curve = Hilbert", "gss,curve=hilbert");
	same("frac,curve=morton", "frac,curve=morton");
	same("frac,curve=hilbert", "frac,curve=hilbert");
	same("wf,curve=rows,weights=2:1", "wf,weights=2:1,curve=rows");
	same("rid,9,curve=hilbert,u=0.9,block=all", "rid,9,u=0.9,block=all,curve=hilbert");
	same("static, Multiple = 064", "static,multiple=64");
	same("gss,multiple=4294967296,curve=morton", "gss,curve=morton,multiple=4294967296");
	same("rid,9,multiple=1,u=0.9", "rid,9,u=0.9,multiple=1");
	for (size_t i = 0; dls_calc_at(i); i++)
		same(dls_calc_at(i)->name, dls_calc_at(i)->name);
	for (size_t i = 0; dls_strategy_at(i); i++)
		same(dls_strategy_at(i)->name, dls_strategy_at(i)->name);
	if (setlocale(LC_NUMERIC, "de_DE.UTF-8"))
		same("tap,alpha=1.5", "tap,alpha=1.5");
}

static void refuse(const char *text, int code, size_t at, size_t length)
{
	struct dls_schedule *s = NULL;
	struct dls_parse_error error = { .at = 999 };

	CHECK_EQ(dls_schedule_parse(&s, text, &error), code);
	CHECK(s == NULL);
	if (error.at != at || error.length != length || !error.what[0])
		tap_note("\"%s\": %s", text, error.what);
	CHECK_EQ(error.at, at);
	CHECK_EQ(error.length, length);
	for (const char *c = error.what; *c; c++)
		CHECK(*c >= ' ' && *c <= '~');
}

/* Of calculators and strategies, in the same words. */
static void not_monotonic(void)
{
	struct dls_parse_error error;
	struct dls_schedule *s;

	CHECK_EQ(dls_schedule_parse(&s, "monotonic:frac,3", &error), DLS_EINVAL);
	CHECK_TEXT(error.what, "frac is not monotonic: iterations that come from another worker need not rise");
	CHECK_EQ(dls_schedule_parse(&s, "monotonic:rid,3", &error), DLS_EINVAL);
	CHECK_TEXT(error.what, "rid is not monotonic: iterations that come from another worker need not rise");
}

static void refused(void)
{
	refuse("", DLS_ENOENT, 0, 0);
	refuse("gsss", DLS_ENOENT, 0, 4);
	refuse("gss,-4", DLS_ERANGE, 4, 2);
	refuse("gss,0", DLS_ERANGE, 4, 1);
	refuse("gss,18446744073709551616", DLS_ERANGE, 4, 20);
	refuse("gss,1.5", DLS_EINVAL, 4, 3);
	refuse("gss,4k", DLS_EINVAL, 4, 2);
	refuse("gss,", DLS_EINVAL, 4, 0);
	refuse("gss,4,5", DLS_EINVAL, 6, 1);
	refuse("gss,k=4", DLS_ENOENT, 4, 1);
	refuse("fac,mu=0", DLS_ERANGE, 7, 1);
	refuse("fac,mu=-1", DLS_ERANGE, 7, 2);
	refuse("fac,mu=nan", DLS_EINVAL, 7, 3);
	refuse("fac,mu=inf", DLS_EINVAL, 7, 3);
	refuse("fac,mu=1e999", DLS_ERANGE, 7, 5);
	refuse("fac,mu=0x1p3", DLS_EINVAL, 7, 5);
	refuse("fac,mu=", DLS_EINVAL, 7, 0);
	refuse("fac,mu=1,mu=2", DLS_EINVAL, 9, 2);
	refuse("fac,sigma=-0.1", DLS_ERANGE, 10, 4);
	refuse("wf,weights=2:0:1", DLS_ERANGE, 13, 1);
	refuse("wf,weights=2::1", DLS_EINVAL, 13, 0);
	refuse("wf,weights=2:x", DLS_EINVAL, 13, 1);
	refuse("wf,weights=1,weights=1", DLS_EINVAL, 21, 1);
	refuse("tss,f=0", DLS_ERANGE, 6, 1);
	refuse("tss,f=1.5", DLS_EINVAL, 6, 3);
	refuse("fiss,b=1", DLS_ERANGE, 7, 1);
	refuse("rnd,min=9,max=3", DLS_EINVAL, 0, 15);
	refuse("monotonic:steal", DLS_EINVAL, 0, 15);
	refuse("monotonic:rid,4", DLS_EINVAL, 0, 15);
	refuse("monotonic:r\tid", DLS_EINVAL, 0, 14);
	refuse("nonmonotonic: rid,bogus=1", DLS_ENOENT, 18, 5);
	refuse("rid,0", DLS_ERANGE, 4, 1);
	refuse("rid,net=mesh:4y", DLS_EINVAL, 13, 2);
	refuse("static,3,weights=1:2", DLS_EINVAL, 0, 20);
	refuse("static,3,weights=site", DLS_EINVAL, 0, 21);
	refuse("nonmonotonic:static,weights=1:2", DLS_EINVAL, 0, 31);
	refuse("nonmonotonic:static,weights=site", DLS_EINVAL, 0, 32);
	refuse("rid,weights=1:2", DLS_ENOENT, 4, 7);
	refuse("gss,multiple=", DLS_EINVAL, 13, 0);
	refuse("gss,multiple=0", DLS_ERANGE, 13, 1);
	refuse("gss,multiple=-64", DLS_ERANGE, 13, 3);
	refuse("gss,multiple=many", DLS_EINVAL, 13, 4);
	refuse("gss,multiple=1.5", DLS_EINVAL, 13, 3);
	refuse("gss,multiple=4294967297", DLS_ERANGE, 13, 10);
	refuse("gss,multiple=99999999999999999999", DLS_ERANGE, 13, 20);
	refuse("gss,multiple", DLS_EINVAL, 4, 8);
	refuse("gss,multiple=2,multiple=2", DLS_EINVAL, 24, 1);
	refuse("rid,multiple=0", DLS_ERANGE, 13, 1);
	refuse("nonmonotonic:rid,multiple=2,multiple=2", DLS_EINVAL, 37, 1);
	refuse("gss,curve=", DLS_EINVAL, 10, 0);
	refuse("gss,curve=peano", DLS_EINVAL, 10, 5);
	refuse("gss,curve=1", DLS_EINVAL, 10, 1);
	refuse("gss,curve", DLS_EINVAL, 4, 5);
	refuse("gss,curve=rows,curve=rows", DLS_EINVAL, 21, 4);
	refuse("rid,curve=peano", DLS_EINVAL, 10, 5);
	refuse("nonmonotonic:rid,curve=rows,curve=rows", DLS_EINVAL, 34, 4);
	refuse("solver:gss", DLS_ENOENT, 0, 6);
	refuse("gss;ss", DLS_ENOENT, 0, 6);
	refuse("monotonic:monotonic:ss", DLS_EINVAL, 10, 9);
	refuse("nonmonotonic: solver :ss", DLS_EINVAL, 14, 6);
	refuse("monotonic: :ss", DLS_EINVAL, 11, 1);
	refuse(" :ss", DLS_ENOENT, 1, 1);
	CHECK_EQ(dls_schedule_parse(NULL, "gss", NULL), DLS_EINVAL);
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
	struct dls_schedule *s;
	struct dls_loop_desc d = { .size = sizeof(d) };

	CHECK_EQ(dls_schedule_parse(&s, "wf,weights=2:1:1", NULL), 0);
	CHECK(dls_schedule_describe(s, 10, 3, 0, &d) == 0 && d.weight == 1.5);
	CHECK(dls_schedule_describe(s, 10, 3, 2, &d) == 0 && d.weight == 0.75);
	CHECK(dls_schedule_describe(s, 10, 2, 1, &d) == 0 && d.weight > 0.66 && d.weight < 0.67);	/* one is surplus */
	CHECK(dls_schedule_describe(s, 10, 5, 4, &d) == 0 && d.weight == 1);	/* missing: the mean */
	CHECK_EQ(dls_schedule_describe(s, 0, 1, 0, &d), DLS_EINVAL);
	CHECK_EQ(dls_schedule_describe(s, 10, 0, 0, &d), DLS_EINVAL);
	CHECK_EQ(dls_schedule_describe(s, 10, 3, 3, &d), DLS_EINVAL);
	dls_schedule_free(s);
	dls_schedule_free(NULL);
}

/* A strategy is no calculator; its loops are described as static's, CHUNK included. */
static void strategies(void)
{
	struct dls_parse_error error;
	struct dls_schedule *s;
	struct dls_loop_desc d = { .size = sizeof(d) };

	CHECK_EQ(dls_schedule_parse(&s, "gss", NULL), 0);
	CHECK(dls_schedule_calc(s) == dls_calc_find("gss") && !dls_schedule_strategy(s));
	dls_schedule_free(s);
	CHECK_EQ(dls_schedule_parse(&s, "rid,256", NULL), 0);
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
