/* multiple.c - chunks that start and end at multiples: under every schedule, dispenser and alignment, each
 * iteration once, also by a work share that is opened again.
 *
 * One thread asks for all workers, in an order drawn from a seed; loops are measured or not, in real or virtual time, and their
 * work shares used again for others.
 *
 * Fails if: a chunk but the last starts or ends beside a multiple, in its row or along its curve; sizes,
 * shares, tiles, ranges, pieces or parts of chunks are not moved to the alignment; a chunk of which nothing
 * is left is handed out, or ends the loop; an iteration is lost or dealt twice; what counts as dealt, done or
 * measured is not what was handed out; what an earlier execution left in a work share comes to count - its
 * schedule, another one at the same address, n, P, moments, alignment, measured or not; a multiple of the
 * loop and one of its schedule do not both hold. DLS_STRESS=SECONDS lengthens it.
 *
 * runs: machines, alone */
#include "deal.h"
#include "lib/region/enter.h"
#include "once.h"

enum { P = 9, MOST = 200000 };

static unsigned char dealt[MOST];
static uint64_t dealt_order;	/* hash of the chunks that were dealt last */

struct run {
	char text[160];
	const struct dls_schedule *schedule;
	struct dls__request request;
	struct dls__extra extra;
	struct dls__kept_site *site;
	uint64_t n;
	unsigned p;
};

/* The least common multiple of two numbers below 2^32. */
static uint64_t both(uint64_t a, uint64_t b)
{
	uint64_t x = a;

	while (a && b && x % b)
		x += a;
	return a && b ? x : a + b;
}

/* Whether a chunk may start, or end, at x: by the definition. */
static bool allowed(const struct run *r, uint64_t x)
{
	uint64_t multiple = both(r->schedule->loop.multiple, r->request.multiple);

	if (x == r->n || multiple == 0)
		return true;
	if (r->request.rows && r->schedule->loop.curve == DLS_CURVE_ROWS)
		x %= r->n / r->request.rows;
	return x % multiple == 0;
}

static void explain(const struct run *r)
{
	tap_note("%s, and %llu, N = %llu in %llu rows, P = %u%s", r->text,
		 (unsigned long long)r->request.multiple, (unsigned long long)r->n,
		 (unsigned long long)r->request.rows, r->p, r->extra.clock ? ", virtual time" : "");
}

static bool check_chunk(const struct run *r, struct dls__chunk chunk)
{
	bool inside = chunk.lo < r->n && chunk.n <= r->n - chunk.lo;

	if (CHECK(inside) && CHECK(allowed(r, chunk.lo) && allowed(r, chunk.lo + chunk.n))) {
		for (uint64_t i = 0; i < chunk.n && r->n <= MOST; i++)
			dealt[chunk.lo + i]++;
		return true;
	}
	tap_note("%llu .. %llu", (unsigned long long)chunk.lo, (unsigned long long)(chunk.lo + chunk.n));
	explain(r);
	return false;
}

static void check_dealt(const struct run *r, uint64_t sum)
{
	bool once = sum == r->n;

	for (uint64_t i = 0; i < r->n && r->n <= MOST; i++) {
		once &= dealt[i] == 1;
		dealt[i] = 0;
	}
	if (!CHECK(once))
		explain(r);
}

/* Its schedule is what a format and its arguments give. */
__attribute__((format(printf, 2, 3))) static void parse(struct run *r, const char *format, ...)
{
	struct dls_schedule *parsed = NULL;
	va_list args;

	va_start(args, format);
	vsnprintf(r->text, sizeof(r->text), format, args);
	va_end(args);
	if (CHECK_EQ(dls_schedule_parse(&parsed, r->text, NULL), 0))
		tap_note("%s", r->text);
	r->schedule = r->extra.schedule = parsed;
}

static struct dls__work_share *new_deal(void)
{
	return dls__alloc_apart(sizeof(struct dls__work_share));
}

static void free_deal(struct dls__work_share *share)
{
	dls__work_share_free(share);
	free(share);
}

static void free_schedule(const struct run *r)
{
	dls_schedule_free((struct dls_schedule *)r->schedule);
}

static bool open_share(struct dls__work_share *share, const struct run *r)
{
	struct dls__request request = r->request;

	request.n = r->n;
	request.extra = &r->extra;
	return dls__work_share_open(share, &request, r->site, r->p);
}

