/* entries.c - calls of libgomp's functions as older and newer versions of gcc compile them: for entries.sh.  Each loop, up and
 * down, of long and of unsigned long long, runs each iteration exactly once: in a region, as a region and without one.  Prints what
 * is wrong; exit status 1 if anything is. */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef unsigned long long ull;

enum { N = 300, CHUNK = 7 };
static const ull TOP = ULLONG_MAX - 50;	/* above what a long holds */
static int hit[N], wrong;

static void is_once(const char *what)
{
	for (int i = 0; i < N; i++)
		if (hit[i] != 1) {
			printf("%s: iteration %d ran %d times\n", what, i, hit[i]);
			wrong++;
			break;
		}
	memset(hit, 0, sizeof(hit));
}

static void count(ull i)
{
	if (i < N)
		__atomic_fetch_add(&hit[i], 1, __ATOMIC_RELAXED);
	else
		__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

static void run(long first, long past, long step, long begin)
{
	for (long i = first; step > 0 ? i < past : i > past; i += step)
		count((ull)((i - begin) / step));
}

static void run_ull(bool up, ull first, ull past, ull step, ull begin)
{
	for (ull i = first; up ? i < past : i > past; i += step)
		count(up ? (i - begin) / step : (begin - i) / (0 - step));
}

void GOMP_parallel(void (*)(void *), void *, unsigned, unsigned);
void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);
bool GOMP_loop_end_cancel(void);

