/* model.c - views and messages, what each atomic operation does to them, and races of plain accesses. */
#include <string.h>

#include "explore.h"

enum { LARGE = 256 };		/* bytes */

void explore_join(struct view *to, const struct view *from)
{
	for (unsigned t = 0; t <= T; t++)
		if (to->clock[t] < from->clock[t])
			to->clock[t] = from->clock[t];
	for (unsigned l = 0; l < x->locations; l++)
		if (x->message[to->seen[l]].place < x->message[from->seen[l]].place)
			to->seen[l] = from->seen[l];
}

static void see(struct view *view, unsigned message)
{
	const struct message *m = &x->message[message];

	if (x->message[view->seen[m->location]].place < m->place)
		view->seen[m->location] = (uint16_t)message;
}

static bool after_all(const uint16_t *clocks)
{
	const struct view *now = &x->thread[x->self].now;

	for (unsigned t = 0; t < x->threads; t++)
		if (clocks[t] > now->clock[t])
			return false;
	return true;
}

static uint64_t get(uintptr_t address, unsigned size)
{
	uint64_t value = 0;

	memcpy(&value, (const void *)address, size);
	return value;
}

static void rehash(struct location *l)
{
	l->hash = explore_mix(5, l->count);
	for (unsigned i = 0; i < l->count; i++)
		l->hash = explore_mix(l->hash, x->message[l->order[i]].writer);
}

static struct cell *cell_at(uintptr_t address)
{
	uintptr_t base = address & ~(uintptr_t)7;
	size_t i = explore_mix(7, base) % CELLS;

	for (unsigned looks = 0; x->cell[i].execution == x->execution; i = (i + 1) % CELLS, looks++) {
		if (x->cell[i].address == base)
			return &x->cell[i];
		if (looks == CELLS / 2)
			explore_fail("explorer: too much plain memory");
	}
	memset(&x->cell[i], 0, sizeof(x->cell[i]));
	x->cell[i].address = base;
	x->cell[i].execution = x->execution;
	x->used_cell[x->cells++] = &x->cell[i];
	return &x->cell[i];
}

static _Noreturn void race(uintptr_t site, const char *what)
{
	explore_fail("race at %#lx: %s", (unsigned long)site - 1, what);
}

static void check_ranges(uintptr_t address, size_t size, uintptr_t site)
{
	const struct view *now = &x->thread[x->self].now;

	for (unsigned i = 0; i < x->ranges; i++) {
		const struct range *r = &x->range[i];

		if (r->to <= address || r->from >= address + size)
			continue;
		if (r->freed)
			race(site, "access after free");
		if (r->clock > now->clock[r->thread])
			race(site, "access to what another thread writes");
	}
}

static struct message *new_message(struct location *l, unsigned place, uint64_t value)
{
	unsigned id = x->messages++;
	struct message *m = &x->message[id];

	if (id == MESSAGES || l->count == ORDER)
		explore_fail("explorer: too many stores");
	for (unsigned i = l->count++; i > place; i--) {
		l->order[i] = l->order[i - 1];
		x->message[l->order[i]].place++;
	}
	l->order[place] = (uint16_t)id;
	*m = (struct message){ .value = value, .location = (uint16_t)(l - x->location), .place = (uint16_t)place,
			       .writer = x->self == T ? 1 : (uint64_t)x->self << 32 | (x->thread[x->self].steps + 1) };
	if (place + 1 == l->count && l->size > 0)
		memcpy((void *)l->address, &value, l->size);
	return m;
}

/* size 0: a mutex, without a message as long as nobody has held it. */
struct location *explore_location(uintptr_t address, unsigned size)
{
	struct location *l = x->location;
	unsigned self = x->self;

	while (l < x->location + x->locations && l->address != address)
		l++;
	if (l < x->location + x->locations)
		return l;
	if (x->locations++ == LOCATIONS)
		explore_fail("explorer: too many atomic locations");
	*l = (struct location){ .address = address, .size = size };
	if (size > 0) {
		x->self = T;
		new_message(l, 0, get(address, size));
		x->self = self;
	}
	rehash(l);
	return l;
}

/* The location at an address, as an atomic access finds it, with what plain ones it must come after. */
static struct location *find(uintptr_t address, unsigned size, enum access access, uintptr_t site)
{
	struct location *l;
	struct cell *cell = cell_at(address);

