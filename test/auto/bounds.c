/* auto with any input: no figure makes it read or write elsewhere, choose what is no candidate, or keep more than is said.
 *
 * runs: check, alone */
#include "auto/world.h"

/* 8 KiB for a loop of four sizes at P = 16; 1 KiB for a size that was never profiled; 256 KiB for a loop of all sizes. */
static void memory(void)
{
	struct dls__auto a = { 0 };
	size_t class = sizeof(struct dls__auto_class) + sizeof(struct dls__auto_class *);
	struct dls__auto_class *c = dls__auto_class(&a, 16, 1000, 0, -1, 0, 0);

	CHECK(sizeof(struct dls__auto) + 4 * (class + dls__latest_size(16)) <= 8192);
	CHECK(class <= 1024 && c->profile.data == NULL);
	CHECK(sizeof(struct dls__auto) + DLS__AUTO_CLASSES * (class + dls__latest_size(16)) <= 256 << 10);
	dls__auto_free(&a);
}

static void texts(void)
{
	char text[32], small[4];

	for (unsigned i = 0; i < DLS__AUTO_SCHEDULES; i++) {
		CHECK(dls__auto_text(i, text, sizeof(text)) < sizeof(text));
		CHECK_EQ(dls__auto_text(i, small, sizeof(small)), strlen(text));
		CHECK_EQ(strlen(small), strlen(text) < 3 ? strlen(text) : 3);
		CHECK(world_schedule(i) != NULL);
	}
}

static double any_time(uint64_t *random)
{
	static const double odd[] = { 0, -1, 1e-300, 1e300, INFINITY, -INFINITY, NAN };
	uint64_t r = tap_random(random);

	return r % 4 ? ldexp((double)(r >> 11), -70 - (int)(r % 7)) : odd[r / 4 % 7];
}

static bool candidate(const struct dls__auto_class *c, unsigned schedule)
{
	for (unsigned i = 0; i < c->candidates; i++)
		if (c->seen[i].schedule == schedule)
			return true;
	return false;
}

/* N and P change every time, of thousands of classes; times of all kinds; profiles that lack workers, or have too many iterations. */
static void anything(void)
{
	static struct dls__bucket buckets[40][80];
	uint64_t random = tap_seed();
	struct dls__auto a = { 0 };

	for (unsigned e = 0; e < 20000; e++) {
		uint64_t r = tap_random(&random), n = tap_random(&random) >> (r % 64);
		unsigned p = 1 + (unsigned)(r >> 8) % 40;
		unsigned own = r >> 62 ? (unsigned)(r >> 17) & 1 : 1 + DLS__AUTO_SS + (unsigned)(r >> 40) % 61;
		unsigned flags = ((unsigned)(r >> 16) & DLS__AUTO_MONOTONIC) + own * DLS__AUTO_OWN;
		const struct dls__bucket *row[40];
		struct dls__auto_choice choice;
		struct dls__auto_class *c;

		if (r >> 20 & 1) {	/* some come again, or none would be decided about */
			n = 1000 >> (r >> 21 & 8);
			p = 4;
			flags = 0;
		}
		c = dls__auto_class(&a, p, n, flags, (int)(r >> 32 & 255), any_time(&random), any_time(&random));
		if (!CHECK(c != NULL))
			return;
		choice = dls__auto_choose(c);
		CHECK(candidate(c, choice.schedule));
		if (flags & DLS__AUTO_MONOTONIC)
			CHECK(choice.schedule != DLS__AUTO_FRAC &&
			      !(choice.schedule >= DLS__AUTO_STEAL && choice.schedule < DLS__AUTO_SS));
		dls__auto_ended(c, r >> 40 & 7 ? choice.schedule : (unsigned)(r >> 48), n, any_time(&random));
		for (unsigned w = 0; w < p; w++) {
			row[w] = r >> w & 1 ? buckets[w] : NULL;
			for (unsigned b = 0; b < dls__buckets(p, n); b++)
				buckets[w][b] = (struct dls__bucket){ any_time(&random), tap_random(&random) >> (r % 64) };
		}
		dls__auto_profiled(c, n, row);
		if (dls__auto_due(c) || (c->profile.count && r >> 44 & 1)) {
			CHECK_EQ(dls__auto_decide(c, NULL, world_schedule), 0);
			dls__auto_decided(c, any_time(&random));
		}
		CHECK(c->told.lost >= 0 && c->decision.took > 0);
		CHECK(a.count <= DLS__AUTO_CLASSES);
		for (unsigned w = 0; c->profile.data && w < p; w++)
			CHECK(c->profile.data[w] > 0 && c->profile.data[w] < 1e6f);
	}
	dls__auto_free(&a);
	CHECK(a.kept == NULL && a.count == 0);
}

