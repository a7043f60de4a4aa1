/* ranges.c - loops of every type and direction, of no, one and many iterations, as compilers divide them: for entries.sh.  Each
 * region is one loop, run several times, since a static loop is dealt from the second time on.  Monotonic, since libomp loses the last
 * values of loops in which its threads steal.  Prints how many are wrong. */
#include <limits.h>
#include <stdio.h>

static unsigned long long sum, wrong;
static long times;

/* The sum and number of the indices, as a loop without OpenMP has them; the last index is where the compiler says so. */
#define CASE(type, begin, compare, end, step, schedule) do { \
	for (int run = 0; run < 3; run++) { \
		unsigned long long want = 0; \
		type last = 99, want_last = 99; \
		long n = 0; \
\
		for (type i = begin; i compare (type)(end); i += step) { \
			want += (unsigned long long)i; \
			want_last = i; \
			n++; \
		} \
		sum = 0; \
		times = 0; \
		_Pragma(schedule) \
		for (type i = begin; i compare (type)(end); i += step) { \
			_Pragma("omp atomic") \
			sum += (unsigned long long)i; \
			_Pragma("omp atomic") \
			times++; \
			last = i; \
		} \
		if (sum != want || times != n || last != want_last) { \
			printf("%s %s %s %s step %s: %ld of %ld iterations\n", #type, #begin, #compare, #end, #step, times, n); \
			wrong++; \
		} \
	} \
} while (0)

#define TYPES(schedule) do { \
	CASE(int, -50, <, 950, 3, schedule); \
	CASE(int, 950, >, -50, -7, schedule); \
	CASE(int, 5, <, 5, 1, schedule); \
	CASE(int, 5, >, 5, -1, schedule); \
	CASE(int, 5, >=, 5, -1, schedule); \
	CASE(int, 5, <=, 5, 1, schedule); \
	CASE(int, INT_MAX, >, INT_MAX - 3, -1, schedule); \
	CASE(unsigned, 10, <, 900, 9, schedule); \
	CASE(unsigned, 900, >, 10, -9, schedule); \
	CASE(unsigned, 3, <, 3, 1, schedule); \
	CASE(unsigned, 3, >, 3, -1, schedule); \
	CASE(unsigned, 3, >=, 3, -1, schedule); \
	CASE(long, -500000000000, <, -499999999000, 3, schedule); \
	CASE(long, 1000, >, -1000, -13, schedule); \
	CASE(long, 0, <, 0, 1, schedule); \
	CASE(long, 0, >, 0, -1, schedule); \
	CASE(long, 7, >=, 7, -1, schedule); \
	CASE(unsigned long, ULONG_MAX - 900, <, ULONG_MAX - 9, 5, schedule); \
	CASE(unsigned long, ULONG_MAX - 9, >, ULONG_MAX - 900, -5, schedule); \
	CASE(unsigned long, 1, <, 1, 1, schedule); \
	CASE(unsigned long, 1, >, 1, -1, schedule); \
	CASE(unsigned long, 1, >=, 1, -1, schedule); \
} while (0)

int main(void)
{
	TYPES("omp parallel for schedule(static) lastprivate(last)");
	TYPES("omp parallel for schedule(monotonic: dynamic, 3) lastprivate(last)");
	TYPES("omp parallel for schedule(monotonic: guided) lastprivate(last)");
	printf("%llu wrong\n", wrong);
	return wrong > 0;
}
