/* tickets.pml - the loops of a team's regions: opened, dealt by tickets, moved past, their segments recycled.
 *
 * Models dls__open_or_wait() of lib/region/enter.c, dls__parallel_open() and dls__parallel_close() of lib/region/region.c, dls__seat_move(), following(),
 * get_segment() and put_aside() of lib/region/chain.c, and dls__draw() of include/dls/loop.h.  Which chunk a ticket stands for
 * each worker works out by itself; here ticket t is chunk t.
 * In the barrier that ends a region worker 0 may run a task that opens a region of another record, in which
 * the thread is alone.
 * Two regions of 3 and 2 workers, seven nowait loops of 6 chunks, segments of 2 deals.  The first region ends after
 * 4 loops, when its segment is used up, or after 5; the second starts that segment over, the loop numbers going on.
 * Memory may run out in the first.
 * Claims: each chunk runs once, as one of its own loop; a segment belongs to one record; it is put aside only when nobody can
 * come to it any more; between regions there are but the current segment and a spare; everybody arrives.
 * Each shared access is one step: the model knows interleavings, not memory orders. */
#define SEGMENT		2
#define LOOPS		7
#define SEGS		8	/* more than are ever allocated */
#define NONE		SEGS
#define NO_MEMORY	(SEGS + 1)

/* Chunks of loop k. */
#define PLAN(k)	((k) == 1 -> 2 : ((k) == 2 || (k) == 3 -> 0 : 1))

typedef deal {
	byte turn;	/* 2k + 1: being opened for loop k; 2k + 2: open */
	byte count;	/* tickets drawn */
	byte chunks
};

typedef segment {
	deal d[SEGMENT];
	byte next;
	byte passed;	/* workers that have moved on */
	bool live;	/* ghost: allocated */
	byte first	/* ghost: the loop that its first deal is for */
};

segment seg[SEGS];
byte spare = NONE;
byte workers;			/* of the region */
byte team_seg, team_loop;	/* where it starts; when its worker 0 has left, where the next one does */
bool team_dealt;
byte other_seg, other_loop;	/* the same of another record */
#ifdef BUG_KEPT_BY_THREAD
byte last_seg;			/* where the thread that is worker 0 left a region last */
bool last_dealt;
#endif

/* ghosts */
byte ran[LOOPS];	/* bit t: chunk t has run */
byte place[3];		/* segment each worker stands in */
byte joined;

#ifdef BUG_OLD_SIZE
#define SIZE	3
#else
#define SIZE	workers
#endif

#ifdef BUG_RECYCLE_EARLY
#define LAST	(SIZE - 1)
#else
#define LAST	SIZE
#endif

#ifdef BUG_NUMBERED_ANEW
#define OPENING	(2 * (k - team_loop) + 1)
#else
#define OPENING	(2 * k + 1)
#endif
#define OPEN	(OPENING + 1)

inline zero(s)
{
	seg[s].next = NONE;
	seg[s].passed = 0;
	seg[s].first = 0;
	seg[s].d[0].turn = 0;
	seg[s].d[0].count = 0;
	seg[s].d[0].chunks = 0;
	seg[s].d[1].turn = 0;
	seg[s].d[1].count = 0;
	seg[s].d[1].chunks = 0
}

inline alloc(s)
{
	s = 0;
	do
	:: s < SEGS && seg[s].live -> s++
	:: else -> break
	od;
	assert(s < SEGS);
	seg[s].live = true;
	seg[s].next = NONE
}

inline put_aside(s)
{
	tmp = spare;
	spare = s;
	if
	:: tmp != NONE -> seg[tmp].live = false; zero(tmp)
	:: else
	fi;
	tmp = 0
}

/* seg[s].next is NONE as this worker sees it. */
inline append()
{
	atomic {
		mine = spare;
		spare = NONE;
		if
		:: mine == NONE -> alloc(mine)
		:: mine == NONE && workers == 3 -> mine = NO_MEMORY
		:: else
		fi
	}
	d_step {
		assert(seg[s].live);
		next = seg[s].next;
		if
		:: next == NONE ->
			seg[s].next = mine;
			next = mine;
			if
			:: mine != NO_MEMORY ->
				assert(seg[mine].live && seg[mine].next == NONE && seg[mine].passed == 0);
				seg[mine].first = k
			:: else
			fi;
			mine = NONE
		:: else
		fi
	}
	if
	:: d_step { mine < NONE -> put_aside(mine); mine = 0 }
	:: atomic { else -> mine = 0 }
	fi
}

inline pass()
{
	d_step {
		assert(seg[s].live && place[id] == s);
		seg[s].passed++;
		tmp = seg[s].passed;
		place[id] = NONE
	}
	if
	:: d_step { tmp == LAST ->
		assert(place[0] != s && place[1] != s && place[2] != s);
		seg[s].next = NONE;
		seg[s].passed = 0;
		put_aside(s)
	   }
	:: atomic { else -> tmp = 0 }
	fi
}

