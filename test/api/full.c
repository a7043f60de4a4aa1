/* full.c - a calculator and a strategy that have as many parameters as there may be.
 *
 * Fails if: the last parameter is not known, printed or refused with what it accepts; one behind it is looked for; a list of whole
 * numbers is not read, printed or explained as one; or a table that is not valid is registered.
 *
 * runs: check, machines */
#include "deal.h"
#include "dls/strategy.h"
#include "parse.h"

static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "list" };

static struct dls_strategy strategy(void)
{
	struct dls_strategy s = { .size = sizeof(s), .name = "full-strategy", .source = "test", .idea = "has all" };

	_Static_assert(sizeof(names) / sizeof(*names) == DLS_VALUES_MAX, "a name for each");
	for (size_t i = 0; i < DLS_VALUES_MAX; i++)
		s.param[i] = (struct dls_param){ .name = names[i], .text = "a number", .max = 9, .value = "1", .whole = i % 2 };
	s.param[DLS_VALUES_MAX - 1].list = true;
	s.param[0].percent = true;
	s.param[1] = (struct dls_param){ .name = "b", .text = "a word", .min = 1, .words = "one two", .value = "one" };
	return s;
}

static struct dls_calc calc(void)
{
	struct dls_calc c = { .size = sizeof(c), .name = "full-calc", .init = deal_init, .next = deal_ones };

	for (size_t i = 0; i < DLS_PARAMS_MAX; i++)
		c.param[i] = (struct dls_param){ .name = names[i], .text = "a number", .max = 9, .whole = i % 2 };
	return c;
}

static void calculators(void)
{
	struct dls_calc c = calc();

	CHECK_EQ(dls_calc_register(&c), 0);
	parses("full-calc,a=1.5,b=2,c=3,d=9", "full-calc,a=1.5,b=2,c=3,d=9");
	parses("full-calc,d=0", "full-calc,d=0");
	refuse(parse_schedule, DLS_ERANGE, "full-calc,d=[10]", "from 0 to 9");
	refuse(parse_schedule, DLS_ENOENT, "full-calc,[e]=1", "d=");
}

static void strategies(void)
{
	struct dls_strategy s = strategy();

	CHECK_EQ(dls_strategy_register(&s), 0);
	parses("full-strategy,list=1:2:9,o=2.5,b=two", "full-strategy,b=two,o=2.5,list=1:2:9");
	parses("full-strategy, a=5 % ,n=7", "full-strategy,a=5%,n=7");
	refuse(parse_schedule, DLS_EINVAL, "full-strategy,list=1:[2.5]|full-strategy,list=[]",
	       "up to 32 whole numbers from 0 to 9 with colons between");
	refuse(parse_schedule, DLS_EINVAL, "full-strategy,a=[%]", "% after it for per cent");
	refuse(parse_schedule, DLS_EINVAL, "full-strategy,b=[three]", "one of: one two");
	refuse(parse_schedule, DLS_ENOENT, "full-strategy,[p]=1", "list=");
}

/* A strategy and a calculator of which the statement makes something that is not valid. */
#define CHECK_BAD(...) \
	do { \
		struct dls_strategy s = strategy(); \
		struct dls_calc c = calc(); \
\
		s.name = "bad-strategy"; \
		c.name = "bad-calc"; \
		__VA_ARGS__; \
		CHECK_EACH(DLS_EINVAL, dls_calc_register(&c), dls_strategy_register(&s)); \
	} while (0)

static void tables(void)
{
	static const char *const taken[] = { "net", "block", "curve", "multiple" };

	CHECK_BAD(s.param[15].name = c.param[3].name = "a");		/* two of a name */
	CHECK_BAD(s.param[3].name = c.param[3].name = "a-");		/* ... since a dash does not count */
	CHECK_BAD(s.param[3].name = c.param[3].name = "A b");
	CHECK_BAD(s.param[3].name = c.param[3].name = "Upper");
	CHECK_BAD(s.param[15].text = c.param[3].text = NULL);
	CHECK_BAD(s.param[15].min = c.param[3].min = -1);		/* whole, and below 0 */
	CHECK_BAD(s.param[14].min = c.param[2].min = 10);		/* no number, and no word */
	CHECK_BAD(s.param[2].value = NULL, c.param[2].value = "1");	/* a calculator's has no default, a strategy's one */
	CHECK_BAD(s.param[14].list = c.param[2].list = true);		/* two lists; a calculator has none */
	CHECK_BAD(s.param[14].calc = c.param[2].calc = true);
	CHECK_BAD(s.param[14].calc = true, c.param[2].calc = true, c.param[2].min = 10);	/* no word but the name of a calculator */
	CHECK_BAD(s.param[1].by_cost = "three", c.param[1].by_cost = "");	/* an unknown word by cost */
	CHECK_BAD(s.param[3].value = "10", c.param[3].percent = true);	/* a default out of range; per cent is for strategies */
	CHECK_BAD(s.param[3].value = "y", c.param[3].by_cost = "y");	/* ... or no number */
	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++)	/* by all strategies */
		CHECK_BAD(s.param[3].name = taken[i], c.param[3].text = NULL);
}

TEST_MAIN(T(calculators) T(strategies) T(tables))
