/* types.cc - dls::team and loop: they own what they open, and turn codes into exceptions with texts.
 *
 * Fails if: something is freed twice or not at all (make SAN=address), an error passes silently, a message does not say what is
 * wrong. */
#include "thrown.hpp"
#include "tap.h"

namespace {

void loops()
{
	dls::loop loop(2);
	dls::team team(2);
	std::atomic<std::uint64_t> ran{0};

	loop.set_schedule("fac2");
	loop.set_moments(1e-6, 1e-6);
	loop.set_overhead(1e-7);
	loop.set_multiple(5);
	loop.start(-500, 500);
	CHECK_EQ(code_of([&] { loop.start(0, 1); }), DLS_EBUSY);
	team.run([&](unsigned worker) {
		std::int64_t begin, end;

		while (loop.next(worker, begin, end))
			ran += static_cast<std::uint64_t>(end - begin);
	});
	CHECK_EQ(loop.end(), 1000);
	CHECK_EQ(ran, 1000);
	loop.start_u64(0, UINT64_MAX);
	std::uint64_t begin, end;
	CHECK(loop.next(0, begin, end));
	loop.cancel();
	CHECK(!loop.next(1, begin, end));
	CHECK(loop.end() < UINT64_MAX);
	CHECK_EQ(code_of([&] { loop.set_schedule("nonsense"); }), DLS_ENOENT);
	CHECK_EQ(code_of([&] { loop.set_time(1); }), DLS_EINVAL);
	CHECK_EQ(code_of([] { dls::loop none(0); }), DLS_ERANGE);
}

void teams()
{
	std::string what;
	dls::team team(3), other(std::move(team));

	CHECK_EQ(other.workers(), 3);
	CHECK(team.get() == nullptr);
	team = std::move(other);
	CHECK_EQ(team.workers(), 3);
	CHECK_EQ(code_of([] { dls::team many(DLS_WORKERS_MAX + 1); }, &what), DLS_ERANGE);
	CHECK(what.find("dls_team_open: ") == 0);
}

}

TEST_MAIN(T(loops) T(teams))