/* One worker or iteration has nothing to choose; the classes used last are kept. */
static void kept(void)
{
	struct dls__auto a = { 0 };
	struct dls__auto_class *c = dls__auto_class(&a, 1, 1000, 0, -1, 0, 0), *four;

	CHECK(c->single && !dls__auto_choose(c).profile && !dls__auto_due(c));
	c = dls__auto_class(&a, 4, 1, 0, -1, 0, 0);
	CHECK(c->single && dls__auto_choose(c).more == UINT16_MAX);
	c = dls__auto_class(&a, 4, 2, 0, -1, 0, 0);
	CHECK(!c->single && dls__auto_choose(c).more == 0);
	four = dls__auto_class(&a, 4, 1000, 0, -1, 0, 0);
	dls__auto_ended(four, dls__auto_choose(four).schedule, 1000, 1e-3);
	for (unsigned i = 0; i < 100; i++) {
		dls__auto_class(&a, 4, (uint64_t)1 << (i % 60), 0, -1, 0, 0);
		CHECK_EQ(dls__auto_class(&a, 4, 1000, 0, -1, 0, 0)->told.executions, 1);
	}
	dls__auto_free(&a);
}

/* A loop's own schedule is the first guess, of a class that inherits too, and stays where all others are slower. */
static void own(void)
{
	enum { P = 4, N = 100000, OWN = DLS__AUTO_SS + 6, FLAGS = (1 + OWN) * DLS__AUTO_OWN };
	struct dls__auto a = { 0 };
	struct dls__auto_class *c;

	CHECK_EQ(dls__auto_first(P, N, FLAGS), OWN);
	CHECK_EQ(dls__auto_first(P, N, FLAGS | DLS__AUTO_MONOTONIC), OWN);
	for (unsigned e = 0; e < 200; e++) {
		struct dls__auto_choice choice;

		c = dls__auto_class(&a, P, N, FLAGS, -1, 1e-6, 0);
		choice = dls__auto_choose(c);
		if (e == 0 || e == 199)
			CHECK_EQ(choice.schedule, OWN);
		dls__auto_ended(c, choice.schedule, N, choice.schedule == OWN ? 1e-3 : 1.2e-3);
	}
	CHECK_EQ(dls__auto_choose(dls__auto_class(&a, P, 4 * N, FLAGS, -1, 1e-6, 0)).schedule, OWN);
	CHECK(dls__auto_choose(dls__auto_class(&a, P, N, 0, -1, 1e-6, 0)).schedule != OWN);	/* another loop */
	dls__auto_free(&a);
}

/* How many of 40 executions of n even iterations, of `each` s, run their own ss,1, which they begin with. */
static unsigned under_own(uint64_t n, double each)
{
	enum { P = 4, N = 20000, FLAGS = (1 + DLS__AUTO_SS) * DLS__AUTO_OWN + DLS__AUTO_MONOTONIC };
	static struct dls__bucket buckets[P][2 * WORKERS_MOST];
	static double before[N + 1];
	struct world x = { .n = n, .p = P, .before = before, .speed = { 1, 1, 1, 1 }, .buckets = dls__buckets(P, n) };
	const struct dls__bucket *row[P];
	struct dls__auto a = { 0 };
	unsigned own = 0;

	for (uint64_t i = 0; i < n; i++)
		before[i + 1] = before[i] + each;
	for (unsigned w = 0; w < P; w++)
		row[w] = x.row[w] = buckets[w];
	for (unsigned e = 0; e < 40; e++) {
		struct dls__auto_class *c = dls__auto_class(&a, P, n, FLAGS, -1, REGION, 0);
		struct dls__auto_choice choice = dls__auto_choose(c);

		own += choice.schedule == DLS__AUTO_SS;
		memset(buckets, 0, sizeof(buckets));
		dls__auto_ended(c, choice.schedule, n, world_run(&x, choice.schedule));
		if (choice.profile)
			dls__auto_profiled(c, n, row);
		if (dls__auto_due(c))
			CHECK_EQ(dls__auto_decide(c, NULL, world_schedule), 0);
	}
	dls__auto_free(&a);
	return own;
}

/* Where workers wait for the counter of the loop's own ss,1, one execution is enough for a decision, however short it is.  It breaks if
 * that waits for a second one, or until the loop has run 100 times as long; or if a loop whose workers do not wait is decided on so. */
static void crowded(void)
{
	CHECK_EQ(under_own(20000, 2e-9), 1);
	CHECK_EQ(under_own(2000, 2e-9), 1);
	CHECK(under_own(20000, 2e-6) > 2);
}

/* A loop of 3 us becomes static, if that is no slower. */
static void tiny(void)
{
	struct dls__auto a = { 0 };
	struct dls__auto_class *c = NULL;
	unsigned more = 0;

	for (unsigned e = 0; e < 60; e++) {
		struct dls__auto_choice choice;

		c = dls__auto_class(&a, 4, 100, 0, -1, 1e-6, 0);
		choice = dls__auto_choose(c);
		more |= choice.more;
		dls__auto_ended(c, choice.schedule, 100, 3e-6 - 1e-7 * (choice.schedule == DLS__AUTO_STATIC));
	}
	CHECK_EQ(c->seen[c->current].schedule, DLS__AUTO_STATIC);
	CHECK(more > 0);
	dls__auto_free(&a);
}

