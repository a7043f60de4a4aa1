/* stack.c - loops on threads that have used up so many bytes of their stacks, and with a second argument
 * regions in a region: for stack.sh.  Crashes if they need more than is left; prints how many iterations are
 * wrong. */
#include <alloca.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 400, ROUNDS = 20, LOOPS = 8 };

static int count[N], nested;

static void hit(int i)
{
	__atomic_fetch_add(&count[i], 1, __ATOMIC_RELAXED);
}

static void use(volatile char *bytes, int n)
{
	for (int i = 0; i < n; i++)
		bytes[i] = 1;
}

static void inner(void)
{
#pragma omp parallel for num_threads(1 + nested) schedule(dynamic) if(nested)
	for (int i = 0; i < N / 2; i++)
		hit(i);
}

static void region(int bytes)
{
#pragma omp parallel
	{
		int mine = omp_get_num_threads() > 1 ? bytes : 0;

		use(alloca((size_t)mine + 1), mine);
#pragma omp for schedule(guided) nowait
		for (int i = 0; i < N; i++)
			hit(i);
#pragma omp for schedule(dynamic)
		for (unsigned long long i = 0; i < N; i++)
			hit((int)i);
#pragma omp for schedule(runtime)
		for (int i = 0; i < N; i++)
			hit(i);
#pragma omp for
		for (int i = 0; i < N; i++)
			hit(i);
#pragma omp barrier
#pragma omp for schedule(nonmonotonic : dynamic, 7)
		for (int i = 0; i < N; i++)
			hit(i);
		if (omp_get_thread_num() == omp_get_num_threads() - 1)
			inner();
#pragma omp master
		for (int i = N / 2; i < N; i++)
			hit(i);
	}
}

static void combined(int bytes)
{
	int left = bytes;		/* for a thread's first iteration */

#pragma omp parallel for firstprivate(left)
	for (int i = 0; i < N; i++) {
		if (left > 0)
			use(alloca((size_t)left), left);
		left = 0;
		hit(i);
	}
#pragma omp parallel for schedule(dynamic, 50) firstprivate(left)
	for (int i = 0; i < N; i++) {
		if (left > 0)
			use(alloca((size_t)left), left);
		left = 0;
		hit(i);
	}
}

int main(int argc, char **argv)
{
	int bytes = argc > 1 ? atoi(argv[1]) : 0, wrong = 0;

	nested = argc > 2;
	omp_set_max_active_levels(2);
	for (int r = 0; r < ROUNDS; r++) {
		region(bytes);
		combined(bytes);
	}
	for (int i = 0; i < N; i++)
		wrong += count[i] != LOOPS * ROUNDS;
	printf("%d wrong\n", wrong);
	return 0;
}
