/* verdict.c - the report's first sentences: what a change of schedules would gain in all, or why nothing. */
#include <math.h>
#include <string.h>

#include "lib/report/report.h"

#define MISS 0.03		/* of a loop's time: the predictions' error */
#define LITTLE 0.05		/* of the program's time: loops that take less are not worth a schedule */
#define WORTH 0.01		/* of the program's time: smaller gains count as none */

enum { NAMED = 3 };		/* loops that are named */

/* Sums over the measured loops, s. */
struct sums {
	unsigned loops;
	double wall, saving;		/* saving: what of `wall` a perfect balance would save */
	double busy;			/* wall of those whose executions disagree */
	const struct dls__report_site *busiest;		/* of these; NULL: there are none */
	double moving;			/* wall of loops advised to try a schedule that keeps data in place */
	const struct dls__report_site *mover;		/* the longest of these */
	double gain, miss;		/* of the schedules in `text`; its error */
	bool predicted;
	const struct dls__report_site *nameless;	/* with advice, but no entry can name it; NULL: there is none */
	unsigned named;
	char text[NAMED * (3 * 64 + DLS__FORECAST_TEXT + 4)];	/* for DLS_SCHEDULE */
	char source[NAMED * (3 * 64 + 4)];	/* loops whose source must change */
};

/* Error of the expected time of a loop under the advised schedule: the executions' spread, the prediction's
 * error, and the time that threads waited for a processor. */
static double miss(const struct dls__report_site *site, double load)
{
	const struct dls__advice *a = &site->advice;
	double time = site->stats.wall * (1 - a->gain), standard_error = 0;

	if (site->stats.measured && site->known.spread > 0)
		standard_error = site->known.spread / sqrt((double)site->stats.measured);
	return time * hypot(a->measured ? 0 : MISS, standard_error) + site->stats.wall * load;
}

static void add_change(struct sums *s, const struct dls__report_site *site, double load)
{
	size_t used = strlen(s->text), from = strlen(s->source);
	const char *loop = site->known.loop ? site->known.loop : site->name;

	if (site->advice.entry)
		snprintf(s->text + used, sizeof(s->text) - used, "%s%s:%s", used ? "; " : "", site->name,
			 site->advice.instead);
	else
		snprintf(s->source + from, sizeof(s->source) - from, "%s%s", from ? ", " : "", loop);
	s->named++;
	s->gain += site->stats.wall * site->advice.gain;
	s->miss += miss(site, load);
	s->predicted |= !site->advice.measured;
}

static struct sums add_up(const struct dls__report_facts *report)
{
	double load = dls__report_load(report);
	struct sums s = { .loops = 0 };

	for (unsigned i = 0; i < report->sites; i++) {
		const struct dls__report_site *site = &report->site[i];

		if (!site->stats.measured)
			continue;
		s.loops++;
		s.wall += site->stats.wall;
		s.saving += site->stats.saving;
		if (site->advice.busy) {
			s.busy += site->stats.wall;
			if (!s.busiest || site->stats.wall > s.busiest->stats.wall)
				s.busiest = site;
		}
		if (site->advice.moves && *site->advice.instead && !site->advice.worthwhile) {
			s.moving += site->stats.wall;
			if (!s.mover || site->stats.wall > s.mover->stats.wall)
				s.mover = site;
		}
		if (site->advice.worthwhile && !site->advice.entry && site->known.reach < DLS__REACH_SOURCE)
			s.nameless = s.nameless ? s.nameless : site;
		else if (site->advice.worthwhile && s.named < NAMED)
			add_change(&s, site, load);
	}
	return s;
}

/* Loops that no balance makes faster: say what was not measured. */
static void write_moving(FILE *f, const struct sums *s, const char *saving, const char *wall)
{
	bool named = s->mover->advice.entry;

	if (s->saving < MISS * s->wall)
		fprintf(f, "Balance is not the question: a perfect one would save %s of %s (measured).", saving, wall);
	else
		fprintf(f, "No other schedule is predicted to gain, though a perfect balance would save %s of %s.", saving,
			wall);
	fprintf(f, "  Moving data may be: of %s no schedule that keeps iterations with their workers was measured for "
		"long.  Try DLS_SCHEDULE='%s%s%s'; dls-advise --verify compares.", s->mover->name,
		named ? s->mover->name : "", named ? ":" : "", s->mover->advice.instead);
}

/* Why nothing can be gained. */
static void write_reason(FILE *f, const struct dls__report_facts *report, const struct sums *s, double ran, bool utf8)
{
	char saving[DLS__REPORT_TIME], wall[DLS__REPORT_TIME];

	dls__report_time(saving, s->saving, utf8);
	dls__report_time(wall, s->wall, utf8);
	if (s->busy > s->wall / 2)
		fprintf(f, "What another schedule would gain cannot be told: the executions of %s disagree, since the machine was busy or "
			"their work differs.", s->busiest->name);
	else if (report->threads < 2)
		fputs("Nothing to gain: one thread ran the loops.", f);
	else if (s->nameless)
		fprintf(f, "%s would be faster under %s, but DLS_SCHEDULE cannot hold its name.", s->nameless->name,
			s->nameless->advice.instead);
	else if (s->wall < LITTLE * ran)
		fprintf(f, "Nothing to gain: its loops take %.1f %% of the time.", 100 * s->wall / ran);
	else if (s->moving > LITTLE * s->wall)
		write_moving(f, s, saving, wall);
	else if (s->saving < MISS * s->wall)
		fprintf(f, "Nothing to gain: the loops are balanced (measured), a perfect balance would save %s of %s.", saving, wall);
	else
		fprintf(f, "Nothing to gain by another schedule (predicted), though a perfect balance would save %s of %s.", saving, wall);
}

void dls__report_verdict(FILE *f, const struct dls__report_facts *report, bool utf8)
{
	struct sums s = add_up(report);
	double ran = report->regions ? report->program : report->ran;
	bool inside = s.wall <= ran;	/* false: loops within loops, or in virtual time */
	char all[DLS__REPORT_TIME], wall[DLS__REPORT_TIME], then[DLS__REPORT_TIME], off[DLS__REPORT_TIME];

	dls__report_time(all, ran, utf8);
	dls__report_time(wall, s.wall, utf8);
	if (s.loops == 0) {
		fprintf(f, "The program ran %s; no loop was measured.", all);
		return;
	}
	if (inside)
		fprintf(f, "The program ran %s, %s of it in %u loop%s.  ", all, wall, s.loops, s.loops == 1 ? "" : "s");
	else
		fprintf(f, "%u loop%s took %s in all.  ", s.loops, s.loops == 1 ? "" : "s", wall);
	if (s.gain < WORTH * (inside ? ran : s.wall)) {
		write_reason(f, report, &s, ran, utf8);
		return;
	}
	dls__report_time(then, (inside ? ran : s.wall) - s.gain, utf8);
	dls__report_time(off, s.miss, utf8);
	if (*s.text)
		fprintf(f, "DLS_SCHEDULE='%s'", s.text);
	fprintf(f, "%s would take about %s (%s, %s%s)", *s.text ? "" : "fac2", then,
		s.predicted ? "predicted" : "measured", utf8 ? "\xc2\xb1" : "+-", off);
	if (*s.source)
		fprintf(f, ",%s once schedule(runtime) is in the source of %s",
			*s.text ? " with fac2 for more loops," : "", s.source);
	putc('.', f);
}
