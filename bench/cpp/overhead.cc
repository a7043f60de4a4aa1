/* overhead.cc - what loops and chunks cost by dls.hpp, beside the macros, and how soon an exception ends a loop: `make cpp`.
 *
 * Both sides run the same bodies, in turn; medians. */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include <dls.hpp>

namespace {

enum { ROUNDS = 21, LOOPS = 300, CHUNKS = 100000, MANY = 10000000 };

struct padded {
	alignas(128) long n = 0;
} sum[2];

double now()
{
	return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/* Time of one of `n`, ns. */
template <class F> double cost(int loops, double n, F f)
{
	double began = now();

	for (int k = 0; k < loops; k++)
		f();
	return 1e9 * (now() - began) / n;
}

double median(std::vector<double> times)
{
	std::nth_element(times.begin(), times.begin() + ROUNDS / 2, times.end());
	return times[ROUNDS / 2];
}

template <class Macro, class Call> void compare(const char *what, int loops, double n, Macro macro, Call call)
{
	std::vector<double> by_macro, by_call;

	for (int k = 0; k < ROUNDS; k++) {
		by_macro.push_back(cost(loops, n, macro));
		by_call.push_back(cost(loops, n, call));
	}
	std::printf("%-34s %9.1f %9.1f %8.2f\n", what, median(by_macro), median(by_call), median(by_call) / median(by_macro));
}

/* From the throw to the end of a loop of ten million iterations, us. */
double end_of_loop()
{
	std::vector<double> times;

	for (int k = 0; k < ROUNDS; k++) {
		double thrown = 0;

		try {
			dls::for_each(0, +MANY, [&](int i) {
				if (i == 1000) {
					thrown = now();
					throw 1;
				}
			}, {"thrown", "ss"});
		} catch (int) {
			times.push_back(1e6 * (now() - thrown));
		}
	}
	return median(times);
}

}

int main()
{
	std::printf("%-34s %9s %9s %8s\n", "ns", "macro", "dls.hpp", "ratio");
	compare("a loop of 2 iterations, auto", LOOPS, LOOPS, [] {
		DLS_PARALLEL_FOR(i, 0, 2)
			sum[i].n++;
	}, [] { dls::for_each(0, 2, [](int i) { sum[i].n++; }); });
	compare("a loop of 2 iterations, ss", LOOPS, LOOPS, [] {
		DLS_PARALLEL_FOR(i, 0, 2, .schedule = "ss")
			sum[i].n++;
	}, [] { dls::for_each(0, 2, [](int i) { sum[i].n++; }, {nullptr, "ss"}); });
	compare("a loop of 2 iterations, static", LOOPS, LOOPS, [] {
		DLS_PARALLEL_FOR(i, 0, 2, .schedule = "static")
			sum[i].n++;
	}, [] { dls::for_each(0, 2, [](int i) { sum[i].n++; }, {nullptr, "static"}); });
	compare("a chunk, ss", 1, CHUNKS, [] {
		DLS_PARALLEL_FOR(i, 0, +CHUNKS, .schedule = "ss")
			__asm__ volatile("" : : "r"(i));
	}, [] { dls::for_each(0, +CHUNKS, [](int i) { __asm__ volatile("" : : "r"(i)); }, {nullptr, "ss"}); });
	compare("a reduction of 2 iterations", LOOPS, LOOPS, [] {
		long all = 0;

		DLS_REDUCE(+, long, all, i, 0, 2)
			all += i;
		sum[0].n += all;
	}, [] { sum[0].n += dls::reduce(0, 2, 0L); });
	std::printf("\nfrom a throw to the end of a loop of %d iterations under ss: %.1f us\n", +MANY, end_of_loop());
	if (sum[1].n != 6 * ROUNDS * LOOPS) {
		std::fprintf(stderr, "overhead: iterations ran %ld times, not %d\n", sum[1].n, 6 * ROUNDS * LOOPS);
		return 1;
	}
}