	check_ranges(address, size, site);
	if (cell->freed)
		race(site, "atomic access after free");
	for (unsigned i = 0; i < size; i++)
		if (!after_all(cell->write[(address + i) & 7]) || (access & WRITE && !after_all(cell->read[(address + i) & 7])))
			race(site, "atomic and plain access");
	l = explore_location(address, size);
	if (l->size != size)
		explore_fail("explorer: atomic accesses of two sizes at %#lx", (unsigned long)site);
	if (access & READ)
		l->read[x->self] = x->thread[x->self].now.clock[x->self];
	if (access & WRITE)
		l->write[x->self] = x->thread[x->self].now.clock[x->self];
	return l;
}

static void check_byte(const struct cell *cell, unsigned b, enum access access, uintptr_t site)
{
	if (cell->freed)
		race(site, "access after free");
	if (!after_all(cell->write[b]) || (access & WRITE && !after_all(cell->read[b])))
		race(site, access & WRITE ? "plain write" : "plain read");
}

/* So that a large object costs no more than what has been touched of it. */
static void write_range(uintptr_t address, size_t size, uint16_t clock, uintptr_t site, bool frees)
{
	for (unsigned i = 0; i < x->cells; i++)
		if (x->used_cell[i]->address + 8 > address && x->used_cell[i]->address < address + size)
			for (unsigned b = 0; b < 8; b++)
				check_byte(x->used_cell[i], b, WRITE, site);
	if (x->ranges == RANGES)
		explore_fail("explorer: too many large writes");
	x->range[x->ranges++] = (struct range){ address, address + size, x->self, clock, frees };
}

void explore_plain(uintptr_t address, size_t size, enum access access, uintptr_t site, bool frees)
{
	struct thread *h;
	uint16_t clock;

	if (!x || !x->running || x->self == T)		/* !x: a constructor */
		return;
	h = &x->thread[x->self];
	clock = h->now.clock[x->self];
	if ((address >= (uintptr_t)h->stack && address < (uintptr_t)h->stack + STACK) ||
	    (address >= (uintptr_t)x->tls && address < (uintptr_t)x->tls + x->tls_size))
		return;
	if (++x->accesses > ACCESSES)
		explore_fail("a thread runs on and on");
	check_ranges(address, size, site);
	if (access == WRITE && size >= LARGE)
		write_range(address, size, clock, site, frees);
	else
		for (size_t i = 0; i < size; i++) {
			struct cell *cell = cell_at(address + i);
			unsigned b = (address + i) & 7;

			check_byte(cell, b, access, site);
			(access & WRITE ? cell->write : cell->read)[b][x->self] = clock;
			cell->freed = frees && (b == 7 || i + 1 == size);
		}
	for (unsigned i = 0; i < x->locations; i++) {
		struct location *l = &x->location[i];

		if (l->size == 0 || l->address + l->size <= address || l->address >= address + size)
			continue;
		if (!after_all(l->write) || (access & WRITE && !after_all(l->read)))
			race(site, "plain access to an atomic");
		if (access & WRITE)
			l->address = 0;
	}
}

/* The order at a place of the program, which may be the weakened one. */
static enum order order_at(uintptr_t site, enum role role, int order)
{
	unsigned i;

	if (order == SEQ_CST || order == CONSUME)
		explore_fail("explorer: order %d at %#lx", order, (unsigned long)site - 1);
	for (i = 0; i < x->sites; i++)
		if (x->site[i].address == site && x->site[i].role == role)
			break;
	if (i == SITES)
		explore_fail("explorer: too many places");
	if (i == x->sites)
		x->site[x->sites++] = (struct site){ .address = site, .role = role, .order = (enum order)order };
	x->site[i].tests |= (uint64_t)1 << x->number;
	return x->weak.address == site && x->weak.role == role ? x->weak_to : (enum order)order;
}

static bool acquires(enum order o)
{
	return o == ACQUIRE || o == ACQ_REL;
}

static bool releases(enum order o)
{
	return o == RELEASE || o == ACQ_REL;
}

