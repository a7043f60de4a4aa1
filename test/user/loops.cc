/* loops.cc - what a user of dls.hpp writes; it is compiled with many warnings, and exits with 0. */
#include <cstdio>
#include <numeric>
#include <vector>

#include <dls.hpp>

int main()
{
	std::vector<double> v(1000);
	std::atomic<long> count{0};
	dls::team team(2);
	dls::options on_team;
	bool caught = false;

	on_team.team = &team;
	std::iota(v.begin(), v.end(), 0.0);
	dls::for_each(v, [](double &x) { x *= 2; });
	dls::for_each(v.begin(), v.end(), [](double &x, dls::worker) { x /= 2; }, {"halves", "gss"});
	dls::for_each(0, 1000, [&](int i) { count += i; }, on_team);
	dls::for_each(0, v.size(), [&](std::size_t i) { count -= static_cast<long>(v[i]); });
	dls::for_chunks(short{0}, short{1000}, [&](short lo, short hi) { count += hi - lo; });
	dls::for_each_2d(0, 10, 0L, 10L, [&](int i, long j) { count += i - j; });
	try {
		dls::for_each(0, 1000, [](int i) {
			if (i == 500)
				throw std::runtime_error("500");
		});
	} catch (const std::runtime_error &) {
		caught = true;
	}
	const double sum = dls::reduce(v, 0.5);
	const std::vector<int> squares = dls::transform_reduce(
		0, 10, std::vector<int>(),
		[](std::vector<int> a, const std::vector<int> &b) {
			a.insert(a.end(), b.begin(), b.end());
			return a;
		},
		[](int i) { return std::vector<int>(1, i * i); });

#if __cplusplus >= 202002L
	dls::for_each(0, 10, [&](int) { count++; }, {.schedule = "ss", .multiple = 2});
	dls::for_each(0, 10, [&](int) { count--; }, {.team = &team});
#endif
	if (caught && count == 1000 && sum < 499501 && squares.size() == 10 && squares[9] == 81)
		return 0;
	std::printf("%ld %g %zu\n", count.load(), sum, squares.size());
	return 1;
}
