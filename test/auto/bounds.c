/* auto with any input: no figure makes it read or write elsewhere, choose what is no candidate, or keep more than is said.
 *
 * runs: check, alone */
#include "auto/world.h"

/* 8 KiB for a loop of four sizes at P = 16; 1 KiB for a size that was never profiled; 256 KiB for a loop of all sizes. */
static void memory(void)
{
	struct dls__auto a = { 0 };
	size_t class = sizeof(struct dls__size_class);
	struct dls__size_class *c = dls__size_class(&a, 16, 1000, 0, 0, 0);

	CHECK(sizeof(struct dls__auto) + 4 * (class + dls__buckets(16, UINT64_MAX) * sizeof(struct dls__bucket)) <= 8192);
	CHECK(class <= 1024 && c->profile.bucket == NULL);
	CHECK(sizeof(struct dls__auto) + DLS__SIZE_CLASSES * (class + dls__buckets(16, UINT64_MAX) * sizeof(struct dls__bucket)) <= 256 << 10);
	dls__auto_free(&a);
}

static void texts(void)
{
	for (unsigned i = 0; i < DLS__AUTO_SCHEDULES; i++)
		CHECK(world_schedule(i) != NULL);
}

static double any_time(uint64_t *random)
{
	static const double odd[] = { 0, -1, 1e-300, 1e300, INFINITY, -INFINITY, NAN };
	uint64_t r = tap_random(random);

	return r % 4 ? ldexp((double)(r >> 11), -70 - (int)(r % 7)) : odd[r / 4 % 7];
}

static bool candidate(const struct dls__size_class *c, unsigned schedule)
{
	for (unsigned i = 0; i < c->candidates; i++)
		if (c->arm[i].schedule == schedule)
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
		struct dls__size_class *c;

		if (r >> 20 & 1) {	/* some come again, or none would be decided about */
			n = 1000 >> (r >> 21 & 8);
			p = 4;
			flags = 0;
		}
		c = dls__size_class(&a, p, n, flags, any_time(&random), any_time(&random));
		if (!c) {
			CHECK_EQ(a.count, DLS__SIZE_CLASSES);
			dls__auto_free(&a);
			continue;
		}
		choice = dls__auto_choose(c);
		CHECK(candidate(c, choice.schedule));
		if (flags & DLS__AUTO_MONOTONIC)
			CHECK(choice.schedule < DLS__AUTO_STEAL || choice.schedule >= DLS__AUTO_SS);
		dls__auto_ended(c, r >> 40 & 7 ? choice.schedule : (unsigned)(r >> 48), n, any_time(&random));
		for (unsigned w = 0; w < p; w++) {
			row[w] = r >> w & 1 ? buckets[w] : NULL;
			for (unsigned b = 0; b < dls__buckets(p, n); b++)
				buckets[w][b] = (struct dls__bucket){ any_time(&random), tap_random(&random) >> (r % 64) };
		}
		dls__auto_profiled(c, n, row);
		if (dls__auto_due(c) || (c->profile.count && r >> 44 & 1))
			CHECK_EQ(dls__auto_decide(c, NULL, world_schedule), 0);
		CHECK(c->summary.lost >= 0);
		CHECK(a.count <= DLS__SIZE_CLASSES);
		if (c->profile.count)
			CHECK(c->profile.balance > 0 && c->profile.unrest >= 0 && c->profile.unrest <= 1);
	}
	dls__auto_free(&a);
	CHECK(a.first == NULL && a.count == 0);
}

/* One worker or iteration has nothing to choose; classes are kept. */
static void kept(void)
{
	struct dls__auto a = { 0 };
	struct dls__size_class *c = dls__size_class(&a, 1, 1000, 0, 0, 0), *four;

	CHECK(c->single && !dls__auto_choose(c).profile && !dls__auto_due(c));
	c = dls__size_class(&a, 4, 1, 0, 0, 0);
	CHECK(c->single && dls__auto_choose(c).more == UINT16_MAX);
	c = dls__size_class(&a, 4, 2, 0, 0, 0);
	CHECK(!c->single && dls__auto_choose(c).more == 0);
	four = dls__size_class(&a, 4, 1000, 0, 0, 0);
	dls__auto_ended(four, dls__auto_choose(four).schedule, 1000, 1e-3);
	for (unsigned i = 0; i < 100; i++) {
		dls__size_class(&a, 4, (uint64_t)1 << (i % 60), 0, 0, 0);
		CHECK_EQ(dls__size_class(&a, 4, 1000, 0, 0, 0)->summary.executions, 1);
	}
	dls__auto_free(&a);
}

