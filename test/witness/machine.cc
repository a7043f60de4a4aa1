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
	} else if (preset == "cluster") {
		c = { 10e-6, .05e-6, 1e-6, 1e-6, 1.5e-6, .1e-6, 0, 0, .0001e-6, 100e-6 };
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
	double bytes = 48 + machine.bytes * (double)tasks.size();

	work(c.send + (tasks.empty() ? 0 : c.carry + c.pack * (double)tasks.size()));
	/* What a message is on the wire, as bytes: a short one takes the latency alone. */
	if (!machine.fastest)
		bytes = bytes > c.longer && c.byte > 0 ? bytes + c.setup / c.byte : 0;
	machine.messages++;
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
			machine.events++;
			timer();
		} else if (next->test()) {
			std::unique_ptr<Message> message(arrived);
			size_t carried = message->tasks.size();
			long before = load();

			listen();
			machine.events++;
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
	machine.events++;
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

/* Likewise on a host of a platform, whose speed is SimGrid's business: polls are work, and a change of speed is noticed within a hundredth
 * of a second. */
void Processor::run_on_host()
{
	const Costs &c = machine.costs;
	const double polls = 1 + c.poll / c.quantum, cycle = c.quantum + c.poll, began = s4u::Engine::get_clock();
	s4u::Host *host = s4u::this_actor::get_host();
	s4u::ExecPtr exec = s4u::this_actor::exec_async(left * polls * machine.fastest);
	double now;

	while (!exec->test()) {
		double end, until;

		now = s4u::Engine::get_clock();
		end = now + exec->get_remaining() / (host->get_speed() * host->get_available_speed());
		until = std::min({ end, now + .01, alarm >= 0 ? alarm : end });
		if (until - now < 1e-9) {	/* SimGrid's least time */
			if (until == alarm)
				break;
			exec->wait();
		} else if (wait_until(until) || until == alarm) {
			break;
		}
	}
	now = s4u::Engine::get_clock();
	if (!exec->test())	/* up to the poll */
		work(std::min(began + std::max(1., std::ceil((now - began) / cycle - 1e-9)) * cycle - now,
			      exec->get_remaining() / (host->get_speed() * host->get_available_speed())));
	left = exec->test() ? 0 : exec->get_remaining() / polls / machine.fastest;
	if (left > 0)
		exec->cancel();
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
				machine.fastest ? run_on_host() : run();
			else
				run_ended();
		} else if (!queue.empty()) {
			running = queue.front();
			queue.pop_front();
			left = running->time / ((size_t)id < machine.speed.size() ? machine.speed[(size_t)id] : 1);
			work(machine.costs.dequeue);
			begun();
		} else {
			idle();
			if (!held && queue.empty() && !next->test())
				wait_until(alarm);
		}
	}
}
