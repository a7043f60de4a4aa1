/* machine.h - a machine on SimGrid: processors with a queue of tasks each, which handle messages between pieces of work.
 *
 * Written from dls_machine(3), Costs and Runs.  A processor is an actor on a host of its own; a message is a communication of
 * SimGrid, whose links give its time on the way.  Time of a processor is slept. */
#ifndef TEST_WITNESS_MACHINE_H
#define TEST_WITNESS_MACHINE_H

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>

#include "net.h"

/* Seconds and bytes, as the keys of --costs. */
struct Costs {
	double quantum, poll, send, receive, latency, hop, longer, setup, byte, pause;
	double carry = 0, pack = 0, dequeue = 0, schedule = 0, phase = 0;

	static Costs read(const std::string &text);	/* `PRESET[,KEY=VALUE]...' */
};

struct Task {
	double time;			/* s */
	std::vector<int> children;
	int parents = 0;		/* not ended */
	int place = 0;			/* where it is first */
};

struct Message {
	int from, kind;
	std::vector<long> word;
	std::deque<Task *> tasks;
};

using Parameters = std::map<std::string, std::string>;

struct Machine {
	std::unique_ptr<Net> net;
	Costs costs;
	Parameters parameters;		/* of the strategy */
	std::vector<Task> tasks;
	std::vector<double> speed;	/* the rest have 1 */
	size_t ended = 0;		/* tasks */
	double end = 0;			/* T_bal */
	unsigned long transfers = 0;	/* of tasks */
};

class Processor {
public:
	const int id;
	Machine &machine;
	const Net &net;
	std::deque<Task *> queue;

	Processor(int id, Machine &machine);
	virtual ~Processor() = default;
	void operator()();		/* the actor */

protected:
	/* The strategy. */
	virtual void start() {}
	virtual void load_changed() {}
	virtual void received(Message &message) = 0;	/* its tasks enter the queue then, unless they were taken out */
	virtual void timer() {}
	virtual void begun() {}				/* a task */
	virtual void ended(Task *) { load_changed(); }
	virtual void spawned(Task *task) { queue.push_back(task); }

	/* What it may do. */
	long load() const { return (long)queue.size() + (running ? 1 : 0); }
	void send(int to, int kind, std::vector<long> word = {}, std::deque<Task *> tasks = {});
	/* The last tasks of the queue, each in a message of its own. */
	void give(int to, int kind, long count, const std::vector<long> &word = {});
	void set_timer(double seconds) { alarm = simgrid::s4u::Engine::get_clock() + seconds; }
	void stop_timer() { alarm = -1; }
	void work(double seconds);
	double parameter(const std::string &key, double by_default) const;
	double alpha() const;				/* 1 + g / 10 */
	double low(const std::string &by_default) const;	/* a number, alpha or inf */
	/* Whether a load is one to tell, after another: not where it is the same, or between u of it and 1 / u. */
	static bool drifts(long last, long l, double u);
	void update(int kind, long &told, double u);	/* the neighbours, of the load; told: the last one, -1 at first */

	bool held = false;		/* no task runs */
	Task *running = nullptr;

private:
	double left = 0;		/* of the running task, s */
	double alarm = -1;		/* -1: none */
	simgrid::s4u::Mailbox *box;
	simgrid::s4u::CommPtr next;	/* the message that is waited for */
	Message *arrived = nullptr;

	void listen();
	bool wait_until(double time);	/* false: that was reached first; -1: no end */
	void handle_all();
	void run();
	void run_ended();
};

/* The strategies, and in the file of each how its processors are made. */
#define STRATEGIES(X) X(rid) X(dem) X(twa) X(sid) X(hbm) X(gm) X(factor) X(repart)
#define DECLARE(name) std::unique_ptr<Processor> make_##name(int id, Machine &machine);
STRATEGIES(DECLARE)
#define MAKES(name, type) \
	std::unique_ptr<Processor> make_##name(int id, Machine &machine) { return std::make_unique<type>(id, machine); }

#endif
