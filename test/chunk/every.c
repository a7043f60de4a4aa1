/* every.c - what holds for every calculator of the registry, also for one that is added: loops of any length are dealt to their end in
 * sizes of 1..R, and nothing that cannot be meant is accepted.
 *
 * Fails if: a size is 0 or more than what remains; next(), repeat(), at() and the library's tickets do not deal the same; anything
 * overflows near 2^53, 2^63 or 2^64, or by the least or the greatest value of a parameter; a moment that is no number reaches a
 * formula; a text that is no schedule is read, or is refused for another reason; a calculator comes to be dealt by another dispenser,
 * to need something else, or its figures are seen sooner or later than it says, or remembers more of what it dealt than it may.
 *
 * runs: alone */
#include "walk.h"

enum { MU = DLS_NEED_MU, SIGMA = DLS_NEED_SIGMA, H = DLS_NEED_H, WEIGHTS = DLS_NEED_WEIGHTS, DONE = DLS_NEED_DONE };

static const struct dls_calc *calc;	/* of the point under way */

static bool takes_moments(void)
{
	return calc->needs & (MU | SIGMA | H);
}

/* NAME[,CHUNK][,moments]..., moments only if it takes them; the text lasts until the next one. */
static const char *spell(const char *chunk, const char *moments, const char *more)
{
	static char text[200];

	snprintf(text, sizeof(text), "%s%s%s%s", calc->name, chunk, takes_moments() ? moments : "", more);
	return text;
}

/* ",KEY=VALUE" for the i-th of some values, the least and the greatest among them, or of the words; false: there are no more. */
static bool value(char more[64], const struct dls_param *p, unsigned i)
{
	const char *word = p->words;
	double number[] = { p->min, p->max, p->min + (p->whole ? 2 : 3.5) };

	if (!word && i < 3 && isinf(number[i]))
		snprintf(more, 64, ",%s=%" PRIu64, p->name, UINT64_MAX);
	else if (!word && i < 3)
		snprintf(more, 64, ",%s=%.17g", p->name, fmin(number[i], p->max));
	for (; word && i > 0; i--, word += strspn(word, " "))
		word += strcspn(word, " ");
	if (word)
		snprintf(more, 64, ",%s=%.*s", p->name, (int)strcspn(word, " "), word);
	return word ? *word : i < 3;
}

/* Loops with N = 1, N < P, N < P P, P = 1 and their neighbours. */
static void edges(const char *text)
{
	static const uint64_t n[] = { 1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 999, 1000 };
	static const unsigned p[] = { 1, 2, 3, 8, 32, 1000 };

	for (size_t i = 0; i < sizeof(p) / sizeof(*p); i++)
		for (size_t j = 0; j < sizeof(n) / sizeof(*n); j++)
			CHECK(walk_count(text, n[j], p[i]) <= n[j]);
	CHECK_TEXT(walk(text, 1, 1), "1");
}

/* Loops whose length, or its double, does not fit 53 or 63 bits. */
static void huge(const char *text)
{
	static const uint64_t n[] = { ((uint64_t)1 << 53) + 1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX - 1, UINT64_MAX };
	static const unsigned p[] = { 1, 2, 3, 64 };

	for (size_t i = 0; i < sizeof(p) / sizeof(*p); i++)
		for (size_t j = 0; j < sizeof(n) / sizeof(*n); j++)
			CHECK(walk_count(text, n[j], p[i]) > 0);
}

static uint64_t first_of_huge(const char *text)
{
	_Alignas(max_align_t) char state[DLS_STATE_MAX];

	return walk_begin(state, text, UINT64_MAX, 64, NULL)->next(state, UINT64_MAX);
}

#define LARGE ",100000000000000000"	/* CHUNK, with which even a huge loop has few chunks */

