/* witness.cc - one run of a machine on SimGrid, with the same load as dls-sim(1) has.
 *
 *	witness STRATEGY NET PROCESSORS COSTS FILE SPEEDS
 *
 * STRATEGY is rid, sid, gm, hbm, dem, twa, factor or repart, with parameters as in dls_balance(7); FILE is a load of dls-sim, `file' or `graph=file'.
 * Prints T_bal and how often a task was sent. */
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include <xbt/log.h>

#include "machine.h"

namespace s4u = simgrid::s4u;

/* A host for each processor; from each to each a link for every distance, behind the sender's own that its messages share. */
static std::vector<s4u::Host *> build(Machine &m)
{
	const int n = m.net->processors;
	double bandwidth = m.costs.byte > 0 ? 1 / m.costs.byte : 1e18;
	s4u::NetZone *zone = s4u::create_full_zone("machine");
	std::vector<s4u::Host *> hosts;
	std::vector<s4u::Link *> out;
	std::map<int, s4u::Link *> over;

	for (int p = 0; p < n; p++) {
		hosts.push_back(zone->create_host("h" + std::to_string(p), 1e9)->seal());
		out.push_back(zone->create_link("out" + std::to_string(p), bandwidth)->seal());
	}
	for (int p = 0; p < n; p++) {
		for (int q = 0; q < n; q++) {
			int d = m.net->distance(p, q);

			if (p == q)
				continue;
			if (!over[d])
				over[d] = zone->create_link("over" + std::to_string(d), 1e18)
						  ->set_latency(m.costs.latency + (d - 1) * m.costs.hop)
						  ->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE)
						  ->seal();
			zone->add_route(hosts[p]->get_netpoint(), hosts[q]->get_netpoint(), nullptr, nullptr,
					{ s4u::LinkInRoute(out[p]), s4u::LinkInRoute(over[d]) }, false);
		}
	}
	zone->seal();
	return hosts;
}

/* Lines `processor time', or with graph= `number time parents'; those tasks are on processor 0 or come up when their parents
 * have ended. */
static std::vector<std::vector<int>> read_load(Machine &m, const std::string &load)
{
	bool graph = load.rfind("graph=", 0) == 0;
	std::ifstream file(graph ? load.substr(6) : load);
	std::vector<std::vector<int>> first(m.net->processors), parents;
	std::map<int, int> place;
	std::string line;

	if (!file)
		throw std::runtime_error("cannot read " + load);
	while (std::getline(file, line)) {
		std::istringstream words(line);
		int number, parent;
		double time;

		if (!(words >> number >> time))
			throw std::runtime_error("not a task: " + line);
		m.tasks.push_back({ time, {}, 0, 0 });
		parents.emplace_back();
		if (graph) {
			place[number] = (int)m.tasks.size() - 1;
			while (words >> parent)
				parents.back().push_back(parent);
		} else {
			first.at(number).push_back((int)m.tasks.size() - 1);
			m.tasks.back().place = number;
		}
	}
	for (size_t i = 0; graph && i < m.tasks.size(); i++) {
		m.tasks[i].parents = (int)parents[i].size();
		for (int parent : parents[i])
			m.tasks[place.at(parent)].children.push_back((int)i);
		if (parents[i].empty())
			first[0].push_back((int)i);
	}
	return first;
}

int main(int argc, char **argv)
{
	/* Times are those of the links: without the factors by which SimGrid imitates TCP. */
	xbt_log_control_set("root.thresh:error");
	s4u::Engine engine(&argc, argv);
	Machine m;
	std::unique_ptr<Processor> (*make)(int, Machine &) = nullptr;

	if (argc != 7) {
		std::cerr << "usage: witness STRATEGY NET PROCESSORS COSTS FILE SPEEDS\n";
		return 2;
	}
	s4u::Engine::set_config("network/model:CM02");
	s4u::Engine::set_config("network/TCP-gamma:0");
	s4u::Engine::set_config("network/crosstraffic:0");
	try {
		std::istringstream strategy(argv[1]);
		std::string name, key;

		std::getline(strategy, name, ',');
		while (std::getline(strategy, key, ','))
			m.parameters[key.substr(0, key.find('='))] = key.substr(key.find('=') + 1);
		static const std::map<std::string, std::unique_ptr<Processor> (*)(int, Machine &)> strategies = {
#define NAMED(name) { #name, make_##name },
			STRATEGIES(NAMED)
		};
		make = strategies.count(name) ? strategies.at(name) : nullptr;
		if (!make)
			throw std::invalid_argument("no strategy " + name);
		m.net = Net::read(argv[2], std::stoi(argv[3]));
		m.costs = Costs::read(argv[4]);

		std::istringstream speeds(argv[6]);

		while (std::getline(speeds, key, ':'))
			m.speed.push_back(std::stod(key));

		std::vector<std::vector<int>> first = read_load(m, argv[5]);
		std::vector<std::unique_ptr<Processor>> processors;
		std::vector<s4u::Host *> hosts = build(m);

		for (int p = 0; p < m.net->processors; p++) {
			processors.push_back(make(p, m));
			for (int i : first[p])
				processors[p]->queue.push_back(&m.tasks[i]);
		}
		for (int p = 0; p < m.net->processors; p++)
			s4u::Actor::create("p" + std::to_string(p), hosts[p], [&, p] { (*processors[p])(); });

		engine.run();
		if (m.ended != m.tasks.size())
			throw std::runtime_error("not all tasks have ended");
		std::printf("%.9f %lu\n", m.end, m.transfers);
	} catch (const std::exception &e) {
		std::cerr << "witness: " << e.what() << '\n';
		return 1;
	}
	return 0;
}
