/* report_words.c - parts that the formats of the report share: times with units, sentences on figures. */
#include <math.h>
#include <string.h>

#include "lib/report/report.h"

const struct dls__report_unit *dls__report_unit(double seconds)
{
	static const struct dls__report_unit units[] = {
		{ 1, "s", "s" }, { 1e-3, "ms", "ms" }, { 1e-6, "us", "\xc2\xb5s" }, { 1e-9, "ns", "ns" },
	};
	const struct dls__report_unit *u = units;

	/* A value that would be printed as 1000 takes the next unit. */
	while (u < units + 3 && seconds < 0.9995 * u->seconds)
		u++;
	return seconds > 0 ? u : units;
}

char *dls__report_time(char text[DLS__REPORT_TIME], double seconds, bool utf8)
{
	const struct dls__report_unit *u = dls__report_unit(seconds);
	double value = seconds / u->seconds;
	int digits = value == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;

	if (isnan(seconds))
		strcpy(text, "-");
	else
		snprintf(text, DLS__REPORT_TIME, "%.*f %s", digits, value, utf8 ? u->utf8 : u->ascii);
	return text;
}

double dls__report_overhead(const struct dls_stats *s)
{
	double all = s->busy + s->dispatch + s->idle;

	return all > 0 ? s->dispatch / all : NAN;
}

/* Report a requested CHUNK above N/P; it is obeyed. */
static void write_coarse(FILE *f, const struct dls__report_schedule *r)
{
	const struct dls__coarse *c = &r->coarse;

	if (c->executions == 0)
		return;
	fprintf(f, "\n  %s deals chunks of %llu where N/P is %.4g: %u of %u workers got nothing", r->asked,
		(unsigned long long)c->chunk, (double)c->n / c->workers, c->without, c->workers);
	if (r->executions > 1)
		fprintf(f, "; so in %llu of %llu executions", (unsigned long long)c->executions,
			(unsigned long long)r->executions);
	putc('.', f);
}

void dls__report_reading(FILE *f, const struct dls__report_site *site, bool utf8)
{
	const struct dls_stats *s = &site->stats;
	double gain = s->saving / s->wall, overhead = dls__report_overhead(s);
	char saving[DLS__REPORT_TIME], wall[DLS__REPORT_TIME], late[DLS__REPORT_TIME];
	unsigned most = 0, last = 0;

	for (unsigned i = 1; i < site->workers; i++) {
		most = site->worker[i].idle > site->worker[most].idle ? i : most;
		last = site->worker[i].late > site->worker[last].late ? i : last;
	}
	dls__report_time(saving, s->saving, utf8);
	dls__report_time(wall, s->wall, utf8);
	if (s->measured == 0)
		fputs("Its times were not taken: nothing had asked for them when it ran.", f);
	else if (!(s->wall > 0))
		fputs("It took no time that the clock could tell.", f);
	else if (site->workers == 1)
		fputs("One worker ran it alone: there was nothing to balance.", f);
	else if (gain < 0.05)
		fprintf(f, "%s: a perfect balance would save no more than %.1f %% of %s.",
			overhead < 0.05 && !site->advice.moves ? "Nothing to gain" : "Well balanced", 100 * gain,
			wall);
	else if (site->worker[most].idle < 0.05 * s->wall)
		fprintf(f, "A perfect balance would save %s of %s.", saving, wall);
	else
		fprintf(f, "Worker %u was idle %.0f %% of the time: a perfect balance would save %s of %s.", most,
			100 * site->worker[most].idle / s->wall, saving, wall);
	if (site->nowait && site->workers > 1)
		fputs("\n  No barrier ends it (.nowait): the next loop may overlap it, and a balance then saves less.", f);
	if (site->workers > 1 && site->worker[last].late >= 0.05 * s->wall && s->wall > 0)
		fprintf(f, "\n  Worker %u came %s late in all, which no schedule changes.", last,
			dls__report_time(late, site->worker[last].late, utf8));
	if (site->workers > 1 && overhead >= 0.05)
		fprintf(f, "\n  Getting chunks took %.0f %% of the workers' time: larger chunks would cost less.",
			100 * overhead);
	for (unsigned i = 0; i < site->rans; i++)
		write_coarse(f, &site->ran[i]);
}

void dls__report_clean(char to[3 * 64], const char *name)
{
	for (const char *end = name + strnlen(name, 63); name < end;) {
		size_t n = dls__character(name);

		memcpy(to, n ? name : "\xef\xbf\xbd", n ? n : 3);	/* U+FFFD */
		to += n ? n : 3;
		name += n ? n : 1;
	}
	*to = 0;
}
