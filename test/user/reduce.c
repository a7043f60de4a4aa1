/* reduce.c - reductions of a user's program, in C and, included by reduce.cc, in C++: prints their bits. */
#include <stdio.h>
#include <string.h>
#include <dls.h>

struct range {
	double low, high;
};

static inline struct range everything(void)
{
	struct range r = { 1e300, -1e300 };

	return r;
}

static inline void widen(struct range *into, const struct range *from)
{
	if (from->low < into->low)
		into->low = from->low;
	if (from->high > into->high)
		into->high = from->high;
}

static inline double user_term(long i)
{
	return (double)(i * 7919 % 10007 - 5000) / (1 + (double)(i % 13));
}

/* In regions of their own, for the schedule of DLS_SCHEDULE. */
static inline int user_reductions(void)
{
	double sum = 1, product = 1;
	float half = 0;
	unsigned long bits = 0, mask = 0x7ff;
	long least = 0;
	bool all = true;
	struct range range = everything();

	DLS_REDUCE(+, double, sum, i, 0, 123457)
		sum += user_term(i);
	if (all)	/* without braces */
		DLS_REDUCE(*, double, product, i, 1000, 1, .step = -3, .name = "product")
			product *= 1 + 1.0 / i;
	DLS_PARALLEL() {
		DLS_FOR_REDUCE(+, float, half, i, 0u, 54321u, .nowait = true)
			half += (float)user_term((long)i);
		DLS_FOR_REDUCE(^, unsigned long, bits, i, 0, 1000)
			bits ^= (unsigned long)i << i % 50;
		DLS_FOR_REDUCE(&&, bool, all, i, 0, 77)
			all = all && i < 77;
		DLS_FOR_REDUCE_BY(widen, everything(), struct range, range, i, 0, 9999) {
			double x = user_term(i);
			struct range point = { x, x };

			widen(&range, &point);
		}
	}
	DLS_REDUCE(min, long, least, i, 0L, 3000L, .schedule = "ss") {
		if (user_term(i) < (double)least)
			least = (long)user_term(i);
	}
	DLS_REDUCE(&, unsigned long, mask, i, 0, 11)
		mask &= ~(1ul << 3);
	printf("%a %a %a %lx %d %a %a %ld %lx\n", sum, product, (double)half, bits, all, range.low, range.high, least, mask);
	return 0;
}

#ifndef __cplusplus
int main(void)
{
	return user_reductions();
}
#endif
