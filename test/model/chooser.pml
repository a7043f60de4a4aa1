/* chooser.pml - timed executions of one deal: who learns from them, and what is still there then.
 *
 * Models lib/site/chooser.c and timing.c, and of lib/region/enter.c that a deal is opened again once all have passed it.  There are
 * three workers and two executions, which the chooser may have timed, and which workers may leave untimed; another thread opens and
 * learns from another deal of the same site.
 * Claims: chooser.H1, one thread at a time is at what the site knows; chooser.H2, the one that learns sees what all workers have
 * measured in this execution, and nothing of the next one; nobody writes to a deal that all have passed, and the buckets' memory is
 * there while anybody uses it; an execution is learned from at most once; all end.
 * Each shared access is one step: the model knows interleavings, not memory orders. */
#define P	3
#define ROUNDS	2

bool locked;
byte inside;			/* ghost: threads at what the site knows */

byte turn, opening;		/* executions opened; begun to be */
byte left, passed;
bool timed, room;		/* room: the memory of the buckets is there */
byte time[P];			/* of each worker: in which execution it was measured */
byte learned;			/* ghost: the last execution that was learned from */

#define MEASURED	(time[0] == round && time[1] == round && time[2] == round)

/* trylock: who does not get it goes on without. */
inline enter()
{
#ifdef BUG_NO_LOCK
	have = true
#else
	atomic { have = !locked; locked = true }
#endif
}

inline work_inside()
{
	inside++;
	assert(inside == 1);
	inside--
}

inline leave()
{
	locked = false
}

/* By the one that opens. */
inline ask()
{
	timed = false;
	enter();
	if
	:: have ->
		work_inside();
		if
		:: timed = true; room = true
		:: skip
		fi;
		leave()
	:: else
	fi;
#ifndef BUG_LEFT_STAYS
	left = 0
#endif
}

/* By the one that leaves last. */
inline learn()
{
	assert(room);
	assert(MEASURED);
	enter();
	if
	:: have ->
		work_inside();
		assert(learned < round);
		learned = round;
		/* It still reads. */
		assert(room && MEASURED);
		leave()
	:: else
	fi;
	room = false
}

/* The deal may be freed once all have passed. */
inline write(value)
{
	atomic {
		assert(turn == round && passed < P);
		time[id] = value
	}
}

inline pass()
{
	passed++
}

proctype worker(byte id)
{
	byte round, at;
	bool have, first;

	do
	:: round < ROUNDS ->
		round++;
		/* One of them opens, when all have passed the one before. */
		atomic {
			first = opening < round;
			if
			:: first -> opening = round
			:: else
			fi
		}
		if
		:: first ->
			(round == 1 || passed == P);
			passed = 0;
			ask();
			turn = round
		:: else -> (turn >= round)
		fi;
		if
		:: timed ->
			if
			:: true ->
#ifdef BUG_LEFT_FIRST
				atomic { left++; at = left }
				time[id] = round;
#else
				assert(room);
				write(round);
#ifdef BUG_PASS_FIRST
				pass();
#endif
				atomic { left++; at = left }
#endif
#ifdef BUG_FIRST_LEARNS
				if
				:: at == 1 -> learn()
				:: else
				fi;
#else
				if
				:: at == P -> learn()
				:: else
				fi;
#endif
			:: true		/* it leaves untimed */
#ifdef BUG_PASS_FIRST
				; pass()
#endif
			fi
		:: else
#ifdef BUG_PASS_FIRST
			-> pass()
#endif
		fi;
#ifndef BUG_PASS_FIRST
		pass();
#endif
#ifdef BUG_WRITE_LATE
		write(0);
#endif
		at = 0
	:: else -> break
	od
}

proctype other()
{
	byte times = 2;
	bool have;

	do
	:: times > 0 ->
		times--;
		enter();
		if
		:: have -> work_inside(); leave()
		:: else
		fi
	:: else -> break
	od
}

init {
	atomic { run worker(0); run worker(1); run worker(2); run other() }
}
