/* dls/load.h - loads by name: the tasks that dls-sim fills machines with.  A plug-in adds its own by dls_load_register(). */
#ifndef DLS_LOAD_H
#define DLS_LOAD_H

#include <stddef.h>
#include <stdint.h>

#include "dls/error.h"

DLS__C_BEGIN

struct dls_machine;

/** The load to be made; a load may ignore some members. */
struct dls_load_desc {
	size_t size;		/* sizeof(struct dls_load_desc) of the library */
	const char *args;	/* what follows its name and a comma; "": nothing */
	unsigned processors;
	uint64_t tasks;		/* of each processor */
	double grain;		/* mean time of a task, s */
	uint64_t seed;
};

/** A load.
 *
 * fill  add the tasks by dls_machine_add() or dls_machine_add_at(), the same for the same description.  They need a cost, or call
 *       dls_vp_spend(), and may spawn others.  Returns 0; DLS_EINVAL for `args` that it does not accept; another DLS_E code */
struct dls_load {
	size_t size;		/* sizeof(struct dls_load) */
	const char *name;	/* lower case letters, digits and dashes */
	const char *form;	/* how users write it, for messages: "waves[,height=H]" */
	const char *idea;	/* in one line; may be NULL */
	int (*fill)(struct dls_machine *machine, const struct dls_load_desc *desc);
};

/** Add a load.
 *
 * load  copied; its function and texts are kept: they must last as long as the program
 *
 * Returns 0; DLS_EINVAL `size` is not set, or a member missing; DLS_EEXIST the name is taken; DLS_ENOMEM.  Threads: any. */
DLS_API int dls_load_register(const struct dls_load *load);

/** Find a load by its name, the text before the first comma; case, blanks, dashes and underscores do not
 * matter.  NULL: not found.
 *
 * Threads: any. */
DLS_API const struct dls_load *dls_load_find(const char *name);

/** The i-th load that was registered; NULL past the last.  Threads: any. */
DLS_API const struct dls_load *dls_load_at(size_t i);

DLS__C_END

#endif
