/* factor.cc - Aroma's factor-based policy: Nishikawa & Steenkiste 1993, sections 4.1 and 4.3, Figure 2.
 *
 * Read from the text: a group is half of what a node has, rounded down, and the last two or three tasks are one; 250 tasks give the paper's
 * 125 62 31 16 8 4 2 2.  A status comes after each group.  Whatever else is here the text leaves open: the task scheduler is on
 * processor 0 and is told of a migration by both its ends, whose groups begin anew; a rate is tasks ended by the time that has passed, and
 * that of a node which is late at most its group by the time since it was heard; what is left, as of now, is due to the nodes in
 * proportion to their rates, and the largest surplus goes to the largest deficit, in whole tasks
 * that have not begun, until one of the two is less than a task. */
#include <algorithm>
#include <cmath>

#include "machine.h"

namespace {

enum { STATUS, MOVE, TASKS };

struct Node_status {
	bool heard = false;
	double time = 0, ended = 0, has = 0, group = 0;
	double out = 0, in = 0;		/* tasks on their way, as ordered */
	double rate = -1;		/* tasks per second; -1: none has ended */
};

class Factor : public Processor {
	long group = 0, left = 0;	/* tasks of the present group; of them, not ended */
	long ended_ = 0;
	std::vector<Node_status> nodes;	/* of the task scheduler */

	static double now() { return simgrid::s4u::Engine::get_clock(); }

	void regroup()
	{
		long has = load();

		group = left = has < 4 ? has : has / 2;
	}

	/* sent, ordered: of an order that has been obeyed, to whom; got: tasks that have come. */
	void tell(long to = -1, long ordered = 0, long sent = 0, long got = 0)
	{
		std::vector<long> word = { ended_, load(), group, to, ordered, sent, got };

		if (id == 0)
			status(id, word);
		else
			send(0, STATUS, word);
	}

	void obey(int to, long count)
	{
		long sent = std::min(count, (long)queue.size());
		std::deque<Task *> tasks(queue.end() - sent, queue.end());

		queue.erase(queue.end() - sent, queue.end());
		if (sent > 0)
			send(to, TASKS, {}, tasks);
		regroup();
		tell(to, count, sent);
	}

	double rate(const Node_status &s, double mean) const
	{
		double since = now() - s.time, r = s.rate < 0 ? mean : s.rate;

		return s.group > 0 && since > 0 ? std::min(r, s.group / since) : r;
	}

	void status(int from, const std::vector<long> &word)
	{
		Node_status &s = nodes[from];

		work(machine.costs.schedule);
		s.heard = true;
		s.time = now();
		s.ended = (double)word[0];
		s.has = (double)word[1];
		s.group = (double)word[2];
		if (word[3] >= 0) {
			s.out -= (double)word[4];
			nodes[word[3]].in -= (double)(word[4] - word[5]);
		}
		s.in -= (double)word[6];
		if (word[0] > 0)
			s.rate = s.ended / s.time;
		balance();
	}

	void balance()
	{
		double known = 0, mean = 0, all = 0, rates = 0;
		std::vector<double> surplus, speed, waiting;

		for (Node_status &s : nodes) {
			if (!s.heard)
				return;
			if (s.rate >= 0) {
				known++;
				mean += s.rate;
			}
		}
		if (known == 0)
			return;
		mean /= known;
		for (Node_status &s : nodes) {
			double r = rate(s, mean), here = s.has - std::min(s.group, r * (now() - s.time)) - s.out;

			waiting.push_back(&s == &nodes[0] ? (double)queue.size() : here - 1);
			speed.push_back(r);
			surplus.push_back(std::max(0., here + s.in));
			all += surplus.back();
			rates += r;
		}
		for (size_t i = 0; i < nodes.size(); i++)
			surplus[i] -= all * speed[i] / rates;
		for (;;) {
			size_t from = (size_t)(std::max_element(surplus.begin(), surplus.end()) - surplus.begin());
			size_t to = (size_t)(std::min_element(surplus.begin(), surplus.end()) - surplus.begin());
			double count = std::floor(std::min(surplus[from], -surplus[to]) + 1e-9);

			if (count < 1)
				return;
			count = std::min(count, std::floor(waiting[from]));
			if (count < 1) {
				surplus[from] = 0;
				continue;
			}
			waiting[from] -= count;
			surplus[from] -= count;
			surplus[to] += count;
			nodes[from].out += count;
			nodes[to].in += count;
			if (from == 0) {
				obey((int)to, (long)count);
				return;		/* whose status has balanced again */
			}
			send((int)from, MOVE, { (long)to, (long)count });
		}
	}

	void start() override
	{
		if (id == 0)
			nodes.resize((size_t)net.processors);
		regroup();
		tell();
	}

	void ended(Task *) override
	{
		ended_++;
		if (--left > 0)
			return;
		regroup();
		tell();
	}

	void received(Message &m) override
	{
		long got = (long)m.tasks.size();

		switch (m.kind) {
		case STATUS:
			status(m.from, m.word);
			break;
		case MOVE:
			obey((int)m.word[0], m.word[1]);
			break;
		case TASKS:
			queue.insert(queue.end(), m.tasks.begin(), m.tasks.end());
			m.tasks.clear();
			regroup();
			tell(-1, 0, 0, got);
			break;
		}
	}

public:
	using Processor::Processor;
};

}

MAKES(factor, Factor)
