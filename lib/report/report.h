/* report.h - the report: a copy of the figures of each site, and the formats in which it is written. */
#ifndef LIB_REPORT_REPORT_H
#define LIB_REPORT_REPORT_H

#include <stdio.h>

#include "lib/base/processors.h"
#include "lib/base/openmp.h"
#include "lib/report/advice.h"
#include "lib/observe/chosen.h"
#include "lib/observe/output.h"
#include "lib/observe/statistics.h"

/* A site that has been executed. */
struct dls__report_met {
	const char *name, *function;	/* function: NULL if it is not known */
	const char *asked;		/* the schedule of the next execution, unless the loop has its own */
	struct dls__statistics *statistics;
	const struct dls__chosen *chosen;	/* under auto */
	unsigned chosens;
};

/* Call visit() for each, in the order in which they were met. */
typedef void dls__each_site(void (*visit)(void *arg, const struct dls__report_met *met), void *arg);

/* A parallel region that an OpenMP runtime runs, and the time of the threads that opened it. */
struct dls__region_met {
	const char *name, *function;	/* function: "" if it is not known */
	uint64_t executions;
	double seconds;
};

/* Call visit() for each; returns how long the program has run, s.  The report has them if there is such a function; NULL: none. */
typedef double dls__each_region(void (*visit)(void *arg, const struct dls__region_met *met), void *arg);
/* What must be changed to run the loop of a name under another schedule; *loop gets the name of the loop in a
 * phase, NULL: not known. */
typedef enum dls__reach dls__reach_of(const char *name, const char **loop);
DLS_API void dls__report_set_regions(dls__each_region *each_region, dls__reach_of *reach_of);
enum dls__reach dls__report_reach(const char *name, const char **loop);

/* Write the report; the format follows from the name, which dls__report_known() has accepted.  out: NULL for a stream.
 * Returns 0 or an errno. */
int dls__report_write(const char *file, struct dls__output *out, dls__each_site *each_site);
/* Whether a name has a format; whether it stands for a stream, stderr or stdout. */
bool dls__report_known(const char *file);
bool dls__report_standard(const char *file);

/* At most so many workers are shown one by one in formats for people; formats for programs have all. */
enum { DLS__REPORT_SHOWN = 64 };

/* A schedule that the site ran under; the strings last as long as the site. */
struct dls__report_schedule {
	const char *asked, *calc, *why;		/* see ran.h */
	const char *under;			/* dls__ran_under() them */
	uint64_t executions, last;
	struct dls__coarse coarse;
	struct dls__taken taken;
};

struct dls__report_site {
	struct dls_stats stats;
	char name[3 * 64];			/* UTF-8 without control characters */
	char function[3 * 64];			/* likewise; "": not known */
	unsigned workers, rans, order;		/* in `worker`; in `ran`; sites met before it */
	bool nowait;				/* an execution had no barrier at its end */
	struct dls_worker_stats *worker;
	struct dls__report_schedule *ran;
	const struct dls__report_schedule *present;	/* of these, the one in force; NULL: none ran */
	struct dls__slowest slowest;		/* its `ran` is NULL */
	const struct dls__report_schedule *slowest_ran;
	double share;				/* of the time since the first measured loop began; NAN: not known */
	struct dls__profile_sums profile;	/* no executions: not kept */
	struct dls__taken alone;
	/* The input of advice.h, and its advice. */
	struct dls__known known;
	struct dls__tried *tried;
	double time[DLS__BUCKETS], *speed;
	unsigned chosens;
	struct dls__chosen chosen[DLS__CHOSEN];	/* by auto, the most time first */
	char repeat[DLS__REPEAT];		/* the schedule that repeats auto's choice; "": none */
	struct dls__advice advice;
};

/* A region, as in dls__region_met, with names cleaned as a site's. */
struct dls__report_region {
	char name[3 * 64], function[3 * 64];
	uint64_t executions;
	double seconds, share;			/* share: of the program's time */
};

