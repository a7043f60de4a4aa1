/* report.c - the report: copies the figures of the sites, and writes them in the format that the file's name asks for. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/clock.h"
#include "lib/base/reading.h"
#include "lib/base/writing.h"
#include "lib/report/report.h"

static struct timespec loaded;

__attribute__((constructor(101))) static void begin(void)
{
	clock_gettime(CLOCK_MONOTONIC, &loaded);
}

/* How long the program has run, s. */
static double since_loaded(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - loaded.tv_sec) + 1e-9 * (double)(now.tv_nsec - loaded.tv_nsec);
}

static const struct format {
	const char *ending;
	void (*write)(FILE *file, const struct dls__report_facts *report);
} formats[] = {
	{ ".csv", dls__report_csv }, { ".json", dls__report_json }, { ".html", dls__report_html },
	{ ".txt", dls__report_text },
};

/* Names that stand for a standard stream.  All other names are files', and end as their format. */
static const struct standard {
	const char *name;
	bool out;		/* not stderr */
	void (*write)(FILE *file, const struct dls__report_facts *report);
} standards[] = {
	{ "stderr", false, dls__report_text }, { "stdout", true, dls__report_text }, { "csv", true, dls__report_csv },
	{ "json", true, dls__report_json }, { "advice", false, dls__report_changes },
};

static const struct standard *standard_of(const char *file)
{
	for (size_t i = 0; i < sizeof(standards) / sizeof(*standards); i++)
		if (strcmp(file, standards[i].name) == 0)
			return &standards[i];
	return NULL;
}

/* The writer of a name's format; NULL: no such format. */
static void (*writer_of(const char *file))(FILE *, const struct dls__report_facts *)
{
	const struct standard *standard = standard_of(file);
	size_t length = strlen(file);

	if (standard)
		return standard->write;
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		size_t n = strlen(formats[i].ending);

		if (length > n && strcmp(file + length - n, formats[i].ending) == 0)
			return formats[i].write;
	}
	return NULL;
}

bool dls__report_standard(const char *file)
{
	return standard_of(file) != NULL;
}

bool dls__report_known(const char *file)
{
	return writer_of(file) != NULL;
}

static bool copy_rans(struct dls__report_site *to, const struct dls__sums *s)
{
	unsigned n = 0;

	for (const struct dls__schedule_sums *r = s->ran; r; r = r->next)
		n++;
	to->ran = calloc(n ? n : 1, sizeof(*to->ran));
	if (!to->ran)
		return false;
	for (const struct dls__schedule_sums *r = s->ran; r; r = r->next)
		to->ran[to->rans++] = (struct dls__report_schedule){
			r->asked, r->calc, r->why, dls__ran_under(r->asked, r->calc, r->why), r->executions, r->last,
			r->coarse, r->taken,
		};
	return true;
}

/* Copy the slowest execution for the pictures.  Without memory they are left out, and the report says so. */
static void copy_slowest(struct dls__report_site *to, const struct dls__sums *sums)
{
	const struct dls__slowest *from = &sums->slowest;
	struct dls__slowest *s = &to->slowest;
	const struct dls__schedule_sums *ran = sums->ran;

	*s = *from;
	s->ran = NULL;
	s->stay = malloc((s->workers + 1) * sizeof(*s->stay));
	s->log = calloc(s->workers + 1, sizeof(*s->log));
	if (!s->workers || !s->stay || !s->log) {
		dls__slowest_free(s);
		return;
	}
	memcpy(s->stay, from->stay, s->workers * sizeof(*s->stay));
	for (to->slowest_ran = to->ran; ran != from->ran; ran = ran->next)
		to->slowest_ran++;
	for (unsigned i = 0; i < s->workers; i++) {
		const struct dls__log *log = &from->log[i];

		s->log[i] = *log;
		s->log[i].span = malloc((log->used + 1) * sizeof(*log->span));
		if (!s->log[i].span) {
			dls__slowest_free(s);
			return;
		}
		if (log->used)
			memcpy(s->log[i].span, log->span, log->used * sizeof(*log->span));
	}
}

static bool copy_profile(struct dls__report_site *to, const struct dls__sums *s)
{
	to->speed = malloc((s->room + 1) * sizeof(*to->speed));
	if (!to->speed)
		return false;
	for (unsigned i = 0; i < s->room; i++)
		to->speed[i] = dls__speed(&s->worker[i].speed);
	if (s->profile)
		to->profile = *s->profile;
	to->alone = s->alone;
	return true;
}

static bool copy_workers(struct dls__report_site *to, struct dls__statistics *s, unsigned n)
{
	to->worker = calloc(n ? n : 1, sizeof(*to->worker));
	while (to->worker && to->workers < n && dls__statistics_read_worker(s, to->workers, &to->worker[to->workers]))
		to->workers++;
	return to->worker != NULL;
}

