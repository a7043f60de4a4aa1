/* static.c - a triangular loop without a schedule, and regions that only look like one: for static.sh.  Prints sums and last values. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static volatile double sink;

static void work(int n)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += i * 0.5;
	sink = s;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 3000, rounds = argc > 2 ? atoi(argv[2]) : 10, last = -1, singles = 0;
	long sum = 0, other = 0, third = 0;

	for (int r = 0; r < rounds; r++) {
#pragma omp parallel for reduction(+ : sum) lastprivate(last)	/* line 23 */
		for (int i = 0; i < n; i++) {
			work(i);
			sum += i;
			last = i;
		}
#pragma omp parallel	/* line 29: two loops and a barrier */
		{
#pragma omp for reduction(+ : other)
			for (int i = 0; i < n; i++)
				other += i;
#pragma omp for
			for (int i = 0; i < n; i++)
				work(i % 8);
		}
#pragma omp parallel	/* line 38: one of its threads does more */
		{
#pragma omp for reduction(+ : third) nowait
			for (int i = 0; i < n; i++)
				third += i;
#pragma omp single nowait
			singles++;
		}
	}
	printf("%ld %d %ld %ld %d\n", sum, last, other, third, singles);
	return 0;
}
