/* fork.h - what holds in the child of a fork(). */
#ifndef LIB_LOOP_FORK_H
#define LIB_LOOP_FORK_H

/* Forks this process has come out of as the child: it has no thread that was started when there were fewer. */
unsigned dls__forks(void);

/* Keep other threads out of what fork() must find whole, or find them out of it; and let them in again.  In this order, and in
 * the opposite one.  In the child what the parent's other threads were about is given up too. */
void dls__env_lock(void);
void dls__env_unlock(void);
void dls__sites_lock(void);
void dls__sites_unlock(void);
void dls__sites_forked(void);
void dls__calcs_lock(void);
void dls__calcs_unlock(void);
void dls__progress_lock(void);
void dls__progress_unlock(void);
void dls__progress_forked(void);

#endif
