/* loops.cc - dls.hpp: loops over integers, iterators and ranges run each iteration exactly once, on the worker they say.
 *
 * Fails if: an index goes past the end of its type, a begin is converted to another number, an iterator with another difference
 * type is refused, a chunk or a cell is lost or run twice, options do not reach the library, a closure used at two places has one
 * site, or closures that a wrapper hands on share one, an inner loop waits for the team that runs it, a
 * small loop starts a region for ever, or regions in it get more threads than in a region. */
#include <array>
#include <climits>
#include <ctime>
#include <deque>
#include <list>
#include <numeric>
#include <thread>
#include <vector>

#include <dls.hpp>
#include "marks.hpp"
#include "tap.h"
#include "thrown.hpp"

/* clang 14 and 15 cannot compile libstdc++'s ranges. */
#if __cplusplus >= 202002L && (!defined(__clang__) || __clang_major__ >= 16)
#define RANGES
#include <ranges>
#endif

namespace {

const char *const schedules[] = { nullptr, "static", "static,3", "ss", "gss", "fac2", "steal", "nonmonotonic:ss,2", "frac", "af",
				  "awf-c", "bold", "wf,weights=3:1", "rid", "rnd", "auto" };

template <class T> void integers_of()
{
	marks m(100);

	for (const char *schedule : schedules) {
		dls::for_each(T{0}, T{100}, [&](T i) { m[static_cast<std::size_t>(i)]++; }, {"integers", schedule});
		CHECK(once(m));
		dls::for_chunks(T{0}, T{100}, [&](T lo, T hi) {
			for (T i = lo; i < hi; i++)
				m[static_cast<std::size_t>(i)]++;
		}, {nullptr, schedule});
		CHECK(once(m));
	}
	/* To the largest value, and from the smallest. */
	const T most = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::min();
	const T from = static_cast<T>(most - 100), to = static_cast<T>(least + 100);

	dls::for_each(from, most, [&](T i) { m[static_cast<std::size_t>(i - from)]++; }, {nullptr, "ss,7"});
	CHECK(once(m));
	dls::for_each(least, to, [&](T i) { m[static_cast<std::size_t>(i - least)]++; }, {nullptr, "gss"});
	CHECK(once(m));
	dls::for_each(to, least, [&](T) { m[0]++; });
	CHECK(once(m, 0));
}

void integers()
{
	integers_of<int>();
	integers_of<unsigned>();
	integers_of<short>();
	integers_of<long>();
	integers_of<unsigned long long>();
	integers_of<signed char>();
	integers_of<unsigned char>();
}

/* The index has the type of the end. */
void mixed_bounds()
{
	std::atomic<long> sum{0};

	dls::for_each(0, std::size_t{10}, [&](auto i) {
		static_assert(std::is_same_v<decltype(i), std::size_t>);
		sum += static_cast<long>(i);
	});
	dls::for_each(-5L, 5, [&](auto i) {
		static_assert(std::is_same_v<decltype(i), int>);
		sum += i;
	});
	CHECK_EQ(sum, 45 - 5);
	CHECK_EQ(code_of([&] { dls::for_each(-3, 10u, [&](unsigned) { sum++; }); }), DLS_ERANGE);
	CHECK_EQ(sum, 40);
}

void iterators()
{
	std::vector<int> v(1000, 1);
	std::deque<int> d(1000, 1);
	std::array<int, 50> a{};
	int plain[50] = {};

	for (const char *schedule : schedules) {
		dls::for_each(v.begin(), v.end(), [](int &x) { x++; }, {nullptr, schedule});
		dls::for_each(v, [](int &x) { x++; }, {nullptr, schedule});
		dls::for_each(d, [](int &x, dls::worker) { x += 2; }, {nullptr, schedule});
		dls::for_each(a, [](int &x) { x += 2; }, {nullptr, schedule});
		dls::for_each(plain, [](int &x) { x++; });
		dls::for_each(plain + 0, plain + 50, [](int &x) { x++; });
		dls::for_chunks(v, [](auto from, auto to) {
			static_assert(std::is_same_v<decltype(to), std::vector<int>::iterator>);
			for (; from != to; ++from)
				++*from;
		});
		dls::for_each(std::as_const(v), [](const int &) {});
	}
	const int rounds = sizeof(schedules) / sizeof(*schedules);

	CHECK_EQ(std::count(v.begin(), v.end(), 1 + 3 * rounds), 1000);
	CHECK_EQ(std::count(d.begin(), d.end(), 1 + 2 * rounds), 1000);
	CHECK_EQ(std::count(a.begin(), a.end(), 2 * rounds), 50);
	CHECK_EQ(std::count(plain, plain + 50, 2 * rounds), 50);
	/* An empty range, and one of a temporary. */
	dls::for_each(std::vector<int>(), [](int) { abort(); });
	std::atomic<int> sum{0};
	dls::for_each(std::vector<int>{1, 2, 3}, [&](int x) { sum += x; });
	CHECK_EQ(sum, 6);
}

#ifdef RANGES
void iota()
{
	std::atomic<long> sum{0};

	dls::for_each(std::views::iota(0L, 1000L), [&](long i) { sum += i; }, {.schedule = "gss"});
	dls::for_each(std::views::iota(0, 1000), [&](int i) { sum -= i; }, {.name = "iota", .schedule = "ss"});
	dls::for_each(std::views::iota(std::uint64_t{0}, UINT64_C(1000)), [&](auto i) { sum += static_cast<long>(i); });
	CHECK_EQ(sum, 499500);
	CHECK_EQ(dls::reduce(std::views::iota(0L, 1000L), 0L), 499500);
	/* A begin and an end of different types. */
	std::vector<int> v(100, 1);
	dls::for_each(v | std::views::transform([](int x) { return x + 1; }) | std::views::take(50), [&](int x) { sum -= x; });
	CHECK_EQ(sum, 499400);
}
#endif

void cells()
{
	marks m(30 * 40);

	for (const char *schedule : { "ss,7", "gss", "static", "fac2,curve=hilbert", "steal,curve=morton", "rid" }) {
		dls::for_each_2d(0, 30, 0L, 40L, [&](int i, long j) { m[static_cast<std::size_t>(i * 40 + j)]++; },
				 {"cells", schedule});
		CHECK(once(m));
		dls::for_each_2d(-30, 0, 100u, 140u, [&](int i, unsigned j, dls::worker) {
			m[static_cast<std::size_t>((i + 30) * 40) + (j - 100)]++;
		}, {nullptr, schedule});
		CHECK(once(m));
	}
	dls::for_each_2d(0, 10, 5, 5, [](int, int) { abort(); });
	CHECK_EQ(code_of([] { dls::for_each_2d(std::uint64_t{0}, UINT64_MAX, 0, 2, [](std::uint64_t, int) {}); }), DLS_ERANGE);
}

/* On a team of its own a loop has that team's workers, each in one body at a time. */
void workers()
{
	dls::team team(3);
	dls::options on_team;
	std::atomic<bool> busy[3] = {};
	std::atomic<unsigned> wrong{0}, most{0};
	marks m(500);

	on_team.team = &team;
	on_team.schedule = "ss";
	dls::for_each(0, 500, [&](int i, dls::worker w) {
		const unsigned worker = w.number;

		if (worker >= 3 || busy[worker].exchange(true)) {
			wrong++;
			return;
		}
		m[static_cast<std::size_t>(i)]++;
		for (unsigned old = most; old < worker + 1 && !most.compare_exchange_weak(old, worker + 1);)
			;
		busy[worker] = false;
	}, on_team);
	CHECK(once(m));
	CHECK_EQ(wrong, 0);
	CHECK(most > 0);
	CHECK_EQ(team.workers(), 3);
}

void multiples()
{
	std::atomic<unsigned> wrong{0};
	dls::options o;

	o.multiple = 16;
	o.schedule = "ss";
	dls::for_chunks(5, 1000, [&](int lo, int hi) { wrong += (lo - 5) % 16 != 0 || ((hi - 5) % 16 != 0 && hi != 1000); }, o);
	CHECK_EQ(wrong, 0);
	o.multiple = -1;
	CHECK_EQ(code_of([&] { dls::for_each(0, 10, [](int) {}, o); }), DLS_ERANGE);
}

std::string schedule_of(const char *name)
{
	dls_site *site = nullptr;
	char text[100];

	dls_site_named(&site, name);
	dls_site_print_schedule(site, text, sizeof(text));
	return text;
}

/* Executions of the loop at a line of this file; of several closures the first, or that of "#number". */
std::uint64_t executions(int line, const char *number = "")
{
	dls_site *site = nullptr;
	struct dls_stats stats{};

	stats.size = sizeof(stats);
	CHECK_EQ(dls_site_named(&site, (__FILE__ ":" + std::to_string(line) + number).c_str()), 0);
	CHECK_EQ(dls_site_stats(site, &stats), 0);
	return stats.executions;
}

void sites()
{
	const auto body = [](int) {};
	int first, second;

	dls::for_each(0, 10, body, {"named", "gss,5"});
	CHECK_TEXT(schedule_of("named").c_str(), "gss,5");
	for (int k = 0; k < 3; k++) {
		first = __LINE__ + 1;
		dls::for_each(0, 10, body);
		second = __LINE__ + 2;
		for (int j = 0; j < 2; j++)
			dls::for_each(0, 10, body);
	}
	CHECK_EQ(executions(first), 3);
	CHECK_EQ(executions(second), 6);
}

template <class F> int each(int n, F f)
{
	dls::for_each(0, n, f); return __LINE__;
}

/* Closures that reach the loop through one line have a site each. */
void wrapped()
{
	int line = 0;

	for (int k = 0; k < 3; k++) {
		line = each(10, [](int) {});
		if (k > 0)
			each(20, [](int) {});
	}
	CHECK_EQ(executions(line), 3);
	CHECK_EQ(executions(line, "#2"), 2);
}

void nests()
{
	marks m(20 * 30);
	dls::team team(2);
	dls::options on_team;

	on_team.team = &team;
	for (int way = 0; way < 4; way++) {
		dls::for_each(0, 20, [&](int i) {
			dls::for_each(0, 30, [&](int j) {
				m[static_cast<std::size_t>(i * 30 + j)]++;
				DLS_PARALLEL_FOR(k, 0, 2)
					m[static_cast<std::size_t>(i * 30 + j)] += static_cast<unsigned>(k);
			}, way & 2 ? on_team : dls::options{nullptr, "ss"});
		}, way & 1 ? on_team : dls::options{nullptr, "ss"});
		CHECK(once(m, 2));
	}
	/* Inside a region, each thread runs all of the loop. */
	std::atomic<unsigned> sum{0}, threads{0};
#ifdef _OPENMP
#pragma omp parallel num_threads(3)
#endif
	{
		threads++;
		dls::for_each(0, 100, [&](int) { sum++; });
	}
	CHECK_EQ(sum, 100 * threads);
}

#ifdef _OPENMP
/* Until a loop of 64 tiny iterations runs on one thread: each of them once, in every execution; its body finds what it would in a region
 * with if(false), and what it sets of the runtime does not reach the caller.  Each iteration has its own count, which is not atomic:
 * atomic ones take so long under a sanitizer that the loop is not small. */
template <class Loop> void until_alone(Loop &&loop)
{
	const int before = omp_get_max_threads();
	const std::clock_t patience = std::clock() + 20 * CLOCKS_PER_SEC;	/* processor time, which other programs do not use up */
	unsigned wrong = 0;
	int wanted = 0, inner = 0;
	const auto look = [] {
		int found = 100 * omp_get_level() + 10 * omp_get_active_level();

#pragma omp parallel num_threads(2)
#pragma omp single
		found += omp_get_num_threads();
		omp_set_num_threads(7);
		return found;
	};

	omp_set_num_threads(2);
	omp_set_max_active_levels(1);
#pragma omp parallel if(0)
	wanted = look();
	while (!inner && std::clock() < patience) {
		unsigned ran[64] = {};

		loop([&](int i) {
			ran[i]++;
			if (i == 0 && omp_get_num_threads() == 1)
				inner = look();
		});
		for (auto times : ran)
			wrong += times != 1;
		wrong += omp_get_max_active_levels() != 1 || omp_get_max_threads() != 2;
	}
	omp_set_num_threads(before);
	CHECK_EQ(inner, wanted);
	CHECK_EQ(wrong, 0);
}

void small_loops()
{
	until_alone([](auto &&body) { dls::for_each(0, 64, [&](int i) { body(i); }, dls::options{nullptr, "auto"}); });
	until_alone([](auto &&body) {
		dls::for_each_2d(0, 8, 0, 8, [&](int i, int j) { body(8 * i + j); }, dls::options{nullptr, "auto"});
	});
	until_alone([](auto &&body) {
		dls::transform_reduce(0, 64, 0, std::plus<>(), [&](int i) { return body(i), i; }, dls::options{nullptr, "auto"});
	});
}
#endif

/* Threads that come at the same time: one has the team, the others do without. */
void at_the_same_time()
{
	std::vector<std::thread> threads;
	std::atomic<unsigned> wrong{0};

	for (int t = 0; t < 3; t++)
		threads.emplace_back([&] {
			for (int k = 0; k < 50; k++) {
				std::atomic<int> ran{0};

				dls::for_each(0, 100, [&](int) { ran++; });
				wrong += ran != 100;
				wrong += dls::reduce(0, 100, 0) != 4950;
			}
		});
	for (auto &t : threads)
		t.join();
	CHECK_EQ(wrong, 0);
}

}

#ifdef RANGES
#define IOTA T(iota)
#else
#define IOTA T_SKIPPED(iota, "the compiler has no ranges, or not with -std=c++17")
#endif
TEST_MAIN(T(integers) T(mixed_bounds) T(iterators) IOTA T(cells) T(workers) T(multiples) T(sites) T(wrapped)
	  T(nests) T_OPENMP(small_loops) T(at_the_same_time))
