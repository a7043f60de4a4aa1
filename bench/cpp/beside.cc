/* beside.cc - loops, sums and scans by one library, compiled once for each: beside.sh runs them in turn, one process a library.
 *
 *	beside [THREADS]	a line for each case: its name, the median time of a run in us, a checksum
 *
 * SIDE_DLS: dls.hpp, with OpenMP or without; SIDE_TBB: oneTBB; SIDE_STD: the standard library's par; SIDE_KOKKOS: Kokkos;
 * SIDE_OMP: OpenMP's pragmas. */
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

namespace {

enum { ROUNDS = 31 };

} // namespace

/* each(n, f): f(i) for all i below n, wherever it is called from; sum(n, f); reduce(from), its sum; scan(from, to). */
#if defined(SIDE_DLS)
#include <dls.hpp>
#ifdef _OPENMP
#include <omp.h>
#endif
namespace {
/* Each call is a loop of its own. */
template <class F> void each(int n, F f, const dls::place &at = dls::place::here()) { dls::for_each(0, n, f, {}, at); }
template <class F> double sum(int n, F f, const dls::place &at = dls::place::here())
{
	return dls::transform_reduce(0, n, 0.0, std::plus<>(), f, {}, at);
}
double reduce(const std::vector<double> &from) { return dls::reduce(from, 0.0); }
void scan(const std::vector<double> &from, std::vector<double> &to) { dls::inclusive_scan(from, to.begin()); }
#ifdef _OPENMP
void threads(int n) { omp_set_num_threads(n); }
#else
void threads(int) {}	/* as many as processors: taskset says otherwise */
#endif
} // namespace
#elif defined(SIDE_TBB)
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
namespace {
using range = tbb::blocked_range<int>;
template <class F> void each(int n, F f) { tbb::parallel_for(0, n, f); }
template <class F> double sum(int n, F f)
{
	return tbb::parallel_reduce(range(0, n), 0.0, [&](const range &r, double value) {
		for (int i = r.begin(); i < r.end(); i++)
			value += f(i);
		return value;
	}, std::plus<>());
}
double reduce(const std::vector<double> &from)
{
	return sum(static_cast<int>(from.size()), [&](int i) { return from[static_cast<std::size_t>(i)]; });
}
void scan(const std::vector<double> &from, std::vector<double> &to)
{
	tbb::parallel_scan(range(0, static_cast<int>(from.size())), 0.0, [&](const range &r, double value, bool last) {
		for (int i = r.begin(); i < r.end(); i++) {
			value += from[static_cast<std::size_t>(i)];
			if (last)
				to[static_cast<std::size_t>(i)] = value;
		}
		return value;
	}, std::plus<>());
}
void threads(int n) { static tbb::global_control most(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(n)); }
} // namespace
#elif defined(SIDE_STD)
#include <execution>
#include <tbb/global_control.h>
namespace {
const std::vector<int> &numbers(int n)
{
	static std::vector<int> number;

	if (number.size() < static_cast<std::size_t>(n)) {
		number.resize(1 << 20);
		std::iota(number.begin(), number.end(), 0);
	}
	return number;
}
template <class F> void each(int n, F f) { std::for_each(std::execution::par, numbers(n).begin(), numbers(n).begin() + n, f); }
template <class F> double sum(int n, F f)
{
	return std::transform_reduce(std::execution::par, numbers(n).begin(), numbers(n).begin() + n, 0.0, std::plus<>(), f);
}
double reduce(const std::vector<double> &from) { return std::reduce(std::execution::par, from.begin(), from.end(), 0.0); }
void scan(const std::vector<double> &from, std::vector<double> &to)
{
	std::inclusive_scan(std::execution::par, from.begin(), from.end(), to.begin());
}
void threads(int n) { static tbb::global_control most(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(n)); }
} // namespace
#elif defined(SIDE_KOKKOS)
#include <Kokkos_Core.hpp>
#include <omp.h>
namespace {
/* Inside one of its loops Kokkos runs no other. */
template <class F> void each(int n, F f)
{
	if (!omp_in_parallel())
		Kokkos::parallel_for(n, f);
	else
		for (int i = 0; i < n; i++)
			f(i);
}
template <class F> double sum(int n, F f)
{
	double value = 0;

	Kokkos::parallel_reduce(n, [=](int i, double &into) { into += f(i); }, value);
	return value;
}
double reduce(const std::vector<double> &from)
{
	const double *at = from.data();

	return sum(static_cast<int>(from.size()), [=](int i) { return at[i]; });
}
void scan(const std::vector<double> &from, std::vector<double> &to)
{
	const double *at = from.data();
	double *into = to.data();

	Kokkos::parallel_scan(static_cast<int>(from.size()), [=](int i, double &value, bool last) {
		value += at[i];
		if (last)
			into[i] = value;
	});
}
void threads(int n)
{
	static Kokkos::ScopeGuard guard(Kokkos::InitializationSettings().set_num_threads(n).set_disable_warnings(true));
}
} // namespace
#else
#include <omp.h>
namespace {
template <class F> void each(int n, F f)
{
	if (omp_in_parallel()) {
#pragma omp taskloop
		for (int i = 0; i < n; i++)
			f(i);
	} else {
#pragma omp parallel for schedule(guided)
		for (int i = 0; i < n; i++)
			f(i);
	}
}
template <class F> double sum(int n, F f)
{
	double value = 0;

#pragma omp parallel for reduction(+ : value)
	for (int i = 0; i < n; i++)
		value += f(i);
	return value;
}
double reduce(const std::vector<double> &from)
{
	double value = 0;

#pragma omp parallel for reduction(+ : value)
	for (std::size_t i = 0; i < from.size(); i++)
		value += from[i];
	return value;
}
void scan(const std::vector<double> &from, std::vector<double> &to)
{
	double value = 0;

#pragma omp parallel for reduction(inscan, + : value)
	for (std::size_t i = 0; i < from.size(); i++) {
		value += from[i];
#pragma omp scan inclusive(value)
		to[i] = value;
	}
}
void threads(int n) { omp_set_num_threads(n); }
} // namespace
#endif

