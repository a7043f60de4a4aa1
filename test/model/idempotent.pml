/* idempotent.pml - idempotent loops: a worker that finds nothing to draw runs what others have in hand.
 *
 * Models take_robust() and find() of lib/deal/idempotent.c before a counter of tickets, one for each chunk.  Worker 0 may hang for ever
 * in a chunk.
 * Claims: a worker leaves only when each chunk has been run to its end by somebody; those that do not hang leave.
 * Each shared access is one step: the model knows interleavings, not memory orders. */
#define W	3
#define CHUNKS	3

#define NONE	0
#define DRAWING	1
#define BUSY	2

byte count;			/* tickets drawn */
byte state[W];			/* of the hands */
byte lo[W], n[W];		/* the chunk in hand: t + 1, both */

/* ghosts */
byte done;			/* bit t: chunk t has been run to its end */
byte gone;

inline run_chunk(t)
{
	if
	:: id == 0 -> goto end_hung
	:: true
	fi;
	done = done | (1 << t)
}

proctype worker(byte id)
{
	byte h, s, a, b, mine;

	do
	:: true ->
		/* Its last chunk is ended. */
#ifdef BUG_NOT_DRAWING
		state[id] = NONE;
#else
		state[id] = DRAWING;
#endif
		d_step { mine = count; count = (count < CHUNKS -> count + 1 : count) };
		if
		:: mine < CHUNKS ->
			lo[id] = mine + 1;
			n[id] = mine + 1;
			state[id] = BUSY;
			run_chunk(mine)
		:: else ->
#ifdef BUG_EMPTY_IN_HAND
			lo[id] = 0;
			n[id] = 0;
#endif
			state[id] = NONE;
			break
		fi
	od;
	mine = 0;
	h = (id + 1) % W;
	do
	:: h == id -> break
	:: else ->
		s = state[h];
		if
		:: s == NONE -> h = (h + 1) % W
		:: s == DRAWING -> state[h] != DRAWING
		:: s == BUSY ->
			a = lo[h];
			b = n[h];
			assert(a == b && a > 0);
			run_chunk(a - 1);
			d_step {
				if
				:: state[h] == BUSY -> state[h] = NONE
				:: else
				fi;
				a = 0;
				b = 0
			}
		fi;
		s = 0
	od;
	assert(done == (1 << CHUNKS) - 1);
	gone++;
	goto end_left;
end_hung:
	false;		/* for ever */
end_left:
	skip
}

init {
	atomic {
		run worker(0);
		run worker(1);
		run worker(2)
	}
	gone >= W - 1
}