static void dealt(void)
{
	static const char *const moments[] = { ",mu=1,sigma=2,h=1", ",mu=1,sigma=0.1,h=0.01", ",mu=3e-6,sigma=3e-6,h=1e-5",
					       ",mu=1,sigma=0,h=1" };
	static const char *const coarse[] = { ",mu=1e-6,sigma=2e-6,h=1e4", ",mu=1,sigma=0,h=0" };
	char more[64];

	for (size_t m = 0; m < (takes_moments() ? sizeof(moments) / sizeof(*moments) : 1); m++) {
		edges(spell("", moments[m], ""));
		edges(spell(",3", moments[m], ""));
	}
	CHECK_TEXT(walk(spell("", moments[0], ""), 1, 65536), "1");
	for (size_t m = 0; m < (takes_moments() ? sizeof(coarse) / sizeof(*coarse) : 1); m++) {
		huge(spell(LARGE, coarse[m], ""));
		if (first_of_huge(spell("", coarse[m], "")) > UINT64_MAX / WALK_CHUNKS)
			huge(spell("", coarse[m], ""));
	}
	for (size_t k = 0; k < DLS_PARAMS_MAX && calc->param[k].name; k++)
		for (unsigned i = 0; value(more, &calc->param[k], i); i++) {
			edges(spell("", moments[0], more));
			edges(spell(",2", moments[0], more));
			huge(spell(LARGE, coarse[0], more));
		}
	if (calc->needs & WEIGHTS && calc->dispenser == DLS_DISPENSER_TICKETS) {
		edges(spell(",3", "", ",weights=1:2:3"));
		huge(spell("", "", ",weights=1:3"));
	}
}

/* Of the two kinds that may keep nothing but what follows from the smallest R seen: a worker that has seen few of the R arrives at
 * the size of one that has seen all.  Random N, P, CHUNK and parameters. */
static void from_R_once(uint64_t *seed)
{
	_Alignas(max_align_t) char all[DLS_STATE_MAX], few[DLS_STATE_MAX], one[DLS_STATE_MAX];
	struct dls_value arg[DLS_PARAMS_MAX] = { { .given = false } };
	struct dls_loop_desc loop = {
		.size = sizeof(loop), .n = 1 + tap_random(seed) % 3000, .p = 1 + (unsigned)(tap_random(seed) % 20),
		.chunk = tap_random(seed) % 4, .mu = 1, .sigma = 1, .h = 1, .arg = arg,
	};

	for (size_t k = 0; k < DLS_PARAMS_MAX && calc->param[k].name; k++) {
		double x = fmin(calc->param[k].min + (double)(tap_random(seed) % 64) / 16, calc->param[k].max);

		arg[k] = (struct dls_value){ .given = !calc->param[k].words, .real = x, .count = (uint64_t)x };
	}
	CHECK_EQ(calc->init(all, &loop), 0);
	CHECK_EQ(calc->init(few, &loop), 0);
	for (uint64_t R = loop.n; R > 0; R--) {
		uint64_t K = calc->next(all, R);

		if (tap_random(seed) % 8)
			continue;
		CHECK_EQ(calc->init(one, &loop), 0);
		CHECK_EQ(calc->next(few, R), K);
		if (CHECK_EQ(calc->next(one, R), K) != K) {
			tap_note("N = %" PRIu64 ", P = %u, CHUNK %" PRIu64 ", x = %g, R = %" PRIu64, loop.n, loop.p, loop.chunk,
				 arg[0].real, R);
			return;
		}
	}
}

static void from_R_alone(void)
{
	uint64_t seed = tap_seed();

	for (unsigned i = 0; i < (tap_thorough() ? 2000 : 200); i++)
		from_R_once(&seed);
}

/* This text is refused with this code. */
static void refuse(int code, const char *text)
{
	struct dls_schedule *schedule = NULL;

	if (CHECK_EQ(dls_schedule_parse(&schedule, text, NULL), code) != (uint64_t)code)
		tap_note("%s", text);
	dls_schedule_free(schedule);
}

