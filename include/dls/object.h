/* dls/object.h - data objects of tasks: read on other nodes, fetched while other tasks run, and waited for in a new version.
 *
 * An object has an owner, the node that writes it; each write makes a new version.  Before the first write the version is 0.  Other
 * nodes have copies.  The program requests a task's objects when the task is spawned (dls_object_want()), and `ready` of its class
 * tests whether they have arrived (dls_object_has()): until then the node runs other tasks.  The functions are inline code on top of
 * dls/class.h:
 *
 *	static int receive(struct dls_vp *vp, unsigned from, const void *data, size_t bytes, void *context)
 *	{
 *		return dls_objects_receive(vp, &objects[dls_vp_id(vp)], from, data, bytes);
 *	}
 *
 * Source: Nishikawa & Steenkiste, ICDCS 1993, section 3: "A task can for example block on a data object of type iterator, waiting
 * for a new copy of the data to be written; it becomes runnable as soon as the object is written"; "Aroma hides latency by
 * prefetching the input objects of tasks.  If an object is located on a remote node, the task scheduler executes other tasks while
 * the data is being fetched, and only after all data is available is the task placed on the run queue."  The paper says no more about
 * objects; versions are this library's. */
#ifndef DLS_OBJECT_H
#define DLS_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dls/class.h"
#include "dls/error.h"

DLS__C_BEGIN

/** The objects as one node has them.  All nodes have the same number of them, of the same size. */
struct dls_objects {
	unsigned task_class;	/* whose `receive` calls dls_objects_receive() */
	unsigned nodes, count;
	size_t bytes;		/* of each */
	uint64_t *version;	/* of the copy here */
	uint64_t *wanted;	/* the latest version that tasks here have requested */
	uint64_t *open;		/* the version that the owner was asked for and has not sent yet; 0: none */
	uint64_t *waiting;	/* at the owner: the earliest version that each node has requested, by object and node; 0: none */
	unsigned char *data;	/* all 0 at first */
	unsigned char *message;
};

/* The head of a message: a request for a version, or that version, followed by the object's data. */
struct dls__object_message {
	uint64_t object, version;
};

/** Free what dls_objects_open() has allocated. */
static inline void dls_objects_close(struct dls_objects *o)
{
	free(o->version);
	free(o->wanted);
	free(o->open);
	free(o->waiting);
	free(o->data);
	free(o->message);
	memset(o, 0, sizeof(*o));
}

/** Make ready one node's objects, version 0 of each, before a run.
 *
 * count, bytes  at least 1; bytes at most 2^31 - 1
 *
 * Returns 0; DLS_EINVAL; DLS_ENOMEM, with nothing to close. */
static inline int dls_objects_open(struct dls_objects *o, unsigned task_class, unsigned nodes, unsigned count, size_t bytes)
{
	memset(o, 0, sizeof(*o));
	if (nodes == 0 || count == 0 || bytes == 0 || bytes > UINT32_MAX / 2)
		return DLS_EINVAL;
	o->task_class = task_class;
	o->nodes = nodes;
	o->count = count;
	o->bytes = bytes;
	o->version = (uint64_t *)calloc(count, sizeof(uint64_t));
	o->wanted = (uint64_t *)calloc(count, sizeof(uint64_t));
	o->open = (uint64_t *)calloc(count, sizeof(uint64_t));
	o->waiting = (uint64_t *)calloc((size_t)count * nodes, sizeof(uint64_t));
	o->data = (unsigned char *)calloc(count, bytes);
	o->message = (unsigned char *)malloc(sizeof(struct dls__object_message) + bytes);
	if (o->version && o->wanted && o->open && o->waiting && o->data && o->message)
		return 0;
	dls_objects_close(o);
	return DLS_ENOMEM;
}

/** The copy here, of the version that dls_object_version() returns; NULL: no such object. */
static inline void *dls_object_data(const struct dls_objects *o, unsigned object)
{
	return object < o->count ? o->data + object * o->bytes : NULL;
}

