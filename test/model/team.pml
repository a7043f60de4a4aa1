/* team.pml - a team of pthreads: run, barrier, spin, park, end.
 *
 * Models wait_change(), serve(), begin_run(), dls_team_run(), dls_team_barrier() and stop() of lib/region/team.c.
 * The caller and two threads, 3 runs with a barrier in each, and the end; a wait may wake for no reason, once.
 * Claims: no wake-up is lost, which would be an invalid end state; each worker does each run once; the caller
 * returns when all have; nobody leaves a barrier before all have come.
 * Each shared access is one step: the model knows interleavings, not memory orders. */
#define P	3
#define RUNS	3
#define SPINS	2

byte runs;		/* run RUNS + 1 is the order to end */
byte working, arrived, phase;
bool mutex;
byte next, ended;	/* who is in pthread_cond_wait(), a bit each */

/* ghosts */
byte did[P], came[P];	/* runs, barriers */
bool spurious = true;	/* still to come */

#define LOCK()		atomic { !mutex -> mutex = true }
#define UNLOCK()	mutex = false
#ifdef BUG_SIGNAL_UNLOCKED
#define SIGNAL_LOCK()	skip
#define SIGNAL_UNLOCK()	skip
#else
#define SIGNAL_LOCK()	LOCK()
#define SIGNAL_UNLOCK()	UNLOCK()
#endif

inline cond_wait(cond)
{
	atomic { cond = cond | (1 << id); mutex = false }
	if
	:: atomic { !(cond & (1 << id)) && !mutex -> mutex = true }
	:: atomic { cond & (1 << id) && spurious && !mutex ->
		cond = cond & ~(1 << id);
		spurious = false;
		mutex = true
	   }
	fi
}

inline wait_change(value, old, cond)
{
	do
	:: atomic { value != old || spins == SPINS -> break }
	:: atomic { else -> spins++ }
	od;
	spins = 0;
	if
	:: value == old ->
		LOCK();
#ifdef BUG_PARK_UNCHECKED
		cond_wait(cond);
#endif
		do
		:: value == old -> cond_wait(cond)
		:: else -> break
		od;
		UNLOCK()
	:: else
	fi
}

inline barrier()
{
	atomic { came[id]++; old = phase }
	atomic { arrived++; last = (arrived == P) }
	if
	:: last ->
#ifdef BUG_ARRIVED_LATE
		skip;
#else
		arrived = 0;
#endif
		SIGNAL_LOCK();
		phase = old + 1;
		next = 0;
		SIGNAL_UNLOCK();
#ifdef BUG_ARRIVED_LATE
		arrived = 0;
#endif
		last = false
	:: else -> wait_change(phase, old, next)
	fi;
	atomic { old = 0; assert(came[0] >= came[id] && came[1] >= came[id] && came[2] >= came[id]) }
}

proctype thread(byte id)
{
	byte done, old, spins;
	bool last;

	do
	:: done <= RUNS ->
		wait_change(runs, done, next);
		atomic { done++; assert(done == runs) }
		if
		:: done <= RUNS ->
			atomic { did[id]++; assert(did[id] == done) }
			barrier();
			barrier();
			atomic { working--; last = (working == 0) }
			if
			:: last -> SIGNAL_LOCK(); ended = 0; SIGNAL_UNLOCK(); last = false
			:: else
			fi
		:: else
		fi
	:: else -> break
	od
}

proctype caller(byte id)
{
	byte old, spins;
	bool last;

	do
	:: runs <= RUNS ->
		working = P - 1;
		SIGNAL_LOCK();
		runs++;
		next = 0;
		SIGNAL_UNLOCK();
		if
		:: runs <= RUNS ->
			did[id]++;
			barrier();
			barrier();
			do
			:: atomic { working != 0 -> old = working }
				wait_change(working, old, ended)
			:: else -> break
			od;
			atomic { old = 0; assert(did[0] == runs && did[1] == runs && did[2] == runs) }
		:: else
		fi
	:: else -> break
	od
}

init {
	atomic { run caller(0); run thread(1); run thread(2) }
}
