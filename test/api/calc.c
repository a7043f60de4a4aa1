/* calc.c - a user's own calculator works by name wherever a schedule is written, and a bad one does no harm.
 *
 * Fails if: registration is not seen by the parser, a calculator's size is used outside 1..R, or a clash is let through.
 *
 * runs: check, machines */
#include <unistd.h>

#include "deal.h"
#include "dls/predict.h"
#include "once.h"
#include "parse.h"

/* The state is how often it was asked. */
static int halves_init(void *state, const struct dls_loop_desc *loop)
{
	*(unsigned *)state = 0;
	return loop->n == 666 ? DLS_EINVAL : 0;
}

static uint64_t halves_next(void *state, uint64_t R)
{
	return (R + 1) / 2;
}

static uint64_t wild_next(void *state, uint64_t R)
{
	return (*(unsigned *)state)++ % 2 ? 0 : R + 12345;		/* neither is within 1..R */
}

static uint64_t nothing_next(void *state, uint64_t R)
{
	return 0;
}

static uint64_t more_next(void *state, uint64_t R)
{
	return R + 3;
}

static uint64_t wild_repeat(void *state)
{
	return UINT64_MAX;
}

/* at() leaves out the last tenth. */
static uint64_t gaps_at(const void *state, uint64_t k, uint64_t *size)
{
	*size = k < 9 ? 100 : 0;
	return 100 * k;
}

/* ... or deals some twice. */
static uint64_t overlaps_at(const void *state, uint64_t k, uint64_t *size)
{
	*size = k < 10 ? 110 : 0;
	return 100 * k;
}

/* Deals each iteration once. */
static uint64_t ones_at(const void *state, uint64_t k, uint64_t *size)
{
	*size = k < 2;
	return k;
}

/* Each walk through the loop goes another way. */
static uint64_t moody_next(void *state, uint64_t R)
{
	static uint64_t random = 1;

	return 1 + tap_random(&random) % 9 % R;
}

#define OWN .size = sizeof(struct dls_calc), .source = "test", .state_size = sizeof(unsigned), .init = halves_init	/* what all of them have */

static const struct dls_calc
	halves = { OWN, .name = "my-halves", .aliases = "half", .next = halves_next },
	wild = { OWN, .name = "wild", .next = wild_next, .repeat = wild_repeat },
	wild_live = { OWN, .name = "wildlive", .next = wild_next, .dispenser = DLS_DISPENSER_LIVE },
	gaps = { OWN, .name = "gaps", .next = halves_next, .at = gaps_at, .dispenser = DLS_DISPENSER_OWN },
	overlaps = { OWN, .name = "overlaps", .next = halves_next, .at = overlaps_at, .dispenser = DLS_DISPENSER_OWN },
	good = { OWN, .name = "good", .next = halves_next, .at = ones_at, .dispenser = DLS_DISPENSER_OWN },
	moody = { OWN, .name = "moody", .next = moody_next },
	nothing[] = {
		{ OWN, .name = "nothing", .next = nothing_next, .repeat = wild_repeat },
		{ OWN, .name = "nothing-weights", .next = nothing_next, .needs = DLS_NEED_WEIGHTS },
		{ OWN, .name = "nothing-live", .next = nothing_next, .dispenser = DLS_DISPENSER_LIVE },
		{ OWN, .name = "nothing-ranges", .next = nothing_next, .dispenser = DLS_DISPENSER_RANGES, .fixed_size = true },
		{ OWN, .name = "nothing-tiles", .next = nothing_next, .dispenser = DLS_DISPENSER_RANGES },
	},
	more = { OWN, .name = "more", .next = more_next },
	moody_weights = { OWN, .name = "moody-weights", .next = moody_next, .needs = DLS_NEED_WEIGHTS };

/* What is written to stderr between the two calls is `said`. */
static int saved;
static FILE *caught;
static char said[4000];

static void listen(void)
{
	saved = dup(2);
	caught = tmpfile();
	CHECK(saved >= 0 && caught && dup2(fileno(caught), 2) == 2);
}

static void listen_over(void)
{
	dup2(saved, 2);
	close(saved);
	rewind(caught);
	said[fread(said, 1, sizeof(said) - 1, caught)] = 0;
	fclose(caught);
}

/* What 1000 iterations three times under a schedule say; two workers, by calls from this thread. */
static const char *run_bad(const char *schedule)
{
	struct dls_loop *loop = deal_open(schedule, 2, NULL, 0);

	listen();
	for (int k = 0; k < 3; k++) {
		CHECK_EQ(dls_loop_start(loop, 0, 1000, 1), 0);
		deal_rest(loop, 0);
		deal_rest(loop, 1);
		CHECK_EQ(dls_loop_end(loop, NULL), 0);
	}
	dls_loop_close(loop);
	listen_over();
	return said;
}

