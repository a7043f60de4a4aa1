/* ranks.pml - loops across ranks: one counter for all executions, tickets carried over, batches of a node.
 *
 * Models dls__mpi_draw() and draw_batch() of lib/mpi/draw.c, and take() and the move of the base in lib/mpi/loop_run.c.
 * Workers 0 and 1 are a node that draws two tickets at once; worker 2 draws from the counter.  Nobody waits between executions,
 * one of which is empty and one shorter than there are workers.
 * Claims: each chunk runs once, in its own execution; no ticket is of an execution past; everybody leaves, and then all has run.
 * Each shared access is one step: the model knows interleavings, not memory orders. */
#define W	3
#define BATCH	2
#define EXECS	4
#define FILLING	255

/* Chunks of execution e. */
#define PLAN(e)	((e) == 0 -> 3 : ((e) == 1 -> 0 : ((e) == 2 -> 1 : 3)))

byte count;		/* tickets drawn */
byte next, left;	/* the node's batch */

/* ghosts */
byte ran[EXECS];	/* bit t: chunk t has run */
byte gone;

inline draw_batch()
{
	drawn = false;
	do
	:: drawn -> break
	:: else ->
		atomic { n = next; l = left }
		if
		:: l == FILLING -> left != FILLING
		:: l == 0 ->
#ifdef BUG_NO_LOCK
			skip;
#else
			d_step {
				if
				:: next == n && left == 0 -> left = FILLING
				:: else -> l = 1
				fi
			}
#endif
			if
			:: l == 0 ->
				d_step { t = count; count = count + BATCH }
				d_step { next = t + 1; left = BATCH - 1 }
				drawn = true
			:: else
			fi
		:: else ->
			d_step {
				if
#ifdef BUG_NO_CAS
				:: true
#else
				:: next == n && left == l
#endif
				   -> next = n + 1; left = l - 1; t = n; drawn = true
				:: else
				fi
			}
		fi
	od;
	atomic { n = 0; l = 0; drawn = false }
}

inline draw()
{
	if
	:: id < 2 -> draw_batch()
	:: else -> d_step { t = count; count++ }
	fi
}

proctype worker(byte id)
{
	byte e, base, t, over, n, l;
	bool has, drawn;

	do
	:: e < EXECS ->
		do
		:: true ->
			if
			:: has -> d_step { t = over; has = false; over = 0 }
			:: else -> draw()
			fi;
			assert(t >= base);
			if
			:: t - base < PLAN(e) -> d_step {
				assert(!(ran[e] & (1 << (t - base))));
				ran[e] = ran[e] | (1 << (t - base));
				t = 0
			   }
			:: else -> d_step {
#ifndef BUG_NOT_KEPT
				over = t;
				has = true;
#endif
				t = 0
			   }
			   break
			fi
		od;
		atomic {
#ifdef BUG_SAME_BASE
			base = base + (id == 2 && e == 0 -> 0 : PLAN(e));
#else
			base = base + PLAN(e);
#endif
#ifdef BUG_BATCH_DROPPED
			if
			:: id < 2 && left != FILLING -> left = 0
			:: else
			fi;
#endif
			e++
		}
	:: else -> break
	od;
	gone++
}

init {
	byte i;

	atomic {
		run worker(0);
		run worker(1);
		run worker(2)
	}
	atomic {
		gone == W;
		for (i : 0 .. EXECS - 1) {
			assert(ran[i] == (1 << PLAN(i)) - 1)
		}
	}
}
