/* once.c - equal figures give equal choices: what auto comes to in a fixed set of executions, hashed.
 *
 * All that a class says of itself is in the hash, of each execution, its numbers to four digits: the same from every compiler and on
 * every processor.  A change of a rule, or of any constant, changes it, and is to be meant.
 *
 *	once CASE	the executions of one case, line by line
 *
 * runs: check, alone */
#include <inttypes.h>

#include "auto/world.h"

enum { EXECUTIONS = 160, N_MOST = 8192 };

/* What the executions of a case are like; shape 0: all iterations alike, 1: rising costs, 2: a costly tenth, 3: costly blocks. */
struct one_case {
	const char *name;
	uint64_t hash;
	uint64_t n;
	unsigned p, flags, shape, slow;		/* slow: workers 0 .. slow - 1 have half the speed */
	double work, locality;			/* of a worker's share, s */
	double noise;				/* most, of a measurement */
	enum { STAYS, TURNS, JUMPS, SHARES, MOVES, LATE, ODD, ANY } story;
	unsigned home;			/* 1 + the first guess that is given; 0: none is */
};

static struct one_case cases[] = {
	{ "alike", 0x6197e2e0f95cacbb, 4000, 4, 0, 0, 0, 2e-3, 0, 0.02, STAYS, 0 },
	{ "rising", 0x369df1b7646a84ef, 4000, 4, 0, 1, 0, 2e-3, 0.1, 0.05, STAYS, 0 },
	{ "monotonic", 0xc85002041730a65f, 4000, 5, DLS__AUTO_MONOTONIC, 1, 0, 5e-3, 0, 0.05, STAYS, 0 },
	{ "slow workers", 0x20f8fc5b3aab9338, 4000, 4, 0, 0, 2, 5e-3, 0, 0.05, STAYS, 0 },
	{ "slow workers, rising", 0xa66ed699e67092d8, 3000, 16, DLS__AUTO_MONOTONIC, 1, 3, 5e-3, 0, 0.02, STAYS, 0 },
	{ "cost jumps", 0x62884bd5efdad544, 4000, 4, 0, 1, 0, 2e-3, 0, 0.05, JUMPS, 0 },
	{ "costs become uneven", 0xe93d303954bd0809, 6000, 8, 0, 0, 0, 3e-3, 0, 0.05, SHARES, 0 },
	{ "moving costs", 0x6e75288e6a5eecfa, 3000, 4, DLS__AUTO_MONOTONIC, 2, 0, 2e-3, 0, 0.05, MOVES, 0 },
	{ "workers become slow", 0xe36606a67c6b56b1, 3000, 4, DLS__AUTO_MONOTONIC, 1, 0, 2e-3, 0, 0.05, LATE, 0 },
	{ "two sizes", 0x3f28f854cdfa246e, 4096, 4, 0, 3, 0, 1e-3, 0, 0.05, TURNS, 0 },
	{ "few iterations", 0xd025195104a70e2d, 40, 4, 0, 3, 0, 1e-3, 0, 0.05, STAYS, 0 },
	{ "few iterations, 150 us", 0xaa8a3428a34551a5, 500, 4, 0, 3, 0, 150e-6, 0, 0.1, STAYS, 0 },
	{ "short", 0xa4f22479df458001, 1000, 4, 0, 1, 0, 60e-6, 0, 0.1, STAYS, 0 },
	{ "small", 0xd27e974e44089aa3, 1000, 4, 0, 0, 0, 8e-6, 0, 0.1, STAYS, 0 },
	{ "tiny", 0xc34cd89500fac210, 100, 4, 0, 0, 0, 1e-6, 0, 0.1, STAYS, 0 },
	{ "tiny, then large", 0xc6a633e080502038, 1000, 4, 0, 1, 0, 1e-6, 0, 0.02, JUMPS, 0 },
	{ "two iterations", 0xefddd992dfa59570, 2, 4, 0, 1, 0, 1e-3, 0, 0.02, STAYS, 0 },
	{ "one iteration", 0x3231cec0510c26c4, 1, 4, 0, 0, 0, 1e-3, 0, 0.02, STAYS, 0 },
	{ "one worker", 0x80e9e0c647618617, 1000, 1, 0, 1, 0, 1e-3, 0, 0.02, STAYS, 0 },
	{ "no iterations now and then", 0x28f6f999038823c6, 2000, 3, 0, 1, 0, 1e-3, 0, 0.05, ODD, 0 },
	{ "from a given guess", 0x6395127075c725bb, 4000, 4, 0, 1, 0, 2e-3, 0, 0.3, STAYS, 1 + DLS__AUTO_FAC2 },
	{ "disturbed", 0x47ff6d5c555b5def, 4000, 4, 0, 2, 1, 1e-3, 0, 1, STAYS, 1 + DLS__AUTO_STATIC },
	{ "any times", 0x20d29df42ad70672, 3000, 4, 0, 1, 0, 2e-3, 0, 0.02, ANY, 1 + DLS__AUTO_STATIC },
	{ "any times, monotonic", 0xe5181690d3fa2820, 2500, 5, DLS__AUTO_MONOTONIC, 3, 1, 3e-3, 0, 0.05, ANY, 1 + DLS__AUTO_FAC2 },
	{ "any times, few iterations", 0xe69e350355ac2e78, 60, 4, 0, 1, 0, 1e-3, 0, 0.02, ANY, 1 + DLS__AUTO_STATIC },
	{ "any times, short", 0x9f01dbad8ea4080c, 900, 4, 0, 1, 0, 30e-6, 0, 0.02, ANY, 1 + DLS__AUTO_STATIC },
	{ "any times, small", 0x5923f3e7f339e087, 2000, 4, 0, 1, 0, 9e-6, 0, 0.05, ANY, 1 + DLS__AUTO_FAC2 },
	{ "any times, disturbed", 0x02e826b46620e471, 3000, 4, 0, 2, 0, 2e-3, 0, 0.3, ANY, 1 + DLS__AUTO_STATIC },
};
enum { CASES = sizeof(cases) / sizeof(*cases) };

