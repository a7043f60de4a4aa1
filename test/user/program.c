/* program.c - what users write, for compile.sh: warning free in every language and compiler, right when run. */
#include <dls.h>

#include <stdio.h>

/* A simple body is to be vectorised. */
void add(double *DLS_USER_RESTRICT a, const double *b, int n)
{
	DLS_FOR(i, 0, n)
		a[i] += b[i];
}

void add_plane(int n, int m, double *DLS_USER_RESTRICT a, const double *b)
{
	DLS_FOR_2D(i, j, 0, n, 0, m)
		a[(long)i * m + j] += b[(long)i * m + j];
}

static int count_pairs(int n)
{
	int sum = 0;

	DLS_PARALLEL(default(none) firstprivate(n) num_threads(2) reduction(+ : sum)) {
		DLS_FOR_2D(i, j, 0u, (unsigned char)9, n, 2L * n, .nowait = true, .name = "pairs", .schedule = "gss,curve=hilbert") {
			if (j == n)
				continue;
			sum += 1;
		}
		DLS_FOR_2D(i, j, 0, 10, 0, n)
			sum += i < j;
	}
	return sum;
}

static int count(int n)
{
	int sum = 0;

	DLS_PARALLEL(default(none) firstprivate(n) num_threads(2) reduction(+ : sum)) {
		DLS_FOR(i, 0, n, .nowait = true, .name = "count", .schedule = "gss,2") {
			if (i == 3)
				continue;
			sum += 1;
		}
		DLS_FOR_CHUNK(lo, hi, n, 0, .step = -2)
			for (int i = lo; i > hi; i -= 2)
				sum += 1;
	}
	return sum;
}

int main(void)
{
	double a[100] = { 0 }, b[100];

	DLS_PARALLEL_FOR(i, 0, 100, .step = 1)
		b[i] = (double)i;
	DLS_PARALLEL_FOR_CHUNK(lo, hi, 0u, 100u)
		for (unsigned i = lo; i < hi; i++)
			a[i] = 1;
	DLS_PARALLEL(num_threads(2)) {
		add(a, b, 100);
	}
	DLS_PARALLEL_FOR_2D(i, j, 0, 10, 0, 10)
		a[10 * i + j] -= 1;
	DLS_PARALLEL(num_threads(2)) {
		add_plane(10, 10, a, b);
	}
	for (int i = 0; i < 100; i++)
		if (a[i] < 2 * i || a[i] > 2 * i)
			return 1;
	if (count_pairs(20) != 9 * 19 + 19 + 18 + 17 + 16 + 15 + 14 + 13 + 12 + 11 + 10)
		return 1;
	return count(100) == 149 ? 0 : (printf("%d\n", count(100)), 1);
}

#if defined(DLS_MACHINE_H) || defined(DLS_CLASS_H) || defined(DLS_NET_H) || defined(DLS_REPART_H) || defined(DLS_STRATEGY_H) || \
	defined(DLS_TASK_H)
#error "dls.h is for loops alone"
#endif
