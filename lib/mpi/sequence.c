/* sequence.c - a loop's sequence of chunks; each worker walks it with a calculator state of its own.
 *
 * The sequence is that of lib/deal/tickets.c.  Equal chunks make a row, so a walk has as many steps as there are sizes. */
#include "lib/mpi/sequence.h"
#include "lib/schedule/schedule.h"

static void tell_of_nothing(const struct dls_mpi_loop *loop, uint64_t R)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;

	/* relaxed: guards the message alone. */
	if (!atomic_flag_test_and_set_explicit(&told, memory_order_relaxed))
		dls__mpi_message(loop->mpi, "next() of calculator %s returned 0 with %llu iterations left, of which it may return 1 to "
				 "all; the chunk has %llu", loop->calc->name, (unsigned long long)R,
				 (unsigned long long)(loop->min < R ? loop->min : R));
}

/* The calculator's K, raised to the smallest chunk and to a multiple, clamped to R. */
uint64_t dls__mpi_size(const struct dls_mpi_loop *loop, void *state, uint64_t R)
{
	uint64_t K = loop->calc->next(state, R);

	if (K == 0)
		tell_of_nothing(loop, R);
	return dls__round(K > loop->min ? K : loop->min, loop->multiple, R);
}

static bool next_row(const struct dls_mpi_loop *loop, struct dls__mpi_walk *w)
{
	uint64_t R = loop->n - w->end, K, more, most;

	if (R == 0)
		return false;
	K = dls__mpi_size(loop, w->state, R);
	more = dls__calc_repeats(loop->calc, w->state, K, R);
	most = more * K;
	w->K = K;
	w->lo = w->end;
	w->end += most + (K < R - most ? K : R - most);
	w->first = w->past;
	w->past += more + 1;
	return true;
}

struct dls__chunk dls__mpi_row_chunk(const struct dls__mpi_walk *w, uint64_t ticket)
{
	uint64_t lo = w->lo + (ticket - w->first) * w->K;

	return (struct dls__chunk){ lo, w->K < w->end - lo ? w->K : w->end - lo };
}

bool dls__mpi_seek(const struct dls_mpi_loop *loop, struct dls__mpi_walk *w, uint64_t ticket)
{
	while (ticket >= w->past)
		if (!next_row(loop, w))
			return false;
	return true;
}
