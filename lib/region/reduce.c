/* reduce.c - reproducible reductions: the blocks of a loop, and the tree that their partials are combined along.
 *
 * R1: a block is run by the worker whose chunk holds its first iteration; chunks partition the loop, so it is run once.
 * R2: node (s, l) is blocks s .. s + 2^l - 1 with s a multiple of 2^l.  Its value stands in the slot of s, and is the combination
 *     of nodes (s, l - 1) and (s + 2^(l-1), l - 1), in this order.  So it does not depend on who combines it when.
 * R3: what a worker combines after a chunk are the nodes that lie within it.  Their values then move to the chunk's first slots, one
 *     after the other, since each cache line that the last worker reads comes late.  It combines what is left when all chunks are done,
 *     from left to right: where it finds a node (s, l) with bit l set in s, (s - 2^l, l) is there.
 * R4: a worker counts itself in `come` when it has no more blocks; the last one sees what all have written, and frees the partials. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "dls/reduce.h"
#include "lib/base/message.h"
#include "lib/deal/deal.h"
#include "lib/deal/partials.h"
#include "lib/region/reduce.h"

_Static_assert(DLS_BLOCKS_MAX == 1 << (DLS__NODES - 1), "a block has so many nodes before it");

void dls__reduce_no_multiple(const struct dls_site *site)
{
	dls__fatal("%s:%d: a reduction takes no .multiple: its blocks start at multiples of their own length", site->file,
		   site->line);
}

/* The partials of a loop as nodes of the tree.  A node begins at a block, where its value stands. */
struct tree {
	char *base;		/* values */
	size_t bytes;		/* ... of each */
	uint64_t blocks;
	const uint32_t *past;	/* nodes are those within chunks: dls__partials.past; NULL: they are blocks */
	bool stacked;		/* one thread adds all blocks in order, and `base` holds only the nodes not yet combined */
	bool rest;		/* in the end combine the nodes that remain, from the last to the first */
	unsigned level;		/* the node at `at` is of 2^level blocks */
	uint64_t at, stop;	/* nodes at .. stop - 1 are combined with those before them */
	uint64_t floor;		/* ... from this block on */
	uint64_t limit;		/* the end of the chunk that `at` is in */
	uint16_t next;		/* the slot of the chunk's next node */
	uint16_t place[DLS__NODES];	/* the slots of the nodes before `at`, one for each bit of it, and of that at `at` */
};

/* The library's own of a struct dls__reduce_part. */
struct part {
	uint64_t until;			/* end of the chunk's blocks */
	dls__combine_pairs *combine;	/* NULL: the caller combines */
	bool by_chunk;			/* ... the nodes within a chunk, too, without asking for them */
	void *outer;			/* the variable outside */
	struct dls__partials *partials;	/* what the threads share; NULL: this one runs the whole loop, or nothing */
	struct tree tree;
	enum { RUNNING, LEFT, DONE } stage;	/* has blocks; combines what is left; has done so */
};
_Static_assert(sizeof(struct part) <= sizeof(((struct dls__reduce_part *)0)->rest), "a part has room");

static inline struct part *part_of(struct dls__reduce_part *r)
{
	return (struct part *)(void *)r->rest;
}

static inline unsigned before(uint64_t block)
{
	return (unsigned)__builtin_popcountll(block);
}

/* Where the value of the node that begins at a block stands. */
static inline char *slot(const struct tree *t, uint64_t block)
{
	return t->base + (t->stacked ? before(block) : t->past ? t->place[before(block)] : block) * t->bytes;
}

/* The largest node that begins at a block and lies before another. */
static unsigned level_at(uint64_t block, uint64_t past)
{
	unsigned level = 0;

	while (!(block >> level & 1) && past - block >= (uint64_t)2 << level)
		level++;
	return level;
}

/* The largest node that begins at `at` and lies within its chunk. */
static unsigned whole_node(struct tree *t)
{
	if (!t->past)
		return 0;
	if (t->at == t->limit) {
		t->limit = t->past[t->at];
		t->next = (uint16_t)t->at;
	}
	t->place[before(t->at)] = t->next++;
	return level_at(t->at, t->limit);
}

/* Move the values of a chunk's nodes to its first slots. */
static void pack(const struct tree *t, uint64_t first, uint64_t past)
{
	char *to = t->base + first * t->bytes;

	for (uint64_t block = first; block < past; block += (uint64_t)1 << level_at(block, past), to += t->bytes)
		if (to != t->base + block * t->bytes)
			memcpy(to, t->base + block * t->bytes, t->bytes);
}

/* The next pair of nodes to combine, a left and a right one; false: there is none. */
static bool pair(struct tree *t, void **left, const void **right)
{
	while (t->at < t->stop) {
		uint64_t length = (uint64_t)1 << t->level;

		if (t->at & length && t->at - length >= t->floor) {
			*right = slot(t, t->at);
			*left = slot(t, t->at -= length);
			t->level++;
			return true;
		}
		t->at += length;
		t->level = t->at < t->stop ? whole_node(t) : 0;
	}
	if (!t->rest)
		return false;
	t->at &= t->at - 1;		/* where the last node begins; 0 stays 0 */
	t->stop = 0;
	if (t->at == 0)
		return false;
	*right = slot(t, t->at);
	*left = slot(t, t->at & (t->at - 1));
	return true;
}

