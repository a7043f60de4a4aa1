/* reading.h - texts that users write: splitting, reading numbers, refusing, and writing back. */
#ifndef LIB_BASE_READING_H
#define LIB_BASE_READING_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dls/error.h"

/* A part of a text. */
struct dls__slice {
	const char *s;
	size_t n;
};

/* A whole text, and the place for a description of what is wrong with it; NULL: none. */
struct dls__reading {
	struct dls__slice all;
	struct dls_parse_error *error;
};

/* The slice without the blanks around it. */
struct dls__slice dls__trim(struct dls__slice t);

/* Cut `rest` at the first `c`: returns the text before it, trimmed; rest->s is NULL if there was no `c`. */
struct dls__slice dls__cut(struct dls__slice *rest, char c);

/* A real number in plain decimal notation; NAN if it is anything else. */
double dls__real(struct dls__slice t);

/* A whole number; false if it is anything else.  *fits is false if the number is negative or too large. */
bool dls__whole(struct dls__slice t, uint64_t *value, bool *fits);

/* The index of a word in `words`, which are separated by blanks; -1: it is not among them. */
int dls__word(struct dls__slice t, const char *words);

/* Describe what is wrong with the part `where` of the text; returns `code`. */
int dls__refuse(const struct dls__reading *in, int code, struct dls__slice where, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Bytes of the UTF-8 character at `text`, if XML allows it; 0: no such character. */
size_t dls__character(const char *text);

/* Numbers are written with a point everywhere: enter the C locale; leave it with uselocale(). */
locale_t dls__enter_c_locale(void);

/* Writes text of any length into a buffer that may be too small. */
struct dls__printer {
	char *text;
	size_t size, length;	/* of the buffer; of the text so far */
};

void dls__put(struct dls__printer *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Write a number with the fewest digits that read back as the same value, in the C locale. */
void dls__put_real(struct dls__printer *to, double value);

/* The i-th of several words. */
void dls__put_word(struct dls__printer *to, const char *words, uint64_t i);

#endif
