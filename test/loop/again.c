/* again.c - a deal that is opened again deals as a new one does, whatever it dealt before.
 *
 * Executions drawn from a seed: schedule, length, workers, moments, whether they are measured; often like the last one.  Fails
 * if: what an earlier execution left in the deal comes to count - its schedule, another one at the same address, n, P, moments,
 * measured or not. */

#include "deal.h"
#include "lib/deal/ask.h"

enum { P = 5, CHUNKS = 4096 };

static const char *const texts[] = {
	"static", "static,7", "ss", "ss,3", "gss", "gss,5", "tss", "fac2", "mfsc", "fac", "fac,mu=1e-6,sigma=3e-6", "fsc",
	"wf,weights=3:1:2", "wf", "tfss", "rnd", "steal", "steal,4", "nonmonotonic:ss,2", "frac", "tap",
};
enum { TEXTS = sizeof(texts) / sizeof(*texts) };

/* An execution, and the chunks that one thread gets which asks for all workers in turn. */
struct execution {
	struct dls__ask ask;
	struct dls__wish wish;
	struct dls__kept_site *site;
	unsigned p;
	size_t chunks;
	struct dls__chunk chunk[CHUNKS];
};

static void deal_out(struct dls__deal *deal, struct execution *x)
{
	static struct dls__cursor cursor[P];
	unsigned busy = x->p;

	x->chunks = 0;
	if (!CHECK(dls__deal_open(deal, &x->ask, x->site, x->p)))
		return;
	for (unsigned w = 0; w < x->p; w++) {
		dls__cursor_init(&cursor[w], x->ask.n, w, x->p, NULL);
		dls__deal_join(&cursor[w], deal);
	}
	for (bool done[P] = { false }; busy > 0;)
		for (unsigned w = 0; w < x->p; w++) {
			struct dls__chunk chunk = done[w] ? (struct dls__chunk){ 0, 0 } : dls__next(&cursor[w].head);

			if (chunk.n > 0 && x->chunks < CHUNKS)
				x->chunk[x->chunks++] = chunk;
			busy -= chunk.n == 0 && !done[w];
			done[w] |= chunk.n == 0;
		}
}

static void check_same(const struct execution *got, const struct execution *want, const char *text)
{
	bool same = got->chunks == want->chunks;

	for (size_t i = 0; same && i < want->chunks; i++)
		same = got->chunk[i].lo == want->chunk[i].lo && got->chunk[i].n == want->chunk[i].n;
	if (!CHECK(same))
		tap_note("%s, N = %llu, P = %u: %zu chunks, not %zu, or others", text, (unsigned long long)want->ask.n, want->p,
			 got->chunks, want->chunks);
}

static void as_new(void)
{
	static struct execution got, want;
	static double moment[DLS__MOMENTS];
	struct dls_schedule *schedule[TEXTS];
	struct dls__deal *used = dls__alloc_apart(sizeof(*used)), *fresh;
	struct dls__kept_site *site = dls__site_private();
	uint64_t seed = tap_seed();
	unsigned text = 0;

	for (unsigned i = 0; i < TEXTS; i++)
		CHECK_EQ(dls_schedule_parse(&schedule[i], texts[i], NULL), 0);
	for (unsigned run = 0; run < 4000; run++) {
		if (tap_random(&seed) % 3 == 0)
			text = (unsigned)(tap_random(&seed) % TEXTS);
		if (tap_random(&seed) % 3 == 0)
			got.ask.n = tap_random(&seed) % 4 ? tap_random(&seed) % 800 : 0;
		if (tap_random(&seed) % 3 == 0 || got.p == 0)
			got.p = 1 + (unsigned)(tap_random(&seed) % P);
		if (tap_random(&seed) % 8 == 0)
			for (int i = 0; i < DLS__MOMENTS; i++)
				moment[i] = tap_random(&seed) % 2 ? 1e-7 * (double)(1 + tap_random(&seed) % 100) : -1;
		got.wish = (struct dls__wish){ .schedule = schedule[text], .moment = moment };
		got.ask.wish = &got.wish;
		got.site = NULL;
		/* Moments that the site learns would be others each time. */
		if (tap_random(&seed) % 4 == 0 && !(schedule[text]->calc->needs & (DLS_NEED_MU | DLS_NEED_SIGMA | DLS_NEED_H)))
			got.site = site;
		if (tap_random(&seed) % 8 == 0)
			/* relaxed: one thread. */
			atomic_store_explicit(&site->measure, tap_random(&seed) % 2, memory_order_relaxed);
		want.ask = got.ask;
		want.site = got.site;
		want.p = got.p;
		fresh = dls__alloc_apart(sizeof(*fresh));
		deal_out(used, &got);
		deal_out(fresh, &want);
		CHECK(used->site == fresh->site);
		CHECK_EQ(dls__goes_through(used, DLS__LAYER_measure), dls__goes_through(fresh, DLS__LAYER_measure));
		check_same(&got, &want, texts[text]);
		dls__deal_free(fresh);
		free(fresh);
	}
	dls__deal_free(used);
	free(used);
	dls__site_free(site);
	for (unsigned i = 0; i < TEXTS; i++)
		dls_schedule_free(schedule[i]);
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

TEST_MAIN(T(as_new) T(same_address))
