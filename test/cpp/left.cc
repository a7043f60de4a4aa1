/* left.cc - dls.hpp: calls with no, few and many elements, by one worker and by several, in a region or not, watched or not: a worker
 * that has left its loop, which may be at its very begin, reads nothing of it any more.
 *
 * Run once more by itself for each way, with freed memory full of rubbish, as by MALLOC_PERTURB_.
 *
 * Fails if: dls__leave() lets the cursor keep the deal that was left. */
#include <malloc.h>

#include <dls.hpp>
#include "marks.hpp"
#include "tap.h"
#include "child.h"

namespace {

/* Each kind of call marks each of n elements once, and returns n. */
#define KINDS(X) \
	X(each, dls::for_each(0, n, [&](int i) { m[place(i)]++; }, o); return n) \
	X(each_of_range, dls::for_each(m.begin(), m.begin() + n, [](auto &mark) { mark++; }, o); return n) \
	X(chunks, \
	  dls::for_chunks(0, n, [&](int lo, int hi) { \
		for (int i = lo; i < hi; i++) \
			m[place(i)]++; \
	  }, o); \
	  return n) \
	X(rows, dls::for_each_2d(0, n, 0, 1, [&](int i, int j) { m[place(i + j)]++; }, o); return n) \
	X(columns, dls::for_each_2d(0, 1, 0, n, [&](int i, int j) { m[place(i + j)]++; }, o); return n) \
	X(reduction, return dls::transform_reduce(0, n, 0L, std::plus<>(), [&](int i) { return m[place(i)]++ == 0; }, o)) \
	X(sum, \
	  for (int i = 0; i < n; i++) \
		m[place(i)] = 1; \
	  return dls::reduce(m.begin(), m.begin() + n, 0L, std::plus<long>(), o))
#define FUNCTION(name, ...) long name(marks &m, int n, const dls::options &o) { __VA_ARGS__; }
#define NAMED(name, ...) name,

unsigned place(int i)
{
	return static_cast<unsigned>(i);
}

KINDS(FUNCTION)

/* All kinds and sizes; returns what went wrong. */
int all(const dls::options &given)
{
	int wrong = 0;

	for (const char *schedule : { "static", "ss", "gss,curve=hilbert", "steal", "awf-b", "rid", "auto" })
		for (int n : { 0, 1, 2, 3, 40 })
			for (auto kind : { KINDS(NAMED) }) {
				dls::options o = given;
				marks m(40);

				o.schedule = schedule;
				wrong += kind(m, n, o) != n;
				for (int i = 0; i < 40; i++)
					wrong += m[place(i)] != (i < n);
			}
	return wrong;
}

int child(const char *)
{
	dls::team one(1), three(3);
	dls::options on_one, on_three;
	int wrong = 0;

#ifdef M_PERTURB
	mallopt(M_PERTURB, 165);
#endif
	on_one.team = &one;
	on_three.team = &three;
	wrong += all(on_one) + all(on_three) + all({});
#ifdef _OPENMP
	std::atomic<int> inner{0};

	omp_set_num_threads(1);
	wrong += all({});
	omp_set_num_threads(3);
#pragma omp parallel num_threads(2)
	inner += all({});	/* each thread has a region of one thread in its own */
	wrong += inner;
#endif
	return wrong > 0;
}

void in_child(const char *report)
{
	const char *const variables[] = { report ? "DLS_REPORT" : nullptr, report, nullptr };

	CHECK_EQ(child_again("child", variables, false), 0);
}

void unwatched() { in_child(nullptr); }
void watched() { in_child("stderr"); }

}

TEST_MAIN_OR(child, T(unwatched) T(watched))