inline move_on()
{
#ifdef BUG_PASS_FIRST
	pass();
#endif
	atomic { assert(seg[s].live); next = seg[s].next }
	if
	:: next == NONE -> append()
	:: else
	fi;
	if
	:: next == NO_MEMORY -> dealt = false
	:: else ->
#ifndef BUG_PASS_FIRST
		pass();
#endif
		atomic { s = next; index = 0; place[id] = s }
	fi;
	next = 0
}

#define DEAL	seg[s].d[index]

inline open_or_wait()
{
	atomic {
		assert(seg[s].live && seg[s].first + index == k);
		turn = DEAL.turn;
		assert(turn <= OPEN)
	}
	if
	:: turn != OPENING && turn != OPEN ->
		d_step {
			if
#ifndef BUG_NO_CAS
			:: DEAL.turn != turn -> turn = 0
#endif
			:: else -> DEAL.turn = OPENING; turn = 1
			fi
		}
		if
		:: turn ->
#ifdef BUG_COUNT_LATE
			d_step { DEAL.chunks = PLAN(k); DEAL.turn = OPEN }
			DEAL.count = 0
#else
			d_step { DEAL.chunks = PLAN(k); DEAL.count = 0 }
			DEAL.turn = OPEN
#endif
		:: else
		fi
	:: else
	fi;
	atomic { DEAL.turn == OPEN -> turn = 0 }
}

inline run_chunk(t)
{
	d_step {
		assert(t < PLAN(k) && !(ran[k] & (1 << t)));
		ran[k] = ran[k] | (1 << t)
	}
}

/* Leave the region: worker 0 writes where it stopped. */
inline leave()
{
	atomic {
		place[id] = NONE;
		if
#ifdef BUG_KEPT_BY_THREAD
		:: id == 0 -> last_seg = s; last_dealt = dealt
#else
		:: id == 0 -> team_seg = s; team_dealt = dealt
#endif
		:: else
		fi
	}
}

/* In the barrier: a task that opens a region of another record, with one loop. */
inline visit()
{
	if
	:: d_step {
			id == 0;
			s = other_seg;
			assert(seg[s].live && seg[s].d[0].turn < 2 * other_loop + 1);
			seg[s].d[0].count = 0;
			seg[s].d[0].turn = 2 * other_loop + 2
		}
		d_step {
			assert(seg[s].d[0].turn == 2 * other_loop + 2 && seg[s].d[0].count == 0);
			seg[s].d[0].count++;
			other_loop++;
#ifdef BUG_KEPT_BY_THREAD
			last_seg = s;
			last_dealt = true;
#endif
			s = 0
		}
	:: skip
	fi
}

proctype worker(byte id; byte s; byte k; byte end)
{
	byte index, turn, t, next, mine, tmp;
	bool dealt = true;

	do
	:: k < end ->
		if
		:: dealt && index == SEGMENT -> move_on()
		:: else
		fi;
		if
		:: dealt ->
			open_or_wait();
			do
			:: atomic {
				assert(seg[s].live && DEAL.turn == OPEN);
				t = DEAL.count;
				DEAL.count++;
				if
				:: t < DEAL.chunks -> run_chunk(t); t = 0
				:: else -> t = 0; k++; index++; break
				fi
			   }
			od
		:: else ->
			if
			:: id < PLAN(k) -> run_chunk(id)
			:: else
			fi;
			k++
		fi
	:: else -> break
	od;

	leave();
	visit();
	joined++
}

inline region(size, end)
{
	atomic {
		workers = size;
		joined = 0;
		seg[team_seg].first = team_loop;
		place[0] = team_seg;
		place[1] = team_seg;
		place[2] = (size == 3 -> team_seg : NONE);
		run worker(0, team_seg, team_loop, end);
		run worker(1, team_seg, team_loop, end);
		if
		:: size == 3 -> run worker(2, team_seg, team_loop, end)
		:: else
		fi
	}
	atomic {
		joined == size;
		for (i : 0 .. end - 1) {
			assert(ran[i] == (1 << PLAN(i)) - 1)
		}
#ifdef BUG_KEPT_BY_THREAD
		team_seg = last_seg;
		team_dealt = last_dealt;
#endif
		for (i : 0 .. SEGS - 1) {
			assert(!seg[i].live || i == team_seg || i == spare || i == other_seg)
		}
		assert(team_seg != spare && seg[team_seg].passed == 0 &&
		       seg[team_seg].next == (team_dealt -> NONE : NO_MEMORY));
		team_loop = end;
		if
		:: !team_dealt ->
			seg[team_seg].live = false;
			zero(team_seg);
			if
			:: spare != NONE -> seg[spare].live = false; zero(spare); spare = NONE
			:: else
			fi;
			alloc(team_seg)
		:: else
		fi;
		i = 0
	}
}

init {
	byte i, cut;

	atomic {
		alloc(team_seg);
		alloc(other_seg);
		if
		:: cut = 4
		:: cut = 5
		fi
	}
	region(3, cut);
	region(2, LOOPS)
}
