/* fortran.c - the loops of Fortran programs, by calls from dls.F90.
 *
 * A loop is known by its name.  The sites of the names met are in a cache, which is read without a lock.
 *
 * F1: a slot of the cache is NULL or a site.  Sites last as long as the program and keep their names, so a reader that finds the
 *     name it looks for has the right one, whatever is written to the slot meanwhile. */
#include <stdatomic.h>
#include <string.h>

#include "dls/fortran.h"
#include "dls/reduce.h"
#include "lib/base/message.h"
#include "lib/deal/deal.h"
#include "lib/site/site.h"

enum { SLOTS = 512, PROBES = 4, SCHEDULE = 256, VALUE = 16 };
enum take { NEXT, HELD, BLOCKS };

struct dls__fortran_loop {
	const void *owner;		/* under way: the thread, by an address of its own; else NULL */
	uintptr_t mark;			/* ... and mark_of() the loop: memory that is not initialised has other words */
	enum take take;			/* the next chunk is to be taken, is in `held`, or is a block */
	int ending;			/* enum dls__fortran_ending */
	void (*finish)(int ending);
	uint64_t first, step;		/* of the indices, as bits */
	struct dls__chunk held;
	struct dls__request request;
	struct dls__fortran_reduce reduce;
	bool given;			/* the block's partial has been handed in */
	union {
		struct dls__run run;
		struct dls__reduce_part reduction;	/* begins with a run */
	};
	uint64_t stack[(DLS__NODES + 1) * VALUE / 8];	/* of the reduction */
	char schedule[SCHEDULE];
};

struct dls__fortran_combined {
	struct dls__combined combined;	/* its begin and end are the first index and the step */
	char schedule[SCHEDULE];
};

struct dls__fortran_region {
	struct dls__parallel region;
	const void *at;			/* where it was opened */
	struct dls__saved_state saved;
};

_Static_assert(sizeof(struct dls__fortran_loop) <= 8 * DLS__FORTRAN_LOOP, "a loop has room");
_Static_assert(sizeof(struct dls__fortran_combined) <= 8 * DLS__FORTRAN_COMBINED, "a combined loop has room");
_Static_assert(sizeof(struct dls__fortran_region) <= 8 * DLS__FORTRAN_REGION, "a region has room");
_Static_assert(offsetof(struct dls__reduce_part, run) == 0, "the cursor is at the same place in both");

/* An address that no other thread has. */
static inline const void *this_thread(void)
{
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11 && (defined(__x86_64__) || defined(__aarch64__))
	return __builtin_thread_pointer();	/* no call, as the address of a thread's variable is in a shared library */
#else
	static _Thread_local char here;

	return &here;
#endif
}

static uintptr_t mark_of(const struct dls__fortran_loop *l)
{
	return (uintptr_t)l ^ (uintptr_t)0x9e3779b97f4a7c15;
}

static void set_under_way(struct dls__fortran_loop *l)
{
	l->owner = this_thread();
	l->mark = mark_of(l);
}

static _Atomic(struct dls__kept_site *) cache[SLOTS];

static size_t trimmed(const char *text, int64_t length)
{
	size_t n = length > 0 ? (size_t)length : 0;

	while (n > 0 && text[n - 1] == ' ')
		n--;
	return n;
}

static uint64_t mixed(uint64_t h, uint64_t word)
{
	return (h ^ word) * 0x9e3779b97f4a7c15;
}

static unsigned hash(const char *text, size_t length)
{
	uint64_t h = length, word = 0;
	size_t i = 0;

	for (; i + sizeof(word) <= length; i += sizeof(word)) {
		memcpy(&word, text + i, sizeof(word));
		h = mixed(h, word);
	}
	for (word = 0; i < length; i++)
		word = word << 8 | (unsigned char)text[i];
	return (unsigned)(mixed(h, word) >> 40);
}

static struct dls_site *find_slowly(const char *name, size_t length, unsigned first)
{
	char text[DLS__SITE_NAME], quote[DLS__QUOTE];
	struct dls_site *place;
	unsigned i = 0;

	if (length == 0 || length >= sizeof(text))
		dls__fatal("a loop has the name \"%s\", of %zu characters; a name has 1 to %zu", dls__quote(quote, name, length, 0, 0),
			   length, sizeof(text) - 1);
	memcpy(text, name, length);
	text[length] = '\0';
	if (dls_site_named(&place, text))
		dls__fatal("no memory for the record of the loop %s", text);
	/* relaxed: a look. */
	while (i < PROBES - 1 && atomic_load_explicit(&cache[(first + i) % SLOTS], memory_order_relaxed))
		i++;
	/* release: publishes the site; pairs with the acquire below. */
	atomic_store_explicit(&cache[(first + i) % SLOTS], place->site, memory_order_release);
	return place;
}