/* A formula would make every chunk 1 of a moment that is negative or no number, or of a mean of 0. */
static void refused_moments(void)
{
	static const double bad[] = { 0, -1, NAN };
	_Alignas(max_align_t) char state[DLS_STATE_MAX];

	for (unsigned i = 0; i < 3; i++)
		for (unsigned k = i ? 0 : 2; k < 3; k++) {	/* only mu must not be 0 */
			struct dls_loop_desc loop = { .size = sizeof(loop), .n = 1000, .p = 4, .mu = 1, .sigma = 1, .h = 1 };

			*(k == 0 ? &loop.sigma : k == 1 ? &loop.h : &loop.mu) = bad[i];
			if (calc->needs & (unsigned[]){ SIGMA, H, MU }[k])
				CHECK_EQ(calc->init(state, &loop), DLS_EINVAL);
		}
}

/* Neither what is no number or word, nor a number beyond the least or the greatest. */
static void refused_values(const struct dls_param *p)
{
	static const char *const odd[] = { "=nan", "=nonesuch", "=", "=1.5x" };
	bool numbers = p->min <= p->max, flag = p->whole && p->min == 0 && p->max == 1;	/* a flag may stand alone */
	double step = p->whole ? 1 : 0.01;
	char more[64];

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		snprintf(more, sizeof(more), ",%s%s", p->name, odd[i]);
		refuse(DLS_EINVAL, spell("", "", more));
	}
	snprintf(more, sizeof(more), ",%s", p->name);
	refuse(flag ? 0 : DLS_EINVAL, spell("", "", more));
	snprintf(more, sizeof(more), ",%s=%.17g", p->name, p->min - step);
	refuse(numbers ? DLS_ERANGE : DLS_EINVAL, spell("", "", more));
	snprintf(more, sizeof(more), ",%s=%.17g", p->name, p->max + step);
	if (!isinf(p->max))
		refuse(numbers ? DLS_ERANGE : DLS_EINVAL, spell("", "", more));
	snprintf(more, sizeof(more), ",%s=1.5", p->name);
	if (p->whole || !numbers)
		refuse(DLS_EINVAL, spell("", "", more));
}

static void refused(void)
{
	static const struct { int code; const char *text; } chunk[] = {
		{ DLS_ERANGE, ",0" }, { DLS_ERANGE, ",-1" }, { DLS_ERANGE, ",18446744073709551616" }, { DLS_EINVAL, ",1.5" },
		{ DLS_EINVAL, ",four" }, { DLS_EINVAL, ",nan" }, { DLS_EINVAL, ",4k" }, { DLS_EINVAL, ",," }, { DLS_EINVAL, ",2,3" },
		{ DLS_ENOENT, ",nothing=1" },
	}, moment[] = {
		{ DLS_ERANGE, ",mu=0" }, { DLS_ERANGE, ",mu=-1" }, { DLS_ERANGE, ",mu=1e999" }, { DLS_EINVAL, ",mu=nan" },
		{ DLS_ERANGE, ",sigma=-1e-6" }, { DLS_EINVAL, ",sigma=nan" }, { DLS_EINVAL, ",sigma=1x" },
		{ DLS_ERANGE, ",h=-1" }, { DLS_EINVAL, ",h=x" },
	}, weight[] = {
		{ DLS_ERANGE, ",weights=1:-1" }, { DLS_ERANGE, ",weights=0:1" }, { DLS_ERANGE, ",weights=1:1e-10" },
		{ DLS_EINVAL, ",weights=nan:1" }, { DLS_EINVAL, ",weights=1::2" }, { DLS_EINVAL, ",weights=1:x" },
		{ DLS_EINVAL, ",weights=" },
	};

	refused_moments();
	for (size_t i = 0; i < sizeof(chunk) / sizeof(*chunk); i++)
		refuse(chunk[i].code, spell(chunk[i].text, "", ""));
	for (size_t i = 0; i < sizeof(moment) / sizeof(*moment); i++)
		refuse(takes_moments() ? moment[i].code : DLS_ENOENT, spell("", "", moment[i].text));
	for (size_t i = 0; i < sizeof(weight) / sizeof(*weight); i++)
		refuse(calc->needs & WEIGHTS ? weight[i].code : DLS_ENOENT, spell("", "", weight[i].text));
	for (size_t k = 0; k < DLS_PARAMS_MAX && calc->param[k].name; k++)
		refused_values(&calc->param[k]);
}

