/* mailbox.h - a processor's mailbox: its messages wait there, and it sleeps there if there are none. */
#ifndef LIB_MACHINE_MAILBOX_H
#define LIB_MACHINE_MAILBOX_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/machine/send.h"

/* The owners of several mailboxes, which get messages only from each other. */
struct dls__sleepers {
	unsigned all;
	atomic_uint now;	/* owners that sleep until a message comes */
};

struct dls__mailbox {
	_Atomic(struct dls__msg *) head;
	bool shut;		/* under the mutex, as are the members that follow */
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

/* Take all messages, chained by `next`, first posted first.  Threads: the owner. */
struct dls__msg *dls__mailbox_drain(struct dls__mailbox *box);

/* Whether no message waits.  Threads: the owner. */
static inline bool dls__mailbox_empty(const struct dls__mailbox *box)
{
	/* relaxed: dls__mailbox_drain() acquires the messages. */
	return !atomic_load_explicit(&box->head, memory_order_relaxed);
}

/* Sleep until a message is posted or the box is shut, at most `delay` ns; UINT64_MAX: without a limit.
 *
 * Returns false, without sleeping, if all owners would then sleep without a limit, so that none could post.
 * Threads: the owner. */
bool dls__mailbox_park(struct dls__mailbox *box, struct dls__sleepers *sleepers, uint64_t delay);

/* Wake the owner, and let it sleep here no more.  Threads: any. */
void dls__mailbox_shut(struct dls__mailbox *box);
/* Undo shut.  Threads: no other thread uses the box. */
void dls__mailbox_reopen(struct dls__mailbox *box);
/* Drop all messages without reading them: their senders' memory may be gone.  Threads: no other thread uses the box. */
void dls__mailbox_forget(struct dls__mailbox *box);

#endif
