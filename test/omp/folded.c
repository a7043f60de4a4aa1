/* folded.c - one function for two loops, as compilers make it if the bodies are the same; for functions.sh.  Copies of a call
 * in an inlined function are one loop, and so are the calls in a function that ends with the call. */
#include <stdbool.h>
#include <stdio.h>

enum { N = 1000 };
static int count[N];

bool GOMP_loop_dynamic_next(long *, long *);
void GOMP_loop_end_nowait(void);
void GOMP_parallel_loop_dynamic(void (*)(void *), void *, unsigned, long, long, long, long, unsigned);

#define BODY(name) \
__attribute__((noinline)) static void name(void *data) \
{ \
	long i, past; \
\
	(void)data; \
	while (GOMP_loop_dynamic_next(&i, &past)) \
		for (; i < past; i++) \
			count[i]++; \
	GOMP_loop_end_nowait(); \
}
BODY(folded)
BODY(copied)
BODY(ends)

static inline __attribute__((always_inline)) void copy(long n)
{
	count[0] += 0 * (int)n;
	GOMP_parallel_loop_dynamic(copied, NULL, 0, 0, n, 1, 1, 0);		/* line 31 */
}

__attribute__((noinline)) static void end(long n)
{
	GOMP_parallel_loop_dynamic(ends, NULL, 0, 0, n, 1, 1, 0);
}

int main(void)
{
	int wrong = 0;

	for (int k = 0; k < 2; k++) {
		GOMP_parallel_loop_dynamic(folded, NULL, 0, 0, N, 1, 1, 0);	/* line 44 */
		count[1]--;
		GOMP_parallel_loop_dynamic(folded, NULL, 0, 0, N, 1, 1, 0);	/* line 46 */
		count[1]++;
		copy(N);
		count[2]--;
		copy(N);
		count[2]++;
		end(N);
		count[3]--;
		end(N);
		count[3]++;
	}
	for (int i = 0; i < N; i++)
		wrong += count[i] != 12;
	printf("%d wrong\n", wrong);
	return wrong > 0;
}
