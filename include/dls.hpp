/* dls.hpp - libdls for C++17 and later: parallel loops over integers, iterators and ranges, out of which exceptions may be thrown.
 *
 *	dls::for_each(0, n, [&](int i) { work(i); });
 *	dls::for_each(v, [](double &x) { x = f(x); }, {"name", "gss"});		// C++20: {.schedule = "gss"}
 *	double sum = dls::reduce(v, 0.0);
 *
 * With -fopenmp a loop is a parallel region of its own, as DLS_PARALLEL_FOR; without, it runs on a team of pthreads.  Schedules,
 * statistics and reports are those of dls.h, whose macros may be used in the same program.  See dls_cpp(3). */
#ifndef DLS_HPP
#define DLS_HPP

#if !defined(__cplusplus) || __cplusplus < 201703L
#error "dls.hpp needs C++17 or later"
#else

#include <atomic>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

/* C, in which casts look like this. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#include "dls.h"
namespace dls::detail {
constexpr std::int64_t multiple_max = DLS_MULTIPLE_MAX;
}
#pragma GCC diagnostic pop

namespace dls {

/** An error with a code of dls/error.h. */
class error : public std::runtime_error {
public:
	error(int code, const std::string &what) : std::runtime_error(what), code_(code) {}
	int code() const noexcept { return code_; }
private:
	int code_;
};

}

#include "dls/sequence.hpp"

namespace dls {

namespace detail {

inline int check(int code, const char *what)
{
	if (code < 0)
		throw error(code, std::string(what) + ": " + dls_strerror(code));
	return code;
}

template <auto close> struct closer {
	template <class Object> void operator()(Object *object) const noexcept { close(object); }
};

/* The first exception of a loop's threads, on its way to the caller. */
class failure {
public:
	/* Keep the exception that is handled.  False: it is none, since the thread is ending, by pthread_exit() or as it is cancelled; then
	 * what is handled must be thrown again. */
	bool keep() noexcept
	{
		const std::exception_ptr now = std::current_exception();

		/* relaxed: the loop's end passes `first` on. */
		if (now && !any.exchange(true, std::memory_order_relaxed))
			first = now;
		return now != nullptr;
	}
	void rethrow() const
	{
		if (first)
			std::rethrow_exception(first);
	}
private:
	std::atomic<bool> any{false};
	std::exception_ptr first;
};

}

/** A team of pthreads: dls/team.h. */
class team {
public:
	/** workers  1..DLS_WORKERS_MAX, the caller of run() counted in; 0: one for each processor, as dls_team_open() */
	explicit team(unsigned workers = 0)
	{
		dls_team *t = nullptr;

		detail::check(dls_team_open(&t, workers), "dls_team_open");
		team_.reset(t);
	}
	unsigned workers() const noexcept { return dls_team_workers(team_.get()); }

	/** Call f(worker) on each worker.  When all have returned, throws the first exception that left an f.  One that leaves f
	 * before a barrier that other workers wait at leaves them waiting.  Throws error, DLS_EBUSY, inside another run. */
	template <class Body> void run(Body &&f)
	{
		struct call {
			std::remove_reference_t<Body> &f;
			detail::failure failed;
		} all{f, {}};

		detail::check(dls_team_run(team_.get(), [](void *arg, unsigned worker) {
			call &c = *static_cast<call *>(arg);

			try {
				c.f(worker);
			} catch (...) {
				if (!c.failed.keep())
					dls__for_ended(nullptr);
			}
		}, &all), "dls_team_run");
		all.failed.rethrow();
	}
	/** Wait, inside run(), for all workers. */
	void barrier() noexcept { dls_team_barrier(team_.get()); }
	dls_team *get() const noexcept { return team_.get(); }
private:
	std::unique_ptr<dls_team, detail::closer<dls_team_close>> team_;
};

/** One loop dealt to workers of the caller's own: dls/loop.h. */
class loop {
public:
	explicit loop(unsigned workers, dls_site *site = nullptr, unsigned flags = 0)
	{
		dls_loop *l = nullptr;

		detail::check(dls_loop_open(&l, workers, site, flags), "dls_loop_open");
		loop_.reset(l);
	}
	void set_schedule(const char *text) { detail::check(dls_loop_set_schedule(get(), text), "dls_loop_set_schedule"); }
	void set_multiple(std::uint64_t n) { detail::check(dls_loop_set_multiple(get(), n), "dls_loop_set_multiple"); }
	void set_idempotent(bool on) { detail::check(dls_loop_set_idempotent(get(), on), "dls_loop_set_idempotent"); }
	void set_moments(double mu, double sigma) { detail::check(dls_loop_set_moments(get(), mu, sigma), "dls_loop_set_moments"); }
	void set_overhead(double h) { detail::check(dls_loop_set_overhead(get(), h), "dls_loop_set_overhead"); }
	void set_time(double seconds) { detail::check(dls_loop_set_time(get(), seconds), "dls_loop_set_time"); }