/* A small loop of two workers. */
struct small {
	double region, moving;		/* as dls__auto_class() gets them */
	double wall, other;		/* what it takes by static blocks and by other schedules, s; */
	unsigned late[2];		/* ... in the executions from one to before the other 1.6 times as long */
	/* What its first half costs over the second by a profile: of the first execution; of later ones under other schedules than static; of so
	 * many under static, and of those that are late. */
	double guessed, moved, first;
	unsigned uneven;
};

enum { SMALL_RUNS = 1000 };

/* Which of the executions ran static blocks, and which were profiled. */
struct ran {
	bool blocks[SMALL_RUNS], profiled[SMALL_RUNS];
};

static void profile_small(struct dls__auto_class *c, double wall, double first)
{
	enum { P = 2, B = 64 };
	static struct dls__bucket buckets[P][B];
	const struct dls__bucket *const row[P] = { buckets[0], buckets[1] };

	for (unsigned b = 0; b < B; b++)
		buckets[b / (B / P)][b] = (struct dls__bucket){ .time = (b < B / P ? first : 1) * wall / (B / P), .n = c->n / B };
	dls__auto_profiled(c, c->n, row);
}

static struct ran run_small(const struct small *x)
{
	struct dls__auto a = { 0 };
	struct dls__auto_class *c = dls__auto_class(&a, 2, 6400, 0, -1, x->region, x->moving);
	unsigned blocks_profiled = 0;
	struct ran ran = { 0 };

	for (unsigned e = 0; e < SMALL_RUNS;) {
		struct dls__auto_choice choice = dls__auto_choose(c);
		bool blocks = choice.schedule == DLS__AUTO_STATIC;
		bool late = e >= x->late[0] && e < x->late[1];
		double wall = (blocks ? x->wall : x->other) * (late ? 1.6 : 1);
		double first = e == 0 ? x->guessed : !blocks ? x->moved : late || blocks_profiled < x->uneven ? x->first : 1;

		ran.profiled[e] = choice.profile;
		dls__auto_ended(c, choice.schedule, 6400, wall);
		if (choice.profile)
			profile_small(c, wall, first);
		blocks_profiled += blocks && choice.profile;
		for (unsigned k = 0; k <= choice.more && e < SMALL_RUNS; k++)
			ran.blocks[e++] = blocks;
	}
	dls__auto_free(&a);
	return ran;
}

/* The first execution that did not run static blocks though the one before it did; 0: none. */
static unsigned left(const struct ran *ran)
{
	for (unsigned e = 1; e < SMALL_RUNS; e++)
		if (ran->blocks[e - 1] && !ran->blocks[e])
			return e;
	return 0;
}

static unsigned others(const struct ran *ran)
{
	unsigned n = 0;

	for (unsigned e = 0; e < SMALL_RUNS; e++)
		n += !ran->blocks[e];
	return n;
}

/* A small loop is static from its second execution on.  It breaks if one that is larger, or clearly uneven, is, too, or if a tiny one is
 * profiled once more: that takes longer than it does. */
static void small(void)
{
	static const struct {
		double wall, guessed;
		bool blocks;
	} cases[] = { { 19e-6, 1, true }, { 19e-6, 1.3, true }, { 3e-6, 1.1, true }, { 19e-6, 4, false }, { 21e-6, 1, false } };

	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct small x = {
			.region = 1e-6, .wall = cases[i].wall, .other = cases[i].wall, .guessed = cases[i].guessed, .moved = 1,
		};
		struct ran ran = run_small(&x);

		CHECK(!ran.blocks[0] && ran.profiled[0]);
		CHECK_EQ(ran.blocks[1], cases[i].blocks);
		CHECK(cases[i].wall > 10e-6 || !ran.profiled[1]);
	}
}

/* A small loop whose blocks are presumed to be equal is confirmed by one profile; if three do not, the first guess is tried, and stays if it
 * takes less.  It breaks if a single profile decides that they are not: caches may have been cold; or if three do, unmeasured. */
static void presumed(void)
{
	struct small x = { .region = 1e-6, .wall = 19e-6, .other = 15e-6, .guessed = 1.6, .moved = 1, .first = 1.6, .uneven = 1 };
	struct ran ran = run_small(&x);

	CHECK(ran.blocks[1] && left(&ran) == 0);
	x.uneven = SMALL_RUNS;
	ran = run_small(&x);
	CHECK(ran.blocks[1] && left(&ran) > 3 && left(&ran) <= 12 && !ran.blocks[50]);
	x.other = 19e-6;
	ran = run_small(&x);
	CHECK(left(&ran) > 3 && others(&ran) < 20 && ran.blocks[50]);
}

/* In a loop that is uneven for a while, static blocks stay once they have been measured to take less than the first guess, though by that
 * one's profiles they would be unequal: it moves data.  It breaks if profiles decide that are older than the measurement. */
