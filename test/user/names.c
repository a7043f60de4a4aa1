/* names.c - each public header and macro, for names.sh, which defines many names before or after the headers.
 *
 * As C++17 also the templates of dls.hpp; with DLS_USER_MPI also what runs across ranks. */
#ifdef DLS_USER_MPI
#include <dls/mpi.h>
#endif
#include <dls/calc.h>
#include <dls/class.h>
#include <dls/curve.h>
#include <dls/error.h>
#include <dls/fortran.h>
#include <dls/load.h>
#include <dls/loop.h>
#include <dls/machine.h>
#include <dls/net.h>
#include <dls/object.h>
#include <dls/omp.h>
#include <dls/param.h>
#include <dls/platform.h>
#include <dls/predict.h>
#include <dls/reduce.h>
#include <dls/repart.h>
#include <dls/schedule.h>
#include <dls/site.h>
#include <dls/stats.h>
#include <dls/strategy.h>
#include <dls/task.h>
#include <dls/team.h>
#include <dls.h>
#if defined(__cplusplus) && __cplusplus >= 201703L
#include <list>
#include <vector>
#include <dls.hpp>
#ifdef DLS_USER_MPI
#include <dls/mpi.hpp>
#endif
#endif
#ifdef DLS_USER_AFTER
#include "names.h"
#endif

static struct dls_site site = DLS_SITE_INIT;

static void add(double *into, const double *from)
{
	*into += *from;
}

void inside(double *a, unsigned n, int64_t step);
void inside(double *a, unsigned n, int64_t step)
{
	double sum = 0;

	DLS_FOR(i, 0, n)
		a[i]++;
	DLS_FOR(i, 0, n, .step = step, .nowait = true, .name = "name", .schedule = "gss", .idempotent = true)
		a[i]++;
	DLS_FOR_CHUNK(lo, hi, 0, n)
		a[lo] += hi;
	DLS_FOR_CHUNK(lo, hi, 0, n, .multiple = 8)
		a[lo] += hi;
	DLS_FOR_2D(i, j, 0, n, 0, n)
		a[i * n + j]++;
	DLS_FOR_2D(i, j, 0, n, 0, n, .nowait = true)
		a[i * n + j]++;
	DLS_FOR_REDUCE(+, double, sum, i, 0, n)
		sum += a[i];
	DLS_FOR_REDUCE(max, double, sum, i, 0, n, .nowait = true)
		sum = a[i] > sum ? a[i] : sum;
	DLS_FOR_REDUCE_BY(add, 0, double, sum, i, 0, n)
		sum += a[i];
	DLS_FOR_REDUCE_BY(add, 0, double, sum, i, 0, n, .nowait = true)
		sum += a[i];
}

double regions(double *a, int n);
double regions(double *a, int n)
{
	double sum = dls_round_up(1.5, dls_ceil_div(7, 2)) + dls_static_begin(7, 2, 1) + site.line;

	DLS_PARALLEL(num_threads(2))
		inside(a, (unsigned)n, 1);
	DLS_PARALLEL_FOR(i, 0, n)
		a[i]++;
	DLS_PARALLEL_FOR(i, n, 0, .step = -1)
		a[i]++;
	DLS_PARALLEL_FOR_CHUNK(lo, hi, 0, n)
		a[lo] += hi;
	DLS_PARALLEL_FOR_CHUNK(lo, hi, 0, n, .multiple = 8)
		a[lo] += hi;
	DLS_PARALLEL_FOR_2D(i, j, 0, n, 0, n)
		a[i * n + j]++;
	DLS_PARALLEL_FOR_2D(i, j, 0, n, 0, n, .schedule = "static")
		a[i * n + j]++;
	DLS_PARALLEL_FOR_WITH((num_threads(2)), i, 0, n)
		a[i]++;
	DLS_PARALLEL_FOR_WITH((num_threads(2)), i, 0, n, .schedule = "static")
		a[i]++;
	DLS_PARALLEL_FOR_CHUNK_WITH((num_threads(2)), lo, hi, 0, n)
		a[lo] += hi;
	DLS_PARALLEL_FOR_CHUNK_WITH((num_threads(2)), lo, hi, 0, n, .schedule = "static")
		a[lo] += hi;
	DLS_PARALLEL_FOR_2D_WITH((num_threads(2)), i, j, 0, n, 0, n)
		a[i * n + j]++;
	DLS_PARALLEL_FOR_2D_WITH((num_threads(2)), i, j, 0, n, 0, n, .schedule = "static")
		a[i * n + j]++;
	DLS_REDUCE(+, double, sum, i, 0, n)
		sum += a[i];
	DLS_REDUCE(min, double, sum, i, 0, n, .schedule = "static")
		sum = a[i] < sum ? a[i] : sum;
	DLS_REDUCE_BY(add, 0, double, sum, i, 0, n)
		sum += a[i];
	DLS_REDUCE_BY(add, 0, double, sum, i, 0, n, .schedule = "static")
		sum += a[i];
	return sum;
}

