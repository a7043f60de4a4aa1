/* name.h - how names of schedules, nets, keys and values match. */
#ifndef LIB_BASE_NAME_H
#define LIB_BASE_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Whether `name`, length bytes of any kind, is this name or one of these aliases; NULL: there are none. */
bool dls__named(const char *name, size_t length, const char *canonical, const char *aliases);

/* Compare a written name with a canonical one: case, blanks, dashes and underscores do not matter. */
bool dls__name_equal(const char *written, size_t length, const char *name, size_t name_length);

/* Whether a name can be registered: lower case letters, digits, - and _, a letter first, 31 characters at most. */
bool dls__name_good(const char *name, size_t length);

#endif
