/* strategies.h - schedules that are strategies, which a library of loops alone has not (make MACHINES=no). */
#ifndef STRATEGIES_H
#define STRATEGIES_H

/* Those of a list, each with the comma after it; one, or what stands in its place. */
#ifdef DLS__LOOPS_ALONE
#define STRATEGIES(...)
#define STRATEGY(name, otherwise) otherwise
#else
#define STRATEGIES(...) __VA_ARGS__
#define STRATEGY(name, otherwise) name
#endif

#endif
