/* publish.c - what one thread makes while others use it: schedules given to a site, texts in the source, calculators.
 *
 * Fails if: a thread sees half a schedule, text or calculator; ThreadSanitizer reports it when the order that publishes one
 * is weakened.
 *
 * runs: check */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "deal.h"

enum { ROUNDS = 300 };

static struct dls_site *site;
static struct dls_calc calc[ROUNDS];
static char name[ROUNDS][8];
static atomic_uint made;	/* relaxed everywhere: orders nothing */

static uint64_t next(void *state, uint64_t R)
{
	(void)state;
	return R;
}

static void *make(void *arg)
{
	char text[32];

	(void)arg;
	for (unsigned i = 0; i < ROUNDS; i++) {
		snprintf(text, sizeof(text), "ss,%u", i + 1);
		dls_site_set_schedule(site, text);
		snprintf(name[i], sizeof(name[i]), "user%u", i);
		calc[i] = (struct dls_calc){ .size = sizeof(calc[i]), .name = name[i], .init = deal_init, .next = next };
		dls_calc_register(&calc[i]);
		atomic_store_explicit(&made, i + 1, memory_order_relaxed);
		sched_yield();
	}
	return NULL;
}

/* A loop of the site deals some chunk that was asked for; all registered calculators can be called. */
static void *use(void *arg)
{
	struct dls_loop *loop;
	uint64_t seen = 0;

	(void)arg;
	dls_loop_open(&loop, 2, site, 0);
	while (atomic_load_explicit(&made, memory_order_relaxed) < ROUNDS) {
		const struct dls_calc *last = NULL, *c;
		int64_t begin, end;

		dls_loop_start(loop, 0, 100000, 1);
		if (!dls_loop_next(loop, 0, &begin, &end) || end - begin > 25000)
			seen = UINT64_MAX;
		dls_loop_end(loop, NULL);
		for (size_t i = 0; (c = dls_calc_at(i)); i++)
			last = c;
		seen |= last->next == next && last->name[0] != 'u';
	}
	dls_loop_close(loop);
	return (void *)(uintptr_t)seen;
}

static void made_while_used(void)
{
	pthread_t maker, user;
	void *wrong;

	site = deal_site("publish");
	pthread_create(&user, NULL, use, NULL);
	pthread_create(&maker, NULL, make, NULL);
	pthread_join(maker, NULL);
	pthread_join(user, &wrong);
	CHECK(wrong == NULL);
}

/* One loop in the source whose text is another each time: one thread brings it, the other comes later. */
static int with_text(unsigned chunk)
{
	char text[32];
	int n = 0;

	snprintf(text, sizeof(text), "gss,%u", chunk);
	DLS_FOR(k, 0, 10, .name = "texts", .schedule = text)
		n++;
	return n;
}

static atomic_uint brought, used;	/* relaxed everywhere */

static void wait_for(atomic_uint *count, unsigned value)
{
	while (atomic_load_explicit(count, memory_order_relaxed) < value)
		sched_yield();
}

static void *follow(void *arg)
{
	int *iterations = arg;

	for (unsigned i = 1; i <= ROUNDS; i++) {
		wait_for(&brought, i);
		*iterations += with_text(i);
		atomic_store_explicit(&used, i, memory_order_relaxed);
	}
	return NULL;
}

static void texts(void)
{
	pthread_t follower;
	int mine = 0, its = 0;

	pthread_create(&follower, NULL, follow, &its);
	for (unsigned i = 1; i <= ROUNDS; i++) {
		mine += with_text(i);
		atomic_store_explicit(&brought, i, memory_order_relaxed);
		wait_for(&used, i);
	}
	pthread_join(follower, NULL);
	CHECK_EQ(mine, 10 * ROUNDS);
	CHECK_EQ(its, 10 * ROUNDS);
}

TEST_MAIN(T(made_while_used) T(texts))
