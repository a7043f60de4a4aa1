/* epoch.pml - static loops that share nothing, while the site's schedule is changed.
 *
 * Models lib/base/epoch.h, lib/site/undealt.c and the part of lib/region/region.c that they decide.  A region's opener notes the
 * epoch; its two threads then come to LOOPS loops of one site, one iteration for each thread, without waiting for each other.  A
 * loop is a block of each, or dealt: the next deal of the chain is opened by whoever comes first, and both draw from it.  A third
 * process changes the standing CHANGES times; room is for ROOM changes.
 * Claims: undealt.B1 and undealt.B3, each iteration of each loop runs once; both threads use the same deals for the same loops.
 * epoch.E3: when there is no more room, loops are dealt.
 * Each shared access is one step: the model knows interleavings, not memory orders. */
#define LOOPS	2
#define CHANGES	3
#define ROOM	2

#define DEALT	0
#define BLOCKS	1

byte changes, epoch;			/* how many stand in the setting's chain; epochs */
byte at[ROOM];				/* the epoch of each change */
bit value[ROOM];
byte noted;				/* by the region's opener */
bool open = false;

byte deals[LOOPS];			/* tickets drawn of each deal of the chain */
byte owner[LOOPS];			/* the loop that a deal was opened for, plus 1 */
byte ran[2 * LOOPS];			/* times that iteration 2 k + w ran */
byte ended;

/* The standing is BLOCKS at first. */
proctype changer()
{
	byte k;
	bit v = BLOCKS;

	for (k : 1 .. CHANGES) {
		v = 1 - v;
		if
		:: changes < ROOM ->
			at[changes] = epoch + 1;
			value[changes] = (changes == ROOM - 1 -> DEALT : v);
#ifdef BUG_EPOCH_FIRST
			epoch++;
			changes++
#else
			changes++;
			epoch++
#endif
		:: else
		fi
	}
}

inline look(standing)
{
	d_step { standing = BLOCKS; i = changes };
	do
	:: i == 0 -> break
	:: else ->
		i--;
		if
#ifdef BUG_LATEST
		:: true ->
#else
		:: at[i] <= noted ->
#endif
			standing = value[i];
			break
		:: else
		fi
	od
}

proctype thread(byte w)
{
	byte k, i, ticket, next;
	bit standing;

	open;
	for (k : 0 .. LOOPS - 1) {
		look(standing);
		if
		:: standing == BLOCKS ->
			ran[2 * k + w]++
		:: else ->
			atomic {
				if
				:: owner[next] == 0 -> owner[next] = k + 1
				:: else -> assert(owner[next] == k + 1)
				fi
			};
			do
			:: atomic { ticket = deals[next]; deals[next]++ };
				if
				:: ticket < 2 -> ran[2 * k + ticket]++
				:: else -> break
				fi
			od;
			next++
		fi
	}
	ended++
}

init {
	byte j;

	run changer();
	run thread(0);
	run thread(1);
	noted = epoch;
	open = true;
	ended == 2;
	for (j : 0 .. 2 * LOOPS - 1) {
		assert(ran[j] == 1)
	}
	if
	:: noted >= ROOM -> assert(owner[0] == 1 && owner[1] == 2)	/* epoch.E3 */
	:: else
	fi
}
