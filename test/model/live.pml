/* live.pml - a loop dealt by one count of what remains, the size depending on who asks and on what was measured.
 *
 * Models take_live() of lib/deal/live.c, and how a worker that has finished a chunk tells of itself in
 * lib/deal/measure.c: by how much its own figure has changed the sum of all, then of the iterations.  The calculator
 * works in batches: one ends when half of what remained at its begin is dealt, and the next starts from the R that
 * really remains.  Its state goes ahead with an R that is then lost to another worker.
 * Three workers whose figures go from 1 to 2 and back, and 6 iterations in chunks of 2, then 1.
 * Claims: each iteration is dealt once; a size is that of the R it is taken from; the sum is that of what was told, so
 * a worker's part in it is above 0 and not above 1; nobody leaves while an iteration has not started; all leave in the
 * end, under a fair scheduler (LIVENESS: two workers, 4 iterations).
 * Each shared access is one step: the model knows interleavings, not memory orders. */
#ifdef LIVENESS
#define P	2
#define N	4
#else
#define P	3
#define N	6
#endif
#define MOST	SIZE(N)
#define SIZE(R)	(((R) + 3) / 4)	/* in batches of two */

byte count = N, done, sum, known;

/* ghosts */
byte dealt;		/* iterations, a bit each */
byte told[P];		/* figures in the sum */
byte gone;		/* workers */

inline tell()
{
	atomic { old = own; own = (old == 1 -> 2 : 1) }
	do
	:: atomic {
		if
#ifndef BUG_SUM_BY_STORE
		:: sum != seen -> seen = sum
#endif
		:: else -> sum = seen + own - old; seen = sum; told[id] = own; break
		fi
	   }
	od;
	atomic {
		known = known + (old == 0);
		known_seen = known;
		old = 0;
		assert(own <= seen && 0 < known_seen && known_seen <= P)
	}
#ifdef BUG_DONE_BY_STORE
	old = done;
	done = old + K;
	old = 0
#else
	done = done + K
#endif
}

/* The batch that R is in, and the size: the K_j of all times the part that this worker has. */
inline size()
{
	d_step {
#ifdef BUG_BASE_HALVED
		base = (R == N -> N : (base + 1) / 2);
#else
		base = (R <= base / 2 -> R : base);
#endif
		K = SIZE(base);
		K = (own -> (K * own * known_seen + seen / 2) / seen : K);
		K = (K < 1 -> 1 : (K > MOST -> MOST : K));
#ifdef STUCK_EMPTY
		K = R / 2
#else
		K = (K > R -> R : K)
#endif
	}
}

proctype worker(byte id)
{
	byte R, K, base = N, own, old, seen, known_seen, done_seen;

	do
	:: R = count;
again:
		if
		:: R == 0 -> break
		:: else
		fi;
		done_seen = done;
		size();
#ifdef BUG_SIZE_KEPT
kept:
#endif
		atomic {
			if
#if defined(BUG_SIZE_KEPT)
			:: count != R -> R = count; goto kept
#elif !defined(BUG_COUNT_BY_STORE)
			:: count != R -> R = count; K = 0; done_seen = 0; goto again
#endif
			:: else
			fi;
			count = R - K;
#ifndef STUCK_EMPTY
			assert(K > 0);
#endif
			assert(K <= R && R <= base && R > base / 2 && done_seen <= N - R);
			assert(!(dealt & (((1 << K) - 1) << (N - R))));
			dealt = dealt | (((1 << K) - 1) << (N - R));
			R = 0;
			done_seen = 0
		}
#ifdef STUCK_EMPTY
		if
		:: K == 0 -> goto next
		:: else
		fi;
#endif
		tell();
next:		K = 0
	od;
	assert(dealt == (1 << N) - 1);
	gone++
}

init {
	atomic {
		run worker(0);
		run worker(1);
#if P == 3
		run worker(2)
#endif
	}
	gone == P;
	assert(count == 0 && done == N && sum == told[0] + told[1] + told[2])
}

#ifdef LIVENESS
ltl leave { <>(gone == P) }
#endif
