/* costs.c - the costs of a chunk, of a region with a loop, and of a nowait loop: prints ns of wall time, medians of 9, for costs. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef BRIEF
enum { RUNS = 1, CHUNKS = 2000, REGIONS = 40, LOOPS = 200 };
#else
enum { RUNS = 9, CHUNKS = 200000, REGIONS = 4000, LOOPS = 20000 };
#endif

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double chunk(void)
{
	double began = now();

#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < CHUNKS; i++)
		__asm__ volatile("");
	return (now() - began) / CHUNKS;
}

static double region(void)
{
	double began = now();

	for (int k = 0; k < REGIONS; k++) {
#pragma omp parallel for schedule(dynamic)
		for (int i = 0; i < 2; i++)
			__asm__ volatile("");
	}
	return (now() - began) / REGIONS;
}

static double nowait(void)
{
	double began = now();

#pragma omp parallel
	for (int k = 0; k < LOOPS; k++) {
#pragma omp for schedule(dynamic) nowait
		for (int i = 0; i < 2; i++)
			__asm__ volatile("");
	}
	return (now() - began) / LOOPS;
}

static int order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double (*of)(void))
{
	double time[RUNS];

	of();
	for (int i = 0; i < RUNS; i++)
		time[i] = of();
	qsort(time, RUNS, sizeof(*time), order);
	return time[RUNS / 2];
}

int main(void)
{
	double c = median(chunk), r = median(region), n = median(nowait);

	printf("%.1f %.0f %.0f\n", c, r, n);
	return 0;
}
