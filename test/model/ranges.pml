/* ranges.pml - a loop dealt by ranges: the owner takes from the head, thieves from the tail.
 *
 * Models take_range(), steal() and search() of lib/deal/ranges.c.
 * Three workers, 6 chunks, shared out 2 2 2, 3 0 3 or 6 to one: to steal several at once takes a victim of three.
 * Claims: each chunk starts once; a worker leaves only when every chunk has been started, so an idle one still
 * finds whatever has not; under a fair scheduler all leave (LIVENESS: with 4 chunks).
 * Each shared access is one step: the model knows interleavings, not memory orders.  What a weaker order would allow
 * is planted by changing the order of the steps: ANNOUNCED_LATE for the release of the steal, DONE_FIRST for that of
 * its end, DONE_UNCOUNTED for the acquire of the first look. */
#define P	3
#ifdef LIVENESS
#define N	4
#else
#define N	6
#endif

/* One word each, and so are the steals: they change together or not at all. */
typedef word {
	byte next, end
};

word range[P];
byte under_way;		/* steals of several chunks */
bool over;		/* `started` of the code */
bool moved[P];		/* whether the number of those done has changed since this worker read it */

byte started;		/* ghost: chunks, a bit each, from the step that takes them */
byte gone;		/* ghost: workers */

#ifdef BUG_COUNT_UNREAD
#define UNSURE	false
#elif defined(BUG_DONE_UNCOUNTED)
#define UNSURE	(under_way != 0)
#else
#define UNSURE	(under_way != 0 || moved[id])
#endif

#ifdef BUG_CAS_IGNORES_NEXT
#define SAME	(range[victim].end == end)
#else
#define SAME	(range[victim].next == next && range[victim].end == end)
#endif

#define PUT_DOWN()	d_step { range[id].next = end - half + 1; range[id].end = end }

inline start(c)
{
	assert(c < N && !(started & (1 << c)));
	started = started | (1 << c)
}

proctype worker(byte id)
{
	byte next, end, i, victim, half;
	byte from = id;		/* the last victim, by which it begins to look */
	bool all_empty;

own:
	atomic {
		next = range[id].next;
		end = range[id].end;
#ifdef BUG_OWNER_STORES
	}
	atomic {
#endif
		range[id].next = next + 1;
		if
		:: next < end -> start(next); goto own
		:: else -> next = 0; end = 0
		fi
	}

search:
	atomic {
		if
		:: over -> goto leave
		:: else
		fi
	}
	atomic { moved[id] = (under_way != 0); all_empty = true; i = 0 }
	do
	:: atomic { i < P ->
		victim = (from + i) % P;
		next = range[victim].next;
		end = range[victim].end;
		i++;
		if
		:: next >= end -> next = 0; end = 0; victim = 0; goto another
		:: else -> half = (end - next + 1) / 2
		fi
	   }
		if
#ifndef BUG_ANNOUNCED_LATE
		:: half > 1 -> under_way++
#endif
		:: else
		fi;
#ifdef BUG_PUT_DOWN_EARLY
		if
		:: half > 1 -> PUT_DOWN()
		:: else
		fi;
#endif
		atomic {
			if
			:: SAME ->
				range[victim].end = end - half;
				start(end - half);
				i = 0;
				all_empty = false;
				next = 0;
				from = victim;
				victim = 0
			:: else -> all_empty = false; next = 0; end = 0; victim = 0; goto lost
			fi
		}
		if
		:: half > 1 ->
#ifdef BUG_ANNOUNCED_LATE
			under_way++;
#endif
#if !defined(BUG_PUT_DOWN_EARLY) && !defined(BUG_DONE_FIRST)
			PUT_DOWN();
#endif
			atomic {
				under_way--;
				moved[0] = true;
				moved[1] = true;
				moved[2] = true
			}
#ifdef BUG_DONE_FIRST
			PUT_DOWN();
#endif
			atomic {
				end = 0;
				half = 0;
				goto own
			}
		:: atomic { else -> end = 0; half = 0; goto search }
		fi;
lost:
#ifndef STUCK_LOST
		if
#ifndef BUG_ANNOUNCED_LATE
		:: atomic { half > 1 -> under_way-- }
#endif
		:: else
		fi;
#endif
		half = 0;
another:	skip
	:: else -> break
	od;
	atomic {
		i = 0;
#ifdef BUG_OVER_UNSURE
		over = over || all_empty;
#endif
		if
		:: !all_empty || UNSURE -> goto search
		:: else
		fi
	}
	over = true;
leave:	atomic { assert(started == (1 << N) - 1); all_empty = true; from = 0; gone++; moved[id] = false }
}

init {
	byte a, b;

	atomic {
		if
		:: a = N; b = N
#ifndef LIVENESS
		:: a = 2; b = 4
		:: a = 3; b = 3
		:: a = 0; b = N
		:: a = 0; b = 0
#endif
		fi;
		range[0].end = a;
		range[1].next = a;
		range[1].end = b;
		range[2].next = b;
		range[2].end = N;
		a = 0;
		b = 0;
		run worker(0);
		run worker(1);
		run worker(2)
	}
}

#ifdef LIVENESS
ltl leave { <>(gone == P) }
#endif
