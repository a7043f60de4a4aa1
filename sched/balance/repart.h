/* repart.h - loop scheduling that moves data: the protocol of workers and scheduler.
 *
 * Banicescu and Carino, "Addressing the stochastic nature of scientific computations via dynamic loop
 * scheduling", ETNA 21:66-80, 2005, section 3.  Every worker lays its tasks open at the start, in a window
 * (dls/strategy.h); none is run before the scheduler, which is the last processor, has said so.  Its chunk table
 * knows of each window what its slots weigh, and which of them are not handed out yet: always a stretch, taken
 * from its head by its own worker, from its tail by others.
 *
 *	REQUEST		worker to scheduler, with what it has done since the last; the first one with its slots' weights
 *	SIZE		scheduler to worker: first slot and number of tasks of its own window (or queue=replicated: whose)
 *	GET		scheduler to worker that has none left: owner, first slot, number
 *	GIVE		worker to owner: what GET said
 *	DATA		owner to worker: the tasks
 *	END		scheduler to worker: it gets no more
 *	RESULTS		worker to where tasks came from, after them: return=yes
 *
 * With fetch=get a worker gets the tasks by itself (dls_vp_window_get()), and there is no GIVE.  With
 * queue=central the first REQUEST hands all tasks over to the scheduler, and SIZE comes with them; with
 * queue=replicated SIZE may say another's window, of which the worker has a copy.  With mode=reactive the
 * scheduler answers once, END before all the SIZE and GET.
 *
 * D1: a slot is in the table, not handed out; or in one SIZE, GET, GIVE or DATA; or with the worker that it was
 *     handed to.  The scheduler hands out each slot once, so each task is run once.
 * D2: a worker has in all at most one REQUEST under way, or answer that it has not used: it asks again when at most
 *     `ahead` tasks are left of all that it was handed.
 * D3: a task changes its owner by DATA alone (or a one-sided get), and at most once: it is run where it has come.
 * D4: the messages are 2 for each scheduling event and 2 for each transfer (with fetch=get 1), and one for each
 *     return; there are no more events than tasks and workers, nor transfers than tasks.
 * D5: a worker is sent END once, when nothing is left that is worth moving to it; once all have been, the table is
 *     empty.
 *
 * Tasks that are spawned run where they were. */
#ifndef SCHED_BALANCE_REPART_H
#define SCHED_BALANCE_REPART_H

#include "dealer.h"
#include "dls/strategy.h"
#include "repart_param.h"
#include "stored.h"

/* Message kinds, and counters: of scheduling events, transfers, tasks moved, events for which there was nothing worth moving or
 * no room, and REQUESTs that broke D2. */
enum { DLS__REQUEST, DLS__SIZE, DLS__GET, DLS__GIVE, DLS__CHUNK_DATA, DLS__END_OF_LOOP, DLS__RESULTS };
enum { DLS__EVENTS, DLS__TRANSFERS, DLS__HANDED_OVER, DLS__REFUSALS, DLS__OVERLAPS };

/* What a REQUEST tells, of the time since the last: word[0] is 1 in the first one, whose data go on with struct dls__alike. */
struct dls__request {
	double speed;			/* the processor's weight */
	double done;			/* weight of tasks that have ended */
	uint64_t tasks;			/* ... and how many they are */
	uint64_t used;			/* answers, SIZE or GET, since the begin whose tasks have come */
	double time, dispatch;		/* s in them; s without any, waiting for an answer */
	double move;			/* s that the last transfer took; 0: there was none */
	double variance;		/* of one unit of weight, s^2; NAN: not known */
};

/* What the scheduler knows of a worker: the strategy's table. */
struct dls__served {
	struct dls__dealt dealt;
	struct dls__stored stored;
	struct dls__alike *alike;	/* as it was told, until all have told */
	size_t stretches;
	uint64_t given, done;		/* weight handed out to it; of that, reported */
	uint64_t holds;			/* weight that is stored there, done or not */
	double time;			/* s that `done` took */
	bool waiting;			/* its REQUEST has not been answered */
	uint64_t answers;		/* SIZE and GET that it was sent */
};

struct dls__scheduling {
	/* How the worker on this very processor takes an answer: SIZE, GET or END. */
	void (*take_answer)(struct dls_vp *vp, void *state, const struct dls_message *answer);
	struct dls__dealer dealer;
	unsigned workers, over;		/* 0 .. workers - 1; how many have been told END */
	unsigned stores, started;	/* processors that store tasks, and have told what */
	bool open;			/* all have: chunks are dealt */
	unsigned shift;			/* weights are divided by 2^shift */
	uint64_t total, spare;		/* of all weights; of those that no worker stores alone */
	uint64_t done;			/* ... reported */
	double time;			/* s that took */
	double move;			/* s of a transfer, of late */
};

struct dls__repart {
	unsigned scheduler;		/* processor */
	bool works;			/* it is a worker */
	bool asked, over;		/* D2; D5 */
	struct dls__scheduling *scheduling;	/* on the scheduler */
	struct dls__request report;	/* of the next REQUEST */
	uint64_t ran;			/* ns in tasks, when it was looked at last */
	uint64_t begun, begun_weight;	/* in loops, of the task that has begun: when it did, ns, and its weight; 0: none */
	double squares;			/* of tasks that have ended since the last report: sum of time^2 / weight */
	uint64_t dry;			/* since when there is no task, ns; UINT64_MAX: there are */
	uint64_t got;			/* when the last GET came, ns */
	uint64_t used;			/* answers: as in the report */
	unsigned owner;			/* whose results are to be returned, and of how many tasks */
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

/* repart_table.c.  What the slots that this processor has laid open weigh: returns the number of entries; alike may be NULL. */
size_t dls__repart_alike(struct dls_vp *vp, uint64_t slots, struct dls__alike *alike);
/* All have told what they store: fill the table. */
void dls__repart_fill(struct dls_vp *vp, struct dls__repart *state);
/* Hand `count` slots of an owner out, those at its head or tail; or tell a worker that it gets no more. */
void dls__repart_hand_out(struct dls_vp *vp, struct dls__repart *state, unsigned to, unsigned owner, enum dls_end end,
			  uint64_t count);
void dls__repart_send_end(struct dls_vp *vp, struct dls__repart *state, unsigned to);

/* repart_reactive.c: hand everything out. */
void dls__repart_reactive(struct dls_vp *vp, struct dls__repart *state);

/* repart_scheduler.c: at the start; when all may have told what they store; what has come from a worker, itself too. */
void dls__repart_open(struct dls_vp *vp, struct dls__repart *state,
		      void (*take_answer)(struct dls_vp *vp, void *state, const struct dls_message *answer));
void dls__repart_begin(struct dls_vp *vp, struct dls__repart *state);
void dls__repart_request(struct dls_vp *vp, struct dls__repart *state, unsigned from, bool first,
			 const struct dls__request *request, const struct dls__alike *alike, size_t stretches);

#endif
