/* send.h - messages between processors, and sending them (send.c). */
#ifndef LIB_MACHINE_SEND_H
#define LIB_MACHINE_SEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/machine/queue.h"

/* The part of the machine that a message is for. */
enum dls__service { DLS__STRATEGY, DLS__TERMINATION, DLS__TIMER, DLS__DATA };

/* An event on a processor of the virtual engine. */
struct dls__due_event {
	uint64_t time;
	uint32_t processor;
	bool message;		/* a message arrives; otherwise the processor wakes by itself */
	bool put_off;		/* the message had arrived, and was put off to the next poll */
	bool passing;		/* the message is on its way over links (platform.c) */
	uint8_t crossed;	/* ... number of links crossed so far */
};

/* A message on its way.  The members that another thread reads are in its first two cache lines. */
struct dls__msg {
	_Alignas(64) struct dls__msg *next;	/* mailbox, pool */
	uint32_t from, to;
	uint8_t service;		/* enum dls__service */
	uint8_t task_class;		/* of shipped tasks, or of data; DLS_CLASSES_MAX: neither */
	uint16_t generation;		/* of a timer: number of its setting */
	uint32_t bytes;			/* on the wire, clamped to UINT32_MAX */
	struct dls_message seen;	/* what the strategy sees; its data come from dls__data_new() */
	struct dls__tasks tasks;
	uint64_t time;			/* of a timer on threads: when it is due */
	struct dls__due_event event;	/* engine_virtual.c */
};

_Static_assert(offsetof(struct dls__msg, time) <= 128, "what goes from thread to thread is in two lines");

static inline struct dls__msg *dls__msg_of(struct dls__due_event *event)
{
	return (struct dls__msg *)(void *)((char *)event - offsetof(struct dls__msg, event));
}

/* Whether a strategy may send a message of this kind to `to`; if not, the call is refused (dls__vp_refuse()). */
bool dls__vp_may_send(const struct dls_vp *vp, const char *call, unsigned to, unsigned kind);

/* Make a message without tasks; NULL: there is no memory, and the machine has failed. */
struct dls__msg *dls__message_to(struct dls_vp *vp, unsigned to, enum dls__service service, unsigned kind,
				 const int64_t *word);
/* Add a copy of data to a message; false: there is no memory, and the message is freed. */
bool dls__message_data(struct dls_vp *vp, struct dls__msg *msg, const void *data, size_t bytes);
/* Add data from dls__data_new() to a message. */
void dls__message_give(struct dls__msg *msg, void *data, size_t bytes);
/* Add tasks to a message, and count them as sent. */
void dls__message_tasks(struct dls_vp *vp, struct dls__msg *msg, struct dls__tasks *tasks);

/* Count a message of the strategy, and have the engine carry it. */
void dls__message_post(struct dls_vp *vp, struct dls__msg *msg);
/* Send a message with tasks, whose load the caller has already subtracted. */
void dls__post_tasks(struct dls_vp *vp, struct dls__msg *msg, struct dls__tasks *tasks);
/* Send tasks in a message of kind 0; false: there is no memory. */
bool dls__send_tasks(struct dls_vp *vp, unsigned to, struct dls__tasks *tasks);
/* Send a message of the detection of the end. */
void dls__vp_service(struct dls_vp *vp, unsigned to, unsigned kind, const int64_t *word);

#endif
