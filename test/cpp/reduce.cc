/* reduce.cc - dls::reduce(), dls::transform_reduce(): the bits of DLS_REDUCE, types of any kind, init once, order kept.
 *
 * Fails if: blocks begin elsewhere, partials are combined in another order, init is combined with each block or not at all, a
 * value is copied that can only be moved; blocks that are computed side by side get each other's elements or those of a shorter last
 * block; the nodes within a chunk are combined in another order, or a second time; auto deals single blocks to few workers, or eight at
 * once to so many that it could not balance them. */
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <dls.hpp>
#include "tap.h"
#include "thrown.hpp"

namespace {

double term(long i)
{
	return 1.0 / static_cast<double>(1 + i * 7919 % 10007);
}

void same_bits()
{
	dls::team team(3);

	for (long n : { 1L, 2L, 3L, 7L, 100L, 1000L, 4097L, 100000L, 1000003L }) {
		double sum = 0.1, first = dls::transform_reduce(0L, n, 0.1, std::plus<>(), term);

		DLS_REDUCE(+, double, sum, i, 0L, n)
			sum += term(i);
		if (!CHECK(sum == first))
			tap_note("%ld: %.17g %.17g", n, sum, first);
		for (const char *schedule : { "ss", "static", "gss", "fac2", "steal", "rid", "af", "frac" })
			for (int on_team = 0; on_team < 2; on_team++) {
				const dls::options o{nullptr, schedule, 0, on_team ? &team : nullptr};

				CHECK(dls::transform_reduce(0L, n, 0.1, std::plus<>(), term, o) == first);
			}
		for (unsigned workers = 1; workers <= 8; workers++) {
			dls::team some(workers);

			CHECK(dls::transform_reduce(0L, n, 0.1, std::plus<>(), term, {nullptr, nullptr, 0, &some}) == first);
		}
	}
}

/* Elements that auto lets two and eight workers add to the one before them, and not eight blocks at once. */
void abreast()
{
	const long n = 1000000;

	for (unsigned workers : { 2u, 8u }) {
		dls::team team(workers);
		std::atomic<long> alone{0};

		CHECK_EQ(dls::transform_reduce(0L, n, 0L, std::plus<>(), [&alone](long i) {
			thread_local long last = -1;

			if (i == last + 1)
				alone++;
			last = i;
			return 1L;
		}, {nullptr, nullptr, 0, &team}), n);
		if (!CHECK((alone < n / 2) == (workers == 2)))
			tap_note("%u workers add %ld of %ld alone", workers, alone.load(), n);
	}
}

void operators()
{
	std::vector<int> v(1000);

	for (int i = 0; i < 1000; i++)
		v[static_cast<unsigned>(i)] = i * 37 % 1000;
	CHECK_EQ(dls::reduce(v, 0), 499500);
	CHECK_EQ(dls::reduce(v.begin(), v.end(), 0L), 499500);
	CHECK_EQ(dls::reduce(v, -1, [](int a, int b) { return a > b ? a : b; }), 999);
	CHECK_EQ(dls::reduce(v, 0, std::bit_xor<>(), {"xor", "ss"}), dls::reduce(0, 1000, 0, std::bit_xor<>()));
	CHECK_EQ(dls::transform_reduce(v, 0L, std::plus<>(), [](int x) { return 2L * x; }), 999000);
	CHECK_EQ(dls::transform_reduce(v, 0L, std::plus<>(), [](int x, dls::worker) { return x; }), 499500);
	CHECK_EQ(dls::reduce(5, 5, 77), 77);
	CHECK_EQ(dls::reduce(std::vector<int>(), 77), 77);
	int plain[3] = { 1, 2, 3 };
	CHECK_EQ(dls::reduce(plain, 4), 10);
	CHECK_EQ(dls::reduce(plain + 0, plain + 3, 4), 10);
	CHECK_EQ(code_of([] { dls::reduce(0, 5, 0, std::plus<>(), {nullptr, nullptr, 8}); }), DLS_EINVAL);
}

/* Neither commutative nor cheap to copy: the order is that of the iterations, and init stands first. */
void order()
{
	std::string all = ">";

	for (int i = 0; i < 5000; i++)
		all += static_cast<char>('a' + i % 26);
	for (const char *schedule : { "ss", "static", "gss", "steal,3", "rnd", "hbm" })
		CHECK(dls::transform_reduce(0, 5000, std::string(">"),
					    [](std::string a, const std::string &b) { return std::move(a) + b; },
					    [](int i) { return std::string(1, static_cast<char>('a' + i % 26)); },
					    {"order", schedule}) == all);
}

/* x -> a x + b modulo 2^32, composed: associative, not commutative, and as plain as a number. */
struct affine {
	std::uint32_t a, b;
};

affine after(affine f, affine g)
{
	return {f.a * g.a, g.a * f.b + g.b};
}

void plain()
{
	const auto one = [](long i) { return affine{static_cast<std::uint32_t>(2 * i + 1), static_cast<std::uint32_t>(i * i)}; };
	dls::team team(3);

	for (long n : { 1L, 5L, 129L, 1000L, 4099L, 70000L }) {
		affine all = {3, 4};

		for (long i = 0; i < n; i++)
			all = after(all, one(i));
		for (const char *schedule : { "ss", "static", "steal,3", "fac2", "hbm" })
			for (dls::team *t : { &team, static_cast<dls::team *>(nullptr) }) {
				const affine found = dls::transform_reduce(0L, n, affine{3, 4}, after, one, {nullptr, schedule, 0, t});

				CHECK(found.a == all.a && found.b == all.b);
			}
	}
}

void moves()
{
	using boxed = std::unique_ptr<long>;
	const auto sum = dls::transform_reduce(0L, 5000L, std::make_unique<long>(5), [](boxed a, boxed b) {
		*a += *b;
		return a;
	}, [](long i) { return std::make_unique<long>(i); });

	CHECK_EQ(*sum, 5 + 4999L * 5000 / 2);
}

}

TEST_MAIN(T(same_bits) T(abreast) T(operators) T(order) T(plain) T(moves))