static void measured(void)
{
	struct small x = {
		.region = 2e-6, .moving = 10e-6, .wall = 15e-6, .other = 25e-6, .late = { 20, 40 }, .guessed = 1, .moved = 6, .first = 20,
	};
	struct ran ran = run_small(&x);

	CHECK(others(&ran) < 60);
	CHECK(ran.blocks[SMALL_RUNS - 1]);
}

/* A tiny loop whose blocks no three profiles show to be unequal stays static.  It breaks if it runs the first guess now and then, which moves
 * the data of other loops. */
static void quiet(void)
{
	for (double first = 1; first < 1.1; first += 0.06) {
		struct small x = { .region = 1e-6, .moving = 2e-6, .wall = 15e-6, .other = 15e-6, .guessed = first, .first = first,
				   .uneven = SMALL_RUNS };
		struct ran ran = run_small(&x);

		CHECK_EQ(left(&ran), 0);
	}
}

/* A tiny loop stays static though two executions in sequence take longer.  It breaks if it goes back to the first guess. */
static void late(void)
{
	struct small x = { .region = 3e-6, .moving = 10e-6, .wall = 5e-6, .other = 5e-6, .late = { 5, 7 }, .guessed = 1, .first = 1 };
	struct ran ran = run_small(&x);

	CHECK_EQ(left(&ran), 0);
}

/* A trial of executions that take `factor` times the current schedule's time, which takes `later` times as long after it, of a schedule that
 * has been rejected so often; returns how many it took to end it. */
static unsigned trial(double factor, double later, uint8_t rejected, bool *now_current, double *lost)
{
	struct dls__auto a = { 0 };
	struct dls__auto_class *c = dls__auto_class(&a, 4, 10000, 0, -1, 0, 0);
	unsigned runs = 0, tried;

	for (unsigned e = 0; e < 10; e++)
		dls__auto_ended(c, dls__auto_choose(c).schedule, 10000, 1e-3);
	tried = c->current ? 0 : 1;
	c->seen[tried].rejected = rejected;
	dls__auto_try(c, tried);
	CHECK_EQ(dls__auto_choose(c).schedule, c->seen[tried].schedule);
	for (; c->trial.place != DLS__AUTO_NONE && runs < 50; runs++) {
		unsigned schedule = dls__auto_choose(c).schedule;

		dls__auto_ended(c, schedule, 10000, (schedule == c->seen[tried].schedule ? factor : later) * 1e-3);
	}
	*now_current = c->current == tried;
	*lost = c->told.lost / 1e-3;
	CHECK(*now_current || c->seen[tried].until > c->told.executions);
	CHECK_EQ(dls__auto_open(c, tried), !*now_current && c->told.executions >= c->seen[tried].until);
	dls__auto_free(&a);
	return runs;
}

static void trials(void)
{
	bool now_current;
	double lost;

	CHECK_EQ(trial(3, 1, 0, &now_current, &lost), 1);
	CHECK(!now_current && lost == 0);	/* it may have been disturbed */
	CHECK_EQ(trial(3, 1, 1, &now_current, &lost), 1);
	CHECK(!now_current && fabs(lost - 2) < 1e-3);
	CHECK_EQ(trial(1.3, 1, 0, &now_current, &lost), 2);
	CHECK(!now_current && fabs(lost - 0.6) < 1e-3);
	CHECK_EQ(trial(1.02, 1, 0, &now_current, &lost), 4);
	CHECK(!now_current && fabs(lost - 0.08) < 1e-3);
	CHECK_EQ(trial(0.99, 1, 0, &now_current, &lost), 4);
	CHECK(!now_current && lost == 0);
	CHECK_EQ(trial(0.84, 1, 0, &now_current, &lost), 4);
	CHECK(now_current && lost == 0);
	CHECK_EQ(trial(0.95, 1, 0, &now_current, &lost), 8);
	CHECK(now_current && lost == 0);
	CHECK_EQ(trial(0.95, 0.96, 0, &now_current, &lost), 8);	/* the machine has become faster */
	CHECK(!now_current && lost == 0);
}

static void repeat(struct dls__auto_class *c, unsigned executions, double wall)
{
	for (unsigned e = 0; e < executions; e++)
		dls__auto_ended(c, dls__auto_choose(c).schedule, 10000, wall);
}

/* What a trial has lost, s, that is rejected when the loop begins to take ten times as long; `after`: what it takes then.  A single long
 * execution does not end it. */
static double lost_meanwhile(double after)
{
	struct dls__auto a = { 0 };
	struct dls__auto_class *c = dls__auto_class(&a, 4, 10000, 0, -1, 0, 0);
	double lost;

	repeat(c, 10, 1e-3);
	dls__auto_try(c, 1);
	repeat(c, 1, 1e-3);
	repeat(c, 1, 10e-3);
	CHECK_EQ(c->trial.place, 1);
	repeat(c, 1, 10e-3);
	CHECK(c->trial.place == DLS__AUTO_NONE && fabs(c->told.lost - 9e-3) < 1e-6);
	repeat(c, 5, after);
	lost = c->told.lost;
	dls__auto_free(&a);
	return lost;
}

