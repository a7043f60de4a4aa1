/* repart.c - a model: groups of processors analyse 555 datasets, which a scheduler moves between the groups.
 *
 * From Banicescu & Carino 2005, sections 4 and 5: the number of datasets, the smallest and the largest, that
 * time grows with the square of the observations, the processors and their groups.  The paper says without
 * figures that times also differ by dataset, group and the rest of the cluster; the figures here give the
 * paper's efficiency without redistribution.  A dataset of n observations takes a group of s processors
 *
 *	c ceil(parameter / s) n^2 u (1 + loss) noise
 *
 * u being the dataset's own, log-normal with sigma 0.4; the loss 2 % in one rack and 8 % in a group of several; the noise
 * log-normal with sigma 2 % for each dataset and 1 % for each group, anew in each loop; c such that the largest takes one
 * processor 7200 s at parameter 1000, u being 1.  Replications are the group's parallel loop, in equal shares. */
#include "repart.h"

#include "bench/tool/random.h"
#include "dls/repart.h"

const unsigned repart_parameter[REPART_LOOPS] = { 400, 600, 800, 1000 };
static const unsigned rack[REPART_RACKS] = { 4, 32, 28 };

const struct repart_theirs repart_theirs[REPART_SCHEMES] = {
	{ "STAT", "none", NULL, { 0, 0, 0, 0 }, { 0.88, 0.87, 0.86, 0.87 } },
	{ "mFSC", "repart,calc=mfsc", "mfsc", { 184, 127, 40, 19 }, { 0.94, 0.96, 0.97, 0.95 } },
	{ "GSS", "repart,calc=gss", "gss", { 277, 8, 0, 111 }, { 0.96, 0.95, 0.95, 0.95 } },
	{ "AWFC", "repart,calc=awf-c", "awf-c", { 186, 112, 20, 82 }, { 0.95, 0.96, 0.98, 0.98 } },
};

/* What makes times differ: the paper names these causes, without figures. */
static const double dataset_sigma = 0.4, loss_in_rack = 0.02, loss_in_racks = 0.08;
static const double noise_sigma = 0.02, group_sigma = 0.01;	/* in each loop */

enum { SMALLEST = 46, LARGEST = 9037, CHANNELS = 4 };
static const double longest = 7200;	/* s of one processor */

/* 4x InfiniBand of 2004: 5 us, 0.8 GB/s.  Messages are answered between two datasets. */
static const char infiniband[] = "cluster,quantum=1000,poll=0,latency=5e-6,byte=1.25e-9";

struct model {
	const struct repart_case *one;
	uint64_t seed;
	int64_t size[REPART_DATASETS];
	double time[REPART_DATASETS];	/* of a replication, s, without loss and noise */
	struct dls_repart *repart;
	char schedule[160];
	size_t loop;
	unsigned analysed[REPART_DATASETS];	/* in this loop */
};

/* Which of a model's random numbers: that of a dataset; those of a dataset and of a group in one loop. */
enum draw { DRAW_DATASET, DRAW_NOISE, DRAW_GROUP };

/* Normal with mean 0 and variance 1, always the same for the same place: Box and Muller 1958. */
static double normal(uint64_t seed, enum draw what, size_t loop, size_t i)
{
	uint64_t state = ((uint64_t)what * REPART_LOOPS + loop) * REPART_DATASETS + i, a, b;

	state = random_next(&state) + seed;
	a = random_next(&state) >> 11;
	b = random_next(&state) >> 11;
	return sqrt(-2 * log(((double)a + 1) * 0x1p-53)) * cos(2 * acos(-1) * ((double)b * 0x1p-53));
}

static int falling(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x < y) - (x > y);
}

/* Log-normal between the smallest and the largest, which are both there. */
void repart_sizes(uint64_t seed, int64_t size[REPART_DATASETS])
{
	double middle = (log(SMALLEST) + log(LARGEST)) / 2;

	for (size_t i = 0; i < REPART_DATASETS; i++)
		do {
			double r = sqrt(-2 * log(1 - random_real(&seed)));

			r *= cos(2 * acos(-1) * random_real(&seed));
			size[i] = llround(exp(middle + 0.865 * r));	/* both ends are 3.05 standard deviations away */
		} while (size[i] < SMALLEST || size[i] > LARGEST);
	qsort(size, REPART_DATASETS, sizeof(*size), falling);
	size[REPART_DATASETS - 1] = SMALLEST;
	size[0] = LARGEST;
}

static void draw_datasets(struct model *m)
{
	double c = longest / repart_parameter[REPART_LOOPS - 1] / ((double)LARGEST * LARGEST);

	repart_sizes(m->seed, m->size);
	for (size_t i = 0; i < REPART_DATASETS; i++)
		m->time[i] = c * (double)m->size[i] * (double)m->size[i] *
			     exp(dataset_sigma * normal(m->seed, DRAW_DATASET, 0, i));
}

struct replications {
	struct dls_part *part;
	double time;		/* of one, s */
	int code;
};

static void replicate(void *arg, unsigned member, uint64_t begin, uint64_t end)
{
	struct replications *r = arg;
	int code = dls_part_spend(r->part, (double)(end - begin) * r->time);

	(void)member;
	r->code = r->code ? r->code : code;
}

