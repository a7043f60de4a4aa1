/* page.h - parts that pages and pictures share: head and end, advice with its pictures, axes. */
#ifndef LIB_REPORT_PAGE_H
#define LIB_REPORT_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/report/advice.h"

/* Whether pages open in large type; tools set it. */
extern bool dls__page_lecture;

/* The page up to its first heading; it ends with dls__page_end(). */
void dls__page_begin(FILE *file, const char *title);
void dls__page_end(FILE *file);

/* A text, for the inside of an element or an attribute. */
void dls__page_escape(FILE *file, const char *text);

/* Each %s is a text to be escaped; there is nothing else after a '%'. */
void dls__page_put(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Advice as paragraphs, and a picture: cost per iteration by position; NULL, or of no bars: none. */
void dls__page_advice(FILE *file, const struct dls__bars *bars, const struct dls__advice *advice);

/* A picture of the time of every schedule: bars for predictions, dots for measurements; nothing if none is known. */
void dls__page_forecasts(FILE *file, const struct dls__forecast *forecast, unsigned forecasts, double ideal, const char *title);

/* Sizes of a page's picture, and of the margins around its data. */
enum {
	DLS__PICTURE_WIDTH = 560, DLS__PICTURE_LEFT = 82, DLS__PICTURE_RIGHT = 96, DLS__PICTURE_TOP = 26,
	DLS__PICTURE_BOTTOM = 44,
};

struct dls__axis {
	double from, to;	/* values, in the unit of the ticks */
	double at_from, at_to;	/* where they are */
	bool log;
};

double dls__axis_place(const struct dls__axis *axis, double value);

/* The k-th tick, from 0, of at most some `most`: 1, 2 or 5 times a power of ten; `whole`: at whole numbers.
 * False: there is none. */
bool dls__axis_tick(const struct dls__axis *axis, unsigned most, bool whole, unsigned k, double *value);
/* All of them, with their numbers. */
void dls__axis_ticks(FILE *file, const struct dls__axis *axis, bool upright, bool whole);

void dls__picture_begin(FILE *file, double height, const char *label);
/* An axis below the data, from `left` on, with its ticks and its name, in two parts; the picture ends. */
void dls__picture_end(FILE *file, double bottom, int left, const struct dls__axis *axis, bool whole,
		      const char *name, const char *more);

#endif
