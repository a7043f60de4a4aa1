/* sizes.c - auto in programs whose loops have many sizes, against the best schedule that is the same in all executions.
 *
 * What auto itself takes is part of its time: each execution that it is told of, profiles, decisions, and a class that is new.
 * Measurements have noise, 3 % of them outliers.
 *
 * Fails if: a size that comes again after many others is learned from nothing; small loops are measured again and again;
 * a change of a loop's costs is not seen, or seen too late.
 *
 * runs: alone */
#include "auto/world.h"

enum { N_MOST = 1000000, SIZES = 64, P_MOST = 16, EXECUTIONS = 2000, ONSET = 200 };

/* s: an execution that is timed, and profiled; a class that is new. */
static const double TIMED = 0.25e-6, PROFILED = 1.5e-6, NEW = 1e-6;

enum shape { EVEN, RISING, HEAVY, PEAK };

struct program {
	const char *name;
	unsigned p;
	double each;			/* s of an iteration */
	enum shape shape;
	enum { CYCLE, DRAWN, FRONTIER, GROWING, RECURSION, THREADS, LATE, FLIPS, TURNS } story;
	double most;			/* time over that of the best fixed schedule */
};

static const struct program sized[] = {
	{ "11 sizes in turn, 2 to 64 us", 4, 40e-9, EVEN, CYCLE, 1.05 },
	{ "11 sizes in turn, 10 us in the mean", 4, 20e-9, RISING, CYCLE, 1.05 },
	{ "11 sizes in turn, .1 to 3 ms", 4, 2e-6, RISING, CYCLE, 1.03 },
	{ "drawn from 1 to 10^6, 5 ns", 4, 5e-9, EVEN, DRAWN, 1.03 },
	{ "drawn from 1 to 10^6, 5 ns, rising", 4, 5e-9, RISING, DRAWN, 1.03 },
	{ "drawn from 1 to 10^6, 20 ns, uneven", 4, 20e-9, HEAVY, DRAWN, 1.03 },
	{ "frontier, uneven", 4, 20e-9, HEAVY, FRONTIER, 1.03 },
	{ "frontier, P = 16", 16, 20e-9, HEAVY, FRONTIER, 1.03 },
	{ "growing", 4, 20e-9, RISING, GROWING, 1.03 },
	{ "growing, short", 4, 1e-9, EVEN, GROWING, 1.05 },
	{ "recursion over ten sizes", 4, 20e-9, HEAVY, RECURSION, 1.03 },
	{ "recursion, short", 4, 1e-9, EVEN, RECURSION, 1.05 },
	{ "threads change each time", 16, 100e-9, RISING, THREADS, 1.03 },
	{ "threads change, 10 us", 8, 1e-9, EVEN, THREADS, 1.05 },
};

static const struct program changing[] = {
	{ "uneven from the 201st on, 10 us", 4, 2e-9, EVEN, LATE, 1.05 },
	{ "uneven from the 201st on, 20 us", 4, 4e-9, EVEN, LATE, 1.05 },
	{ "uneven from the 201st on, 100 us", 4, 20e-9, EVEN, LATE, 1.05 },
	{ "uneven from the 201st on, 500 us", 4, 100e-9, EVEN, LATE, 1.05 },
	{ "uneven every other 100, 20 us", 4, 4e-9, EVEN, FLIPS, 1.12 },
	{ "uneven every other 100, 100 us", 4, 20e-9, EVEN, FLIPS, 1.03 },
	{ "uneven every other 100, 500 us", 4, 100e-9, EVEN, FLIPS, 1.03 },
};

/* As waxpby of HPCCG: monotonic, called in three places of an iteration, with the data of the first in the caches.  Under
 * schedules that move iterations even ones take 12 % longer. */
static const struct program in_turn[] = {
	{ "costs of three kinds in turn, 150 us", 2, 1200e-9, EVEN, TURNS, 1.03 },
	{ "costs of three kinds in turn, 300 us", 2, 2400e-9, EVEN, TURNS, 1.03 },
	{ "costs of three kinds in turn, 2 ms", 4, 32e-6, EVEN, TURNS, 1.03 },
	{ "costs of three kinds in turn, rising", 2, 2400e-9, RISING, TURNS, 1.03 },
};

/* One execution's loop. */
struct shown {
	uint64_t n;
	unsigned p;
	enum shape shape;
	double factor;			/* of the costs */
};

