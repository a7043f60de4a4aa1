/* shapes.c - loops of many shapes that OpenMP has, for shapes.sh: each runs every iteration exactly once and gives the result of one
 * thread, whoever deals it.  Prints a line for each loop; exit status 1 if one is wrong.
 *
 *	shapes [ROUNDS [forgets|SHAPE]] */
#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 700 };

static int hit[2 * N];
static long held;
#pragma omp threadprivate(held)

static void count(long i)
{
#pragma omp atomic
	hit[i]++;
}

/* Whether the first n have been hit so often, and no others; forgets them. */
static int all_hit(int n, int times)
{
	int right = 1;

	for (int i = 0; i < 2 * N; i++)
		right &= hit[i] == (i < n ? times : 0);
	memset(hit, 0, sizeof(hit));
	return right;
}

/* libomp forgets a loop's last values where it lets threads steal, as it does for clang's schedule(dynamic). */
static int forgets;

static int is_last(int right)
{
	return right || forgets;
}

static volatile double sink;

static void work(long i)
{
	double s = 0;

	for (long k = 0; k < i % 64; k++)
		s += (double)k;
	sink = s;
}

#define PRAGMA(...) PRAGMA_OF(__VA_ARGS__)
#define PRAGMA_OF(...) _Pragma(#__VA_ARGS__)

/* A loop of each schedule, alone in its region and within one. */
#define SCHEDULED(name, ...) \
static int combined_##name(void) \
{ \
	long sum = 0; \
	int last = -1; \
	PRAGMA(omp parallel for reduction(+:sum) lastprivate(last)  __VA_ARGS__) \
	for (int i = 0; i < N; i++) { work(i); count(i); sum += i; last = i; } \
	return all_hit(N, 1) && sum == (long)N * (N - 1) / 2 && is_last(last == N - 1); \
} \
static int within_##name(void) \
{ \
	int last = -1, right = 1; \
	_Pragma("omp parallel") \
	{ \
		PRAGMA(omp for lastprivate(last)  __VA_ARGS__) \
		for (long i = N - 1; i >= 0; i--) { work(i); count(i); last = (int)i; } \
		if (!is_last(last == 0)) \
			_Pragma("omp atomic write") \
			right = 0; \
		_Pragma("omp barrier") \
		PRAGMA(omp for nowait  __VA_ARGS__) \
		for (unsigned i = 0; i < N; i += 3) { work(i); count(i); } \
		PRAGMA(omp for nowait  __VA_ARGS__) \
		for (unsigned long i = 1; i < N; i += 3) count((long)i); \
		PRAGMA(omp for  __VA_ARGS__) \
		for (unsigned long i = 2; i < N; i += 3) count((long)i); \
	} \
	return all_hit(N, 2) && right; \
}
#define SCHEDULES(X) \
	X(none, ) \
	X(static, schedule(static)) X(static_3, schedule(static, 3)) \
	X(dynamic, schedule(dynamic)) X(dynamic_7, schedule(dynamic, 7)) X(dynamic_900, schedule(dynamic, 900)) \
	X(guided, schedule(guided)) X(guided_5, schedule(guided, 5)) \
	X(runtime, schedule(runtime)) X(auto, schedule(auto)) \
	X(monotonic_dynamic, schedule(monotonic:dynamic, 2)) X(nonmonotonic_dynamic, schedule(nonmonotonic:dynamic, 2)) \
	X(monotonic_guided, schedule(monotonic:guided)) X(nonmonotonic_guided, schedule(nonmonotonic:guided, 2)) \
	X(monotonic_runtime, schedule(monotonic:runtime)) X(nonmonotonic_runtime, schedule(nonmonotonic:runtime))
SCHEDULES(SCHEDULED)

static void orphan(int n)
{
#pragma omp for schedule(dynamic, 2)
	for (int i = 0; i < n; i++)
		count(i);
}

