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

/* A sequence is a first element and a number of elements, n, of which at(k) is the k-th; `ok` says that I and J are bounds of one. */
template <class I, class J, class = void> struct sequence {
	static constexpr bool ok = false;
};

template <class T> constexpr bool is_index = std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8;

/* `begin` as a value of the end's type. */
template <class J, class I> J as_end(I begin)
{
	const J first = static_cast<J>(begin);

	if (static_cast<I>(first) != begin || (first < J{}) != (begin < I{}))
		throw error(DLS_ERANGE, "the begin of a loop is no value of its end's type");
	return first;
}

/* Integers of the type of the end. */
template <class I, class J> struct sequence<I, J, std::enable_if_t<is_index<I> && is_index<J>>> {
	static constexpr bool ok = true, random = true;
	J first;
	std::uint64_t n;

	sequence(I begin, J end) : first(as_end<J>(begin)), n(0)
	{
		if (first < end)
			n = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(first);
	}
	J at(std::uint64_t k) const { return static_cast<J>(static_cast<std::uint64_t>(first) + k); }
	static bool before(J i, J past) { return i < past; }	/* gcc vectorises no `unsigned` index under != */
	static J value(J i) { return i; }
};

template <class I, class J, class = void> struct is_random : std::false_type {};
template <class I, class J>
struct is_random<I, J, std::void_t<decltype(std::declval<const I &>() + (std::declval<const J &>() - std::declval<const I &>()))>>
	: std::true_type {};

/* Whether I and J are iterators, or an iterator and what ends it. */
template <class I, class J, class = void> struct is_iterator : std::false_type {};
template <class I, class J>
struct is_iterator<I, J, std::enable_if_t<!std::is_arithmetic_v<I> && !std::is_arithmetic_v<J>,
	std::void_t<decltype(*std::declval<I &>()), decltype(++std::declval<I &>()),
		    decltype(std::declval<const I &>() != std::declval<const J &>())>>> : std::true_type {};

template <class I, class = void> struct category {
	using type = void;
};
template <class I> struct category<I, std::void_t<typename std::iterator_traits<I>::iterator_category>> {
	using type = typename std::iterator_traits<I>::iterator_category;
};

/* Whether copies of an iterator may be walked again. */
template <class I> constexpr bool is_forward = std::is_convertible_v<typename category<I>::type, std::forward_iterator_tag>
#ifdef __cpp_lib_concepts
	|| std::forward_iterator<I>
#endif
	;

/* Random-access iterators. */
template <class I, class J> struct sequence<I, J, std::enable_if_t<is_iterator<I, J>::value && is_random<I, J>::value>> {
	using difference = decltype(std::declval<const J &>() - std::declval<const I &>());
	static constexpr bool ok = true, random = true;
	I first;
	std::uint64_t n;

	sequence(I begin, J end) : first(begin), n(end - begin > 0 ? static_cast<std::uint64_t>(end - begin) : 0) {}
	I at(std::uint64_t k) const { return first + static_cast<difference>(k); }
	static bool before(const I &i, const I &past) { return i != past; }
	static decltype(auto) value(I &i) { return *i; }
};

/* Forward iterators: one walk counts them and keeps every `stride`-th, at most MARKS; from the one before it an element is reached in
 * fewer than `stride` steps, of which there are at most n / (MARKS / 2). */