/* The sizes that are drawn are few, so that each is simulated once. */
static uint64_t drawn(uint64_t *random)
{
	return (uint64_t)llround(pow(N_MOST, (double)(tap_random(random) % (SIZES - 1)) / (SIZES - 2)));
}

static struct shown shown_at(const struct program *g, unsigned e, uint64_t *random)
{
	static const uint64_t levels[] = { 1, 22, 410, 7900, 130000, 330000, 21000, 530, 9 };
	static const double factors[] = { 1, 2.2, 3 };
	struct shown x = { .n = 20000, .p = g->p, .shape = g->shape, .factor = 1 };
	unsigned d = 0;

	switch (g->story) {
	case CYCLE: x.n = (uint64_t)llround(200 * exp2(e % 11 * 0.5)); break;
	case DRAWN: x.n = drawn(random); break;
	case FRONTIER: x.n = levels[e % 9] >> (levels[e % 9] > 8 ? tap_random(random) % 3 : 0); break;
	case GROWING: x.n = (uint64_t)llround(100 * exp2(floor(e * 52.0 / EXECUTIONS) / 4)); break;
	case RECURSION:	/* depth first: the ruler sequence */
		while (d < 9 && (e + 1) % (2u << d) == 0)
			d++;
		x.n = (uint64_t)1000 << d;
		break;
	case THREADS: x.p = 1 + (unsigned)(tap_random(random) % g->p); break;
	case LATE: x.shape = e < ONSET ? EVEN : PEAK; break;
	case TURNS:
		x.n = 128;
		x.factor = factors[e % 3];
		break;
	case FLIPS: x.shape = e / 100 % 2 ? PEAK : EVEN; break;
	}
	return x;
}

/* Times of a loop under all schedules; 0: not yet known. */
struct times {
	struct shown loop;
	double t[DLS__AUTO_SCHEDULES];
};

static double before[N_MOST + 1];

/* Work out `before`, unless it is of that loop already. */
static void fill_before(const struct program *g, const struct shown *s)
{
	static const struct program *of;
	static struct shown filled;
	uint64_t random = 5;
	double sum = 0;

	if (of == g && filled.n == s->n && filled.shape == s->shape && filled.factor == s->factor)
		return;
	of = g;
	filled = *s;
	before[0] = 0;
	for (uint64_t i = 0; i < s->n; i++) {
		double at = ((double)i + 0.5) / (double)s->n;
		double cost = s->shape == EVEN ? 1 : s->shape == RISING ? 2 * at : s->shape == PEAK ? 0.5 + 5 * (at > 0.9) :
			      -log(1 - world_uniform(&random)) * (0.5 + (i / 64 % 7 == 3));

		before[i + 1] = sum += cost * g->each * s->factor;
	}
}

static void fill(struct world *x, const struct program *g, const struct shown *s)
{
	fill_before(g, s);
	*x = (struct world){ .n = s->n, .p = s->p, .before = before };
	if (g->story == TURNS && s->shape == EVEN)
		x->locality = 0.12;
	for (unsigned w = 0; w < s->p; w++) {
		x->speed[w] = 1;
		x->start[w] = (w * 7 % s->p) * 100e-9;
	}
}

static double time_of(struct times *t, const struct program *g, unsigned schedule)
{
	if (t->t[schedule] == 0) {
		struct world x;

		fill(&x, g, &t->loop);
		t->t[schedule] = world_run(&x, schedule);
	}
	return t->t[schedule];
}

static struct times *times_of(struct times *known, unsigned *count, const struct shown *s)
{
	unsigned i = 0;

	while (i < *count && (known[i].loop.n != s->n || known[i].loop.p != s->p || known[i].loop.shape != s->shape ||
			      known[i].loop.factor != s->factor))
		i++;
	if (i == *count) {
		known[i] = (struct times){ .loop = *s };
		++*count;
	}
	return &known[i];
}

/* Schedules to compare with. */
static unsigned fixed(unsigned i)
{
	static const unsigned some[] = {
		DLS__AUTO_STATIC, DLS__AUTO_FAC2, DLS__AUTO_STEAL, DLS__AUTO_STEAL + 2, DLS__AUTO_STEAL + 4,
		 DLS__AUTO_STEAL + 6, DLS__AUTO_STEAL + 8, DLS__AUTO_SS + 8, DLS__AUTO_SS + 10,
	};

	return i < sizeof(some) / sizeof(*some) ? some[i] : DLS__AUTO_NONE;
}

