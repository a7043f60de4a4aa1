/* puzzle.c - IDA* on the 15-puzzle. */
#include "puzzle.h"

#include <stdlib.h>

#include "dls/task.h"

const struct puzzle_instance puzzle_instance[PUZZLE_INSTANCES] = {
	{ UINT64_C(0x78bf2a390154c6ed), 52, 2652 },
	{ UINT64_C(0x785b3a1f96ec42d0), 54, 4456 },
	{ UINT64_C(0x8d7e0fb62a54193c), 49, 19876 },
};

const uint8_t puzzle_next_to[16][5] = {
	{ 1, 4, 16 }, { 0, 2, 5, 16 }, { 1, 3, 6, 16 }, { 2, 7, 16 },
	{ 0, 5, 8, 16 }, { 1, 4, 6, 9, 16 }, { 2, 5, 7, 10, 16 }, { 3, 6, 11, 16 },
	{ 4, 9, 12, 16 }, { 5, 8, 10, 13, 16 }, { 6, 9, 11, 14, 16 }, { 7, 10, 15, 16 },
	{ 8, 13, 16 }, { 9, 12, 14, 16 }, { 10, 13, 15, 16 }, { 11, 14, 16 },
};

static unsigned tile_at(uint64_t tiles, unsigned place)
{
	return tiles >> 4 * place & 15;
}

/* Moves from one place to another. */
static unsigned apart(unsigned a, unsigned b)
{
	unsigned across = a % 4 > b % 4 ? a % 4 - b % 4 : b % 4 - a % 4;

	return across + (a / 4 > b / 4 ? a / 4 - b / 4 : b / 4 - a / 4);
}

/* By how much the tile at `place` comes nearer to its own place if it moves to the blank: 1 or -1. */
static int nearer(unsigned tile, unsigned place, unsigned blank)
{
	bool across = place / 4 == blank / 4;
	unsigned at = across ? place % 4 : place / 4, goal = across ? tile % 4 : tile / 4;

	return (blank > place ? goal > at : goal < at) ? 1 : -1;
}

struct puzzle_node puzzle_move(const struct puzzle_node *node, unsigned place)
{
	uint64_t tile = tile_at(node->tiles, place);

	return (struct puzzle_node){
		.tiles = node->tiles ^ tile << 4 * place ^ tile << 4 * node->blank,
		.blank = place, .from = node->blank, .moves = node->moves + 1,
		.distance = node->distance - (unsigned)nearer((unsigned)tile, place, node->blank),
	};
}

static unsigned slack(const struct puzzle *z, const struct puzzle_node *node)
{
	return z->bound - node->moves - node->distance;
}

bool puzzle_within(const struct puzzle *z, const struct puzzle_node *node)
{
	return node->moves + node->distance <= z->bound;
}

/* Slack from which on down there is no poll: some microseconds. */
enum { UNPOLLED = 4 };

/* A node within the bound, and all below it.  Nothing below a solution is another. */
static void search(const struct puzzle *z, const struct puzzle_node *node, struct puzzle_found *f, struct dls_vp *vp)
{
	f->nodes++;
	if (node->distance == 0) {
		f->solutions++;
		return;
	}
	for (const uint8_t *place = puzzle_next_to[node->blank]; *place != PUZZLE_NOWHERE; place++) {
		struct puzzle_node below;

		if (*place == node->from)
			continue;
		below = puzzle_move(node, *place);
		if (!puzzle_within(z, &below))
			continue;
		search(z, &below, f, vp);
		if (vp && slack(z, node) > UNPOLLED && slack(z, &below) == UNPOLLED)
			dls_vp_poll(vp);
	}
}

struct puzzle_node puzzle_node_of(const struct dls_task *task)
{
	struct puzzle_node node = { .tiles = task->arg[0], .from = (unsigned)task->arg[1] & 31,
			     .moves = (unsigned)task->arg[1] >> 5 };

	for (unsigned place = 0; place < 16; place++) {
		unsigned tile = tile_at(node.tiles, place);

		if (tile)
			node.distance += apart(place, tile);
		else
			node.blank = place;
	}
	return node;
}

static int spawn(struct dls_vp *vp, struct puzzle *z, const struct puzzle_node *node)
{
	int code = 0;

	for (const uint8_t *place = puzzle_next_to[node->blank]; *place != PUZZLE_NOWHERE && code == 0; place++) {
		struct puzzle_node below = puzzle_move(node, *place);
		struct dls_task task = { .arg = { below.tiles, below.moves << 5 | below.from } };

		if (*place == node->from || !puzzle_within(z, &below))
			continue;
		task.type = &z->type[slack(z, &below) > PUZZLE_SLACK ? PUZZLE_TYPES - 1 : slack(z, &below) / 2];
		code = tree_spawn(vp, z->tree, &task);
	}
	return code;
}

static int run(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct puzzle *z = context;
	struct puzzle_found *sum = &z->found[vp ? dls_vp_id(vp) : 0], f = { 0 };
	struct puzzle_node node = puzzle_node_of(task);
	int code = 0;

	if (node.distance > 0 && (node.from == PUZZLE_NOWHERE || slack(z, &node) > PUZZLE_SLACK)) {
		f.nodes = 1;
		code = spawn(vp, z, &node);
	} else {
		search(z, &node, &f, vp);
	}
	sum->nodes += f.nodes;
	sum->solutions += f.solutions;
	tree_spend(vp, z->tree, f.nodes * z->unit);
	return code;
}

int puzzle_open(struct puzzle *z, uint64_t start, uint32_t unit, unsigned processors)
{
	struct dls_task root = { .arg = { start } };

	*z = (struct puzzle){ .start = start, .unit = unit, .bound = puzzle_node_of(&root).distance,
			      .found = calloc(processors, sizeof(*z->found)), .processors = processors };
	for (unsigned i = 0; i < PUZZLE_TYPES; i++)
		z->type[i] = (struct dls_task_type){ .size = sizeof(z->type[i]), .name = "puzzle", .run = run,
						   .context = z, .bytes = TREE_BYTES };
	return z->found ? 0 : DLS_ENOMEM;
}

void puzzle_close(struct puzzle *z)
{
	free(z->found);
}

struct dls_task puzzle_root(const struct puzzle *z)
{
	return (struct dls_task){ .type = &z->type[PUZZLE_TYPES - 1], .arg = { z->start, PUZZLE_NOWHERE } };
}

int puzzle_run(struct puzzle *z, struct tree *trees)
{
	for (int i = 0; i < PUZZLE_ITERATIONS; i++, z->bound += 2) {
		struct dls_task root = puzzle_root(z);
		int code;

		z->tree = &trees[i];
		code = tree_run(z->tree, &root);
		if (code)
			return code;
		if (puzzle_sum(z).solutions > 0)
			return i + 1;
	}
	return DLS_ERANGE;
}

struct puzzle_found puzzle_sum(const struct puzzle *z)
{
	struct puzzle_found sum = { 0 };

	for (unsigned p = 0; p < z->processors; p++) {
		sum.nodes += z->found[p].nodes;
		sum.solutions += z->found[p].solutions;
	}
	return sum;
}
