/* ranks.h - a communicator prepared for loops, and its loops. */
#ifndef LIB_MPI_RANKS_H
#define LIB_MPI_RANKS_H

#include <pthread.h>
#include <stdatomic.h>

#include "dls/loop.h"
#include "dls/mpi.h"
#include "dls/schedule.h"

/* Words that different ranks write, on cache lines of their own. */
struct dls__mpi_slot {
	_Atomic uint64_t count;		/* units drawn from the loop, by all ranks; rank 0's node's slot has it, and: */
	_Atomic double sum[2];		/* of the figures that workers have told, by all ranks, ... */
	_Atomic uint64_t known;		/* ... and how many have told any: see learn.c */
	char apart1[96];
	_Atomic uint64_t batch;		/* tickets that the node has drawn and not dealt yet: see draw.c */
	char apart2[120];
};

/* What a worker tells with a draw, and learns from it. */
struct dls__mpi_figures {
	double more[2], sum[2];	/* added to the sums; the sums then */
	uint64_t first, known;	/* 1: it has not told any before; workers that have */
};

/* A request to rank 0, and its answer. */
struct dls__mpi_ask {
	uint64_t slot, units, answer;	/* of the loop; how many; the answer's tag */
	struct dls__mpi_figures figures;
};

struct dls__mpi_answer {
	uint64_t first;			/* of the units */
	struct dls__mpi_figures figures;
};

struct dls_mpi {
	MPI_Comm comm, node;	/* duplicate; its ranks that share memory with this one, or MPI_COMM_NULL */
	int rank, size, node_rank, node_size, nodes;
	enum dls_mpi_way way;
	bool near;		/* this rank can reach rank 0's slots */
	bool serves;		/* it is rank 0, and others ask it by messages, or their RMA needs its MPI to go on */
	bool serialized;	/* several threads call MPI: one at a time, under `lock` */
	bool crowded;		/* this machine has more ranks than processors: who waits makes room at once */
	int level;		/* MPI's thread level */
	pthread_mutex_t lock;
	struct dls__mpi_ask ask;	/* who serves: the request that came last, ... */
	MPI_Request asked;		/* ... and, persistent, the receipt of the next one */
	double timeout;
	uint64_t room[8];	/* of collective calls: it stays when one is given up, as MPI may still write to it */
	MPI_Win shared, global;	/* slots of the node; counts of all loops, for DLS_MPI_RMA: at rank 0 */
	struct dls__mpi_slot *slot;	/* of the node, or this rank's own */
	bool used[DLS_MPI_LOOPS_MAX];	/* alike on all ranks, as loops are opened and closed collectively */
	_Atomic int failed;	/* an error that made the communicator useless; 0: none */
	bool helping;
	_Atomic bool stop;	/* tells the helper to end */
	pthread_t helper;
};

/* What a worker of a loop that adapts has measured. */
struct dls__mpi_learner {
	struct dls_learned memory;	/* of all executions of the loop */
	struct dls_measured view;
	double told[2];			/* its figures in the sums */
	bool has_told;
	double asked, began;		/* s: its last request; when it got the chunk */
	double busy, dispatch;		/* s, in this execution */
	uint64_t done;			/* iterations, likewise */
	uint64_t n, from;		/* of the chunk in hand, whose first unit of the execution is `from`; n 0: there is none */
	struct dls__chunk part;		/* what is left of it if it is timed in parts, ... */
	uint64_t part_n;		/* ... the part in hand, ... */
	double part_began, mean, m2;	/* ... and the moments of an iteration's time in those */
	uint64_t parts, weighed;	/* ... which are so many */
	uint64_t renewed, wish, most;	/* weights: 1 + batch of the last one; units wanted; longest chunk, iterations */
};

/* A stretch of a loop's units, counted over all its executions.  A unit is a ticket; if workers have weights, 1 / DLS__TICKET of
 * one; of a live loop an iteration. */
struct dls__mpi_units {
	uint64_t from, to;
};