	void start(std::int64_t begin, std::int64_t end, std::int64_t step = 1)
	{
		detail::check(dls_loop_start(get(), begin, end, step), "dls_loop_start");
	}
	void start_u64(std::uint64_t begin, std::uint64_t end, std::int64_t step = 1)
	{
		detail::check(dls_loop_start_u64(get(), begin, end, step), "dls_loop_start_u64");
	}
	bool next(unsigned worker, std::int64_t &begin, std::int64_t &end) noexcept
	{
		return dls_loop_next(get(), worker, &begin, &end);
	}
	bool next(unsigned worker, std::uint64_t &begin, std::uint64_t &end) noexcept
	{
		return dls_loop_next_u64(get(), worker, &begin, &end);
	}
	void cancel() { detail::check(dls_loop_cancel(get()), "dls_loop_cancel"); }
	/** End an execution; returns how many iterations were handed out. */
	std::uint64_t end()
	{
		std::uint64_t iterations = 0;

		detail::check(dls_loop_end(get(), &iterations), "dls_loop_end");
		return iterations;
	}
	dls_loop *get() const noexcept { return loop_.get(); }
private:
	std::unique_ptr<dls_loop, detail::closer<dls_loop_close>> loop_;
};

/** The worker that makes a call.  A loop's callable that cannot be called without one gets it as its last argument. */
struct worker {
	unsigned number;	/* from 0 */
	constexpr explicit worker(unsigned n) noexcept : number(n) {}
};

/** Options of a loop. */
struct options {
	const char *name = nullptr;		/* of the site, 1 to 63 bytes; it must last as long as the program */
	const char *schedule = nullptr;		/* used if neither DLS_SCHEDULE nor dls_site_set_schedule() gives the site one */
	std::int64_t multiple = 0;		/* chunks start and end at multiples of it; 0: anywhere */
	dls::team *team = nullptr;		/* what the loop runs on; nullptr: OpenMP's threads, or the program's own team */
};

/** A place in the source, by default the caller's. */
struct place {
	const char *file;
	int line;
	const char *function = nullptr;		/* that it is in; nullptr: not known */
	static constexpr place here(const char *file = __builtin_FILE(), int line = __builtin_LINE(),
				    const char *function = __builtin_FUNCTION())
	{
		return {file, line, function};
	}
};

namespace detail {

/* f(x...) or, if it cannot be called so, f(x..., dls::worker).  The second call is not compiled if the first is possible, so generic
 * callables need not accept a worker. */
template <class Body, class... Args> decltype(auto) call(Body &f, unsigned worker, Args &&...x)
{
	if constexpr (std::is_invocable_v<Body &, Args...>) {
		return std::invoke(f, std::forward<Args>(x)...);
	} else {
		static_assert(std::is_invocable_v<Body &, Args..., dls::worker>,
			      "what a loop calls takes the loop's element, index, bounds or indices, and after that nothing or a dls::worker");
		return std::invoke(f, std::forward<Args>(x)..., dls::worker(worker));
	}
}

/* The level of loops on pthreads, which no OpenMP region has. */
constexpr int apart = -3;

inline void check_multiple(const options &o)
{
	if (o.multiple < 0 || o.multiple > multiple_max)
		throw error(DLS_ERANGE, "the multiple of a loop is not from 1 to 2^32, or 0 for none");
}

}

/* The code below differs with and without -fopenmp; two namespaces let one program have both. */
#ifdef _OPENMP
inline namespace openmp {
#else
inline namespace threads {
#endif

namespace impl {
using namespace detail;

/* What tells closures apart. */
template <class Body> const char *closure_name()
{
#ifdef __cpp_rtti
	return typeid(Body).name();
#else
	return nullptr;
#endif
}

/* The site of a loop.  Each closure has one, at the place where it is first used; at another place, its file and line are found
 * again in each execution.  Closures that reach one place, a wrapper's, have sites of their own. */
template <class Body> dls_site *site_at(const place &at, dls_site &other)
{
	static dls_site own = {at.file, at.line, nullptr, at.function, closure_name<Body>()};

	if (own.line == at.line && (own.file == at.file || std::strcmp(own.file, at.file) == 0))
		return &own;
	other = {at.file, at.line, nullptr, at.function, closure_name<Body>()};
	return &other;
}

/* What a loop runs on. */
#ifdef _OPENMP
inline dls_team *team_of(const options &o)	/* nullptr: a region */
{
	return o.team ? o.team->get() : nullptr;
}
#else
inline dls_team *team_of(const options &o)
{
	static dls_team *const own = [] {
		dls_team *t = nullptr;

		check(dls__team_own(&t), "dls_team_open");
		return t;
	}();

	return o.team ? o.team->get() : own;
}
#endif

/* Call work(level, worker, workers) for each worker of a team; if that is running, on this thread and those of the team that have
 * nothing to do.  `late`: for worker 0, and for others that have nothing to do meanwhile. */
template <class Work> void on_team(dls_team *t, bool late, const Work &work)
{
	struct share {
		const Work &work;
		unsigned workers;
		bool begun;
	} all{work, dls_team_workers(t), false};

	(late ? dls__team_share : dls__team_deal)(t, [](void *arg, unsigned worker) {
		share &s = *static_cast<share *>(arg);

		if (worker == 0)
			s.begun = true;
		s.work(apart, worker, s.workers);
	}, &all);
	if (!all.begun)
		work(apart, 0u, 1u);
}

/* Closes a combined loop, also where its thread ends. */
using closing = std::unique_ptr<dls__combined, closer<dls__combined_close>>;

/* A loop that is its whole region. */
struct combined_loop {
	dls__combined combined;
	failure failed;
};

/* What it hands to each thread: few words, since OpenMP copies them, from the begin of a cache line on. */
template <class Each> struct hand {
	combined_loop *all;
	dls__work_share *share;
	std::uint64_t flags, n;
	const Each *each;
};

/* Out of line: where chunks are asked for between them, gcc loads the body's constants anew in each iteration. */
template <class Each> __attribute__((__noinline__)) void run_chunk(dls__chunk chunk, const Each &each, unsigned worker)
{
	each(chunk, worker);
}

/* A thread's chunks from a first one on.  An exception cancels the loop, and the thread leaves it as usual.  So does a thread that is
 * ending, but others would wait for it: `shared` is the site of a loop that there are others in. */
template <class Each>
void run_chunks(dls__room &room, dls__chunk chunk, const Each &each, unsigned worker, failure &failed, const dls_site *shared)
{
	try {
		for (; chunk.n; chunk = dls__next(&room.head))
			run_chunk(chunk, each, worker);
	} catch (...) {
		const bool thrown = failed.keep();

		if (!thrown && shared)
			dls__for_ended(shared);
		dls_for_cancel();
		while (dls__next(&room.head).n)
			;
		if (!thrown)
			throw;
	}
}

template <class Each> void take_part(const hand<Each> &h, int level, unsigned worker, unsigned workers)
{
	dls__room room;
	const dls__chunk first = dls__for_combined(reinterpret_cast<dls__cursor *>(&room), &h.all->combined,
						   h.share, h.flags, h.n, level, worker, workers);

	run_chunks(room, first, *h.each, worker, h.all->failed, h.all->combined.request.site);
}

/* Flags for a loop's request: LATE if its team is at work already, so that workers come late or not at all.
 * nullptr: the loop has no team, but a region of its own. */
inline int kind_of(const dls_team *team)
{
	return team && dls__team_busy(team) ? DLS__KIND_LATE : 0;
}

/* Run a loop by the calling thread. */
template <class Each> void run_alone(const dls__request &request, const Each &each, failure &failed)
{
	dls__chunk all;
	dls__room room;

	dls__for_alone(reinterpret_cast<dls__cursor *>(&room), &request, &all);
	run_chunks(room, all, each, 0, failed, nullptr);
}

/* The most that a team, or a region, has. */
inline unsigned workers_of(const dls_team *team)
{
#ifdef _OPENMP
	if (!team)
		return static_cast<unsigned>(omp_get_max_threads());
#endif
	return team ? dls_team_workers(team) : 1;
}

/* Run a loop of n iterations: each(chunk, worker) runs a chunk. */
template <class Body, class Each>
void run_combined(std::uint64_t n, const options &o, const place &at, const Each &each_)
{
	dls_site other, *site = site_at<std::decay_t<Body>>(at, other);
	dls_team *const team = team_of(o);
	combined_loop both, *all = &both;
	dls__combined *const l = &both.combined;
	const Each *each = &each_;

	check_multiple(o);
	if (n == 0)
		return;
	dls__combined_prepare(l, site, o.name, o.schedule, o.multiple, kind_of(team), 0, n, n);
	if (team && n == 1) {	/* nothing to share */
		run_alone(l->request, *each, both.failed);
		both.failed.rethrow();
		return;
	}
	dls__combined_open(l, workers_of(team), true);
	if (team && l->flags & DLS__SERIAL) {
		closing open(l);

		run_alone(l->request, *each, both.failed);
		open.reset();
		both.failed.rethrow();
		return;
	}

	dls__work_share *share = l->share;
	std::uint64_t flags DLS__LINE_BEGIN = l->flags;

#ifdef _OPENMP
	if (!team) {
#pragma omp parallel firstprivate(all, share, flags, n, each) if(!(flags & DLS__SERIAL))
		take_part(hand<Each>{all, share, flags, n, each}, omp_get_level(),
			  static_cast<unsigned>(omp_get_thread_num()),
			  static_cast<unsigned>(omp_get_num_threads()));
	} else
#endif
		on_team(team, flags & DLS__LATE, [=](int level, unsigned worker, unsigned workers) {
			take_part(hand<Each>{all, share, flags, n, each}, level, worker, workers);
		});
	dls__combined_close(l);
	both.failed.rethrow();
}

/* A region around a loop: work(site, kind, region, level, worker, workers) on each of its threads, to which a line of this one's stack
 * comes late: few words, in as few lines as possible.  If auto has one thread run a loop of n > 0 iterations, a team's caller does so
 * without a region: work(site, kind, nullptr, 0, 0, 1). */
template <class Body, class Work>
void in_region(const options &o, const place &at, std::uint64_t n, Work &&work_)
{
	dls_site other, *site = site_at<std::decay_t<Body>>(at, other);
	dls_team *const team = team_of(o);
	const int kind = kind_of(team);
	std::remove_reference_t<Work> *const work = &work_;
	dls__combined combined;

	if (n) {
		dls__combined_prepare(&combined, site, o.name, o.schedule, 0, kind, 0, n, n);
		dls__combined_unopened(&combined, workers_of(team));
		if (team && combined.flags & DLS__SERIAL) {
			const closing open(&combined);

			(*work)(site, kind, nullptr, 0, 0, 1);
			return;
		}
	}

	dls__parallel region = dls__open_region();

#ifdef _OPENMP
	if (!team) {
		/* One by one, since OpenMP copies numbers and points to objects. */
		dls__team_record *const record DLS__LINE_BEGIN = region.team;
		dls__segment *const segment = region.segment;
		const std::uint64_t loop = region.loop, version = region.version;
		const bool serial = n && combined.flags & DLS__SERIAL;

#pragma omp parallel firstprivate(work, site, kind, record, segment, loop, version) if(!serial)
		{
			const dls__parallel copy = {record, segment, loop, version, false};

			(*work)(site, kind, &copy, omp_get_level(), static_cast<unsigned>(omp_get_thread_num()),
				static_cast<unsigned>(omp_get_num_threads()));
		}
	} else
#endif
		on_team(team, false, [=](int level, unsigned worker, unsigned workers) {
			(*work)(site, kind, &region, level, worker, workers);
		});
	dls__parallel_close(&region);
	if (n)
		dls__combined_close(&combined);
}

/* Open a region's loop as one of its threads, or without a region; returns the first chunk if that is to be taken at once. */
inline dls__chunk join(dls__run &run, const dls__request &request, const dls__parallel *region, int level,
		       bool take)
{
	dls__cursor *const cursor = reinterpret_cast<dls__cursor *>(&run.cursor);
	dls__chunk first = {0, 0};
	unsigned workers;

	run.end = 0;
	run.barrier = run.memory = false;
	if (region)
		dls__for_in_region(cursor, &request, level, &workers, take ? &first : nullptr);
	else
		dls__for_alone(cursor, &request, take ? &first : nullptr);
	return first;
}

}

/** Call f(i), or f(i, dls::worker) if it cannot be called so, for each i of begin <= i < end; of iterators, f(*i).
 *
 * begin, end  integers of at most 64 bits, or iterators, forward ones at least; i has the type of `end`
 * range       has such iterators: a container, a view, a list in braces, dls::range(begin, end, step).  Of those without random
 *             access the elements are counted first, in one walk
 * f           one object, called by several threads at the same time, as by std::invoke()
 *
 * If f throws, no more chunks start; when all threads have come to the loop's end, the first exception is thrown again.  Throws
 * error for a begin that is no value of i's type, a bad multiple, or threads that the system refuses. */
template <class Iter, class End, class Body, class = detail::if_bounds<Iter, End>>
void for_each(Iter begin, End end, Body &&f, const options &o = {}, const place &at = place::here())
{
	using sequence = detail::sequence<Iter, End>;
	const sequence all(begin, end);

	impl::run_combined<Body>(all.n, o, at, [&f, &all](dls__chunk chunk, unsigned worker) {
		auto i = all.at(chunk.lo);

		for (const auto past = all.at(chunk.lo + chunk.n); sequence::before(i, past); ++i)
			detail::call(f, worker, sequence::value(i));
	});
}

template <class Range, class Body, class = detail::if_range<Range>>
void for_each(Range &&range, Body &&f, const options &o = {}, const place &at = place::here())
{
	dls::for_each(detail::begins::first(range), detail::begins::past(range), f, o, at);
}

template <class Elem, class Body>
void for_each(std::initializer_list<Elem> list, Body &&f, const options &o = {}, const place &at = place::here())
{
	dls::for_each(list.begin(), list.end(), f, o, at);
}

/** Call f(lo, hi), or f(lo, hi, dls::worker), for each chunk: its iterations are lo <= i < hi. */
template <class Iter, class End, class Body, class = detail::if_bounds<Iter, End>>
void for_chunks(Iter begin, End end, Body &&f, const options &o = {}, const place &at = place::here())
{
	const detail::sequence<Iter, End> all(begin, end);

	impl::run_combined<Body>(all.n, o, at, [&f, &all](dls__chunk chunk, unsigned worker) {
		detail::call(f, worker, all.at(chunk.lo), all.at(chunk.lo + chunk.n));
	});
}

template <class Range, class Body, class = detail::if_range<Range>>
void for_chunks(Range &&range, Body &&f, const options &o = {}, const place &at = place::here())
{
	dls::for_chunks(detail::begins::first(range), detail::begins::past(range), f, o, at);
}

template <class Elem, class Body>
void for_chunks(std::initializer_list<Elem> list, Body &&f, const options &o = {}, const place &at = place::here())
{
	dls::for_chunks(list.begin(), list.end(), f, o, at);
}

/** Call f(i, j), or f(i, j, dls::worker), for all pairs of integers of i_begin <= i < i_end and j_begin <= j < j_end, in the order of
 * DLS_FOR_2D: chunks of rows or, under schedules with curve=, along a curve.
 *
 * As for_each(); throws error, DLS_ERANGE, also for 2^64 pairs or more. */
template <class IBegin, class IEnd, class JBegin, class JEnd, class Body>
void for_each_2d(IBegin i_begin, IEnd i_end, JBegin j_begin, JEnd j_end, Body &&f, const options &o = {},
		 const place &at = place::here())
{
	static_assert(detail::is_index<IBegin> && detail::is_index<IEnd> && detail::is_index<JBegin> &&
		      detail::is_index<JEnd>,
		      "the bounds of a loop over two indices are integers of at most 64 bits");
	const detail::sequence<IBegin, IEnd> rows(i_begin, i_end);
	const detail::sequence<JBegin, JEnd> columns(j_begin, j_end);
	detail::failure failed;
	std::uint64_t n;

	detail::check_multiple(o);
	if (__builtin_mul_overflow(rows.n, columns.n, &n))
		throw error(DLS_ERANGE, "a loop over two indices has 2^64 iterations or more");
	impl::in_region<Body>(o, at, o.multiple ? 0 : n, [&](dls_site *site, int kind, const dls__parallel *region, int level,
							     unsigned worker, unsigned workers) {
		dls__saved_state saved;
		dls__run_2d run;
		dls__request request = {site, o.name, o.schedule, dls__kind_of(o.schedule) | kind, n, rows.n, 0,
					static_cast<std::uint64_t>(o.multiple), nullptr};

		if (region)
			dls__parallel_enter(&saved, region, level, worker, workers);
		run.rows = rows.n;
		run.columns = columns.n;
		dls__chunk chunk = impl::join(run.run, request, region, level, true);
		dls__for_curve(&run);
		try {
			for (; chunk.n; chunk = dls__next(&run.run.cursor.head))
				for (dls__strip strip = dls__strip_first(&run, chunk); strip.n;
				     strip = dls__strip_next(&run, strip)) {
					const IEnd i = rows.at(strip.row);
					JEnd j = columns.at(strip.column);

					for (const JEnd past = columns.at(strip.column + strip.n); j < past; ++j)
						detail::call(f, worker, IEnd(i), JEnd(j));
				}
		} catch (...) {
			const bool thrown = failed.keep();

			if (!thrown && region)
				dls__for_ended(site);
			dls_for_cancel();
			while (dls__next(&run.run.cursor.head).n)
				;
			if (!thrown)
				throw;
		}
		if (region)
			dls__parallel_leave(&saved);
	});
	failed.rethrow();
}

/** Call f(i, j, k), or f(i, j, k, dls::worker), for all triples of integers of three such ranges, the last index fastest.
 *
 * As for_each(); throws error, DLS_ERANGE, also for 2^64 triples or more. */
template <class IBegin, class IEnd, class JBegin, class JEnd, class KBegin, class KEnd, class Body>
void for_each_3d(IBegin i_begin, IEnd i_end, JBegin j_begin, JEnd j_end, KBegin k_begin, KEnd k_end, Body &&f,
		 const options &o = {}, const place &at = place::here())
{
	static_assert(detail::is_index<IBegin> && detail::is_index<IEnd> && detail::is_index<JBegin> &&
		      detail::is_index<JEnd> && detail::is_index<KBegin> && detail::is_index<KEnd>,
		      "the bounds of a loop over three indices are integers of at most 64 bits");
	const detail::sequence<IBegin, IEnd> is(i_begin, i_end);
	const detail::sequence<JBegin, JEnd> js(j_begin, j_end);
	const detail::sequence<KBegin, KEnd> ks(k_begin, k_end);
	std::uint64_t rows, n;

	if (__builtin_mul_overflow(js.n, ks.n, &n) || __builtin_mul_overflow(is.n, n, &n))
		throw error(DLS_ERANGE, "a loop over three indices has 2^64 iterations or more");
	rows = js.n;
	impl::run_combined<Body>(n, o, at, [&](dls__chunk chunk, unsigned worker) {
		std::uint64_t row = chunk.lo / ks.n, column = chunk.lo % ks.n;

		for (std::uint64_t left = chunk.n, run; left > 0; left -= run, row++, column = 0) {
			const IEnd i = is.at(row / rows);
			const JEnd j = js.at(row % rows);
			KEnd k = ks.at(column);

			run = left < ks.n - column ? left : ks.n - column;
			for (const KEnd past = ks.at(column + run); k < past; ++k)
				detail::call(f, worker, IEnd(i), JEnd(j), KEnd(k));
		}
	});
}

/** Call f(i_lo, i_hi, j_lo, j_hi), or with a dls::worker after those, for each tile of at most i_tile x j_tile pairs of two ranges of
 * integers; all tiles but the last of a row and of a column have that size.
 *
 * As for_each_2d(), of tiles: chunk sizes count them, and schedules with curve= walk them along a curve.  Throws error, DLS_ERANGE,
 * also for a tile of 0. */
template <class IBegin, class IEnd, class JBegin, class JEnd, class Body>
void for_tiles_2d(IBegin i_begin, IEnd i_end, JBegin j_begin, JEnd j_end, std::uint64_t i_tile, std::uint64_t j_tile,
		  Body &&f, const options &o = {}, const place &at = place::here())
{
	const detail::tiled<IBegin, IEnd> is(i_begin, i_end, i_tile);
	const detail::tiled<JBegin, JEnd> js(j_begin, j_end, j_tile);

	dls::for_each_2d(std::uint64_t{0}, is.tiles, std::uint64_t{0}, js.tiles, [&](std::uint64_t i, std::uint64_t j, dls::worker w) {
		detail::call(f, w.number, is.lo(i), is.hi(i), js.lo(j), js.hi(j));
	}, o, at);
}

/** Likewise f(i_lo, i_hi, j_lo, j_hi, k_lo, k_hi), in the order of for_each_3d(). */
template <class IBegin, class IEnd, class JBegin, class JEnd, class KBegin, class KEnd, class Body>
void for_tiles_3d(IBegin i_begin, IEnd i_end, JBegin j_begin, JEnd j_end, KBegin k_begin, KEnd k_end,
		  std::uint64_t i_tile, std::uint64_t j_tile, std::uint64_t k_tile, Body &&f, const options &o = {},
		  const place &at = place::here())
{
	const detail::tiled<IBegin, IEnd> is(i_begin, i_end, i_tile);
	const detail::tiled<JBegin, JEnd> js(j_begin, j_end, j_tile);
	const detail::tiled<KBegin, KEnd> ks(k_begin, k_end, k_tile);
	const std::uint64_t zero = 0;

	dls::for_each_3d(zero, is.tiles, zero, js.tiles, zero, ks.tiles, [&](std::uint64_t i, std::uint64_t j, std::uint64_t k, dls::worker w) {
		detail::call(f, w.number, is.lo(i), is.hi(i), js.lo(j), js.hi(j), ks.lo(k), ks.hi(k));
	}, o, at);
}

namespace impl {

/* The partials of a reduction: small plain ones stand in the library's memory; of others it keeps the blocks' numbers. */
template <class Value>
constexpr bool is_plain = std::is_trivially_copyable_v<Value> && sizeof(Value) <= 64 &&
			  alignof(Value) <= alignof(std::max_align_t);

template <class Value, bool plain = is_plain<Value>> struct partials {
	static constexpr std::size_t bytes = sizeof(Value);

	partials(std::uint64_t, Value &first) : init(first) {}
	void *outer() { return &init; }
	Value &at(void *slot) { return *static_cast<Value *>(slot); }
	void put(char *slot, std::uint64_t, Value &&value) { ::new (static_cast<void *>(slot)) Value(value); }
	void drop(void *) {}
private:
	Value &init;
};

template <class Value> struct partials<Value, false> {
	static constexpr std::size_t bytes = sizeof(std::uint32_t);

	partials(std::uint64_t blocks, Value &first) : init(first), values(new std::optional<Value>[blocks]) {}
	void *outer() { return &none; }
	Value &at(void *slot) { return slot == &none ? init : *values[*static_cast<std::uint32_t *>(slot)]; }
	void put(char *slot, std::uint64_t block, Value &&value)
	{
		values[block].emplace(std::move(value));
		*static_cast<std::uint32_t *>(static_cast<void *>(slot)) = static_cast<std::uint32_t>(block);
	}
	void drop(void *slot) { values[*static_cast<std::uint32_t *>(slot)].reset(); }
private:
	Value &init;
	const std::unique_ptr<std::optional<Value>[]> values;
	std::uint32_t none = 0;	/* its address stands for init */
};

/* Values of `count` elements from `first` on, combined in their order. */
template <class Value, class Seq, class Op, class Body>
Value of_block(const Seq &all, std::uint64_t first, std::uint64_t count, Op &op, Body &transform, unsigned worker)
{
	auto i = all.at(first);
	const auto past = all.at(first + count);
	Value value(static_cast<Value>(call(transform, worker, Seq::value(i))));

	for (++i; Seq::before(i, past); ++i)
		value = static_cast<Value>(std::invoke(op, std::move(value), call(transform, worker, Seq::value(i))));
	return value;
}

/* Whether several blocks are computed at once: where an addition waits for the one before it, those of other blocks need not. */
template <class Value, class Seq> constexpr bool is_abreast = std::is_arithmetic_v<Value> && Seq::random;
constexpr unsigned abreast = 8;

/* Likewise of `abreast` blocks of `length` elements, which follow each other. */
template <class Value, class Seq, class Op, class Body, std::size_t... k>
void of_blocks(Value *value, const Seq &all, std::uint64_t first, std::uint64_t length, Op &op, Body &transform,
	       unsigned worker, std::index_sequence<k...>)
{
	using Iter = decltype(all.at(first));
	Iter i[] = {all.at(first + k * length)...};
	const Iter past = i[1];
	Value sum[] = {static_cast<Value>(call(transform, worker, Seq::value(i[k])))...};

	for ((++i[k], ...); Seq::before(i[0], past); (++i[k], ...))
		((sum[k] = static_cast<Value>(std::invoke(op, sum[k], call(transform, worker, Seq::value(i[k]))))), ...);
	((value[k] = sum[k]), ...);
}

/* What the threads of a reduction have in common. */
template <class Seq, class Value, class Op, class Body> class alignas(64) reduction {
public:
	reduction(const Seq &sequence, Value &&first, Op &&o, Body &&f, const options &its)
		: all(sequence), name(its.name), schedule(its.schedule), op(std::move(o)), transform(std::move(f)), init(std::move(first)),
		  partial(all.n < DLS_BLOCKS_MAX ? all.n : DLS_BLOCKS_MAX, init) {}

	/* One thread's part; without a region, all. */
	void operator()(dls_site *site, int kind, const dls__parallel *region, int level, unsigned worker, unsigned workers)
	{
		alignas(std::max_align_t) char stack[(DLS__NODES + 1) * bytes];
		dls__saved_state saved;
		dls__reduce_part r;
		dls__operation operation = {"", DLS__BY_CHUNK, bytes, stack, partial.outer()};
		dls__request request = {site, name, schedule, dls__kind_of(schedule) | kind, all.n, 0, bytes, 0,
					nullptr};

		if (region)
			dls__parallel_enter(&saved, region, level, worker, workers);
		dls__reduce_prepare(&r, &operation, all.n);
		join(r.run, request, region, level, false);
		dls__reduce_join(&r, stack);
		try {
			while (dls__reduce_chunk(&r)) {
				if (r.slot) {
					chunk(r, worker);
					r.block = r.past;
				}
				while (dls__reduce_pair(&r))
					combine(r.into, const_cast<void *>(r.from));
			}
		} catch (...) {
			const bool thrown = failed.keep();

			if (!thrown && region)
				dls__for_ended(site);
			if (r.slot)	/* else this thread has left the loop */
				dls_for_cancel();
			while (dls__reduce_chunk(&r))
				;
			if (!thrown)
				throw;
		}
		dls__for_close(&r.run);
		if (region)
			dls__parallel_leave(&saved);
	}
	Value &&result()
	{
		failed.rethrow();
		return std::move(init);
	}
private:
	using partials = impl::partials<Value>;
	static constexpr std::size_t bytes = partials::bytes;

	/* The blocks of a chunk, and then the nodes of the tree within it. */
	void chunk(const dls__reduce_part &r, unsigned worker)
	{
		const std::uint64_t first = r.block, past = r.past, length = r.length;
		char *const slot = r.slot;
		std::uint64_t block = first;
		const auto slot_of = [&](std::uint64_t b) { return slot + (b - first) * bytes; };

		if constexpr (is_abreast<Value, Seq>)
			for (Value value[abreast]; block + abreast <= past && (block + abreast) * length <= all.n;) {
				of_blocks(value, all, block * length, length, op, transform, worker,
					  std::make_index_sequence<abreast>());
				for (unsigned k = 0; k < abreast; k++, block++)
					partial.put(slot_of(block), block, std::move(value[k]));
			}
		for (; block < past; block++) {
			const std::uint64_t from = block * length, left = all.n - from;

			partial.put(slot_of(block), block,
				    of_block<Value>(all, from, left < length ? left : length, op, transform, worker));
		}
		for (std::uint64_t half = 1; 2 * half <= past - first; half *= 2)
			for (block = (first + 2 * half - 1) & ~(2 * half - 1); block + 2 * half <= past; block += 2 * half)
				combine(slot_of(block), slot_of(block + half));
	}
	void combine(void *left, void *right)
	{
		Value &into = partial.at(left);

		into = static_cast<Value>(std::invoke(op, std::move(into), std::move(partial.at(right))));
		partial.drop(right);
	}

	const Seq all;
	const char *const name, *const schedule;
	Op op;
	Body transform;
	Value init;
	partials partial;
	failure failed;
};

}

/** init combined by op with transform(i) for each i of begin <= i < end; of iterators, with transform(*i).
 *
 * init       combined once, from the left; its type is that of the result, and can be moved
 * op         op(a, b) combines a with b, which comes from later iterations; associative, for a result that makes sense: b is a result
 *            too, not an element as in std::accumulate()
 * transform  transform(i), or transform(i, dls::worker)
 *
 * The result depends on the number of iterations alone, not on the schedule or the threads: it is put together from the same blocks
 * in the same order as that of DLS_REDUCE (dls/reduce.h), bit by bit, but for the sign of a sum of zeros.  op and transform are
 * called by several threads at the same time.  Exceptions as for_each(); std::bad_alloc for want of memory; error, DLS_EINVAL, for
 * a multiple. */
template <class Iter, class End, class Value, class Op, class Body, class = detail::if_bounds<Iter, End>>
Value transform_reduce(Iter begin, End end, Value init, Op op, Body transform, const options &o = {},
		       const place &at = place::here())
{
	const detail::sequence<Iter, End> all(begin, end);

	if (o.multiple)
		throw error(DLS_EINVAL, "a reduction takes no multiple: its blocks start at multiples of their own length");
	if (all.n == 0)
		return init;

	impl::reduction<detail::sequence<Iter, End>, Value, Op, Body> work{all, std::move(init), std::move(op),
									   std::move(transform), o};

	impl::in_region<Body>(o, at, all.n, work);
	return work.result();
}

template <class Range, class Value, class Op, class Body, class = detail::if_range<Range>>
Value transform_reduce(Range &&range, Value init, Op op, Body transform, const options &o = {},
		       const place &at = place::here())
{
	return dls::transform_reduce(detail::begins::first(range), detail::begins::past(range), std::move(init), std::move(op),
				     std::move(transform), o, at);
}

template <class Elem, class Value, class Op, class Body>
Value transform_reduce(std::initializer_list<Elem> list, Value init, Op op, Body transform, const options &o = {},
		       const place &at = place::here())
{
	return dls::transform_reduce(list.begin(), list.end(), std::move(init), std::move(op), std::move(transform), o, at);
}

/** init combined by op with all i of begin <= i < end; of iterators, with all *i.  As transform_reduce(). */
template <class Iter, class End, class Value, class Op = std::plus<>, class = detail::if_bounds<Iter, End>>
Value reduce(Iter begin, End end, Value init, Op op = {}, const options &o = {}, const place &at = place::here())
{
	const auto same = [](auto &&x) -> decltype(auto) { return std::forward<decltype(x)>(x); };

	return dls::transform_reduce(begin, end, std::move(init), std::move(op), same, o, at);
}

template <class Range, class Value, class Op = std::plus<>, class = detail::if_range<Range>,
	  class = std::enable_if_t<std::is_invocable_v<Op &, Value, Value>>>
Value reduce(Range &&range, Value init, Op op = {}, const options &o = {}, const place &at = place::here())
{
	return dls::reduce(detail::begins::first(range), detail::begins::past(range), std::move(init), std::move(op), o, at);
}

template <class Elem, class Value, class Op = std::plus<>>
Value reduce(std::initializer_list<Elem> list, Value init, Op op = {}, const options &o = {},
	     const place &at = place::here())
{
	return dls::reduce(list.begin(), list.end(), std::move(init), std::move(op), o, at);
}


namespace impl {

/* What the two loops of a scan are called by: each has a site of its own type. */
template <class Op, class Value> struct scan_sums {};
template <class Op, class Value> struct scan_writes {};

/* Write the scan of n > 0 elements; `carry` is what stands before the first, if there is anything.  One loop combines the elements of
 * each block, this thread the blocks' values, and another loop goes through each block again from what stands before it. */
template <bool inclusive, class Seq, class Out, class Value, class Op>
void scan(const Seq &all, Out out, std::optional<Value> carry, Op &op, const options &o, const place &at)
{
	dls__operation measure = {"", 0, sizeof(std::uint32_t), nullptr, nullptr};
	dls__reduce_part sizes;

	if (o.multiple)
		throw error(DLS_EINVAL, "a scan takes no multiple: its blocks are those of a reduction");
	dls__reduce_prepare(&sizes, &measure, all.n);

	const std::uint64_t length = sizes.length, blocks = (all.n - 1) / length + 1;
	const std::unique_ptr<std::optional<Value>[]> before(new std::optional<Value>[blocks + 1]);

	before[0] = std::move(carry);
	run_combined<scan_sums<Op, Value>>(blocks - 1, o, at, [&](dls__chunk chunk, unsigned worker) {
		const auto same = [](auto &&x) -> decltype(auto) { return std::forward<decltype(x)>(x); };
		const std::uint64_t past = chunk.lo + chunk.n;
		std::uint64_t block = chunk.lo;

		if constexpr (is_abreast<Value, Seq>)
			for (Value value[abreast]; block + abreast <= past;) {
				of_blocks(value, all, block * length, length, op, same, worker,
					  std::make_index_sequence<abreast>());
				for (unsigned k = 0; k < abreast; k++)
					before[++block] = value[k];
			}
		for (; block < past; block++)
			before[block + 1].emplace(of_block<Value>(all, block * length, length, op, same, worker));
	});
	for (std::uint64_t block = 1; block < blocks; block++)
		if (before[block - 1])
			before[block].emplace(static_cast<Value>(
				std::invoke(op, Value(*before[block - 1]), std::move(*before[block]))));
	run_combined<scan_writes<Op, Value>>(blocks, o, at, [&](dls__chunk chunk, unsigned) {
		for (std::uint64_t block = chunk.lo; block < chunk.lo + chunk.n; block++) {
			const bool begins = !before[block];	/* the first, without what stands before it */
			const auto end = all.at(block + 1 < blocks ? (block + 1) * length : all.n);
			auto i = all.at(block * length);
			Out to = out + static_cast<typename std::iterator_traits<Out>::difference_type>(block * length);
			Value sum(begins ? static_cast<Value>(Seq::value(i)) : std::move(*before[block]));

			if (begins) {
				*to = sum;
				++i;
				++to;
			}
			for (; Seq::before(i, end); ++i, ++to) {
				if constexpr (inclusive) {
					sum = static_cast<Value>(std::invoke(op, std::move(sum), Seq::value(i)));
					*to = sum;
				} else {
					Value x(static_cast<Value>(Seq::value(i)));	/* which may lie where the sum goes */

					*to = sum;
					sum = static_cast<Value>(std::invoke(op, std::move(sum), std::move(x)));
				}
			}
		}
	});
}

template <class Iter, class End, class Out> void check_scan()
{
	static_assert(std::is_convertible_v<typename category<Out>::type, std::random_access_iterator_tag>,
		      "a scan writes to a random-access iterator: its blocks are written at the same time");
}

}

/** Write to out the elements combined from the first one on: out[k] is init op x0 op ... op xk.
 *
 * out   a random-access iterator, which may be begin
 * op    op(a, b), a from earlier elements; associative, for a result that makes sense; called about twice for each element
 * init  stands before the first element; its type is that of the sums, and can be copied.  Without it the first element does so
 *
 * Every out[k] depends on the elements alone, bit by bit, not on the schedule or the threads.  Returns where out ends.  Exceptions as
 * transform_reduce(). */
template <class Iter, class End, class Out, class Op, class Value, class = detail::if_bounds<Iter, End>,
	  class = std::enable_if_t<!std::is_same_v<Value, options>>>
Out inclusive_scan(Iter begin, End end, Out out, Op op, Value init, const options &o = {},
		   const place &at = place::here())
{
	const detail::sequence<Iter, End> all(begin, end);

	impl::check_scan<Iter, End, Out>();
	if (all.n > 0)
		impl::scan<true>(all, out, std::optional<Value>(std::move(init)), op, o, at);
	return out + static_cast<typename std::iterator_traits<Out>::difference_type>(all.n);
}

template <class Iter, class End, class Out, class Op = std::plus<>, class = detail::if_bounds<Iter, End>>
Out inclusive_scan(Iter begin, End end, Out out, Op op = {}, const options &o = {}, const place &at = place::here())
{
	using sequence = detail::sequence<Iter, End>;
	using Value = std::decay_t<decltype(sequence::value(std::declval<Iter &>()))>;
	const sequence all(begin, end);

	impl::check_scan<Iter, End, Out>();
	if (all.n > 0)
		impl::scan<true>(all, out, std::optional<Value>(), op, o, at);
	return out + static_cast<typename std::iterator_traits<Out>::difference_type>(all.n);
}

template <class Range, class Out, class Op, class Value, class = detail::if_range<Range>,
	  class = std::enable_if_t<!std::is_same_v<Value, options>>>
Out inclusive_scan(Range &&range, Out out, Op op, Value init, const options &o = {},
		   const place &at = place::here())
{
	return dls::inclusive_scan(detail::begins::first(range), detail::begins::past(range), out, std::move(op), std::move(init), o, at);
}

template <class Range, class Out, class Op = std::plus<>, class = detail::if_range<Range>>
Out inclusive_scan(Range &&range, Out out, Op op = {}, const options &o = {}, const place &at = place::here())
{
	return dls::inclusive_scan(detail::begins::first(range), detail::begins::past(range), out, std::move(op), o, at);
}

/** Likewise, each element left out of its own: out[k] is init op x0 op ... op x(k - 1), and out[0] is init. */
template <class Iter, class End, class Out, class Value, class Op = std::plus<>, class = detail::if_bounds<Iter, End>>
Out exclusive_scan(Iter begin, End end, Out out, Value init, Op op = {}, const options &o = {},
		   const place &at = place::here())
{
	const detail::sequence<Iter, End> all(begin, end);

	impl::check_scan<Iter, End, Out>();
	if (all.n > 0)
		impl::scan<false>(all, out, std::optional<Value>(std::move(init)), op, o, at);
	return out + static_cast<typename std::iterator_traits<Out>::difference_type>(all.n);
}

template <class Range, class Out, class Value, class Op = std::plus<>, class = detail::if_range<Range>>
Out exclusive_scan(Range &&range, Out out, Value init, Op op = {}, const options &o = {},
		   const place &at = place::here())
{
	return dls::exclusive_scan(detail::begins::first(range), detail::begins::past(range), out, std::move(init), std::move(op), o, at);
}

}
}
#endif
#endif
