/* weaken.c - runs the tests, then those that meet an order once more with that order weakened, until one fails, except
 * those of interleavings; of a program with a planted fault, the tests until one fails. */
#include <stdio.h>

#include "explore.h"

static const char *const order_name[] = { "relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst" };

/* The next weaker order, in turn; false: there is none any more. */
static bool weaker(enum order from, unsigned i, enum order *to)
{
	if (from == ACQ_REL && i < 2)
		*to = i == 0 ? ACQUIRE : RELEASE;
	else if ((from == ACQUIRE || from == RELEASE) && i == 0)
		*to = RELAXED;
	else
		return false;
	return true;
}

int weak_main(const struct weak_test *tests, unsigned count, int weaken, int faulty)
{
	unsigned executions, cut, sites, bad = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	explore_set_up();
	printf("1..%u\n", count);
	for (unsigned i = 0; i < count && !(faulty && bad); i++) {
		bool ok = explore(i, &tests[i], &executions, &cut) == (tests[i].outcomes != WEAK_FAILS);

		bad += !ok;
		printf("%s %u - %s: %u executions, %u cut, %u states\n", ok ? "ok" : "not ok", i + 1, tests[i].name, executions, cut,
		       x->met);
		if (!ok)
			printf("# %s\n", x->why);
	}
	sites = bad || faulty || !weaken ? 0 : x->sites;
	for (unsigned s = 0; s < sites; s++) {
		enum order from = x->site[s].order, to;

		for (unsigned k = 0; weaker(from, k, &to); k++) {
			const char *killer = NULL;
			uint64_t tests_of_site = x->site[s].tests;

			x->weak = x->site[s];
			x->weak_to = to;
			for (unsigned i = 0; i < count && !killer; i++)
				if (tests_of_site >> i & 1 && !(tests[i].waits & WEAK_INTERLEAVED) && !explore(i, &tests[i], &executions, &cut))
					killer = tests[i].name;
			printf("# weakened %#lx %s %s %s %s %s: %s\n", (unsigned long)x->site[s].address - 1,
			       x->site[s].role == FAILURE ? "failure" : "operation", order_name[from], order_name[to],
			       killer ? "killed" : "survived", killer ? killer : "-", killer ? x->why : "-");
			x->weak.address = 0;
		}
	}
	return bad != 0;
}