/* A loop: its name, whose functions it calls, the type of its bounds, what it starts with, does with each chunk and ends with. */
#define LOOP(name, of, type, start, work, end) \
static void name(void *arg) \
{ \
	type first, past; \
\
	(void)arg; \
	if (GOMP_loop_##of##_start start) \
		do \
			work; \
		while (GOMP_loop_##of##_next(&first, &past)); \
	end; \
}

/* The functions of a kind; `chunk` and `chunk_type` are "CHUNK," and "long,", or nothing. */
#define KIND(kind, chunk, chunk_type) \
bool GOMP_loop_##kind##_start(long, long, long, chunk_type long *, long *); \
bool GOMP_loop_##kind##_next(long *, long *); \
bool GOMP_loop_ull_##kind##_start(bool, ull, ull, ull, chunk_type ull *, ull *); \
bool GOMP_loop_ull_##kind##_next(ull *, ull *); \
void GOMP_parallel_loop_##kind(void (*)(void *), void *, unsigned, long, long, long, chunk_type unsigned); \
\
LOOP(up_##kind, kind, long, (-100, -100 + 3 * N - 1, 3, chunk &first, &past), run(first, past, 3, -100), \
     if (arg) GOMP_loop_end(); else GOMP_loop_end_nowait()) \
LOOP(down_##kind, kind, long, (N, 0, -1, chunk &first, &past), run(first, past, -1, N), GOMP_loop_end()) \
LOOP(none_##kind, kind, long, (5, 5, 1, chunk &first, &past), count(N), GOMP_loop_end_nowait()) \
LOOP(ull_up_##kind, ull_##kind, ull, (true, TOP - 5 * N, TOP, 5, chunk &first, &past), run_ull(true, first, past, 5, TOP - 5 * N), \
     if (!arg) GOMP_loop_end(); else if (GOMP_loop_end_cancel()) count(N)) \
LOOP(ull_down_##kind, ull_##kind, ull, (false, TOP, TOP - 2 * N, (ull)-2, chunk &first, &past), \
     run_ull(false, first, past, (ull)-2, TOP), GOMP_loop_end_nowait()) \
LOOP(ull_none_##kind, ull_##kind, ull, (true, TOP, TOP, 1, chunk &first, &past), count(N), GOMP_loop_end_nowait()) \
static void region_##kind(void *arg) \
{ \
	long first, past; \
\
	(void)arg; \
	while (GOMP_loop_##kind##_next(&first, &past)) \
		run(first, past, 1, 10); \
	GOMP_loop_end_nowait(); \
} \
static void all_##kind(void) \
{ \
	static void (*const once[])(void *) = { up_##kind, down_##kind, ull_up_##kind, ull_down_##kind }; \
	static void (*const none[])(void *) = { none_##kind, ull_none_##kind }; \
\
	for (int i = 0; i < 4; i++) { \
		once[i](NULL); \
		is_once(#kind " without a region"); \
		GOMP_parallel(once[i], &hit, 0, 0); \
		is_once(#kind " in a region"); \
		GOMP_parallel(once[i], &wrong, 1, 0); \
		is_once(#kind " in a region of one thread"); \
	} \
	for (int i = 0; i < 2; i++) \
		GOMP_parallel(none[i], NULL, 0, 0); \
	GOMP_parallel_loop_##kind(region_##kind, NULL, 0, 10, 10 + N, 1, chunk 0); \
	is_once(#kind " as a region"); \
}
#define LONG long,
#define OF_CHUNK CHUNK,
#define KINDS(X) \
	X(dynamic, OF_CHUNK, LONG) X(guided, OF_CHUNK, LONG) X(nonmonotonic_dynamic, OF_CHUNK, LONG) \
	X(nonmonotonic_guided, OF_CHUNK, LONG) X(runtime, , ) X(maybe_nonmonotonic_runtime, , ) X(nonmonotonic_runtime, , )
KINDS(KIND)

bool GOMP_loop_static_start(long, long, long, long, long *, long *);
bool GOMP_loop_static_next(long *, long *);
unsigned GOMP_sections_start(unsigned);
unsigned GOMP_sections_next(void);
void GOMP_sections_end(void);
void GOMP_taskgroup_start(void);
void GOMP_taskgroup_end(void);

/* What is passed on as it is. */
static void passed(void *arg)
{
	long first, past;

	(void)arg;
	if (GOMP_loop_static_start(0, N, 1, CHUNK, &first, &past))
		do
			run(first, past, 1, 0);
		while (GOMP_loop_static_next(&first, &past));
	GOMP_loop_end();
	for (unsigned section = GOMP_sections_start(3); section; section = GOMP_sections_next())
		__atomic_fetch_add(&hit[section], 2, __ATOMIC_RELAXED);
	GOMP_sections_end();
	GOMP_taskgroup_start();
	GOMP_taskgroup_end();
}

/* Reductions of tasks, over a region, a loop and sections. */
static void reductions(void)
{
#if __GNUC__ >= 9
	long sum = 0;

#pragma omp parallel reduction(task, + : sum)
	{
#pragma omp for
		for (int i = 0; i < 4; i++)
			sum += i;
#pragma omp single
#pragma omp task in_reduction(+ : sum)
		sum += 100;
	}
#pragma omp parallel
#pragma omp for reduction(task, + : sum) schedule(dynamic)
	for (int i = 0; i < 4; i++) {
#pragma omp task in_reduction(+ : sum)
		sum += 1000;
	}
#pragma omp parallel
#pragma omp sections reduction(task, + : sum)
	{
#pragma omp section
#pragma omp task in_reduction(+ : sum)
		sum += 10000;
	}
	if (sum != 14106) {
		printf("reductions of tasks: %ld\n", sum);
		wrong++;
	}
#endif
}

/* A loop that is cancelled in a region, and the one after it. */
static void cancelled(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 40 * N; i++) {
			if (i == 20) {
#pragma omp cancel for
			}
#pragma omp cancellation point for
		}
#pragma omp for schedule(guided)
		for (int i = 0; i < N; i++)
			count((ull)i);
	}
	is_once("after a cancelled loop");
}

int main(void)
{
#define ALL(kind, chunk, type) all_##kind();
	KINDS(ALL)
	for (long chunk = 2; chunk < 100; chunk++) {
		GOMP_parallel_loop_dynamic(region_dynamic, NULL, 0, 10, 10 + N, 1, chunk, 0);
		is_once("dynamic, with any chunk");
	}
	GOMP_parallel(passed, NULL, 0, 0);
	for (int i = 1; i <= 3; i++)
		hit[i] -= 2;
	is_once("static");
	reductions();
	cancelled();
	printf("%d wrong\n", wrong);
	return wrong > 0;
}
