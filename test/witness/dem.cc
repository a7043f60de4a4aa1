/* dem.cc - the dimension exchange method: Willebeek-LeMair 1993, section III-E, and the numbers of requests of section V. */
#include <algorithm>

#include "machine.h"

namespace {

enum { REQUEST, LOAD, ANSWER, TASK };

class Dem : public Processor {
	long sweep = 0;			/* the last one that was begun */
	bool sweeping = false;
	bool over = false;		/* nothing is queued anywhere */
	int dimension = 0;
	long total = 0;			/* queued, of those that are balanced with each other so far */
	long awaited = -1;		/* tasks of this dimension; -1: the answer is awaited */
	double pause = 0;
	std::deque<Message> early;	/* of a dimension or a sweep to come */

	void request()
	{
		if (sweeping || over || load() >= 1)			/* eq. 30 */
			return;
		for (int k : net.below(id, id))
			send(k, REQUEST, { sweep + 1, id });
		begin(sweep + 1);
	}

	void begin(long number)
	{
		sweep = number;
		sweeping = held = true;
		stop_timer();
		dimension = 0;
		total = (long)queue.size();
		exchange();
	}

	bool upper() const { return id > net.partner(id, dimension); }

	/* The next dimension that has a partner. */
	void exchange()
	{
		while (dimension < net.dimensions() && net.partner(id, dimension) < 0)
			dimension++;
		if (dimension == net.dimensions()) {
			finish();
			return;
		}
		awaited = -1;
		if (upper())
			send(net.partner(id, dimension), LOAD, { sweep, dimension, load(), total });
		take_early();
	}

	void take_early()
	{
		for (size_t i = 0; i < early.size(); i++) {
			Message m = early[i];

			if (m.kind == REQUEST || m.word[0] != sweep || m.word[1] != dimension)
				continue;
			early.erase(early.begin() + (long)i);
			step(m);
			return;
		}
	}

	/* A message of this sweep and dimension. */
	void step(Message &m)
	{
		switch (m.kind) {
		case LOAD: {
			long move = (load() - m.word[2]) / 2;		/* above 0: from here */

			send(m.from, ANSWER, { sweep, dimension, move, total });
			total += m.word[3];
			awaited = std::max(0L, -move);
			give(m.from, TASK, std::max(0L, move), { sweep, dimension });
			break;
		}
		case ANSWER:
			total += m.word[3];
			awaited = std::max(0L, m.word[2]);
			give(m.from, TASK, std::max(0L, -m.word[2]), { sweep, dimension });
			break;
		case TASK:
			queue.insert(queue.end(), m.tasks.begin(), m.tasks.end());
			m.tasks.clear();
			awaited--;
			break;
		}
		if (awaited == 0) {
			dimension++;
			exchange();
		} else {
			take_early();
		}
	}

	void finish()
	{
		sweeping = held = false;
		over = total == 0;
		for (size_t i = 0; i < early.size(); i++) {
			Message m = early[i];

			if (m.word[0] != sweep + 1)
				continue;
			if (m.kind == REQUEST)
				early.erase(early.begin() + (long)i);
			begin(sweep + 1);
			return;
		}
		if (!queue.empty() || over) {
			pause = 0;
			return;
		}
		pause = pause > 0 ? 2 * pause : machine.costs.pause;
		set_timer(pause);
	}

	void received(Message &m) override
	{
		if (m.kind == REQUEST) {
			if (m.word[0] < sweep || (m.word[0] == sweep && !sweeping))
				return;
			for (int k : net.below(id, (int)m.word[1]))
				send(k, REQUEST, m.word);
			if (m.word[0] == sweep)
				return;
		}
		if (sweeping && m.word[0] == sweep && m.word[1] == dimension && m.kind != REQUEST) {
			step(m);
			return;
		}
		early.push_back(m);
		m.tasks.clear();
		if (sweeping)
			return;
		if (m.kind == REQUEST)
			early.pop_back();
		begin(sweep + 1);
	}

	void load_changed() override
	{
		if (load() < 1 && pause <= 0)
			request();
	}

	void timer() override { request(); }

	void start() override { load_changed(); }

public:
	using Processor::Processor;
};

}

MAKES(dem, Dem)
