/* ran.h - which schedule an execution ran under, as three texts of statistics, traces and reports.
 *
 * asked  the schedule in force, as dls_schedule_print() writes it
 * ran    the calculator or strategy that dealt the loop; under auto the schedule that auto chose;
 *	  "native" or "parts": the program's runtime dealt it under `asked`
 * why why `asked` did not run, in words; NULL: it ran */
#ifndef LIB_OBSERVE_RAN_H
#define LIB_OBSERVE_RAN_H

#include <stdbool.h>

/* Whether `asked` leaves the choice to auto. */
bool dls__ran_auto(const char *asked);

/* Whether the program's runtime dealt the loop, or the parts of a region between its barriers. */
bool dls__ran_native(const char *ran);

/* The schedule: `asked`, unless that left the choice to auto or could not run. */
const char *dls__ran_under(const char *asked, const char *ran, const char *why);

#endif
