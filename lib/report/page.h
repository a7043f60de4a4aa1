/* page.h - parts that the pages of the report and of dls-advise share: head and end, advice with its pictures. */
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

#endif
