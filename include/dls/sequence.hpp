/* dls/sequence.hpp - what a loop of dls.hpp goes over: integers, iterators, ranges of them, lists in braces; dls.hpp includes it. */
#ifndef DLS_SEQUENCE_HPP
#define DLS_SEQUENCE_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <vector>

namespace dls {

namespace detail {

/* A sequence is a first element and a number of elements, n, of which at(k) is the k-th; `ok` says that a
 * begin and an end of these types are bounds of one. */
template <class Iter, class End, class = void> struct sequence {
	static constexpr bool ok = false;
};

template <class Value>
constexpr bool is_index = std::is_integral_v<Value> && !std::is_same_v<Value, bool> && sizeof(Value) <= 8;

/* `begin` as a value of the end's type. */
template <class End, class Iter> End as_end(Iter begin)
{
	const End first = static_cast<End>(begin);

	if (static_cast<Iter>(first) != begin || (first < End{}) != (begin < Iter{}))
		throw error(DLS_ERANGE, "the begin of a loop is no value of its end's type");
	return first;
}

/* Integers of the type of the end. */
template <class Iter, class End>
struct sequence<Iter, End, std::enable_if_t<is_index<Iter> && is_index<End>>> {
	static constexpr bool ok = true, random = true;
	End first;
	std::uint64_t n;

	sequence(Iter begin, End end) : first(as_end<End>(begin)), n(0)
	{
		if (first < end)
			n = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(first);
	}
	End at(std::uint64_t k) const { return static_cast<End>(static_cast<std::uint64_t>(first) + k); }
	static bool before(End i, End past) { return i < past; }	/* gcc vectorises no `unsigned` index under != */
	static End value(End i) { return i; }
};

template <class Iter, class End, class = void> struct is_random : std::false_type {};
template <class Iter, class End>
struct is_random<Iter, End, std::void_t<decltype(std::declval<const Iter &>() +
						 (std::declval<const End &>() - std::declval<const Iter &>()))>>
	: std::true_type {};

/* Whether a begin and an end are iterators, or an iterator and what ends it. */
template <class Iter, class End, class = void> struct is_iterator : std::false_type {};
template <class Iter, class End>
struct is_iterator<Iter, End, std::enable_if_t<!std::is_arithmetic_v<Iter> && !std::is_arithmetic_v<End>,
	std::void_t<decltype(*std::declval<Iter &>()), decltype(++std::declval<Iter &>()),
		    decltype(std::declval<const Iter &>() != std::declval<const End &>())>>> : std::true_type {};

template <class Iter, class = void> struct category {
	using type = void;
};
template <class Iter>
struct category<Iter, std::void_t<typename std::iterator_traits<Iter>::iterator_category>> {
	using type = typename std::iterator_traits<Iter>::iterator_category;
};

/* Whether copies of an iterator may be walked again. */
template <class Iter>
constexpr bool is_forward = std::is_convertible_v<typename category<Iter>::type, std::forward_iterator_tag>
#ifdef __cpp_lib_concepts
	|| std::forward_iterator<Iter>
#endif
	;

/* Random-access iterators. */
template <class Iter, class End>
struct sequence<Iter, End, std::enable_if_t<is_iterator<Iter, End>::value && is_random<Iter, End>::value>> {
	using difference = decltype(std::declval<const End &>() - std::declval<const Iter &>());
	static constexpr bool ok = true, random = true;
	Iter first;
	std::uint64_t n;

	sequence(Iter begin, End end) : first(begin), n(end - begin > 0 ? static_cast<std::uint64_t>(end - begin) : 0) {}
	Iter at(std::uint64_t k) const { return first + static_cast<difference>(k); }
	static bool before(const Iter &i, const Iter &past) { return i != past; }
	static decltype(auto) value(Iter &i) { return *i; }
};

/* Forward iterators: one walk counts them and keeps every `stride`-th, at most marks_max; from the one before it an element is
 * reached in fewer than `stride` steps, of which there are at most n / (marks_max / 2). */
template <class Iter, class End>
struct sequence<Iter, End, std::enable_if_t<is_iterator<Iter, End>::value && !is_random<Iter, End>::value>> {
	static_assert(is_forward<Iter>, "a loop walks a sequence more than once: it takes integers, and iterators or "
		      "ranges that are at least forward; what an input iterator gives, such as std::istream_iterator, is to be put "
		      "into a vector first");
	static constexpr bool ok = true, random = false;
	static constexpr std::size_t marks_max = 8192;
	std::vector<Iter> mark;
	std::uint64_t stride = 1, n = 0;

