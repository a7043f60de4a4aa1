/* callables.cc - dls.hpp: what a loop may call, and with what.
 *
 * Fails if: a callable gets the worker's number because it could take one more argument, the body of a generic one is compiled for
 * arguments that it is never given, a pointer to a member is not called, or an operator that can only be
 * moved is copied. */
#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include <dls.hpp>
#include "tap.h"

namespace {

/* 7 elements on a team of 3 workers, whose numbers are not all the same. */
class fixture {
public:
	fixture() : team(3), v(7) { on_team.team = &team; on_team.schedule = "ss"; }
	bool all(int value) const
	{
		for (int x : v)
			if (x != value)
				return false;
		return true;
	}
private:
	dls::team team;
public:
	std::vector<int> v;
	dls::options on_team;
};

void defaults()
{
	fixture x;

	dls::for_each(x.v, [](int &i, unsigned n = 1000) { i = static_cast<int>(n); }, x.on_team);
	CHECK(x.all(1000));
	dls::for_each(0, 7, [&](int i, int n = 5) { x.v[static_cast<unsigned>(i)] = n; }, x.on_team);
	CHECK(x.all(5));
	dls::for_chunks(x.v, [](auto lo, auto hi, double n = 6.5) { std::fill(lo, hi, static_cast<int>(n)); }, x.on_team);
	CHECK(x.all(6));
	dls::for_each_2d(0, 7, 0, 1, [&](int i, int j, long n = 7) { x.v[static_cast<unsigned>(i + j)] = static_cast<int>(n); }, x.on_team);
	CHECK(x.all(7));
	CHECK_EQ(dls::transform_reduce(x.v, 0, std::plus<>(), [](int i, unsigned n = 10) { return i * static_cast<int>(n); }, x.on_team),
		 490);
}

void generic()
{
	fixture x;

	dls::for_each(x.v, [](auto &first, auto... rest) { first = static_cast<int>(sizeof...(rest)); }, x.on_team);
	CHECK(x.all(0));
	dls::for_each(x.v, [](auto &&...all) { ((all += 4), ...); }, x.on_team);	/* no number of a worker can be added to */
	CHECK(x.all(4));
	dls::for_each_2d(0, 7, 0, 1, [&](auto... at) { x.v[static_cast<unsigned>((at + ...))] = sizeof...(at); }, x.on_team);
	CHECK(x.all(2));
	dls::for_chunks(0, 7, [&](auto... ends) {
		const int end[] = { ends... };

		for (int i = end[0]; i < end[1]; i++)
			x.v[static_cast<unsigned>(i)] = sizeof(end) / sizeof(*end);
	}, x.on_team);
	CHECK(x.all(2));
	CHECK_EQ(dls::transform_reduce(0, 7, 0, std::plus<>(), [](auto... all) { return static_cast<int>(sizeof...(all)); }, x.on_team), 7);
}

/* The numbers are those of the team's workers. */
void workers()
{
	fixture x;
	std::atomic<unsigned> wrong{0};
	std::vector<int> sums(3);

	dls::for_each(0, 1000, [&](int, dls::worker w) { w.number < 3 ? void(sums[w.number]++) : void(wrong++); }, x.on_team);
	CHECK_EQ(sums[0] + sums[1] + sums[2], 1000);
	dls::for_each(x.v, [&](int &i, const dls::worker &w) { i = static_cast<int>(w.number) < 3; }, x.on_team);
	CHECK(x.all(1));
	dls::for_chunks(0, 1000, [&](int lo, int hi, dls::worker w) { sums[w.number] -= hi - lo; }, x.on_team);
	CHECK_EQ(sums[0] + sums[1] + sums[2], 0);
	dls::for_each_2d(0, 10, 0, 10, [&](int, int, dls::worker w) { sums[w.number]++; }, x.on_team);
	CHECK_EQ(sums[0] + sums[1] + sums[2], 100);
	CHECK_EQ(dls::transform_reduce(0, 1000, 0, std::plus<>(), [](int, dls::worker w) { return w.number < 3; }, x.on_team), 1000);
	CHECK_EQ(wrong, 0);
}

struct body {
	long mass = 2;
	void grow() { mass++; }
	long twice() const { return 2 * mass; }
	body &operator+=(const body &other) { mass += other.mass; return *this; }
};

void member_pointers()
{
	std::vector<body> bodies(100);
	std::vector<std::unique_ptr<body>> owned;
	std::vector<body *> pointers;

	dls::for_each(bodies, &body::grow);
	CHECK_EQ(dls::transform_reduce(bodies, 0L, std::plus<>(), &body::mass), 300);
	CHECK_EQ(dls::transform_reduce(bodies, 0L, std::plus<>(), &body::twice), 600);
	CHECK_EQ(dls::reduce(bodies.begin(), bodies.end(), body{5}, &body::operator+=).mass, 305);
	for (auto &one : bodies) {
		pointers.push_back(&one);
		owned.push_back(std::make_unique<body>());
	}
	dls::for_each(pointers.begin(), pointers.end(), &body::grow);
	CHECK_EQ(dls::transform_reduce(pointers, 0L, std::plus<>(), &body::mass), 400);
	dls::for_each(pointers, std::mem_fn(&body::grow));
	CHECK_EQ(dls::transform_reduce(bodies, 0L, std::plus<>(), &body::mass), 500);
}

std::atomic<int> counted;
void count(int) { counted++; }

void functions()
{
	dls::for_each(0, 100, count);
	dls::for_each(0, 100, &count);
	dls::for_each(0, 100, std::function<void(int)>(count));
	CHECK_EQ(counted, 300);
}

/* Called as an lvalue, and moved to where it is called. */
struct only_moved {
	std::unique_ptr<int> more = std::make_unique<int>(1);
	int operator()(int a, int b) & { return a + b + *more - 1; }
	int operator()(int a) & { return *more * a; }
};

void moved()
{
	std::vector<int> v(100, 1);

	CHECK_EQ(dls::reduce(0, 100, 0, only_moved()), 4950);
	CHECK_EQ(dls::reduce(v, 0, only_moved()), 100);
	CHECK_EQ(dls::reduce(v.begin(), v.end(), 0, only_moved()), 100);
	CHECK_EQ(dls::transform_reduce(v, 0, only_moved(), only_moved()), 100);
	CHECK_EQ(dls::transform_reduce(0, 100, 0, only_moved(), only_moved()), 4950);
	dls::for_each(v, only_moved());
	dls::for_chunks(v, [one = std::make_unique<int>(2)](auto lo, auto hi) { std::fill(lo, hi, *one); });
	CHECK_EQ(dls::reduce(v, 0), 200);
}

}

TEST_MAIN(T(defaults) T(generic) T(workers) T(member_pointers) T(functions) T(moved))
