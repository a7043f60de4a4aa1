/* stay.h - the module that has the library stays loaded. */
#ifndef LIB_BASE_STAY_H
#define LIB_BASE_STAY_H

/* Keep the shared object with this function from being unloaded by dlclose(): what the library has registered and started must last.
 * libdls.so has a flag for that, a plug-in that is linked with libdls.a has not. */
void dls__stay_loaded(void);

#endif