#ifdef DLS_USER_MPI
void across(struct dls_mpi_loop *loop, double *a, int n);
void across(struct dls_mpi_loop *loop, double *a, int n)
{
	DLS_MPI_FOR(loop, i, 0, n)
		a[i]++;
}
#endif

#if defined(__cplusplus) && __cplusplus >= 201703L
template <class Range> static double over(Range &range, int n)
{
	std::vector<double> sums(range.size());
	double sum = 0;

	dls::for_each(range, [](double &x) { x++; });
	dls::for_each(range.begin(), range.end(), [](double &x, dls::worker) { x++; }, {"name", "gss"});
	dls::for_each({1, 2, 3}, [](int) {});
	dls::for_each(0, n, [](int) {});
	dls::for_each(dls::range(n, 0, -2), [](int) {});
	dls::for_chunks(0, n, [](int, int) {});
	dls::for_chunks(range, [](auto, auto) {});
	dls::for_chunks({1, 2, 3}, [](auto, auto) {});
	dls::for_each_2d(0, n, 0, n, [](int, int) {});
	dls::for_each_3d(0, n, 0, n, 0, n, [](int, int, int) {});
	dls::for_tiles_2d(0, n, 0, n, 2, 2, [](int, int, int, int) {});
	dls::for_tiles_3d(0, n, 0, n, 0, n, 2, 2, 2, [](int, int, int, int, int, int) {});
	sum += dls::reduce(range, 0.0) + dls::reduce({1, 2}, 0) + dls::reduce(0, n, 0);
	sum += dls::reduce(range, 0.0, [](double a, double b) { return a < b ? b : a; });
	sum += dls::transform_reduce(range, 0.0, std::plus<>(), [](double x) { return x * x; });
	sum += dls::transform_reduce({1, 2}, 0, std::plus<>(), [](int x) { return x * x; });
	sum += dls::transform_reduce(0, n, std::vector<int>(), [](auto a, auto) { return a; }, [](int) { return std::vector<int>(); }).size();
	dls::inclusive_scan(range, sums.begin());
	dls::inclusive_scan(range, sums.begin(), std::plus<>(), 1.0);
	dls::exclusive_scan(range, sums.begin(), 0.0);
	dls::exclusive_scan(range.begin(), range.end(), sums.begin(), 0.0);
	return sum + sums[0];
}

double templates(std::vector<double> &v, std::list<double> &l, int n);
double templates(std::vector<double> &v, std::list<double> &l, int n)
{
	dls::team team(2);
	dls::loop loop(2);
	std::int64_t lo, hi;

	team.run([&](unsigned worker) { loop.next(worker, lo, hi); });
#ifdef DLS_USER_MPI
	dls::mpi mpi(MPI_COMM_WORLD);
	dls::mpi_loop across(mpi, "fac2");

	across.for_each(0, n, [](std::int64_t) {});
	across.for_chunks(0, n, [](std::int64_t, std::int64_t) {});
#endif
	return over(v, n) + over(l, n);
}
#endif
