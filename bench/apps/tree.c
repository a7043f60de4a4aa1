/* tree.c - tasks that spawn each other, recorded in a serial run and run again on machines. */
#include "tree.h"

#include <stdlib.h>

int tree_spawn(struct dls_vp *vp, struct tree *tree, const struct dls_task *task)
{
	unsigned type = 0;

	if (vp)
		return dls_vp_spawn(vp, task);
	while (type < tree->types && tree->of[type] != task->type)
		type++;
	if (type == TREE_TYPES)
		return DLS_ERANGE;
	if (type == tree->types)
		tree->of[tree->types++] = task->type;
	if (tree->tasks == tree->room) {
		size_t room = tree->room ? 2 * tree->room : 1024;
		struct tree_task *more = realloc(tree->task, room * sizeof(*more));

		if (!more)
			return DLS_ENOMEM;
		tree->task = more;
		tree->room = room;
	}
	tree->task[tree->tasks++] = (struct tree_task){ .arg = { task->arg[0], task->arg[1] }, .type = type };
	return 0;
}

void tree_spend(struct dls_vp *vp, struct tree *tree, uint64_t ns)
{
	if (vp)
		dls_vp_spend(vp, ns);
	else
		tree->task[tree->now].ns += ns;
}

/* Tasks first .. end - 1 begin on this processor. */
static int spawn_noted(struct dls_vp *vp, const struct tree *tree, uint64_t first, uint64_t end)
{
	int code = 0;

	for (uint64_t i = first; i < end && code == 0; i++)
		code = dls_vp_spawn(vp, &(struct dls_task){ .type = &tree->type[tree->task[i].type], .arg = { i } });
	return code;
}

static int run_again(struct dls_vp *vp, struct dls_task *task, void *context)
{
	const struct tree *tree = context;
	const struct tree_task *noted = &tree->task[task->arg[0]];

	dls_vp_spend(vp, noted->ns);
	return spawn_noted(vp, tree, noted->first, noted->first + noted->children);
}

static int run_block(struct dls_vp *vp, struct dls_task *task, void *context)
{
	return spawn_noted(vp, context, task->arg[0], task->arg[1]);
}

static int run_next(struct tree *tree)
{
	struct tree_task *noted = &tree->task[tree->now];
	const struct dls_task_type *type = tree->of[noted->type];
	struct dls_task task = { .type = type, .arg = { noted->arg[0], noted->arg[1] } };
	size_t first = tree->tasks;
	int code = type->run(NULL, &task, type->context);

	noted = &tree->task[tree->now++];	/* spawning may have moved the array */
	noted->first = (uint32_t)first;
	noted->children = (uint32_t)(tree->tasks - first);
	return code;
}

int tree_run(struct tree *tree, const struct dls_task *root)
{
	int code;

	tree->tasks = tree->now = 0;
	tree->types = 0;
	code = tree_spawn(NULL, tree, root);
	while (code == 0 && tree->now < tree->tasks)
		code = run_next(tree);
	for (unsigned i = 0; i < tree->types; i++) {
		tree->type[i] = *tree->of[i];
		tree->type[i].run = run_again;
		tree->type[i].context = tree;
	}
	tree->block = (struct dls_task_type){ .size = sizeof(tree->block), .name = "root", .run = run_block, .context = tree,
					     .bytes = TREE_BYTES };
	return code;
}

uint64_t tree_time(const struct tree *tree)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < tree->tasks; i++)
		ns += tree->task[i].ns;
	return ns;
}

uint64_t tree_longest(const struct tree *tree)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < tree->tasks; i++)
		ns = tree->task[i].ns > ns ? tree->task[i].ns : ns;
	return ns;
}

int tree_add(const struct tree *tree, struct dls_machine *machine)
{
	return dls_machine_add(machine, 0, &(struct dls_task){ .type = &tree->type[tree->task[0].type] });
}

/* The first of n to fall to processor p of P, dealt in contiguous blocks. */
static uint64_t share(uint64_t n, unsigned p, unsigned P)
{
	return (n * p + P - 1) / P;
}

int tree_deal_blocks(struct dls_machine *machine, unsigned over, const struct dls_task_type *type, uint64_t first, uint64_t n)
{
	int code = 0;

	for (unsigned p = 0; p < over && code == 0; p++) {
		struct dls_task block = { .type = type };

		block.arg[0] = first + share(n, p, over);
		block.arg[1] = first + share(n, p + 1, over);
		code = dls_machine_add(machine, p, &block);
	}
	return code;
}

int tree_deal(const struct tree *tree, struct dls_machine *machine, unsigned over)
{
	return tree_deal_blocks(machine, over, &tree->block, tree->task[0].first, tree->task[0].children);
}

void tree_free(struct tree *tree)
{
	free(tree->task);
	*tree = (struct tree){ .tasks = 0 };
}
