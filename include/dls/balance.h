/* dls/balance.h - strategies: how the processors of a machine balance their load by messages.
 *
 * A strategy is a table of handlers, each called on one processor with that processor's state; it acts through dls/vp.h
 * alone.  So the same source runs in virtual time, on threads, and in the loops of a team.  It is written
 *
 *	NAME [,CHUNK] [,KEY=VALUE]...
 *
 * KEY being one of the strategy's parameters or one that the machine takes for every strategy:
 *
 *	net=NET		dls/net.h; default hypercube
 *	load=count|cost	what load is: tasks, or the time they are known to take; default count, unless a parameter says otherwise
 *	order=fifo|lifo|key	which queued task is run next, of `key` the one of the lowest; the one that would be run last is
 *			given away first; default fifo, or what the strategy says
 *	block=N|all	tasks in one message; default 1, or what the strategy says
 *
 * (load= and block= not for policies, which go by numbers of tasks, and send those of a move in one message.)
 *
 * CHUNK, iterations of one piece of a range, is for loops alone. */
#ifndef DLS_BALANCE_H
#define DLS_BALANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/error.h"

DLS__C_BEGIN

struct dls_calc;
struct dls_vp;
struct dls_message;
struct dls_task;

enum { DLS_VALUES_MAX = 16, DLS_KINDS_MAX = 12, DLS_COUNTERS_MAX = 8, DLS_LIST_MAX = 32 };

/** A parameter of a strategy. */
struct dls_strategy_param {
	const char *name;	/* lower case letters and digits */
	const char *value;	/* its default, as it would be written */
	double min, max;	/* accepted numbers, ends included; max may be INFINITY; min > max: none, words only */
	bool whole;		/* a whole number */
	bool percent;		/* a number may be followed by %, and is then per cent of the initial load */
	bool list;		/* several numbers with colons between, at most DLS_LIST_MAX; one strategy has one such */
	bool calc;		/* the name of a calculator (dls/calc.h); with min > max */
	const char *words;	/* accepted in place of a number, blanks between; NULL: none */
	const char *by_cost;	/* that of them with which load=cost is the default; NULL: none */
	const char *text;	/* unit and meaning, for messages and manuals */
};

/** The value of a parameter. */
struct dls_value {
	double real;		/* the number, the first of a list; 0 if a word stands there */
	int word;		/* which of `words`, from 0; -1: a number */
	bool percent;
	unsigned values;	/* numbers of a list */
	const double *list;
	const struct dls_calc *calc;	/* NULL: it is none */
};

/** A strategy.  Every handler may be NULL; none is called once the run has failed.
 *
 * start    once, when all initial tasks are there
 * load     the processor's load has changed: after a task, a spawn, an arrival, a migration
 * message  a message has come; the tasks with it enter the queue after the handler, unless it forwards them
 * done     a task, or piece of a range, has ended here, and what it spawned has its place; before `load`.  In loops it has only
 *          begun
 * idle     there is no task left to run; once until there is one again; after `load`
 * timer    a timer has gone off
 * place    on which processor a task spawned here starts; not called for initial tasks */
struct dls_strategy {
	const char *name;	/* lower case; unique among strategies and calculators */
	const char *aliases;	/* further names with blanks between, or NULL */
	const char *source;	/* where it was published */
	const char *idea;	/* in one line */
	bool block_all;		/* block=all is the default */
	bool by_key;		/* order=key is */
	bool times;		/* it asks how long tasks take (dls_vp_class()) */
	bool rounds;		/* a loop begins with shares in proportion to what each worker got done the last time */
	size_t state_size;	/* bytes for each processor, zero at the start ... */
	size_t link_size;	/* ... followed by so many for each neighbour */
	size_t table_size;	/* bytes for each processor, on the last of them alone, zero at the start: dls_vp_table() */
	const void *policy;	/* sched/balance/central.h: classes of tasks can have it; NULL: they cannot */
	void (*start)(struct dls_vp *vp, void *state);
	void (*load)(struct dls_vp *vp, void *state);
	void (*message)(struct dls_vp *vp, void *state, const struct dls_message *message);
	void (*done)(struct dls_vp *vp, void *state, const struct dls_task *task);
	void (*idle)(struct dls_vp *vp, void *state);
	void (*timer)(struct dls_vp *vp, void *state, unsigned which);
	unsigned (*place)(struct dls_vp *vp, void *state, const struct dls_task *task);
	const char *kind[DLS_KINDS_MAX];		/* names of the message kinds */
	const char *counter[DLS_COUNTERS_MAX];		/* names of the counters */
	struct dls_strategy_param param[DLS_VALUES_MAX];	/* ends at the first without a name */
};

/** The strategy of a name or alias; case, blanks, dashes and underscores do not matter.  NULL: there is none.
 *
 * Threads: any. */
DLS_API const struct dls_strategy *dls_strategy_find(const char *name);

/** The i-th strategy; NULL past the last.  Threads: any. */
DLS_API const struct dls_strategy *dls_strategy_at(size_t i);

DLS__C_END

#endif
