/* scene.h - what is said of a program's regions at its end. */
#ifndef LIB_OMP_SCENE_H
#define LIB_OMP_SCENE_H

#include <stdbool.h>

/* At the program's end, print the most worthwhile changes; and how much of the time was spent in regions. */
void dls__scene_report(bool advise, bool share);

#endif