/* Deal it all out; returns how many chunks there were. */
static uint64_t deal_out(struct dls__work_share *share, const struct run *r, uint64_t *clock, uint64_t *seed)
{
	static struct dls__cursor cursor[P];
	uint64_t sum = 0, chunks = 0, turn = tap_random(seed);
	bool left[P] = { false }, right = true;

	dealt_order = 0;
	if (!CHECK(open_share(share, r)))
		return 0;
	for (unsigned w = 0; w < r->p; w++) {
		dls__cursor_init(&cursor[w], r->n, w, r->p, NULL);
		dls__work_share_join(&cursor[w], share);
	}
	for (unsigned gone = 0; gone < r->p && right;) {
		/* One worker often, in a row, or all in turn. */
		unsigned w = turn % 3 == 0 ? (unsigned)(chunks % r->p) : turn % 3 == 1 ? (unsigned)(tap_random(seed) % r->p)
			   : tap_random(seed) % 8 ? (unsigned)(turn >> 8) % r->p : (unsigned)(tap_random(seed) % r->p);
		struct dls__chunk chunk;

		for (; left[w]; w = (w + 1) % r->p)
			;
		chunk = dls__next(&cursor[w].head);
		*clock += tap_random(seed) % 3000;
		CHECK_EQ(cursor[w].head.n, r->n);
		left[w] = chunk.n == 0;
		gone += left[w];
		right = chunk.n == 0 || check_chunk(r, chunk);
		dealt_order = ((dealt_order ^ chunk.lo) * 1099511628211u ^ chunk.n) * 1099511628211u;
		sum += chunk.n;
		chunks += chunk.n > 0;
		right &= CHECK(chunks <= MOST);
	}
	check_dealt(r, sum);
	if (right && dls__goes_through(share, DLS__FILTER_measure)) {
		uint64_t seen = 0, n = 0;

		for (unsigned w = 0; w < r->p; w++) {
			seen += share->measuring.execution.measurement[w].iterations;
			n += share->measuring.execution.measurement[w].chunks;
		}
		CHECK_EQ(seen, r->n);
		CHECK(share->calc->parts || share->timing.timed ? n <= chunks : n == chunks);
		if (share->calc->needs & DLS_NEED_DONE)
			CHECK_EQ(share->counts.done, r->n);
	}
	return chunks;
}

static const uint64_t multiples[] = { 0, 1, 2, 3, 7, 8, 16, 48, 64, 100, 1000, 4096, DLS_MULTIPLE_MAX };
enum { MULTIPLES = sizeof(multiples) / sizeof(*multiples) };

/* A loop drawn from the seed. */
static struct run draw(const char *schedule, const uint64_t *clock, struct dls__kept_site *site, uint64_t *seed)
{
	static const char *const curves[] = { "", "", ",curve=rows", ",curve=hilbert", ",curve=morton" };
	static const uint64_t columns[] = { 1, 2, 3, 21, 64, 65, 100, 128, 300 };
	uint64_t pick = tap_random(seed), m = multiples[pick % MULTIPLES], more = multiples[(pick >> 8) % MULTIPLES];
	struct run r = { .p = 1 + (unsigned)(pick >> 16) % P };
	char multiple[32] = "";

	r.n = once_size(pick >> 24, r.p, MOST);
	if (pick >> 32 & 1) {
		r.request.rows = (pick >> 33) % 40;
		r.n = r.request.rows * columns[(pick >> 40) % (sizeof(columns) / sizeof(*columns))];
	}
	if (strchr("0123456789", schedule[strlen(schedule) - 1]) == NULL && m > 0 && pick >> 48 & 1)
		m += (pick >> 49) % 5;
	if (m > DLS_MULTIPLE_MAX)
		m = DLS_MULTIPLE_MAX;
	if (m)
		snprintf(multiple, sizeof(multiple), ",multiple=%llu", (unsigned long long)m);
	parse(&r, "%s%s%s", schedule, curves[(pick >> 52) % 5], multiple);
	/* The sum of a loop's multiple and its schedule's is small in allowed(). */
	r.request.multiple = pick >> 56 & 1 && more < 5000 && m < 5000 ? more : 0;
	r.site = site;
	if (pick >> 57 & 1 && !r.schedule->spec)
		r.extra.clock = clock;
	return r;
}

