/* repart.pml - tasks dealt by a scheduler: asked for, taken from a worker's own window, or got from another's.
 *
 * Models sched/balance/repart.h.  Workers with windows of any sizes, a scheduler that is none of them, a link
 * between each two; chunks of any size, those of another's window from anyone who has something left, or none
 * because it is not worth a move; workers run tasks when they like.  Tasks are numbered through: those of worker
 * w from begin[w] on.
 * Claims: repart.D1, each task is handed out once and run once; repart.D2, one Request or unused answer of a worker;
 * repart.D3, a task changes its worker at most once, and leaves a window that is open; repart.D5, each is told END once, and when all have
 * been there is nothing left; and the run ends (an invalid end state otherwise). */
#define WORKERS	3
#define TASKS	4

#define WINDOW	0		/* places of a task */
#define MOVING	(WORKERS + 1)
#define DONE	(WORKERS + 2)
#define QUEUE(w)	((w) + 1)

mtype = { ONE_SIDED, TWO_SIDED, REPLICATED };	/* how tasks of another's window are had */
mtype = { SIZE, GET, GIVE, DATA, END };

chan request[WORKERS] = [2] of { bit };
chan answer[WORKERS] = [2] of { mtype, byte, byte, byte };		/* kind, owner, first, count */
chan link[WORKERS * WORKERS] = [2] of { mtype, byte, byte };	/* kind, first, count */

#define LINK(from, to)	link[(from) * WORKERS + (to)]

byte begin[WORKERS + 1], ahead;
mtype how;

/* the scheduler's table: not handed out are those from head[w] to below tail[w] */
byte head[WORKERS], tail[WORKERS];

/* ghosts */
byte place[TASKS], done, open[WORKERS];	/* open: Requests and answers not used */
bool handed[TASKS], opened[WORKERS], ended[WORKERS];

inline put(first, count, before, after)
{
	i = first;
	do
	:: i < first + count ->
		assert(place[i] == before);
		place[i] = after;
		i++
	:: else -> break
	od;
	i = 0
}

inline ask()
{
	if
#ifdef BUG_SECOND_REQUEST
	:: queued <= ahead && !over && len(request[id]) < 2 ->
#else
	:: queued <= ahead && !over && !asked ->
#endif
		request[id]!0;
		asked = true;
		open[id]++;
		assert(open[id] == 1)
	:: else
	fi
}

inline forget()
{
	kind = 0;
	owner = 0;
	first = 0;
	count = 0
}

inline used()
{
	asked = false;
	open[id]--
}

inline got(before)
{
	assert(opened[owner]);
	put(first, count, before, QUEUE(id));
	queued = queued + count;
	used();
	ask();
	forget()
}

inline hear_scheduler()
{
	atomic { nempty(answer[id]) && !getting ->
		answer[id]?kind(owner, first, count);
		if
		:: kind == SIZE -> got(WINDOW)
		:: kind == GET && how == ONE_SIDED -> getting = true
		:: kind == GET && how == TWO_SIDED ->
			assert(nfull(LINK(id, owner)));
			LINK(id, owner)!GIVE(first, count);
			forget()
		:: kind == END ->
			assert(!ended[id]);
			ended[id] = true;
			over = true;
			used();
			forget()
		fi
	}
}

/* Not while what it gets by itself is on its way: that has the variables. */
inline hear(from)
{
	atomic { from != id && !getting && nempty(LINK(from, id)) ->
		LINK(from, id)?kind(first, count);
		if
		:: kind == DATA ->
			owner = from;
			got(MOVING)
#ifdef BUG_END_DROPS
		:: kind == GIVE && over -> forget()
		:: kind == GIVE && !over ->
#else
		:: kind == GIVE ->
#endif
			put(first, count, WINDOW, MOVING);
			assert(nfull(LINK(id, from)));
			LINK(id, from)!DATA(first, count);
			forget()
		fi
	}
}

