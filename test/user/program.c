/* program.c - what users write, for compile.sh: warning free in every language and compiler, right when run. */
#include <dls.h>

#include <stdio.h>

#ifdef __cplusplus
#define restrict __restrict
#endif

/* A simple body is to be vectorised. */
static void add(double *restrict a, const double *b, int n)
{
	DLS_FOR(i, 0, n)
		a[i] += b[i];
}

static void add_plane(int n, int m, double *restrict a, const double *b)
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
		DLS_FOR(i, 0, n, .nowait = true, .name = "count", .schedule = "gss,2", .multiple = 4) {
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

/* In the column of the pragma that it replaces. */
static int count_at_the_left(void)
{
	int sum = 0, n = 7;

DLS_PARALLEL(num_threads(2) reduction(+ : sum))
	for (int k = 0; k < 3; k++)
		DLS_FOR(i, 0, n)
			sum += 1;
	n++;
DLS_PARALLEL(num_threads(2) reduction(+ : sum))
	sum += n == 8;
	sum += n == 8;
DLS_PARALLEL(num_threads(2))
	{
		DLS_FOR(i, 0, n)
			(void)i;
	}
	return sum;
}

/* The index has the type of `end` after integer promotion, by which int holds what a narrow bit-field does. */
#define IS_SIGNED(i) ((__typeof__(i))-1 < (__typeof__(i))1 && sizeof(i) == sizeof(int))
enum colour { RED, GREEN, BLUE };
static int count_promoted(void)
{
	__extension__ struct {
		unsigned narrow : 4, full : 32;
		unsigned long ten : 10, wide : 40;
		long below : 50;
		bool flag : 1;
	} of = { 3, 3, 3, 3, -3, true };
	volatile unsigned char byte = 3;
	const bool yes = true;
	const unsigned short few = 3;
	enum colour colour = BLUE;
	int count = 0, sum = 0;

	DLS_FOR(i, -1, of.narrow)
		count += IS_SIGNED(i);
	DLS_FOR_CHUNK(lo, hi, -1, of.ten)
		count += IS_SIGNED(lo) ? hi - lo : 0;
	DLS_FOR_2D(i, j, -1, of.narrow, -1, of.flag)
		count += IS_SIGNED(i) && IS_SIGNED(j);
	DLS_FOR(i, of.narrow, 9)
		count += IS_SIGNED(i);
	DLS_FOR(i, -1, byte)
		count += IS_SIGNED(i);
	DLS_FOR(i, -1, yes)
		count += IS_SIGNED(i);
	DLS_FOR(i, -1, few)
		count += IS_SIGNED(i);
	DLS_FOR(i, 0, of.full)
		count += !IS_SIGNED(i);
	DLS_FOR(i, 0, of.wide)
		count += sizeof(i) == 8;
	DLS_FOR(i, 0, of.below, .step = -1)
		count += sizeof(i) == 8;
	DLS_FOR(i, RED, colour)
		count++;
	DLS_PARALLEL_FOR_WITH((reduction(+ : count)), i, -1, of.narrow)
		count += IS_SIGNED(i);
	DLS_REDUCE(+, int, sum, i, -1, of.narrow)
		sum += i;
	return count + sum;
}

/* Clauses of the region. */
static int count_with(int n)
{
	int sum = 0, x = 1;

	DLS_PARALLEL_FOR_WITH((num_threads(2) default(none) firstprivate(n, x) reduction(+ : sum)), i, 0, n)
		sum += x;
	DLS_PARALLEL_FOR_CHUNK_WITH((if(n > 5) reduction(+ : sum)), lo, hi, 0, n, .schedule = "ss,3")
		sum += hi - lo;
	DLS_PARALLEL_FOR_2D_WITH((reduction(max : sum)), i, j, 0, n, 0, n, .name = "with")
		sum = sum > i * j ? sum : i * j;
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
	if (count_at_the_left() < 3 * 7 + 1 + 1 || count_with(10) != 81 || count_promoted() != 49)
		return 1;
	return count(100) == 149 ? 0 : (printf("%d\n", count(100)), 1);
}

#if defined(DLS_MACHINE_H) || defined(DLS_CLASS_H) || defined(DLS_NET_H) || defined(DLS_REPART_H) || defined(DLS_STRATEGY_H) || \
	defined(DLS_TASK_H)
#error "dls.h is for loops alone"
#endif
