/* exceptions.cc - an exception that leaves a body ends the loop early, and reaches the caller once all threads have left it.
 *
 * Fails if: a thread leaves the loop without telling the library; chunks go on to start; an exception is lost, or one thrown after
 * the first is taken for it; the next execution is cut short; an inner loop's exception cancels the outer loop, though the outer
 * body has caught it. */
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <dls.hpp>
#include "strategies.h"
#include "tap.h"
#include "thrown.hpp"

namespace {


const char *const schedules[] = { "ss", "ss,100", "static", "static,50", "gss", "tss", "fac2", "steal,9", "nonmonotonic:ss",
				  "frac", "af", "awf-b", "awf-c", "bold", "wf,weights=2:1", STRATEGIES("rid,500", "hbm,500", "repart,500",)
				  "rnd", "auto", "monotonic:auto" };

struct thrown {
	int i;
	std::shared_ptr<int> alive;	/* to see it freed */
};

/* The first body throws: those that others begin before the loop is cancelled are few, as they wait.  Under static,1 each worker has
 * its own, which the thrower cannot take away. */
void early(const char *schedule, int n)
{
	dls::team team(4);
	dls::options o{"early", schedule};

	for (bool on_team : { false, true }) {
		std::atomic<int> begun{0};
		std::atomic<bool> over{false};

		o.team = on_team ? &team : nullptr;
		CHECK(throws<thrown>([&] {
			dls::for_each(0, n, [&](int i) {
				if (begun++ == 0) {
					over = true;
					throw thrown{i, nullptr};
				}
				while (!over)
					std::this_thread::yield();
				if (begun < 20000)	/* a thread that must first run to cancel has seconds for it */
					std::this_thread::sleep_for(std::chrono::milliseconds(1));
			}, o);
		}));
		if (!CHECK(begun < n / 4))
			tap_note("%s: %d bodies", schedule, begun.load());
	}
}

void shared_chunks()
{
	early("ss", 10000000);
}

void own_chunks()
{
	early("static,1", 200000);
}

/* Under every schedule; then the loop is complete. */
void every_schedule()
{
	dls::team team(4);
	const auto alive = std::make_shared<int>(0);

	for (const char *schedule : schedules)
		for (int way = 0; way < 4; way++) {
			std::vector<std::atomic<unsigned char>> ran(3000);
			std::atomic<unsigned> doubled{0};
			dls_site *site = nullptr;
			dls::options o{"exceptions", nullptr, 0, way & 1 ? &team : nullptr};
			unsigned complete = 0;

			CHECK_EQ(dls_site_named(&site, "exceptions"), 0);
			CHECK_EQ(dls_site_set_schedule(site, schedule), 0);
			CHECK_EQ(dls_site_set_measured(site, way & 2), 0);
			for (int at : { 0, 1500, 2999, -1 }) {
				try {
					dls::for_each(0, 3000, [&](int i) {
						doubled += ran[static_cast<unsigned>(i)]++ > 0;
						if (i == at)
							throw thrown{i, alive};
					}, o);
					CHECK_EQ(at, -1);
					for (auto &r : ran)
						complete += r;
				} catch (const thrown &t) {
					CHECK_EQ(t.i, at);
				}
				for (auto &r : ran)
					r = 0;
			}
			CHECK_EQ(doubled, 0);
			if (CHECK_EQ(complete, 3000) != 3000)
				tap_note("%s", schedule);
		}
	CHECK_EQ(alive.use_count(), 1);
}

/* All throw: one of them is kept, and the others freed. */
void all_throw()
{
	const auto alive = std::make_shared<int>(0);
	dls::team team(4);
	dls::options o{nullptr, "static", 0, &team};

	for (int k = 0; k < 100; k++) {
		try {
			dls::for_each(0, 4, [&](int i) { throw thrown{i, alive}; }, o);
			CHECK(false);
		} catch (const thrown &t) {
			CHECK_EQ(alive.use_count(), 2);
			CHECK(t.i >= 0 && t.i < 4);
		}
	}
	CHECK_EQ(alive.use_count(), 1);
}

void nests()
{
	dls::team team(2);

	for (int way = 0; way < 4; way++) {
		const dls::options outer{"outer", "ss", 0, way & 1 ? &team : nullptr};
		const dls::options inner{"inner", "ss", 0, way & 2 ? &team : nullptr};
		std::atomic<unsigned> ran{0}, caught{0};
		std::string what;

		/* Caught in the body: the outer loop goes on. */
		dls::for_each(0, 50, [&](int) {
			ran++;
			caught += throws<std::runtime_error>([&] {
				dls::for_each(0, 50, [&](int j) {
					if (j == 3)
						throw std::runtime_error("inner");
				}, inner);
			});
			caught += throws<std::runtime_error>([&] {
				dls::reduce(0, 50, 0, [&](int, int) -> int { throw std::runtime_error("op"); }, {"inner reduce"});
			});
			caught += throws<std::runtime_error>([&] {	/* when the inner loop is over, and init is combined */
				dls::reduce(0, 50, -1, [&](int a, int b) { return a < 0 ? throw std::runtime_error("init") : a + b; });
			});
		}, outer);
		CHECK_EQ(ran, 50);
		CHECK_EQ(caught, 150);
		/* Through both. */
		try {
			dls::for_each(0, 50, [&](int) {
				dls::for_each(0, 50, [&](int) { throw std::runtime_error("through"); }, inner);
			}, outer);
		} catch (const std::runtime_error &e) {
			what = e.what();
		}
		CHECK_TEXT(what.c_str(), "through");
		CHECK_EQ(dls_for_cancel(), DLS_EINVAL);
	}
}

void chunks_and_cells()
{
	unsigned caught = 0;

	for (const char *schedule : { "ss", "static", "gss,curve=hilbert", "steal", "rid" }) {
		std::atomic<unsigned> ran{0};

		caught += throws<int>([&] {
			dls::for_chunks(0, 1000, [](int lo, int hi) {
				if (lo <= 500 && 500 < hi)
					throw 1;
			}, {nullptr, schedule});
		});
		caught += throws<int>([&] {
			dls::for_each_2d(0, 30, 0, 30, [](int i, int j) {
				if (i == 20 && j == 20)
					throw 1;
			}, {nullptr, schedule});
		});
		dls::for_each_2d(0, 30, 0, 30, [&](int, int) { ran++; }, {nullptr, schedule});
		CHECK_EQ(ran, 900);
	}
	CHECK_EQ(caught, 10);
}

/* A partial result is not lost, whoever throws: transform, op while blocks are put together, op at the end. */
void reductions()
{
	struct counted {
		std::shared_ptr<int> alive;
		int value;
	};
	const auto alive = std::make_shared<int>(0);
	dls::team team(4);
	unsigned caught = 0, rounds = 0;

	for (const char *schedule : { "ss", "static", "gss", "steal", "rid" })
		for (int at : { 0, 3, 777, 998 })
			for (bool in_op : { false, true }) {
				std::atomic<int> ops{0};
				const auto op = [&](counted a, const counted &b) {
					if (in_op && ops++ == at)
						throw 1;
					return counted{a.alive, a.value + b.value};
				};
				const auto transform = [&](int i) {
					if (!in_op && i == at)
						throw 1;
					return counted{alive, 1};
				};
				const dls::options o{"partial", schedule, 0, rounds % 2 ? &team : nullptr};

				rounds++;
				caught += throws<int>([&] { dls::transform_reduce(0, 1000, counted{alive, 0}, op, transform, o); });
				CHECK_EQ(alive.use_count(), 1);
			}
	CHECK_EQ(caught, rounds);
	CHECK_EQ(dls::reduce(0, 1000, 0, std::plus<>(), {"partial"}), 499500);
}

void teams()
{
	dls::team team(3);
	std::atomic<unsigned> ran{0};
	int code = 0;

	try {
		team.run([&](unsigned worker) {
			ran++;
			if (worker == 1)
				throw std::runtime_error("one");
		});
		CHECK(false);
	} catch (const std::runtime_error &e) {
		CHECK_TEXT(e.what(), "one");
	}
	CHECK_EQ(ran, 3);
	team.run([&](unsigned worker) {
		if (worker == 0)
			code = code_of([&] { team.run([](unsigned) {}); });
		team.barrier();
		ran++;
	});
	CHECK_EQ(code, DLS_EBUSY);
	CHECK_EQ(ran, 6);
}

}

TEST_MAIN(T(shared_chunks) T(own_chunks) T(every_schedule) T(all_throw) T(nests) T(chunks_and_cells) T(reductions) T(teams))
