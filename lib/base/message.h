/* message.h - lines on stderr. */
#ifndef LIB_BASE_MESSAGE_H
#define LIB_BASE_MESSAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* "libdls: " + the message + newline, as one write; control characters in it as \xNN. */
void dls__tell_user(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For a message that is printed once: whether this thread prints it. */
static inline bool dls__first_to_tell(atomic_flag *told)
{
	/* relaxed: guards the message alone. */
	return !atomic_flag_test_and_set_explicit(told, memory_order_relaxed);
}

/* A line, then abort(): the program has broken a rule and cannot go on. */
_Noreturn void dls__fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Bytes of a quotation of at most 200 bytes, the final 0 included. */
enum { DLS__QUOTE = 200 + 24 };

/* Quote at most 200 bytes of text around the `marked` ones at `at`, which are put in brackets unless both are 0.  Omitted text
 * is shown as "...", an unprintable byte as \xNN.  Returns `out`. */
char *dls__quote(char out[DLS__QUOTE], const char *text, size_t length, size_t at, size_t marked);

#endif
