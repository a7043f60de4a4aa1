/* repart.h - loop scheduling that moves data: the protocol of workers and scheduler.
 *
 * Banicescu and Carino, "Addressing the stochastic nature of scientific computations via dynamic loop
 * scheduling", ETNA 21:66-80, 2005, section 3.  At the start every worker exposes its tasks in a window (dls/strategy.h); a
 * task is run only after the scheduler, the last processor, has handed it out.  The scheduler's chunk table holds, for each
 * window, the weights of its slots, and which of them are not handed out yet: always one stretch, taken from its head by its
 * own worker, from its tail by others.
 *
 *	REQUEST		worker to scheduler, with its work since the last one; the first one with its slots' weights
 *	SIZE		scheduler to worker: first slot and number of tasks of its own window (or queue=replicated: whose)
 *	GET		scheduler to a worker that has none left: owner, first slot, number
 *	GIVE		worker to owner: the words of GET
 *	DATA		owner to worker: the tasks
 *	END		scheduler to worker: it gets no more
 *	RESULTS		worker to the tasks' former owner, after running them: return=yes
 *
 * With queue=central the first REQUEST hands all tasks over to the scheduler, and SIZE brings tasks; with queue=replicated SIZE
 * may name another's window, of which the worker has a copy.  With mode=reactive the scheduler answers once, with END before all SIZE
 * and GET.
 *
 * D1: a slot is in the table, not handed out; or in one SIZE, GET, GIVE or DATA; or with the worker that it was
 *     handed to.  The scheduler hands out each slot once, so each task is run once.
 * D2: a worker has at most one REQUEST under way or unused answer at a time: it asks again when at most `ahead` of the tasks
 *     handed to it are left.
 * D3: a task changes its owner only by DATA, and at most once: it is run where it arrives.
 * D4: the messages are 2 for each scheduling event and 2 for each transfer, and one for each
 *     return; there are no more events than tasks and workers, nor transfers than tasks.
 * D5: a worker is sent END once, when nothing is left that is worth moving to it; when all have got END, the table is empty.
 *
 * Spawned tasks run where they were spawned. */
#ifndef SCHED_BALANCE_REPART_H
#define SCHED_BALANCE_REPART_H

#include "dealer.h"
#include "dls/strategy.h"
#include "repart_param.h"
#include "stored.h"

/* Message kinds, and counters: of scheduling events, transfers, tasks moved, events with nothing worth moving or no room, and
 * REQUESTs that broke D2. */
enum { DLS__REQUEST, DLS__SIZE, DLS__GET, DLS__GIVE, DLS__CHUNK_DATA, DLS__END_OF_LOOP, DLS__RESULTS };
enum { DLS__EVENTS, DLS__TRANSFERS, DLS__HANDED_OVER, DLS__REFUSALS, DLS__OVERLAPS };

/* The data of a REQUEST, about the time since the last REQUEST.  In a worker's first one word[0] is 1, and
 * its slots' weights (struct dls__alike) follow. */
struct dls__repart_request {
	double speed;			/* the processor's weight */
	double done;			/* weight of tasks that have ended */
	uint64_t tasks;			/* ... and their number */
	uint64_t used;			/* answers (SIZE or GET) whose tasks have come, since the run began */
	double time, dispatch;		/* s in tasks; s without tasks, waiting for an answer */
	double move;			/* s of the last transfer; 0: there was none */
	double variance;		/* of one unit of weight, s^2; NAN: not known */
};

/* What the scheduler knows of a worker: the strategy's table. */
struct dls__served {
	struct dls__dealt dealt;
	struct dls__stored stored;
	struct dls__alike *alike;	/* weights as reported; not used when all have reported */
	size_t stretches;
	uint64_t given, done;		/* weight handed out to it; the part reported as done */
	uint64_t holds;			/* weight of the tasks stored on it, done or not */
	double time;			/* s that `done` took */
	bool waiting;			/* its REQUEST has not been answered */
	uint64_t answers;		/* SIZE and GET sent to it */
};

struct dls__scheduling {
	/* How the worker on the scheduler's processor takes an answer: SIZE, GET or END. */
	void (*take_answer)(struct dls_vp *vp, void *state, const struct dls_message *answer);
	struct dls__dealer dealer;
	unsigned workers, over;		/* 0 .. workers - 1; how many have got END */
	unsigned stores, started;	/* processors that store tasks; how many of them have reported */
	bool open;			/* all have reported: chunks are dealt */
	unsigned shift;			/* weights are divided by 2^shift */
	uint64_t total, spare;		/* weight of all tasks; of those that no single worker stores */
	uint64_t done;			/* ... part of total reported as done */
	double time;			/* s that this took */
	double move;			/* s of a recent transfer */
};

struct dls__repart_state {
	unsigned scheduler;		/* processor */
	bool works;			/* it is a worker */
	bool asked, over;		/* D2; D5 */
	struct dls__scheduling *scheduling;	/* on the scheduler */
	struct dls__repart_request report;	/* of the next REQUEST */
	uint64_t ran;			/* ns in tasks at the last look */
	uint64_t begun, begun_weight;	/* loops: when the last task began, ns, and its weight; 0: none */
	double squares;			/* sum of time^2 / weight over the tasks since the last report */
	uint64_t dry;			/* time since which there is no task, ns; UINT64_MAX: there are tasks */
	uint64_t got;			/* when the last GET came, ns */
	uint64_t used;			/* as in struct dls__repart_request */
	unsigned owner;			/* processor that results are returned to, and number of tasks */
	uint64_t results;
};

static inline bool dls__repart_is(const struct dls_vp *vp, enum dls__repart_param param, int word)
{
	return dls_vp_value(vp, param)->word == word;
}

static inline struct dls__served *dls__served(struct dls_vp *vp, unsigned id)
{
	return (struct dls__served *)dls_vp_table(vp) + id;
}

/* repart_table.c.  The weights of the slots of this processor's window: returns the number of entries; alike may be NULL. */
size_t dls__repart_alike(struct dls_vp *vp, uint64_t slots, struct dls__alike *alike);
/* Fill the table, when all have reported the tasks that they store. */
void dls__repart_fill(struct dls_vp *vp, struct dls__repart_state *state);
/* Hand out `count` slots of an owner, from its head or tail; or send END to a worker. */
void dls__repart_hand_out(struct dls_vp *vp, struct dls__repart_state *state, unsigned to, unsigned owner, enum dls_queue_end end,
			  uint64_t count);
void dls__repart_send_end(struct dls_vp *vp, struct dls__repart_state *state, unsigned to);

/* repart_reactive.c: hand everything out. */
void dls__repart_reactive(struct dls_vp *vp, struct dls__repart_state *state);

/* repart_scheduler.c: at the start; when all may have reported what they store; for a message from a worker, its own included. */
void dls__repart_start(struct dls_vp *vp, struct dls__repart_state *state,
		       void (*take_answer)(struct dls_vp *vp, void *state, const struct dls_message *answer));
void dls__repart_begin(struct dls_vp *vp, struct dls__repart_state *state);
void dls__repart_request(struct dls_vp *vp, struct dls__repart_state *state, unsigned from, bool first,
			 const struct dls__repart_request *request, const struct dls__alike *alike,
			 size_t stretches);

#endif
