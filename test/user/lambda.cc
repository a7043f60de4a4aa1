/* lambda.cc - loops where only C++ has places for them: lambdas, templates, member functions. */
#include <dls.h>

#include <vector>

template <typename T> static T sum(const std::vector<T> &v)
{
	T total = 0;

	DLS_PARALLEL(reduction(+ : total))
		DLS_FOR(i, std::size_t{0}, v.size(), .schedule = "tss")
			total += v[i];
	return total;
}

template <typename T> static T sum_pairs(const std::vector<T> &v, std::size_t columns)
{
	T total = 0;

	DLS_PARALLEL(reduction(+ : total))
		DLS_FOR_2D(i, j, 0, v.size() / columns, 0, columns, .schedule = "ss,7,curve=morton", .multiple = 4, .nowait = true)
			total += v[i * columns + j];
	return total;
}

/* Iterators, as dls_convert(7) says. */
template <typename Iterator> static long sum_between(Iterator first, Iterator last)
{
	long total = 0;

	DLS_PARALLEL_FOR_WITH((reduction(+ : total)), i, 0, last - first)
		total += first[i];
	return total;
}

struct Counter {
	int n = 0;

	void run(int times)
	{
		auto one = [this, times] {
			DLS_FOR(k, 0, times, .name = "lambda", .nowait = true, .step = 1)	// in any order
				n += k;
			DLS_FOR_2D(i, j, 0, times, 0, times)
				n += i == j;
		};
		one();
	}
};

int main()
{
	std::vector<long> v(1000, 3);
	std::vector<int> w(10, 2);
	Counter c;

	c.run(10);
	return sum(v) == 3000 && sum(w) == 20 && c.n == 55 && sum_pairs(v, 8) == 3000 &&
	       sum_between(v.cbegin() + 1, v.cend()) == 2997 ? 0 : 1;
}
