/* repart.h - a repartitioning as its own files see it.
 *
 * A group of processors is one processor of a machine.  The thread that runs this processor, or acts for it in virtual
 * time, is the group's foreman.  A dedicated scheduler is the last processor, if the strategy has one.
 *
 * R1: an object is in one task of the sweep's machine.  Only the processor that runs the task writes the object's record; if it is
 *     another process's, the record here changes at the end of the sweep.
 * R2: during a sweep only its foreman writes a group's record, and what its members own; inside dls_part_for() each member
 *     writes its own `work` and `clock`.  dls_team_run() and the machine's run order these writes.
 * R3: if another group than its owner's runs an object, a member of that group becomes the owner, unless
 *     objects are given back (return=yes).  The old owner's counts are updated at the end of the sweep. */
#ifndef LIB_REPART_REPART_H
#define LIB_REPART_REPART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/repart.h"
#include "lib/base/apart.h"
#include "lib/machine/machine.h"
#include "lib/repart/heap.h"

struct dls_vp;

struct dls__object {
	int64_t weight;
	uint64_t cost;		/* of its task: its weight, or its last time converted to weight */
	uint64_t time;		/* ns in `work` */
	unsigned owner, was;	/* its owner now, and when the sweep began */
	unsigned worker;	/* the group that worked on it */
	int code;
	int arrived;		/* code of unpack(), if its data came from another process */
	bool begun;		/* work on it has begun: during a sweep in this process, then in any */
};

/* One of the workers' processors. */
struct dls__repart_worker {
	_Alignas(DLS__APART) uint64_t work;	/* ns in `work` */
	uint64_t clock;		/* virtual time: ns since dls_part_for() began */
	double speed;
	size_t objects;		/* number owned when the sweep began */
	int64_t weight;		/* of its objects, those received since the sweep began included */
	unsigned group, rack;
};

/* A group; the part that `work` gets. */
struct dls_part {
	_Alignas(DLS__APART) struct dls_repart *repart;
	struct dls_group group;
	struct dls__repart_worker **member;	/* group.size of them, the foreman first */
	unsigned id, first;		/* number of the group; number of its first member at opening */
	bool changed;			/* its members changed since its team and loop were made */
	double speed, slowest;		/* of all members together; of the slowest */
	double rate;			/* weight worked on per ns, as last known; 0: never known */
	struct dls_team *team;		/* NULL: one member, or virtual time */
	struct dls_loop *loop;		/* NULL: members take their static shares */
	uint64_t dispatch;		/* virtual time: ns from a member's request to its chunk's begin */
	struct dls__ranked *turn;	/* virtual time, with a loop: the members by their clocks */

	uint64_t spent;			/* virtual time: ns spent in this sweep, moves included, ... */
	double slowed;			/* ... and the machine's ns for each of these (faults) */
	int64_t done;			/* weight of objects on which `work` returned 0, */
	uint64_t time;			/* ... and ns that it took */

	struct dls_vp *vp;		/* the object being worked on: the machine's processor, */
	uint64_t now;			/* ... virtual time, ns since it began; on threads ns in dls_part_for() */
	uint64_t began;			/* ... when `work` began: in virtual time by `now`, else by clock */
	bool counts;			/* ... in `work`, not in `move` */
	bool looping;			/* in dls_part_for() */
	unsigned acts;			/* ... virtual time: the member whose body is being run */
};

/* The user's functions. */
struct dls__repart_calls {
	int (*work)(struct dls_part *part, size_t object, void *arg);
	void *arg;			/* of the sweep */
	int (*move)(struct dls_part *part, size_t object, unsigned from, unsigned to, void *context);
	size_t (*pack)(size_t object, void *buffer, size_t room, void *context);
	int (*unpack)(size_t object, const void *bytes, size_t size, void *context);
	void *context;
};

/* For a machine with several processes (processes.c). */
struct dls__repart_processes {
	bool across;			/* the machine has several processes: */
	struct dls__serializer serializer;	/* ... how objects are sent between them */
	uint64_t *told;			/* ... what they tell each other after a sweep */
	bool broken;			/* ... a sweep has failed */
};

