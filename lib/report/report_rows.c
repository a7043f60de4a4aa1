/* report_rows.c - the report for programs: CSV by RFC 4180, and JSON.  Numbers read back as they were. */
#include <math.h>
#include <string.h>

#include "dls.h"
#include "lib/report/report.h"

typedef unsigned long long count;

static const char *const names[] = {
	"wall", "busy", "dispatch", "idle", "late", "mean_finish", "imbalance_percent", "cov", "efficiency", "dispatch_share",
	"saving", "saving_share", "mu", "sigma", "h",
};
enum { FIGURES = sizeof(names) / sizeof(*names), OF_WORKER = 5 };	/* a worker's: from "busy" on */

static void figures_of(const struct dls_stats *s, double figure[FIGURES])
{
	const double f[FIGURES] = {
		s->wall, s->busy, s->dispatch, s->idle, s->late, s->finish, s->imbalance, s->cov, s->efficiency,
		dls__report_overhead(s), s->saving, s->wall > 0 ? s->saving / s->wall : NAN, s->mu, s->sigma, s->h,
	};

	for (int i = 0; i < FIGURES; i++)	/* unmeasured: sums of 0, moments as given */
		figure[i] = s->measured || i < 5 || i > 11 ? f[i] : NAN;
}

/* A spreadsheet would evaluate a text that begins like a formula, so it gets an apostrophe in front; a text that begins with an
 * apostrophe gets a second one. */
static void write_cell(FILE *f, const char *text)
{
	putc('"', f);
	if (*text && strchr("=+-@'", *text))
		putc('\'', f);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', f);
		putc(*text, f);
	}
	putc('"', f);
}

static void write_number(FILE *f, double value)
{
	if (isfinite(value))
		fprintf(f, ",%.17g", value);
	else
		putc(',', f);
}

/* Entries are separated by "; "; each column has the same number. */
static void write_schedules(FILE *f, const struct dls__report_site *site)
{
	char executions[24];

	for (int column = 0; column < 4; column++) {
		fputs(column ? ",\"" : "\"", f);
		for (unsigned i = 0; i < site->rans; i++) {
			const struct dls__report_schedule *r = &site->ran[i];
			const char *const cell[] = { r->asked, r->calc, r->why ? r->why : "", executions };

			snprintf(executions, sizeof(executions), "%llu", (count)r->executions);
			fprintf(f, "%s%s", i ? "; " : "", cell[column]);
		}
		putc('"', f);
	}
}

static const char provenance_names[] = ",program,command,date,host,processors,threads,libdls,runtime";

static void csv_provenance(FILE *f, const struct dls__report_facts *report)
{
	const struct dls__provenance *p = &report->provenance;
	const char *const before[] = { p->program, p->command, p->date, p->host }, *const after[] = { DLS_VERSION, p->runtime };

	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++) {
		putc(',', f);
		write_cell(f, before[i]);
	}
	fprintf(f, ",%u,%u", report->processors.online, report->threads);
	for (size_t i = 0; i < sizeof(after) / sizeof(*after); i++) {
		putc(',', f);
		write_cell(f, after[i]);
	}
}

static void csv_all(FILE *f, const struct dls__report_facts *report, const struct dls__report_site *site)
{
	const struct dls_stats *s = &site->stats;
	double figure[FIGURES];

	write_cell(f, site->name);
	putc(',', f);
	write_schedules(f, site);
	fprintf(f, ",all,%u,%llu,%llu,%llu,%llu,%llu", s->workers, (count)s->executions, (count)s->iterations,
		(count)s->measured, (count)s->chunks, (count)s->measured_iterations);
	figures_of(s, figure);
	for (int i = 0; i < FIGURES; i++)
		write_number(f, figure[i]);
	fprintf(f, ",%llu", (count)s->trimmed);
	csv_provenance(f, report);
	fputs("\r\n", f);
}

