/* repart.cc - repartitioning by loop scheduling: Banicescu & Carino 2005, section 3, Figures 3.1(a) and (b), section 4.3.
 *
 * Read from the text: the weight of an object is its time, as the observations of a data set are.  A worker requests at the start, and when
 * the last object of a chunk begins; what it tells then are the objects that have ended.  A chunk is objects from the head of the worker's
 * list, as many as bring their sum nearest to the size, at least one.  A worker without any gets such a chunk from the tail of the
 * slowest worker: the one whose objects, not ended as far as it has told, take longest at its rate so far, before it has told one
 * forever.  "Variant of adaptive weighted factoring": at each request half of what is left, by G and the worker's rate by the
 * mean of all, as far as they are known. */
#include <algorithm>
#include <cmath>
#include <limits>

#include "machine.h"

namespace {

enum { REQUEST, SIZE, GET, GIVE, DATA, END };

class Repart : public Processor {
	/* Members of a worker. */
	std::deque<Task *> stored;	/* not handed out */
	bool asked = false;
	double done = 0, busy = 0;	/* weight of the objects that have ended; s that they took */
	double begun_at = 0;

	/* Members of the scheduler. */
	struct Worker {
		std::deque<long> objects;	/* not handed out, numbers in machine.tasks */
		double weight = 0;		/* theirs */
		double handed = 0;
		double told = 0, rate = -1;
	};
	std::vector<Worker> workers;
	double W = 0, R = 0, chunk = 0;
	size_t objects = 0, batch_left = 0;
	std::string calc;

	bool scheduler() const { return id == net.processors - 1; }
	bool works() const { return !scheduler() || machine.parameters["scheduler"] != "dedicated"; }
	double weight(long object) const { return machine.tasks[(size_t)object].time; }

	void request()
	{
		if (asked)
			return;
		asked = true;
		to_scheduler({ std::lround(done * 1e9), std::lround(busy * 1e9) });
	}

	void to_scheduler(const std::vector<long> &word)
	{
		if (scheduler())
			schedule(id, word);
		else
			send(net.processors - 1, REQUEST, word);
	}

	void answer(int to, int kind, const std::vector<long> &word)
	{
		if (to == id)
			take(kind, word);
		else
			send(to, kind, word);
	}

	double G() const { return (double)workers.size(); }

	double size(const Worker &worker)
	{
		double mean = W / (double)objects;

		if (calc == "gss")
			return R / G();
		if (calc == "ss")
			return 0;
		if (calc == "mfsc") {
			double rest = W, chunks = 0;

			while (rest > 1e-9 * W) {
				double each = std::max(mean, rest / (2 * G()));

				for (double i = 0; i < G() && rest > 1e-9 * W; i++, chunks++)
					rest -= each;
			}
			return W / chunks;
		}
		if (calc == "fac2") {
			if (batch_left == 0) {
				chunk = R / (2 * G());
				batch_left = workers.size();
			}
			batch_left--;
			return chunk;
		}
		double sum = 0, known = 0;

		for (const Worker &w : workers)
			if (w.rate > 0) {
				sum += w.rate;
				known++;
			}
		return R / (2 * G()) * (worker.rate > 0 ? worker.rate * known / sum : 1);
	}

	void schedule(int from, const std::vector<long> &word)
	{
		Worker &w = workers[(size_t)from], *owner = &w;

		w.told = (double)word[0] * 1e-9;
		if (word[1] > 0)
			w.rate = (double)word[0] / (double)word[1];
		if (R <= 0 || std::all_of(workers.begin(), workers.end(), [](Worker &x) { return x.objects.empty(); })) {
			answer(from, END, {});
			return;
		}
		if (w.objects.empty()) {
			double longest = -1;

			for (Worker &x : workers) {
				double rest = x.weight + x.handed - x.told;
				double time = x.rate > 0 ? rest / x.rate : 1e100 * rest;

				if (!x.objects.empty() && time > longest) {
					longest = time;
					owner = &x;
				}
			}
		}
		double aim = size(w), sum = 0;
		std::vector<long> list = { (long)(owner - workers.data()) };

		while (!owner->objects.empty()) {
			long object = owner == &w ? owner->objects.front() : owner->objects.back();
			double more = weight(object);

			if (list.size() > 1 && std::fabs(sum + more - aim) >= std::fabs(sum - aim))
				break;
			list.push_back(object);
			sum += more;
			if (owner == &w)
				owner->objects.pop_front();
			else
				owner->objects.pop_back();
		}
		owner->weight -= sum;
		w.handed += sum;
		R -= sum;
		answer(from, owner == &w ? SIZE : GET, list);
	}

	/* Takes the objects of list out of those that are stored here. */
	std::deque<Task *> pick(const std::vector<long> &list)
	{
		std::deque<Task *> picked;

		for (size_t i = 1; i < list.size(); i++) {
			Task *task = &machine.tasks[(size_t)list[i]];

			stored.erase(std::find(stored.begin(), stored.end(), task));
			picked.push_back(task);
		}
		return picked;
	}

	void take(int kind, const std::vector<long> &list)
	{
		asked = false;
		if (kind == SIZE) {
			std::deque<Task *> picked = pick(list);

			queue.insert(queue.end(), picked.begin(), picked.end());
		} else if (kind == GET) {
			asked = true;		/* until the data have come */
			send((int)list[0], GIVE, list);
		} else {
			asked = true;
		}
	}

	void start() override
	{
		calc = machine.parameters["calc"];
		stored.swap(queue);
		if (scheduler()) {
			workers.resize((size_t)net.processors - !works());
			for (size_t i = 0; i < machine.tasks.size(); i++) {
				Worker &w = workers.at((size_t)machine.tasks[i].place);

				w.objects.push_back((long)i);
				w.weight += weight((long)i);
				W += weight((long)i);
			}
			R = W;
			objects = machine.tasks.size();
		}
		work(1e-8 * (id + 1));		/* the first requests come in the order of numbers */
		if (works())
			request();
	}

	void begun() override
	{
		begun_at = simgrid::s4u::Engine::get_clock();
		if (queue.empty())
			request();
	}

	void ended(Task *task) override
	{
		done += task->time;
		busy += simgrid::s4u::Engine::get_clock() - begun_at;
	}

	void received(Message &m) override
	{
		switch (m.kind) {
		case REQUEST:
			schedule(m.from, m.word);
			break;
		case GIVE:
			send(m.from, DATA, {}, pick(m.word));
			break;
		case DATA:
			asked = false;
			queue.insert(queue.end(), m.tasks.begin(), m.tasks.end());
			m.tasks.clear();
			break;
		default:
			take(m.kind, m.word);
			break;
		}
	}

public:
	using Processor::Processor;
};

}

MAKES(repart, Repart)
