/* machine.cc - a machine on SimGrid, see machine.h. */
#include "machine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace s4u = simgrid::s4u;

Costs Costs::read(const std::string &text)
{
	static const std::map<std::string, double Costs::*> keys = {
		{ "quantum", &Costs::quantum }, { "poll", &Costs::poll }, { "send", &Costs::send },
		{ "receive", &Costs::receive }, { "latency", &Costs::latency }, { "hop", &Costs::hop },
		{ "setup", &Costs::setup }, { "byte", &Costs::byte }, { "pause", &Costs::pause },
		{ "carry", &Costs::carry }, { "pack", &Costs::pack }, { "dequeue", &Costs::dequeue },
		{ "schedule", &Costs::schedule }, { "phase", &Costs::phase },
	};
	size_t at = text.find(',');
	std::string preset = text.substr(0, at);
	Costs c;

	if (preset == "ipsc2") {
		c = { 130e-6, 40e-6, 150e-6, 150e-6, 50e-6, 10e-6, 100, 310e-6, .36e-6, .1 };
	} else if (preset == "cm5") {
		c = { 4e-3, 0, 50e-6, 50e-6, 10e-6, 0, 100, 0, .125e-6, 1e-3 };
		c.carry = 600e-6;
		c.pack = 20e-6;
		c.dequeue = 190e-6;
		c.schedule = 300e-6;
		c.phase = 200e-6;
	} else if (preset == "nectar") {
		c = { 1e3, 0, 300e-6, 300e-6, 200e-6, 0, 0, 0, .333e-6, .1 };
		c.schedule = 200e-6;
	} else {
		throw std::invalid_argument("no costs " + preset);
	}
	while (at != std::string::npos) {
		size_t equals = text.find('=', at);

		c.*keys.at(text.substr(at + 1, equals - at - 1)) = std::stod(text.substr(equals + 1));
		at = text.find(',', equals);
	}
	return c;
}

Processor::Processor(int id_, Machine &m)
	: id(id_), machine(m), net(*m.net), box(s4u::Mailbox::by_name("p" + std::to_string(id_)))
{
}

double Processor::parameter(const std::string &key, double by_default) const
{
	auto found = machine.parameters.find(key);

	return found == machine.parameters.end() ? by_default : std::stod(found->second);
}

double Processor::alpha() const
{
	return 1 + std::max(1., (double)machine.tasks.size() / net.processors) / 10;
}

double Processor::low(const std::string &by_default) const
{
	auto found = machine.parameters.find("low");
	const std::string &text = found == machine.parameters.end() ? by_default : found->second;

	return text == "inf" ? std::numeric_limits<double>::infinity() : text == "alpha" ? alpha() : std::stod(text);
}

bool Processor::drifts(long last, long l, double u)
{
	return l != last && ((double)l <= u * (double)last || (double)l >= (double)last / u);
}

void Processor::update(int kind, long &told, double u)
{
	long l = load();

	if (told >= 0 && !drifts(told, l, u))
		return;
	told = l;
	for (int k : net.neighbours[id])
		send(k, kind, { l });
}

void Processor::work(double seconds)
{
	if (seconds >= 1e-9)	/* SimGrid's least time */
		s4u::this_actor::sleep_for(seconds);
}

void Processor::send(int to, int kind, std::vector<long> word, std::deque<Task *> tasks)
{
	const Costs &c = machine.costs;
	double bytes = 48 + 32 * (double)tasks.size();

	work(c.send + (tasks.empty() ? 0 : c.carry + c.pack * (double)tasks.size()));
	/* What a message is on the wire, as bytes: a short one takes the latency alone. */
	bytes = bytes > c.longer && c.byte > 0 ? bytes + c.setup / c.byte : 0;
	machine.transfers += tasks.size();
	s4u::Mailbox::by_name("p" + std::to_string(to))
		->put_init(new Message{ id, kind, std::move(word), std::move(tasks) }, (uint64_t)std::llround(bytes))
		->detach();
}

void Processor::give(int to, int kind, long count, const std::vector<long> &word)
{
	for (; count > 0; count--) {
		Task *task = queue.back();

		queue.pop_back();
		send(to, kind, word, { task });
	}
}

void Processor::listen()
{
	next = box->get_async<Message>(&arrived);
}

bool Processor::wait_until(double time)
{
	double now = s4u::Engine::get_clock();

	if (time >= 0 && time <= now)
		return next->test();
	return s4u::Comm::wait_any_for({ next }, time < 0 ? -1 : time - now) == 0;
}

/* Whatever has come. */
void Processor::handle_all()
{
	for (;;) {
		if (alarm >= 0 && alarm <= s4u::Engine::get_clock()) {
			alarm = -1;
			timer();
		} else if (next->test()) {
			std::unique_ptr<Message> message(arrived);
			size_t carried = message->tasks.size();
			long before = load();

			listen();
			work(machine.costs.receive + (carried ? machine.costs.carry + machine.costs.pack * (double)carried : 0));
			received(*message);
			queue.insert(queue.end(), message->tasks.begin(), message->tasks.end());
			if (load() != before)
				load_changed();
		} else {
			return;
		}
	}
}

void Processor::run_ended()
{
	Task *task = running;

	running = nullptr;
	machine.end = s4u::Engine::get_clock();
	if (++machine.ended == machine.tasks.size()) {
		s4u::Actor::kill_all();
		s4u::this_actor::exit();
	}
	for (int child : task->children)
		if (--machine.tasks[child].parents == 0)
			spawned(&machine.tasks[child]);
	ended(task);
}

/* The running task goes on to its end, or to the poll behind which a message or the timer has come. */
void Processor::run()
{
	const Costs &c = machine.costs;
	double began = s4u::Engine::get_clock();
	double end = began + left + std::ceil(left / c.quantum - 1e-9) * c.poll;
	double until = alarm >= 0 ? std::min(alarm, end) : end;

	if (!wait_until(until) && until == end) {
		left = 0;
		return;
	}
	double cycle = c.quantum + c.poll;
	double quanta = std::max(1., std::ceil((s4u::Engine::get_clock() - began) / cycle - 1e-9));

	double at = std::min(end, began + quanta * cycle);

	work(at - s4u::Engine::get_clock());
	left = at < end ? left - quanta * c.quantum : 0;
}

void Processor::operator()()
{
	box->set_receiver(s4u::Actor::self());
	listen();
	start();
	for (;;) {
		handle_all();
		if (held) {
			wait_until(alarm);
		} else if (running) {
			if (left > 0)
				run();
			else
				run_ended();
		} else if (!queue.empty()) {
			running = queue.front();
			queue.pop_front();
			left = running->time / ((size_t)id < machine.speed.size() ? machine.speed[(size_t)id] : 1);
			work(machine.costs.dequeue);
			begun();
		} else if (!next->test()) {
			wait_until(alarm);
		}
	}
}