static int analyse(struct dls_part *part, size_t object, void *arg)
{
	struct model *m = arg;
	unsigned group = dls_part_group(part);
	struct replications r = { .part = part };
	struct dls_group g = { .racks = 0 };
	int code = dls_repart_group(m->repart, group, &g);
	double loss = g.racks > 1 ? loss_in_racks : loss_in_rack;

	m->analysed[object]++;
	r.time = m->time[object] * (1 + loss) *
		 exp(noise_sigma * normal(m->seed, DRAW_NOISE, m->loop, object)
		     + group_sigma * normal(m->seed, DRAW_GROUP, m->loop, group));
	if (!code)
		code = dls_part_for(part, repart_parameter[m->loop], replicate, &r);
	return code ? code : r.code;
}

static void need(int code, const struct repart_case *one, const char *what)
{
	if (code)
		tool_die(TOOL_CHECK_FAILED, "\"%s\": %s", one->schedule, *what ? what : dls_strerror(code));
}

/* Mean mu and standard deviation sigma of an observation's time, as if the observations of a dataset were
 * independent: a dataset of w observations then takes w mu, with the variance w sigma^2. */
static void tell(struct model *m)
{
	static const double messages = 1e-5;
	double loops = ceil((double)repart_parameter[m->loop] / REPART_LIMIT), W = 0, T = 0, squares = 0, sigma;

	for (size_t i = 0; i < REPART_DATASETS; i++) {
		double t = m->time[i] * loops;

		W += (double)m->size[i];
		T += t;
		squares += t * t / (double)m->size[i];
	}
	sigma = sqrt((squares - T * T / W) / (REPART_DATASETS - 1));
	snprintf(m->schedule, sizeof(m->schedule), "%s,mu=%.9g,sigma=%.9g,h=%.9g", m->one->schedule, T / W, sigma,
		 m->one->told == REPART_WAIT ? T / REPART_DATASETS / 2 : messages);
}

/* owner: NULL: the initial distribution. */
static void open_repart(struct model *m, const unsigned *owner)
{
	const struct repart_case *one = m->one;
	struct dls_parse_error error = { .what = "" };
	struct dls_repart_desc desc = {
		.size = sizeof(desc), .objects = REPART_DATASETS, .weight = m->size, .owner = owner, .work = analyse,
		.schedule = m->schedule,
		.net = "complete", .costs = infiniband, .rack = rack, .racks = REPART_RACKS,
		.scheduler_rack = REPART_SCHEDULER_RACK, .processors = REPART_P, .limit = REPART_LIMIT,
		.seed = m->seed, .regroup = one->regroup, .unit_bytes = CHANNELS * sizeof(double),
	};

	if (one->told)
		tell(m);
	else
		snprintf(m->schedule, sizeof(m->schedule), "%s", one->schedule);
	need(dls_repart_open(&m->repart, &desc, &error), one, error.what);
}

/* Each loop has moments of its own: open it anew, with the partition. */
static void open_again(struct model *m)
{
	unsigned owner[REPART_DATASETS];

	for (size_t i = 0; i < REPART_DATASETS; i++)
		need(dls_repart_owner(m->repart, i, &owner[i]), m->one, "");
	dls_repart_close(m->repart);
	open_repart(m, owner);
}

/* The processors after the first loop. */
static void note_processors(const struct model *m, struct repart_run *run)
{
	for (unsigned p = 0; p < REPART_WORKERS; p++) {
		struct dls_repart_stats stats = { .size = sizeof(stats) };

		need(dls_repart_processor_stats(m->repart, p, &stats), m->one, "");
		run->processor[p] = (struct repart_processor){
			stats.group, (double)stats.objects, stats.work };
	}
}

static void run_loop(struct model *m, struct repart_loop *loop)
{
	struct dls_sweep_result sweep = { .size = sizeof(sweep) };

	memset(m->analysed, 0, sizeof(m->analysed));
	need(dls_repart_sweep(m->repart, m, &sweep), m->one, "");
	for (size_t i = 0; i < REPART_DATASETS; i++) {
		int code;

		need(dls_repart_code(m->repart, i, &code), m->one, "");
		need(code, m->one, "");
		if (m->analysed[i] != 1)
			need(DLS_EINVAL, m->one, "a dataset was lost or analysed twice");
	}
	*loop = (struct repart_loop){
		.time = sweep.time, .efficiency = sweep.efficiency_all, .efficiency_63 = sweep.efficiency,
		.moved = (double)sweep.moved, .moved_weight = (double)sweep.moved_weight,
		.exchanged = (double)sweep.exchanged,
	};
}

static void run_case(const void *one, uint64_t seed, void *figures)
{
	struct repart_run *run = figures;
	struct model *m = tool_need(calloc(1, sizeof(*m)));

	m->one = one;
	m->seed = seed;
	draw_datasets(m);
	open_repart(m, NULL);
	for (m->loop = 0; m->loop < REPART_LOOPS; m->loop++) {
		if (m->loop > 0 && m->one->told)
			open_again(m);
		run_loop(m, &run->loop[m->loop]);
		if (m->loop == 0)
			note_processors(m, run);
	}
	dls_repart_close(m->repart);
	free(m);
}

struct repart_run *repart_runs(const struct repart_case *cases, size_t n)
{
	return paper_runs(PAPER_RUNS(run_case, cases, n, struct repart_run));
}