/* W3 */
static void spins(uintptr_t site, uint64_t what)
{
	struct thread *h = &x->thread[x->self];
	unsigned i;

	for (i = 0; i < h->recents; i++)
		if (h->recent[i].site == site && h->recent[i].what == what) {
			if (++h->recent[i].times >= (x->test->waits ? x->test->waits : 3))
				explore_wait();
			return;
		}
	if (i < RECENT) {
		h->recent[h->recents].site = site;
		h->recent[h->recents].what = what;
		h->recent[h->recents++].times = 1;
	}
}

void explore_reads(const struct message *m, enum order order)
{
	struct thread *h = &x->thread[x->self];

	see(&h->now, (unsigned)(m - x->message));
	explore_join(acquires(order) ? &h->now : &h->acquired, &m->view);
	h->history = explore_mix(h->history, m->writer);
}

/* A message of this thread at a place of the order; `after`: what a read-modify-write has read. */
void explore_writes(struct location *l, unsigned place, uint64_t value, enum order order, struct message *after)
{
	struct thread *h = &x->thread[x->self];
	struct message *m = new_message(l, place, value);
	unsigned id = (unsigned)(m - x->message);

	see(&h->now, id);
	m->view = releases(order) ? h->now : h->released;
	see(&m->view, id);
	if (after) {
		explore_join(&m->view, &after->view);
		after->taken = true;
	}
	h->now.clock[x->self]++;	/* what follows is not in the message */
	h->history = explore_mix(h->history, 11);
	rehash(l);
}

/* So that a table in which most is NULL costs no locations. */
static bool never_written(void)
{
	return x->alone && !x->alone->writers;
}

static uint64_t load(uintptr_t address, unsigned size, int order, uintptr_t site)
{
	struct thread *h;
	enum order o;
	struct location *l;
	const struct message *m;
	unsigned oldest;

	if (!explore_step(address, READ) || never_written())
		return get(address, size);
	h = &x->thread[x->self];
	o = order_at(site, OPERATION, order);
	l = find(address, size, READ, site);
	oldest = x->message[h->now.seen[l - x->location]].place;
	m = &x->message[l->order[l->count - 1 - explore_choose(l->count - oldest)]];
	spins(site, (uint64_t)(m - x->message));
	explore_reads(m, o);
	return m->value;
}

static void store(uintptr_t address, unsigned size, uint64_t value, int order, uintptr_t site)
{
	struct thread *h;
	enum order o;
	struct location *l;
	unsigned oldest, places[ORDER], n = 0;

	if (!explore_step(address, WRITE)) {
		memcpy((void *)address, &value, size);
		return;
	}
	h = &x->thread[x->self];
	o = order_at(site, OPERATION, order);
	l = find(address, size, WRITE, site);
	oldest = x->message[h->now.seen[l - x->location]].place;
	for (unsigned p = l->count; p > oldest; p--)
		if (!x->message[l->order[p - 1]].taken)
			places[n++] = p;
	explore_writes(l, places[explore_choose(n)], value, o, NULL);
	h->recents = 0;
}

/* `compute` gives the new value from the old one; of a compare-exchange only `expected` is replaced. */
static uint64_t modify(uintptr_t address, unsigned size, uint64_t (*compute)(uint64_t, uint64_t), uint64_t operand,
		       const uint64_t *expected, int order, int failure, uintptr_t site)
{
	struct thread *h;
	uint64_t mask = size == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * size) - 1, old, value;
	enum order o, of_failure;
	struct location *l;
	struct message *m;
	unsigned oldest, may[ORDER], n = 0;

	if (!explore_step(address, READ | WRITE)) {
		old = get(address, size);
		value = compute(old, operand);
		if (!expected || old == *expected)
			memcpy((void *)address, &value, size);
		return old;
	}
	h = &x->thread[x->self];
	o = order_at(site, OPERATION, order);
	of_failure = expected ? order_at(site, FAILURE, failure) : RELAXED;
	l = find(address, size, READ | WRITE, site);
	oldest = x->message[h->now.seen[l - x->location]].place;
	for (unsigned p = l->count; p-- > oldest;)
		if ((expected && x->message[l->order[p]].value != *expected) || !x->message[l->order[p]].taken)
			may[n++] = p;
	m = &x->message[l->order[may[explore_choose(n)]]];
	old = m->value;
	value = compute(old, operand) & mask;
	if (expected && old != *expected) {
		spins(site, (uint64_t)(m - x->message));
		explore_reads(m, of_failure);
		return old;
	}
	if (value == old)
		spins(site, ~old);
	else
		h->recents = 0;
	explore_reads(m, o);
	explore_writes(l, m->place + 1u, value, o, m);
	return old;
}

