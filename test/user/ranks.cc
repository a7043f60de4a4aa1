// ranks.cc - dls/mpi.hpp: each iteration on one rank, an exception that stays on its own, errors thrown.
#include <dls/mpi.hpp>
#include <cstdio>
#include <cstring>

int main(int argc, char **argv)
{
	const dls_mpi_options wrong = {1, DLS_MPI_AUTO, 0, false, 0};
	long sum = 0, all[3] = {0, 0, 0}, bad = 0;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	try {
		dls::mpi none(MPI_COMM_WORLD, &wrong);
		bad++;
	} catch (const dls::error &e) {
		bad += e.code() != DLS_EINVAL || !std::strstr(e.what(), "dls_mpi_open");
	}
	{
		dls::mpi mpi(MPI_COMM_WORLD);
		dls::mpi_loop loop(mpi, "fac2");
		std::uint64_t mine = loop.for_each(0, 1000, [&](std::int64_t i) { sum += i; });
		long counted = 0;

		try {
			loop.for_chunks(0, 1000, [&](std::int64_t lo, std::int64_t hi) {
				counted += hi - lo;
				throw rank;
			});
		} catch (int thrown) {
			bad += thrown != rank;
		}
		loop.start(10, -1, -5);
		for (std::int64_t i, past; loop.next(0, i, past); )
			for (; i > past; i -= 5)
				sum += i;
		loop.end();
		all[0] = static_cast<long>(mine);
	}
	long got[3], mine[3] = {all[0], sum, bad};
	MPI_Reduce(mine, got, 3, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		std::puts(got[0] == 1000 && got[1] == 499500 + 15 && got[2] == 0 ? "right" : "wrong");
	MPI_Finalize();
}