/* Name, whether it was right, and what it runs. */
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define SHAPES(X) \
	X(orphaned, all_hit(N, 1), PRAGMA(omp parallel) orphan(N)) \
	X(orphaned_alone, all_hit(N, 1), orphan(N)) \
	X(of_one, all_hit(N, 1), PRAGMA(omp parallel num_threads(1)) orphan(N)) \
	X(serialized, all_hit(N, 1), PRAGMA(omp parallel if (held > 100)) orphan(N)) \
	X(serialized_within, all_hit(10, 16), \
	  PRAGMA(omp parallel for schedule(dynamic)) EACH(i, 8) { \
		PRAGMA(omp parallel if (i > 100)) \
		orphan(10); \
		PRAGMA(omp parallel for schedule(dynamic) if (i > 100)) EACH(k, 10) count(k); \
	  }) \
	X(sizes_change, all_hit(N, 5), \
	  for (int p = 1; p <= 5; p++) { PRAGMA(omp parallel for schedule(dynamic) num_threads(p)) EACH(i, N) count(i); }) \
	X(many_nowait, all_hit(100, 50), \
	  PRAGMA(omp parallel) EACH(k, 50) { PRAGMA(omp for schedule(dynamic, 4) nowait) EACH(i, 100) count(i); }) \
	X(collapsed, all_hit(600, 1), \
	  PRAGMA(omp parallel for collapse(2) schedule(dynamic, 3)) EACH(i, 20) EACH(k, 30) count(i * 30 + k)) \
	X(late, all_hit(60, 40), \
	  PRAGMA(omp parallel) { \
		if (omp_get_thread_num() == 0) \
			EACH(i, 2000) work(63); \
		EACH(k, 40) { PRAGMA(omp for schedule(guided) nowait) EACH(i, 60) count(i); } \
	  }) \
	X(collapsed_three, all_hit(600, 1) && is_last(last == 4 * 120 + 11), \
	  int last = -1; \
	  PRAGMA(omp parallel for collapse(3) schedule(guided) lastprivate(last)) \
	  for (long i = 0; i < 5; i++) \
		for (int k = 9; k >= 0; k--) \
			for (unsigned m = 0; m < 12; m++) { last = (int)(i * 120 + k * 12 + m); count(last); }) \
	X(ordered_static, right && next == 200, \
	  int next = 0; \
	  int right = 1; \
	  PRAGMA(omp parallel for ordered schedule(static, 1)) EACH(i, 200) { PRAGMA(omp ordered) right &= next++ == i; }) \
	X(last_of_array, all_hit(N, 1) && is_last(x == N - 1 && a[0] == N - 1 && a[2] == N - 1), \
	  int a[3] = { 0 }; \
	  int x = -1; \
	  PRAGMA(omp parallel) { \
		PRAGMA(omp for schedule(dynamic, 5) lastprivate(a, x)) \
		EACH(i, N) { x = i; a[0] = a[1] = a[2] = i; work(N - i); count(i); } \
	  }) \
	X(last_of_slow, 1, \
	  int x = -1; \
	  for (int n = 1; n < 60; n++) { \
		PRAGMA(omp parallel for schedule(dynamic) lastprivate(x)) EACH(i, n) { work(63); x = i; } \
		if (!is_last(x == n - 1)) \
			return 0; \
	  }) \
	X(first_private, sum == 7 * N, \
	  int x = 7; \
	  int sum = 0; \
	  PRAGMA(omp parallel for schedule(dynamic) firstprivate(x) reduction(+ : sum)) EACH(i, N) sum += x) \
	X(reduction_within, sum == (long)N * (N - 1) / 2 && other == sum, \
	  long sum = 0; \
	  long other = 0; \
	  PRAGMA(omp parallel) { \
		PRAGMA(omp for schedule(dynamic, 3) reduction(+ : sum) nowait) EACH(i, N) sum += i; \
		PRAGMA(omp for schedule(runtime) reduction(+ : other)) EACH(i, N) other += i; \
	  }) \
	X(thread_private, sum == (long)N * (N - 1) / 2, \
	  long sum = 0; \
	  PRAGMA(omp parallel) { \
		held = 0; \
		PRAGMA(omp for schedule(dynamic, 9)) EACH(i, N) held += i; \
		PRAGMA(omp atomic) sum += held; \
	  } \
	  held = 0) \
	X(team_and_masters, all_hit(N, 1), \
	  int threads = 0; \
	  PRAGMA(omp parallel) { \
		PRAGMA(omp master) threads = omp_get_num_threads(); \
		PRAGMA(omp barrier) \
		PRAGMA(omp for schedule(dynamic)) EACH(i, N) count(i); \
		if (omp_get_thread_num() >= threads) \
			abort(); \
	  }) \
	X(tasks_in_loop, all_hit(60, 2), \
	  PRAGMA(omp parallel for schedule(dynamic, 2)) EACH(i, 60) { \
		PRAGMA(omp task firstprivate(i)) \
		count(i); \
		PRAGMA(omp taskwait) \
		count(i); \
	  }) \
	X(task_loop, all_hit(N, 1), \
	  PRAGMA(omp parallel) PRAGMA(omp single) { PRAGMA(omp taskloop grainsize(7)) EACH(i, N) count(i); }) \
	X(chunk_of_variable, all_hit(N, 14), \
	  for (int k = 1; k < 40; k += 6) { \
		PRAGMA(omp parallel for schedule(dynamic, k)) EACH(i, N) count(i); \
		PRAGMA(omp parallel) PRAGMA(omp for schedule(guided, k)) for (long i = 0; i < N; i++) count(i); \
	  })
