/* tune.h - DLS_TUNE: the schedules that auto has chosen for loops, kept in a file for the next run.
 *
 * The file is read once, and written at the program's end if a choice has changed.  Only choices of this processor model and
 * this version of the library are used; those of others stay in the file. */
#ifndef LIB_OBSERVE_TUNE_H
#define LIB_OBSERVE_TUNE_H

#include <stdbool.h>
#include <stdint.h>

struct dls__chosen_count;

/* The loop of a choice: a site with a number of threads and of iterations n, as octave = round(2 log2 n). */
struct dls__tune_key {
	const char *site;	/* its name; more than 63 bytes of it do not count */
	unsigned workers, octave;
};

enum { DLS__TUNE_SCHEDULE = 64 };	/* bytes of its text, with the final 0 */

struct dls__choice {
	char schedule[DLS__TUNE_SCHEDULE];	/* its text, not empty */
	double seconds, first;		/* median time of an execution under it, and under the first guess; NAN: not known */
	uint64_t executions;		/* that this was learned from */
};

/* Read the variable and its file, with one message if something is wrong; `display`: also say what a setuid program ignores. */
void dls__tune_open(bool display);

/* For DLS_DISPLAY_ENV. */
void dls__tune_display(void);

/* Count the choices that were read. */
void dls__tune_count(struct dls__chosen_count *count);

/* Whether there is a file: only then the functions below need be called.  Whether no choice may change. */
bool dls__tune_wanted(void);
bool dls__tune_frozen(void);

/* The choice for a loop; false: there is none. */
bool dls__tune_find(const struct dls__tune_key *key, struct dls__choice *choice);

/* The schedule of a choice that was found cannot be used: print a message, once. */
void dls__tune_refuse(const struct dls__tune_key *key, const struct dls__choice *choice);

/* Set or replace a choice.  Does nothing without a file, or if it is frozen. */
void dls__tune_set(const struct dls__tune_key *key, const struct dls__choice *choice);

#endif