/* A trial is not blamed for a change, and what was known of the first guess is not believed after one.  It breaks if such a loss keeps
 * other trials away, or old times of the first guess do. */
static void meanwhile(void)
{
	struct dls__auto a = { 0 };
	struct dls__auto_class *c = dls__auto_class(&a, 4, 10000, 0, -1, 0, 0);

	CHECK(fabs(lost_meanwhile(1e-3) - 9e-3) < 1e-6);
	CHECK(fabs(lost_meanwhile(10e-3)) < 1e-6);
	repeat(c, 10, 1e-3);
	dls__auto_try(c, 1);
	repeat(c, 5, 0.8e-3);
	CHECK_EQ(c->current, 1);
	repeat(c, 2, 5e-3);
	CHECK(c->current == c->home && c->seen[c->home].walls == 0 && fabs(dls__auto_usual(c) - 5e-3) < 1e-6);
	dls__auto_free(&a);
}

/* The executions that a trial takes whose times differ by a factor. */
static unsigned trial_of_two(double factor)
{
	struct dls__auto a = { 0 };
	struct dls__auto_class *c = dls__auto_class(&a, 4, 10000, 0, -1, 0, 0);
	unsigned runs = 0;

	repeat(c, 10, 1e-3);
	dls__auto_try(c, 1);
	for (; c->trial.place != DLS__AUTO_NONE; runs++)
		dls__auto_ended(c, dls__auto_choose(c).schedule, 10000, runs % 2 ? 0.9e-3 * factor : 0.9e-3);
	dls__auto_free(&a);
	return runs;
}

/* Times that differ much need more executions.  It breaks with another bound than 30 %. */
static void differ(void)
{
	CHECK_EQ(trial_of_two(1.29), 4);
	CHECK_EQ(trial_of_two(1.31), 9);
}

/* Whether static, 1 % faster than the current schedule, replaces it in a loop of 1 ms. */
static bool static_wins(double region)
{
	struct dls__auto a = { 0 };
	struct dls__auto_class *c = dls__auto_class(&a, 4, 10000, 0, -1, region, 0);
	bool wins;

	for (unsigned e = 0; e < 4; e++)
		dls__auto_ended(c, dls__auto_choose(c).schedule, 10000, 3e-3);
	dls__auto_try(c, 2);
	for (unsigned e = 0; e < 20 && (e < 10 || c->trial.place == DLS__AUTO_NONE); e++)
		dls__auto_ended(c, dls__auto_choose(c).schedule, 10000, 1e-3);
	CHECK_EQ(c->current, 2);
	dls__auto_try(c, 1);
	while (c->trial.place != DLS__AUTO_NONE) {
		unsigned schedule = dls__auto_choose(c).schedule;

		dls__auto_ended(c, schedule, 10000, schedule == DLS__AUTO_STATIC ? 0.99e-3 : 1e-3);
	}
	wins = c->seen[c->current].schedule == DLS__AUTO_STATIC;
	dls__auto_free(&a);
	return wins;
}

/* Where a loop takes less than ten regions.  It breaks if the gain asked of static there is that asked elsewhere, or the bound is
 * another one. */
static void regions(void)
{
	CHECK(static_wins(1.02e-4));
	CHECK(!static_wins(0.98e-4));
}

/* Whether static, which takes `of` the first guess's time, replaces it in a loop of `wall` s whose first block costs `first` times another,
 * with predictions or without. */
static bool static_replaces(double of, double wall, double first, bool predictions)
{
	enum { P = 4, N = 6400, B = 64 };
	static struct dls__bucket buckets[P][B];
	const struct dls__bucket *row[P];
	struct dls__auto a = { 0 };
	struct dls__auto_class *c = NULL;
	bool ends;

	for (unsigned w = 0; w < P; w++) {
		row[w] = buckets[w];
		for (unsigned b = B / P * w; b < B / P * (w + 1); b++)
			buckets[w][b] = (struct dls__bucket){ .time = (w ? 1 : first) * wall / (B / P), .n = N / B };
	}
	for (unsigned e = 0; e < 100; e++) {
		struct dls__auto_choice choice;

		c = dls__auto_class(&a, P, N, 0, -1, 1e-6, 0);
		choice = dls__auto_choose(c);
		dls__auto_ended(c, choice.schedule, N, choice.schedule == DLS__AUTO_STATIC ? of * wall : wall);
		if (choice.profile)
			dls__auto_profiled(c, N, row);
		if (predictions && dls__auto_due(c)) {
			CHECK_EQ(dls__auto_decide(c, NULL, world_schedule), 0);
			dls__auto_decided(c, 1e-6);
		}
	}
	ends = c->seen[c->current].schedule == DLS__AUTO_STATIC;
	dls__auto_free(&a);
	return ends;
}

/* Short even loops end at static without a prediction.  It breaks if static has to gain as much as another schedule there, or if a loop
 * that is longer or uneven ends so. */
