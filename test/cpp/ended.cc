/* ended.cc - dls.hpp: a body that ends its thread has the program say so, or, if there is no other thread,
 * leaves its loop.
 *
 * Fails if: a catch (...) takes what ends a thread for an exception.
 *
 * runs: plain */
#include <pthread.h>

#include <dls.hpp>
#include "tap.h"
#include "child.h"

namespace {

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

}

#if TAP_ADDRESS_SANITIZER
#define ENDED T_SKIPPED(ended_alone, "the sanitizer fails at the end of threads that are cancelled")
#else
#define ENDED T(ended_alone)
#endif

TEST_MAIN(T(ended_among_others) ENDED)
