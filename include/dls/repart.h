/* dls/repart.h - objects that stay where they were worked on: loop scheduling moves data while the loop runs, and the next loop
 * begins with the resulting partition.
 *
 *	struct dls_repart_desc desc = { .size = sizeof(desc), .objects = 555, .weight = observations, .work = analyse,
 *					.processors = 64, .rack = rack, .racks = 3, .scheduler_rack = 2, .limit = 16 };
 *
 *	dls_repart_open(&repart, &desc, NULL);
 *	for (int i = 0; i < 4; i++)
 *		dls_repart_sweep(repart, &replications[i], &sweep);	// analyse() once for each object
 *	dls_repart_owner(repart, object, &processor);
 *	dls_repart_close(repart);
 *
 * Processors form groups, each within one rack if possible; a group works on one object at a time, shares the object's
 * iterations (dls_part_for()), and counts as one worker.  A scheduler deals each worker chunks of the worker's own objects; a
 * worker that has none left gets some of the slowest's (strategy "repart", dls_balance(7)).
 *
 * Threads: one caller at a time for one dls_repart.  Functions of a part: inside `work` and `move`; time that `move` spends
 * counts as time, but not as work.
 *
 * Source: Banicescu & Carino, "Addressing the stochastic nature of scientific computations via dynamic loop
 * scheduling", ETNA 21:66-80, 2005. */
#ifndef DLS_REPART_H
#define DLS_REPART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/error.h"
#include "dls/machine.h"

DLS__C_BEGIN

struct dls_repart;
struct dls_part;

/** Racks that the processors of one group may come from. */
enum { DLS_GROUP_RACKS_MAX = 32 };

/** A group of processors. */
struct dls_group {
	unsigned size;			/* processors, the scheduler not counted */
	unsigned racks;			/* number of racks that they come from */
	unsigned rack[DLS_GROUP_RACKS_MAX];	/* these racks, the one with most of the processors first */
	unsigned from[DLS_GROUP_RACKS_MAX];	/* how many processors come from each of these racks */
	bool scheduler;			/* the scheduler is in the group's rack and counts towards the limit */
};

/** Form groups of at most `limit` processors.
 *
 * Each rack gives full groups.  A rest of at least half of `limit` is a group by itself.  A smaller rest joins the smallest such
 * group that has room; if there is none it is a group too, and small rests of later racks may join it.  Exception: if one
 * processor is left over in the only rack, it and the last two groups are made as equal as possible.  The scheduler counts in
 * its rack's first group; if it would be alone there it makes no group, and no group has `scheduler` set.  Groups come in the
 * order of their racks.
 *
 * rack       processors of each rack, the scheduler counted in; > 0
 * scheduler  rack of a dedicated scheduler; `racks`: there is none
 * group      room for `most` groups; NULL with most = 0: only count them
 * count      the number of groups, which may be above `most`; unchanged on error
 *
 * Returns 0; DLS_EINVAL a pointer is NULL, limit or racks is 0, a rack is empty, or the scheduler is the only processor;
 * DLS_ERANGE scheduler > racks, more than DLS_WORKERS_MAX processors, or a group of more than DLS_GROUP_RACKS_MAX racks;
 * DLS_ENOMEM.  Threads: any.
 * Source: Banicescu 2005, section 4.1. */
DLS_API int dls_group_form(const unsigned *rack, size_t racks, unsigned limit, size_t scheduler, struct dls_group *group,
			   size_t most, size_t *count);

/** Give objects their first owners.  In order of falling weight each object goes to the group farthest below its quota, which is
 * in proportion to the group's size, and there to the processor with the least weight; of equals the first.
 *
 * weight   of each object, > 0
 * size     processors of each group, > 0
 * owner    of each object: its processor, those of group 0 first
 *
 * Returns 0; DLS_EINVAL no objects, no groups, or a size or weight that is not above 0; DLS_ERANGE the weights
 * add up to more than 2^53, or the sizes to more than DLS_WORKERS_MAX; DLS_ENOMEM.  Threads: any.
 * Source: Banicescu 2005, section 4.2. */
DLS_API int dls_group_deal(const int64_t *weight, size_t objects, const unsigned *size, size_t groups, unsigned *owner);

