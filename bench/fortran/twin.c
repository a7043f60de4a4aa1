/* twin.c - the loops of overhead.f90 in C. */
#include <omp.h>

#include "dls.h"

double twin_region(int n, int loops);
double twin_plain(int n, int loops);
double twin_reduce(int n, int loops);

static double work[64];

/* Seconds per loop, in a region of the library. */
double twin_region(int n, int loops)
{
	double begun = omp_get_wtime();

	DLS_PARALLEL()
		for (int k = 0; k < loops; k++)
			DLS_FOR(i, 0, n, .schedule = "ss")
				work[8 * (i % 8)] += i;
	return (omp_get_wtime() - begun) / loops;
}

/* Seconds per loop, in a plain region. */
double twin_plain(int n, int loops)
{
	double begun = omp_get_wtime();

#pragma omp parallel
	for (int k = 0; k < loops; k++)
		DLS_FOR(i, 0, n, .schedule = "ss")
			work[8 * (i % 8)] += i;
	return (omp_get_wtime() - begun) / loops;
}

/* Seconds per reduction, in a region of the library. */
double twin_reduce(int n, int loops)
{
	double begun = omp_get_wtime(), sum = 0;

	DLS_PARALLEL()
		for (int k = 0; k < loops; k++)
			DLS_FOR_REDUCE(+, double, sum, i, 0, n, .schedule = "ss")
				sum += i;
	return (omp_get_wtime() - begun) / loops;
}
