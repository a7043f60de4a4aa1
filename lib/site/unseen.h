/* unseen.h - a report is asked for, but the library sees no loop in the process. */
#ifndef LIB_SITE_UNSEEN_H
#define LIB_SITE_UNSEEN_H

#include <stdbool.h>

#include "dls/error.h"

/* If DLS_REPORT is set, print a line at the process's end unless known() says that the environment was read. */
void dls__unseen_ask(bool (*known)(void));

/* libdls-omp.so is loaded, as into all programs that the program starts; called before there are other threads.  Only the process that
 * dls-run itself has started then says that it has seen no loop. */
DLS_API void dls__foreign_loaded(void);
DLS_API bool dls__foreign_run(void);

#endif
