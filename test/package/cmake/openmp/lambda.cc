// lambda.cc - the C++ half of openmp.c.
#include <dls.h>

#ifndef _OPENMP
#error "compiled without OpenMP"
#endif

extern "C" long sum_of_squares(int n)
{
	long sum = 0;

	DLS_REDUCE(+, long, sum, i, 0, n)
		sum += [](long x) { return x * x; }(i);
	return sum;
}
