/* rid.cc - receiver initiated diffusion: Willebeek-LeMair 1993, sections III-C and III-F. */
#include <cmath>

#include "machine.h"

namespace {

enum { UPDATE, REQUEST, ANSWER, TASK };

class Rid : public Processor {
	struct Neighbour {
		long load = 0;
		bool dry = false;	/* had nothing to give, since its last update */
	};
	std::map<int, Neighbour> known;
	long told = -1;			/* load of the last update */
	int open = 0;			/* requests without an answer */
	double u, lowest, threshold, least;

	void balance()
	{
		double l = (double)load(), sum = l, H = 0;
		std::vector<std::pair<int, long>> requests;

		if (open > 0 || l >= lowest)
			return;
		for (auto &[k, neighbour] : known)
			sum += (double)neighbour.load;
		double mean = sum / ((double)known.size() + 1);			/* eq. 8 */
		if (mean - l <= threshold)					/* eq. 16 */
			return;
		for (auto &[k, neighbour] : known)
			H += std::max(0., (double)neighbour.load - mean);	/* eq. 17, 11 */
		for (auto &[k, neighbour] : known) {
			double h = std::max(0., (double)neighbour.load - mean);
			double delta = H > 0 ? std::round((mean - l) * h / H) : 0;	/* eq. 18 */

			if (delta >= least && !neighbour.dry)
				requests.emplace_back(k, (long)delta);
		}
		open = (int)requests.size();
		for (auto &[k, delta] : requests)
			send(k, REQUEST, { delta });
	}

	void start() override
	{
		u = parameter("u", .9);
		threshold = parameter("threshold", 1);
		least = parameter("min", 1);
		lowest = low("alpha");
		for (int k : net.neighbours[id])
			known[k];
		load_changed();
	}

	void load_changed() override
	{
		update(UPDATE, told, u);
		balance();
	}

	void received(Message &m) override
	{
		switch (m.kind) {
		case UPDATE:
			known[m.from] = { m.word[0], false };
			balance();
			break;
		case REQUEST: {
			long granted = std::min({ m.word[0], load() / 2, (long)queue.size() });

			give(m.from, TASK, granted);
			send(m.from, ANSWER, { granted, load() });
			if (granted)
				load_changed();
			break;
		}
		case ANSWER:
			known[m.from] = { m.word[1], m.word[0] == 0 };
			if (--open == 0)
				balance();
			break;
		}
	}

public:
	using Processor::Processor;
};

}

MAKES(rid, Rid)
