/* The dispensers, in order of preference: the first that serves a loop deals it. */
X(native)
#ifndef DLS__LOOPS_ALONE
X(balanced)
#endif
X(ranges)
X(tiles)
X(shares)
X(tickets)
X(own)
X(live)
