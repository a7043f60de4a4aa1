/* variable.h - one variable of the environment: as a flag, as a text, displayed. */
#ifndef LIB_BASE_VARIABLE_H
#define LIB_BASE_VARIABLE_H

#include <stdbool.h>
#include <stddef.h>

bool dls__blank(const char *text, size_t length);

/* The value of a variable: 0, 1, true or false.  Unset and blank mean false; so does anything else, after a
 * message. */
bool dls__variable_flag(const char *name);

/* DLS_CHECK, read once: machines check the rules of dls/strategy.h that take time to check. */
bool dls__check(void);

/* Whether variables that name files may be read: not in a program with more rights than its user (setuid). */
bool dls__variables_trusted(void);

/* A copy of the value of a variable that names a file, since setenv() may come later; NULL: it is unset or blank, or, after a
 * message, there is no memory.  A program with more rights than its user (setuid) ignores the variable, with a message if
 * `display`. */
char *dls__variable_text(const char *name, bool display);

/* Lines of DLS_DISPLAY_ENV: NAME = 'VALUE' [WHERE]; where: may be NULL. */
void dls__variable_display(const char *name, const char *value, const char *where);
void dls__variable_display_flag(const char *name, bool value);

#endif
