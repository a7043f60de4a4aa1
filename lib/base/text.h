/* text.h - names of sites as files may hold them. */
#ifndef LIB_BASE_TEXT_H
#define LIB_BASE_TEXT_H

#include <stddef.h>

/* Bytes of the character at `text`, of UTF-8 and such as XML may hold; 0: there is none. */
size_t dls__character(const char *text);

#endif