proctype worker(byte id)
{
	byte owner, first, count, queued, i;
	bool asked, over, getting;
	mtype kind;

	atomic { opened[id] = true; ask() }
	do
	:: atomic { queued > 0 ->
		do
		:: place[i] != QUEUE(id) -> i++
		:: else -> break
		od;
		place[i] = DONE;
		i = 0;
		done++;
		queued--;
		ask()
	   }
	:: hear_scheduler()
	:: atomic { getting -> getting = false; got(WINDOW) }	/* one-sided: whatever the owner does */
	:: hear(0)
	:: hear(1)
	:: hear(2)
	:: atomic { done == TASKS && over -> break }
	od
}

/* Nothing is handed out before all windows are known. */
#ifdef BUG_UNOPENED
#define ALL_OPEN	true
#else
#define ALL_OPEN	(started == WORKERS)
#endif

#define LEFT(w)	(tail[w] - head[w])

#ifdef BUG_CROSS
#define OWN(w)	(begin[(w) + 1] - head[w])
#else
#define OWN(w)	LEFT(w)
#endif

inline hand(w, kind, from, at)
{
	i = 0;
	do
	:: i < n ->
		assert(!handed[at + i]);
		handed[at + i] = true;
		i++
	:: else -> break
	od;
	i = 0;
	assert(nfull(answer[w]));
	answer[w]!kind(from, at, n)
}

/* From the window's head. */
inline hand_own(w)
{
	select(n : 1 .. OWN(w));
	hand(w, SIZE, w, head[w]);
	head[w] = head[w] + n;
	n = 0
}

/* From the tail of another's. */
inline hand_other(w, from)
{
	select(n : 1 .. LEFT(from));
	tail[from] = tail[from] - n;
	if
	:: how == REPLICATED -> hand(w, SIZE, from, tail[from])
	:: else -> hand(w, GET, from, tail[from])
	fi;
	n = 0
}

inline hear_request(w)
{
	atomic { nempty(request[w]) && !waits[w] ->
		request[w]?_;
		waits[w] = true;
		started = (started < WORKERS -> started + 1 : started)
	}
}

/* Of others whoever has something left, or none though some have: that would not be worth it. */
inline serve(w)
{
	atomic { waits[w] && ALL_OPEN ->
		waits[w] = false;
		if
		:: OWN(w) > 0 -> hand_own(w)
#ifndef BUG_END_EARLY
		:: OWN(w) == 0 ->
#else
		:: true ->
#endif
			if
			:: w != 0 && LEFT(0) > 0 -> hand_other(w, 0)
			:: w != 1 && LEFT(1) > 0 -> hand_other(w, 1)
			:: w != 2 && LEFT(2) > 0 -> hand_other(w, 2)
			:: answer[w]!END(0, 0, 0); told++
			fi
		fi
	}
}

proctype scheduler()
{
	byte n, i, started, told;
	bool waits[WORKERS];

	do
	:: hear_request(0)
	:: hear_request(1)
	:: hear_request(2)
	:: serve(0)
	:: serve(1)
	:: serve(2)
	:: atomic { told == WORKERS -> break }
	od;
	assert(LEFT(0) == 0 && LEFT(1) == 0 && LEFT(2) == 0)
}

init {
	byte n, w;

	atomic {
		if
		:: how = ONE_SIDED
		:: how = TWO_SIDED
		:: how = REPLICATED
		fi;
		select(ahead : 0 .. 1);
		do
		:: w < WORKERS ->
			select(n : begin[w] .. TASKS);
			if
			:: w == WORKERS - 1 -> n = TASKS
			:: else
			fi;
			head[w] = begin[w];
			tail[w] = n;
			begin[w + 1] = n;
			w++
		:: else -> break
		od;
		n = 0;
		for (w : 0 .. WORKERS - 1) {
			run worker(w)
		}
		w = 0;
		run scheduler()
	}
}