/* What the last answers allow. */
struct answer {
	unsigned schedule, more;
};

struct outcome {
	double took, best;
	unsigned late;			/* LATE: executions after the onset that take 1.15 times the best schedule or more */
};

static void profile(const struct program *g, struct dls__size_class *c, const struct shown *s, unsigned schedule, double noise)
{
	struct world x;

	fill(&x, g, s);
	world_profile(&x);
	world_run(&x, schedule);
	world_profiled(c, &x, noise);
}

static bool late(struct times *t, const struct program *g, unsigned schedule, unsigned e)
{
	double best = INFINITY;

	for (unsigned i = 0; fixed(i) != DLS__AUTO_NONE; i++)
		best = fmin(best, time_of(t, g, fixed(i)));
	return g->story == LATE && e >= ONSET && time_of(t, g, schedule) > 1.15 * best;
}

static struct outcome play(const struct program *g, uint64_t seed)
{
	static struct times known[1024];
	static struct answer answers[P_MOST + 1][130];
	double always[16] = { 0 };
	struct outcome o = { .best = INFINITY };
	struct dls__auto a = { 0 };
	uint64_t random = seed;
	unsigned loops = 0;

	memset(answers, 0, sizeof(answers));
	for (unsigned e = 0; e < EXECUTIONS; e++) {
		struct shown s = shown_at(g, e, &random);
		struct times *t = times_of(known, &loops, &s);
		struct answer *answer = &answers[s.p][dls__auto_octave(s.n)];
		struct dls__auto_choice choice;
		struct dls__size_class *c;
		double noise, truth;

		for (unsigned i = 0; fixed(i) != DLS__AUTO_NONE; i++)
			always[i] += time_of(t, g, fixed(i));
		noise = fmax(0.8, 1 + 0.05 * world_normal(&random)) * (world_uniform(&random) < 0.03 ? 1.5 + 1.5 * world_uniform(&random) : 1);
		if (answer->more > 0) {
			answer->more--;
			o.late += late(t, g, answer->schedule, e);
			o.took += time_of(t, g, answer->schedule);
			continue;
		}
		c = dls__size_class(&a, s.p, s.n, g->story == TURNS ? DLS__AUTO_MONOTONIC : 0, REGION, 0);
		o.took += TIMED + (c->summary.executions == 0 ? NEW : 0);
		choice = dls__auto_choose(c);
		*answer = (struct answer){ choice.schedule, choice.more };
		truth = time_of(t, g, choice.schedule) + (choice.profile ? PROFILED : 0);
		o.took += truth;
		o.late += late(t, g, choice.schedule, e);
		dls__auto_ended(c, choice.schedule, s.n, truth * noise);
		if (choice.profile)
			profile(g, c, &s, choice.schedule, noise);
		o.took += world_decide(c, (10 + 5 * s.p) * 1e-6);
	}
	for (unsigned i = 0; fixed(i) != DLS__AUTO_NONE; i++)
		o.best = fmin(o.best, always[i]);
	dls__auto_free(&a);
	return o;
}

static void play_all(const struct program *programs, size_t count)
{
	uint64_t seed = world_seed();

	for (size_t i = 0; i < count; i++) {
		struct outcome o = play(&programs[i], seed + i);

		tap_note("%-38s %.4f of the best, %u late", programs[i].name, o.took / o.best, o.late);
		CHECK(o.took / o.best - 1 <= world_slack() * (programs[i].most - 1));
		CHECK(o.late <= world_slack() * 25);
	}
}

static void sizes(void)
{
	play_all(sized, sizeof(sized) / sizeof(*sized));
}

/* Costs that are even at first, or every other hundred executions. */
static void changes(void)
{
	play_all(changing, sizeof(changing) / sizeof(*changing));
}

/* A loop that is called in several places, whose costs take turns.  It breaks if that looks like a change of the loop, if too few
 * executions decide a trial, or if what was measured long ago still counts. */
static void turns(void)
{
	play_all(in_turn, sizeof(in_turn) / sizeof(*in_turn));
}

TEST_MAIN(T(sizes) T(changes) T(turns))