static uint64_t do_set(uint64_t old, uint64_t v) { (void)old; return v; }
static uint64_t do_add(uint64_t old, uint64_t v) { return old + v; }
static uint64_t do_sub(uint64_t old, uint64_t v) { return old - v; }
static uint64_t do_and(uint64_t old, uint64_t v) { return old & v; }
static uint64_t do_or(uint64_t old, uint64_t v) { return old | v; }
static uint64_t do_xor(uint64_t old, uint64_t v) { return old ^ v; }

/* What gcc calls. */
#define HERE ((uintptr_t)__builtin_return_address(0))
#define CAS(bits, kind) \
	int __tsan_atomic##bits##_compare_exchange_##kind(uint##bits##_t *p, uint##bits##_t *e, uint##bits##_t v, int o, int f) \
	{ \
		uint64_t expected = *e, old = modify((uintptr_t)p, bits / 8, do_set, v, &expected, o, f, HERE); \
		*e = (uint##bits##_t)old; \
		return old == expected; \
	}
#define FETCH(bits, op) \
	uint##bits##_t __tsan_atomic##bits##_fetch_##op(uint##bits##_t *p, uint##bits##_t v, int o) \
	{ \
		return (uint##bits##_t)modify((uintptr_t)p, bits / 8, do_##op, v, NULL, o, 0, HERE); \
	}
#define ATOMICS(bits) \
	uint##bits##_t __tsan_atomic##bits##_load(uint##bits##_t *p, int o) \
	{ \
		return (uint##bits##_t)load((uintptr_t)p, bits / 8, o, HERE); \
	} \
	void __tsan_atomic##bits##_store(uint##bits##_t *p, uint##bits##_t v, int o) \
	{ \
		store((uintptr_t)p, bits / 8, v, o, HERE); \
	} \
	uint##bits##_t __tsan_atomic##bits##_exchange(uint##bits##_t *p, uint##bits##_t v, int o) \
	{ \
		return (uint##bits##_t)modify((uintptr_t)p, bits / 8, do_set, v, NULL, o, 0, HERE); \
	} \
	FETCH(bits, add) FETCH(bits, sub) FETCH(bits, and) FETCH(bits, or) FETCH(bits, xor) CAS(bits, strong) CAS(bits, weak)
ATOMICS(8) ATOMICS(16) ATOMICS(32) ATOMICS(64)

void __tsan_atomic_thread_fence(int order)
{
	struct thread *h = &x->thread[x->self];

	if (!x->running || x->self == T)
		return;
	if (order == SEQ_CST)
		explore_schedule();
	if (order != RELEASE)
		explore_join(&h->now, &h->acquired);
	if (order == SEQ_CST) {		/* all of them in one order, in which views grow */
		struct view before = h->now;

		explore_join(&h->now, &x->fences);
		memcpy(h->now.clock, before.clock, sizeof(before.clock));	/* nothing happens before for it */
		x->fences = h->now;
		x->fence_hash = explore_mix(x->fence_hash, x->self);
	}
	if (order != ACQUIRE)
		h->released = h->now;
	h->now.clock[x->self]++;
	h->history = explore_mix(h->history, 13 + (unsigned)order);
}

void __tsan_atomic_signal_fence(int order) { (void)order; }
void __tsan_init(void) { }
#define PLAIN(n) \
	void __tsan_read##n(void *p) { explore_plain((uintptr_t)p, n, READ, HERE, false); } \
	void __tsan_write##n(void *p) { explore_plain((uintptr_t)p, n, WRITE, HERE, false); } \
	void __tsan_unaligned_read##n(void *p) { explore_plain((uintptr_t)p, n, READ, HERE, false); } \
	void __tsan_unaligned_write##n(void *p) { explore_plain((uintptr_t)p, n, WRITE, HERE, false); }
PLAIN(1) PLAIN(2) PLAIN(4) PLAIN(8) PLAIN(16)
void __tsan_read_range(void *p, size_t n) { explore_plain((uintptr_t)p, n, READ, HERE, false); }
void __tsan_write_range(void *p, size_t n) { explore_plain((uintptr_t)p, n, WRITE, HERE, false); }