static uint64_t hash;
static bool verbose;

/* FNV-1a over text. */
__attribute__((format(printf, 1, 2))) static void mix(const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (const char *c = text; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
	if (verbose)
		fputs(text, stdout);
}

/* What is shorter than a measurement can tell counts as 0: a difference of equal numbers may be that. */
static double number(double x)
{
	return fabs(x) < 1e-15 ? 0 : x;
}

static double cost_at(unsigned shape, double x, double at)
{
	switch (shape) {
	case 0: return 1;
	case 1: return 0.1 + x;
	case 2: return x >= at && x < at + 0.1 ? 8.5 : 0.5;
	default: return (unsigned)(x * 24) * 7 % 5 + 0.25;
	}
}

/* An execution's world.  The costs differ by up to 1 %, so that no two schedules are equally good. */
static void make(struct world *x, double *before, const struct one_case *k, unsigned e)
{
	bool late = e >= EXECUTIONS / 2;
	unsigned shape = k->story == SHARES && late ? 2 : k->shape, slow = k->story == LATE && late ? 1 : k->slow;
	double scale = k->work * k->p * (k->story == JUMPS && late ? (k->work < 1e-5 ? 1000 : 3) : 1);
	uint64_t random = 3;

	*x = (struct world){ .n = k->n, .p = k->p, .before = before, .locality = k->locality };
	if (k->story == TURNS && e % 2) {
		x->n /= 8;
		scale /= 8;
	}
	if (k->story == ODD && e % 7 == 6)
		x->n = 0;
	before[0] = 0;
	for (uint64_t i = 0; i < x->n; i++)
		before[i + 1] = before[i] + (1 + 0.01 * world_uniform(&random)) *
				cost_at(shape, ((double)i + 0.5) / (double)x->n, k->story == MOVES ? e % 90 * 0.01 : 0.3);
	scale /= x->n ? before[x->n] : 1;
	for (uint64_t i = 1; i <= x->n; i++)
		before[i] *= scale;
	for (unsigned w = 0; w < k->p; w++) {
		x->speed[w] = w < slow ? 0.5 : 1;
		x->start[w] = w * 7 % k->p * 110e-9;
	}
}

static void mix_class(const struct dls__size_class *c)
{
	const struct dls__auto_summary *summary = &c->summary;
	const struct dls__auto_drift *drift = &c->drift;
	double time[2 * WORKERS_MOST];
	unsigned buckets = dls__last_profile_read(&c->profile, c->n, time);

	mix("%u %u %u %u %" PRIu64 " %u %u %u %u %u, ", c->p, c->octave, c->flags, dls__buckets(c->p, UINT64_MAX), c->n,
	    summary->executions, drift->since, c->decision.at, c->profile_at, summary->adopted);
	mix("%u %u, %u %u %u %u %u %u %u, %u, ", summary->trials, summary->kept, c->profile.count, c->current,
	    c->trial.place, c->trial.runs, c->candidates, c->single, c->more, c->profile.buckets);
	mix("%.4g %.4g %.4g %.4g %.4g, ", summary->total, number(summary->lost), c->decision.ran, (double)c->region,
	    (double)drift->usual);
	mix("%.4g %.4g %.4g %d\n", (double)drift->last_wall, number(c->trial.losing),
	    (double)c->profile.unrest, dls__auto_steady(c));
	for (unsigned i = 0; i < c->candidates; i++) {
		const struct dls__auto_arm *s = &c->arm[i];

		mix(" %u %u %u %u %d %.4g %.4g,", s->schedule, s->walls.count, s->walls.last, s->until, dls__auto_open(c, i),
		    (double)s->predicted, dls__walls_median(&s->walls));
	}
	for (unsigned b = 0; b < buckets; b++)
		mix(" %.4g", time[b]);
	mix("\n");
}

/* Times that no prediction knows of: by what a schedule takes longer than it should, another one in each quarter. */
static double unforeseen(const struct one_case *k, unsigned e, unsigned schedule)
{
	uint64_t random = k->n + schedule * 1000 + e / (EXECUTIONS / 4) * 1000000;

	return k->story == ANY ? 0.7 + world_uniform(&random) + (world_uniform(&random) < 0.2) : 1;
}

/* A wall that is none, from time to time. */
static double odd(const struct one_case *k, unsigned e, double wall)
{
	static const double none[] = { 0, -1, 1e-13, 2e9, INFINITY, NAN };

	return k->story == ODD && e % 5 == 4 ? none[e / 5 % 6] : wall;
}

static void execute(struct dls__size_class *c, const struct one_case *k, unsigned e, struct world *x, struct dls__auto_choice choice,
		    uint64_t *random)
{
	const struct dls__bucket *row[WORKERS_MOST];
	double noise = 1 + k->noise * world_uniform(random) * (world_uniform(random) < 0.1 ? 10 : 1), wall;

	world_profile(x);
	wall = odd(k, e, x->n ? noise * unforeseen(k, e, choice.schedule) * world_run(x, choice.schedule) : REGION);
	/* Now and then the time of an execution that the loop's own schedule did not run. */
	dls__auto_ended(c, e % 31 == 30 ? DLS__AUTO_GSS : choice.schedule, x->n, wall);
	if (!choice.profile)
		return;
	for (unsigned w = 0; w < x->p; w++) {
		for (unsigned b = 0; b < x->buckets; b++)
			x->row[w][b].time *= noise * (1 + 0.04 * world_uniform(random));
		row[w] = k->story == ODD && e % 3 == 0 && (w + e) % 2 ? NULL : x->row[w];
	}
	dls__auto_profiled(c, x->n, row);
}

static uint64_t play(const struct one_case *k)
{
	static double before[N_MOST + 1];
	unsigned more[2] = { 0, 0 };
	struct dls__auto a = { 0 };
	uint64_t random = 11;

	hash = 0xcbf29ce484222325u;
	for (unsigned e = 0; e < EXECUTIONS; e++) {
		struct dls__auto_choice choice;
		struct dls__size_class *c;
		struct world x;

		if (more[e % 2 * (k->story == TURNS)] > 0) {
			more[e % 2 * (k->story == TURNS)]--;
			continue;
		}
		make(&x, before, k, e);
		c = dls__size_class(&a, k->p, x.n, k->flags + k->home * DLS__AUTO_OWN, e % 50 ? REGION : 0, 0);
		choice = dls__auto_choose(c);
		/* So many further executions follow this choice; at most 3. */
		more[e % 2 * (k->story == TURNS)] = choice.more < 3 ? choice.more : 3;
		mix("%u: %u %d %u\n", e, choice.schedule, choice.profile, choice.more);
		execute(c, k, e, &x, choice, &random);
		mix_class(c);
		if (dls__auto_due(c)) {
			CHECK_EQ(dls__auto_decide(c, NULL, world_schedule), 0);
			mix_class(c);
		}
	}
	dls__auto_free(&a);
	return hash;
}

/* Fails if any rule or constant of lib/auto is another one. */
static void courses(void)
{
	for (unsigned i = 0; i < CASES; i++) {
		uint64_t got = play(&cases[i]);

		if (!CHECK(got == cases[i].hash))
			tap_note("%s: 0x%016" PRIx64, cases[i].name, got);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_test list[] = { T(courses) };

	if (argc < 2)
		return tap_run(list, sizeof(list) / sizeof(*list));
	verbose = true;
	for (unsigned i = 0; i < CASES; i++)
		if (strcmp(cases[i].name, argv[1]) == 0)
			play(&cases[i]);
	return 0;
}
