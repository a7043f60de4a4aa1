/* flights.c - loops whose chunks may run more than once: who leaves sees what each chunk has written, also if a worker hangs in
 * one; a chunk in flight is not overwritten while another worker reads it. */
#include "lib/deal/idempotent.c"
#include "weak.h"

enum { P = 3, CHUNKS = 2 };

static struct dls__work_share share;
static struct dls__flight flight[P];
static uint64_t taken, chunks;
static unsigned hung;		/* workers that are in a chunk for ever when the threads begin, of number 0 .. */
static atomic_uint written[CHUNKS];

static void open_flights(unsigned workers, uint64_t n)
{
	share.p = workers;
	share.special.flight = flight;
	share.special.flights = workers;
	chunks = n;
	idempotent_open(&share, NULL);
}

static void two_of_two(void) { open_flights(2, 2); }

static void one_of_three_hangs(void)
{
	open_flights(3, 1);
	taken = hung = 1;
	flight[0].chunk = (struct dls__chunk){ 0, 1 };
	atomic_store_explicit(&flight[0].state, BUSY, memory_order_relaxed);
}

/* Tickets, each a chunk of one iteration. */
static void join(struct dls__cursor *c, void (*leave)(struct dls__cursor *))
{
	dls__cursor_init(c, chunks, hung + weak_self(), share.p, leave);
	c->share = &share;
	c->head = (struct dls__head){ .counter = &taken, .units = 1, .last = chunks, .size = 1, .take = dls__leave, .n = chunks };
	idempotent_join(c);
}

/* idempotent.H2.  relaxed, here and below: the flights alone are to order it. */
static void all_written(struct dls__cursor *c)
{
	(void)c;
	for (unsigned i = 0; i < chunks; i++)
		HOLDS(atomic_load_explicit(&written[i], memory_order_relaxed) == 1);
}

static void run(void)
{
	struct dls__cursor c;
	struct dls__chunk chunk;

	join(&c, all_written);
	while ((chunk = dls__next(&c.head)).n)
		atomic_store_explicit(&written[chunk.lo], 1, memory_order_relaxed);
}

/* In its first chunk, for ever. */
static void hang(void)
{
	struct dls__cursor c;

	join(&c, NULL);
	dls__next(&c.head);
}

WEAK_MAIN(1,
	{ "idempotent, two workers", two_of_two, { run, run }, NULL, 0, 2 },
	{ "idempotent, one hangs", two_of_two, { hang, run }, NULL, 0, 2 },
	{ "idempotent, one of three hangs", one_of_three_hangs, { run, run }, NULL, 0, 3 })
