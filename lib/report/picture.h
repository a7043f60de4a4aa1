/* picture.h - parts that all pictures of a page share: size, axes, ticks. */
#ifndef LIB_REPORT_PICTURE_H
#define LIB_REPORT_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

/* Sizes of a picture, and of the margins around its data. */
enum {
	DLS__PICTURE_WIDTH = 760, DLS__PICTURE_LEFT = 82, DLS__PICTURE_RIGHT = 96, DLS__PICTURE_TOP = 26, DLS__PICTURE_BOTTOM = 44,
};

struct dls__axis {
	double from, to;	/* values, in the unit of the ticks */
	double at_from, at_to;	/* where they are */
	bool log;
};

double dls__axis_place(const struct dls__axis *axis, double value);

/* Ticks at 1, 2 or 5 times a power of ten; `whole`: at whole numbers.  A logarithmic axis goes from power to power. */
void dls__axis_ticks(FILE *file, const struct dls__axis *axis, bool upright, bool whole);

void dls__picture_begin(FILE *file, double height, const char *label);
/* An axis below the data, from `left` on, with its ticks and its name, in two parts; the picture ends. */
void dls__picture_end(FILE *file, double bottom, int left, const struct dls__axis *axis, bool whole, const char *name, const char *more);

#endif
