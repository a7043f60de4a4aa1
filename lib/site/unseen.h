/* unseen.h - at the end of a process: loops that were asked for and not seen. */
#ifndef LIB_SITE_UNSEEN_H
#define LIB_SITE_UNSEEN_H

#include <stdbool.h>

#include "dls/error.h"

/* Have the process's end say so if DLS_REPORT is given and the environment is not `known` then; call end() if it is.  Said before
 * the program registers functions of its own: end() comes after those. */
void dls__unseen_ask(bool (*known)(void), void (*end)(void));

/* libdls-omp.so is loaded, as into all programs that the program starts; called before there are other threads.  Only the process that
 * dls-run itself has started then says that it has seen no loop. */
DLS_API void dls__foreign_loaded(void);
DLS_API bool dls__foreign_run(void);
/* Whether it is that process, and has removed from its environment what dls-run put there. */
bool dls__foreign_cleared(void);

#endif