/* Fails if: workers that leave at the same time take each other's iterations for lost. */
static void not_told(void)
{
	CHECK_EQ(dls_calc_register(&good), 0);
	listen();
	DLS_PARALLEL(num_threads(2))
		for (int k = 0; k < 20000; k++)
			DLS_FOR(i, 0, 2, .nowait = k % 16, .schedule = "good")
				(void)i;
	listen_over();
	CHECK_TEXT(said, "");
}

/* Fails if: no message tells of a calculator whose chunks are not the loop, a second one does, or one tells of a good
 * calculator. */
static void told(void)
{
	CHECK_EACH(0, dls_calc_register(&gaps), dls_calc_register(&overlaps), dls_calc_register(&moody),
		   dls_calc_register(&moody_weights));
	CHECK_TEXT(run_bad("half,5"), "");
	CHECK_TEXT(run_bad("gaps"), "libdls: dls_loop: calculator gaps dealt 900 iterations of 1000: "
		   "the chunks of its at() do not make up the loop\n");
	CHECK_TEXT(run_bad("overlaps"), "libdls: dls_loop: calculator overlaps dealt 1090 iterations of 1000: "
		   "the chunks of its at() do not make up the loop\n");
	run_bad("moody");
	CHECK(strstr(said, "libdls: dls_loop: calculator moody gave two workers different chunks of one loop") == said);
	CHECK(strchr(said, '\n') == said + strlen(said) - 1);
	run_bad("moody-weights,weights=1:3");
	CHECK(strstr(said, "libdls: dls_loop: calculator moody-weights gave two") == said);
}

/* Of 100 iterations on two workers. */
static uint64_t predicted_chunks(const char *text)
{
	const struct dls_profile profile = { .size = sizeof(profile), .n = 100, .buckets = 1, .time = &(const double){ 1e-3 } };
	struct dls_prediction prediction = { .size = sizeof(prediction) };
	struct dls_schedule *schedule = parse(text);

	CHECK_EQ(dls_predict(schedule, &profile, 2, NULL, NULL, &prediction), 0);
	dls_schedule_free(schedule);
	return prediction.chunks;
}

/* Fails if: a chunk of no iterations goes unreported, is reported more than once, or loses iterations; or if one is reported of a
 * calculator that returns more than what is left, which is cut. */
static void nothing_told(void)
{
	for (unsigned k = 0; k < sizeof(nothing) / sizeof(*nothing); k++)
		for (int times = 0; times < 2; times++) {
			char schedule[80], expected[200];
			struct dls_loop *loop;

			snprintf(schedule, sizeof(schedule), "%s%s", nothing[k].name, nothing[k].needs ? ",3,weights=1:2" : ",3");
			snprintf(expected, sizeof(expected), "libdls: dls_loop: next() of calculator %s returned 0 with 100 iterations "
				 "left, of which it may return 1 to all; the chunk has 3\n", nothing[k].name);
			if (times == 0)
				CHECK_EQ(dls_calc_register(&nothing[k]), 0);
			loop = deal_open(schedule, 2, NULL, 0);
			listen();
			deal_run(loop, 2, 100);
			listen_over();
			CHECK_TEXT(said, times ? "" : expected);
			dls_loop_close(loop);
			CHECK_EQ(predicted_chunks(schedule), 34);
		}
	CHECK_EQ(dls_calc_register(&more), 0);
	CHECK_TEXT(run_bad("more"), "");
}

static void learn(const void *state, struct dls_learned *memory, const struct dls_sample *sample, double own[2])
{
}

static double weight(const struct dls_measured *view)
{
	return view->own[0];
}

static void took(const void *state, uint64_t K, double own[2])
{
}

static uint64_t parts(const void *state, uint64_t K)
{
	return K;
}

