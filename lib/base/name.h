/* name.h - how names of schedules, nets, keys and values match; numbers in names. */
#ifndef LIB_BASE_NAME_H
#define LIB_BASE_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Search for the name that a mistyped one may stand for; starts as { written, length }. */
struct dls__nearest {
	const char *written;
	size_t length;
	const char *name;	/* the nearest so far, `name_length` bytes; NULL: none is near */
	size_t name_length;
	unsigned distance;	/* 2 for each letter changed, added, left out or swapped; the first: 1 */
};

/* Consider a name.  It is near if at most a third of the written letters are wrong. */
void dls__nearest_try(struct dls__nearest *nearest, const char *name, size_t length);

/* Whether `name`, length bytes of any kind, is this name or one of these aliases; NULL: there are none. */
bool dls__named(const char *name, size_t length, const char *canonical, const char *aliases);

/* Compare a written name with a canonical one: case, blanks, dashes and underscores do not matter. */
bool dls__name_equal(const char *written, size_t length, const char *name, size_t name_length);

/* Whether a name can be registered: lower case letters, digits, - and _, a letter first, 31 characters at most. */
bool dls__name_good(const char *name, size_t length);

/* Write a number, and a 0 after it, where this returns.  The first use of snprintf() takes some us. */
char *dls__name_number(char *to, int64_t number);

#endif
