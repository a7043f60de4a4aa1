/* lambda.cc - loops where only C++ has places for them: lambdas, templates, member functions. */
#include <dls.h>

#include <atomic>
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

struct Width {
	operator short() const { return 3; }
};
struct Flags {
	unsigned count : 4;
};

/* Bounds that are objects, references and bit-fields of an argument. */
template <typename T> static int count(const T &flags)
{
	std::atomic<int> three{3};
	const volatile std::atomic<unsigned short> short_three{3};
	const int &same = 3;
	int total = 0;

	DLS_FOR(i, -1, flags.count)
		total += std::is_same<decltype(i), int>::value;
	DLS_FOR_2D(i, j, -1, flags.count, -1, three)
		total += std::is_same<decltype(i), int>::value && std::is_same<decltype(j), int>::value;
	DLS_FOR(i, -1, short_three)
		total += std::is_same<decltype(i), int>::value;
	DLS_FOR(i, -1, Width())
		total += std::is_same<decltype(i), int>::value;
	DLS_FOR(i, -1, same)
		total += std::is_same<decltype(i), int>::value;
	DLS_FOR(i, 0, (std::integral_constant<unsigned long, 3>()))
		total += std::is_same<decltype(i), unsigned long>::value;
	return total;
}

int main()
{
	std::vector<long> v(1000, 3);
	std::vector<int> w(10, 2);
	Counter c;

	c.run(10);
	if (count(Flags{3}) != 4 + 16 + 4 + 4 + 4 + 3)
		return 1;
	return sum(v) == 3000 && sum(w) == 20 && c.n == 55 && sum_pairs(v, 8) == 3000 &&
	       sum_between(v.cbegin() + 1, v.cend()) == 2997 ? 0 : 1;
}
