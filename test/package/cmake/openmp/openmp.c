/* openmp.c - C and C++, with OpenMP. */
#include <dls.h>
#include <stdio.h>

#ifndef _OPENMP
#error "compiled without OpenMP"
#endif

long sum_of_squares(int n);

int main(void)
{
	long sum = 0;

	DLS_REDUCE(+, long, sum, i, 0, 1000)
		sum += i;
	puts(sum == 499500 && sum_of_squares(1000) == 332833500 ? "right" : "wrong");
	return 0;
}
