/* live.pml - a loop dealt by one count of what remains, the size depending on who asks.
 *
 * Models take_live() of lib/loop/live.c with a calculator such as wf_next() of sched/chunk/wf.c, whose state
 * goes ahead with an R that is then lost to another worker.
 * Three workers of weights 1, 2 and 3, and 6 iterations in batches that start with 6, 4 and 1 remaining.
 * Claims: each iteration is dealt once and all of them are; no chunk reaches into the next batch.
 * Each shared access is one step: the model knows interleavings, not memory orders. */
#define N	6
#define START(j)	((j) == 0 -> 6 : ((j) == 1 -> 4 : ((j) == 2 -> 1 : 0)))	/* R_j */

byte count = N;

/* ghosts */
byte dealt;		/* iterations, a bit each */
byte gone;		/* workers */

proctype worker(byte id)
{
	byte R, K, j;

	do
	:: R = count;
retry:
		if
		:: R == 0 -> break
		:: else
		fi;
		d_step {
			do
			:: R <= START(j + 1) -> j++
			:: else -> break
			od;
			K = (id + 1 < R - START(j + 1) -> id + 1 : R - START(j + 1))
		}
		atomic {
			if
#ifdef BUG_SIZE_OF_OLD_COUNT
			:: count < K -> R = count; K = 0; goto retry
			:: count >= K -> R = count
#elif !defined(BUG_STORE)
			:: count != R -> R = count; K = 0; goto retry
#endif
#ifndef BUG_SIZE_OF_OLD_COUNT
			:: else
#endif
			fi;
			count = R - K;
			assert(K > 0 && R <= START(j) && count >= START(j + 1));
			assert(!(dealt & (((1 << K) - 1) << (N - R))));
			dealt = dealt | (((1 << K) - 1) << (N - R));
			K = 0;
			R = 0
		}
	od;
	gone++
}

init {
	atomic { run worker(0); run worker(1); run worker(2) }
	gone == 3;
	assert(dealt == (1 << N) - 1 && count == 0)
}
