/* class.c - a machine's classes of tasks, and the data that its processors send each other.
 *
 * Data count as a task from sending until `receive` has returned, since `receive` may spawn tasks (termination.c). */
#include <stdlib.h>
#include <string.h>

#include "lib/base/reading.h"
#include "lib/base/sized.h"
#include "lib/machine/vp.h"

static bool is_of(const struct dls_machine *m, const struct dls_task_type *type)
{
	for (unsigned c = 0; c < m->classes.count; c++)
		if (type == &m->classes.of[c].type)
			return true;
	return m->classes.count == 0;
}

/* Whether a type has a valid size; in older programs a type ends before `done`. */
static bool complete(const struct dls_task_type *type)
{
	return type->size == offsetof(struct dls_task_type, done) || dls__sized_complete(type, sizeof(*type));
}

int dls__class_check(const struct dls_machine *m, const struct dls_task *task)
{
	const struct dls_task_type *type = task ? task->type : NULL;

	if (!type || (type->size != sizeof(*type) && !complete(type)) ||
	    (type->grain && task->arg[1] < task->arg[0]))
		return DLS_EINVAL;
	return is_of(m, type) ? 0 : DLS_ENOENT;
}

struct dls_task *dls__class_task(struct dls_vp *vp, const struct dls_task *task)
{
	const struct dls_machine *m = vp->machine;
	const struct dls_class_desc *d = m->classes.of ? &m->classes.of[dls__class_of(m, task)].desc : NULL;
	struct dls_task *copy = dls__task_new(vp->machine, vp->pool);

	if (!copy)
		return NULL;
	*copy = *task;
	copy->origin = vp->id;
	copy->hops = 0;
	if (d && d->key)
		copy->key = d->key(copy, d->context);
	return copy;
}

/* Complete a class from its description.  The message for an error in the policy names the class. */
static int set_class(struct dls__class *class, struct dls_parse_error *error)
{
	const struct dls_class_desc *desc = &class->desc;
	const char *policy = desc->policy ? desc->policy : "none", *name = desc->name ? desc->name : "without a name";
	struct dls__input in = { { policy, strlen(policy) }, error };
	struct dls_parse_error own;
	int code;

	if (!desc->run)
		return dls__refuse(&in, DLS_EINVAL, in.all, "class %s has nothing to run", name);
	class->type = (struct dls_task_type){ .size = sizeof(class->type), .name = desc->name, .run = desc->run,
					      .context = desc->context, .bytes = desc->bytes };
	code = dls__spec_parse_of(DLS__OF_CLASS, &class->spec, policy, strlen(policy), &own);
	return code ? dls__refuse(&in, code, (struct dls__slice){ policy + own.at, own.length },
				  "policy of class %s: %s", name, own.what)
		    : 0;
}

int dls__class_set(struct dls_machine *m, const struct dls_machine_desc *desc, struct dls_parse_error *error)
{
	struct dls__input in = { { "", 0 }, error };
	const char *of = (const char *)desc->classes;
	size_t size = desc->classes->size;
	int code = 0;

	if (desc->class_count == 0 || desc->class_count > DLS_CLASSES_MAX)
		return dls__refuse(&in, DLS_ERANGE, in.all, "%u classes; 1 to %d are accepted", desc->class_count,
				   DLS_CLASSES_MAX);
	m->classes.of = calloc(desc->class_count, sizeof(*m->classes.of));
	if (!m->classes.of)
		return DLS_ENOMEM;
	m->classes.count = desc->class_count;
	for (unsigned c = 0; c < desc->class_count && !code; c++, of += size) {
		code = dls__sized_read(&m->classes.of[c].desc, sizeof(m->classes.of[c].desc), of, "dls_class_desc", error);
		if (!code && m->classes.of[c].desc.size != size)
			code = dls__refuse(&in, DLS_EINVAL, in.all, "classes 0 and %u have different sizes", c);
		if (!code)
			code = set_class(&m->classes.of[c], error);
	}
	return code;
}

int dls_class_send(struct dls_vp *vp, unsigned task_class, unsigned to, const void *data, size_t bytes)
{
	struct dls_machine *m = vp ? vp->machine : NULL;
	struct dls__msg *msg;

	if (!m || (bytes > 0 && !data))
		return DLS_EINVAL;
	if (task_class >= m->classes.count || !m->classes.of[task_class].desc.receive)
		return DLS_ENOENT;
	if (to >= m->net.processors || to == vp->id || bytes > UINT32_MAX)
		return DLS_ERANGE;
	if (vp->classes.asking)
		return DLS_EBUSY;
	msg = dls__message_to(vp, to, DLS__DATA, 0, NULL);
	if (!msg || !dls__message_data(vp, msg, data, bytes))
		return DLS_ENOMEM;
	msg->task_class = (uint8_t)task_class;
	vp->pool->data_messages++;
	vp->pool->data_bytes += bytes;
	dls__end_created(vp, 1);
	if (vp->standing.in_task && m->engine->spawn_late) {
		msg->next = vp->deferred.leaving ? vp->deferred.leaving->next : msg;
		if (vp->deferred.leaving)
			vp->deferred.leaving->next = msg;
		vp->deferred.leaving = msg;
	} else {
		m->engine->post(vp, msg);
	}
	return 0;
}

void dls__class_leave(struct dls_vp *vp)
{
	struct dls__msg *last = vp->deferred.leaving, *msg = last ? last->next : NULL, *next;

	vp->deferred.leaving = NULL;
	for (; msg; msg = msg == last ? NULL : next) {
		next = msg->next;
		msg->seen.sent = vp->machine->engine->now(vp);
		vp->machine->engine->post(vp, msg);
	}
}

void dls__class_data(struct dls_vp *vp, struct dls__msg *msg)
{
	const struct dls_class_desc *d = &vp->machine->classes.of[msg->task_class].desc;
	int code;

	vp->pool->events++;
	code = d->receive(vp, msg->from, msg->seen.data, msg->seen.bytes, d->context);
	if (code)
		dls__machine_fail(vp->machine, code);
	dls__end_done(vp);
}
