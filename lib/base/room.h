/* room.h - work that needs more stack than a thread may have: OMP_STACKSIZE may be as small as the system
 * allows (room.c). */
#ifndef LIB_BASE_ROOM_H
#define LIB_BASE_ROOM_H

/* This thread is an OpenMP runtime's, and may have a small stack. */
void dls__narrow(void);

/* Run f(arg), on such a thread with another stack if there is memory for one. */
void dls__with_room(void (*f)(void *arg), void *arg);

#endif