struct copying {
	struct dls__report_facts report;
	unsigned room;
	bool failed;
};

/* The class that ran longest comes first. */
static void copy_chosen(struct dls__report_site *to, const struct dls__report_met *met)
{
	for (unsigned i = 0; i < met->chosens; i++) {
		unsigned at = to->chosens++;

		for (; at > 0 && to->chosen[at - 1].total < met->chosen[i].total; at--)
			to->chosen[at] = to->chosen[at - 1];
		to->chosen[at] = met->chosen[i];
	}
}

/* The schedule of the last execution; NULL: none ran. */
static const struct dls__report_schedule *last_ran(const struct dls__report_site *site)
{
	const struct dls__report_schedule *last = NULL;

	for (unsigned i = 0; i < site->rans; i++)
		if (!last || site->ran[i].last > last->last)
			last = &site->ran[i];
	return last;
}

/* The schedule in force: that of the last execution.  If that was a trial of auto's: the schedule that auto
 * keeps, or the one that ran most often if the kept one has not run. */
static const struct dls__report_schedule *present(const struct dls__report_site *site,
						  const struct dls__chosen *chosen)
{
	const struct dls__report_schedule *last = last_ran(site), *most = last;

	for (unsigned i = 0; last && dls__ran_auto(last->asked) && i < site->rans; i++) {
		const struct dls__report_schedule *r = &site->ran[i];

		if (strcmp(r->asked, last->asked) != 0)
			continue;
		if (chosen && strcmp(r->under, chosen->now.schedule) == 0)
			return r;
		if (r->executions > most->executions)
			most = r;
	}
	return most;
}

/* Copy auto's choice for the class that ran most often; if auto had no choice, as for one worker, the
 * schedule that ran. */
static void copy_repeat(struct dls__report_site *to, const char *asked)
{
	const struct dls__report_schedule *ran = present(to, NULL);
	const struct dls__chosen *most = to->chosen;

	if (!dls__ran_auto(asked) || (ran && !dls__ran_auto(ran->asked)))
		return;
	for (unsigned i = 1; i < to->chosens; i++)
		if (to->chosen[i].executions > most->executions)
			most = &to->chosen[i];
	if (to->chosens)
		dls__repeat_of(to->repeat, asked, most->now.schedule);
	else if (ran && !dls__ran_native(ran->calc))
		dls__repeat_of(to->repeat, asked, ran->under);
}

static void copy_site(void *arg, const struct dls__report_met *met)
{
	struct dls__statistics *s = met->statistics;
	struct copying *c = arg;
	const struct dls__sums *sums;
	struct dls__report_site *to;
	unsigned workers;

	if (c->report.sites == c->room) {
		unsigned room = c->room ? 2 * c->room : 16;
		struct dls__report_site *more = realloc(c->report.site, room * sizeof(*more));

		c->failed |= !more;
		if (!more)
			return;
		c->report.site = more;
		c->room = room;
	}
	to = &c->report.site[c->report.sites];
	memset(to, 0, sizeof(*to));
	to->order = c->report.sites++;
	dls__report_clean(to->name, met->name);
	dls__report_clean(to->function, met->function ? met->function : "");
	to->known.reach = dls__report_reach(met->name, &to->known.loop);
	copy_chosen(to, met);
	dls__statistics_read(s, &to->stats);
	pthread_mutex_lock(&s->mutex);
	sums = dls__statistics_sums(s);
	workers = sums->room;
	to->nowait = sums->nowait;
	if (copy_rans(to, sums))
		copy_slowest(to, sums);
	else
		c->failed = true;
	c->failed |= !copy_profile(to, sums);
	pthread_mutex_unlock(&s->mutex);
	copy_repeat(to, met->asked);
	c->failed |= !copy_workers(to, s, workers);
	if (to->workers > c->report.threads)
		c->report.threads = to->workers;
}

/* auto's choice for executions like those of the profile; NULL: there is none. */
static struct dls__chosen *chosen_for(struct dls__report_site *site)
{
	double n = site->profile.executions ? site->profile.n / (double)site->profile.executions : 0;

	for (unsigned i = 0; i < site->chosens; i++) {
		struct dls__chosen *c = &site->chosen[i];

		if (c->workers == site->stats.workers && fabs(n / (double)c->n - 1) < 0.2)
			return c;
	}
	return NULL;
}

