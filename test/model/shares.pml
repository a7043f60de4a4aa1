/* shares.pml - a loop dealt by tickets, of which each worker draws as many as its weight is, fractions included.
 *
 * Models take_share(), take_uncounted(), give(), between() and draw_enough() of lib/deal/shares.c, with tickets of 4 units,
 * not 65536.
 * Three workers, each of which weighs 1, 3 or 5 units, another time another, and 9 iterations in batches of two
 * tickets, 3 3 and 2 2, the last cut to 1; the smallest chunk is 1 or 2, which a light worker's share must reach in the
 * ticket at hand.
 * Claims: each iteration is dealt once; no chunk is empty, nor below the smallest unless it reaches into the last
 * ticket; it takes at most three draws; nobody leaves while an iteration has not started; all leave in the end, under a
 * fair scheduler (LIVENESS: two workers, the last 3 iterations).
 * Each shared access is one step: the model knows interleavings, not memory orders. */
#define N	9
#define TICKET	4
#define TICKETS	4
#define K(k)	((k) < 2 -> 3 : ((k) < 3 -> 2 : 1))
#define LO(k)	((k) < 3 -> 3 * (k) : 8)

/* Iteration where unit x stands; N: it is past the end. */
#define PLACE(x)	((x) / TICKET < TICKETS -> LO((x) / TICKET) + (x) % TICKET * K((x) / TICKET) / TICKET : N)

#ifdef LIVENESS
#define P	2
#define FIRST	2	/* ticket */
#else
#define P	3
#define FIRST	0
#endif

byte count = FIRST * TICKET;

/* ghosts */
short dealt = (1 << LO(FIRST)) - 1;	/* iterations, a bit each */
byte gone;		/* workers */

#ifdef STUCK_WEIGHTLESS
#define LIGHT	0
#else
#define LIGHT	1
#endif

inline weigh()
{
	if
	:: u = LIGHT
	:: u = 3
	:: u = 5
	fi
}

/* The iterations lo .. hi - 1 of the units drawn. */
inline between()
{
#ifdef BUG_WEIGHED_AGAIN
	weigh();
#endif
	d_step {
		lo = PLACE(x);
#ifdef BUG_SIZE_OF_FIRST
		hi = (lo < N -> lo + u * K(x / TICKET) / TICKET : N);
		hi = (hi < N -> hi : N);
#else
		hi = PLACE(x + u);
#endif
		draws++;
		assert(draws <= 3 && !(dealt & ((1 << hi) - (1 << lo))));
		dealt = dealt | ((1 << hi) - (1 << lo))
	}
}

inline draw()
{
#ifdef BUG_DRAWN_BY_STORE
	x = count;
	atomic { count = x + u; between() }
#else
	atomic { x = count; count = x + u; between() }
#endif
}

/* Iterations that the units from x to x + n are known to be; 0: they end past the cursor's window. */
#define KNOWN(n)	((x + (n)) / TICKET < TICKETS -> PLACE(x + (n)) - PLACE(x) : 0)

inline enough()
{
	if
	:: x / TICKET >= TICKETS || KNOWN(share) >= min -> u = share
	:: else ->
		u = (min < K(x / TICKET) -> (min * TICKET + K(x / TICKET) - 1) / K(x / TICKET) : TICKET);
		u = (KNOWN(u) >= min -> u : TICKET)
	fi
}

inline draw_enough()
{
	atomic { share = u; x = count; enough() }
	do
	:: atomic {
		if
		:: count != x ->
			x = count;
#ifndef BUG_SHARE_OF_OLD_PLACE
			enough()
#endif
		:: else ->
			count = x + u;
			share = 0;
			between();
			break
		fi
	   }
	od
}

proctype worker(byte min)
{
	byte u, x, share, lo, hi, draws;

	do
	:: true ->
		weigh();
#ifdef STUCK_WEIGHTLESS
again:
#endif
		if
#ifndef BUG_SMALLEST_UNCHECKED
		:: min > 1 && u < TICKET -> draw_enough()
#endif
		:: else -> draw()
		fi;
#ifndef BUG_NO_SECOND_DRAW
		do
		:: lo == hi && lo < N ->
#if defined(STUCK_WEIGHTLESS)
			draws = 0;
			goto again;
#elif !defined(BUG_SECOND_AS_FIRST)
			u = (draws == 1 && (x + u) / TICKET < TICKETS ->
				(TICKET + K((x + u) / TICKET) - 1) / K((x + u) / TICKET) : TICKET);
#endif
			draw()
		:: else -> break
		od;
#endif
		if
		:: atomic { lo == N -> assert(dealt == (1 << N) - 1); break }
		:: d_step { else ->
			assert(lo < hi && (hi - lo >= min || hi >= LO(TICKETS - 1)));
			u = 0;
			x = 0;
			lo = 0;
			hi = 0;
			draws = 0
		   }
		fi
	od;
	gone++
}

init {
	byte min;

	atomic {
		if
		:: min = 2
		:: min = 1
		fi;
		run worker(min);
		run worker(min);
#if P == 3
		run worker(min)
#endif
	}
	gone == P
}

#ifdef LIVENESS
ltl leave { <>(gone == P) }
#endif
