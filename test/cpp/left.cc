/* left.cc - dls.hpp: calls with no, few and many elements, by one worker and by several, in a region or not, watched or not: a worker
 * that has left its loop, which may be at its very begin, reads nothing of it any more.  A body that ends its thread has the program
 * say so, or, if there is no other thread, leaves its loop.
 *
 * Run once more by itself for each way, with freed memory full of rubbish, as by MALLOC_PERTURB_.
 *
 * Fails if: dls__leave() lets the cursor keep the deal that was left; a catch (...) takes what ends a
 * thread for an exception.
 *
 * runs: plain */
#include <malloc.h>
#include <pthread.h>

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

/* The first body ends its thread. */
void end_thread(dls::team *team, int way)
{
	dls::options o;

	o.team = team;
	if (way == 0)
		dls::for_each(0, 10, [](int) { pthread_exit(nullptr); }, o);
	else if (way == 1)
		dls::for_each_2d(0, 10, 0, 10, [](int, int) { pthread_exit(nullptr); }, o);
	else if (way == 2)
		dls::transform_reduce(0, 10, 0, std::plus<>(), [](int i) { return pthread_exit(nullptr), i; }, o);
	else
		team->run([](unsigned) { pthread_exit(nullptr); });
}

int end_on_team(const void *way)
{
	dls::team two(2);

	end_thread(&two, *static_cast<const int *>(way));
	return 0;
}

int end_anywhere(const void *way)
{
	end_thread(nullptr, *static_cast<const int *>(way));
	return 0;
}

/* Others would wait for it. */
void ended_among_others()
{
	for (int way = 0; way < 7; way++) {
		const int kind = way % 4, status = child_status(way < 4 ? end_on_team : end_anywhere, &kind);

		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
		if (!CHECK(std::strncmp(said, "libdls: ", 8) == 0 &&
			   std::strstr(said, kind < 3 ? ": the body of this loop ended its thread" : "the work of a team ended its thread")))
			tap_note("%d: %s", way, said);
	}
}

struct setter {
	std::atomic<bool> &destroyed;
	~setter() { destroyed = true; }
};

/* The thread ends as it would in a plain loop. */
template <class F> void ends_alone(F end, void *result)
{
	struct call {
		F end;
		std::atomic<bool> destroyed;
		dls::team team;
	} c{end, {false}, dls::team(2)};
	pthread_t thread;
	void *got = nullptr;
	int n = 0;

	pthread_create(&thread, nullptr, [](void *arg) -> void * {
		call &its = *static_cast<call *>(arg);
		setter set{its.destroyed};
		dls::options o;

		o.team = &its.team;
		dls::for_each(0, 1, [&](int) { its.end(); }, o);
		return nullptr;
	}, &c);
	pthread_join(thread, &got);
	CHECK(got == result);
	CHECK(c.destroyed);
	dls::options o;
	o.team = &c.team;
	dls::for_each(0, 1, [&](int) { n++; }, o);
	CHECK_EQ(n, 1);
}

void ended_alone()
{
	static int seven;

	ends_alone([] { pthread_exit(&seven); }, &seven);
	ends_alone([] { pthread_cancel(pthread_self()); pthread_testcancel(); }, PTHREAD_CANCELED);
}

void unwatched() { in_child(nullptr); }
void watched() { in_child("stderr"); }

}

#if TAP_ADDRESS_SANITIZER
#define ENDED T_SKIPPED(ended_alone, "the sanitizer fails at the end of threads that are cancelled")
#else
#define ENDED T(ended_alone)
#endif

TEST_MAIN_OR(child, T(unwatched) T(watched) T(ended_among_others) ENDED)