static void matrix(void)
{
	const double seconds = tap_stress(1);
	struct dls__work_share *share = new_deal();
	struct dls__kept_site *site[2] = { dls__site_private(), dls__site_private() };
	struct run last = { .schedule = NULL };
	uint64_t seed = tap_seed(), clock = 0, loops = 0;
	time_t start = time(NULL);
	const char *text;

	atomic_store(&site[1]->measure, true);
	for (size_t k = 0; (once_schedule(k) || difftime(time(NULL), start) < seconds) && tap_failures == 0; k++) {
		text = once_schedule(k);
		if (!text)
			text = once_schedule(k = 0);
		for (unsigned i = 0; i < 40; i++, loops++) {
			struct run r = draw(text, &clock, site[tap_random(&seed) & 1], &seed);

			deal_out(share, &r, &clock, &seed);
			share->kept = false;	/* the schedule goes */
			free_schedule(&last);
			last = r;
		}
	}
	tap_note("%llu loops", (unsigned long long)loops);
	free_deal(share);
	free_schedule(&last);
	dls__site_free(site[0]);
	dls__site_free(site[1]);
}

/* A work share that is opened again, often for a loop like the last one, deals as a new one does. */
static void as_new(void)
{
	static const char *const texts[] = {
		"static", "static,7", "ss", "ss,3", "gss", "gss,5", "tss", "fac2", "mfsc", "fac", "fac,mu=1e-6,sigma=3e-6", "fsc",
		"wf,weights=3:1:2", "wf", "tfss", "rnd", "steal", "steal,4", "nonmonotonic:ss,2", "frac", "tap",
	};
	enum { TEXTS = sizeof(texts) / sizeof(*texts) };
	static double moment[DLS__MOMENTS];
	struct dls__work_share *used = new_deal(), *fresh;
	struct dls__kept_site *site = dls__site_private();
	struct run of[TEXTS] = { { .n = 0 } }, r;
	uint64_t seed = tap_seed(), clock = 0, n = 0, multiple = 0, rows = 0;
	unsigned text = 0, p = 1;
	bool at_site = false;

	for (unsigned i = 0; i < TEXTS; i++)
		parse(&of[i], "%s", texts[i]);
	for (unsigned k = 0; k < 4000; k++) {
		uint64_t pick = tap_random(&seed), turns = tap_random(&seed), same_turns = turns, order;

		if (pick % 3 == 0)
			text = (unsigned)(tap_random(&seed) % TEXTS);
		if ((pick >> 8) % 3 == 0)
			n = tap_random(&seed) % 4 ? tap_random(&seed) % 800 : 0;
		if ((pick >> 16) % 3 == 0)
			p = 1 + (unsigned)(tap_random(&seed) % 5);
		if ((pick >> 24) % 3 == 0) {
			multiple = (const uint64_t[]){ 0, 0, 0, 8, 64 }[tap_random(&seed) % 5];
			rows = (const uint64_t[]){ 0, 0, 7, 10 }[tap_random(&seed) % 4];
		}
		for (int i = 0; (pick >> 32) % 8 == 0 && i < DLS__MOMENTS; i++)
			moment[i] = tap_random(&seed) % 2 ? 1e-7 * (double)(1 + tap_random(&seed) % 100) : -1;
		if ((pick >> 40) % 8 == 0)
			atomic_store(&site->measure, pick >> 43 & 1);
		r = of[text];
		r.n = rows ? n / rows * rows : n;
		r.p = p;
		r.request = (struct dls__request){ .multiple = multiple, .rows = rows };
		r.extra.moment = moment;
		/* Moments that the site learns would be others each time. */
		at_site ^= (pick >> 48) % 4 == 0;
		if (at_site && !(r.schedule->calc->needs & (DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H)))
			r.site = site;
		fresh = new_deal();
		deal_out(fresh, &r, &clock, &turns);
		order = dealt_order;
		deal_out(used, &r, &clock, &same_turns);
		CHECK(used->site == fresh->site);
		CHECK_EQ(dls__goes_through(used, DLS__FILTER_measure),
			 dls__goes_through(fresh, DLS__FILTER_measure));
		if (CHECK_EQ(dealt_order, order) != order)
			explain(&r);
		free_deal(fresh);
	}
	free_deal(used);
	dls__site_free(site);
	for (unsigned i = 0; i < TEXTS; i++)
		free_schedule(&of[i]);
}

