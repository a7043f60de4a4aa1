/* sid.cc - sender initiated diffusion: Willebeek-LeMair 1993, sections III-B and III-F, Table II.
 *
 * Read from the text: eq. 8 is a mean over all K neighbours, so nothing is sent before all have told their loads; "appropriate number
 * of tasks" is the whole part of delta_k; delta_k >= delta_MIN, so less is not sent.  Nothing says that what was sent counts as the
 * neighbour's before it tells its load again: credit=off. */
#include <algorithm>
#include <cmath>

#include "machine.h"

namespace {

enum { UPDATE, TASK };

class Sid : public Processor {
	std::map<int, long> known;
	long told = -1;			/* load of the last update */
	double u, lowest, threshold, least;
	bool credit;

	void balance()
	{
		double l = (double)load(), sum = l, H = 0;

		if (known.size() < net.neighbours[id].size())
			return;
		for (auto &[k, load_k] : known)
			sum += (double)load_k;
		double mean = sum / ((double)known.size() + 1);			/* eq. 8 */
		if (l - mean <= threshold)					/* eq. 9 */
			return;
		for (auto &[k, load_k] : known)
			H += std::max(0., mean - (double)load_k);		/* eqs. 10, 11 */
		for (auto &[k, load_k] : known) {
			double h = std::max(0., mean - (double)load_k);
			long delta = H > 0 ? (long)std::floor((l - mean) * h / H) : 0;	/* eq. 12 */

			delta = std::min(delta, (long)queue.size());
			if ((double)delta < least || delta == 0)
				continue;
			give(k, TASK, delta);
			load_k += credit ? delta : 0;
		}
		load_changed();
	}

	void start() override
	{
		u = parameter("u", .9);
		threshold = parameter("threshold", 1);
		least = parameter("min", 1);
		credit = machine.parameters["credit"] == "on";
		lowest = low("inf");
		load_changed();
	}

	void load_changed() override { update(UPDATE, told, u); }

	void received(Message &m) override
	{
		if (m.kind != UPDATE)
			return;
		known[m.from] = m.word[0];
		if ((double)m.word[0] < lowest)
			balance();
	}

public:
	using Processor::Processor;
};

}

MAKES(sid, Sid)
