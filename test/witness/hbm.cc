/* hbm.cc - the hierarchical balancing method: Willebeek-LeMair 1993, section III-D, Table II.
 *
 * Read from the text: the controller of a domain of level i has its number with the lowest i bits cleared, which gives eqs. 28 and 29; it
 * hears of the right half's load from the controller of that half, and tells the level above of its own domain's by the policy
 * of the leaves.  An order is a message to each processor of the overloaded half, which sends its matching neighbour Delta / 2^i tasks,
 * in whole ones.  Table II's thresholds are less than one task here: half a domain is overloaded if that is a task for each pair.  A
 * controller takes what it has ordered as done, until the next update, since it would order the same again with each
 * update that comes before.  Above the paper's largest u, 0.7, dls_balance(7) has another rule, which is not here. */
#include <algorithm>
#include <cstdlib>

#include "machine.h"

namespace {

enum { UPDATE, ORDER, TASK };

/* As a controller knows it. */
struct Half {
	bool heard = false;
	long told = 0, pending = 0;		/* tasks that orders send there; below 0: from there */

	long load() const { return told + pending; }
};

class Hbm : public Processor {
	std::map<int, Half> left, right;	/* by level */
	std::map<int, long> told;		/* of the domain, to the level above */
	double u;

	bool controls(int level) const { return id % (1 << level) == 0 && id + (1 << (level - 1)) < net.processors; }

	bool due(long l, int level)
	{
		auto last = told.find(level);

		if (last != told.end() && !drifts(last->second, l, u))
			return false;
		told[level] = l;
		return true;
	}

	/* The load of this processor's domain of a level, 0 being itself, has changed. */
	void changed(int level, long l)
	{
		if ((1 << level) >= net.processors || !due(l, level))
			return;
		if (id >> level & 1)
			send(id - (1 << level), UPDATE, { level + 1, l });
		else
			hear(left, level + 1, l);
	}

	void hear(std::map<int, Half> &half, int level, long l)
	{
		if (!controls(level))
			return;
		half[level] = { true, l, 0 };
		if (!left[level].heard || !right[level].heard)
			return;
		balance(level);
		changed(level, left[level].load() + right[level].load());
	}

	void balance(int level)
	{
		long delta = left[level].load() - right[level].load(), each = std::labs(delta) >> level;	/* eqs. 22, 23 */
		int half = 1 << (level - 1), from = delta > 0 ? id : id + half;

		for (int p = from; each > 0 && p < from + half; p++)
			if (p == id)
				obey(level, each);
			else
				send(p, ORDER, { level, each });
		left[level].pending -= (delta > 0 ? 1 : -1) * each * half;
		right[level].pending += (delta > 0 ? 1 : -1) * each * half;
	}

	void obey(int level, long each)
	{
		int to = id ^ 1 << (level - 1);				/* eq. 24 */

		if (to < net.processors)
			give(to, TASK, std::min(each, (long)queue.size()));
	}

	void start() override
	{
		u = parameter("u", .5);
		changed(0, load());
	}

	/* Its own orders change the load as well. */
	void load_changed() override
	{
		long l;

		do
			changed(0, l = load());
		while (load() != l);
	}

	void received(Message &m) override
	{
		switch (m.kind) {
		case UPDATE:
			hear(right, (int)m.word[0], m.word[1]);
			break;
		case ORDER:
			obey((int)m.word[0], m.word[1]);
			load_changed();
			break;
		}
	}

public:
	using Processor::Processor;
};

}

MAKES(hbm, Hbm)
