/* advised.c - uneven loops in regions of many shapes, each a program of its own: for advised.sh.  Runs those
 * that are named, or all, and says of each whether its answer, which does not depend on who runs which
 * iteration, is right.  S: a clause of all static loops. */
#define _POSIX_C_SOURCE 200809L
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef S
#define S
#endif
enum { N = 24, ROUNDS = 3 };

/* Of iterations that wait instead of computing, the imbalance is the same on a busy machine. */
static long work(int i)
{
	nanosleep(&(struct timespec){ 0, 20000L * i }, NULL);
	return i;
}

static long light(int i)
{
	return i % 2;
}

static long sum, other;
static int *of_thread;		/* an element for each real thread, and a guard behind the last */

__attribute__((noinline)) static int who(void)
{
	return omp_get_thread_num();
}

#define PRAGMA(...) PRAGMA_OF(__VA_ARGS__)
#define PRAGMA_OF(...) _Pragma(#__VA_ARGS__)
/* A loop that is a region: its clauses, and what an iteration does. */
#define LOOP(name, clauses, ...) \
static long name(void) \
{ \
	PRAGMA(omp parallel for reduction(+ : sum) clauses) \
	for (int i = 0; i < N; i++) { __VA_ARGS__; } \
	return sum; \
}
LOOP(combined, S, sum += work(i))
LOOP(number_inside, S, sum += work(i); of_thread[omp_get_thread_num()]++)
LOOP(number_elsewhere, S, sum += work(i); of_thread[who()]++)
LOOP(cyclic, schedule(static, 1), sum += work(i % 2 * N))
LOOP(dynamic, schedule(dynamic, N / 2), sum += work(i))
LOOP(any_order, schedule(nonmonotonic : runtime), sum += work(i))
LOOP(runtime, schedule(runtime), sum += work(i))

static long last_value(void)
{
	int last = -1;

#pragma omp parallel for lastprivate(last) reduction(+ : sum) S
	for (int i = 0; i < N; i++) {
		sum += work(i);
		last = i;
	}
	return sum + last;
}

static long alone(void)
{
#pragma omp parallel
	{
#pragma omp for reduction(+ : sum) S
		for (int i = 0; i < N; i++)
			sum += work(i);
	}
	return sum;
}

static long fused(void)
{
#pragma omp parallel
	{
#pragma omp for reduction(+ : other) S
		for (int i = 0; i < N; i++)
			other += light(i);
#pragma omp for reduction(+ : sum) S
		for (int i = 0; i < N; i++)
			sum += work(i) * other;
	}
	return sum;
}

static long barrier(void)
{
#pragma omp parallel
	{
#pragma omp for nowait reduction(+ : sum) S
		for (int i = 0; i < N; i++)
			sum += work(i);
#pragma omp barrier
#pragma omp for nowait reduction(+ : other) S
		for (int i = 0; i < N; i++)
			other += work(N - i);
	}
	return sum + other;
}

static long single(void)
{
#pragma omp parallel
	{
#pragma omp single
		other++;
#pragma omp for reduction(+ : sum) S
		for (int i = 0; i < N; i++)
			sum += work(i) + other;
	}
	return sum;
}

static long master(void)
{
#pragma omp parallel
	{
#pragma omp for nowait reduction(+ : sum) S
		for (int i = 0; i < N; i++)
			sum += work(i);
#pragma omp master
		other += omp_get_thread_num() + 1;
	}
	return sum + other;
}

static long by_critical(void)
{
#pragma omp parallel
	{
		long mine = 0;

#pragma omp for nowait S
		for (int i = 0; i < N; i++)
			mine += work(i);
#pragma omp critical
		{
			sum += mine;
			other++;
		}
	}
	return sum + other % omp_get_max_threads();
}

static long counts_threads(void)
{
#pragma omp parallel
	{
#pragma omp atomic
		other++;
#pragma omp for reduction(+ : sum) S
		for (int i = 0; i < N; i++)
			sum += work(i);
	}
	return other == ROUNDS * omp_get_max_threads() || other < ROUNDS * omp_get_max_threads() ? sum : -1;
}

static long sections(void)
{
#pragma omp parallel
	{
#pragma omp sections reduction(+ : sum)
		{
#pragma omp section
			sum += work(N);
#pragma omp section
			sum += work(4 * N);
		}
#pragma omp for reduction(+ : sum) S
		for (int i = 0; i < N; i++)
			sum += light(i);
	}
	return sum;
}

static long tasks(void)
{
#pragma omp parallel
	{
#pragma omp single
		for (int i = 0; i < N; i++) {
#pragma omp task firstprivate(i)
			{
#pragma omp atomic
				sum += work(i);
			}
		}
#pragma omp for reduction(+ : other) S
		for (int i = 0; i < N; i++)
			other += light(i);
	}
	return sum + other;
}

static long ordered(void)
{
#pragma omp parallel for ordered reduction(+ : sum) S
	for (int i = 0; i < N; i++) {
		sum += work(i);
#pragma omp ordered
		other = other * 31 % 1009 + i;
	}
	return sum + other;
}

static long number_before(void)		/* as kmeans of Rodinia */
{
#pragma omp parallel
	{
		int me = omp_get_thread_num();

#pragma omp for nowait reduction(+ : sum) S
		for (int i = 0; i < N; i++) {
			sum += work(i);
			of_thread[me]++;
		}
	}
	return sum;
}

static long number_behind(void)
{
#pragma omp parallel
	{
		long mine = 0;

#pragma omp for nowait S
		for (int i = 0; i < N; i++)
			mine += work(i);
		of_thread[omp_get_thread_num()] += (int)mine;
	}
	for (int i = 0; i < omp_get_max_threads(); i++) {
		sum += of_thread[i];
		of_thread[i] = 0;
	}
	return sum;
}

