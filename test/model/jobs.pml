/* jobs.pml - jobs of a team: posted to lists of their callers' own, found by threads that wait.
 *
 * Models post(), next_part(), find_part() and wait_helping() of lib/region/team.c.
 * Two callers, the first with two jobs, and a thread that waits until the callers have ended; a job's first part ends at once, or
 * when the thread has run another one.  Parking is as in team.pml.
 * Claims: a caller that waits for help gets it, else there would be an invalid end state; nobody runs a part of a job that has ended, or
 * more parts than there are.
 * Each shared access is one step: the model knows interleavings, not memory orders. */
#define CALLERS	2
#define PARTS	2

bool over;
byte idle, posted;
bool mutex;			/* the team's */
byte parked;			/* threads in pthread_cond_wait(), a bit each */
bool lock[CALLERS];		/* the lists' mutexes */
bool listed[CALLERS];		/* the caller's job is in its list */
byte started[CALLERS], left[CALLERS];

/* ghosts */
bool live[CALLERS];		/* the job has not ended */
byte helped[CALLERS], ended;

#define LOCK(m)		atomic { !m -> m = true }
#define UNLOCK(m)	m = false

inline tell()
{
	LOCK(mutex);
	posted++;
	parked = 0;
	UNLOCK(mutex)
}

proctype caller(byte c; byte jobs)
{
	bool wanted, needs;

	do
	:: jobs > 0 ->
		jobs--;
		if
		:: needs = true
		:: needs = false
		fi;
		atomic { live[c] = true; started[c] = 1; helped[c] = 0 }
#ifdef BUG_TOLD_EARLY
		if
		:: idle > 0 || posted == 0 -> tell()
		:: else
		fi;
#endif
		LOCK(lock[c]);
		listed[c] = true;
		wanted = idle > 0;
#ifndef BUG_FIRST_UNTOLD
		wanted = wanted || posted == 0;
#endif
		UNLOCK(lock[c]);
#ifndef BUG_TOLD_EARLY
		if
		:: wanted -> tell()
		:: else
		fi;
#endif
		(!needs || helped[c] > 0);	/* its first part has run */
		LOCK(lock[c]);
#ifndef BUG_LEFT_IN
		listed[c] = false;
#endif
		UNLOCK(lock[c]);
		left[c] == 0;
		atomic { live[c] = false; wanted = false; needs = false }
	:: else -> break
	od;
	atomic {
		ended++;
		if
		:: ended == CALLERS -> !mutex -> over = true; parked = 0
		:: else
		fi
	}
}

/* Until all is over, or `posted` is not what it was. */
inline wait_change(id)
{
	if
	:: over || posted != was
	:: skip ->		/* it has looked often enough */
		LOCK(mutex);
		do
		:: over || posted != was -> break
		:: else ->
			atomic { parked = parked | (1 << id); mutex = false }
			atomic { !(parked & (1 << id)) && !mutex -> mutex = true }
		od;
		UNLOCK(mutex)
	fi
}

/* Look through the lists, under their mutexes: all, or those that have a job at a look. */
inline find_part(all)
{
	i = 0;
	do
	:: i < CALLERS && found == CALLERS ->
		if
		:: all || listed[i] ->
			LOCK(lock[i]);
			if
			:: listed[i] ->
				atomic {
					assert(live[i] && started[i] < PARTS);
					found = i;
					left[i]++;
					started[i]++;
					listed[i] = (started[i] < PARTS)
				}
			:: else
			fi;
			UNLOCK(lock[i])
		:: else
		fi;
		i++
	:: else -> break
	od;
	i = 0
}

proctype thread(byte id)
{
	byte was, i, found = CALLERS;

	do
	:: over -> break
	:: else ->
		was = posted;
		if
		:: was == 0 -> wait_change(id)
		:: else ->
#ifndef BUG_IDLE_LATE
			idle++;
#endif
#ifndef BUG_POSTED_LATE
			was = posted;
#endif
			find_part(true);
#ifdef BUG_IDLE_LATE
			idle++;
#endif
#ifdef BUG_POSTED_LATE
			was = posted;
#endif
			do
			:: found == CALLERS ->
				wait_change(id);
				if
				:: over -> break
				:: else
				fi;
				was = posted;
				find_part(false)
			:: else -> break
			od;
			idle--;
			if
			:: found < CALLERS ->
				atomic { assert(live[found]); helped[found]++ }
				atomic { left[found]--; found = CALLERS }
			:: else
			fi
		fi
	od
}

init {
	atomic { run caller(0, 2); run caller(1, 1); run thread(0) }
}