static void csv_worker(FILE *f, const struct dls__report_site *site, unsigned worker)
{
	const struct dls_worker_stats *w = &site->worker[worker];
	const double figure[OF_WORKER] = { w->busy, w->dispatch, w->idle, w->late, w->finish };

	write_cell(f, site->name);
	putc(',', f);
	write_schedules(f, site);
	fprintf(f, ",%u,,,,,%llu,%llu,", worker, (count)w->chunks, (count)w->iterations);
	for (int i = 0; i < OF_WORKER; i++)
		write_number(f, figure[i]);
	for (int i = OF_WORKER; i < FIGURES; i++)
		putc(',', f);
	for (const char *c = provenance_names; *c; c++)
		if (*c == ',')
			putc(',', f);
	fputs("\r\n", f);
}

void dls__report_csv(FILE *f, const struct dls__report_facts *report)
{
	fputs("site,schedule,ran,why,ran_executions,worker,workers,executions,iterations,measured,chunks,"
	      "measured_iterations", f);
	for (int i = 0; i < FIGURES; i++)
		fprintf(f, ",%s", names[i]);
	fprintf(f, ",trimmed%s\r\n", provenance_names);
	for (unsigned i = 0; i < report->sites; i++) {
		csv_all(f, report, &report->site[i]);
		for (unsigned w = 0; w < report->site[i].workers; w++)
			csv_worker(f, &report->site[i], w);
	}
}

/* Texts hold no control characters.  What HTML reads as a tag is escaped: a page has the report, too. */
static void write_text(FILE *f, const char *text)
{
	putc('"', f);
	for (; *text; text++) {
		if (*text == '<' || *text == '>' || *text == '&') {
			fprintf(f, "\\u%04x", *text);
			continue;
		}
		if (*text == '"' || *text == '\\')
			putc('\\', f);
		putc(*text, f);
	}
	putc('"', f);
}

static void write_string(FILE *f, const char *name, const char *text)
{
	fprintf(f, "\"%s\": ", name);
	if (text)
		write_text(f, text);
	else
		fputs("null", f);
}

static void write_member(FILE *f, const char *name, double value)
{
	fprintf(f, ", \"%s\": ", name);
	if (isfinite(value))
		fprintf(f, "%.17g", value);
	else
		fputs("null", f);
}

static void json_taken(FILE *f, const struct dls__taken *t)
{
	fprintf(f, "{\"workers\": %u, \"executions\": %llu", t->workers, (count)t->executions);
	write_member(f, "wall", 1e-9 * t->wall);
	write_member(f, "busy", 1e-9 * t->busy);
	write_member(f, "iterations", t->n);
	putc('}', f);
}

static void json_schedules(FILE *f, const struct dls__report_site *site)
{
	fputs(",\n  \"schedules\": [", f);
	for (unsigned i = 0; i < site->rans; i++) {
		const struct dls__report_schedule *r = &site->ran[i];

		fputs(i ? ",\n   {" : "\n   {", f);
		write_string(f, "asked", r->asked);
		fputs(", ", f);
		write_string(f, "ran", r->calc);
		fputs(", ", f);
		write_string(f, "why", r->why);
		fprintf(f, ", \"executions\": %llu, \"taken\": ", (count)r->executions);
		json_taken(f, &r->taken);
		putc('}', f);
	}
	putc(']', f);
}

static void json_workers(FILE *f, const struct dls__report_site *site)
{
	fputs(",\n  \"worker\": [", f);
	for (unsigned i = 0; i < site->workers; i++) {
		const struct dls_worker_stats *w = &site->worker[i];
		const double figure[OF_WORKER] = { w->busy, w->dispatch, w->idle, w->late, w->finish };

		fprintf(f, "%s\n   {\"worker\": %u, \"chunks\": %llu, \"iterations\": %llu", i ? "," : "", i,
			(count)w->chunks, (count)w->iterations);
		for (int k = 0; k < OF_WORKER; k++)
			write_member(f, names[1 + k], figure[k]);
		write_member(f, "speed", site->speed[i]);
		putc('}', f);
	}
	putc(']', f);
}