/** Description of a repartitioning. dls_repart_open() copies it; work, move and context are kept.
 *
 * objects   at least 1
 * weight    of each: its expected work (observations, particles, ...); > 0, at most 2^53 in all
 * owner     of each, one of the workers' processors, numbered as below; NULL: dls_group_deal()
 * work      work on an object, once in each sweep, with the sweep's `arg`.  Returns 0 or a code of its own, preferably above 0,
 *           which is kept for the object (dls_repart_code()) while the others go on
 * move      an object has been moved between processors; called where it is now, before it is worked on.  A code other than 0
 *           is kept likewise, and the object is not worked on.  NULL: does nothing
 * schedule  a strategy (dls_balance(7)); NULL: "repart"
 * inner     schedule of dls_part_for(); NULL: "static".  In virtual time it is a calculator, and its h=, if given, is the time of a
 *           dispatch
 * engine    "threads": each processor is a thread, in real time; NULL or "virtual": as dls/machine.h says; "mpi": across ranks,
 *           see below
 * net, costs, faults, seed  as dls/machine.h says
 * processors  in all, the scheduler counted in; 0: the sum of the racks, or without racks one for each processor that the
 *             calling thread may run on, and a dedicated scheduler
 * rack      processors of each rack, which add up to `processors`; NULL: they are in one rack
 * scheduler_rack  of a dedicated scheduler, from 0
 * shared    there is no dedicated scheduler: the last group's foreman schedules too; a single processor requires it.  A scheduler= in
 *           `schedule` is not needed, and must not contradict it.  A strategy without a scheduler leaves a dedicated one idle
 * limit     processors of a group, at least 1; a good choice is the number of processors that can share the work on one object
 * unit_bytes  size of an object in a message, for each unit of its weight; 0: 8; an object's size is clamped to 2^32 - 1
 * speed     of each processor but the scheduler, numbered as below, 1e-9..1e9, virtual time only; a group's speed follows from
 *           its members' under the inner schedule; NULL: all 1
 * context   of move, pack and unpack
 * regroup   > 0: between sweeps groups exchange processors, at most this many in a group, see
 *           dls_repart_sweep(); not with a strategy's return=yes, and not across ranks
 * pack      an object leaves this rank: write its data into `room` bytes at `buffer`, and return its size; with less room, as in a
 *           first call with 0, only return the size
 * unpack    an object has come with these bytes.  A code other than 0 is kept as one of `move` is, which is then not called.
 *           NULL, both: objects go without data
 *
 * Processors are numbered group by group, and within a group by its racks as dls_repart_group() gives them: from[0] of
 * rack[0], from[1] of rack[1], ...  So a processor's number does not follow from `rack` alone.  It stays the
 * same in another group: dls_repart_processor_stats() returns its group.
 *
 * Engine "mpi" (dls_mpi_machines()): groups are divided among the ranks, see dls_repart_rank(), and a group's members are threads of
 * its rank.  Opening and sweeping are collective, with the same description but for `work`, `move`, `pack`, `unpack` and `context`.
 * `work` and `move` are called on the object's rank, pack and unpack on the rank's thread that sweeps, also while other members of
 * its group are in dls_part_for().  An object may pass through other ranks.  queue=replicated and return=yes are refused. */
struct dls_repart_desc {
	size_t size;		/* sizeof(struct dls_repart_desc) */
	size_t objects;
	const int64_t *weight;
	const unsigned *owner;
	int (*work)(struct dls_part *part, size_t object, void *arg);
	int (*move)(struct dls_part *part, size_t object, unsigned from, unsigned to, void *context);
	void *context;
	const char *schedule, *inner, *engine, *net, *costs, *faults;
	const unsigned *rack;
	size_t racks;
	size_t scheduler_rack;
	unsigned processors, limit;
	bool shared;
	uint32_t unit_bytes;
	const double *speed;
	uint64_t seed;
	unsigned regroup;
	size_t (*pack)(size_t object, void *buffer, size_t room, void *context);
	int (*unpack)(size_t object, const void *bytes, size_t size, void *context);
};

/** Results of one sweep. */
struct dls_sweep_result {
	size_t size;		/* sizeof(struct dls_sweep_result) */
	double time;		/* T_P, s: from its begin to the end of the last object */
	double work;		/* T_1, s: time of all processors in `work`, added up; on threads, time outside dls_part_for() counts for
				 * the foreman alone */
	double efficiency;	/* work / (P time), P the workers' processors */
	double efficiency_all;	/* the same with a dedicated scheduler counted in P */
	size_t moved;		/* objects whose owner has changed, whether data were sent or not; 0 under return=yes ... */
	int64_t moved_weight;	/* ... and their weight */
	size_t failed;		/* objects for which work or move returned a code */
	size_t exchanged;	/* processors that changed to another group before the sweep */
};

/** What one of the workers' processors owns, and did in the last sweep. */
struct dls_repart_stats {
	size_t size;		/* sizeof(struct dls_repart_stats) */
	unsigned group;
	size_t objects;		/* owned at the begin of the next sweep */
	int64_t weight;		/* of them */
	double work;		/* s in `work`; in the group's inner loops only its own part */
};

/** Make the groups and give each object its owner.
 *
 * error  if not NULL and a text or value is refused: what is wrong with it; otherwise unchanged
 *
 * Returns 0; DLS_EINVAL no objects, no `work`, a weight that is not above 0, racks that do not add up to
 * `processors`, a limit below 1; DLS_ERANGE an owner or rack that does not exist, weights of more than 2^53, a speed
 * out of range, a group of more than DLS_GROUP_RACKS_MAX racks; DLS_EAGAIN; DLS_ENOMEM; or an error of dls_machine_open()
 * or, for `inner`, dls_schedule_parse().  Across ranks the least code of all ranks, on all; DLS_EINVAL if their descriptions differ;
 * DLS_EIO; DLS_EDEADLK.  Threads: one caller at a time for one repart, as for all that follow. */
