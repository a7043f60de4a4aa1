/* repart_groups.c - the groups that a scheduler makes of processors in racks, and what it gives them at first: Banicescu &
 * Carino 2005, sections 4.1 and 4.2. */
#include "dls/repart.h"
#include "repart.h"

enum { RACKS_MAX = 4, GROUPS_MAX = 12, LABEL = 64 };

/* Racks; no limit is above REPART_LIMIT. */
static const struct job {
	size_t racks, scheduler;	/* scheduler == racks: there is none */
	unsigned rack[RACKS_MAX], limit;
} jobs[] = {
	{ REPART_RACKS, REPART_SCHEDULER_RACK, { 4, 32, 28 }, REPART_LIMIT },
	{ 1, 1, { 33 }, 16 },
	{ 1, 0, { 33 }, 16 },
	{ 4, 4, { 16, 16, 16, 16 }, 16 },
	{ 2, 2, { 20, 12 }, 16 },
	{ 3, 3, { 10, 3, 24 }, 16 },
	{ 2, 2, { 17, 16 }, 16 },
	{ 3, 2, { 28, 28, 8 }, 8 },
};
enum { JOBS = sizeof(jobs) / sizeof(*jobs) };

struct formed {
	size_t groups;
	unsigned size[GROUPS_MAX], falling[GROUPS_MAX];
	struct dls_group group[GROUPS_MAX];
};

static int by_size(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x < y) - (x > y);
}

static void form(const struct job *job, struct formed *f)
{
	size_t groups;

	paper_need(dls_group_form(job->rack, job->racks, job->limit, job->scheduler, f->group, GROUPS_MAX, &groups), "dls_group_form");
	f->groups = groups < GROUPS_MAX ? groups : GROUPS_MAX;
	for (size_t g = 0; g < f->groups; g++)
		f->size[g] = f->falling[g] = f->group[g].size;
	qsort(f->falling, f->groups, sizeof(*f->falling), by_size);
}

/* Under one seed, of each group: datasets, observations, and the observations of its fullest processor. */
struct dealt {
	double datasets[GROUPS_MAX], observations[GROUPS_MAX], most[GROUPS_MAX], all;
};

static void deal(const struct formed *f, uint64_t seed, struct dealt *dealt)
{
	int64_t size[REPART_DATASETS];
	unsigned owner[REPART_DATASETS], first = 0;

	*dealt = (struct dealt){ .all = 0 };
	repart_sizes(seed, size);
	paper_need(dls_group_deal(size, REPART_DATASETS, f->size, f->groups, owner), "dls_group_deal");
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

/* "4 32 28+S" */
static void say_racks(const struct job *job, char text[LABEL])
{
	size_t n = 0;

	for (size_t i = 0; i < job->racks; i++)
		n += (size_t)snprintf(text + n, LABEL - n, "%s%u%s", i ? " " : "", job->rack[i] - (i == job->scheduler),
				      i == job->scheduler ? "+S" : "");
}

/* "12+4" */
static void say_group(const struct dls_group *group, char text[LABEL])
{
	size_t n = 0;

	for (unsigned i = 0; i < group->racks; i++)
		n += (size_t)snprintf(text + n, LABEL - n, "%s%u", i ? "+" : "", group->from[i]);
	snprintf(text + n, LABEL - n, "%s", group->scheduler ? "+S" : "");
}

COLUMNS(COLUMN_TEXT("racks", NULL), COLUMN_KEY("limit", NULL), COLUMN_KEY("group", NULL), COLUMN("processors", NULL, "%.0f"),
	{ "from", .key = false }, COLUMN("datasets", NULL, "%.0f"), COLUMN("datasets_min", "min", "%.0f"),
	COLUMN("datasets_max", "max", "%.0f"), COLUMN("observations", NULL, "%.0f"), COLUMN("off_quota", "off quota", "%.5f"),
	COLUMN("fullest", NULL, "%.3f"));

/* What each group is given, over the seeds. */
#define SPREAD(member) paper_spread(dealt, sizeof(*dealt), offsetof(struct dealt, member))
static void print(const struct job *job, const struct formed *f)
{
	struct dealt *dealt = tool_held(calloc(paper.seeds, sizeof(*dealt)));
	char racks[LABEL], from[LABEL];
	double processors = 0;

	for (size_t g = 0; g < f->groups; g++)
		processors += f->size[g];
	for (size_t s = 0; s < paper.seeds; s++)
		deal(f, paper.first + s, &dealt[s]);
	say_racks(job, racks);
	for (size_t g = 0; g < f->groups; g++) {
		struct tool_spread datasets = SPREAD(datasets[g]);
		double off = 0, fullest = 0;

		for (const struct dealt *d = dealt; d < dealt + paper.seeds; d++) {
			off = fmax(off, fabs(d->observations[g] / (f->size[g] * d->all / processors) - 1));
			fullest = fmax(fullest, d->most[g] / (d->observations[g] / f->size[g]));
		}
		say_group(&f->group[g], from);
		paper_row(TEXTS(racks, from), FIGURES(job->limit, (double)g + 1, f->size[g], datasets.median, datasets.min, datasets.max,
						      SPREAD(observations[g]).median, off, fullest));
	}
}

static void run_groups(void)
{
	static const double theirs[REPART_GROUPS] = { 16, 16, 16, 15 };
	struct formed formed[JOBS];
	double with_scheduler = NAN, second = 0;	/* processors in its group; the most that a group has of a second rack */

	for (size_t j = 0; j < JOBS; j++) {
		form(&jobs[j], &formed[j]);
		print(&jobs[j], &formed[j]);
	}
	for (size_t g = 0; g < REPART_GROUPS; g++)
		paper_figure(INPUT, theirs[g], 0, formed[0].falling[g], NULL, "the paper's racks: processors, largest group %zu", g + 1);
	for (const struct dls_group *g = formed[0].group; g < formed[0].group + formed[0].groups; g++) {
		with_scheduler = g->scheduler ? g->size : with_scheduler;
		second = g->racks > 1 ? fmax(second, g->from[1]) : second;
	}
	paper_figure(INPUT, 15, 0, with_scheduler, NULL, "the scheduler's group: processors");
	paper_figure(INPUT, 4, 0, second, NULL, "the group of two racks: processors of the second");
}

const struct paper_experiment paper_repart_groups = {
	.name = "repart-groups", .what = "sections 4.1 and 4.2: groups of processors, and the datasets that they begin with",
	.first = 1, .last = 30, .medians = true, .run = run_groups, .column = column,
	.note = "racks: processors of each, S being the scheduler's own; from: those of a group, rack by rack; datasets and\n"
		"observations: of 555 dealt to them; off quota: |observations / quota - 1|, at most; fullest: observations of\n"
		"a group's fullest processor over their mean, at most.  The first are the paper's, racks 2, 4 and 5.",
	.picture = { .title = "Datasets that groups begin with", .y = "datasets", .low = "datasets_min",
		     .high = "datasets_max" },
};
