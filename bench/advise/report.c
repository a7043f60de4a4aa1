/* report.c - the loops of a report that DLS_REPORT=FILE.json has written. */
#include "bench/advise/advise.h"
#include "dls.h"

#define SECONDS 1e12		/* most of any time */
#define COUNT 1e19		/* most of any number of executions or iterations */

static struct dls__taken taken_of(const struct place *at, const json_t *t)
{
	return (struct dls__taken){
		.workers = (unsigned)read_number(at, t, "workers", 0, DLS_WORKERS_MAX, NAN),
		.executions = (uint64_t)read_number(at, t, "executions", 0, 1e18, NAN),
		.wall = 1e9 * read_number(at, t, "wall", 0, SECONDS, NAN),
		.busy = 1e9 * read_number(at, t, "busy", 0, SECONDS, NAN),
		.n = read_number(at, t, "iterations", 0, COUNT, NAN),
	};
}

static void take_schedules(struct loop *loop, const struct place *at, const json_t *site)
{
	const char *last = read_text(at, site, "schedule"), *in_force = read_text(at, site, "in_force");
	const char *now = in_force ? in_force : last;
	uint64_t most = 0;
	json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(site, "schedules"), i, entry) {
		const char *asked = read_text(at, entry, "asked"), *ran = read_text(at, entry, "ran");
		const char *why = read_text(at, entry, "why");
		struct dls__taken taken;

		if (!asked || !ran || !json_object_get(entry, "taken"))
			read_die(at->file, at->value, "\"schedules\" has an entry without \"asked\", \"ran\" or \"taken\"");
		taken = taken_of(at, json_object_get(entry, "taken"));
		if (taken.executions)
			loop_tried(loop, dls__ran_under(asked, ran, why), &taken);
		if (last && strcmp(asked, last) == 0 && taken.executions >= most) {
			if (!in_force)	/* an older libdls wrote it */
				now = dls__ran_under(asked, ran, why);
			most = taken.executions;
			loop->parts = strcmp(ran, "parts") == 0;
			loop->blocks = strcmp(asked, "static") == 0 && (loop->parts || strcmp(ran, "native") == 0);
		}
	}
	loop->ordered = dls__in_order(last);
	if (now)
		loop->now = tool_held_string("%s", now);
}

/* What another schedule for the loop needs; of several reports the most. */
static void take_reach(struct loop *loop, const struct place *at, const json_t *site)
{
	const char *reach = read_text(at, site, "reach"), *of = read_text(at, site, "loop");
	enum dls__reach r = DLS__REACH_OWN;

	while (reach && ++r < DLS__REACHES && strcmp(dls__reaches[r], reach))
		;
	if (r == DLS__REACHES)
		read_die(at->file, at->value, "\"reach\" is \"%.40s\", which this dls-advise does not know", reach);
	if (!json_object_get(site, "reach") && loop->blocks)
		r = DLS__REACH_SOURCE;		/* an older libdls wrote it */
	if (r > loop->reach) {
		loop->reach = r;
		loop->of = of ? tool_held_string("%s", of) : NULL;
	}
}

/* An array of the profile with a number for each bucket, of at most so much; false: there is none. */
static bool read_buckets(const struct place *at, const json_t *profile, const char *name, double most, double *value)
{
	const json_t *array = json_object_get(profile, name);

	if (!array)
		return false;
	if (json_array_size(array) != DLS__BUCKETS)
		read_die(at->file, at->value, "\"%s\" of the profile is not of %d numbers", name, DLS__BUCKETS);
	for (size_t b = 0; b < DLS__BUCKETS; b++) {
		value[b] = json_number_value(json_array_get(array, b));
		if (!json_is_number(json_array_get(array, b)) || !(value[b] >= 0 && value[b] <= most))
			read_die(at->file, at->value, "\"%s\" of the profile is not of %d numbers from 0 to %g", name, DLS__BUCKETS, most);
	}
	return true;
}

/* Take the bars of what was timed, unless the bars of another file are as many or more. */
static void take_bars(struct loop *loop, const struct place *at, const json_t *profile, double executions)
{
	struct dls__bars c = { .executions = (uint64_t)executions };
	const json_t *array = json_object_get(profile, "bars");

	if (json_array_size(array) > DLS__BUCKETS)
		read_die(at->file, at->value, "\"bars\" of the profile are more than %d", DLS__BUCKETS);
	c.chunks = read_number(at, profile, "chunks", 0, COUNT, 0);
	for (; c.bars < json_array_size(array); c.bars++) {
		const json_t *pair = json_array_get(array, c.bars), *n = json_array_get(pair, 0), *time = json_array_get(pair, 1);
		struct dls__bar *bar = &c.bar[c.bars];

		*bar = (struct dls__bar){ json_number_value(n), json_is_number(time) ? json_number_value(time) : -1 };
		if (!(bar->n > 0 && bar->n <= COUNT && bar->time >= 0 && bar->time <= SECONDS))
			read_die(at->file, at->value, "\"bars\" of the profile are not iterations and seconds");
	}
	if (c.bars > loop->bars.bars)
		loop->bars = c;
}

