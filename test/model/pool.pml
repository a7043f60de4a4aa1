/* pool.pml - memory that comes back: items of one owner, freed to two others, which use some and give some back.
 *
 * Models the lists of lib/machine/pool.c for one size: the owner takes an item, of those that are its own or have been returned,
 * and sends it to another; who gets it frees it to `others`, may use it again for what it sends to the third, and gives all of
 * its others back as a chain.
 * Claims: pool.R1, an item in use is in no list, and no item in two; none is lost; the owner finds all that is returned, so that it
 * allocates no more than pool.R3 says.
 * Each shared access is one step: the model knows interleavings, not memory orders. */
#define KEEP	2
#define ITEMS	(2 + 2 * KEEP)	/* pool.R3: two are in use at once, each of the two others has KEEP */
#define SENDS	7

byte next[ITEMS + 1];		/* 0: the last of its list */
byte own, returned;		/* lists: their first, 0: empty */
bool used[ITEMS + 1];
byte others[3], kept[3];	/* of processors 1 and 2 */
chan box[3] = [ITEMS] of { byte };
byte sends = SENDS, allocated;
byte over;			/* who sends to processors up to this one has ended */

/* The item is given out: it was in a list, of which it has been taken. */
inline use(m)
{
	assert(m != 0 && !used[m]);
	used[m] = true
}

inline free(m)
{
	assert(used[m]);
	used[m] = false
}

proctype owner()
{
	byte m;

	do
	:: sends > 0 ->
		if
		:: own == 0 && returned != 0 ->
#ifdef BUG_TAKE_IN_TWO
			own = returned;
			returned = 0
#else
			atomic { own = returned; returned = 0 }
#endif
		:: else
		fi;
		atomic {
			if
			:: own != 0 ->
				m = own;
				own = next[m]
			:: else ->
				allocated++;
				assert(allocated <= ITEMS);
				m = allocated
			fi;
			use(m);
			sends--
		}
		(len(box[1]) + len(box[2]) == 0);
		box[1 + sends % 2] ! m
	:: else -> break
	od;
	over = 1
}

proctype other(byte id)
{
	byte m, first, last, old, n;

	do
	:: box[id] ? m ->
		atomic {
			free(m);
			next[m] = others[id];
			others[id] = m;
			kept[id]++;
			m = 0
		}
		if
		:: id == 1 && len(box[2]) == 0 ->	/* it sends what it has got on */
			atomic {
				m = others[id];
				others[id] = next[m];
				kept[id]--;
				use(m)
			}
			box[2] ! m;
			m = 0
		:: true
		fi;
		if
		:: kept[id] >= KEEP ->
			atomic {
				first = others[id];
				last = first;
#ifndef BUG_REST_LOST
				do
				:: next[last] != 0 ->
					last = next[last];
					n++;
					assert(n < KEEP)
				:: else -> break
				od;
#endif
				others[id] = 0;
				kept[id] = 0;
				old = returned
			}
			do
			:: true ->
#ifndef BUG_LINK_LATE
				next[last] = old;
#endif
				atomic {
					if
#ifndef BUG_NO_CAS
					:: returned != old -> old = returned
#endif
					:: else -> returned = first; break
					fi
				}
			od;
#ifdef BUG_LINK_LATE
			next[last] = old;
#endif
			atomic { first = 0; last = 0; old = 0; n = 0 }
		:: else
		fi
	:: over >= id && empty(box[id]) -> break
	od;
	over = 2
}

inline count(list)
{
	m = list;
	do
	:: m != 0 ->
		assert(!used[m]);
		n++;
		assert(n <= allocated);
		m = next[m]
	:: else -> break
	od
}

init {
	byte m, n;

	atomic { run owner(); run other(1); run other(2) }
	(_nr_pr == 1);
	d_step {
		count(own);
		count(returned);
		count(others[1]);
		count(others[2]);
		assert(n == allocated)
	}
}