/* The site of a name; no lock is taken if the name is in the cache. */
static struct dls_site *find(const char *name, int64_t bytes)
{
	size_t length = trimmed(name, bytes);
	unsigned first = hash(name, length);

	for (unsigned i = 0; i < PROBES; i++) {
		/* acquire: pairs with the release above. */
		struct dls__kept_site *site = atomic_load_explicit(&cache[(first + i) % SLOTS], memory_order_acquire);

		if (!site)
			break;
		if (strlen(site->name) == length && memcmp(site->name, name, length) == 0)
			return &site->place;
	}
	return find_slowly(name, length, first);
}

static const char *name_of(const struct dls__request *request)
{
	return request->site->site->name;
}

static uint64_t iterations(const struct dls__fortran_request *request, const char *name)
{
	uint64_t first = (uint64_t)request->first, last = (uint64_t)request->last,
		 step = (uint64_t)request->step, n;

	if (request->step == 0)
		dls__fatal("%s: the step of a loop is not 0", name);
	if (request->step > 0 ? request->first > request->last : request->first < request->last)
		return 0;
	n = (request->step == 1 ? last - first :
	     request->step > 0 ? (last - first) / step : (first - last) / (0 - step)) + 1;
	if (n == 0)
		dls__fatal("%s: this loop has 2^64 iterations; a loop has up to 2^64 - 1", name);
	return n;
}

/* Set the request of a loop, whose schedule is copied to `kept`. */
static void set_request(struct dls__request *request, const char *name, int64_t name_length,
			const char *schedule, int64_t schedule_length, char kept[SCHEDULE],
			const struct dls__fortran_request *from)
{
	size_t length = trimmed(schedule, schedule_length);
	char quote[DLS__QUOTE];

	*request = (struct dls__request){ .site = find(name, name_length),
					  .kind = from->nowait ? DLS__KIND_NOWAIT : 0 };
	request->n = iterations(from, name_of(request));
	request->multiple = dls__for_multiple(request->site, from->multiple);
	if (length >= SCHEDULE)
		dls__fatal("%s: the schedule \"%s\" has %zu characters; one in the source has up to %d",
			   name_of(request), dls__quote(quote, schedule, length, 0, 0), length, SCHEDULE - 1);
	if (length > 0) {
		memcpy(kept, schedule, length);
		kept[length] = '\0';
		request->schedule = kept;
		request->kind |= dls__kind_of(kept);
	}
}

/* The library's name of a Fortran operator that a type has. */
static const char *operator(const struct dls__fortran_reduce *reduce, const char *name)
{
	static const char *const known[][2] = {
		{ "+", "+" }, { "*", "*" }, { "min", "min" }, { "max", "max" }, { "iand", "&" }, { "ior", "|" }, { "ieor", "^" },
	};
	unsigned i = 0, kinds = reduce->type >> 8 == 'c' ? 2 : reduce->type >> 8 == 'f' ? 4 : 7;
	size_t length = trimmed(reduce->op, sizeof(reduce->op));
	char quote[DLS__QUOTE];

	while (i < kinds && (strlen(known[i][0]) != length || memcmp(known[i][0], reduce->op, length) != 0))
		i++;
	if (i == kinds)
		dls__fatal("%s: the operator \"%s\" does not reduce this type; integers have + * min max iand ior ieor, real numbers "
			   "+ * min max, complex ones + *", name, dls__quote(quote, reduce->op, length, 0, 0));
	return known[i][1];
}

static struct dls__cursor *cursor_of(struct dls__fortran_loop *l)
{
	return (struct dls__cursor *)&l->run.cursor;
}

static _Noreturn void in_use(const struct dls__fortran_loop *l, const char *name, int64_t length)
{
	char quote[DLS__QUOTE];

	dls__fatal("the loop \"%s\" begins while %s; each thread needs a dls_loop of its own for each loop that it is in",
		   dls__quote(quote, name, trimmed(name, length), 0, 0), l->owner == this_thread() ?
		   "its dls_loop is in use, for a loop around it or one that was left by exit, goto or return" :
		   "another thread uses its dls_loop, which must be private in the parallel region");
}

