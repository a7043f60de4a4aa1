/* tree.h - tasks of an application that spawn each other: run one after the other without a machine, and
 * recorded, so that machines can run them again in virtual time without their work.
 *
 * tree_spawn() adds a task and tree_spend() gives its time, on a processor or, if `vp` is NULL, in a
 * serial run; so both run the same code.  A tree's tasks are in the order of the serial run: first in, first out,
 * siblings side by side. */
#ifndef TREE_H
#define TREE_H

#include <stddef.h>
#include <stdint.h>

#include "dls/machine.h"
#include "dls/task.h"

/* Types of one tree's tasks; bytes of a task of Shu & Wu's applications on the wire. */
enum { TREE_TYPES = 8, TREE_BYTES = 128 };

struct tree_task {
	uint64_t ns, arg[2];
	uint32_t first, children;	/* the tasks it spawns */
	uint32_t type;
};

/** Tasks; zero is an empty one.  The root is the first, and not counted where the paper counts tasks. */
struct tree {
	struct tree_task *task;
	size_t tasks, room, now;
	unsigned types;
	const struct dls_task_type *of[TREE_TYPES];	/* types as they were spawned with ... */
	struct dls_task_type type[TREE_TYPES];		/* ... and as they are run again */
	struct dls_task_type block;
};

/** Called by tasks: as dls_vp_spawn() and dls_vp_spend(), or into the tree. */
int tree_spawn(struct dls_vp *vp, struct tree *tree, const struct dls_task *task);
void tree_spend(struct dls_vp *vp, struct tree *tree, uint64_t ns);

/** Run a task and all that it spawns serially.  The tree's earlier tasks are gone; it stays where it is as long as
 * machines run it.  Returns 0, the code of a task, or DLS_ENOMEM. */
int tree_run(struct tree *tree, const struct dls_task *root);

/** ns of all tasks, and of the longest. */
uint64_t tree_time(const struct tree *tree);
uint64_t tree_longest(const struct tree *tree);

/** Have a machine run it again in virtual time, each task as long as was noted; its work is not done.  The root on
 * processor 0; or, dealt, on each of the first `over` processors a root for its share of the root's children, in
 * contiguous blocks.  Any number of machines may do so at once.  Returns what dls_machine_add() does. */
int tree_add(const struct tree *tree, struct dls_machine *machine);
int tree_deal(const struct tree *tree, struct dls_machine *machine, unsigned over);

/** Deal numbers first .. first + n - 1 to processors 0 .. over - 1: a task each, for arg[0] .. arg[1] - 1. */
int tree_deal_blocks(struct dls_machine *machine, unsigned over, const struct dls_task_type *type, uint64_t first, uint64_t n);

void tree_free(struct tree *tree);

#endif
