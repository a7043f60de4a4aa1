/* end.pml - the detection of the end: reports up a tree, a probe, the announcement.
 *
 * Models lib/machine/termination.c, and of lib/machine/vp.c what it hears of.  Four processors in the binomial tree of
 * processor 0, so that 2 lies between 0 and 3; two tasks wherever, which may spawn one more and move twice, a task on its way
 * arriving anywhere at any time; or, where no task spawns others, the first agreement is the end.
 * Claims: the end is announced only when all tasks are done; it is announced to everybody, or the model would stop short,
 * an invalid end state.
 * A handler is one step: it sees what is its own processor's alone. */
#define P	4
#define TASKS	2
#define SPAWNS	1
#define MOVES	2
#define NEVER	255
#define LENGTH	4

#define PARENT(p)	((p) == 3 -> 2 : 0)
#define CHILDREN(p)	((p) == 0 -> 2 : ((p) == 2 -> 1 : 0))

mtype = { REPORT, PROBE, ANSWER, END };

chan up[P] = [LENGTH] of { mtype, byte, byte, bool };	/* by sender */
chan down[P] = [LENGTH] of { mtype };			/* by receiver */

byte queue[P];
bool fixed;
byte spawns, moves;	/* still possible */

/* ghosts */
byte flying;			/* tasks on their way */
byte tasks, all_done;

#define TO_PARENT(kind, a, b, c) \
	assert(nfull(up[id])); \
	up[id]!kind(a, b, c)
#define TO_CHILDREN(kind) \
	if \
	:: id == 0 -> \
		assert(nfull(down[1]) && nfull(down[2])); \
		down[1]!kind; \
		down[2]!kind \
	:: id == 2 -> assert(nfull(down[3])); down[3]!kind \
	:: else \
	fi

inline announce()
{
	assert(id != 0 || all_done == tasks);
	ended = true;
	TO_CHILDREN(END)
}

inline answer()
{
	if
	:: id != 0 -> TO_PARENT(ANSWER, sum, 0, 0)
	:: id == 0 && sum == probed -> announce()
	:: else
	fi;
	sum = 0
}

inline probe()
{
	sum = created_here;
	waiting = CHILDREN(id);
	TO_CHILDREN(PROBE);
	if
	:: waiting == 0 -> answer()
	:: else
	fi
}

#ifdef BUG_PROBE_AGAIN
#define NOT_PROBING	true
#else
#define NOT_PROBING	(waiting == 0)
#endif
#ifdef BUG_NOT_SILENT
#define ALL_TOLD	true
#else
#define ALL_TOLD	(silent == 0)
#endif
#ifdef BUG_REPORT_ONCE
#define NEWS		(!reported)
#else
#define NEWS		(!reported || created > 0 || done > 0)
#endif

proctype processor(byte id)
{
	byte created_here = queue[id], created = queue[id], done, sum, probed = NEVER;
	byte silent = CHILDREN(id), waiting;
	byte a, b;
	bool running, reported, ended, was_first;
	mtype kind;

	do
	/* tasks */
	:: atomic { !ended && !running && queue[id] > 0 -> queue[id]--; running = true }
	:: atomic { running && spawns > 0 ->
		spawns--;
		tasks++;
		queue[id]++;
		created_here++;
#ifndef BUG_NOT_CREATED
		created++
#endif
	   }
	:: atomic { running -> running = false; done++; all_done++ }
	:: atomic { !ended && moves > 0 && queue[id] > 0 -> moves--; queue[id]--; flying++ }
	:: atomic { !ended && flying > 0 -> flying--; queue[id]++ }

	/* dls__end_message() */
	:: atomic { !ended && id != 0 && nempty(down[id]) ->
		down[id]?kind;
		if
		:: kind == PROBE -> probe()
		:: kind == END -> announce()
		fi;
		kind = 0
	   }
	:: atomic { !ended && id == 0 && nempty(up[1]) -> up[1]?kind(a, b, was_first); goto from_child }
	:: atomic { !ended && id == 0 && nempty(up[2]) -> up[2]?kind(a, b, was_first); goto from_child }
	:: atomic { !ended && id == 2 && nempty(up[3]) -> up[3]?kind(a, b, was_first);
from_child:
		if
		:: kind == REPORT ->
			silent = silent - was_first;
			created = created + a;
			done = done + b
		:: kind == ANSWER ->
			sum = sum + a;
			waiting--;
			if
			:: waiting == 0 -> answer()
			:: else
			fi
		fi;
		a = 0;
		b = 0;
		was_first = false;
		kind = 0
	   }

	/* dls__end_idle() */
	:: atomic { !ended && !running && queue[id] == 0 && ALL_TOLD && id != 0 && NEWS ->
		TO_PARENT(REPORT, created, done, !reported);
		reported = true;
		created = 0;
		done = 0
	   }
	:: atomic { !ended && !running && queue[id] == 0 && ALL_TOLD && id == 0 &&
		    created == done && NOT_PROBING && probed != done ->
		probed = done;
		if
		:: fixed -> announce()
#ifdef BUG_NO_PROBE
		:: !fixed -> announce()
#else
		:: !fixed -> probe()
#endif
		fi
	   }
	:: atomic { ended && !running -> break }
	od
}

init {
	byte i, p;

	atomic {
		if
		:: fixed = true
		:: fixed = false; spawns = SPAWNS
		fi;
		moves = MOVES;
		for (i : 1 .. TASKS) {
			select(p : 0 .. P - 1);
			queue[p]++
		}
		tasks = TASKS;
		i = 0;
		p = 0;
		run processor(0);
		run processor(1);
		run processor(2);
		run processor(3)
	}
}