/* A loop's own schedule is the first guess, of each class, and stays where all others are slower. */
static void own(void)
{
	enum { P = 4, N = 100000, OWN = DLS__AUTO_SS + 6, FLAGS = (1 + OWN) * DLS__AUTO_OWN };
	struct dls__auto a = { 0 };
	struct dls__size_class *c;

	CHECK_EQ(dls__auto_first(P, N, FLAGS), OWN);
	CHECK_EQ(dls__auto_first(P, N, FLAGS | DLS__AUTO_MONOTONIC), OWN);
	for (unsigned e = 0; e < 200; e++) {
		struct dls__auto_choice choice;

		c = dls__size_class(&a, P, N, FLAGS, 1e-6, 0);
		choice = dls__auto_choose(c);
		if (e == 0 || e == 199)
			CHECK_EQ(choice.schedule, OWN);
		dls__auto_ended(c, choice.schedule, N, choice.schedule == OWN ? 1e-3 : 1.2e-3);
	}
	CHECK_EQ(dls__auto_choose(dls__size_class(&a, P, 4 * N, FLAGS, 1e-6, 0)).schedule, OWN);
	CHECK(dls__auto_choose(dls__size_class(&a, P, N, 0, 1e-6, 0)).schedule != OWN);	/* another loop */
	dls__auto_free(&a);
}

/* A trial of executions that take `factor` times the current schedule's time; returns how many it took to
 * end it. */
static unsigned trial(double factor, bool *now_current, double *lost)
{
	struct dls__auto a = { 0 };
	struct dls__size_class *c = dls__size_class(&a, 4, 10000, 0, 0, 0);
	unsigned runs = 0, tried;

	for (unsigned e = 0; e < 10; e++)
		dls__auto_ended(c, dls__auto_choose(c).schedule, 10000, 1e-3);
	tried = c->current ? 0 : 1;
	dls__auto_try(c, tried);
	for (; c->trial.place != DLS__AUTO_NONE && runs < 50; runs++) {
		CHECK_EQ(dls__auto_choose(c).schedule, c->arm[tried].schedule);
		dls__auto_ended(c, c->arm[tried].schedule, 10000, factor * 1e-3);
	}
	*now_current = c->current == tried;
	*lost = c->summary.lost / 1e-3;
	CHECK(*now_current || c->arm[tried].until > c->summary.executions);
	CHECK_EQ(dls__auto_open(c, tried), !*now_current && c->summary.executions >= c->arm[tried].until);
	dls__auto_free(&a);
	return runs;
}

/* What is lost by a trial that is rejected, in executions.  It breaks if it measures other than three executions
 * after the first, or if it keeps what gains less than 2 %. */
static void trials(void)
{
	static const struct {
		double factor, lost;
		unsigned runs;
		bool kept;
	} cases[] = {
		{ 3, 8, 4, false }, { 1.1, 0.4, 4, false },
		{ 1.02, 0.08, 4, false }, { 0.985, 0, 4, false }, { 0.975, 0, 4, true }, { 0.84, 0, 4, true },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		bool kept;
		double lost;

		CHECK_EQ(trial(cases[i].factor, &kept, &lost), cases[i].runs);
		CHECK_EQ(kept, cases[i].kept);
		CHECK(fabs(lost - cases[i].lost) < 1e-3);
	}
}

static void repeat(struct dls__size_class *c, unsigned executions, double wall)
{
	for (unsigned e = 0; e < executions; e++)
		dls__auto_ended(c, dls__auto_choose(c).schedule, 10000, wall);
}

/* Whether a loop of 1 ms, of which no profile is known, tries static by itself. */
static bool tries_static(double region)
{
	struct dls__auto a = { 0 };
	struct dls__size_class *c = dls__size_class(&a, 4, 10000, 0, region, 0);
	bool tries;

	repeat(c, 9, 1e-3);
	tries = c->trial.place != DLS__AUTO_NONE && c->arm[c->trial.place].schedule == DLS__AUTO_STATIC;
	dls__auto_free(&a);
	return tries;
}

/* A loop that takes less than five regions does.  It breaks if the bound is another one. */
static void regions(void)
{
	CHECK(tries_static(2.04e-4));
	CHECK(!tries_static(1.96e-4));
}