	sequence(Iter begin, End end)
	{
		for (; begin != end; ++begin, ++n) {
			if (n % stride == 0 && mark.size() == marks_max)
				thin();
			if (n % stride == 0)
				mark.push_back(begin);
		}
		mark.push_back(begin);	/* the end */
	}
	Iter at(std::uint64_t k) const
	{
		if (k == n)
			return mark.back();
		Iter i = mark.begin()[static_cast<typename std::vector<Iter>::difference_type>(k / stride)];

		for (std::uint64_t left = k % stride; left > 0; left--)
			++i;
		return i;
	}
	static bool before(const Iter &i, const Iter &past) { return i != past; }
	static decltype(auto) value(Iter &i) { return *i; }
private:
	/* Keep every other one. */
	void thin()
	{
		std::size_t kept = 0;

		for (std::size_t i = 0; i < mark.size(); i += 2)
			mark[kept++] = mark[i];
		mark.erase(mark.begin() + static_cast<typename std::vector<Iter>::difference_type>(kept), mark.end());
		stride *= 2;
	}
};

namespace begins {
using std::begin;
using std::end;
template <class Range> auto first(Range &r) { return begin(r); }
template <class Range> auto past(Range &r) { return end(r); }
template <class Range, class = void> struct is : std::false_type {};
template <class Range>
struct is<Range, std::void_t<decltype(begin(std::declval<Range &>()))>> : std::true_type {};
}

template <class Iter, class End> using if_bounds = std::enable_if_t<sequence<Iter, End>::ok>;
template <class Range> using if_range = std::enable_if_t<begins::is<Range>::value>;

/* Integers in tiles of `tile`, of which the last may be smaller. */
template <class Iter, class End> struct tiled {
	static_assert(is_index<Iter> && is_index<End>,
		      "the bounds of a loop over tiles are integers of at most 64 bits");
	sequence<Iter, End> all;
	std::uint64_t tile, tiles;

	tiled(Iter begin, End end, std::uint64_t size) : all(begin, end), tile(size), tiles(0)
	{
		if (size == 0)
			throw error(DLS_ERANGE, "a tile of a loop is 1 or more");
		tiles = all.n / size + (all.n % size > 0);
	}
	End lo(std::uint64_t k) const { return all.at(k * tile); }
	End hi(std::uint64_t k) const { return all.at(k + 1 < tiles ? (k + 1) * tile : all.n); }
};

/* The k-th of begin, begin + step, ...: k counts, so that no value is passed that the type does not hold. */
template <class Value> class stepping {
public:
	using iterator_category = std::random_access_iterator_tag;
	using value_type = Value;
	using difference_type = std::int64_t;
	using pointer = const Value *;
	using reference = Value;

	stepping() = default;
	stepping(Value begin, std::int64_t step, std::int64_t k) : begin_(begin), step_(step), k_(k) {}
	Value operator*() const
	{
		return static_cast<Value>(static_cast<std::uint64_t>(begin_) +
					  static_cast<std::uint64_t>(k_) * static_cast<std::uint64_t>(step_));
	}
	Value operator[](std::int64_t n) const { return *(*this + n); }
	stepping &operator++() { ++k_; return *this; }
	stepping operator++(int) { stepping old = *this; ++k_; return old; }
	stepping &operator--() { --k_; return *this; }
	stepping operator--(int) { stepping old = *this; --k_; return old; }
	stepping &operator+=(std::int64_t n) { k_ += n; return *this; }
	stepping &operator-=(std::int64_t n) { k_ -= n; return *this; }
	friend stepping operator+(stepping i, std::int64_t n) { return i += n; }
	friend stepping operator+(std::int64_t n, stepping i) { return i += n; }
	friend stepping operator-(stepping i, std::int64_t n) { return i -= n; }
	friend std::int64_t operator-(const stepping &i, const stepping &j) { return i.k_ - j.k_; }
	friend bool operator==(const stepping &i, const stepping &j) { return i.k_ == j.k_; }
	friend bool operator!=(const stepping &i, const stepping &j) { return i.k_ != j.k_; }
	friend bool operator<(const stepping &i, const stepping &j) { return i.k_ < j.k_; }
	friend bool operator>(const stepping &i, const stepping &j) { return i.k_ > j.k_; }
	friend bool operator<=(const stepping &i, const stepping &j) { return i.k_ <= j.k_; }
	friend bool operator>=(const stepping &i, const stepping &j) { return i.k_ >= j.k_; }
private:
	Value begin_{};
	std::int64_t step_ = 1, k_ = 0;
};

template <class Value> struct stepped {
	stepping<Value> first, past;
	stepping<Value> begin() const { return first; }
	stepping<Value> end() const { return past; }
};

}

/** The integers begin, begin + step, ... that lie before end, or after it if step is negative, as a range for any loop.
 *
 * They have the type of `end`.  Exact up to the ends of the type.  Throws error, DLS_ERANGE, for a begin that is no value of that
 * type, for 2^63 integers or more, and for an unsigned int that was negated as the step of a range downwards; DLS_EINVAL for a step
 * of 0. */
template <class Iter, class End, class Step> detail::stepped<End> range(Iter begin, End end, Step by)
{
	static_assert(detail::is_index<Iter> && detail::is_index<End>,
		      "the bounds of a range with a step are integers of at most 64 bits");
	const End first = detail::as_end<End>(begin);
	const std::int64_t step = static_cast<std::int64_t>(by);

	if (step == 0)
		throw error(DLS_EINVAL, "the step of a range is 0");
	if (std::is_unsigned_v<Step> && sizeof(by) == 4 && step > INT32_MAX && first > end)
		throw error(DLS_ERANGE, "the step of a range is an unsigned number that was negated: negate a signed one");
	const std::uint64_t n = dls__count(first < end, first > end, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(end),
					   step);

	if (n > INT64_MAX)
		throw error(DLS_ERANGE, "a range with a step has 2^63 integers or more");
	return {{first, step, 0}, {first, step, static_cast<std::int64_t>(n)}};
}

}

#endif
