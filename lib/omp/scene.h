/* scene.h - the report on a program's regions at its end. */
#ifndef LIB_OMP_SCENE_H
#define LIB_OMP_SCENE_H

#include <stdbool.h>

/* Have reports include regions.  advise: at the program's end, print how much of the time was spent in regions, and the most worthwhile
 * changes. */
void dls__scene_report(bool advise);

#endif