/* malloc() most often gives the second schedule the address of the first. */
static void same_address(void)
{
	struct dls_loop *loop = deal_open("ss", 2, NULL, 0);

	for (int64_t K = 1; K < 50; K++) {
		char text[16];

		snprintf(text, sizeof(text), "ss,%d", (int)K);
		CHECK_EQ(dls_loop_set_schedule(loop, text), 0);
		CHECK_EQ(dls_loop_start(loop, 0, 1000, 1), 0);
		CHECK_EQ(deal_next(loop, 0).n, K);
		dls_loop_end(loop, NULL);
	}
	dls_loop_close(loop);
}

/* Long loops, up to the ends of the type: few chunks, but sums that could overflow. */
static void ends(void)
{
	static const char *const texts[] = {
		"static", "static,weights=3:1", "nonmonotonic:static", "gss", "wf,weights=5:1", "steal,4611686018427387904",
		"frac,1000000000000000", "none,1000000000000000", "static,18446744073709551615", "ss,18446744073709551615",
		"gss,18446744073709551615", "ss,18446744073709551614", "none,18446744073709551615", "af,1000000000000000000",
	};
	static const uint64_t sizes[] = { UINT64_MAX, UINT64_MAX - 1, UINT64_MAX - 64, (uint64_t)1 << 63, ((uint64_t)1 << 63) + 1 };
	uint64_t seed = tap_seed(), clock = 0;

	for (size_t k = 0; k < sizeof(texts) / sizeof(*texts) && tap_failures == 0; k++)
		for (unsigned i = 0; i < 30; i++) {
			struct dls__work_share *share = new_deal();
			struct run r = { .n = sizes[i % 5], .p = 1 + i % P };

			parse(&r, "%s,multiple=%llu", texts[k], (unsigned long long)multiples[3 + i % 10]);
			deal_out(share, &r, &clock, &seed);
			free_deal(share);
			free_schedule(&r);
		}
}

/* Where ranges need longer chunks than asked for, those are multiples too. */
static void long_ranges(void)
{
	static const struct {
		const char *text;
		uint64_t n, min;
	} some[] = {
		{ "steal,17179869184", (uint64_t)1 << 40, (17179869184 + 47) / 48 * 48 },
		{ "steal,17179869184", UINT64_MAX - 5, (17179869184 + 47) / 48 * 48 }, { "steal", (uint64_t)1 << 40, 288 },
	};
	struct dls__work_share *share = new_deal();
	struct run r[3] = { { .n = 0 } };

	for (int k = 0; k < 3; k++) {
		parse(&r[k], "%s", some[k].text);
		r[k].request.multiple = 48;
		r[k].n = some[k].n;
		r[k].p = 2;
		CHECK(open_share(share, &r[k]));
		CHECK_EQ(share->min, some[k].min);
	}
	free_deal(share);
	for (int k = 0; k < 3; k++)
		free_schedule(&r[k]);
}

/* Sizes that are multiples already stay as they are, and others become the next multiple. */
static void sizes(void)
{
	static const struct {
		const char *text;
		uint64_t chunks, rows;
	} some[] = {
		{ "ss", 157, 0 }, { "ss,64", 157, 0 }, { "ss,65", 79, 0 }, { "ss,128", 79, 0 }, { "steal", 157, 0 },
		{ "static", 4, 0 }, { "static,1", 157, 0 }, { "nonmonotonic:static", 4, 0 }, { "static,weights=1:2:3:4", 4, 0 },
		{ "gss,4000", 3, 0 }, { "none,100", 79, 0 },
		{ "ss", 10007, 10007 }, { "steal", 10007, 10007 },	/* rows shorter than the multiple */
	};
	uint64_t seed = tap_seed(), clock = 0;

	for (size_t k = 0; k < sizeof(some) / sizeof(*some); k++) {
		struct dls__work_share *share = new_deal();
		struct run r = { .n = 10007, .p = 4, .request.rows = some[k].rows };
		uint64_t chunks;

		parse(&r, "%s,multiple=64", some[k].text);
		chunks = deal_out(share, &r, &clock, &seed);
		/* Under a strategy each worker's share may begin and end with part of a piece. */
		if (!CHECK(chunks >= some[k].chunks && chunks <= some[k].chunks + (r.schedule->spec ? 4 : 0)))
			explain(&r);
		free_deal(share);
		free_schedule(&r);
	}
}

TEST_MAIN(T(sizes) T(as_new) T(same_address) T(long_ranges) T(ends) T(matrix))
