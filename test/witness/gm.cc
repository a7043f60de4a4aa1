/* gm.cc - the gradient model: Willebeek-LeMair 1993, section III-A, Table II.
 *
 * Read from the text: a processor is light below LWM, heavy above HWM.  While it is heavy and a neighbour's proximity is below w_max it
 * sends one task, delta, at a time; the text names no event for that, so it looks at each check for messages, every 130 us of work.  (At
 * changes of loads and proximities alone a spike stays where it is: 21 T_opt.)  A task that comes to a processor which is not light goes on to the
 * neighbour of the lowest proximity, if that is lower than the processor's own, log N hops at most. */
#include <algorithm>
#include <cmath>

#include "machine.h"

namespace {

enum { PROXIMITY, TASK };

class Gm : public Processor {
	std::map<int, long> known;
	long told = -1, most = 0, hops = 0, turn = 0;
	double lwm, hwm;

	long proximity() const
	{
		long least = most;

		if ((double)load() < lwm)
			return 0;
		for (auto &[k, w] : known)
			least = std::min(least, w + 1);			/* eq. 5 */
		return least;
	}

	void tell()
	{
		long w = proximity();

		if (w == told)
			return;
		told = w;
		for (int k : net.neighbours[id])
			send(k, PROXIMITY, { w });
	}

	/* The neighbour of the lowest proximity, below `than`; equals take turns.  -1: none. */
	int nearest(long than)
	{
		const std::vector<int> &all = net.neighbours[id];
		int best = -1;

		for (size_t i = 0; i < all.size(); i++) {
			int k = all[(i + (size_t)turn) % all.size()];
			auto w = known.find(k);

			if (w != known.end() && w->second < than) {
				than = w->second;
				best = k;
			}
		}
		turn++;
		return best;
	}

	void balance()
	{
		if ((double)load() > hwm && !queue.empty()) {
			int to = nearest(most);

			if (to >= 0) {
				give(to, TASK, 1, { 1 });
				set_timer(machine.costs.quantum + machine.costs.poll);
			}
		}
		tell();
	}

	void timer() override { balance(); }

	void start() override
	{
		for (int p = 0; p < net.processors; p++)
			most = std::max(most, (long)net.distance(id, p));
		lwm = parameter("lwm", alpha());
		hwm = parameter("hwm", 2 * lwm);
		hops = std::max(1L, (long)std::ceil(std::log2(net.processors)));
		told = most;
		balance();
	}

	void load_changed() override { balance(); }

	void received(Message &m) override
	{
		if (m.kind == PROXIMITY) {
			known[m.from] = m.word[0];
			balance();
		} else if ((double)load() >= lwm && m.word[0] < hops) {
			int to = nearest(proximity());

			if (to >= 0)
				send(to, TASK, { m.word[0] + 1 }, std::move(m.tasks));
		}
	}

public:
	using Processor::Processor;
};

}

MAKES(gm, Gm)