DLS_API int dls_repart_open(struct dls_repart **repart, const struct dls_repart_desc *desc, struct dls_parse_error *error);

/** Work on every object once, beginning with the current partition.
 *
 * If another group than its owner's works on an object, the object belongs from then on to that group's member with the least
 * weight: of what it had when the sweep began, and what has come since.
 *
 * A calculator that learns begins with the groups' rates in the last sweep; all others, and the first sweep, with their speeds.
 * mode=reactive uses the times of the objects in the last sweep.
 *
 * With `regroup`, groups first exchange processors: one by one from the group that would end first to the one that would end last,
 * by the times of their objects in the last sweep, if that shortens the longer of the two times by 1/32 or
 * more.  Processors of the racks that the receiving group has go first; others go only if none of these does.
 * A group keeps its foreman.  The processor's objects stay with its former group, where each goes to the
 * member with the least weight, and `move` is called for it.
 *
 * sweep  the results; may be NULL
 *
 * Returns 0, also if `work` has returned codes; DLS_EINVAL no repart; DLS_EBUSY inside `work`; or an error of
 * dls_machine_run(), after which some objects may not have been worked on: their code is DLS_EDEADLK, and times in
 * *sweep mean nothing.  DLS_EAGAIN or DLS_ENOMEM also if an exchange cannot start a group's threads anew: nothing was worked on, and
 * the next call tries again.  Across ranks all get the same code; after an error the repart can only be closed, and sweeps return
 * DLS_EINVAL. */
DLS_API int dls_repart_sweep(struct dls_repart *repart, void *arg, struct dls_sweep_result *sweep);

/** The owner of an object: a processor, numbered as dls_repart_desc says; and the code that work or move returned for the
 * object in the last sweep, 0 before it.  Return 0; DLS_EINVAL a pointer is NULL; DLS_ERANGE no such object. */
DLS_API int dls_repart_owner(const struct dls_repart *repart, size_t object, unsigned *processor);
DLS_API int dls_repart_code(const struct dls_repart *repart, size_t object, int *code);

/** The rank that a processor, and the data of its objects, is on: engine "mpi"; elsewhere 0.  Returns 0; DLS_EINVAL a pointer is NULL;
 * DLS_ERANGE no such processor. */
DLS_API int dls_repart_rank(const struct dls_repart *repart, unsigned processor, unsigned *rank);

/** The results of the machine in the last sweep: its processors are the groups, and a dedicated scheduler the last.  Returns as
 * dls_machine_result(). */
DLS_API int dls_repart_machine_result(const struct dls_repart *repart, struct dls_run_result *result);

/** The number of groups, 0 for NULL; the i-th group; what one of the workers' processors has and did.  The last two return 0;
 * DLS_EINVAL a pointer is NULL; DLS_ERANGE no such group or processor. */
DLS_API unsigned dls_repart_groups(const struct dls_repart *repart);
DLS_API int dls_repart_group(const struct dls_repart *repart, unsigned i, struct dls_group *group);
DLS_API int dls_repart_processor_stats(const struct dls_repart *repart, unsigned processor, struct dls_repart_stats *stats);

/** Stop the threads and free a repart; NULL does nothing. */
DLS_API void dls_repart_close(struct dls_repart *repart);

/** The group that works on the part, and how many of its processors do; 0 without a part. */
DLS_API unsigned dls_part_group(const struct dls_part *part);
DLS_API unsigned dls_part_members(const struct dls_part *part);

/** The parallel loop 0 .. n - 1 of the group, under `inner`: body(arg, member, begin, end) for chunks of it,
 * each iteration once, members 0 .. dls_part_members() - 1; on threads at the same time, in virtual time one
 * after the other with clocks of their own.  Not inside a body, which may call dls_part_spend() alone.
 *
 * Returns 0; DLS_EINVAL no part or body; DLS_EBUSY inside a body; DLS_EAGAIN in a forked child whose threads
 * could not be started again; DLS_ENOMEM. */
DLS_API int dls_part_for(struct dls_part *part, uint64_t n,
			 void (*body)(void *arg, unsigned member, uint64_t begin, uint64_t end), void *arg);

/** Spend virtual time, in seconds: in a body of dls_part_for() the member's, elsewhere the whole group's.  Finite, >= 0; at most
 * 2^61 ns in all for an object.  On threads it does nothing.  If `work` returns 0 and has spent nothing, the whole group takes 1
 * ns for each unit of the object's weight.
 *
 * Returns 0; DLS_EINVAL no part; DLS_ERANGE. */
DLS_API int dls_part_spend(struct dls_part *part, double seconds);

DLS__C_END

#endif
