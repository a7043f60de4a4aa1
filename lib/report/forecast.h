/* forecast.h - what a loop would take under each schedule; shared by advice.c, which says what follows. */
#ifndef LIB_REPORT_FORECAST_H
#define LIB_REPORT_FORECAST_H

#include "dls/predict.h"
#include "lib/report/advice.h"

enum { DLS__DISAGREE = 20 };	/* %: coefficient of variation of executions whose times have no useful mean */

struct dls__advising {
	const struct dls__known *known;
	struct dls__advice *advice;
	struct dls_profile profile;
	struct dls_predictor *predictor;	/* NULL: there is no profile, or no memory */
	double time[DLS__BUCKETS];
	double work, ideal;		/* s: of all iterations; spread perfectly */
	bool ordered;			/* no schedule is advised that starts iterations out of order */
	bool unequal;			/* speeds */
	bool failed;			/* there was no memory */
};

/* Forecast the schedule in force, those that were tried, and others worth a look; `monotonic`: none that
 * hands out chunks out of order.  Returns the forecast of the schedule in force; NULL: it is not known. */
struct dls__forecast *dls__forecast_all(struct dls__advising *advising, bool monotonic);

/* The schedule to recommend; NULL: no schedule's time is known. */
struct dls__forecast *dls__forecast_best(struct dls__advising *advising);

/* The measured executions under schedules that keep a worker's iterations near each other, or under the others. */
struct dls__taken dls__forecast_taken(struct dls__advising *advising, bool near);

/* Whether the schedule in force moves iterations between workers, and the cost of that was not measured.  A
 * short trial of a schedule that keeps them does not show it: its first executions still move the data. */
bool dls__forecast_moves(struct dls__advising *advising);

#endif