template <class I, class J> struct sequence<I, J, std::enable_if_t<is_iterator<I, J>::value && !is_random<I, J>::value>> {
	static_assert(is_forward<I>, "a loop walks a sequence more than once: it takes integers, and iterators or ranges that are at "
		      "least forward; what an input iterator gives, such as std::istream_iterator, is to be put into a vector first");
	static constexpr bool ok = true, random = false;
	static constexpr std::size_t MARKS = 8192;
	std::vector<I> mark;
	std::uint64_t stride = 1, n = 0;

	sequence(I begin, J end)
	{
		for (; begin != end; ++begin, ++n) {
			if (n % stride == 0 && mark.size() == MARKS)
				thin();
			if (n % stride == 0)
				mark.push_back(begin);
		}
		mark.push_back(begin);	/* the end */
	}
	I at(std::uint64_t k) const
	{
		if (k == n)
			return mark.back();
		I i = mark.begin()[static_cast<typename std::vector<I>::difference_type>(k / stride)];

		for (std::uint64_t left = k % stride; left > 0; left--)
			++i;
		return i;
	}
	static bool before(const I &i, const I &past) { return i != past; }
	static decltype(auto) value(I &i) { return *i; }
private:
	/* Keep every other one. */
	void thin()
	{
		std::size_t kept = 0;

		for (std::size_t i = 0; i < mark.size(); i += 2)
			mark[kept++] = mark[i];
		mark.erase(mark.begin() + static_cast<typename std::vector<I>::difference_type>(kept), mark.end());
		stride *= 2;
	}
};

namespace begins {
using std::begin;
using std::end;
template <class R> auto first(R &r) { return begin(r); }
template <class R> auto past(R &r) { return end(r); }
template <class R, class = void> struct is : std::false_type {};
template <class R> struct is<R, std::void_t<decltype(begin(std::declval<R &>()))>> : std::true_type {};
}

template <class I, class J> using if_bounds = std::enable_if_t<sequence<I, J>::ok>;
template <class R> using if_range = std::enable_if_t<begins::is<R>::value>;

/* Integers in tiles of `tile`, of which the last may be smaller. */
template <class I, class J> struct tiled {
	static_assert(is_index<I> && is_index<J>, "the bounds of a loop over tiles are integers of at most 64 bits");
	sequence<I, J> all;
	std::uint64_t tile, tiles;

	tiled(I begin, J end, std::uint64_t size) : all(begin, end), tile(size), tiles(0)
	{
		if (size == 0)
			throw error(DLS_ERANGE, "a tile of a loop is 1 or more");
		tiles = all.n / size + (all.n % size > 0);
	}
	J lo(std::uint64_t k) const { return all.at(k * tile); }
	J hi(std::uint64_t k) const { return all.at(k + 1 < tiles ? (k + 1) * tile : all.n); }
};

/* The k-th of begin, begin + step, ...: k counts, so that no value is passed that the type does not hold. */
template <class T> class stepping {
public:
	using iterator_category = std::random_access_iterator_tag;
	using value_type = T;
	using difference_type = std::int64_t;
	using pointer = const T *;
	using reference = T;

	stepping() = default;
	stepping(T begin, std::int64_t step, std::int64_t k) : begin_(begin), step_(step), k_(k) {}
	T operator*() const
	{
		return static_cast<T>(static_cast<std::uint64_t>(begin_) + static_cast<std::uint64_t>(k_) * static_cast<std::uint64_t>(step_));
	}
	T operator[](std::int64_t n) const { return *(*this + n); }
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
	T begin_{};
	std::int64_t step_ = 1, k_ = 0;
};

template <class T> struct stepped {
	stepping<T> first, past;
	stepping<T> begin() const { return first; }
	stepping<T> end() const { return past; }
};

}

/** The integers begin, begin + step, ... that lie before end, or after it if step is negative, as a range for any loop.
 *
 * They have the type of `end`.  Exact up to the ends of the type.  Throws error, DLS_ERANGE, for a begin that is no value of that
 * type and for 2^63 integers or more; DLS_EINVAL for a step of 0. */
template <class I, class J> detail::stepped<J> range(I begin, J end, std::int64_t step)
{
	static_assert(detail::is_index<I> && detail::is_index<J>, "the bounds of a range with a step are integers of at most 64 bits");
	const J first = detail::as_end<J>(begin);

	if (step == 0)
		throw error(DLS_EINVAL, "the step of a range is 0");
	const std::uint64_t n = dls__count(first < end, first > end, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(end),
					   step);

	if (n > INT64_MAX)
		throw error(DLS_ERANGE, "a range with a step has 2^63 integers or more");
	return {{first, step, 0}, {first, step, static_cast<std::int64_t>(n)}};
}

}

#endif