static void even(void)
{
	CHECK(static_replaces(0.99, 30e-6, 1, false));
	CHECK(static_replaces(0.99, 950e-6, 1, false));
	CHECK(!static_replaces(0.99, 1050e-6, 1, false));
	CHECK(static_replaces(0.99, 100e-6, 1.02, false));
	CHECK(!static_replaces(0.99, 100e-6, 1.06, false));
}

/* A short loop that leaves some iterations to thieves tries static, though that is predicted to be a little slower: caches are not
 * predicted.  It breaks if that depends on the prediction alone, or is tried of long loops. */
static void thieves(void)
{
	CHECK(static_replaces(0.97, 600e-6, 1.04, true));
	CHECK(!static_replaces(0.97, 1200e-6, 1.04, true));
	CHECK(!static_replaces(0.97, 600e-6, 1.2, true));
	CHECK(!static_replaces(0.995, 600e-6, 1.04, true));
}

struct asked {
	unsigned told, profiles[2];	/* profiles: of even and of odd executions */
};

/* 1000 executions of loops that take turns among so many sizes, each `wall` s; those that follow on an answer ask for nothing. */
static struct asked ask(double wall, unsigned sizes)
{
	unsigned more[2] = { 0, 0 };
	struct asked asked = { .told = 0 };
	struct dls__auto a = { 0 };

	for (unsigned e = 0; e < 1000 * sizes; e++) {
		uint64_t n = 10000 << e % sizes * 3;
		struct dls__auto_class *c = dls__auto_class(&a, 2, n, 0, -1, 1e-6, 0);
		struct dls__auto_choice choice;

		if (more[e % sizes] > 0) {
			more[e % sizes]--;
			continue;
		}
		choice = dls__auto_choose(c);
		more[e % sizes] = choice.more;
		CHECK(!choice.more || !choice.profile);
		asked.told++;
		asked.profiles[e / sizes % 2] += choice.profile;
		dls__auto_ended(c, choice.schedule, n, wall);
		CHECK(c->told.executions <= e / sizes + 1 + choice.more);
	}
	dls__auto_free(&a);
	return asked;
}

/* How many executions are profiled, and how many timed, once a loop is known.  It breaks if the profiled ones are all even, or
 * odd, ones, and if more is told than one execution in 50 us of the loop's time and one after each profile. */
static void asks(void)
{
	static const struct {
		double wall;
		unsigned profiles, told;	/* at most, of 1000 */
	} cases[] = { { 199e-6, 62, 1000 }, { 15e-6, 64, 375 }, { 9e-6, 5, 240 }, { 1e-6, 5, 110 }, { 201e-6, 202, 1000 } };

	for (unsigned i = 0; i < 10; i++) {
		unsigned sizes = 1 + i % 2;
		struct asked x = ask(cases[i / 2].wall, sizes);

		if (!CHECK(x.profiles[0] + x.profiles[1] <= cases[i / 2].profiles * sizes && x.told <= cases[i / 2].told * sizes))
			tap_note("%g s, %u sizes: %u + %u profiled, %u told", cases[i / 2].wall, sizes, x.profiles[0], x.profiles[1],
				 x.told);
		/* The second size has those of the first; loops below 20 regions become static, and are not profiled again so soon. */
		CHECK(x.profiles[0] + x.profiles[1] >= (cases[i / 2].wall < 10e-6 ? 1 : 3));
		if (cases[i / 2].profiles > 60)
			CHECK(x.profiles[0] > cases[i / 2].profiles * sizes / 3 && x.profiles[1] > cases[i / 2].profiles * sizes / 3);
	}
}

/* There is no memory for "tss". */
static const struct dls_schedule *all_but_tss(unsigned schedule)
{
	return schedule == DLS__AUTO_TSS ? NULL : world_schedule(schedule);
}

/* A class of executions of `wall` s, the buckets dealt in turns, from another worker on each time; the last worker takes `slow`
 * times as long. */
static void predictions(double wall, double slow)
{
	static struct dls__bucket buckets[4][64];
	const struct dls__bucket *const row[4] = { buckets[0], buckets[1], buckets[2], buckets[3] };
	struct dls__auto a = { 0 };
	struct dls__auto_class *c = dls__auto_class(&a, 4, 64 * 100, 0, -1, 1e-6, 0);

	for (unsigned e = 0; e < 40; e++) {
		struct dls__auto_choice choice = dls__auto_choose(c);

		for (unsigned i = 0, w = 0; i < 4 * 64; w = ++i / 64)
			buckets[w][i % 64] = (i + e) % 4 != w ? (struct dls__bucket){ 0, 0 } :
					     (struct dls__bucket){ wall / 16 * (w == 3 ? slow : 1), 100 };
		dls__auto_ended(c, choice.schedule, 64 * 100, wall * slow);
		dls__auto_profiled(c, 64 * 100, row);
	}
	CHECK_EQ(dls__latest_speeds(&c->profile) != NULL, slow > 1);
	CHECK_EQ(dls__auto_decide(c, NULL, all_but_tss), 0);
	for (unsigned i = 0; i < c->candidates; i++) {
		unsigned schedule = c->seen[i].schedule;
		bool adapts = schedule == DLS__AUTO_AF || schedule == DLS__AUTO_AWF_B || schedule == DLS__AUTO_WEIGHTS;
		bool left_out = schedule == DLS__AUTO_TSS || (adapts && slow <= 1);

		if (!CHECK((c->seen[i].predicted > 0) == !left_out))
			tap_note("%g s, slow %g: schedule %u is predicted to take %g s", wall, slow, schedule, (double)c->seen[i].predicted);
	}
	dls__auto_free(&a);
}

