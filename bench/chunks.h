/* chunks.h - what the files of dls-chunks share. */
#ifndef CHUNKS_H
#define CHUNKS_H

#include "dls.h"
#include "tool.h"

/* Most rows of --csv and --json, and most sizes asked of one calculator that cannot repeat. */
#define ROWS_MAX 10000000u

/* Of a long sequence the table shows so many runs of equal chunks at its start, and so many at its end. */
enum { HEAD = 20, TAIL = 4 };

struct run {
	uint64_t size, times;
};

/* A schedule and what its sequence comes to. */
struct row {
	char *label;
	struct dls_schedule *schedule;
	const struct dls_calc *calc;
	char missing[32];	/* what the schedule named needs, if another runs in its place */
	uint64_t chunks, largest, smallest, runs;
	bool endless;		/* more than ROWS_MAX steps: the figures are those of the first */
	struct run shown[HEAD + TAIL];
};

extern uint64_t chunks_n;	/* iterations */
extern unsigned chunks_p;	/* workers */

/* A calculator's sequence, read run by run; the reader frees `state`. */
struct walk {
	const struct dls_calc *calc;
	char *state;		/* DLS_STATE_MAX bytes for each that asks */
	unsigned askers, asker;
	uint64_t min, R, steps;
	bool cut;		/* all that is left is what the end leaves of a repeated chunk */
	struct run ahead;	/* no times: the end */
};
void chunks_begin(struct walk *walk, const struct row *row);
bool chunks_next(struct walk *walk, struct run *run);

/* Fill in the figures of a row. */
void chunks_survey(struct row *row);

void chunks_print_text(const struct row *row, size_t rows);
void chunks_print_rows(const struct row *row, size_t rows, enum tool_format format);
void chunks_plot(const struct row *row, size_t rows, const char *file);

#endif
