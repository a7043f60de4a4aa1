/* fuzz.h - what the libFuzzer targets share.  Each takes any bytes; what does not hold aborts. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dls/error.h"

static inline void must(bool ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "not so: %s\n", what);
		abort();
	}
}

#define MUST(condition) must(condition, #condition)

/* A copy with a 0 behind it, after `head`; to be freed.  A byte too far is outside of it. */
static inline char *fuzz_text(const char *head, const uint8_t *data, size_t size)
{
	size_t n = strlen(head);
	char *text = malloc(n + size + 1);

	MUST(text);
	memcpy(text, head, n);
	if (size)
		memcpy(text + n, data, size);
	text[n + size] = 0;
	return text;
}

/* FNV-1a: draws numbers from a text, so that the corpus holds plain texts. */
static inline uint64_t fuzz_hash(const char *text)
{
	uint64_t h = 0xcbf29ce484222325;

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3;
	return h ^ h >> 29;
}

/* One line, that can be printed, and not cut. */
static inline void fuzz_line(const char *what, size_t size)
{
	const char *end = memchr(what, 0, size);

	MUST(end && end > what && end < what + size - 1);
	for (const char *c = what; c < end; c++)
		MUST(*c >= ' ' && *c <= '~');
}

#define FUZZ_UNSAID (struct dls_parse_error){ .at = (size_t)-1 }

/* Whether a text of so many bytes is accepted: then it is `made` and nothing is said, else it is not, and what is said fits the text. */
static inline bool fuzz_accepts(bool made, size_t length, int code, const struct dls_parse_error *error)
{
	MUST(made == !code);
	if (made) {
		MUST(error->at == (size_t)-1);
		return true;
	}
	MUST(code == DLS_EINVAL || code == DLS_ERANGE || code == DLS_ENOENT);
	MUST(error->at <= length && error->length <= length - error->at);
	fuzz_line(error->what, sizeof(error->what));
	return false;
}

/* The canonical text of a thing, to be freed; it must be written alike into a buffer of any size. */
static inline char *fuzz_print(size_t (*print)(const void *thing, char *text, size_t size), const void *thing)
{
	size_t length = print(thing, NULL, 0), cut = length / 2 + 1;
	char *text = malloc(length + 1), *part = malloc(cut);

	MUST(text && part);
	MUST(print(thing, text, length + 1) == length && strlen(text) == length);
	MUST(print(thing, part, cut) == length && strlen(part) == cut - 1);
	MUST(memcmp(part, text, cut - 1) == 0);
	free(part);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
