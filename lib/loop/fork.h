/* fork.h - what holds in the child of a fork(). */
#ifndef LIB_LOOP_FORK_H
#define LIB_LOOP_FORK_H

/* Forks this process has come out of as the child: it has no thread that was started when there were fewer. */
unsigned dls__forks(void);

#endif
