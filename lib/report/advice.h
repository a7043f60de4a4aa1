/* advice.h - what to change about a loop: the schedule that would be faster, or why none would.
 *
 * Pure: figures in, texts and predictions out.  Times are seconds; those of a loop are means of its measured executions. */
#ifndef LIB_REPORT_ADVICE_H
#define LIB_REPORT_ADVICE_H

#include <stdbool.h>

#include "lib/observe/ran.h"
#include "lib/predict/profile.h"

/* A schedule that a loop ran under. */
struct dls__tried {
	const char *schedule;
	struct dls__taken taken;
};

/* What must be changed to run a loop under another schedule.  In an unmodified program: */
enum dls__reach {
	DLS__REACH_OWN,		/* nothing: a loop of libdls's macros or functions */
	DLS__REACH_ANY_ORDER,	/* an entry of DLS_SCHEDULE for its name, with any schedule */
	DLS__REACH_ENTRY,	/* ... that starts iterations in order: the program may allow no other */
	DLS__REACH_ALONE,	/* the same: a static loop, which is its whole region and cannot know who runs it */
	DLS__REACH_SOURCE,	/* schedule(runtime) in its source: any other static loop */
	DLS__REACH_PHASE,	/* the same, if it is a loop: it is what threads did between two barriers */
	DLS__REACH_OTHER,	/* the same, and it has what no schedule changes: sections; tasks, which waiting threads run */
	DLS__REACHES
};

/* Their names in JSON; NULL of a loop of libdls. */
extern const char *const dls__reaches[DLS__REACHES];

/* What is known of a loop. */
struct dls__known {
	const char *name;
	unsigned workers;
	const double *speed;		/* of each worker, 1 being that of the profile; NULL: all 1 */
	const double *time;		/* in each of DLS__BUCKETS buckets, of all iterations; NULL: not known */
	const double *variance;		/* of the time of an iteration in each bucket, s^2; NULL: not known */
	double n;			/* iterations */
	double longest;			/* of them, a lower bound; 0: not known */
	double spread;			/* coefficient of variation of the executions' work */
	double efficiency;		/* mean / longest busy time; NAN: not known */
	const char *now;		/* the schedule in force; NULL: not known */
	bool ordered;			/* chunks must come in order, even if `now`, chosen by auto, does not say so */
	const struct dls__tried *tried;
	unsigned trieds;
	struct dls__taken alone;	/* by one worker; no executions: never */
	bool elsewhere;			/* predict for other workers than those measured */
	enum dls__reach reach;
	const char *loop;		/* DLS__REACH_PHASE: the name of the loop in it; NULL: not known */
	bool blocks;			/* the program's runtime has dealt it by static: its threads' parts are known */
	double saving;			/* share of its time that a perfect balance at no cost would save; NAN: not known */
	double share;			/* of the program's time that it takes; NAN: not known */
	double mean;			/* s, of an execution; NAN: not known */
};

enum { DLS__FORECASTS = 40, DLS__ADVICE_LINES = 8, DLS__ADVICE_TEXT = 240, DLS__FORECAST_TEXT = 64 };

/* A loop under one schedule. */
struct dls__forecast {
	char schedule[DLS__FORECAST_TEXT];
	double time;			/* predicted; NAN: it cannot be */
	double idle;			/* share of the workers' time, predicted */
	double chunks;
	double measured;		/* NAN: it was not */
	double expected;		/* measured, or predicted as far as predictions were right; NAN: not known */
	bool now, best;			/* in force; recommended */
	bool near;			/* it keeps a worker's iterations near each other */
	bool unordered;			/* it starts iterations out of order */
};

struct dls__advice {
	double ideal;			/* time of perfect balance at no cost; NAN: not known, or too large */
	bool absolute;			/* executions agree: times mean something */
	bool busy;			/* executions disagree with each other or with their iterations: nothing is recommended */
	bool moves;			/* any worker gets any iteration, and the cost was not measured */
	bool worthwhile;		/* the first line says what to change */
	char instead[DLS__FORECAST_TEXT];	/* ... the schedule to change to; else one to try, or "" */
	bool entry;			/* ... by an entry of DLS_SCHEDULE for the loop's name */
	double gain;			/* ... the share of the loop's time that it saves */
	bool measured;			/* ... which was measured, not predicted */
	unsigned forecasts, lines;
	struct dls__forecast forecast[DLS__FORECASTS];
	char line[DLS__ADVICE_LINES][DLS__ADVICE_TEXT];
};

/* Whether a schedule's text asks for chunks in order. */
bool dls__in_order(const char *schedule);

/* A schedule that auto has chosen, for the loops of a name. */
struct dls__entry {
	const char *name, *schedule;
};

/* The schedule by which an entry of DLS_SCHEDULE repeats auto's choice, where `asked` left that to auto. */
enum { DLS__REPEAT = 128 };
void dls__repeat_of(char text[DLS__REPEAT], const char *asked, const char *choice);

/* The line DLS_SCHEDULE='...' that repeats them, and one for each whose name it cannot hold; to be freed.  Sorts
 * the entries.  NULL: there are none, or no memory. */
char *dls__repeat(struct dls__entry *entry, size_t entries);

/* Advise on a loop; false: memory ran out, and the advice is not complete. */
bool dls__advise(const struct dls__known *known, struct dls__advice *advice);

#endif
