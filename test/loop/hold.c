/* hold.c - loops whose compiler asks for the value of the last iteration: the worker that gets it runs it after all its others.
 *
 * Executions drawn from a seed: schedule, length, workers, and who asks next.  Fails if: an iteration is lost or comes twice, the
 * last one is handed out before others of its worker, or a worker leaves before it has run all its chunks, or twice.
 *
 * runs: check */
#include "deal.h"
#include "lib/deal/deal.h"

enum { P = 5, N = 300 };

static const char *const texts[] = { "steal", "steal,4", "nonmonotonic:ss", "nonmonotonic:ss,2", "frac" };
enum { TEXTS = sizeof(texts) / sizeof(*texts) };

static unsigned left[P];

static void leave(struct dls__cursor *c)
{
	left[c->worker]++;
}

/* Whether the last iteration came before others of its worker; workers ask in random turn. */
static bool dealt_early(struct dls__work_share *share, uint64_t n, unsigned p, uint64_t *seed)
{
	static struct dls__cursor cursor[P];
	unsigned hits[N] = { 0 }, busy = p;
	bool has_last[P] = { false }, done[P] = { false }, early = false, once = true;

	memset(left, 0, sizeof(left));
	memset(cursor, 0xa5, sizeof(cursor));
	for (unsigned w = 0; w < p; w++) {
		dls__cursor_init(&cursor[w], n, w, p, leave);
		dls__work_share_join(&cursor[w], share);
	}
	while (busy > 0) {
		unsigned w = (unsigned)(tap_random(seed) % p);
		struct dls__chunk chunk = dls__next(&cursor[w].head);

		CHECK_EQ(left[w], chunk.n == 0);
		early |= has_last[w] && chunk.n > 0;
		has_last[w] |= chunk.n > 0 && chunk.lo + chunk.n == n;
		busy -= chunk.n == 0 && !done[w];
		done[w] |= chunk.n == 0;
		for (uint64_t i = 0; i < chunk.n; i++)
			hits[chunk.lo + i]++;
	}
	for (uint64_t i = 0; i < n; i++)
		once &= hits[i] == 1;
	CHECK(once);
	return early;
}

/* How often of 500 executions. */
static unsigned times_early(const struct dls_schedule *schedule, bool hold, uint64_t *seed)
{
	struct dls__work_share *share = dls__alloc_apart(sizeof(*share));
	unsigned early = 0;

	for (unsigned run = 0; run < 500; run++) {
		unsigned p = 2 + (unsigned)(tap_random(seed) % (P - 1));
		struct dls__extra extra = { .schedule = schedule, .foreign = hold };
		struct dls__request request = { .n = 1 + tap_random(seed) % N, .extra = &extra };

		if (CHECK(dls__work_share_open(share, &request, NULL, p)))
			early += dealt_early(share, request.n, p, seed);
	}
	dls__work_share_free(share);
	free(share);
	return early;
}

static void last(void)
{
	uint64_t seed = tap_seed();

	for (unsigned text = 0; text < TEXTS; text++) {
		struct dls_schedule *schedule;

		CHECK_EQ(dls_schedule_parse(&schedule, texts[text], NULL), 0);
		if (!CHECK(times_early(schedule, false, &seed) > 0) || !CHECK(times_early(schedule, true, &seed) == 0))
			tap_note("%s", texts[text]);
		dls_schedule_free(schedule);
	}
}

TEST_MAIN(T(last))
