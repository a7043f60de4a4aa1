/* ranges.cc - dls.hpp: sequences without random access, steps, lists in braces, three indices, tiles, scans.
 *
 * Fails if: an element of a list is lost, run twice or found by another one's place, also where more are walked than places are kept;
 * a range with a step leaves its type or loses its last index; a triple or a tile is lost, or a tile has not its size; a sum of a scan
 * differs from the serial one, or in any bit between schedules and teams. */
#include <climits>
#include <forward_list>
#include <list>
#include <map>
#include <string>
#include <vector>

#include <dls.hpp>
#include "marks.hpp"
#include "tap.h"
#include "thrown.hpp"

namespace {

const char *const schedules[] = { nullptr, "static", "ss", "gss", "steal", "rid", "fac2" };

void forward()
{
	dls::team three(3);

	/* Around what marks are kept for, 8192, and its double, where every other one goes. */
	for (int n : { 0, 1, 7, 8191, 8192, 8193, 16384, 16385, 40000 }) {
		std::list<int> list;
		marks m(static_cast<std::size_t>(n));
		long sum = 0;

		for (int i = 0; i < n; i++) {
			list.push_back(i);
			sum += i;
		}
		for (const char *schedule : schedules) {
			if (n > 10000 && schedule && std::string(schedule) == "ss")
				continue;	/* walks to each element */
			const dls::options o{nullptr, schedule, 0, &three};

			dls::for_each(list, [&](int i) { m[static_cast<std::size_t>(i)]++; }, o);
			CHECK(once(m));
			dls::for_chunks(list.cbegin(), list.cend(), [&](auto lo, auto hi) {
				for (; lo != hi; ++lo)
					m[static_cast<std::size_t>(*lo)]++;
			}, o);
			CHECK(once(m));
			CHECK_EQ(dls::reduce(list, 0L, std::plus<>(), o), sum);
		}
	}
	std::forward_list<int> words(100, 3);
	std::map<int, int> map;

	dls::for_each(words, [](int &x) { x *= 2; });
	CHECK_EQ(dls::reduce(words, 0), 600);
	for (int i = 0; i < 50; i++)
		map[i] = i;
	dls::for_each(map, [](auto &entry) { entry.second *= 2; });
	CHECK_EQ(dls::transform_reduce(map, 0, std::plus<>(), [](const auto &entry) { return entry.second; }), 2450);
}

void lists()
{
	std::atomic<int> sum{0}, chunked{0};

	dls::for_each({ 1, 2, 3 }, [&](int i) { sum += i; });
	CHECK_EQ(sum, 6);
	dls::for_chunks({ 4, 5 }, [&](const int *lo, const int *hi) {
		for (; lo != hi; ++lo)
			chunked += *lo;
	});
	CHECK_EQ(chunked, 9);
	CHECK_EQ(dls::reduce({ 1, 2, 3 }, 10), 16);
	CHECK_EQ(dls::transform_reduce({ 1, 2, 3 }, 0, std::plus<>(), [](int i) { return i * i; }), 14);
}

template <class I, class J> void steps_of(I begin, J end, std::int64_t step, const std::vector<J> &wanted)
{
	for (const char *schedule : schedules) {
		std::vector<std::atomic<int>> got(wanted.size());
		std::atomic<int> strange{0};

		dls::for_each(dls::range(begin, end, step), [&](J i) {
			std::size_t k = 0;

			while (k < wanted.size() && wanted[k] != i)
				k++;
			if (k < wanted.size())
				got[k]++;
			else
				strange++;
		}, {nullptr, schedule});
		CHECK_EQ(strange, 0);
		for (auto &times : got)
			CHECK_EQ(times, 1);
	}
}

void steps()
{
	steps_of(0, 10, 3, std::vector<int>{ 0, 3, 6, 9 });
	steps_of(0, 9, 3, std::vector<int>{ 0, 3, 6 });
	steps_of(10, -1, -5, std::vector<int>{ 10, 5, 0 });
	steps_of(5, 5, 1, std::vector<int>{});
	steps_of(5, 0, 1, std::vector<int>{});
	steps_of(INT_MAX - 5, INT_MAX, 4, std::vector<int>{ INT_MAX - 5, INT_MAX - 1 });
	steps_of(INT64_MIN, INT64_MAX, INT64_MAX, std::vector<std::int64_t>{ INT64_MIN, -1, INT64_MAX - 1 });
	steps_of(0u, UINT64_MAX, INT64_MAX, std::vector<std::uint64_t>{ 0, INT64_MAX, UINT64_MAX - 1 });
	CHECK_EQ(dls::reduce(dls::range(1, 100, 2), 0), 2500);
	CHECK_EQ(code_of([] { dls::range(0, 1, 0); }), DLS_EINVAL);
	CHECK_EQ(code_of([] { dls::range(0u, UINT64_MAX, 1); }), DLS_ERANGE);
	const unsigned three = 3;
	CHECK_EQ(code_of([=] { dls::range(9, 0, -three); }), DLS_ERANGE);
	CHECK_EQ(dls::reduce(dls::range(9, 0, -std::size_t{three}), 0), 18);
	CHECK_EQ(dls::reduce(dls::range(0, 9, three), 0), 9);
	CHECK_EQ(dls::reduce(dls::range(INT64_C(0), INT64_C(5000000000), 3000000000u), INT64_C(0)), 3000000000);
}

void three_indices()
{
	marks m(5 * 7 * 11);
	std::atomic<int> wrong{0};

	for (const char *schedule : schedules) {
		dls::for_each_3d(-2, 3, 0u, 7u, short{4}, short{15}, [&](int i, unsigned j, short k) {
			m[static_cast<std::size_t>((i + 2) * 77 + static_cast<int>(j) * 11 + k - 4)]++;
		}, {nullptr, schedule});
		CHECK(once(m));
	}
	dls::for_each_3d(0, 5, 0, 0, 0, 11, [&](int, int, int) { wrong++; });
	CHECK_EQ(wrong, 0);
	CHECK_EQ(code_of([] { dls::for_each_3d(0, 1L << 31, 0, 1L << 31, 0, 4, [](auto...) {}); }), DLS_ERANGE);
}

void tiles()
{
	marks m(10 * 11 * 5);
	std::atomic<int> wrong{0};

	for (const char *schedule : { "static", "ss", "gss,curve=hilbert", "steal" }) {
		marks flat(110);

		dls::for_tiles_2d(0, 10, 5, 16, 3, 4, [&](int i, int i_end, int j, int j_end) {
			wrong += i % 3 != 0 || (j - 5) % 4 != 0 || i_end != std::min(i + 3, 10) || j_end != std::min(j + 4, 16);
			for (; i < i_end; i++)
				for (int c = j; c < j_end; c++)
					flat[static_cast<std::size_t>(i * 11 + c - 5)]++;
		}, {nullptr, schedule});
		CHECK(once(flat));
	}
	dls::for_tiles_3d(0, 10, 0, 11, 0, 5, 3, 4, 2, [&](int i, int i_end, int j, int j_end, int k, int k_end) {
		wrong += i_end - i > 3 || j_end - j > 4 || k_end - k > 2;
		for (; i < i_end; i++)
			for (int b = j; b < j_end; b++)
				for (int c = k; c < k_end; c++)
					m[static_cast<std::size_t>((i * 11 + b) * 5 + c)]++;
	}, {nullptr, "ss"});
	CHECK(once(m));
	CHECK_EQ(wrong, 0);
	CHECK_EQ(code_of([] { dls::for_tiles_2d(0, 10, 0, 10, 0, 4, [](int, int, int, int) {}); }), DLS_ERANGE);
}

void scans()
{
	dls::team one(1), three(3);

	for (std::size_t n : { 0, 1, 2, 1000, 100003 }) {
		std::vector<double> x(n), wanted(n), got(n), exclusive(n);
		unsigned random = static_cast<unsigned>(tap_seed());
		long wrong = 0;

		for (double &v : x) {
			random = random * 1664525u + 1013904223u;
			v = 1.0 / (1 + random % 1000);
		}
		auto end = dls::inclusive_scan(x, wanted.begin(), std::plus<>(), {nullptr, nullptr, 0, &one});
		CHECK(end == wanted.end());
		double sum = 0;
		for (std::size_t i = 0; i < n; i++) {
			sum += x[i];
			wrong += !(wanted[i] - sum < 1e-9 * sum && sum - wanted[i] < 1e-9 * sum);
		}
		CHECK_EQ(wrong, 0);
		for (const char *schedule : schedules) {
			dls::inclusive_scan(x.begin(), x.end(), got.begin(), std::plus<>(), {nullptr, schedule, 0, &three});
			CHECK(got == wanted);
			dls::exclusive_scan(x, exclusive.begin(), 0.0, std::plus<>(), {nullptr, schedule, 0, &three});
			for (std::size_t i = 0; i < n; i++)
				wrong += !(exclusive[i] + x[i] - wanted[i] < 1e-6 && wanted[i] - exclusive[i] - x[i] < 1e-6);
			CHECK_EQ(wrong, 0);
		}
		got = x;
		dls::exclusive_scan(got, got.begin(), 0.0);
		CHECK(got == exclusive);
		dls::inclusive_scan(x, x.begin());	/* in place */
		CHECK(x == wanted);
	}
	/* An operator that is not commutative, over a list; an init that stands first. */
	std::list<std::string> letters;
	std::vector<std::string> words(3000);
	std::string word = ">";

	for (int i = 0; i < 3000; i++)
		letters.push_back(std::string(1, static_cast<char>('a' + i % 26)));
	dls::inclusive_scan(letters, words.begin(), std::plus<>(), word, {nullptr, "ss", 0, &three});
	std::size_t wrong = 0, i = 0;
	for (const auto &letter : letters)
		wrong += words[i++] != (word += letter);
	CHECK_EQ(wrong, 0u);
	std::vector<int> squares(10);
	CHECK(dls::exclusive_scan(1, 11, squares.begin(), 0) == squares.end());
	CHECK_EQ(squares[9], 45);
	CHECK_EQ(number_of([&] {
		dls::inclusive_scan(letters, words.begin(), [](std::string a, const std::string &b) {
			if (b == "z")
				throw 7;
			return a + b;
		});
	}), 7);
}

}

TEST_MAIN(T(forward) T(lists) T(steps) T(three_indices) T(tiles) T(scans))
