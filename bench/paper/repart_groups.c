/* repart_groups.c - the groups that a scheduler makes of processors in racks, and what it gives them at first: Banicescu &
 * Carino 2005, sections 4.1 and 4.2. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dls/repart.h"
#include "repart.h"

enum { RACKS_MAX = 4, GROUPS_MAX = 12, TEXT = 64 };

/* Racks, and the sizes of the groups that follow, the largest first; no limit is above REPART_LIMIT. */
static const struct job {
	size_t racks, scheduler;	/* scheduler == racks: there is none */
	unsigned rack[RACKS_MAX], limit;
	unsigned size[GROUPS_MAX];
} jobs[] = {
	{ REPART_RACKS, REPART_SCHEDULER_RACK, { 4, 32, 28 }, REPART_LIMIT, { 16, 16, 16, 15 } },
	{ 1, 1, { 33 }, 16, { 11, 11, 11 } },
	{ 1, 0, { 33 }, 16, { 11, 11, 10 } },
	{ 4, 4, { 16, 16, 16, 16 }, 16, { 16, 16, 16, 16 } },
	{ 2, 2, { 20, 12 }, 16, { 16, 16 } },
	{ 3, 3, { 10, 3, 24 }, 16, { 16, 11, 10 } },
	{ 2, 2, { 17, 16 }, 16, { 16, 16, 1 } },
	{ 3, 2, { 28, 28, 8 }, 8, { 8, 8, 8, 8, 8, 8, 7, 4, 4 } },
};
enum { JOBS = sizeof(jobs) / sizeof(*jobs) };

/* What a group is given, over the seeds. */
struct share {
	struct tool_spread datasets, observations;
	double off;		/* |observations / quota - 1|, at most */
	double fullest;		/* observations of its fullest processor over their mean, at most */
};

struct formed {
	size_t groups;
	unsigned size[GROUPS_MAX], falling[GROUPS_MAX];
	struct dls_group group[GROUPS_MAX];
	struct share share[GROUPS_MAX];
};

static void need(int code, const char *what)
{
	if (code < 0)
		tool_die(TOOL_CHECK_FAILED, "%s: %s", what, dls_strerror(code));
}

static int by_size(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x < y) - (x > y);
}

static void form(const struct job *job, struct formed *f)
{
	int groups = dls_group_form(job->rack, job->racks, job->limit, job->scheduler, f->group, GROUPS_MAX);

	need(groups, "dls_group_form");
	f->groups = (size_t)groups < GROUPS_MAX ? (size_t)groups : GROUPS_MAX;
	for (size_t g = 0; g < f->groups; g++)
		f->size[g] = f->falling[g] = f->group[g].size;
	qsort(f->falling, f->groups, sizeof(*f->falling), by_size);
}

/* Datasets, observations, and those of the fullest processor, of each group under one seed. */
struct dealt {
	double datasets[GROUPS_MAX], observations[GROUPS_MAX], most[GROUPS_MAX];
	double all;
};

static void deal(const struct formed *f, uint64_t seed, struct dealt *dealt)
{
	int64_t size[REPART_DATASETS];
	unsigned owner[REPART_DATASETS], first = 0;

	*dealt = (struct dealt){ .all = 0 };
	repart_sizes(seed, size);
	need(dls_group_deal(size, REPART_DATASETS, f->size, f->groups, owner), "dls_group_deal");
	for (size_t g = 0; g < f->groups; first += f->size[g++]) {
		double has[REPART_LIMIT] = { 0 };

		for (size_t i = 0; i < REPART_DATASETS; i++)
			if (owner[i] >= first && owner[i] - first < f->size[g]) {
				dealt->datasets[g]++;
				has[owner[i] - first] += (double)size[i];
			}
		for (unsigned k = 0; k < f->size[g]; k++) {
			dealt->observations[g] += has[k];
			dealt->most[g] = fmax(dealt->most[g], has[k]);
		}
		dealt->all += dealt->observations[g];
	}
}

static void share(struct formed *f)
{
	struct dealt *dealt = tool_need(calloc(paper.seeds, sizeof(*dealt)));
	double *value = tool_need(calloc(paper.seeds, sizeof(*value))), processors = 0;

	for (size_t g = 0; g < f->groups; g++)
		processors += f->size[g];
	for (size_t s = 0; s < paper.seeds; s++)
		deal(f, paper.first + s, &dealt[s]);
	for (size_t g = 0; g < f->groups; g++) {
		struct share *x = &f->share[g];

		for (size_t s = 0; s < paper.seeds; s++) {
			double quota = f->size[g] * dealt[s].all / processors;

			x->off = fmax(x->off, fabs(dealt[s].observations[g] / quota - 1));
			x->fullest = fmax(x->fullest, dealt[s].most[g] / (dealt[s].observations[g] / f->size[g]));
			value[s] = dealt[s].datasets[g];
		}
		x->datasets = tool_spread(value, paper.seeds);
		for (size_t s = 0; s < paper.seeds; s++)
			value[s] = dealt[s].observations[g];
		x->observations = tool_spread(value, paper.seeds);
	}
	free(value);
	free(dealt);
}