namespace {

enum { SMALL = 1000, LARGE = 1000000, SIDE = 1200, PICTURE = 256, TILES = 16 };

std::vector<double> x(LARGE), y(LARGE), grid(SIDE *SIDE), next(SIDE *SIDE);
std::vector<int> picture(PICTURE *PICTURE);

double element(int i) { return x[static_cast<std::size_t>(i)] * 0.5 + 1; }

double small_loop()
{
	each(SMALL, [](int i) { y[static_cast<std::size_t>(i)] = element(i); });
	return y[SMALL - 1];
}

/* Of 1200 rows a processor's part comes from the third cache or memory, and the time differs from process to process; of 300 it fits the
 * second cache. */
template <int side> double stencil()
{
	each(side - 2, [](int row) {
		const double *at = grid.data() + (row + 1) * side;
		double *to = next.data() + (row + 1) * side;

		for (int i = 1; i < side - 1; i++)
			to[i] = 0.25 * (at[i - 1] + at[i + 1] + at[i - side] + at[i + side]);
	});
	return next[side + 1];
}

double small_sum() { return sum(SMALL, element); }
double large_sum() { return sum(LARGE, element); }	/* by a pointer, so most of it is calls */
double vector_sum() { return reduce(x); }

double large_scan()
{
	scan(x, y);
	return y.back();
}

int escape(int row, int column)
{
	double cx = -2 + 2.5 * column / PICTURE, cy = 1.25 - 1.25 * row / PICTURE, a = 0, b = 0;
	int n = 0;

	for (; n < 500 && a * a + b * b <= 4; n++) {
		double c = a * a - b * b + cx;

		b = 2 * a * b + cy;
		a = c;
	}
	return n;
}

double total() { return std::accumulate(picture.begin(), picture.end(), 0.0); }

double rows()
{
	each(PICTURE, [](int row) {
		for (int column = 0; column < PICTURE; column++)
			picture[static_cast<std::size_t>(row * PICTURE + column)] = escape(row, column);
	});
	return total();
}

/* Blocks of rows, and in each a loop over its rows. */
double nested()
{
	each(TILES, [](int tile) {
		each(PICTURE / TILES, [=](int i) {
			int row = tile * (PICTURE / TILES) + i;

			for (int column = 0; column < PICTURE; column++)
				picture[static_cast<std::size_t>(row * PICTURE + column)] = escape(row, column);
		});
	});
	return total();
}

/* A node has 0 to 4 children, each walked by a loop inside its parent's; its own work takes some 2 us. */
void walk(unsigned node, int depth, double *result)
{
	int children = depth < 7 ? 3 : depth < 14 ? static_cast<int>(node * 2654435761u >> 29) % 5 * 3 / 4 : 0;
	std::vector<double> below(static_cast<std::size_t>(children));
	double own = 0;

	for (int i = 1; i < 400; i++)
		own += std::sqrt(node % 1000u + i);
	each(children, [&](int i) { walk(node * 5 + static_cast<unsigned>(i) + 1, depth + 1, &below[static_cast<std::size_t>(i)]); });
	*result = own + std::accumulate(below.begin(), below.end(), 0.0);
}

double tree()
{
	double result;

	walk(1, 0, &result);
	return result;
}

const struct {
	const char *name;
	double (*run)();
} cases[] = {
	{"loop of 1000 cheap iterations", small_loop}, {"stencil by rows of 300", stencil<300>},
	{"stencil by rows of 1200", stencil<SIDE>}, {"sum of 1000", small_sum},
	{"sum of 10^6", large_sum}, {"sum of a vector of 10^6", vector_sum}, {"scan of 10^6", large_scan},
	{"Mandelbrot by rows", rows}, {"Mandelbrot by rows in tiles", nested}, {"tree walk", tree},
};

} // namespace

int main(int argc, char **argv)
{
	using clock = std::chrono::steady_clock;

	threads(argc > 1 ? std::atoi(argv[1]) : 2);
	std::iota(x.begin(), x.end(), 0);
	std::iota(grid.begin(), grid.end(), 0);
	for (const auto &c : cases) {
		std::vector<double> time;
		double result = 0;

		for (int k = 0; k < 2 * ROUNDS; k++) {
			clock::time_point begin = clock::now();

			result = c.run();
			if (k >= ROUNDS)	/* the first half: caches, threads, what a schedule learns */
				time.push_back(std::chrono::duration<double>(clock::now() - begin).count());
		}
		std::nth_element(time.begin(), time.begin() + ROUNDS / 2, time.end());
		std::printf("%s,%.2f,%.10g\n", c.name, 1e6 * time[ROUNDS / 2], result);
	}
}
