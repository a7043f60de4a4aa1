/* observers.h - the settings of DLS_REPORT, DLS_TRACE, DLS_TRACE_LIMIT and DLS_PROGRESS. */
#ifndef LIB_REPORT_OBSERVERS_H
#define LIB_REPORT_OBSERVERS_H

#include "lib/report/report.h"

struct dls__observers {
	bool report, pictures, trace, progress;
};

/* Read them, and have the files written at the program's end; `display`: also say what a setuid program ignores.
 * each_site: as in dls__report_write(). */
void dls__observers_read(struct dls__observers *observers, dls__each_site *each_site, bool display);

/* Before they are read: have all loops measured as for a report. */
DLS_API void dls__observers_measure(void);

/* Read DLS_TRACE and its limit alone, before all other variables; returns whether there is a trace. */
bool dls__observers_trace(bool display);

/* For DLS_DISPLAY_ENV. */
void dls__observers_display(const struct dls__observers *observers);

#endif