static long by_hand(void)
{
#pragma omp parallel reduction(+ : sum)
	{
		int me = omp_get_thread_num(), all = omp_get_num_threads();

		for (int i = N * me / all; i < N * (me + 1) / all; i++)
			sum += work(i);
	}
	return sum;
}

#ifdef LOCALS
static int of_this;
#pragma omp threadprivate(of_this)

static long thread_private(void)
{
#pragma omp parallel
	{
		of_this = 0;
#pragma omp for nowait S
		for (int i = 0; i < N; i++)
			of_this += (int)work(i);
	}
#pragma omp parallel reduction(+ : sum)
	sum += of_this;
	return sum;
}

static long private_combined(void)
{
	of_this = 0;
#pragma omp parallel for copyin(of_this) S
	for (int i = 0; i < N; i++)
		of_this += (int)work(i);
#pragma omp parallel reduction(+ : sum)
	{
		sum += of_this;
		of_this = 0;
	}
	return sum;
}
#endif

static long chain(void)
{
	static long part[N];

#pragma omp parallel
	{
#pragma omp for schedule(dynamic) nowait
		for (int i = 0; i < N; i++)
			part[i] = work(i);
#pragma omp for schedule(guided) nowait reduction(+ : other)
		for (int i = 0; i < N; i++)
			other += work(N - i);
#pragma omp for schedule(static) nowait reduction(+ : other)
		for (int i = 0; i < N; i++)
			other += light(i);
	}
	for (int i = 0; i < N; i++)
		sum += part[i];
	return sum + other;
}

static long nested(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel for num_threads(2) reduction(+ : sum) S
	for (int k = 0; k < 4; k++) {
#pragma omp parallel for num_threads(2) reduction(+ : sum) S
		for (int i = 0; i < N / 2; i++)
			sum += work(i * k / 4);
	}
	return sum;
}

static long one_thread(void)
{
#pragma omp parallel for num_threads(1) reduction(+ : sum) S
	for (int i = 0; i < N; i++)
		sum += work(i);
#pragma omp parallel for num_threads(1) reduction(+ : sum) schedule(dynamic)
	for (int i = 0; i < N; i++)
		sum += work(i);
	return sum;
}

/* Each thread relies on rising indices, as megahit does. */
static long rising(void)
{
#pragma omp parallel
	{
		int before = -1;

#pragma omp for schedule(dynamic, N / 2) reduction(+ : sum)
		for (int i = 0; i < N; i++) {
			sum += i < before ? -1000 : work(i);
			before = i;
		}
	}
	return sum;
}

static long monotonic(void)
{
	int before = -1;

#pragma omp parallel for schedule(monotonic : dynamic, N / 2) firstprivate(before) reduction(+ : sum)
	for (int i = 0; i < N; i++) {
		sum += i < before ? -1000 : work(i);
		before = i;
	}
	return sum;
}

static void orphan(void)
{
#pragma omp for S
	for (int i = 0; i < N; i++) {
		long w = work(i);

#pragma omp atomic
		sum += w;
	}
}

static long orphaned(void)
{
#pragma omp parallel
	orphan();
	return sum;
}

static long empty_first(void)
{
	static unsigned n;

#pragma omp parallel for reduction(+ : sum) S
	for (unsigned i = 0; i < n; i++)
		sum += work((int)i);
	n = N;
	return sum;
}

static long changes(void)
{
	static int round;

#pragma omp parallel
	{
#pragma omp for nowait reduction(+ : sum) S
		for (int i = 0; i < N; i++)
			sum += work(i);
		if (round > 0) {
#pragma omp barrier
		}
	}
	round++;
	return sum;
}

#ifdef LOCALS
#define WITH_LOCALS(X) X(thread_private, 828) X(private_combined, 828)
#else
#define WITH_LOCALS(X)
#endif
#define PROGRAMS(X) \
	X(combined, 828) X(last_value, 851) X(alone, 828) X(fused, 19872) X(barrier, 1728) X(single, 972) X(master, 831) \
	X(by_critical, 828) X(counts_threads, 828) X(sections, 396) X(tasks, 864) X(ordered, 1463) \
	X(number_before, 828) X(number_inside, 828) X(number_behind, 828) X(number_elsewhere, 828) X(by_hand, 828) WITH_LOCALS(X) \
	X(chain, 1764) X(nested, 261) X(one_thread, 1656) X(cyclic, 864) X(dynamic, 828) X(rising, 828) \
	X(monotonic, 828) X(any_order, 828) X(runtime, 828) X(orphaned, 828) X(empty_first, 552) X(changes, 828)

static const struct {
	const char *name;
	long (*run)(void);
	long answer;
} program[] = {
#define X(name, answer) { #name, name, answer },
	PROGRAMS(X)
#undef X
};

static long answer_of(long (*run)(void))
{
	int threads = omp_get_max_threads();
	long answer = -1;

	sum = other = 0;
	of_thread = calloc((size_t)threads + 64, sizeof(*of_thread));
	for (int i = 0; of_thread && i < ROUNDS; i++)
		answer = run();
	for (int i = threads; of_thread && i < threads + 64; i++)
		if (of_thread[i])
			answer = -1;
	free(of_thread);
	return answer;
}

int main(int argc, char **argv)
{
	for (size_t k = 0; k < sizeof(program) / sizeof(*program); k++) {
		bool runs = argc < 2;

		for (int i = 1; i < argc; i++)
			runs |= strcmp(argv[i], program[k].name) == 0;
		if (runs)
			printf("%s: %s\n", program[k].name, answer_of(program[k].run) == program[k].answer ? "right" : "wrong");
		fflush(stdout);
	}
	return 0;
}
