/* strategies.h - schedules that are strategies, which a library of loops alone has not (make MACHINES=no). */
#ifndef STRATEGIES_H
#define STRATEGIES_H

/* STRATEGIES(): entries of a list, each with the comma after it, left out without strategies.  STRATEGY():
 * a name, and the one to use in its place without strategies. */
#ifdef DLS__LOOPS_ALONE
#define STRATEGIES(...)
#define STRATEGY(name, otherwise) otherwise
#else
#define STRATEGIES(...) __VA_ARGS__
#define STRATEGY(name, otherwise) name
#endif

#endif
