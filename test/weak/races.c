/* races.c - races of plain accesses, with each other and with atomic ones; memory that has been freed. */
#include <string.h>

#include "explore.h"

enum { LARGE = 256 };		/* bytes */

static bool after_all(const uint16_t *clocks)
{
	for (unsigned t = 0; t < x->threads; t++)
		if (clocks[t] > explore_self()->now.clock[t])
			return false;
	return true;
}

static _Noreturn void race(uintptr_t site, const char *what)
{
	explore_fail("race at %#lx: %s", (unsigned long)site - 1, what);
}

/* What is written must come after reads, too. */
static void check(const uint16_t *write, const uint16_t *read, enum access access, uintptr_t site, const char *what)
{
	if (!after_all(write) || (access & WRITE && !after_all(read)))
		race(site, what);
}

static struct cell *cell_at(uintptr_t address)
{
	uintptr_t base = address & ~(uintptr_t)7;
	size_t i = explore_mix(7, base) % CELLS;

	for (; x->cell[i].execution == x->execution; i = (i + 1) % CELLS)
		if (x->cell[i].address == base)
			return &x->cell[i];
	if (x->cells == CELLS / 2)
		explore_fail("explorer: too much plain memory");
	x->cell[i] = (struct cell){ .address = base, .execution = x->execution };
	return x->used_cell[x->cells++] = &x->cell[i];
}

static void check_ranges(uintptr_t address, size_t size, uintptr_t site)
{
	for (unsigned i = 0; i < x->ranges; i++) {
		const struct range *r = &x->range[i];

		if (r->to <= address || r->from >= address + size)
			continue;
		if (r->freed)
			race(site, "access after free");
		if (r->clock > explore_self()->now.clock[r->thread])
			race(site, "access to what another thread writes");
	}
}

static void check_byte(const struct cell *cell, unsigned b, enum access access, uintptr_t site)
{
	if (cell->freed)
		race(site, "access after free");
	check(cell->write[b], cell->read[b], access, site, access & WRITE ? "plain write" : "plain read");
}

/* The location at an address, as an atomic access finds it, with what plain ones it must come after. */
struct location *explore_atomic(uintptr_t address, unsigned size, enum access access, uintptr_t site)
{
	const struct cell *cell = cell_at(address);
	uint16_t clock = explore_self()->now.clock[x->self];
	struct location *l;

	check_ranges(address, size, site);
	if (cell->freed)
		race(site, "atomic access after free");
	for (unsigned i = 0; i < size; i++)
		check(cell->write[(address + i) & 7], cell->read[(address + i) & 7], access, site, "atomic and plain access");
	l = explore_location(address, size);
	if (l->size != size)
		explore_fail("explorer: atomic accesses of two sizes at %#lx", (unsigned long)site);
	if (access & READ)
		l->read[x->self] = clock;
	if (access & WRITE)
		l->write[x->self] = clock;
	return l;
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

static bool within(uintptr_t address, const char *memory, size_t size)
{
	return address >= (uintptr_t)memory && address < (uintptr_t)memory + size;
}

void explore_plain(uintptr_t address, size_t size, enum access access, uintptr_t site, bool frees)
{
	uint16_t clock;

	if (!x || !x->running || x->self == T)		/* !x: a constructor */
		return;
	if (within(address, explore_self()->stack, STACK) || within(address, x->tls, x->tls_size))
		return;
	if (++x->accesses > ACCESSES)
		explore_fail("a thread runs on and on");
	clock = explore_self()->now.clock[x->self];
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
		check(l->write, l->read, access, site, "plain access to an atomic");
		if (access & WRITE)
			l->address = 0;
	}
}
