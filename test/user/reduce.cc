/* reduce.cc - those of reduce.c in C++, and reductions in templates and lambdas. */
#include "reduce.c"

template <class T, class Combine> T fold(long n, T first, Combine combine)
{
	T value = first;

	DLS_REDUCE_BY(combine, T(), T, value, i, 0L, n, .name = "fold")
		value += T(user_term(i));
	return value;
}

template <class T> T total(long n)
{
	T sum = 1;

	DLS_REDUCE(+, T, sum, i, 0L, n)
		sum += T(user_term(i));
	return sum;
}

int main()
{
	double scale = 2;
	auto add = [&scale](double *into, const double *from) { *into += *from * (scale / 2); };
	auto orphan = [](long n) {
		double sum = 0;

		DLS_PARALLEL()
			DLS_FOR_REDUCE(+, double, sum, i, 0L, n, .schedule = "gss")
				sum += user_term(i);
		return sum;
	};

	if (fold<double>(123457, 1, add) != total<double>(123457) || total<float>(3) != float(total<double>(3)) || orphan(5000) != fold<double>(5000, 0, add))
		return 1;
	return user_reductions();
}