/* Which run a report is of; UTF-8 without control characters, "": not known. */
struct dls__provenance {
	char program[256];			/* its path */
	char command[1024];			/* with its arguments, quoted as a shell wants them */
	char date[32];				/* of the report, ISO 8601 */
	char host[128];
	char runtime[DLS__RUNTIME];		/* OpenMP's; "": it was compiled without */
};
void dls__provenance_read(struct dls__provenance *provenance);

struct dls__report_facts {
	struct dls__report_site *site;		/* the most to gain first */
	unsigned sites, threads;		/* threads: the most workers that a site had */
	struct dls__processors processors;
	struct dls__report_region *region;	/* the longest first */
	unsigned regions;
	double program, serial;			/* s: the program's time, and that outside of regions */
	double ran;				/* s since the library was loaded */
	struct dls__provenance provenance;
};

/* Copy a name of up to 64 bytes, the final 0 included; U+FFFD replaces what some format cannot hold. */
void dls__report_clean(char to[3 * 64], const char *name);

/* Fill in the regions; false: there is no memory. */
bool dls__report_read_regions(struct dls__report_facts *report);

/* A unit in which a time has one to three digits before its point. */
struct dls__report_unit {
	double seconds;
	const char *ascii, *utf8;
};
const struct dls__report_unit *dls__report_unit(double seconds);

/* A time with its unit, as "12.3 ms"; "-": not known.  Returns `text`. */
enum { DLS__REPORT_TIME = 32 };
char *dls__report_time(char text[DLS__REPORT_TIME], double seconds, bool utf8);

/* The share of the workers' time that dispatching took; NAN: they had no time. */
double dls__report_overhead(const struct dls_stats *stats);

/* How much a change of schedules would gain in total, or why nothing; a sentence or two. */
void dls__report_verdict(FILE *file, const struct dls__report_facts *report, bool utf8);

/* What the figures of a site mean, in a sentence or two. */
void dls__report_reading(FILE *file, const struct dls__report_site *site, bool utf8);

/* What auto chose for loops of one size class, in a sentence without the full stop. */
void dls__report_chosen(FILE *file, const struct dls__report_site *site, const struct dls__chosen *chosen, bool utf8);

/* dls__repeat() of all sites. */
char *dls__report_repeat(const struct dls__report_facts *report);

/* Share of the time that the program's threads waited for a processor; 0 if it is too small to report. */
double dls__report_load(const struct dls__report_facts *report);

/* If the process has fewer processors than threads: a sentence for each reason, between two texts; else
 * nothing. */
void dls__report_processors(FILE *file, const struct dls__report_facts *report, const char *before, const char *after);

/* The formats. */
void dls__report_text(FILE *file, const struct dls__report_facts *report);
void dls__report_changes(FILE *file, const struct dls__report_facts *report);
void dls__report_csv(FILE *file, const struct dls__report_facts *report);
void dls__report_json(FILE *file, const struct dls__report_facts *report);
void dls__report_html(FILE *file, const struct dls__report_facts *report);

/* The pictures of a site's slowest execution; `number` tells the sites of a page apart. */
void dls__report_pictures(FILE *file, const struct dls__report_site *site, unsigned number);

/* How many of a worker's spans are joined so that at most `most` are left. */
unsigned dls__report_group(const struct dls__log *log, unsigned most);
/* So many from the i-th on as one.  Returns how many chunks it is of. */
double dls__report_joined(const struct dls__log *log, unsigned i, unsigned group,
			  struct dls__chunk_span *joined);

/* The lanes of a picture: their edges, the height of one, and the axis' unit, ns. */
struct dls__timeline {
	unsigned workers;
	int left, right, top;
	double high, unit;
};

/* The data of the picture, for a script; the script, once for all pictures of a page. */
void dls__report_timeline(FILE *file, const struct dls__slowest *slowest,
			  const struct dls__timeline *timeline);
void dls__report_timeline_script(FILE *file);

#endif
