/* queens.c - all solutions of the N-Queens problem. */
#include "queens.h"

#include <stdlib.h>

#include "dls/task.h"

/* Queens in the rows below `row`, each a bit in its column. */
struct board {
	unsigned n, row;
	uint32_t used, queen[QUEENS_MOST];
};

/* Bits of a row.  Not the compiler's builtin, which is a call where the processor is not known. */
static unsigned ones(uint32_t x)
{
	x -= x >> 1 & 0x5555;
	x = (x & 0x3333) + (x >> 2 & 0x3333);
	x = (x + (x >> 4)) & 0x0f0f;
	return (x + (x >> 8)) & 0x1f;
}

/* The columns of the next row in which no queen attacks; all tries at once. */
static uint32_t consistent(const struct board *b, struct queens_found *f)
{
	uint32_t left = ((1u << b->n) - 1) & ~b->used;

	f->tries += ones(left);
	for (unsigned d = 1; d <= b->row && left; d++) {
		uint32_t queen = b->queen[b->row - d];

		f->checks += ones(left);
		left &= ~(queen << d | queen >> d);
	}
	return left;
}

static void put(struct board *b, uint32_t queen)
{
	b->used |= queen;
	b->queen[b->row++] = queen;
}

static void take(struct board *b)
{
	b->used &= ~b->queen[--b->row];
}

/* Few enough rows left to search them without a poll: some microseconds. */
enum { UNPOLLED = 7 };

static void search(struct board *b, struct queens_found *f, struct dls_vp *vp)
{
	if (b->row == b->n) {
		f->solutions++;
		return;
	}
	if (vp && b->n - b->row == UNPOLLED)
		dls_vp_poll(vp);
	for (uint32_t left = consistent(b, f); left; left &= left - 1) {
		put(b, left & ~(left - 1));
		search(b, f, vp);
		take(b);
	}
}

static struct board board_of(unsigned n, uint64_t placement)
{
	struct board b = { .n = n };

	for (unsigned row = QUEENS_LEVELS; row-- > 0;)
		if (placement >> 4 * row)
			put(&b, 1u << ((placement >> 4 * row & 15) - 1));
	return b;
}

/* Left and right exchanged. */
static uint64_t mirror(unsigned n, uint64_t placement)
{
	uint64_t image = 0;

	for (unsigned row = 0; placement >> 4 * row; row++)
		image |= (n + 1 - (placement >> 4 * row & 15)) << 4 * row;
	return image;
}

static int spawn(struct dls_vp *vp, struct queens *q, const struct dls_task *from, uint32_t columns)
{
	int code = 0;

	for (unsigned c = 0; c < q->n && code == 0; c++) {
		struct dls_task task = { .type = from->type + 1, .arg = { from->arg[0] << 4 | (c + 1) } };

		if (columns >> c & 1)
			code = tree_spawn(vp, &q->tree, &task);
	}
	return code;
}

static int run(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct queens *q = context;
	uint64_t placement = task->arg[0], image = mirror(q->n, placement);
	struct board b = board_of(q->n, placement);
	struct queens_found f = { 0 };
	int code = 0;

	if (b.row < QUEENS_LEVELS)
		code = spawn(vp, q, task, consistent(&b, &f));
	else if (!vp && image < placement)
		f = q->found[image];	/* a serial run was there before */
	else
		search(&b, &f, vp);
	q->found[placement] = f;
	tree_spend(vp, &q->tree, (f.tries * QUEENS_TRY + f.checks * QUEENS_CHECK) / 10);
	return code;
}

int queens_open(struct queens *q, unsigned n)
{
	if (n < QUEENS_LEAST || n > QUEENS_MOST)
		return DLS_ERANGE;
	*q = (struct queens){ .n = n, .found = calloc(QUEENS_PLACES, sizeof(*q->found)) };
	for (unsigned i = 0; i <= QUEENS_LEVELS; i++)
		q->type[i] = (struct dls_task_type){ .size = sizeof(q->type[i]), .name = "queens", .run = run,
						   .context = q, .bytes = TREE_BYTES };
	return q->found ? 0 : DLS_ENOMEM;
}

void queens_close(struct queens *q)
{
	tree_free(&q->tree);
	free(q->found);
}

struct dls_task queens_root(const struct queens *q)
{
	return (struct dls_task){ .type = &q->type[0] };
}

struct queens_found queens_sum(const struct queens *q)
{
	struct queens_found sum = { 0 };

	for (unsigned i = 0; i < QUEENS_PLACES; i++) {
		sum.tries += q->found[i].tries;
		sum.checks += q->found[i].checks;
		sum.solutions += q->found[i].solutions;
	}
	return sum;
}