/* Combine nodes of one block, first .. past - 1, among each other and from `floor` on. */
static void combine_from(struct tree *t, uint64_t floor, uint64_t first, uint64_t past)
{
	t->at = first;
	t->stop = past;
	t->floor = floor;
	t->level = 0;
}

/* Combine all that is left. */
static void combine_rest(struct tree *t, const uint32_t *past)
{
	t->past = past;
	t->rest = true;
	t->floor = t->at = t->limit = 0;
	t->stop = t->blocks;
	t->level = whole_node(t);
}

static struct dls__cursor *cursor_of(struct dls__reduce_part *r)
{
	return (struct dls__cursor *)&r->run.cursor;
}

void dls__reduce_prepare(struct dls__reduce_part *r, const struct dls__operation *operation, uint64_t n)
{
	struct part *p = part_of(r);

	cursor_of(r)->cancelled = false;
	r->n = n;
	r->length = n ? dls__block_length(n) : 1;
	r->block = r->past = 0;
	r->bytes = operation->bytes;
	*p = (struct part){
		.outer = operation->outer, .by_chunk = operation->type == DLS__BY_CHUNK,
		.tree = { .bytes = operation->bytes, .blocks = dls__blocks_of(n) },
	};
	if (*operation->op)
		p->combine = dls__operator(operation->op, operation->type,
					   (char *)operation->stack + DLS__NODES * operation->bytes);
}

void dls__reduce_join(struct dls__reduce_part *r, void *stack)
{
	struct dls__cursor *c = cursor_of(r);
	struct part *p = part_of(r);

	p->partials = c->share ? c->share->partials : NULL;
	if (!p->partials && c->workers == 1 && r->n > 0)
		p->partials = dls__partials_make(r->n, r->bytes);
	p->tree.stacked = !p->partials;
	p->tree.base = p->partials ? p->partials->value : stack;
}

/* The first block that begins at an iteration or after it. */
static uint64_t block_from(const struct dls__reduce_part *r, uint64_t iteration)
{
	return iteration / r->length + (iteration % r->length != 0);
}

/* Go to the first block of the next chunk that has any; false: there is none. */
static bool next_blocks(struct dls__reduce_part *r)
{
	struct part *p = part_of(r);
	uint64_t block = r->past;

	while (block == p->until) {
		struct dls__chunk chunk = dls__next(&r->run.cursor.head);

		if (chunk.n == 0)
			return false;
		block = block_from(r, chunk.lo);
		p->until = block_from(r, chunk.lo + chunk.n);
	}
	r->block = block;
	r->past = p->until;
	if (p->partials)
		p->partials->past[block] = (uint32_t)p->until;
	else
		r->past = block + 1;
	combine_from(&p->tree, p->partials ? block : 0, block, p->partials && p->by_chunk ? block : r->past);
	r->first = block * r->length;
	r->count = r->n - r->first < r->length ? r->n - r->first : r->length;
	r->slot = slot(&p->tree, block);
	return true;
}

/* Whether all blocks are done, and this worker combines what is left.  Of a cancelled loop nothing is combined. */
static bool last(struct dls__reduce_part *r)
{
	struct part *p = part_of(r);
	struct tree *t = &p->tree;
	bool cancelled = cursor_of(r)->cancelled;

	if (!p->partials) {
		t->rest = true;		/* of the stack */
		return t->blocks > 0 && t->at == t->blocks && !cancelled;
	}
	if (cancelled)	/* relaxed, here and below: `come` passes it on. */
		atomic_store_explicit(&p->partials->cancelled, true, memory_order_relaxed);
	if (!dls__last_of(cursor_of(r)->workers, &p->partials->come))
		return false;
	if (atomic_load_explicit(&p->partials->cancelled, memory_order_relaxed)) {
		dls__partials_free(p->partials);
		return false;
	}
	combine_rest(t, p->partials->past);
	return true;
}

bool dls__reduce_pair(struct dls__reduce_part *r)
{
	struct part *p = part_of(r);

	if (r->block + 1 < r->past)
		return false;
	if (pair(&p->tree, &r->into, &r->from))
		return true;
	if (p->stage != LEFT)
		return false;
	p->stage = DONE;
	r->into = p->outer;
	r->from = slot(&p->tree, 0);
	return true;
}

/* Combine the nodes within a chunk, level by level. */
static void combine_chunk(struct part *p)
{
	struct tree *t = &p->tree;

	for (uint64_t half = 1; 2 * half <= t->stop - t->floor; half *= 2) {
		uint64_t first = (t->floor + 2 * half - 1) & ~(2 * half - 1);

		if (first + 2 * half <= t->stop)
			p->combine(slot(t, first), slot(t, first + half), (t->stop - first) / (2 * half), 2 * half);
	}
	t->stop = t->at;
}

static void combine(struct dls__reduce_part *r)
{
	struct part *p = part_of(r);

	if (!p->combine)
		return;
	if (p->partials && p->stage == RUNNING)
		combine_chunk(p);
	else
		while (dls__reduce_pair(r))
			p->combine(r->into, r->from, 1, 1);
}

bool dls__reduce_chunk(struct dls__reduce_part *r)
{
	struct part *p = part_of(r);

	combine(r);
	if (p->stage == RUNNING) {
		if (p->partials)
			pack(&p->tree, p->tree.floor, p->until);
		if (next_blocks(r))
			return true;
		r->slot = NULL;
		r->past = 0;
		if (!last(r))
			return false;
		p->stage = LEFT;
		if (!p->combine)
			return true;
		combine(r);
	}
	dls__partials_free(p->partials);
	return false;
}
