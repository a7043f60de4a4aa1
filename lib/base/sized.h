/* sized.h - descriptors and results whose first member is their size, so that later versions can add members at the end. */
#ifndef LIB_BASE_SIZED_H
#define LIB_BASE_SIZED_H

#include <stddef.h>

struct dls_parse_error;

/* The size that one says it has; 0: it is not set. */
size_t dls__sized_size(const void *sized);

/* Copy a descriptor, of which this version knows `full` bytes; members that an older program's lacks are 0.
 * 0; DLS_EINVAL and a text with `type`, if its size is not set, or a newer program sets members that are not known. */
int dls__sized_read(void *to, size_t full, const void *from, const char *type, struct dls_parse_error *error);

/* Copy as much of a result of `full` bytes as the caller's holds, all but the size; what a newer program's has beyond is 0.
 * 0; DLS_EINVAL if there is none, or its size is not set. */
int dls__sized_write(void *to, const void *from, size_t full);

#endif