struct dls_repart {
	struct dls_machine *machine;
	size_t objects;
	struct dls__object *object;
	struct dls_task_type *type;	/* of each object's task */
	struct dls__heavy *order;	/* the order in which they are added */
	unsigned processors, groups;	/* the workers' */
	struct dls__repart_worker *member;
	struct dls_part *part;		/* of each group */
	struct dls__repart_calls calls;
	struct dls__repart_processes processes;
	bool dedicated;			/* one more processor is reserved for the scheduler */
	bool virtual;
	bool learns;			/* later sweeps use the speeds of groups */
	bool measures;			/* later sweeps use the times of objects instead */
	bool returns;			/* objects are given back after the sweep */
	bool running;
	bool abandoned;			/* ... and tasks that were added are being dropped */
	unsigned regroup;		/* most members of a group after exchanges; 0: there are none */
	char *inner;			/* schedule of groups' loops; NULL: static shares */
	double inner_h;			/* s of its dispatches */
};

/* groups.c: objects by falling weight, equal weights by number; the caller frees them.  NULL: there is no
 * memory. */
struct dls__heavy {
	int64_t weight;
	size_t object;
};
struct dls__heavy *dls__by_weight(const int64_t *weight, size_t objects);
/* Returns 0 and the sum; DLS_EINVAL no objects, or a weight not above 0; DLS_ERANGE. */
int dls__total_weight(const int64_t *weight, size_t objects, int64_t *total);

/* check.c: check a description; the groups formed of it, `code` being the result of dls_group_form(); its
 * values for the workers' processors.  Each returns 0, or a code and a text. */
int dls__repart_check(const struct dls_repart_desc *desc, struct dls_parse_error *error);
int dls__repart_check_groups(const struct dls_repart_desc *desc, int code, struct dls_parse_error *error);
int dls__repart_check_processors(const struct dls_repart_desc *desc, unsigned processors, struct dls_parse_error *error);
int dls__repart_check_regroup(const struct dls_repart_desc *desc, bool returns, bool across, struct dls_parse_error *error);

/* sweep.c: compute what members own from the objects' owners. */
void dls__repart_count(struct dls_repart *repart);
/* Expected ns of an object on one processor of speed 1; 0: not known. */
double dls__repart_own_time(const struct dls_repart *repart, const struct dls__object *object);
/* The sums of the weights and times of objects whose time is known; false: there are none. */
bool dls__repart_timed(const struct dls_repart *repart, double *weight, double *time);
/* The `run` of an object's task. */
int dls__repart_run(struct dls_vp *vp, struct dls_task *task, void *repart);

/* regroup.c: the group's member with the least weight, of equal ones the first; exchange processors between
 * groups, before a sweep; *exchanged: how many.  Returns 0, or an error of dls__part_open(), which is called
 * again in the next sweep. */
struct dls__repart_worker *dls__repart_lightest(const struct dls_part *part);
int dls__repart_regroup(struct dls_repart *repart, size_t *exchanged);

/* processes.c, for a machine with several processes: prepare for them; agree on a code: 0 if it is 0 in all
 * processes and their descriptions are alike, else an error in all; exchange the results of a sweep. */
int dls__repart_processes(struct dls_repart *repart);
int dls__repart_agree(const struct dls__engine *engine, const struct dls_repart *repart, const struct dls_repart_desc *desc, int code,
		      struct dls_parse_error *error);
int dls__repart_tell(struct dls_repart *repart);

/* part.c: open a group's threads and its loop; `inner` is a schedule, with dispatches of `h` s, or NULL: members take their
 * static shares.  Call dls__part_close() also after a failure; then it may be opened again. */
int dls__part_open(struct dls_part *part, const char *inner, double h);
void dls__part_close(struct dls_part *part);
/* The machine's processor begins an object; `work` begins; `work` has ended: returns the ns that it took. */
void dls__part_begin(struct dls_part *part, struct dls_vp *vp);
void dls__part_work(struct dls_part *part);
uint64_t dls__part_worked(struct dls_part *part);

#endif