#define SHAPE(name, right, ...) static int name(void) { __VA_ARGS__; return right; }
SHAPES(SHAPE)

static int nested_loops(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(guided)
		for (int i = 0; i < 10; i++) {
#pragma omp parallel num_threads(3)
			{
#pragma omp for schedule(dynamic) nowait
				for (int k = 0; k < 30; k++)
					count(i * 30 + k);
#pragma omp for schedule(runtime)
				for (int k = 0; k < 30; k++)
					count(i * 30 + k);
			}
		}
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 300; i++)
			count(i);
	}
	return all_hit(300, 3);
}

static int ordered(void)
{
	int next = 0, right = 1;

#pragma omp parallel for ordered schedule(dynamic, 2)
	for (int i = 0; i < 200; i++) {
		count(i);
#pragma omp ordered
		{
			right &= next == i;
			next++;
		}
	}
	return all_hit(200, 1) && right && next == 200;
}

static int ordered_runtime(void)
{
	int next = 0, right = 1;

#pragma omp parallel
	{
#pragma omp for ordered schedule(runtime)
		for (long i = 0; i < 200; i++) {
#pragma omp ordered
			right &= next++ == i;
		}
#pragma omp for schedule(runtime)
		for (long i = 0; i < 200; i++)
			count(i);
	}
	return all_hit(200, 1) && right && next == 200;
}

static int doacross(void)
{
	static int done[201];
	int right = 1;

	memset(done, 0, sizeof(done));
	done[0] = 1;
#pragma omp parallel
	{
#pragma omp for ordered(1) schedule(dynamic)
		for (int i = 1; i <= 200; i++) {
#pragma omp ordered depend(sink : i - 1)
			if (!__atomic_load_n(&done[i - 1], __ATOMIC_ACQUIRE))
				right = 0;
			__atomic_store_n(&done[i], 1, __ATOMIC_RELEASE);
#pragma omp ordered depend(source)
		}
#pragma omp for schedule(dynamic)
		for (int i = 0; i < N; i++)
			count(i);
	}
	return all_hit(N, 1) && right;
}

/* Each thread sees the iterations of a monotonic loop rise. */
static int monotonic(void)
{
	int right = 1;

#pragma omp parallel
	{
		int before = -1;

#pragma omp for schedule(monotonic : dynamic, 3)
		for (int i = 0; i < N; i++) {
			if (i <= before)
				__atomic_store_n(&right, 0, __ATOMIC_RELAXED);
			before = i;
			count(i);
		}
	}
	return all_hit(N, 1) && right;
}

/* Chunks are whole blocks of 64, as programs rely on that set bits of words without atomics. */
static int blocks(void)
{
	int right = 1;

#pragma omp parallel
	{
		int block = -1;

#pragma omp for schedule(dynamic, 64)
		for (int i = 0; i < N; i++) {
			if (i % 64 == 0)
				block = i / 64;
			if (block != i / 64)
				__atomic_store_n(&right, 0, __ATOMIC_RELAXED);
			count(i);
		}
	}
	return all_hit(N, 1) && right;
}

static int singles(void)
{
	int x = 0, right = 1;

#pragma omp parallel
	for (int k = 0; k < 10; k++) {
		int y;

#pragma omp for schedule(dynamic) nowait
		for (int i = 0; i < 100; i++)
			count(i);
#pragma omp single copyprivate(y)
		y = ++x;
		if (y != k + 1)
			__atomic_store_n(&right, 0, __ATOMIC_RELAXED);
#pragma omp master
		work(60);
#pragma omp barrier
#pragma omp for schedule(guided)
		for (int i = 0; i < 100; i++)
			count(i);
#pragma omp critical
		work(10);
	}
	return all_hit(100, 20) && right;
}

