/* reduce_vector.c - reductions whose bodies compilers vectorise, one a line. */
#include <dls.h>

int of_ints(const int *x, int n)
{
	int sum = 0;

	DLS_REDUCE(+, int, sum, i, 0, n) sum += x[i];
	return sum;
}

unsigned of_bits(const unsigned *x, unsigned long n)
{
	unsigned bits = 0;

	DLS_REDUCE(|, unsigned, bits, i, 0, n, .schedule = "gss") bits |= x[i];
	return bits;
}
