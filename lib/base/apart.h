/* apart.h - how far apart what different threads write lies. */
#ifndef LIB_BASE_APART_H
#define LIB_BASE_APART_H

/* Bytes: two cache lines, since the hardware fetches them in pairs. */
enum { DLS__APART = 128 };

#endif
