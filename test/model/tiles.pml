/* tiles.pml - a loop dealt from tiles: the owner takes from the head of its own, others from the tail of the fullest.
 *
 * Models take_tile(), help(), fullest() and give() of lib/deal/tiles.c.
 * Three workers, tiles of 2, 1 and 2 iterations; sizes are any from 1 to 3, so nothing depends on what a calculator makes of
 * the count, and a chunk may pass its tile's end.
 * Claims: each iteration starts once; the owner passes the end once; the count is not below what has not started; a worker
 * leaves only when all has started; under a fair scheduler all leave (LIVENESS: two workers, tiles of 2 and 1).
 * Each shared access is one step: the model knows interleavings, not memory orders. */
#ifdef LIVENESS
#define P	2
#define N	3
#else
#define P	3
#define N	5
#endif
#define LAST(w)	((w) == 0 -> 2 : ((w) == 1 -> 3 : 5))	/* end of tile w */

/* One word each: they change together or not at all. */
typedef word {
	byte next, end
};

word tile[P];
byte count = N;

byte started;		/* ghost: iterations, a bit each, from the step that takes them */
byte left = N;		/* ghost: how many have not */
byte gone;		/* ghost: workers */

#ifdef BUG_CAS_IGNORES_NEXT
#define SAME	(tile[victim].end == end)
#else
#define SAME	(tile[victim].next == next && tile[victim].end == end)
#endif

#ifdef BUG_PASSED_IS_FULL
#define EMPTY	(next == end)
#else
#define EMPTY	(next >= end)
#endif

/* Iterations first .. first + n - 1, n > 0. */
inline start(first, n)
{
	assert(n > 0 && first + n <= N && !(started & (((1 << n) - 1) << first)));
	started = started | (((1 << n) - 1) << first);
	left = left - n
}

inline draw_size()
{
	if
	:: K = 1
	:: K = 2
	:: K = 3
	fi
}

proctype worker(byte id)
{
	byte next, end, K, i, victim, most;

own:
	if
	:: count == 0 -> goto leave
	:: else -> draw_size()
	fi;
	atomic {
		next = tile[id].next;
		end = tile[id].end;
		assert(next <= LAST(id));
#ifdef BUG_OWNER_STORES
	}
	atomic {
#endif
		tile[id].next = next + K;
		if
		:: next >= end -> next = 0; end = 0; K = 0; goto help
		:: next < end && K < end - next -> start(next, K); end = 0
		:: else -> K = end - next; start(next, K)
		fi;
		next = 0
	}
	atomic {
		count = count - K;
		assert(count >= left);
		K = 0;
#ifdef BUG_PASSES_AGAIN
		end = 0;
#endif
		if
		:: end == 0 -> goto own
		:: else -> end = 0; goto help
		fi
	}

help:
	if
	:: count == 0 -> goto leave
	:: else -> draw_size(); i = 1; most = 0
	fi;
	do
	:: atomic { i < P ->
		next = tile[(id + i) % P].next;
		end = tile[(id + i) % P].end;
		if
		:: !EMPTY && (most == 0 || end - next > most) -> most = end - next; victim = (id + i) % P
		:: else
		fi;
		next = 0;
		end = 0;
#ifdef BUG_LOOKS_AT_ONE
		i = P
#else
		i++
#endif
	   }
	:: atomic { else -> i = 0; break }
	od;
	if
	:: most == 0 -> K = 0; goto leave
	:: else
	fi;
	/* Read once more in place of kept: had the word changed since fullest() saw it, the exchange would fail. */
	atomic {
		next = tile[victim].next;
		end = tile[victim].end;
		if
		:: EMPTY -> next = 0; end = 0; victim = 0; most = 0; K = 0; goto help
		:: else -> K = (K < end - next -> K : end - next); most = 0
		fi
	}
#ifdef BUG_COUNTED_FIRST
	count = count - K;
#endif
	atomic {
		if
		:: SAME ->
			tile[victim].end = end - K;
			start(end - K, K)
		:: else ->
#ifdef BUG_COUNTED_FIRST
			count = count + K;
#endif
			next = 0; end = 0; victim = 0; K = 0; goto help
		fi;
		next = 0;
		end = 0;
		victim = 0
	}
	atomic {
#ifndef BUG_COUNTED_FIRST
		count = count - K;
#endif
		assert(count >= left);
		K = 0;
		goto help
	}

leave:
	atomic {
		assert(started == (1 << N) - 1);
		gone++
	}
}

init {
	atomic {
		tile[0].end = LAST(0);
		tile[1].next = LAST(0);
		tile[1].end = LAST(1);
		run worker(0);
		run worker(1);
#if P == 3
		tile[2].next = LAST(1);
		tile[2].end = LAST(2);
		run worker(2)
#endif
	}
	gone == P;
	assert(count == 0)
}

#ifdef LIVENESS
ltl leave { <>(gone == P) }
#endif