static void registration(void)
{
	struct dls_calc bad;
	size_t n = 0;

	CHECK(dls_calc_find("myhalves") == NULL);
	CHECK_EQ(dls_calc_register(&halves), 0);
	CHECK_EQ(dls_calc_register(&wild), 0);
	CHECK_EQ(dls_calc_register(&wild_live), 0);
	CHECK(dls_calc_find("MY-Halves") != NULL && dls_calc_find("MY-Halves")->next == halves.next);
	CHECK(dls_calc_find("half") == dls_calc_find("MY-Halves"));
	CHECK_EQ(dls_calc_register(&halves), DLS_EEXIST);
	CHECK_EQ(dls_calc_register(NULL), DLS_EINVAL);

#define REFUSED(code, change) \
	(bad = halves, bad.name = "other", bad.aliases = NULL, change, CHECK_EQ(dls_calc_register(&bad), code))
	REFUSED(DLS_EEXIST, bad.name = "guided");
	REFUSED(DLS_EEXIST, bad.name = "monotonic");
	REFUSED(DLS_EEXIST, bad.aliases = halves.aliases);
	REFUSED(DLS_EINVAL, bad.name = "Upper");
	REFUSED(DLS_EINVAL, bad.name = "");
	REFUSED(DLS_EINVAL, bad.state_size = DLS_STATE_MAX + 1);
	REFUSED(DLS_EINVAL, bad.dispenser = DLS_DISPENSER_OWN);		/* without at() */
	REFUSED(DLS_EINVAL, (bad.dispenser = DLS_DISPENSER_RANGES, bad.needs = DLS_NEED_WEIGHTS));	/* tiles have none */
	REFUSED(DLS_EINVAL, bad.fallback = "nothing");
	REFUSED(DLS_EINVAL, bad.name = NULL);
	REFUSED(DLS_EINVAL, bad.name = "1st");
	REFUSED(DLS_EINVAL, bad.name = "dotted.name");
	REFUSED(DLS_EINVAL, bad.name = "a-name-of-thirty-two-characters-");
	REFUSED(DLS_EINVAL, bad.aliases = "good Bad");
	REFUSED(DLS_EEXIST, bad.name = "classes");
	REFUSED(DLS_EEXIST, bad.name = "rid");		/* a strategy's */
	REFUSED(DLS_EINVAL, bad.init = NULL);
	REFUSED(DLS_EINVAL, bad.next = NULL);
	REFUSED(DLS_EINVAL, bad.dispenser = (enum dls_dispenser)(DLS_DISPENSER_LIVE + 1));
	REFUSED(DLS_EINVAL, bad.curve = (enum dls_curve_kind)(DLS_CURVE_MORTON + 1));
	REFUSED(DLS_EINVAL, bad.needs = 32);

	/* What learning needs, and what goes with it alone. */
	REFUSED(DLS_EINVAL, bad.needs = DLS_NEED_DONE);
	REFUSED(DLS_EINVAL, bad.took = took);
	REFUSED(DLS_EINVAL, bad.learn = learn);
	REFUSED(DLS_EINVAL, bad.weight = weight);
	REFUSED(DLS_EINVAL, bad.parts = parts);
	REFUSED(DLS_EINVAL, (bad.pace = (enum dls_pace)(DLS_PACE_CHUNK + 1), bad.learn = learn, bad.dispenser = DLS_DISPENSER_LIVE));
	REFUSED(DLS_EINVAL, (bad.pace = DLS_PACE_CHUNK, bad.dispenser = DLS_DISPENSER_LIVE));
	REFUSED(DLS_EINVAL, (bad.pace = DLS_PACE_CHUNK, bad.learn = learn));
	REFUSED(DLS_EINVAL, (bad.pace = DLS_PACE_BATCH, bad.learn = learn, bad.dispenser = DLS_DISPENSER_LIVE));
	REFUSED(DLS_EINVAL, (bad.pace = DLS_PACE_CHUNK, bad.learn = learn, bad.dispenser = DLS_DISPENSER_LIVE, bad.weight = weight));
	REFUSED(DLS_EINVAL, (bad.pace = DLS_PACE_CHUNK, bad.learn = learn, bad.needs = DLS_NEED_WEIGHTS));
	REFUSED(DLS_EINVAL, (bad.pace = DLS_PACE_CHUNK, bad.learn = learn, bad.needs = DLS_NEED_WEIGHTS, bad.weight = weight,
			     bad.parts = parts));
	REFUSED(DLS_EINVAL, (bad.pace = DLS_PACE_CHUNK, bad.learn = learn, bad.took = took, bad.needs = DLS_NEED_DONE,
			     bad.dispenser = DLS_DISPENSER_LIVE));
#undef REFUSED
	while (dls_calc_at(n))
		n++;
	CHECK(dls_calc_at(n - 3) == dls_calc_find("half") && dls_calc_at(n - 1) == dls_calc_find("wildlive"));
}

