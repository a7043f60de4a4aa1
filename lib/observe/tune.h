/* tune.h - DLS_TUNE: which schedules loops came to run under, kept in a file for the next run.
 *
 * The file is read once, and written at the program's end if a choice has changed.  Only choices of this processor model and
 * this version of the library are used; those of others stay in the file. */
#ifndef LIB_OBSERVE_TUNE_H
#define LIB_OBSERVE_TUNE_H

#include <stdbool.h>
#include <stdint.h>

struct dls__chosen_count;

/* Of what a choice is: a loop with so many threads, and n iterations, octave being round(2 log2 n). */
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

/* Whether there is a file: only then the others need be called; whether no choice may change. */
bool dls__tune_wanted(void);
bool dls__tune_frozen(void);

/* The choice for a loop; false: there is none. */
bool dls__tune_find(const struct dls__tune_key *key, struct dls__choice *choice);

/* A choice that was found has a schedule that cannot be used: the first time, say so. */
void dls__tune_refuse(const struct dls__tune_key *key, const struct dls__choice *choice);

/* Choose, or choose anew.  Does nothing without a file, or if it is frozen. */
void dls__tune_set(const struct dls__tune_key *key, const struct dls__choice *choice);

/* Keep other threads from all this, around fork().  The child goes on with the choices, and does not write the file. */
void dls__tune_lock(void);
void dls__tune_unlock(void);

#endif