/* Parameters together, also at the greatest values; moments far apart. */
static void mixed(void)
{
	static const char *const small[] = {
		"tss,f=9,l=2", "rnd,seed=3,min=2,max=5", "bold,mu=1e-300,sigma=1e300,h=1", "bold,mu=1e300,sigma=1e-300,h=1e-300",
	}, *const large[] = {
		"rnd,min=1,max=18446744073709551615", "rnd,min=1000000000000000000,max=18446744073709551615", "frac,x=2.7",
		"bold,mu=1,sigma=1,h=1",
	};

	for (size_t i = 0; i < sizeof(small) / sizeof(*small); i++)
		edges(small[i]);
	for (size_t i = 0; i < sizeof(large) / sizeof(*large); i++)
		huge(large[i]);
	refuse(0, "nonmonotonic:frac");
	refuse(0, "rnd,seed=18446744073709551615");
	refuse(0, "af,window=all,exact");
}

/* What the library goes by, in words. */
static const char *said(const struct dls_calc *c)
{
	static const char *const by[] = { "tickets", "own", "ranges", "live" };
	static const char *const pace[] = { "", ", learns by execution", ", learns by batch", ", learns by chunk" };
	static const char *const curve[] = { "", ", hilbert", ", morton" };
	static char text[200];

	snprintf(text, sizeof(text), "%s: %s%s%s%s%s%s%s%s%s%s", c->name, by[c->dispenser], c->at ? " by at()" : "",
		 c->fixed_size ? ", fixed size" : "", c->needs & MU ? ", mu" : "", c->needs & SIGMA ? ", sigma" : "",
		 c->needs & H ? ", h" : "", c->needs & WEIGHTS ? ", weights" : "", c->needs & DONE ? ", done" : "", pace[c->pace],
		 curve[c->curve]);
	return text;
}

/* A range that is stolen from is numbered by its chunks, if these are equal; such chunks may also be dealt by ranges when a loop is
 * nonmonotonic; by at() workers tell where their own chunks lie. */
static void declared(void)
{
	static const char *const row[] = {
		"static: own by at(), fixed size, weights",
		"ss: tickets, fixed size",
		"fsc: tickets, fixed size, sigma, h",
		"mfsc: tickets, fixed size",
		"fac: tickets, mu, sigma",
		"wf: tickets, weights",
		"awf: tickets, weights, learns by execution",
		"awf-b: tickets, weights, learns by batch",
		"awf-c: tickets, weights, learns by chunk",
		"awf-d: tickets, weights, learns by batch",
		"awf-e: tickets, weights, learns by chunk",
		"af: live, learns by chunk",
		"tap: tickets, mu, sigma",
		"bold: live, mu, sigma, h, done",
		"steal: ranges, fixed size",
		"frac: ranges, hilbert",
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		char name[16];

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(row[i], ":"), row[i]);
		CHECK_TEXT(said(dls_calc_find(name)), row[i]);
	}
}

static void next_calc(void)
{
	static size_t at;

	calc = dls_calc_at(at++);
	dealt();
	refused();
	if (calc->dispenser == DLS_DISPENSER_LIVE || (calc->dispenser == DLS_DISPENSER_RANGES && !calc->fixed_size))
		from_R_alone();
}

int main(void)
{
	static struct tap_test list[100] = { T(mixed) T(declared) };
	size_t n = 2;

	for (size_t i = 0; n < 100 && dls_calc_at(i); i++)
		list[n++] = (struct tap_test){ .name = dls_calc_at(i)->name, .run = next_calc };
	return tap_run(list, n);
}