static void append(char text[TEXT], const char *between, unsigned number, const char *after)
{
	size_t n = strlen(text);

	snprintf(text + n, TEXT - n, "%s%u%s", n ? between : "", number, after);
}

/* "4 32 28+S" */
static void say_racks(const struct job *job, char text[TEXT])
{
	text[0] = 0;
	for (size_t i = 0; i < job->racks; i++)
		append(text, " ", job->rack[i] - (i == job->scheduler), i == job->scheduler ? "+S" : "");
}

/* "12+4" */
static void say_group(const struct dls_group *group, char text[TEXT])
{
	text[0] = 0;
	for (unsigned i = 0; i < group->racks; i++)
		append(text, "+", group->from[i], "");
	if (group->scheduler)
		strcat(text, "+S");
}

static void print(const struct formed *formed)
{
	static const char *const column[] = { "racks", "limit", "group", "processors", "from", "datasets", "datasets_min",
					      "datasets_max", "observations", "off_quota", "fullest", NULL };
	static const char *const text_column[] = { "racks", "limit", "group", "processors", "from", "datasets", "min", "max",
						   "observations", "off quota", "fullest", NULL };
	static const int width[] = { -11, 5, 5, 10, -4, 8, 4, 4, 12, 9, 7 };
	struct tool_table table;

	paper_table(&table, paper.format == TOOL_TEXT ? text_column : column, width);
	for (size_t j = 0; j < JOBS; j++)
		for (size_t g = 0; g < formed[j].groups; g++) {
			const struct share *x = &formed[j].share[g];
			char text[TEXT];

			say_racks(&jobs[j], text);
			tool_text(&table, text);
			tool_whole(&table, jobs[j].limit);
			tool_whole(&table, g + 1);
			tool_whole(&table, formed[j].size[g]);
			say_group(&formed[j].group[g], text);
			tool_text(&table, text);
			paper_number(&table, "%.0f", x->datasets.median);
			paper_number(&table, "%.0f", x->datasets.min);
			paper_number(&table, "%.0f", x->datasets.max);
			paper_number(&table, "%.0f", x->observations.median);
			paper_number(&table, "%.5f", x->off);
			paper_number(&table, "%.3f", x->fullest);
		}
	tool_table_end(&table);
}

/* Processors in the scheduler's group; the most that a group has of a second rack. */
static double in_scheduler_group(const struct formed *f)
{
	for (size_t g = 0; g < f->groups; g++)
		if (f->group[g].scheduler)
			return f->size[g];
	return NAN;
}

static double of_second_rack(const struct formed *f)
{
	double most = 0;

	for (size_t g = 0; g < f->groups; g++)
		if (f->group[g].racks > 1)
			most = fmax(most, f->group[g].from[1]);
	return most;
}

static void accept(const struct formed *formed)
{
	static const double theirs[REPART_GROUPS] = { 16, 16, 16, 15 };

	for (size_t j = 0; j < JOBS; j++) {
		char text[TEXT];

		say_racks(&jobs[j], text);
		for (size_t g = 0; g < GROUPS_MAX && (jobs[j].size[g] || g < formed[j].groups); g++)
			paper_accept(j == 0 && g < REPART_GROUPS ? theirs[g] : NAN, jobs[j].size[g], jobs[j].size[g],
				     g < formed[j].groups ? formed[j].falling[g] : NAN,
				     "racks %s, limit %u: processors, largest group %zu", text, jobs[j].limit, g + 1);
	}
	paper_accept(15, 15, 15, in_scheduler_group(&formed[0]), "the scheduler's group: processors");
	paper_accept(4, 4, 4, of_second_rack(&formed[0]), "the group of two racks: processors of the second");
	for (size_t j = 0; j < 2; j++)
		for (size_t g = 0; g < formed[j].groups; g++)
			paper_accept(NAN, 0, 0.001, formed[j].share[g].off,
				     "%zu groups: observations of group %zu off its quota, at most", formed[j].groups, g + 1);
}

static void run_groups(void)
{
	struct formed *formed = tool_need(calloc(JOBS, sizeof(*formed)));

	for (size_t j = 0; j < JOBS; j++) {
		form(&jobs[j], &formed[j]);
		share(&formed[j]);
	}
	print(formed);
	paper_say("\nracks: processors of each, S being the scheduler's own; from: those of a group, rack by rack; datasets and\n"
		  "observations: of 555 dealt to them; off quota: |observations / quota - 1|, at most; fullest: observations of\n"
		  "a group's fullest processor over their mean, at most.  The first are the paper's, racks 2, 4 and 5.");
	accept(formed);
	free(formed);
}

const struct paper_experiment paper_repart_groups = {
	.name = "repart-groups", .what = "sections 4.1 and 4.2: groups of processors, and the datasets that they begin with",
	.first = 1, .last = 30, .medians = true, .run = run_groups,
};