/* A place in the sequence of chunks: tickets first .. past - 1 are K iterations each, from lo on, and the last may be cut at end. */
struct dls__mpi_walk {
	uint64_t K, lo, end, first, past;
	_Alignas(16) char state[DLS_STATE_MAX];
};

struct dls__mpi_worker {
	_Alignas(128) struct dls__mpi_walk walk;	/* of a live loop: the calculator's state alone */
	uint64_t units;		/* to draw at once */
	uint64_t got;		/* iterations, in this execution */
	uint64_t k;		/* DLS_DISPENSER_OWN: its next chunk */
	uint64_t ticket;	/* robust loops: of the chunk in hand; UINT64_MAX: none */
	bool told;		/* likewise: that nothing is left */
	bool asked;		/* `request` is under way, for the answer to its next request */
	MPI_Request request;
	struct dls__mpi_answer answer;
	double began, pace;	/* s: when it got the chunk in hand, of n iterations; of an iteration, INFINITY: unknown */
	uint64_t n;
	bool left;		/* it has met the end of this execution, ... */
	struct dls__mpi_units over;	/* ... with these in hand: a later execution's */
};

struct dls_mpi_loop {
	struct dls_mpi *mpi;
	unsigned slot, workers, first, p;	/* first: this rank's first worker; p: workers of all ranks */
	unsigned node_workers;		/* of the node; 0: it draws no batches */
	struct dls_schedule *schedule;
	uint64_t multiple;
	bool running, own;		/* own: each worker takes its chunks without a counter */
	bool weighted, live;
	bool ahead;		/* workers may ask for the next chunk when they begin one */
	struct dls__mpi_learner *learner;	/* of each worker; NULL: the calculator's chunks do not depend on measurements */
	int code;			/* why the loop can only be closed; 0: it is sound */
	const struct dls_calc *calc;	/* the schedule's, or its fallback */
	uint64_t n, begin, end, min;
	int64_t step;
	uint64_t opened, base;		/* value of the count when the loop was opened; where this execution's units begin */
	uint64_t hash;			/* of all executions since the ranks last compared theirs, ... */
	uint64_t asked, got;		/* ... and how many iterations they had, and were got by this rank */
	struct dls__mpi_units *over;	/* left over from earlier executions, rising; workers take them before they draw */
	unsigned overs;
	_Atomic unsigned over_taken;
	struct dls__mpi_worker *worker;
	void *memory;
	struct dls__mpi_robust *robust;	/* NULL: chunks are run once */
	uint64_t *before;		/* at rank 0: workers of the ranks before each rank */
};

/* A hash that takes in one more value. */
static inline uint64_t dls__mpi_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