/* In an almost even loop under ss,64 nothing is predicted to gain: of the schedules that leave iterations where their data may be, static is
 * tried, once.  It breaks if that is another one, or none. */
static void own_data(void)
{
	enum { P = 4, B = 64, N = 100 * B, FLAGS = (1 + DLS__AUTO_SS + 6) * DLS__AUTO_OWN };
	static struct dls__bucket buckets[P][B];
	const struct dls__bucket *const row[P] = { buckets[0], buckets[1], buckets[2], buckets[3] };
	struct dls__auto a = { 0 };
	struct dls__auto_class *c = dls__auto_class(&a, P, N, FLAGS, -1, 1e-6, 0);

	for (unsigned b = 0; b < B; b++)
		buckets[b % P][b] = (struct dls__bucket){ (b < B / P ? 1.006e-3 : 1e-3) * P / B, N / B };
	for (unsigned e = 0; e < 5; e++) {
		dls__auto_ended(c, dls__auto_choose(c).schedule, N, 1e-3);
		dls__auto_profiled(c, N, row);
	}
	CHECK_EQ(dls__auto_decide(c, NULL, world_schedule), 0);
	if (CHECK(c->trial.place < c->candidates))
		CHECK_EQ(c->seen[c->trial.place].schedule, DLS__AUTO_STATIC);
	while (c->trial.place != DLS__AUTO_NONE)
		dls__auto_ended(c, dls__auto_choose(c).schedule, N, 1.1e-3);
	CHECK_EQ(dls__auto_decide(c, NULL, world_schedule), 0);
	CHECK_EQ(c->trial.place, DLS__AUTO_NONE);
	dls__auto_free(&a);
}

/* A decision is due after two executions that took long enough, however long the first one was.  It breaks if one is made from a
 * single execution, or later. */
static void due(void)
{
	static struct dls__bucket buckets[64];
	const struct dls__bucket *const row[4] = { buckets, NULL, NULL, NULL };
	struct dls__auto a = { 0 };
	struct dls__auto_class *c = dls__auto_class(&a, 4, 64 * 100, 0, -1, 1e-6, 0);

	for (unsigned b = 0; b < 64; b++)
		buckets[b] = (struct dls__bucket){ 1, 100 };
	for (unsigned e = 0; e < 3; e++) {
		struct dls__auto_choice choice = dls__auto_choose(c);

		CHECK_EQ(dls__auto_due(c), e == 2);
		dls__auto_ended(c, choice.schedule, 64 * 100, 64);
		dls__auto_profiled(c, 64 * 100, row);
	}
	CHECK_EQ(c->profile.count, 3);
	dls__auto_profiled(c, 0, row);		/* of no iterations */
	CHECK_EQ(c->profile.count, 3);
	dls__auto_free(&a);
}

/* 64 workers take turns on two processors.  It breaks if the time of their loop, times 64, counts as work: then an iteration looks 32 times
 * as long as it is, they look idle, an even loop promises a gain, and the loop of 128 workers is expected to take half the time; or if that is
 * profiled as often as a loop that keeps all its workers busy so long. */
static void in_turns(void)
{
	enum { P = 64, N = 1024 * P, B = 2 * P };
	static const double WALL = 10e-3;
	static struct dls__bucket buckets[P][B];
	const struct dls__bucket *row[P];
	struct dls__auto a = { .processors = 2 };
	struct dls__auto_class *c = dls__auto_class(&a, P, N, 0, -1, 1e-6, 0);

	CHECK_EQ(dls__buckets(P, N), B);
	for (unsigned b = 0; b < B; b++)
		buckets[b % P][b] = (struct dls__bucket){ 2 * WALL / B, N / B };
	for (unsigned w = 0; w < P; w++)
		row[w] = buckets[w];
	for (unsigned e = 0; e < 5; e++) {
		dls__auto_ended(c, dls__auto_choose(c).schedule, N, WALL);
		dls__auto_profiled(c, N, row);
	}
	CHECK_EQ(c->seen[c->home].schedule, DLS__AUTO_STEAL + 5);	/* steal,32: the iterations take 305 ns */
	CHECK(fabs(dls__auto_busy(c) - 1) < 0.01);
	CHECK_EQ(dls__auto_decide(c, NULL, world_schedule), 0);
	CHECK(fabs((double)c->decision.correction[0] - 1) < 0.05);
	CHECK_EQ(c->trial.place, DLS__AUTO_NONE);
	c = dls__auto_class(&a, 2 * P, N, 0, -1, 1e-6, 0);
	CHECK(fabs((double)c->expected * N - WALL) < 0.01 * WALL);
	CHECK_EQ(dls__auto_every(c, 64 * 190e-6), 17);		/* a worker has 190 us of that */
	CHECK_EQ(dls__auto_every(c, 64 * 210e-6), 5);
	dls__auto_free(&a);
}