/* Whether static, which takes `of` the first guess's time, replaces it in a loop of `wall` s whose first block costs `first` times another,
 * without predictions. */
static bool static_replaces(double of, double wall, double first)
{
	enum { P = 4, N = 6400, B = 64 };
	static struct dls__bucket buckets[P][B];
	const struct dls__bucket *row[P];
	struct dls__auto a = { 0 };
	struct dls__size_class *c = NULL;
	bool ends;

	for (unsigned w = 0; w < P; w++) {
		row[w] = buckets[w];
		for (unsigned b = B / P * w; b < B / P * (w + 1); b++)
			buckets[w][b] = (struct dls__bucket){ .time = (w ? 1 : first) * wall / (B / P), .n = N / B };
	}
	for (unsigned e = 0; e < 100; e++) {
		struct dls__auto_choice choice;

		c = dls__size_class(&a, P, N, 0, 1e-6, 0);
		choice = dls__auto_choose(c);
		dls__auto_ended(c, choice.schedule, N, choice.schedule == DLS__AUTO_STATIC ? of * wall : wall);
		if (choice.profile)
			dls__auto_profiled(c, N, row);
	}
	ends = c->arm[c->current].schedule == DLS__AUTO_STATIC;
	dls__auto_free(&a);
	return ends;
}

/* Short even loops end at static without a prediction.  It breaks if a loop that is longer or uneven does. */
static void even(void)
{
	CHECK(static_replaces(0.97, 30e-6, 1));
	CHECK(static_replaces(0.97, 950e-6, 1));
	CHECK(!static_replaces(0.97, 1050e-6, 1));
	CHECK(static_replaces(0.97, 100e-6, 1.02));
	CHECK(!static_replaces(0.97, 100e-6, 1.06));
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
		struct dls__size_class *c = dls__size_class(&a, 2, n, 0, 1e-6, 0);
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
		CHECK(c->summary.executions <= e / sizes + 1 + choice.more);
	}
	dls__auto_free(&a);
	return asked;
}

/* How many executions are profiled, and how many timed, once a loop is known.  It breaks if the profiled ones
 * are all even, or odd, ones, if more are than 1 in 5, or one for each ms of a short loop's time, and if more is
 * told than one execution in 80 us of the loop's time, one after each profile, and those of trials. */
static void asks(void)
{
	static const struct {
		double wall;
		unsigned profiles, told;	/* at most, of 1000 */
	} cases[] = { { 199e-6, 202, 1000 }, { 15e-6, 18, 200 }, { 9e-6, 12, 150 }, { 1e-6, 4, 140 }, { 201e-6, 202, 1000 } };

	for (unsigned i = 0; i < 10; i++) {
		unsigned sizes = 1 + i % 2;
		struct asked x = ask(cases[i / 2].wall, sizes);

		if (!CHECK(x.profiles[0] + x.profiles[1] <= cases[i / 2].profiles * sizes && x.told <= cases[i / 2].told * sizes))
			tap_note("%g s, %u sizes: %u + %u profiled, %u told", cases[i / 2].wall, sizes, x.profiles[0], x.profiles[1],
				 x.told);
		CHECK(x.profiles[0] + x.profiles[1] >= (cases[i / 2].wall < 2e-6 ? 1 : 3));
		if (cases[i / 2].profiles > 60)
			CHECK(x.profiles[0] > cases[i / 2].profiles * sizes / 3 && x.profiles[1] > cases[i / 2].profiles * sizes / 3);
	}
}

/* In an almost even loop under ss,64 nothing is predicted to gain: of the schedules that leave iterations where their data may be, static is
 * tried, once.  It breaks if that is another one, or none. */
