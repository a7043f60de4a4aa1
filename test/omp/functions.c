/* functions.c - loops of several kinds, each in a function of its own: for functions.sh.  The same in C and C++. */
#include <stdio.h>

enum { N = 1000, RUNS = 5 };
static int count[N];

#ifdef __cplusplus
#define FUNCTION extern "C" __attribute__((noinline))
namespace space {
#else
#define FUNCTION __attribute__((noinline))
#endif

__attribute__((noinline)) void relax(int n)
{
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < n; i++)
		count[i]++;
	count[0] += n - n;	/* the region is not the last that it does */
}

#ifdef __cplusplus
}
using space::relax;
#endif

FUNCTION void orphaned(int n)
{
#pragma omp for schedule(guided)
	for (int i = 0; i < n; i++)
		count[i]++;
}

FUNCTION int region(int n)
{
#pragma omp parallel
	{
		orphaned(n);
#pragma omp for schedule(dynamic, 5)
		for (int i = 0; i < n; i++)
			count[i]++;
	}
	return count[0];
}

FUNCTION long plain(int n)
{
	long sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < n; i++) {
		count[i]++;
		sum += i;
	}
	return sum;
}

FUNCTION int run(void)
{
	int wrong = 0;

	for (int k = 0; k < RUNS; k++) {
		relax(N);
		wrong += region(N) != 4 * k + 3;
		wrong += plain(N) != N * (N - 1L) / 2;
	}
	for (int i = 0; i < N; i++)
		wrong += count[i] != 4 * RUNS;
	printf("%d wrong\n", wrong);
	return wrong > 0;
}
#ifndef LIBRARY
int main(void)
{
	return run();
}
#endif
