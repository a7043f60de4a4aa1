/* ranks_live.pml - live loops across ranks: iterations drawn in sizes computed from a count that may be old.
 *
 * Models dls__mpi_draw_live() of lib/mpi/draw.c, and take() and the move of the base in lib/mpi/loop_run.c; and the figures that
 * workers tell with their draws (lib/mpi/learn.c).
 * Worker 0 reaches the counter in shared memory: it looks, and draws by a compare-and-swap.  Workers 1 and 2 do not: they look,
 * then add to the counter, perhaps past the end.  Nobody waits between executions; the second one is shorter than what may be left
 * over from the first.
 * Claims: each iteration runs once, in its own execution; everybody leaves, and then all have run; the sum of the figures is that of
 * each worker's last ones.
 * Each shared access is one step: the model knows interleavings, not memory orders. */
#define W	3
#define EXECS	3

/* Iterations of execution e, and a chunk's size if R of them remain. */
#define PLAN(e)	((e) == 0 -> 4 : ((e) == 1 -> 1 : 3))
#define SIZE(R)	(((R) + 1) / 2)

byte count;		/* iterations drawn */
byte sum;		/* of figures */

/* ghosts */
byte ran[EXECS];	/* bit i: iteration i has run */
byte last[W];		/* figures told */
byte gone;

/* Look at the count: R iterations remain. */
inline look()
{
	d_step {
		seen = count;
		R = (seen - base < PLAN(e) -> PLAN(e) - (seen - base) : 0)
	}
}

/* Draw iterations from .. to - 1; none if nothing remains.  A worker has a figure when it has run a chunk. */
inline draw()
{
	do
	:: true ->
		look();
		if
		:: R == 0 -> d_step { from = 0; to = 0 }; break
		:: R > 0 && id == 0 ->
			d_step {
				if
#ifdef BUG_NO_CAS
				:: true ->
#else
				:: count == seen ->
#endif
					from = seen; count = seen + SIZE(R); to = count
				:: else -> from = 0; to = 0
				fi
			}
			if
			:: to > from -> break
			:: else
			fi
		:: R > 0 && id > 0 ->
#ifdef BUG_LOOKED_AT
			d_step { from = seen; count = seen + SIZE(R); to = count };
#else
			d_step { from = count; count = from + SIZE(R); to = count };
#endif
			break
		fi
	od;
	atomic { R = 0; seen = 0 }
}

inline tell()
{
	d_step {
#ifdef BUG_TOLD_TWICE
		sum = sum + figure;
#else
		sum = sum + figure - told;
#endif
		told = figure;
		last[id] = figure
	}
}

proctype worker(byte id)
{
	byte e, base, from, to, seen, R, i, figure, told;
	byte over_from, over_to;

	do
	:: e < EXECS ->
		do
		:: true ->
			if
			:: over_to > over_from -> d_step { from = over_from; to = over_to; over_from = 0; over_to = 0 }
			:: else -> tell(); draw()
			fi;
			if
			:: to == from -> break
			:: else -> d_step {
				assert(from >= base);
				i = from - base;
				do
				:: i < to - base && i < PLAN(e) ->
					assert(!(ran[e] & (1 << i)));
					ran[e] = ran[e] | (1 << i);
					i++
				:: else -> break
				od;
				if
				:: i < to - base ->
#ifndef BUG_NOT_KEPT
					over_from = base + i;
					over_to = to;
#endif
					seen = 1
				:: else
				fi;
				i = 0; from = 0; to = 0;
				figure = 1 + id
			   }
			   if
			   :: seen -> seen = 0; break
			   :: else
			   fi
			fi
		od;
		atomic { base = base + PLAN(e); e++ }
	:: else -> break
	od;
	tell();
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
		assert(sum == last[0] + last[1] + last[2])
	}
}