/* ranks.c: a line on stderr, with the rank. */
void dls__mpi_message(const struct dls_mpi *mpi, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* poke.c: what may wait answers requests meanwhile. */
void dls__mpi_lock(struct dls_mpi *mpi);
void dls__mpi_unlock(struct dls_mpi *mpi);
void dls__mpi_serve(struct dls_mpi *mpi);	/* under the lock */
int dls__mpi_serve_begin(struct dls_mpi *mpi);	/* 0 or DLS_EIO */
void dls__mpi_serve_end(struct dls_mpi *mpi);
int dls__mpi_help(struct dls_mpi *mpi);	/* start the helper; 0 or DLS_EAGAIN */
void dls__mpi_help_no_more(struct dls_mpi *mpi);
/* Wait a moment after `turns` futile looks. */
void dls__mpi_pause(const struct dls_mpi *mpi, unsigned turns);
/* Wait for a request; 0, DLS_EIO or DLS_EDEADLK. */
int dls__mpi_wait(struct dls_mpi *mpi, MPI_Request *request, double timeout);
/* Complete a collective call that has been started, with this result: no rank waits without answering, or keeps a processor busy. */
int dls__mpi_complete(struct dls_mpi *mpi, int result, MPI_Request *request, const char *what);
/* An MPI function's result: 0, or DLS_EIO, the communicator then being useless. */
int dls__mpi_result(struct dls_mpi *mpi, int result, const char *what);
/* Collective: up to 8 sums; the smallest; rank 0's bytes, which if they are more than 64 must stay when this is given up. */
int dls__mpi_sum(struct dls_mpi *mpi, uint64_t *value, int count);
int dls__mpi_least(struct dls_mpi *mpi, int *value);
int dls__mpi_broadcast(struct dls_mpi *mpi, void *data, int bytes);

/* loop_open.c: free a loop's memory. */
void dls__mpi_loop_free(struct dls_mpi_loop *loop);

/* robust.c.  Before an execution: what ranks know of it; 0 or DLS_ERANGE.  A worker has ended the chunk in hand, if any.  A chunk
 * that nobody has ended; n 0: there is none.  Free it all: collective. */
int dls__mpi_robust_start(struct dls_mpi_loop *loop);
void dls__mpi_robust_done(struct dls_mpi_loop *loop, struct dls__mpi_worker *w);
struct dls__chunk dls__mpi_robust_next(struct dls_mpi_loop *loop, struct dls__mpi_worker *w);
bool dls__mpi_robust_told(const struct dls_mpi_loop *loop);	/* whether a worker, and each that got a chunk, is told that none is left */
void dls__mpi_robust_free(struct dls_mpi_loop *loop);

/* draw.c: draw units for a worker, 0 only to see the count, and tell its figures; 0 or DLS_EIO.  As many as the calculator of a live
 * loop says; none at its end.  Units drawn so far, and no figures from here on: by rank 0.  Add figures, and see the sums. */
int dls__mpi_draw(struct dls_mpi_loop *loop, unsigned worker, uint64_t units, struct dls__mpi_units *drawn);
int dls__mpi_draw_live(struct dls_mpi_loop *loop, unsigned worker, struct dls__mpi_units *drawn);
int dls__mpi_drawn(struct dls_mpi *mpi, unsigned slot, uint64_t *count);
/* A worker begins a chunk of n iterations: if that will be short, ask for its next units.  Wait for answers that a worker which left
 * too early has not waited for. */
void dls__mpi_ask_ahead(struct dls_mpi_loop *loop, unsigned worker, uint64_t n);
void dls__mpi_settle(struct dls_mpi_loop *loop);
void dls__mpi_tell(struct dls__mpi_slot *slot, struct dls__mpi_figures *figures);

/* learn.c: 0 or DLS_ENOMEM.  Before an execution: `weight` is the schedule's.  What a worker has in hand is done: the next part of
 * its chunk; n 0: it needs another one.  It draws next, as many units as it returns.  It got a chunk: the part to run first.  After
 * an execution.  What is told with a draw, and what came of it. */
int dls__mpi_learn_open(struct dls_mpi_loop *loop);
void dls__mpi_learn_start(struct dls_mpi_loop *loop, unsigned worker, double weight);
struct dls__chunk dls__mpi_learn_next(struct dls_mpi_loop *loop, unsigned worker);
uint64_t dls__mpi_learn_units(struct dls_mpi_loop *loop, unsigned worker);
struct dls__chunk dls__mpi_learn_got(struct dls_mpi_loop *loop, unsigned worker, uint64_t from, struct dls__chunk chunk);
void dls__mpi_learn_end(struct dls_mpi_loop *loop);
struct dls__mpi_figures dls__mpi_learn_tell(const struct dls_mpi_loop *loop, unsigned worker);
void dls__mpi_learn_told(struct dls_mpi_loop *loop, unsigned worker, const struct dls__mpi_figures *figures);

/* sequence.c: a chunk's size by a calculator's state, with R > 0 remaining: 1..R. */
uint64_t dls__mpi_size(const struct dls_mpi_loop *loop, void *state, uint64_t R);

/* sequence.c: find the row of a ticket; false: it is past the end, and w->past is the number of tickets. */
bool dls__mpi_seek(const struct dls_mpi_loop *loop, struct dls__mpi_walk *w, uint64_t ticket);

#endif