/* Repeated in every site, since the file is an array of sites. */
static void json_processors(FILE *f, const struct dls__processors *p)
{
	fprintf(f, ",\n  \"processors\": {\"online\": %u, \"affinity\": %u", p->online, p->affinity);
	write_member(f, "quota", p->quota);
	write_member(f, "ran", p->ran);
	write_member(f, "waited", p->waited);
	fprintf(f, ", \"switches\": %llu}", (count)p->switches);
}

static void json_provenance(FILE *f, const struct dls__report_facts *report)
{
	const struct dls__provenance *p = &report->provenance;
	const struct {
		const char *name, *text;
	} member[] = {
		{ "program", p->program }, { "command", p->command }, { "date", p->date }, { "host", p->host }, { "libdls", DLS_VERSION },
		{ "runtime", p->runtime },
	};

	fprintf(f, ",\n  \"run\": {\"threads\": %u", report->threads);
	for (size_t i = 0; i < sizeof(member) / sizeof(*member); i++) {
		fputs(", ", f);
		write_string(f, member[i].name, *member[i].text ? member[i].text : NULL);
	}
	putc('}', f);
}

/* Sums over executions. */
static void json_profile(FILE *f, const struct dls__report_site *site)
{
	const struct dls__profile_sums *p = &site->profile;
	struct dls__bars c;

	fputs(",\n  \"alone\": ", f);
	json_taken(f, &site->alone);
	fputs(",\n  \"profile\": ", f);
	if (!p->executions || p->workers != site->stats.workers) {
		fputs("null", f);
		return;
	}
	fprintf(f, "{\"executions\": %llu", (count)p->executions);
	write_member(f, "iterations", p->n);
	write_member(f, "spread", dls__profile_spread(p));
	write_member(f, "longest", p->longest);
	for (unsigned b = 0; b < DLS__BUCKETS; b++)
		fprintf(f, "%s%.9g", b ? ", " : ", \"time\": [", p->time[b]);
	for (unsigned b = 0; p->scv > 0 && b < DLS__BUCKETS; b++)
		fprintf(f, "%s%.9g", b ? ", " : "], \"variance\": [", p->variance[b]);
	dls__profile_bars(p, &c);
	putc(']', f);
	write_member(f, "chunks", c.chunks);
	for (unsigned b = 0; b < c.bars; b++)
		fprintf(f, "%s[%.17g, %.9g]", b ? ", " : ", \"bars\": [", c.bar[b].n, c.bar[b].time);
	fputs(c.bars ? "]}" : ", \"bars\": []}", f);
}

static void json_chosen(FILE *f, const struct dls__chosen *c)
{
	fprintf(f, "{\"workers\": %u, \"iterations\": %llu, \"executions\": %llu, ", c->workers, (count)c->n,
		(count)c->executions);
	write_string(f, "schedule", c->now.schedule);
	fprintf(f, ", \"since\": %llu, \"trials\": %u, \"kept\": %u", (count)c->since,
		c->trials, c->kept);
	write_member(f, "lost", c->lost);
	write_member(f, "total", c->total);
	write_member(f, "ideal", c->ideal);
	fputs(",\n    \"candidates\": [", f);
	for (unsigned i = 0; i < c->candidates; i++) {
		fputs(i ? ",\n     {" : "\n     {", f);
		write_string(f, "schedule", c->candidate[i].schedule);
		write_member(f, "predicted", c->candidate[i].predicted);
		write_member(f, "measured", c->candidate[i].measured);
		putc('}', f);
	}
	fputs("]}", f);
}