/** The version of the copy here; 0 before the first, and if there is no such object. */
static inline uint64_t dls_object_version(const struct dls_objects *o, unsigned object)
{
	return object < o->count ? o->version[object] : 0;
}

/** Whether the copy here is of this version, or a later one; for `ready`. */
static inline bool dls_object_has(const struct dls_objects *o, unsigned object, uint64_t version)
{
	return object < o->count && o->version[object] >= version;
}

static inline int dls__object_send(struct dls_vp *vp, const struct dls_objects *o, unsigned to, unsigned object, uint64_t version,
				   bool data)
{
	struct dls__object_message head = { object, version };

	memcpy(o->message, &head, sizeof(head));
	if (data)
		memcpy(o->message + sizeof(head), dls_object_data(o, object), o->bytes);
	return dls_class_send(vp, o->task_class, to, o->message, sizeof(head) + (data ? o->bytes : 0));
}

/** Ask the owner for this version, if the copy here is older: a copy of it, or of a later one, comes as soon as there is one.  If
 * tasks here wait for several versions, a copy comes for each.  In any function of a node but `ready`.
 *
 * Returns 0; DLS_ERANGE no such object or node; else what dls_class_send() does. */
static inline int dls_object_want(struct dls_vp *vp, struct dls_objects *o, unsigned owner, unsigned object, uint64_t version)
{
	if (object >= o->count || owner >= o->nodes)
		return DLS_ERANGE;
	if (dls_object_has(o, object, version) || owner == dls_vp_id(vp))
		return 0;
	if (o->wanted[object] < version)
		o->wanted[object] = version;
	if (o->open[object] > 0 && o->open[object] <= version)
		return 0;
	o->open[object] = version;
	return dls__object_send(vp, o, owner, object, version, false);
}

/** On the owner: write the next version; nodes that wait for it get a copy.
 *
 * data  the object's new bytes, all of them; NULL: what dls_object_data() points to has been changed
 *
 * Returns 0; DLS_ERANGE no such object; else what dls_class_send() does. */
static inline int dls_object_write(struct dls_vp *vp, struct dls_objects *o, unsigned object, const void *data)
{
	int code = 0;

	if (object >= o->count)
		return DLS_ERANGE;
	if (data)
		memmove(dls_object_data(o, object), data, o->bytes);
	o->version[object]++;
	for (unsigned node = 0; node < o->nodes && !code; node++) {
		uint64_t *waiting = &o->waiting[(size_t)object * o->nodes + node];

		if (*waiting == 0 || *waiting > o->version[object])
			continue;
		*waiting = 0;
		code = dls__object_send(vp, o, node, object, o->version[object], true);
	}
	return code;
}

/** What `receive` of the class calls: a request, or a copy.  Returns 0; DLS_EINVAL not such a message; else what dls_class_send()
 * does. */
static inline int dls_objects_receive(struct dls_vp *vp, struct dls_objects *o, unsigned from, const void *data, size_t bytes)
{
	struct dls__object_message head;
	uint64_t *waiting;

	if (bytes < sizeof(head))
		return DLS_EINVAL;
	memcpy(&head, data, sizeof(head));
	if (head.object >= o->count || from >= o->nodes || (bytes != sizeof(head) && bytes != sizeof(head) + o->bytes))
		return DLS_EINVAL;
	if (bytes > sizeof(head)) {
		o->version[head.object] = head.version;
		memcpy(dls_object_data(o, (unsigned)head.object), (const unsigned char *)data + sizeof(head), o->bytes);
		o->open[head.object] = o->wanted[head.object] > head.version ? head.version + 1 : 0;
		return o->open[head.object] ? dls__object_send(vp, o, from, (unsigned)head.object, head.version + 1, false) : 0;
	}
	if (dls_object_has(o, (unsigned)head.object, head.version))
		return dls__object_send(vp, o, from, (unsigned)head.object, o->version[head.object], true);
	waiting = &o->waiting[head.object * o->nodes + from];
	if (*waiting == 0 || head.version < *waiting)
		*waiting = head.version;
	return 0;
}

DLS__C_END

#endif
