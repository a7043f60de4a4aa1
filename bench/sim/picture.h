/* picture.h - the parts that all pictures of dls-sim have: cells of time, panels above each other on one time axis. */
#ifndef PICTURE_H
#define PICTURE_H

#include "bench/tool/svg.h"
#include "sim.h"

/* The margins beside the data; most rows. */
enum { PICTURE_LEFT = 76, PICTURE_RIGHT = 24, PICTURE_ROWS = 256 };
/* The width of the data: in a lecture's picture less, so that type is larger. */
unsigned picture_width(void);

/* Sums of values by row and time.  Time is cut into at most CELLS cells, which double in length whenever the time exceeds them: so
 * memory and picture are bounded however long the run is, and the cells of two runs can be made alike. */
enum { PICTURE_CELLS = 2048 };
struct cells {
	unsigned rows, values, cells;
	uint64_t cell;		/* ns */
	uint64_t end;		/* of all that has been added */
	double *sum;		/* [row][cell][value] */
};

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
	double time, detected;	/* ns */
	struct cells cells;
	unsigned lane, high;	/* pixels of a row; of all, with what is between panels */
	double *row;		/* what a picture keeps for each row */
};

struct picture {
	struct panel *panel;
	size_t panels;
	double begin, end;	/* ns, of all panels */
};

/* Add a panel with a row for each of the first PICTURE_ROWS processors; the caller fills in the rows.
 * lane  a row's height in panels of up to 16, 48, 128 rows; with more it is 3.  NULL: one row, whose height the caller sets */
struct panel *picture_panel(struct picture *p, const struct run *run, unsigned values, unsigned cells, const unsigned lane[3]);
/* How a picture draws a panel: items of its legend, and below that the data, from `top` on; `style` and `dark` as for
 * tool_svg_end(); below: a text on the left below the last panel, NULL: none. */
struct picture_way {
	void (*legend)(struct tool_svg_words *words, const struct panel *panel);
	void (*draw)(FILE *file, const struct panel *panel, double top);
	const char *style, *dark, *below;
};
/* All runs are over: write the file, panel by panel, and free them. */
void picture_close(struct picture *p, FILE *f, const struct picture_way *way);
/* A square of a class, and what it is. */
void picture_item(struct tool_svg_words *words, const char *class, const char *text);

double picture_x(const struct picture *p, double ns);
/* Where a cell of a panel begins, or the last one ends. */
double picture_cell(const struct picture *p, const struct panel *panel, unsigned cell);
/* Numbers of processors beside the rows; where all that is drawn of the run ends. */
void picture_rows(FILE *f, const struct panel *panel, double top);
double picture_end(const struct picture *p, const struct panel *panel);

#endif