/* One of 64 equal blocks takes twice the time.  With a processor for each worker, static blocks take twice the mean; by turns on two, 1/32
 * more.  It breaks if either is lost by blocks, or predicted, for the other. */
static void longest_in_turns(void)
{
	enum { P = 64, N = 1024 * P, B = 2 * P };
	static const double WORK = 100e-3;
	static struct dls__bucket buckets[P][B];
	const struct dls__bucket *row[P];

	for (unsigned b = 0; b < B; b++)
		buckets[b % P][b] = (struct dls__bucket){ (b < B / P ? 2 : 1) * WORK / B, N / B };
	for (unsigned w = 0; w < P; w++)
		row[w] = buckets[w];
	for (unsigned processors = 0; processors <= 2; processors += 2) {
		struct dls__auto a = { .processors = processors };
		struct dls__auto_class *c = dls__auto_class(&a, P, N, 0, -1, 1e-6, 0);
		double wall = WORK / (processors ? processors : P), lost = processors ? 1 / 33.0 : 0.5, gain;

		for (unsigned e = 0; e < 5; e++) {
			dls__auto_ended(c, dls__auto_choose(c).schedule, N, wall);
			dls__auto_profiled(c, N, row);
		}
		CHECK(fabs(dls__auto_uneven(c, wall) / wall - lost) < 0.02);
		CHECK_EQ(dls__auto_decide(c, NULL, world_schedule), 0);
		gain = 1 - (double)c->seen[0].predicted / (double)c->seen[dls__auto_find(c, DLS__AUTO_STATIC)].predicted;
		if (!CHECK(fabs(gain - lost) < 0.03))
			tap_note("%u processors: steal gains %g, not %g", processors, gain, lost);
		dls__auto_free(&a);
	}
}

/* A loop of 64 workers that takes 300 us is static from its fourth execution on if they take turns on two processors, since they need half
 * of that to come.  It breaks if the region's cost is that of two workers, or if the loop is static where each worker has a processor. */
static void come_in_turns(void)
{
	for (unsigned processors = 0; processors <= 2; processors += 2) {
		struct dls__auto a = { .processors = processors };
		struct dls__auto_class *c = NULL;

		for (unsigned e = 0; e < 4; e++) {
			c = dls__auto_class(&a, 64, 64000, 0, -1, 5e-6, 0);
			dls__auto_ended(c, dls__auto_choose(c).schedule, 64000, 300e-6);
		}
		CHECK_EQ(c->seen[c->current].schedule == DLS__AUTO_STATIC, processors > 0);
		dls__auto_free(&a);
	}
}

/* Every candidate gets a prediction, but for those that adapt where the workers are alike, and for
 * one whose schedule there is no memory for.  It breaks if one of these gets a prediction, too, or another one none. */
static void predicted(void)
{
	predictions(1e-3, 1);
	predictions(1e-3, 2);
	predictions(20e-6, 1);
}

/* By hand: N/512P, and beyond 64 8 sqrt(N/512P).  Fails if the chunks of long loops do not grow: a body that runs once for each of them
 * would take a second for 10^9 iterations, and for 10^12 never end. */
static void first_guesses(void)
{
	static const struct {
		unsigned p;
		uint64_t n;
		const char *text;
	} guess[] = {
		{ 2, 1, "steal,1" }, { 2, 1400, "steal,1" }, { 2, 65536, "steal,64" }, { 16, 1 << 19, "steal,64" }, { 2, 1 << 18, "steal,128" },
		{ 2, 1 << 20, "steal,256" }, { 2, 1 << 30, "steal,8192" }, { 2, (uint64_t)1 << 40, "steal,65536" }, { 2, UINT64_MAX, "steal,65536" },
	};
	char text[32];

	for (size_t i = 0; i < sizeof(guess) / sizeof(*guess); i++) {
		dls__auto_text(dls__auto_first(guess[i].p, guess[i].n, 0), text, sizeof(text));
		CHECK_TEXT(text, guess[i].text);
	}
}

TEST_MAIN(T(first_guesses) T(trials) T(meanwhile) T(differ) T(regions) T(even) T(thieves) T(asks) T(due)
	  T(own_data) T(in_turns) T(longest_in_turns) T(come_in_turns) T(predicted) T(memory) T(texts) T(anything) T(kept) T(own) T(crowded)
	  T(tiny) T(small) T(presumed) T(measured) T(late) T(quiet))