static void json_advice(FILE *f, const struct dls__advice *a)
{
	fputs(",\n  \"predictions\": [", f);
	for (unsigned i = 0; i < a->forecasts; i++) {
		const struct dls__forecast *p = &a->forecast[i];

		fputs(i ? ",\n   {" : "\n   {", f);
		write_string(f, "schedule", p->schedule);
		write_member(f, "time", p->time);
		write_member(f, "times_ideal", p->time / a->ideal);
		write_member(f, "idle", p->idle);
		write_member(f, "chunks", p->chunks);
		write_member(f, "measured", p->measured);
		fprintf(f, ", \"now\": %s, \"best\": %s}", p->now ? "true" : "false", p->best ? "true" : "false");
	}
	fputs("],\n  \"advice\": [", f);
	for (unsigned i = 0; i < a->lines; i++) {
		fputs(i ? ", " : "", f);
		write_text(f, a->line[i]);
	}
	putc(']', f);
}

static void json_site(FILE *f, const struct dls__report_facts *report, const struct dls__report_site *site)
{
	const struct dls_stats *s = &site->stats;
	double figure[FIGURES];

	fputs(" {", f);
	write_string(f, "site", site->name);
	fputs(", ", f);
	write_string(f, "function", *site->function ? site->function : NULL);
	fputs(", ", f);
	write_string(f, "schedule", site->present ? site->present->asked : NULL);
	fputs(", ", f);
	write_string(f, "in_force", site->present ? site->present->under : NULL);
	fprintf(f, ",\n  \"executions\": %llu, \"iterations\": %llu, \"measured\": %llu, \"workers\": %u, "
		"\"chunks\": %llu, \"measured_iterations\": %llu, \"trimmed\": %llu", (count)s->executions,
		(count)s->iterations, (count)s->measured, s->workers, (count)s->chunks,
		(count)s->measured_iterations, (count)s->trimmed);
	figures_of(s, figure);
	for (int i = 0; i < FIGURES; i++)
		write_member(f, names[i], figure[i]);
	write_member(f, "time_share", site->share);
	fputs(",\n  ", f);
	write_string(f, "reach", dls__reaches[site->known.reach]);
	fputs(", ", f);
	write_string(f, "loop", site->known.loop);
	json_provenance(f, report);
	json_processors(f, &report->processors);
	json_schedules(f, site);
	json_workers(f, site);
	json_profile(f, site);
	for (unsigned i = 0; i < site->chosens; i++) {
		fputs(i ? ",\n   " : ",\n  \"auto\": [\n   ", f);
		json_chosen(f, &site->chosen[i]);
	}
	fputs(site->chosens ? "], " : ",\n  \"auto\": [], ", f);
	write_string(f, "repeat", *site->repeat ? site->repeat : NULL);
	json_advice(f, &site->advice);
	putc('}', f);
}

/* Where the program's time went. */
static void json_regions(FILE *f, const struct dls__report_facts *report)
{
	fputs(" {\"regions\": [", f);
	for (unsigned i = 0; i < report->regions; i++) {
		const struct dls__report_region *r = &report->region[i];

		fputs(i ? ",\n   {" : "\n   {", f);
		write_string(f, "region", r->name);
		fputs(", ", f);
		write_string(f, "function", *r->function ? r->function : NULL);
		fprintf(f, ", \"executions\": %llu", (count)r->executions);
		write_member(f, "wall", r->seconds);
		write_member(f, "time_share", r->share);
		putc('}', f);
	}
	putc(']', f);
	write_member(f, "program", report->program);
	write_member(f, "serial", report->serial);
	write_member(f, "serial_share", report->serial / report->program);
	putc('}', f);
}

void dls__report_json(FILE *f, const struct dls__report_facts *report)
{
	fputs("[\n", f);
	for (unsigned i = 0; i < report->sites; i++) {
		if (i)
			fputs(",\n", f);
		json_site(f, report, &report->site[i]);
	}
	if (report->regions) {
		fputs(report->sites ? ",\n" : "", f);
		json_regions(f, report);
	}
	fputs("\n]\n", f);
}
