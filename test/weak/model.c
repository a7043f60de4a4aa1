/* model.c - views and messages, and what each atomic operation does to them. */
#include <string.h>

#include "explore.h"

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
			       .writer = x->self == T ? 1 : (uint64_t)x->self << 32 | (explore_self()->steps + 1) };
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

/* search.W3 */
static void spins(uintptr_t site, uint64_t what)
{
	struct thread *h = explore_self();
	unsigned i, waits = x->test->waits % WEAK_INTERLEAVED;

	for (i = 0; i < h->recents; i++)
		if (h->recent[i].site == site && h->recent[i].what == what) {
			if (++h->recent[i].times >= (x->fair ? FAIR : waits ? waits : 3))
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
	struct thread *h = explore_self();

	see(&h->now, (unsigned)(m - x->message));
	if (order == ACQUIRE || order == ACQ_REL)
		explore_join(&h->now, &m->view);
	h->history = explore_mix(h->history, m->writer);
}

/* A message of this thread at a place of the order; `after`: what a read-modify-write has read. */
void explore_writes(struct location *l, unsigned place, uint64_t value, enum order order, struct message *after)
{
	struct thread *h = explore_self();
	struct message *m = new_message(l, place, value);
	unsigned id = (unsigned)(m - x->message);

	see(&h->now, id);
	if (order == RELEASE || order == ACQ_REL)
		m->view = h->now;
	see(&m->view, id);
	if (after) {
		explore_join(&m->view, &after->view);
		after->taken = true;
	}
	h->now.clock[x->self]++;	/* what follows is not in the message */
	for (unsigned t = 0; x->fair && !(after && after->value == value) && t < x->threads; t++) {
		x->thread[t].waits = false;
		x->thread[t].recents = 0;
	}
	h->history = explore_mix(h->history, 11);
	rehash(l);
}

/* Of the messages that this thread may read. */
static unsigned oldest(const struct location *l)
{
	if (x->test->waits & WEAK_INTERLEAVED)
		return l->count - 1u;
	return x->message[explore_self()->now.seen[l - x->location]].place;
}

/* So that a table in which most is NULL costs no locations. */
static bool never_written(void)
{
	return x->alone && !x->alone->writers;
}

uint64_t explore_load(uintptr_t address, unsigned size, int order, uintptr_t site)
{
	enum order o;
	struct location *l;
	const struct message *m;

	if (!explore_step(address, READ) || never_written())
		return get(address, size);
	o = order_at(site, OPERATION, order);
	l = explore_atomic(address, size, READ, site);
	m = &x->message[l->order[l->count - 1 - explore_choose(l->count - oldest(l))]];
	spins(site, (uint64_t)(m - x->message));
	explore_reads(m, o);
	return m->value;
}

void explore_store(uintptr_t address, unsigned size, uint64_t value, int order, uintptr_t site)
{
	enum order o;
	struct location *l;
	unsigned places[ORDER], n = 0;

	if (!explore_step(address, WRITE)) {
		memcpy((void *)address, &value, size);
		return;
	}
	o = order_at(site, OPERATION, order);
	l = explore_atomic(address, size, WRITE, site);
	for (unsigned p = l->count; p > oldest(l); p--)
		if (!x->message[l->order[p - 1]].taken)
			places[n++] = p;
	explore_writes(l, places[explore_choose(n)], value, o, NULL);
	explore_self()->recents = 0;
}

/* `compute` gives the new value from the old one; of a compare-exchange only `expected` is replaced. */
uint64_t explore_modify(uintptr_t address, unsigned size, uint64_t (*compute)(uint64_t, uint64_t), uint64_t operand,
			const uint64_t *expected, int order, int failure, uintptr_t site)
{
	uint64_t mask = size == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * size) - 1, old, value;
	enum order o, of_failure;
	struct location *l;
	struct message *m;
	unsigned may[ORDER], n = 0;

	if (!explore_step(address, READ | WRITE)) {
		old = get(address, size);
		value = compute(old, operand);
		if (!expected || old == *expected)
			memcpy((void *)address, &value, size);
		return old;
	}
	o = order_at(site, OPERATION, order);
	of_failure = expected ? order_at(site, FAILURE, failure) : RELAXED;
	l = explore_atomic(address, size, READ | WRITE, site);
	for (unsigned p = l->count; p-- > oldest(l);)
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
		explore_self()->recents = 0;
	explore_reads(m, o);
	explore_writes(l, m->place + 1u, value, o, m);
	return old;
}
