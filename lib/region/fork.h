/* fork.h - what holds in the child of a fork(). */
#ifndef LIB_REGION_FORK_H
#define LIB_REGION_FORK_H

/* How many fork()s lead from the program's start to this process.  Threads started at a lower count do not exist in it. */
unsigned dls__forks(void);

#endif
