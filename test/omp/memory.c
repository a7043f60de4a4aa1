/* memory.c - loops of several kinds for memory.sh, which run each iteration exactly once; prints how many do not. */
#include <stdio.h>

enum { N = 500 };
static int hit[N];

static int check(int times)
{
	int wrong = 0;

	for (int i = 0; i < N; i++) {
		wrong += hit[i] != times;
		hit[i] = 0;
	}
	return wrong;
}

/* Within a region, with loops that follow each other without a barrier. */
static void rest(void)
{
#pragma omp for schedule(dynamic, 4) nowait
	for (int i = 0; i < N; i++)
		__atomic_fetch_add(&hit[i], 1, __ATOMIC_RELAXED);
#pragma omp for schedule(guided) nowait
	for (long i = N - 1; i >= 0; i--)
		__atomic_fetch_add(&hit[i], 1, __ATOMIC_RELAXED);
#pragma omp for schedule(runtime)
	for (unsigned i = 0; i < N; i++)
		__atomic_fetch_add(&hit[i], 1, __ATOMIC_RELAXED);
}

int main(void)
{
	int wrong = 0;

	for (int round = 0; round < 3; round++) {
#pragma omp parallel for schedule(dynamic)
		for (int i = 0; i < N; i++)
			hit[i]++;
		wrong += check(1);
#pragma omp parallel
		rest();
		wrong += check(3);
#pragma omp parallel for
		for (int i = 0; i < N; i++)
			hit[i]++;
#pragma omp parallel for reduction(+ : wrong) schedule(guided, 2)
		for (int i = 0; i < N; i++)
			wrong += hit[i] != 1;
		check(1);
	}
	printf("%d wrong\n", wrong);
	return wrong > 0;
}
