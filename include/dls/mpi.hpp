/* dls/mpi.hpp - dls/mpi.h for C++17 and later: loops across ranks whose objects close themselves, and whose errors are thrown.
 *
 *	dls::mpi mpi(MPI_COMM_WORLD);			// all ranks
 *	dls::mpi_loop loop(mpi, "fac2");		// all ranks
 *	loop.for_each(0, n, [&](std::int64_t i) { body(i); });	// all ranks: each iteration is run by one of them
 *
 * Constructors, for_each(), for_chunks(), end() and destructors are collective; objects are destroyed before MPI_Finalize(), loops
 * before their dls::mpi.  See dls_mpi(3). */
#ifndef DLS_MPI_HPP
#define DLS_MPI_HPP

#include "dls.hpp"
#include "dls/mpi.h"

namespace dls {

/** A communicator that is prepared for loops: dls_mpi_open(). */
class mpi {
public:
	explicit mpi(MPI_Comm comm, const dls_mpi_options *options = nullptr)
	{
		dls_mpi *m = nullptr;

		detail::check(dls_mpi_open(&m, comm, options), "dls_mpi_open");
		mpi_.reset(m);
	}
	dls_mpi_way way() const noexcept { return dls_mpi_way_of(get()); }
	void poke() noexcept { dls_mpi_poke(get()); }
	dls_mpi *get() const noexcept { return mpi_.get(); }
private:
	std::unique_ptr<dls_mpi, detail::closer<dls_mpi_close>> mpi_;
};

/** A loop across its ranks: dls_mpi_loop_open(). */
class mpi_loop {
public:
	/** schedule  nullptr: that of rank 0's environment
	 * workers   of this rank */
	explicit mpi_loop(const mpi &m, const char *schedule = nullptr, unsigned workers = 1)
	{
		dls_mpi_loop *l = nullptr;

		detail::check(dls_mpi_loop_open(&l, m.get(), workers, schedule), "dls_mpi_loop_open");
		loop_.reset(l);
	}
	void set_idempotent(std::uint64_t chunks)
	{
		detail::check(dls_mpi_loop_set_idempotent(get(), chunks), "dls_mpi_loop_set_idempotent");
	}
	void start(std::int64_t begin, std::int64_t end, std::int64_t step = 1)
	{
		detail::check(dls_mpi_loop_start(get(), begin, end, step), "dls_mpi_loop_start");
	}
	bool next(unsigned worker, std::int64_t &begin, std::int64_t &end) noexcept
	{
		return dls_mpi_loop_next(get(), worker, &begin, &end);
	}
	/** End an execution, and wait for all ranks; returns how many iterations this rank got. */
	std::uint64_t end()
	{
		std::uint64_t iterations = 0;

		detail::check(dls_mpi_loop_end(get(), &iterations), "dls_mpi_loop_end");
		return iterations;
	}
	/** Likewise, without waiting. */
	std::uint64_t end_nowait()
	{
		std::uint64_t iterations = 0;

		detail::check(dls_mpi_loop_end_nowait(get(), &iterations), "dls_mpi_loop_end_nowait");
		return iterations;
	}

	/** Call f(lo, hi) for each chunk that this rank gets of begin <= i < end, and wait for all ranks; returns how many iterations it
	 * got.  One thread of each rank; a loop of the rank's threads may stand in f.
	 *
	 * If f throws, this rank takes its chunks without calling f again, so that no other rank waits for it, and throws the exception
	 * again at the end; the other ranks do not learn of it. */
	template <class Body> std::uint64_t for_chunks(std::int64_t begin, std::int64_t end_, Body &&f)
	{
		detail::failure failed;
		std::int64_t lo, hi;
		bool sound = true;

		start(begin, end_);
		while (next(0, lo, hi))
			try {
				if (sound)
					std::invoke(f, lo, hi);
			} catch (...) {
				sound = false;
				if (failed.keep())
					continue;
				while (next(0, lo, hi))	/* this thread is ending */
					;
				dls_mpi_loop_end(get(), nullptr);
				throw;
			}
		const std::uint64_t iterations = end();
		failed.rethrow();
		return iterations;
	}
	/** Likewise f(i) for each i. */
	template <class Body> std::uint64_t for_each(std::int64_t begin, std::int64_t end_, Body &&f)
	{
		return for_chunks(begin, end_, [&f](std::int64_t lo, std::int64_t hi) {
			for (; lo < hi; ++lo)
				std::invoke(f, lo);
		});
	}
	dls_mpi_loop *get() const noexcept { return loop_.get(); }
private:
	std::unique_ptr<dls_mpi_loop, detail::closer<dls_mpi_loop_close>> loop_;
};

}

#endif
