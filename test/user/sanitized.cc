// sanitized.cc - a right program for ThreadSanitizer: what loops, reductions, scans, inner loops, exceptions and teams of dls.hpp hand
// from thread to thread.  With an argument it is wrong: all threads add to one number.
#include <cstdio>
#include <string>
#include <thread>
#include <vector>
#include <dls.hpp>

namespace {

long shared_sum = 0;

void round(std::vector<double> &v, const char *schedule)
{
	const dls::options o{nullptr, schedule};
	std::vector<double> sums(v.size());
	std::vector<std::string> words(100, "x");
	double sum = 0;

	dls::for_each(v, [](double &x) { x += 1; }, o);
	sum += dls::reduce(v, 0.0, std::plus<>(), o);
	dls::inclusive_scan(v, sums.begin(), std::plus<>(), o);
	sum += static_cast<double>(dls::reduce(words, std::string(), std::plus<>(), o).size());
	dls::for_each_2d(0, 100, 0, 100, [&](int i, int j) { v[static_cast<std::size_t>(i * 100 + j)] = i; }, o);
	dls::for_each(0, 10, [&](int i) {
		dls::for_each(0, 100, [&](int j) { v[static_cast<std::size_t>(i * 100 + j)] += 1; }, o);
	}, o);
	try {
		dls::for_each(v, [](double x) {
			if (x > 90)
				throw std::to_string(x);
		}, o);
	} catch (const std::string &text) {
		sum += static_cast<double>(text.size());
	}
	for (double x : v)
		sum += x;
	for (double x : sums)
		sum += x;
	if (sum < 0)
		std::puts("wrong");
}

}

int main(int argc, char **)
{
	std::vector<double> v(20000, 1.0), other(20000, 1.0);
	dls::team team(3);
	int there[3] = {0};

	for (const char *schedule : { "static", "ss,50", "steal", "gss", "awf-c", "auto", "auto", "auto", "auto" }) {
		std::thread second([&] { round(other, schedule); });

		round(v, schedule);
		second.join();
	}
	team.run([&](unsigned worker) {
		there[worker] = 1;
		team.barrier();
		if (there[0] + there[1] + there[2] != 3)
			std::puts("wrong");
	});
	if (argc > 1)
		dls::for_each(0, 1000, [](int) { shared_sum++; }, {nullptr, "static", 0, &team});
	std::puts("right");
}