/* Before a loop is opened; returns where its first chunk goes. */
static struct dls__chunk *prepare(struct dls__fortran_loop *l, const struct dls__fortran_request *from)
{
	l->first = (uint64_t)from->first;
	l->step = (uint64_t)from->step;
	l->finish = from->finish;
	if (!from->reduce.into) {
		l->take = HELD;
		return &l->held;
	}
	if (l->request.multiple)
		dls__reduce_no_multiple(l->request.site);
	l->reduce = from->reduce;
	l->request.partial = l->reduce.type & 0xff;
	l->take = BLOCKS;
	l->given = true;
	dls__reduce_prepare(&l->reduction,
			    &(struct dls__operation){ operator(&l->reduce, name_of(&l->request)),
						      l->reduce.type, l->request.partial, l->stack,
						      l->reduce.into },
			    l->request.n);
	return NULL;
}

/* When it is open. */
static void opened(struct dls__fortran_loop *l, enum dls__fortran_ending waiting, enum dls__fortran_ending nowait)
{
	l->ending = l->request.kind & DLS__KIND_NOWAIT ? nowait : waiting;
	if (l->take == BLOCKS)
		dls__reduce_join(&l->reduction, l->stack);
}

bool dls__fortran_begin(struct dls__fortran_loop *l, const char *name, int64_t name_length, const char *schedule,
			int64_t schedule_length, const struct dls__fortran_request *request, int level)
{
	unsigned workers;
	struct dls__chunk *first;

	if (l->mark == mark_of(l))
		in_use(l, name, name_length);
	set_under_way(l);
	set_request(&l->request, name, name_length, schedule, schedule_length, l->schedule, request);
	first = prepare(l, request);
	if (!dls__for_in_region(cursor_of(l), &l->request, level, &workers, first))
		return false;
	opened(l, workers > 1 ? DLS__FORTRAN_BARRIER : DLS__FORTRAN_NOTHING, DLS__FORTRAN_NOTHING);
	return true;
}

/* Where the first chunk of a loop goes that is not open yet. */
static struct dls__chunk *first_of(struct dls__fortran_loop *l)
{
	return l->take == HELD ? &l->held : NULL;
}

bool dls__fortran_plain(struct dls__fortran_loop *l, int level, int worker, int workers)
{
	if (workers == 1) {
		dls__for_alone(cursor_of(l), &l->request, first_of(l));
		opened(l, DLS__FORTRAN_NOTHING, DLS__FORTRAN_NOTHING);
		return true;
	}
	if (!dls__for_block(cursor_of(l), &l->request, level, (unsigned)worker, (unsigned)workers,
			    first_of(l)))
		return false;
	opened(l, DLS__FORTRAN_BARRIER, DLS__FORTRAN_NOTHING);
	return true;
}

void dls__fortran_shared(struct dls__fortran_loop *l, struct dls__shared *shared, int level, int worker, int workers)
{
	dls__for_shared(cursor_of(l), &l->request, shared, level, (unsigned)worker, (unsigned)workers,
			first_of(l));
	opened(l, DLS__FORTRAN_MEMORY_BARRIER, DLS__FORTRAN_MEMORY);
}

struct dls__work_share *dls__fortran_open(struct dls__fortran_loop *l, int workers)
{
	return dls__plain_open(&l->request, (unsigned)workers);
}

void dls__fortran_team(struct dls__fortran_loop *l, struct dls__work_share *share, int level, int worker,
		       int workers)
{
	dls__for_plain(cursor_of(l), &l->request, share, level, (unsigned)worker, (unsigned)workers,
		       first_of(l));
	opened(l, DLS__FORTRAN_BARRIER, DLS__FORTRAN_NOTHING);
}

void dls__fortran_combined_open(struct dls__fortran_combined *f, const char *name, int64_t name_length,
				const char *schedule, int64_t schedule_length,
				const struct dls__fortran_request *request, int most)
{
	struct dls__combined *l = &f->combined;

	set_request(&l->request, name, name_length, schedule, schedule_length, f->schedule, request);
	l->begin = (uint64_t)request->first;
	l->end = (uint64_t)request->step;
	l->flags = 0;
	l->done = false;
	dls__combined_open(l, (unsigned)most, false);
}

void dls__fortran_join(struct dls__fortran_loop *loop, struct dls__fortran_combined *combined, int level,
		       int worker, int workers)
{
	struct dls__combined *l = &combined->combined;

	set_under_way(loop);
	loop->take = HELD;
	loop->ending = DLS__FORTRAN_NOTHING;
	loop->first = l->begin;
	loop->step = l->end;
	loop->held = dls__for_combined(cursor_of(loop), l, l->share, l->flags, l->request.n, level,
				       (unsigned)worker, (unsigned)workers);
}

void dls__fortran_combined_close(struct dls__fortran_combined *combined)
{
	dls__combined_close(&combined->combined);
}

/* The next block of a reduction, as iterations of the loop. */
static struct dls__chunk next_block(struct dls__fortran_loop *l)
{
	struct dls__reduce_part *r = &l->reduction;