static bool advise(struct dls__report_site *site)
{
	const struct dls_stats *s = &site->stats;
	const struct dls__profile_sums *p = &site->profile;
	const struct dls__report_schedule *last = last_ran(site), *now;
	struct dls__chosen *chosen = last && dls__ran_auto(last->asked) ? chosen_for(site) : NULL;
	bool known = dls__profile_read(p, site->time) && p->workers == s->workers;
	unsigned trieds = 0;

	site->tried = calloc(site->rans + DLS__CHOSEN_FROM + 1, sizeof(*site->tried));
	if (!site->tried)
		return false;
	for (unsigned i = 0; i < site->rans; i++) {
		const struct dls__report_schedule *r = &site->ran[i];

		site->tried[trieds++] = (struct dls__tried){ r->under, r->taken };
	}
	site->present = now = present(site, chosen);
	/* auto's other candidates, which have no times in this report. */
	for (unsigned i = 0; chosen && i < chosen->candidates; i++)
		if (!isnan(dls__candidate_time(&chosen->candidate[i])))
			site->tried[trieds++].schedule = chosen->candidate[i].schedule;
	site->share = s->measured && dls__clock_now() ? 1e9 * s->wall / (double)dls__clock_now() : NAN;
	site->known = (struct dls__known){
		.name = site->name, .reach = site->known.reach, .loop = site->known.loop,
		.blocks = now && dls__ran_native(now->calc) && strcmp(now->asked, "static") == 0,
		.workers = s->workers, .speed = site->speed, .time = known ? site->time : NULL,
		.variance = known && p->scv > 0 ? p->variance : NULL,
		.n = p->executions ? p->n / (double)p->executions : 0, .longest = p->longest,
		.spread = dls__profile_spread(p), .efficiency = s->efficiency,
		.saving = s->wall > 0 ? s->saving / s->wall + dls__report_overhead(s) : NAN,
		.now = now ? now->under : NULL, .ordered = now && dls__in_order(now->asked),
		.tried = site->tried, .trieds = trieds, .alone = site->alone, .share = site->share,
		.mean = s->measured ? s->wall / (double)s->measured : NAN,
	};
	dls__advise(&site->known, &site->advice);
	if (chosen && isnan(chosen->ideal))	/* auto has just begun to learn anew */
		chosen->ideal = site->advice.ideal * (double)chosen->n / site->known.n;
	/* An execution took less than the ideal: the profiled executions were disturbed. */
	for (unsigned i = 0; i < site->chosens; i++)
		if (site->chosen[i].now.measured < 0.98 * site->chosen[i].ideal)
			site->chosen[i].ideal = NAN;
	return true;
}

static double gain(const struct dls__report_site *site)
{
	return site->advice.worthwhile ? site->stats.wall * site->advice.gain : 0;
}

/* Sort by the gain of the advice, then by the gain of a perfect balance. */
static int by_gain(const void *a, const void *b)
{
	const struct dls__report_site *x = a, *y = b;

	if (gain(x) != gain(y))
		return gain(x) > gain(y) ? -1 : 1;
	if (!x->stats.measured != !y->stats.measured)
		return x->stats.measured ? -1 : 1;
	if (x->stats.saving != y->stats.saving)
		return x->stats.saving > y->stats.saving ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static void free_report(struct dls__report_facts *report)
{
	for (unsigned i = 0; i < report->sites; i++) {
		free(report->site[i].worker);
		free(report->site[i].ran);
		free(report->site[i].tried);
		free(report->site[i].speed);
		dls__slowest_free(&report->site[i].slowest);
	}
	free(report->site);
	free(report->region);
}

struct writing {
	void (*write)(FILE *, const struct dls__report_facts *);
	const struct dls__report_facts *report;
};

static void write_file(FILE *f, const void *arg)
{
	const struct writing *w = arg;
	locale_t outer = dls__enter_c_locale();

	w->write(f, w->report);
	uselocale(outer);
}

int dls__report_write(const char *file, struct dls__output *out, dls__each_site *each_site)
{
	struct copying c = { .failed = false };
	struct writing w = { writer_of(file), &c.report };
	int code = ENOMEM;

	each_site(copy_site, &c);
	c.failed |= !dls__report_read_regions(&c.report);
	dls__processors_read(&c.report.processors, "");
	c.report.ran = since_loaded();
	dls__provenance_read(&c.report.provenance);
	for (unsigned i = 0; i < c.report.sites; i++)
		c.failed |= !advise(&c.report.site[i]);
	if (c.report.sites)
		qsort(c.report.site, c.report.sites, sizeof(*c.report.site), by_gain);
	for (unsigned i = 0; i < c.report.sites; i++)	/* they have moved */
		if (c.report.site[i].known.time)
			c.report.site[i].known.time = c.report.site[i].time;
	if (!c.failed)
		code = out ? dls__output_write(out, write_file, &w) :
		       dls__write_standard(standard_of(file)->out, write_file, &w);
	free_report(&c.report);
	return code;
}