static void take_profile(struct loop *loop, const struct place *at, const json_t *site, const json_t *profile)
{
	struct dls__profile_sums *p = &loop->profile;
	const json_t *worker = json_object_get(site, "worker");
	double executions = read_number(at, profile, "executions", 1, 1e18, NAN);
	double n = read_number(at, profile, "iterations", 1, COUNT, NAN), spread = read_number(at, profile, "spread", 0, 1e9, 0);
	double longest = read_number(at, profile, "longest", 0, SECONDS, 0), work = 0, time[DLS__BUCKETS], variance[DLS__BUCKETS];

	if (!read_buckets(at, profile, "time", SECONDS, time))
		read_die(at->file, at->value, "the profile has no \"time\"");
	for (size_t b = 0; b < DLS__BUCKETS; b++) {
		p->time[b] += time[b];
		work += time[b];
		time[b] /= executions;
	}
	if (read_buckets(at, profile, "variance", SECONDS * SECONDS, variance) && n / executions >= DLS__BUCKETS)
		dls__profile_keep_variance(p, time, variance, (uint64_t)(n / executions));
	take_bars(loop, at, profile, executions);
	p->longest = p->executions ? fmin(p->longest, longest) : longest;
	p->executions += (uint64_t)executions;
	p->n += n;
	p->n2 += n * n / executions;
	p->work += work;
	p->work2 += work * work / executions * (1 + spread * spread);
	for (unsigned w = 0; w < loop->workers && w < json_array_size(worker); w++)
		loop->speed[w] = read_number(at, json_array_get(worker, w), "speed", 1e-6, 1e6, 1);
}

/* The text becomes part of a line for a shell, so it must be a schedule. */
static void take_repeat(struct loop *loop, const struct place *at, const json_t *site)
{
	const char *repeat = read_text(at, site, "repeat");
	struct dls_schedule *parsed;

	if (!repeat)
		return;
	if (dls_schedule_parse(&parsed, repeat, NULL))
		read_die(at->file, at->value, "\"repeat\" is \"%.40s\", which this dls-advise does not know",
			 repeat);
	dls_schedule_free(parsed);
	loop->repeat = tool_held_string("%s", repeat);
}

void report_take(struct loops *loops, const struct place *at, const json_t *site)
{
	const char *name = read_text(at, site, "site");
	unsigned workers = (unsigned)read_number(at, site, "workers", 0, DLS_WORKERS_MAX, NAN);
	double measured = read_number(at, site, "measured", 0, 1e18, NAN);
	const json_t *profile = json_object_get(site, "profile"), *alone = json_object_get(site, "alone");
	struct loop *loop;

	if (!profile)
		read_die(at->file, at->value, "it has no \"profile\": an older libdls wrote it");
	loop = loop_named(loops, name ? name : "");
	take_repeat(loop, at, site);
	if (measured < 1 || workers < 1)
		return;
	loop->share = fmax(loop->share, read_number(at, site, "time_share", 0, 1e9, 0));
	if (alone) {
		struct dls__taken a = taken_of(at, alone);

		loop->alone.executions += a.executions;
		loop->alone.busy += a.busy;
		loop->alone.wall += a.wall;
		loop->alone.n += a.n;
	}
	if (loop_workers(loop, workers)) {
		double busy = read_number(at, site, "busy", 0, SECONDS, NAN);
		double efficiency = read_number(at, site, "efficiency", 0, 1, 0);

		loop->busy_mean += busy / workers;
		loop->busy_longest += efficiency > 0 ? busy / workers / efficiency : 0;
		if (json_object_get(site, "saving")) {
			double dispatch = read_number(at, site, "dispatch", 0, SECONDS, 0);

			loop->wall += read_number(at, site, "wall", 0, SECONDS, 0);
			loop->executions += measured;
			loop->saving += read_number(at, site, "saving", 0, SECONDS, 0);
			loop->threads += busy + dispatch + read_number(at, site, "idle", 0, SECONDS, 0);
			loop->dispatch += dispatch;
		}
		if (json_is_object(profile))
			take_profile(loop, at, site, profile);
	}
	take_schedules(loop, at, site);
	take_reach(loop, at, site);
}
