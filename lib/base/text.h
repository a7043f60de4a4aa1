/* text.h - characters that reports may contain. */
#ifndef LIB_BASE_TEXT_H
#define LIB_BASE_TEXT_H

#include <stddef.h>

/* Bytes of the UTF-8 character at `text`, if XML allows it; 0: no such character. */
size_t dls__character(const char *text);

#endif
