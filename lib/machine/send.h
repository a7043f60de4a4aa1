/* send.h - messages between processors, and their sending (send.c). */
#ifndef LIB_MACHINE_SEND_H
#define LIB_MACHINE_SEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/machine/queue.h"

/* The part of the machine that a message is for. */
enum dls__service { DLS__STRATEGY, DLS__TERMINATION, DLS__TIMER, DLS__DATA };

/* Something that is going to happen on a processor, in the virtual engine. */
struct dls__due_event {
	uint64_t time;
	uint32_t processor;
	bool message;		/* a message arrives; otherwise the processor wakes by itself */
	bool put_off;		/* the message has arrived before, and was put off to the next poll */
	bool passing;		/* the message is on its way over links (virtual_links.c) */
};

/* A message on its way.  What goes from thread to thread is in its first two cache lines. */
struct dls__msg {
	_Alignas(64) struct dls__msg *next;	/* mailbox, pool */
	uint32_t from, to;
	uint8_t service;		/* enum dls__service */
	uint8_t task_class;		/* of shipped tasks, or of data; DLS_CLASSES_MAX: neither */
	uint16_t generation;		/* of a timer's setting */
	uint32_t bytes;			/* on the wire, clamped to UINT32_MAX */
	struct dls_message seen;	/* by the strategy; its data come from dls__data_new() */
	struct dls__tasks tasks;
	uint64_t time;			/* of timers on threads: when it is due */
	struct dls__due_event event;	/* engine_virtual.c */
};

_Static_assert(offsetof(struct dls__msg, time) <= 128, "what goes from thread to thread is in two lines");

static inline struct dls__msg *dls__msg_of(struct dls__due_event *event)
{
	return (struct dls__msg *)(void *)((char *)event - offsetof(struct dls__msg, event));
}

/* Whether a strategy's message of this kind can go there; if not, the call is refused (dls__vp_refuse()). */
bool dls__vp_may_send(const struct dls_vp *vp, const char *call, unsigned to, unsigned kind);

/* Make a message without tasks; NULL: the machine has failed. */
struct dls__msg *dls__message_to(struct dls_vp *vp, unsigned to, enum dls__service service, unsigned kind,
				 const int64_t *word);
/* Give it a copy of data; false: there is no memory, and the message is freed. */
bool dls__message_data(struct dls_vp *vp, struct dls__msg *msg, const void *data, size_t bytes);
/* Give it data from dls__data_new(). */
void dls__message_give(struct dls__msg *msg, void *data, size_t bytes);
/* Give it tasks, and count them as sent. */
void dls__message_tasks(struct dls_vp *vp, struct dls__msg *msg, struct dls__tasks *tasks);

/* Count a message of the strategy, and have it carried. */
void dls__message_post(struct dls_vp *vp, struct dls__msg *msg, void (*carry)(struct dls_vp *vp, struct dls__msg *msg));
/* Send it with tasks, which have already left this processor's load. */
void dls__post_tasks(struct dls_vp *vp, struct dls__msg *msg, struct dls__tasks *tasks);
/* Send tasks in a message of kind 0; false: there is no memory. */
bool dls__send_tasks(struct dls_vp *vp, unsigned to, struct dls__tasks *tasks);
/* Send a message of the machine's own. */
void dls__vp_service(struct dls_vp *vp, unsigned to, unsigned kind, const int64_t *word);

#endif
