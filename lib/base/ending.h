/* ending.h - functions that write files when the program ends by exit(), or by SIGINT, SIGTERM or SIGHUP if those would end it. */
#ifndef LIB_BASE_ENDING_H
#define LIB_BASE_ENDING_H

#include <stdbool.h>
#include <sys/types.h>

#include "dls/error.h"

struct dls__ending {
	void (*write)(void);
	struct dls__ending *next;	/* ending.c's own, like the next */
	pid_t process;
};

/* Have a function called once at the end of this process, the last one first.  Children made by fork() do not call it.  `ending` is
 * kept.  Threads: any. */
DLS_API void dls__at_end(struct dls__ending *ending);

/* From now on call the registered functions also when a signal ends the program.  Threads: any. */
void dls__watch_signals(void);

#endif
