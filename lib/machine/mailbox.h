/* mailbox.h - where a processor's messages wait for it, and where it sleeps when there are none. */
#ifndef LIB_MACHINE_MAILBOX_H
#define LIB_MACHINE_MAILBOX_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/machine/send.h"

/* The owners of several mailboxes, who get messages from each other only. */
struct dls__sleepers {
	unsigned all;
	atomic_uint now;	/* that sleep until a message comes */
};

struct dls__mailbox {
	_Atomic(struct dls__msg *) head;
	bool shut;		/* under the mutex, as is what follows */
	bool counted;		/* the owner is one of the sleepers */
	struct dls__sleepers *sleepers;
	pthread_mutex_t mutex;
	pthread_cond_t posted;
};

/* Returns 0; DLS_ENOMEM. */
int dls__mailbox_open(struct dls__mailbox *box);
void dls__mailbox_close(struct dls__mailbox *box);

/* Threads: any. */
void dls__mailbox_post(struct dls__mailbox *box, struct dls__msg *msg);

/* All that has been posted, chained by `next`, first posted first.  Threads: the owner. */
struct dls__msg *dls__mailbox_drain(struct dls__mailbox *box);

/* Threads: the owner; after it has drained. */
static inline bool dls__mailbox_empty(const struct dls__mailbox *box)
{
	/* relaxed: who takes the messages acquires them. */
	return !atomic_load_explicit(&box->head, memory_order_relaxed);
}

/* Sleep until something is posted or the box is shut; or, unless `delay` is UINT64_MAX, for so many ns.
 *
 * Returns false if all the sleepers' owners would now sleep until one of them posts; this one then does not.
 * Threads: the owner. */
bool dls__mailbox_park(struct dls__mailbox *box, struct dls__sleepers *sleepers, uint64_t delay);

/* From now on nobody sleeps here.  Threads: any. */
void dls__mailbox_shut(struct dls__mailbox *box);
/* Threads, for both: the only one. */
void dls__mailbox_reopen(struct dls__mailbox *box);
/* Lose what is in it, untouched: its memory, which is the senders', may be gone. */
void dls__mailbox_forget(struct dls__mailbox *box);

#endif
