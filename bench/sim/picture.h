/* picture.h - what the pictures of dls-sim have in common: cells of time, panels above each other on one time axis. */
#ifndef PICTURE_H
#define PICTURE_H

#include "sim.h"

enum { PICTURE_LEFT = 76, PICTURE_WIDTH = 1000, PICTURE_RIGHT = 24, PICTURE_ROWS = 256 };

/* Sums of values by row and time.  Time is cut into at most CELLS cells, which double in length whenever the time exceeds them: so
 * memory and picture are bounded however long the run is, and the cells of two runs can be made alike. */
enum { PICTURE_CELLS = 2048 };
struct cells {
	unsigned rows, values, cells;
	uint64_t cell;		/* ns */
	uint64_t end;		/* of all that has been added */
	double *sum;		/* [row][cell][value] */
};

void cells_begin(struct cells *c, unsigned rows, unsigned values, unsigned cells);
/* Add `weight` for each ns of a span; add it once, at a time.  Rows behind the last are left out. */
void cells_span(struct cells *c, unsigned row, unsigned value, uint64_t from, uint64_t to, double weight);
void cells_once(struct cells *c, unsigned row, unsigned value, uint64_t time, double weight);
double *cells_at(const struct cells *c, unsigned row, unsigned cell);
void cells_halve(struct cells *c);
/* How many there are up to the end. */
unsigned cells_used(const struct cells *c);

/* A run in a picture. */
struct panel {
	char *title;
	const struct dls_strategy *strategy;
	unsigned processors;
	double time, detected;	/* ns */
	struct cells cells;
	double *row;		/* what a picture keeps for each row */
};

struct picture {
	struct panel *panel;
	size_t panels;
	double end;		/* ns, of all panels */
};

/* One more panel.  Its cells have been begun, not its rows. */
struct panel *picture_panel(struct picture *p, const struct run *run, unsigned rows, unsigned values, unsigned cells);
/* All runs are over: set the end; begin the file, end it, and free the panels. */
void picture_begin(struct picture *p, FILE *f, double height, const char *style);
void picture_end(struct picture *p, FILE *f, double bottom);
enum { PICTURE_BOTTOM = 62 };	/* below the last panel: the axis and where the picture comes from */

double picture_x(const struct picture *p, double ns);
void picture_text(FILE *f, const char *text);
/* Numbers of processors beside rows of this height; what the vertical lines are, and these. */
void picture_rows(FILE *f, unsigned rows, double top, unsigned height);
void picture_ends(const struct picture *p, FILE *f, const struct panel *panel, double x, double top, double from, double to);

#endif