static void own_data(void)
{
	enum { P = 4, B = 64, N = 100 * B, FLAGS = (1 + DLS__AUTO_SS + 6) * DLS__AUTO_OWN };
	static struct dls__bucket buckets[P][B];
	const struct dls__bucket *const row[P] = { buckets[0], buckets[1], buckets[2], buckets[3] };
	struct dls__auto a = { 0 };
	struct dls__size_class *c = dls__size_class(&a, P, N, FLAGS, 1e-6, 0);

	for (unsigned b = 0; b < B; b++)
		buckets[b % P][b] = (struct dls__bucket){ (b < B / P ? 1.006e-3 : 1e-3) * P / B, N / B };
	for (unsigned e = 0; e < 5; e++) {
		dls__auto_ended(c, dls__auto_choose(c).schedule, N, 1e-3);
		dls__auto_profiled(c, N, row);
	}
	CHECK_EQ(dls__auto_decide(c, NULL, world_schedule), 0);
	if (CHECK(c->trial.place < c->candidates))
		CHECK_EQ(c->arm[c->trial.place].schedule, DLS__AUTO_STATIC);
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
	struct dls__size_class *c = dls__size_class(&a, 4, 64 * 100, 0, 1e-6, 0);

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
 * as long as it is, they look idle, and an even loop promises a gain; or if a loop of 128 workers is
 * profiled as often as a loop that keeps all its workers busy so long. */
static void in_turns(void)
{
	enum { P = 64, N = 1024 * P, B = 2 * P };
	static const double WALL = 10e-3;
	static struct dls__bucket buckets[P][B];
	const struct dls__bucket *row[P];
	struct dls__auto a = { .processors = 2 };
	struct dls__size_class *c = dls__size_class(&a, P, N, 0, 1e-6, 0);

	CHECK_EQ(dls__buckets(P, N), B);
	for (unsigned b = 0; b < B; b++)
		buckets[b % P][b] = (struct dls__bucket){ 2 * WALL / B, N / B };
	for (unsigned w = 0; w < P; w++)
		row[w] = buckets[w];
	for (unsigned e = 0; e < 5; e++) {
		dls__auto_ended(c, dls__auto_choose(c).schedule, N, WALL);
		dls__auto_profiled(c, N, row);
	}
	CHECK_EQ(c->arm[0].schedule, DLS__AUTO_STEAL + 5);	/* steal,32: the iterations take 305 ns */
	CHECK_EQ(dls__auto_decide(c, NULL, world_schedule), 0);
	CHECK(fabs((double)c->arm[0].predicted * N / WALL - 1) < 0.05);
	CHECK_EQ(c->trial.place, DLS__AUTO_NONE);
	c = dls__size_class(&a, 2 * P, N, 0, 1e-6, 0);
	CHECK_EQ(dls__auto_every(c, 64 * 50e-6 / 2), 40);	/* of 25 us, by turns on two of 64 */
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
		struct dls__size_class *c = dls__size_class(&a, P, N, 0, 1e-6, 0);
		double wall = WORK / (processors ? processors : P), lost = processors ? 1 / 33.0 : 0.5, gain;

		for (unsigned e = 0; e < 5; e++) {
			dls__auto_ended(c, dls__auto_choose(c).schedule, N, wall);
			dls__auto_profiled(c, N, row);
		}
		CHECK(fabs(dls__auto_uneven(c, wall) / wall - lost) < 0.02);
		CHECK_EQ(dls__auto_decide(c, NULL, world_schedule), 0);
		gain = 1 - (double)c->arm[0].predicted / (double)c->arm[dls__auto_find(c, DLS__AUTO_STATIC)].predicted;
		if (!CHECK(fabs(gain - lost) < 0.03))
			tap_note("%u processors: steal gains %g, not %g", processors, gain, lost);
		dls__auto_free(&a);
	}
}

/* A loop of 64 workers that takes 300 us is small, and tries static, if they take turns on two processors,
 * since they need half of that to come.  It breaks if the region's cost is that of two workers, or if the
 * loop is small where each worker has a processor. */
static void come_in_turns(void)
{
	for (unsigned processors = 0; processors <= 2; processors += 2) {
		struct dls__auto a = { .processors = processors };
		struct dls__size_class *c = NULL;

		for (unsigned e = 0; e < 10; e++) {
			c = dls__size_class(&a, 64, 64000, 0, 5e-6, 0);
			dls__auto_ended(c, dls__auto_choose(c).schedule, 64000, 300e-6);
		}
		CHECK_EQ(c->trial.place != DLS__AUTO_NONE, processors > 0);
		dls__auto_free(&a);
	}
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
		dls__auto_text(dls__auto_first(guess[i].p, guess[i].n, 0), text);
		CHECK_TEXT(text, guess[i].text);
	}
}

TEST_MAIN(T(first_guesses) T(trials) T(regions) T(even) T(asks) T(due) T(own_data) T(in_turns)
	  T(longest_in_turns) T(come_in_turns) T(memory) T(texts) T(anything) T(kept) T(own))