	if (!l->given)
		dls__fatal(
			"%s: no partial result was handed in for iterations %llu to %llu; a loop that reduces calls dls_partial() "
			"once between two calls of dls_for_next()",
			name_of(&l->request), (unsigned long long)r->first,
			(unsigned long long)(r->first + r->count - 1));
	l->given = false;
	if (!dls__reduce_next(r))
		return (struct dls__chunk){ 0, 0 };
	return (struct dls__chunk){ r->first, r->count };
}

static _Noreturn void not_mine(const struct dls__fortran_loop *l)
{
	dls__fatal(l->owner ? "%s: two threads use one dls_loop; it must be private in the parallel region"
			    : "%s: dls_for_next() or dls_partial() is called behind the end of the loop",
		   name_of(&l->request));
}

/* The chunk of a ticket that dls__draw_equal() has not, or of none; n = 0: none is left. */
static struct dls__chunk other_chunk(struct dls__fortran_loop *l, uint64_t ticket)
{
	struct dls__chunk chunk;

	if (l->owner != this_thread())
		not_mine(l);
	if (l->take == NEXT) {
		if (!dls__look_up(&l->run.cursor.head, ticket, &chunk))
			chunk = l->run.cursor.head.take(cursor_of(l), ticket);
	} else if (l->take == HELD) {
		l->take = NEXT;
		chunk = l->held;
	} else {
		chunk = next_block(l);
	}
	if (chunk.n == 0) {
		l->owner = NULL;
		l->mark = 0;
		if (l->ending != DLS__FORTRAN_NOTHING)
			l->finish(l->ending);
	}
	return chunk;
}

/* For each kind of index.  As little code as possible lies between two draws: see dls__draw_equal(). */
#define NEXT_OF(kind, next, give, next_slowly)								\
static inline bool give(const struct dls__fortran_loop *l, struct dls__chunk chunk, kind *lo, kind *hi)	\
{													\
	uint64_t past = chunk.lo + chunk.n - 1;								\
													\
	if (__builtin_expect(l->step == 1, 1)) {	/* no multiplication that the body waits for */	\
		*lo = (kind)(l->first + chunk.lo);							\
		*hi = (kind)(l->first + past);								\
	} else {											\
		*lo = (kind)(l->first + chunk.lo * l->step);						\
		*hi = (kind)(l->first + past * l->step);						\
	}												\
	return true;											\
}													\
													\
static __attribute__((noinline)) bool next_slowly(struct dls__fortran_loop *l, uint64_t ticket,		\
						  kind *lo, kind *hi)					\
{													\
	struct dls__chunk chunk = other_chunk(l, ticket);						\
													\
	return chunk.n > 0 && give(l, chunk, lo, hi);							\
}													\
													\
bool next(struct dls__fortran_loop *l, kind *lo, kind *hi)						\
{													\
	struct dls__chunk chunk;									\
	uint64_t ticket = 0;										\
													\
	if (l->owner == this_thread() && l->take == NEXT &&						\
	    dls__draw_equal(&l->run.cursor.head, &ticket, &chunk))					\
		return give(l, chunk, lo, hi);								\
	return next_slowly(l, ticket, lo, hi);								\
}
NEXT_OF(int32_t, dls__fortran_next32, give32, next_slowly32)
NEXT_OF(int64_t, dls__fortran_next64, give64, next_slowly64)

void dls__fortran_partial(struct dls__fortran_loop *l, int type, const void *partial)
{
	if (l->owner != this_thread())
		not_mine(l);
	if (l->take != BLOCKS || l->given || type != l->reduce.type)
		dls__fatal(
			l->take != BLOCKS ? "%s: dls_partial() is called in a loop that reduces nothing"
			: l->given
				? "%s: dls_partial() is called twice for one block, or before dls_for_next()"
				: "%s: the partial result is not of the type of the variable that the loop reduces",
			name_of(&l->request));
	l->given = true;
	memcpy(l->reduction.slot, partial, l->reduction.bytes);
}

void dls__fortran_region_open(struct dls__fortran_region *r)
{
	r->region = dls__parallel_open();
	r->at = r;
}

void dls__fortran_region_enter(struct dls__fortran_region *r, int level, int worker, int workers)
{
	if (r->at == r && workers > 1)
		dls__fatal("a dls_region is shared by the threads of its parallel region; it must be firstprivate there");
	dls__parallel_enter(&r->saved, &r->region, level, (unsigned)worker, (unsigned)workers);
}

void dls__fortran_region_leave(struct dls__fortran_region *r)
{
	dls__parallel_leave(&r->saved);
}

void dls__fortran_region_close(struct dls__fortran_region *r)
{
	dls__parallel_close(&r->region);
}
