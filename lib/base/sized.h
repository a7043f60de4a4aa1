/* sized.h - descriptors and results whose first member is their size, so that later versions can add members at the end. */
#ifndef LIB_BASE_SIZED_H
#define LIB_BASE_SIZED_H

#include <stdbool.h>
#include <stddef.h>

struct dls_parse_error;

/* The size member of a descriptor or result; 0: it is not set. */
size_t dls__sized_size(const void *sized);

/* Copy a descriptor; this version knows its first `full` bytes, and members that an older program lacks become 0.
 * Returns 0; DLS_EINVAL and a text with `type`, if the size is not set, or a newer program sets unknown members. */
int dls__sized_read(void *to, size_t full, const void *from, const char *type, struct dls_parse_error *error);

/* Whether a descriptor that is kept, not copied, has the `full` bytes that every version has, and all further bytes are 0. */
bool dls__sized_complete(const void *kept, size_t full);

/* Copy a result of `full` bytes, except its size, as far as the caller's struct holds it; further members of a newer program
 * become 0.  Returns 0; DLS_EINVAL if there is no struct, or its size is not set. */
int dls__sized_write(void *to, const void *from, size_t full);

#endif
