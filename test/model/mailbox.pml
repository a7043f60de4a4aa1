/* mailbox.pml - mailboxes: posting, draining, sleeping, and finding out that all sleep.
 *
 * Models lib/machine/mailbox.c.  Three owners pass three messages on, each to whom it likes, a number of times, and let
 * them drop; so each mailbox has two posters, and messages come back to mailboxes they have left.  An owner whose mailbox is
 * empty sleeps, with a deadline or without; it may wake for no reason, once.
 * Claims: each message leaves in one drain, those of one sender in order; no wake-up is lost, which would be an invalid
 * end state; the count of sleepers is complete only if no message is on its way, and then it is, at last.
 * Each shared access is one step: the model knows interleavings, not memory orders. */
#define P	3
#define MSGS	3
#define HOPS	2	/* of all messages together */
#define PARKED	(MSGS + 1)

byte head[P];
byte next[MSGS + 2];
bool mutex[P], waiting[P], shut[P], counted[P];
byte asleep;

/* ghosts */
byte from[MSGS + 1], number[MSGS + 1];
byte sent[P * P], got[P * P];	/* [sender * P + receiver] */
byte hops, dropped;
bool spurious = true;		/* still to come */

#define LOCK(b)		atomic { !mutex[b] -> mutex[b] = true }
#define UNLOCK(b)	mutex[b] = false

inline uncount(b)
{
	atomic {
		if
		:: counted[b] -> asleep--; counted[b] = false
		:: else
		fi
	}
}

inline wake(b)
{
#ifndef BUG_WAKE_UNLOCKED
	LOCK(b);
#endif
#ifndef BUG_UNCOUNT_LATE
	if
#ifndef BUG_UNCOUNT_ANEW
	:: head[b] == PARKED
#endif
	:: else -> uncount(b)
	fi;
#endif
	waiting[b] = false;
#ifdef BUG_WAKE_UNLOCKED
	skip
#else
	UNLOCK(b)
#endif
}

inline post(b, m)
{
	atomic {
		old = head[b];
		from[m] = id;
		number[m] = sent[id * P + b];
		sent[id * P + b]++
	}
	do
	:: true ->
#ifndef BUG_PUBLISH_FIRST
		next[m] = (old == PARKED -> 0 : old);
#endif
		atomic {
			if
#ifndef BUG_NO_CAS
			:: head[b] != old -> old = head[b]
#endif
			:: else -> head[b] = m; break
			fi
		}
	od;
#ifdef BUG_PUBLISH_FIRST
	next[m] = (old == PARKED -> 0 : old);
#endif
	if
#ifndef BUG_NO_WAKE
	:: old == PARKED -> wake(b)
#endif
	:: else
	fi;
	old = 0
}

/* first: the chain, first posted first. */
inline drain()
{
	d_step {
		m = head[id];
		assert(m != PARKED);
		head[id] = 0;
#ifdef BUG_NOT_REVERSED
		first = m;
#else
		first = 0;
		do
		:: m != 0 ->
			older = next[m];
			next[m] = first;
			first = m;
			m = older
		:: else -> break
		od;
#endif
		m = 0;
		older = 0
	}
}

inline sleep()
{
	do
	:: head[id] == PARKED && !shut[id] ->
		atomic { waiting[id] = true; mutex[id] = false }
		if
		:: atomic { !waiting[id] && !mutex[id] -> mutex[id] = true }
		:: atomic { waiting[id] && spurious && !mutex[id] ->
			waiting[id] = false;
			spurious = false;
			mutex[id] = true
		   }
		:: atomic { timed && waiting[id] && !mutex[id] -> waiting[id] = false; mutex[id] = true; break }
		fi
	:: else -> break
	od
}

inline park()
{
	LOCK(id);
	if
	:: !shut[id] ->
		atomic {
			parked = (head[id] == 0);
			if
#ifndef BUG_PARK_OVER
			:: !parked
#endif
			:: else -> head[id] = PARKED; parked = true
			fi
		}
		if
		:: parked ->
			if
			:: timed = true
			:: timed = false; atomic { counted[id] = true; asleep++; all = (asleep == P) }
			fi;
			if
			:: !all -> sleep()
			:: else
			fi;
			atomic {
				if
				:: head[id] == PARKED -> head[id] = 0
				:: else
				fi;
				parked = false;
				timed = false
			}
			uncount(id)
		:: else
		fi
	:: else
	fi;
	UNLOCK(id)
}

proctype owner(byte id)
{
	byte m, first, older, old, to;
	bool all, timed, parked;

	do
	:: shut[id] -> break
	:: else ->
		if
		:: head[id] != 0 -> drain()
		:: else
		fi;
		do
		:: first != 0 ->
			d_step {
				m = first;
				first = next[m];
				assert(number[m] == got[from[m] * P + id]);
				got[from[m] * P + id]++;
				if
				:: hops > 0 -> hops--
				:: else -> dropped++; m = 0
				fi
			}
			if
			:: m != 0 ->
				if
				:: to = (id + 1) % P
				:: to = (id + 2) % P
				fi;
				post(to, m)
			:: else
			fi;
			atomic { m = 0; to = 0 }
		:: else -> break
		od;
		park();
		if
		:: all ->
			assert(dropped == MSGS);
			for (to : 0 .. P - 1) {
				LOCK(to);
				shut[to] = true;
				waiting[to] = false;
				UNLOCK(to)
			}
			to = 0
		:: else
		fi
	od
}

init {
	byte i;

	atomic {
		hops = HOPS;
		/* All messages wait at owner 0, the last posted at the head. */
		for (i : 1 .. MSGS) {
			next[i] = i - 1;
			from[i] = 1;
			number[i] = i - 1
		}
		head[0] = MSGS;
		sent[P] = MSGS;
		i = 0;
		run owner(0);
		run owner(1);
		run owner(2)
	}
}