static void runs_everywhere(void)
{
	static const char *const schedule[] = { "my-halves", "half,5", "wild", "wild,4", "wildlive" };

	for (unsigned s = 0; s < sizeof(schedule) / sizeof(*schedule); s++)
		for (int n = 0; n < 1000; n = n * 3 + 1) {
			DLS_PARALLEL_FOR(i, 0, n, .schedule = schedule[s])
				once_hit(i);
			once_check(once_hits, (uint64_t)n, 1, schedule[s], 2);
		}
}

/* The end of the first chunk of n iterations. */
static int64_t first_of(struct dls_loop *loop, int64_t n)
{
	int64_t end;

	CHECK_EQ(dls_loop_start(loop, 0, n, 1), 0);
	end = deal_next(loop, 0).end;
	CHECK_EQ(dls_loop_end(loop, NULL), 0);
	return end;
}

/* The sizes really are the calculator's. */
static void sizes(void)
{
	static const int64_t K[] = { 500, 250, 125, 63, 31, 16, 10, 5, 0 };
	struct dls_loop *loop = deal_open("half,10", 2, NULL, 0);

	CHECK_EQ(dls_loop_start(loop, 0, 1000, 1), 0);
	for (unsigned k = 0; k < sizeof(K) / sizeof(*K); k++)
		CHECK_EQ(deal_next(loop, k % 2).n, K[k]);
	deal_end(loop, 1000);
	CHECK_EQ(first_of(loop, 666), 167);	/* refused by init: runs as fac2 */
	/* What the schedule says of moments goes before what the loop is given. */
	CHECK_EQ(dls_loop_set_schedule(loop, "fac,mu=1,sigma=0"), 0);
	CHECK_EQ(dls_loop_set_moments(loop, 1e-9, 2e-9), 0);
	CHECK_EQ(first_of(loop, 1000), 500);
	dls_loop_close(loop);
}

/* What a loop falls back to is dealt as if it had been asked for.  Breaks if it gets the parameters of what was asked for, or if the
 * next execution, which need not fall back, does so too: under rid each worker begins with its share. */
static void fallbacks(void)
{
	static const struct dls_calc needy = {
		OWN, .name = "needy", .next = halves_next, .needs = DLS_NEED_MU, .fallback = "tss",
		.param = { { .name = "x", .min = 1, .max = 1000, .whole = true, .text = "not tss's first chunk" } },
	};
	struct dls_loop *loop;

	CHECK_EQ(dls_calc_register(&needy), 0);
	loop = deal_open("needy,x=7", 2, NULL, 0);
	CHECK_EQ(first_of(loop, 1000), 250);		/* N / 2P */
	dls_loop_close(loop);
	loop = deal_open("rid,1,net=mesh:2x2", 2, NULL, 0);
	CHECK_EQ(first_of(loop, 1000), 250);		/* for two workers that is no net */
	CHECK_EQ(dls_loop_set_schedule(loop, "rid,1"), 0);
	CHECK_EQ(dls_loop_start(loop, 0, 1000, 1), 0);
	CHECK_EQ(deal_next(loop, 0).begin, 0);
	CHECK_EQ(deal_next(loop, 1).begin, 500);
	CHECK_EQ(deal_rest(loop, 0) + deal_rest(loop, 1), 998);
	deal_end(loop, 1000);
	dls_loop_close(loop);
}

static void sites(void)
{
	struct dls_site *site;
	struct dls_loop *loop;

	CHECK_EACH(DLS_EINVAL, dls_site_named(&site, ""),
		   dls_site_named(&site, "a name that has one more than the sixty-three that one may have."));
	deal_site("a name that has all of the sixty-three bytes that one may have.");
	site = deal_site("solver");
	CHECK(site == deal_site("solver"));
	CHECK_EQ(dls_site_set_schedule(site, "gsss"), DLS_ENOENT);
	CHECK_EQ(dls_site_set_schedule(site, "ss,17"), 0);
	CHECK_TEXT(deal_schedule(site), "ss,17");
	CHECK_EQ(dls_loop_open(&loop, 2, site, 0), 0);
	CHECK_EQ(first_of(loop, 1000), 17);
	CHECK_EQ(dls_site_set_schedule(site, "fac"), 0);
	CHECK_EQ(dls_site_set_moments(site, 1, 0), 0);
	CHECK_EQ(first_of(loop, 1000), 500);
	dls_loop_close(loop);
	CHECK_EQ(dls_site_set_schedule(site, NULL), 0);
	CHECK_TEXT(deal_schedule(site), "auto");
}

TEST_MAIN(T(registration) T(runs_everywhere) T(sizes) T(fallbacks) T(sites) T(told) T(not_told) T(nothing_told))
