/* types.cc - dls::team, loop, schedule, machine: they own what they open, and turn codes into exceptions with texts.
 *
 * Fails if: something is freed twice or not at all (make SAN=address), an error passes silently, a message does not say what is
 * wrong. */
#include <string>

#include <dls.hpp>
#include "tap.h"

namespace {

/* What fails: its code, and its text in `what`. */
template <class F> int code_of(F f, std::string &what)
{
	try {
		f();
	} catch (const dls::error &e) {
		what = e.what();
		return e.code();
	}
	return 0;
}

void schedules()
{
	dls::schedule gss("GSS, 5"), rid("rid,u=0.5");
	dls::schedule moved(std::move(gss));
	std::string what;

	CHECK_TEXT(moved.text().c_str(), "gss,5");
	CHECK(moved.calc() && !moved.strategy());
	CHECK(rid.strategy() && !rid.calc());
	CHECK_EQ(code_of([] { dls::schedule("gsss"); }, what), DLS_ENOENT);
	CHECK(what.find("gsss") != std::string::npos);
}

void loops()
{
	dls::loop loop(2);
	dls::team team(2);
	std::atomic<std::uint64_t> ran{0};
	std::string what;

	loop.set_schedule("fac2");
	loop.set_moments(1e-6, 1e-6);
	loop.set_overhead(1e-7);
	loop.set_multiple(5);
	loop.start(-500, 500);
	CHECK_EQ(code_of([&] { loop.start(0, 1); }, what), DLS_EBUSY);
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
	CHECK_EQ(code_of([&] { loop.set_schedule("nonsense"); }, what), DLS_ENOENT);
	CHECK_EQ(code_of([&] { loop.set_time(1); }, what), DLS_EINVAL);
	CHECK_EQ(code_of([] { dls::loop none(0); }, what), DLS_ERANGE);
}

void teams()
{
	std::string what;
	dls::team team(3), other(std::move(team));

	CHECK_EQ(other.workers(), 3);
	CHECK(team.get() == nullptr);
	team = std::move(other);
	CHECK_EQ(team.workers(), 3);
	CHECK_EQ(code_of([] { dls::team many(DLS_WORKERS_MAX + 1); }, what), DLS_ERANGE);
	CHECK(what.find("dls_team_open: ") == 0);
}

int count(dls_vp *, dls_task *task, void *)
{
	(*static_cast<unsigned *>(task->data))++;
	return 0;
}

void machines()
{
	dls_machine_desc desc{};
	unsigned ran = 0;
	std::string what;
	dls_task_type type{};
	dls_task task{};

	desc.strategy = "rid";
	desc.processors = 8;
	desc.costs = "ipsc2";
	dls::machine machine(desc);
	type.size = sizeof(type);
	type.name = "count";
	type.run = count;
	task.type = &type;
	task.data = &ran;
	task.cost = 1000000;
	for (int i = 0; i < 100; i++)
		machine.add(0, task);
	machine.set_weight(1, 2);
	machine.run();
	CHECK_EQ(ran, 100);
	CHECK_EQ(machine.result().tasks, 100);
	CHECK(machine.stats(0).tasks > 0);
	CHECK_EQ(code_of([&] { machine.stats(8); }, what), DLS_ERANGE);
	desc.strategy = "ridd";
	CHECK_EQ(code_of([&] { dls::machine wrong(desc); }, what), DLS_ENOENT);
	CHECK(what.find("no strategy has this name") != std::string::npos);
}

}

TEST_MAIN(T(schedules) T(loops) T(teams) T(machines))
