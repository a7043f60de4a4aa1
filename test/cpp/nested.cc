/* nested.cc - dls.hpp on pthreads: a loop inside another one, and loops that several threads start, share one team's threads.
 *
 * Fails if: an inner loop loses an iteration or runs one twice, none of its iterations is run by a thread that has nothing else to do
 * while others wait for one, auto deals an inner loop as blocks, a loop of one iteration goes to another thread, an exception of an
 * inner loop does not reach the thread that started it, a cancelled one goes on, an inner loop is not counted, a thread that waits runs
 * what is not below its own loop, or threads wait for each other for ever.
 *
 * runs: check */
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <dls.hpp>
#include "tap.h"
#include "thrown.hpp"

namespace {

const char *const schedules[] = { "static", "ss", "gss", "steal", "rid", "fac2", "af", "frac", "auto" };

/* Three levels, all iterations counted. */
void levels()
{
	dls::team four(4);

	for (const char *schedule : schedules) {
		const dls::options o{nullptr, schedule, 0, &four};
		std::vector<std::atomic<int>> count(20);
		std::atomic<long> sum{0};

		dls::for_each(0, 20, [&](int i) {
			dls::for_each(0, 30, [&](int j) {
				sum += dls::reduce(0, 10, 0, std::plus<>(), o) + j;
				dls::for_each_2d(0, 2, 0, 3, [&](int, int) { count[static_cast<unsigned>(i)]++; }, o);
			}, o);
		}, o);
		CHECK_EQ(sum, 20 * (30 * 45 + 435));
		for (auto &c : count)
			CHECK_EQ(c, 30 * 6);
	}
}

/* Who has nothing to do takes part: of an outer loop, whose second iteration is empty, the inner one has 4 workers, each of which waits
 * until all are there. */
void helped(const char *schedule)
{
	dls::team four(4);
	const dls::options o{nullptr, schedule, 0, &four};
	std::atomic<int> there{0}, inner{0};
	std::mutex lock;
	std::set<std::thread::id> threads;

	dls::for_each(0, 2, [&](int i) {
		if (i == 1)
			return;
		dls::for_each(0, 4, [&](int) {
			{
				const std::lock_guard<std::mutex> guard(lock);
				threads.insert(std::this_thread::get_id());
			}
			for (there++; there < 4; )
				std::this_thread::yield();
			inner++;
		}, o);
	}, o);
	CHECK_EQ(inner, 4);
	CHECK_EQ(threads.size(), 4);
}

void helped_by_ss() { helped("ss"); }
void helped_by_auto() { helped("auto"); }

/* auto deals an inner loop so that who comes late finds something to do: another thread runs what the first one's block would hold, also
 * if that loop was so short before that auto ran it as blocks. */
void late()
{
	dls::team two(2);
	const dls::options o{nullptr, nullptr, 0, &two};
	std::atomic<bool> wait{false}, there{false};
	std::atomic<int> missed{0};
	const auto inner = [&] {
		dls::for_each(0, 16, [&](int j) {
			using clock = std::chrono::steady_clock;
			const clock::time_point end = clock::now() + std::chrono::seconds(wait && j == 0 ? 60 : 0);

			if (j == 7)
				there = true;
			while (wait && j == 0 && !there && clock::now() < end)
				std::this_thread::yield();
			missed += wait && j == 0 && !there;
		}, o);
	};

	for (int k = 0; k < 2000; k++)
		inner();
	there = false;
	wait = true;
	dls::for_each(0, 2, [&](int i) {
		if (i == 0)
			inner();
	}, o);
	CHECK_EQ(missed, 0);
}

/* A loop of one iteration is run by its caller, and one of none by nobody. */
void lonely()
{
	dls::team four(4);
	const dls::options o{nullptr, nullptr, 0, &four};
	const std::thread::id self = std::this_thread::get_id();
	int ran = 0;

	for (const char *schedule : schedules)
		dls::for_each(7, 8, [&](int i) { ran += i == 7 && std::this_thread::get_id() == self; }, {nullptr, schedule, 0, &four});
	CHECK_EQ(ran, sizeof(schedules) / sizeof(*schedules));
	dls::for_each(7, 7, [&](int) { ran = 0; }, o);
	CHECK(ran > 0);
	CHECK_EQ(number_of([&] { dls::for_each(0, 1, [&](int i) { throw i; }, o); }), 0);
}

/* So do loops that another thread has started, while one runs and afterwards. */
void callers()
{
	dls::team three(3);
	const dls::options o{nullptr, "ss", 0, &three};
	std::atomic<int> there{0}, wrong{0};
	std::atomic<bool> other{false}, go{false};

	std::thread second([&] {
		while (!go)
			std::this_thread::yield();
		/* This thread, and one of the team: another one is in the first loop, and the one that started it may only wait. */
		dls::for_each(0, 2, [&](int) {
			for (there++; there < 2; )
				std::this_thread::yield();
		}, o);
		other = true;
	});

	dls::for_each(0, 2, [&](int i) {
		for (go = true; i == 0 && !other; )
			std::this_thread::yield();
	}, o);
	second.join();
	CHECK_EQ(there, 2);

	std::vector<std::thread> many;

	for (int k = 0; k < 6; k++)
		many.emplace_back([&] {
			for (int round = 0; round < 100; round++)
				wrong += dls::reduce(0, 1000, 0, std::plus<>(), o) != 499500;
		});
	for (auto &thread : many)
		thread.join();
	CHECK_EQ(wrong, 0);
}

void exceptions(const char *schedule)
{
	dls::team three(3);
	const dls::options o{nullptr, schedule, 0, &three};
	std::atomic<int> caught{0}, ran{0};

	dls::for_each(0, 12, [&](int i) {
		caught += i == number_of([&] {
			dls::for_each(0, 50, [&](int j) {
				if (j == i)
					throw i;
			}, o);
		});
	}, o);
	CHECK_EQ(caught, 12);
	CHECK_EQ(number_of([&] {
		dls::for_each(0, 12, [&](int i) {
			dls::for_each(0, 50, [&](int j) {
				ran++;
				if (i == 5 && j == 7)
					throw 57;
			}, o);
		}, o);
	}), 57);
	CHECK(ran >= 1);
	ran = 0;
	dls::for_each(0, 100, [&](int) { ran++; }, o);
	CHECK_EQ(ran, 100);
}

void exceptions_by_ss() { exceptions("ss"); }
void exceptions_by_auto() { exceptions("auto"); }

/* A cancelled inner loop starts no more chunks; the team's other thread is busy until it has ended. */
void cancelled(const char *schedule)
{
	dls::team two(2);
	const dls::options o{nullptr, schedule, 0, &two}, outer{nullptr, "static", 0, &two};
	std::atomic<bool> over{false};
	int ran = 0;

	dls::for_each(0, 2, [&](int i) {
		while (i == 1 && !over)
			std::this_thread::yield();
		if (i == 1)
			return;
		dls::for_each(0, 1000, [&](int j) {
			ran++;
			if (j == 0)
				dls_for_cancel();
		}, o);
		over = true;
	}, outer);
	CHECK(ran >= 1);
	CHECK(ran < 1000);
}

void cancelled_by_ss() { cancelled("ss"); }
void cancelled_by_auto() { cancelled("auto"); }

/* Each inner loop counts as one execution, however many threads took part. */
void counted()
{
	dls::team two(2);
	const dls::options o{"nested inner", nullptr, 0, &two}, outer{nullptr, "ss", 0, &two};
	dls_stats stats = {};
	dls_site *site;

	stats.size = sizeof(stats);
	dls::for_each(0, 5, [&](int) { dls::for_each(0, 7, [](int) {}, o); }, outer);
	CHECK_EQ(dls_site_named(&site, "nested inner"), 0);
	CHECK_EQ(dls_site_stats(site, &stats), 0);
	CHECK_EQ(stats.executions, 5);
	CHECK_EQ(stats.iterations, 35);
}

/* A thread that waits for its inner loop runs nothing of another thread's loop meanwhile, though a worker of that has not begun. */
void only_below()
{
	dls::team two(2);
	const dls::options o{nullptr, "static", 0, &two};
	const std::thread::id self = std::this_thread::get_id();
	std::atomic<bool> started{false}, over{false};
	std::atomic<int> strange{0}, ran{0};
	std::thread second([&] {
		while (!started)
			std::this_thread::yield();
		dls::for_each(0, 2, [&](int i) {
			strange += std::this_thread::get_id() == self;
			ran++;
			if (i == 0)	/* time enough for a mistake */
				std::this_thread::sleep_for(std::chrono::milliseconds(20));
		}, o);
		over = true;
	});

	dls::for_each(0, 2, [&](int i) {
		if (i == 1)
			return;
		dls::for_each(0, 2, [&](int) {
			if (std::this_thread::get_id() != self)
				for (started = true; !over; )
					std::this_thread::yield();
			else
				while (!started)
					std::this_thread::yield();
		}, o);
	}, o);
	second.join();
	CHECK_EQ(strange, 0);
	CHECK_EQ(ran, 2);
}

/* A body that holds a lock round an inner loop: a thread that waits for that one must not start another outer body meanwhile. */
void locks()
{
	dls::team four(4);
	const dls::options o{nullptr, "ss", 0, &four};
	std::mutex lock;
	long sum = 0;

	std::vector<std::thread> many;

	for (int k = 0; k < 3; k++)
		many.emplace_back([&] {
			dls::for_each(0, 40, [&](int) {
				const std::lock_guard<std::mutex> guard(lock);

				sum += dls::reduce(0, 200, 0L, std::plus<>(), o);
			}, o);
		});
	for (auto &thread : many)
		thread.join();
	CHECK_EQ(sum, 3 * 40 * 19900);
}

}

TEST_MAIN(T(levels) T(helped_by_ss) T(helped_by_auto) T(late) T(lonely) T(callers)
	  T(exceptions_by_ss) T(exceptions_by_auto) T(cancelled_by_ss) T(cancelled_by_auto) T(counted) T(only_below) T(locks))