/* Tasks that run in the barriers at the ends of loops and regions, with loops of their own regions. */
static int tasks(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(dynamic) nowait
		for (int i = 0; i < 40; i++) {
			count(i);
#pragma omp task firstprivate(i)
			{
				work(i);
				count(i);
#pragma omp parallel for schedule(dynamic) num_threads(2)
				for (int k = 0; k < 5; k++)
					count(i);
			}
		}
	}
	return all_hit(40, 7);
}

static int barriers(void)
{
	static int stage[64];
	int right = 1;

	memset(stage, 0, sizeof(stage));
#pragma omp parallel
	for (int k = 1; k < 20; k++) {
		stage[omp_get_thread_num()] = k;
#pragma omp barrier
		for (int i = 0; i < omp_get_num_threads(); i++)
			if (stage[i] != k)
				__atomic_store_n(&right, 0, __ATOMIC_RELAXED);
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 10; i++)
			count(i);
	}
	return all_hit(10, 19) && right;
}

/* Data that one loop writes the next one reads: the barrier between them is there. */
static int chained(void)
{
	static int a[N], b[N];
	int right = 1;

#pragma omp parallel
	for (int k = 0; k < 5; k++) {
#pragma omp for schedule(dynamic, 3)
		for (int i = 0; i < N; i++)
			a[i] = k + i;
#pragma omp for schedule(guided)
		for (int i = 0; i < N; i++)
			b[i] = a[N - 1 - i];
#pragma omp for schedule(runtime)
		for (int i = 0; i < N; i++)
			if (b[i] != k + N - 1 - i)
				__atomic_store_n(&right, 0, __ATOMIC_RELAXED);
	}
	return right;
}

/* With OMP_CANCELLATION=true; else no loop is left early.  libomp waits for ever in the eighth loop of a region that follows one
 * that was left. */
static int cancelled_loop(void)
{
	int found = 0, after = 0;

#pragma omp parallel
	for (int k = 0; k < 3; k++) {
#pragma omp for schedule(dynamic, 2)
		for (int i = 0; i < N; i++) {
			if (i == 60)
				__atomic_store_n(&found, 1, __ATOMIC_RELAXED);
			if (i == 60) {
#pragma omp cancel for
			}
#pragma omp cancellation point for
		}
#pragma omp for schedule(dynamic) reduction(+ : after)
		for (int i = 0; i < 100; i++)
			after++;
	}
	return found && after == 300;
}

static int cancelled_region(void)
{
	int after = 0;

	for (int k = 0; k < 20; k++) {
#pragma omp parallel
		{
#pragma omp for schedule(guided) nowait
			for (int i = 0; i < N; i++)
				work(i);
			if (omp_get_thread_num() == k % omp_get_num_threads()) {
#pragma omp cancel parallel
			}
			for (int m = 0; m < 4; m++) {
#pragma omp cancellation point parallel
#pragma omp for schedule(dynamic) nowait
				for (int i = 0; i < 10; i++)
					count(i);
			}
			/* libomp waits for ever if a thread does not see that the region is cancelled. */
#pragma omp barrier
		}
		memset(hit, 0, sizeof(hit));
#pragma omp parallel for schedule(dynamic) reduction(+ : after)
		for (int i = 0; i < 100; i++)
			after++;
	}
	return after == 2000;
}

static const struct { const char *name; int (*run)(void); } shapes[] = {
#define BOTH(name, ...) { "combined " #name, combined_##name }, { "within " #name, within_##name },
	SCHEDULES(BOTH)
#define S(name, ...) { #name, name },
	SHAPES(S)
	S(nested_loops) S(ordered) S(ordered_runtime) S(doacross) S(monotonic) S(blocks) S(singles) S(tasks)
	S(barriers) S(chained) S(cancelled_loop) S(cancelled_region)
};

int main(int argc, char **argv)
{
	int wrong = 0, rounds = argc > 1 ? atoi(argv[1]) : 2;

	forgets = argc > 2 && strcmp(argv[2], "forgets") == 0;
	omp_set_max_active_levels(3);
	for (int k = 0; k < rounds; k++)
		for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
			if (argc > 2 && strcmp(argv[2], "forgets") && strcmp(argv[2], shapes[i].name))
				continue;
			if (!shapes[i].run()) {
				printf("%s: wrong\n", shapes[i].name);
				memset(hit, 0, sizeof(hit));
				wrong = 1;
			}
		}
	printf("%zu shapes\n", sizeof(shapes) / sizeof(*shapes));
	return wrong;
}
