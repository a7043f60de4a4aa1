/* dispenser.h - who hands a work share's chunks to its workers, what a dispenser may use, and the filters
 * between it and them.
 *
 * Invariant of every dispenser: each iteration is in exactly one place, the unstarted rest that the work
 * share describes or one chunk that one take has returned.  Progress: tickets and own shares are wait-free;
 * live is lock-free; with tiles and ranges the owner's take is wait-free, with tiles a helper's is lock-free,
 * and with ranges a thief waits only while another's steal is half done; under a strategy a worker without
 * iterations waits until it is sent some or all have started.
 *
 * A filter has a take, which it puts before what the cursor takes from when it joins (dls__push_filter()).
 * Whenever the worker asks, the take removes itself (dls__pop_filter()), asks the inner take by dls__next(),
 * puts itself back unless nothing came, and hands out what it makes of the chunk.  It knows neither the
 * filters inside it nor those outside. */
#ifndef LIB_DEAL_DISPENSER_H
#define LIB_DEAL_DISPENSER_H

#include "lib/deal/deal.h"

enum { DLS__ANY_CALC = -1 };

/* Write only if it changes, so that the line stays shared. */
#define DLS__SET(member, value) do {			\
	const __typeof__(member) set_to_ = (value);	\
							\
	if ((member) != set_to_)			\
		(member) = set_to_;			\
} while (0)

struct dls__dispenser_ops {
	/* Which loops it deals: of calculators that declare one of these, 1 << enum dls_dispenser, and of those the ones that it says,
	 * as they open; NULL: all. */
	unsigned declared;
	bool (*serves)(const struct dls__work_share *share, const struct dls__request *request);
	/* Prepare the work share, of n > 0 iterations; false: there is no memory. */
	bool (*open)(struct dls__work_share *share);
	/* Set the cursor's counter and take, and what they need.  The state is initialised. */
	void (*join)(struct dls__cursor *cursor);
	/* Empty what chunks are taken from, while workers take; NULL: its take looks at `cancelled`. */
	void (*cancel)(struct dls__work_share *share);
	/* The next two: for dispensers whose workers draw by weight; NULL in all others. */
	void (*weigh)(struct dls__cursor *cursor, double weight);	/* draw so many tickets at once from now on */
	bool (*new_batch)(struct dls__cursor *cursor);	/* whether the worker has begun a batch since the last call */
	bool multiples;		/* sizes are rounded up, and so chunks start at multiples */
	bool bound;		/* what a worker has not started, no other one can start */
	bool unordered;		/* a worker may get the loop's last chunk before others */
	bool native;		/* the OpenMP runtime of an unmodified program deals */
};

/* Each is dls__NAME. */
#define X(name) extern const struct dls__dispenser_ops dls__##name;
#include "lib/deal/list.h"
#undef X

struct dls__filter_ops {
	/* Whether the workers of the work share that opens go through it, whose dispenser and inner filters
	 * are chosen. */
	bool (*wants)(struct dls__work_share *share, const struct dls__request *request);
	/* Prepare the work share, whose dispenser is open; NULL: there is nothing to.  False: there is no
	 * memory. */
	bool (*open)(struct dls__work_share *share, const struct dls__request *request);
	/* Prepare the cursor, and put the filter's take before what it takes from. */
	void (*join)(struct dls__cursor *cursor);
	/* The worker leaves; NULL: that is nothing to it.  dropped: it has not asked to the end. */
	void (*leave)(struct dls__cursor *cursor, bool dropped);
};

/* Each is dls__filter_NAME. */
#define DLS__FILTER_OPS(name) extern const struct dls__filter_ops dls__filter_##name;
DLS__EACH_FILTER(DLS__FILTER_OPS)

/* A dispenser's own types: of its counts in the work share, which chunks change, and of what it keeps in a
 * cursor. */
#define DLS__COUNTS(type, name)									\
	_Static_assert(sizeof(type) <= sizeof(((struct dls__work_share *)0)->counts), "room in a work share");	\
	static inline type *name(struct dls__work_share *share)					\
	{											\
		return (type *)(void *)share->counts.own;						\
	}
#define DLS__OWN(type, name)									\
	_Static_assert(sizeof(type) <= sizeof(((struct dls__cursor *)0)->own), "room in a cursor");	\
	static inline type *name(struct dls__cursor *cursor)					\
	{											\
		return (type *)(void *)cursor->own;						\
	}

/* What has not started of a worker's range, in chunks, or of its tile, in units: next .. end - 1, end in the upper half of
 * the word and next in the lower. */
struct dls__range {
	_Atomic uint64_t word;
};
struct dls__tile {
	_Atomic uint64_t word;
	uint64_t lo, n;		/* first iteration; how many */
};

static inline uint64_t dls__range_pack(uint64_t next, uint64_t end)
{
	return end << 32 | next;
}

/* Where a worker takes from first. */
struct dls__deque {
	_Alignas(DLS__APART) union {
		struct dls__range range;
		struct dls__tile tile;
	};
};

/* Have the array that the pointer at `array` points to, with room for *room workers, hold p elements of
 * `size` bytes; a new array is all zeros.  False: there is no memory. */
static inline bool dls__room_for(unsigned p, unsigned *room, void *array, size_t size)
{
	void *memory;

	if (*room >= p)
		return true;
	memcpy(&memory, array, sizeof(memory));
	free(memory);
	memory = dls__alloc_apart((p * size + DLS__APART - 1) / DLS__APART * DLS__APART);
	memcpy(array, &memory, sizeof(memory));
	*room = memory ? p : 0;
	return memory;
}

/* Why a strategy cannot run this loop, in words; NULL: it can. */
const char *dls__not_balanced(struct dls__work_share *share);

/* Describe the loop to a calculator, as the cursor's worker. */
void dls__work_share_describe(const struct dls__work_share *share, unsigned worker,
			      struct dls_loop_desc *desc);

/* A worker's position in the sequence of a loop's chunks, which is the same to all workers: the batch of
 * equal chunks that was worked out last. */
struct dls__sequence {
	uint64_t K, lo, end;	/* iterations lo .. end - 1, K each */
	uint64_t first, past;	/* tickets first .. past - 1 */
	uint64_t hash;		/* of a sequence that is checked, up to here; else 0 */
};

/* Work out the cursor's chunks from ticket t on, as many as its window holds; false: t is past the end.  Among many
 * workers, whose next tickets are far apart, that chunk and the next.  Tickets asked for must not fall. */
bool dls__look_ahead(struct dls__cursor *cursor, struct dls__sequence *sequence, uint64_t t);

/* dls__leave() at the end of the sequence.  *walked is the hash of the first worker to leave, 0: none has
 * left; another hash of a checked sequence is reported. */
struct dls__chunk dls__leave_sequence(struct dls__cursor *cursor, const struct dls__sequence *sequence,
				      _Atomic uint64_t *walked);

#endif
