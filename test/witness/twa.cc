/* twa.cc - runtime incremental parallel scheduling with the tree walking algorithm: Shu 1996, sections 3 and 4, Figure 5; ANY-Lazy, and
 * under transfer=all and queue=eager the other policies.  Under ALL a processor that is ready, with ready children, signals its
 * parent; the root broadcasts the init. */
#include <algorithm>

#include "machine.h"

namespace {

enum { INIT, SUM, MEAN, TASKS, READY };

class Twa : public Processor {
	const Node &node = net.tree[id];
	long phase = 0;			/* system phases begun */
	bool in_phase = false;
	bool eligible = false;		/* was given a task in the last phase */
	bool eager = true;		/* spawned tasks wait for the next phase */
	bool ran = false;		/* a task, since the last phase ... */
	double since = 0;		/* ... which ended then */
	bool invited = false;		/* to the next phase, which has not begun here yet */
	bool mean_known = false;
	std::deque<Task *> waiting;	/* RTS */
	std::map<int, long> below;	/* W of the children, as they come */
	long W = 0, Q = 0, quota = 0;
	bool up = false;		/* tasks are to come from the parent ... */
	std::map<int, long> down;	/* Q of the children */
	int incoming = 0;		/* ... messages with tasks */
	std::deque<Task *> passing;	/* received tasks, which go on first */
	std::deque<Message> early;
	std::map<long, size_t> ready;	/* children, by the phase that they are ready for */
	bool signalled = false;
	bool all = machine.parameters["transfer"] == "all", always_eager = machine.parameters["queue"] == "eager";

	void spawned(Task *task) override
	{
		(eager ? waiting : queue).push_back(task);
		eligible = true;	/* also of a task that a phase had suspended */
	}

	void initiate()
	{
		if (in_phase || running || !queue.empty())
			return;
		if (all && (signalled || ready[phase + 1] < node.children.size()))
			return;
		if (all && node.parent >= 0) {
			signalled = true;
			send(node.parent, READY, { phase + 1 });
			return;
		}
		if (!all && !eligible)
			return;
		for (int k : net.below(id, id))
			send(k, INIT, { phase + 1, id });
		enter();
	}

	void enter()
	{
		phase++;
		in_phase = held = true;
		invited = mean_known = signalled = false;
		stop_timer();
		work(machine.costs.phase);
		waiting.insert(waiting.begin(), queue.begin(), queue.end());
		queue.clear();
		passing.clear();
		below.clear();
		down.clear();
		sum();
		take_early();
	}

	/* Step 2. */
	void sum()
	{
		if (below.size() < node.children.size())
			return;
		W = (long)waiting.size();
		for (auto &[k, w] : below)
			W += w;
		if (node.parent >= 0)
			send(node.parent, SUM, { phase, W });
		else
			plan(W / net.processors, W % net.processors);
	}

	static long quotas(long mean, long R, long i, long n)
	{
		return mean * n + std::min(std::max(R - i, 0L), n);
	}

	/* Steps 3 to 5. */
	void plan(long mean, long R)
	{
		for (int k : node.children)
			send(k, MEAN, { phase, mean, R });
		mean_known = true;
		quota = quotas(mean, R, node.order, 1);
		Q = quotas(mean, R, node.order, node.size);
		up = W < Q;
		incoming = up;
		for (int k : node.children) {
			down[k] = quotas(mean, R, net.tree[k].order, net.tree[k].size);
			incoming += below[k] > down[k];
		}
		eager = always_eager || mean == 0;
		walk();
	}

	std::deque<Task *> take(long count)
	{
		std::deque<Task *> tasks;

		for (; count > 0; count--) {
			std::deque<Task *> &from = passing.empty() ? waiting : passing;

			tasks.push_back(from.back());
			from.pop_back();
		}
		return tasks;
	}

	void walk()
	{
		if (!mean_known || incoming > 0)
			return;
		if (W > Q)
			send(node.parent, TASKS, { phase }, take(W - Q));
		for (int k : node.children)
			if (below[k] < down[k])
				send(k, TASKS, { phase }, take(down[k] - below[k]));
		queue = waiting;
		queue.insert(queue.end(), passing.begin(), passing.end());
		waiting.clear();
		passing.clear();
		work(machine.costs.schedule * (double)queue.size());
		eligible = quota > 0;
		in_phase = held = ran = false;
		since = simgrid::s4u::Engine::get_clock();
		if (invited)
			obey();
		else
			initiate();
	}

	void take_early()
	{
		for (size_t i = 0; i < early.size(); i++) {
			Message m = early[i];

			if (m.word[0] != phase || !in_phase)
				continue;
			early.erase(early.begin() + (long)i);
			step(m);
			take_early();
			return;
		}
	}

	/* A message of this phase. */
	void step(Message &m)
	{
		switch (m.kind) {
		case SUM:
			below[m.from] = m.word[1];
			sum();
			break;
		case MEAN:
			plan(m.word[1], m.word[2]);
			break;
		case TASKS:
			passing.insert(passing.end(), m.tasks.begin(), m.tasks.end());
			m.tasks.clear();
			incoming--;
			walk();
			break;
		}
	}

	/* The next phase begins here; but if there are tasks and none has run since the last one, not before a pause is over. */
	void obey()
	{
		double wait = since + machine.costs.pause - simgrid::s4u::Engine::get_clock();

		invited = true;
		if (ran || (!running && queue.empty()) || wait <= 0)
			enter();
		else
			set_timer(wait);
	}

	void received(Message &m) override
	{
		if (m.kind == READY) {
			ready[m.word[0]]++;
			initiate();
		} else if (m.kind == INIT) {
			if (m.word[0] < phase || (m.word[0] == phase && (!in_phase || mean_known)))
				return;
			for (int k : net.below(id, (int)m.word[1]))
				send(k, INIT, m.word);
			if (m.word[0] == phase || invited)
				return;
			if (in_phase)
				invited = true;
			else
				obey();
		} else if (m.word[0] == phase) {
			step(m);
		} else {
			early.push_back(m);
			m.tasks.clear();
		}
	}

	void timer() override
	{
		if (invited)
			enter();
	}

	void load_changed() override
	{
		if (in_phase)
			return;
		ran = true;
		if (invited)
			enter();
		else
			initiate();
	}

	void start() override
	{
		enter();
	}

public:
	using Processor::Processor;
};

}

MAKES(twa, Twa)
