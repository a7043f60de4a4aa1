/* unseen.h - a report that was asked for of a process in which the library has seen no loop. */
#ifndef LIB_SITE_UNSEEN_H
#define LIB_SITE_UNSEEN_H

#include <stdbool.h>

#include "dls/error.h"

/* Have the process's end say so if DLS_REPORT is given and the environment is not `known` then. */
void dls__unseen_ask(bool (*known)(void));

/* libdls-omp.so is there, as in all that the program starts; said before there are other threads.  Whether this process is the one
 * that dls-run has started, which alone says that no loop was seen. */
DLS_API void dls__foreign_loaded(void);
DLS_API bool dls__foreign_run(void);

#endif
