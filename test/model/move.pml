/* move.pml - the moves of a central scheduler: asked for, sent, told of at either end.
 *
 * Models the protocol of sched/balance/central.h.  Two nodes and a scheduler that is none, with a link between each two; tasks that nodes run
 * and tell of when they like; moves between the nodes, both ways at once, of as many tasks as the scheduler believes to be
 * there, of which the source has what it has.
 * Claims: a node is known to have what it told, less what it has run since, once no move is open; a move is open until all
 * that was counted for it has been told of, and not for ever (an invalid end state). */
#define TASKS	3
#define MOVES	3
#define LENGTH	4

#define OTHER(i)	(1 - (i))

mtype = { STATUS, MOVED, ARRIVED };

chan move[2] = [LENGTH] of { byte };			/* by source: tasks */
chan tasks[2] = [LENGTH] of { byte };			/* by destination */
chan told[2] = [LENGTH] of { mtype, byte, byte, byte };	/* by sender: tasks there, asked, count */

/* the scheduler's entries */
byte known[2], out[2], open;
short in[2];

/* ghosts */
byte queue[2], since[2], moves;	/* since: run since it told last */

inline tell(kind, asked, count)
{
	assert(nfull(told[id]));
	told[id]!kind(queue[id], asked, count);
	since[id] = 0
}

proctype node(byte id)
{
	byte k, n;

	do
	:: atomic { queue[id] > 0 -> queue[id]--; since[id]++ }
	:: atomic { since[id] > 0 && nfull(told[id]) -> tell(STATUS, 0, 0) }
	:: atomic { nempty(move[id]) && len(told[id]) < LENGTH - 1 ->
		move[id]?k;
		n = (k < queue[id] -> k : queue[id]);
		queue[id] = queue[id] - n;
		if
		:: n > 0 -> tasks[OTHER(id)]!n
		:: else
		fi;
#ifdef STUCK_NOTHING_SENT
		if
		:: n > 0 -> tell(MOVED, k, n)
		:: else
		fi;
#else
		tell(MOVED, k, n);
#endif
		k = 0;
		n = 0
	   }
	:: atomic { nempty(tasks[id]) && nfull(told[id]) ->
		tasks[id]?n;
		queue[id] = queue[id] + n;
		tell(ARRIVED, 0, n);
		n = 0
	   }
	:: atomic { queue[0] + queue[1] == 0 && since[0] + since[1] == 0 && moves == 0 && open == 0 -> break }
	od
}

inline ask(from)
{
	atomic { moves > 0 && out[from] == 0 && nfull(move[from]) && known[from] + in[from] > 0 ->
		moves--;
		select(k : 1 .. known[from] + in[from]);
		move[from]!k;
		out[from] = out[from] + k;
		in[OTHER(from)] = in[OTHER(from)] + k;
		open = open + 2;
		k = 0
	}
}

inline hear(from)
{
	atomic { nempty(told[from]) ->
		told[from]?kind(known[from], asked, count);
		if
		:: kind == MOVED ->
			out[from] = out[from] - asked;
#ifndef BUG_REFUSED_AWAITED
			in[OTHER(from)] = in[OTHER(from)] - (asked - count);
#endif
#ifdef BUG_REFUSED_OPEN
			open--
#else
			open = open - (count > 0 -> 1 : 2)
#endif
		:: kind == ARRIVED ->
#ifndef BUG_ARRIVAL_AWAITED
			in[from] = in[from] - count;
#endif
			open--
		:: else
		fi;
		assert(open > 0 || (out[0] == 0 && out[1] == 0 && in[0] == 0 && in[1] == 0));
		assert(open > 0 || nempty(told[0]) || nempty(told[1]) ||
		       (known[0] == queue[0] + since[0] && known[1] == queue[1] + since[1]));
		kind = 0;
		asked = 0;
		count = 0
	}
}

proctype scheduler()
{
	byte k, asked, count;
	mtype kind;

	do
	:: ask(0)
	:: ask(1)
	:: atomic { moves > 0 -> moves-- }	/* it need not */
	:: hear(0)
	:: hear(1)
	:: atomic { moves == 0 && open == 0 && known[0] + known[1] == 0 && empty(told[0]) && empty(told[1]) -> break }
	od
}

init {
	byte n;

	atomic {
		moves = MOVES;
		select(n : 0 .. TASKS);
		queue[0] = n;
		queue[1] = TASKS - n;
		n = 0;
		known[0] = queue[0];
		known[1] = queue[1];
		run node(0);
		run node(1);
		run scheduler()
	}
}
