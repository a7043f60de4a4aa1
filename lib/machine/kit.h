/* kit.h - functions for an engine outside of libdls.so: a table; the processors are those of step.h.
 *
 * Both libraries are compiled from these headers: raise DLS__KIT whenever struct dls_machine, struct dls__engine, struct dls__stepper,
 * struct dls__msg, struct dls__serializer or this table changes. */
#ifndef LIB_MACHINE_KIT_H
#define LIB_MACHINE_KIT_H

#include "dls/error.h"
#include "lib/machine/step.h"

enum { DLS__KIT = 4 };

struct dls__engine_kit {
	/* Register an engine, so that machines find it by its name; NULL: withdraw it.  DLS_EBUSY if there is one already.
	 * Threads: one at a time, while no machine is being opened. */
	int (*enlist)(const struct dls__engine *engine);
	struct dls_run_result (*result)(const struct dls_machine *machine);	/* of this process's processors */

	/* step.h */
	int (*open)(struct dls__stepper *s);
	void (*close)(struct dls__stepper *s);
	void (*begin)(struct dls__stepper *s, uint64_t begin);
	void (*end)(struct dls__stepper *s);
	void (*handle)(struct dls__stepper *s);
	enum dls__step (*step)(struct dls__stepper *s);
	void (*attend)(struct dls__stepper *s);		/* a step that does not take a task */
	void (*spend_on)(struct dls__stepper *s, enum dls__activity activity);
	uint64_t (*now)(const struct dls_vp *vp);
	void (*post)(struct dls_vp *from, struct dls__msg *msg);	/* to a processor of this process */
	void (*timer)(struct dls_vp *vp, struct dls__msg *msg, uint64_t delay);
	void (*stats)(const struct dls_vp *vp, struct dls_processor_stats *stats);
	uint64_t (*clock)(void);

	/* vp.h, machine.h, queue.h */
	void (*start)(struct dls_vp *vp);
	int (*run)(struct dls_vp *vp);
	void (*done)(struct dls_vp *vp);
	uint64_t (*work)(const struct dls_vp *vp);
	struct dls__msg *(*msg_new)(struct dls_vp *vp);
	void (*msg_free)(struct dls_vp *vp, struct dls__msg *msg);
	struct dls_task *(*task_new)(struct dls_machine *machine, struct dls__pool *pool);
	void (*task_free)(struct dls__pool *pool, struct dls_task *task);
	void *(*data_new)(struct dls_vp *vp, size_t bytes);
	void (*data_free)(struct dls__pool *pool, const void *data);
	void (*push)(const struct dls_machine *machine, struct dls__tasks *to, struct dls_task *task);
};

/* NULL: this libdls is of another version. */
DLS_API const struct dls__engine_kit *dls__engine_kit(unsigned version);

#endif
