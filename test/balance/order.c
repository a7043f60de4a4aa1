/* order.c - the dimension exchange method under any order of arrival between links: an engine that does next whatever it draws.
 *
 * Of each link the order is kept, some links are slow, and tasks take as long as the draw has it.
 *
 * runs: check, machines, alone */
#include "lib/machine/vp.h"
#include "machine.h"

enum { PENDING = 1 << 14 };

static struct {
	struct dls__msg *pending[PENDING];	/* as sent */
	unsigned n;
	uint64_t seed, draw;
	bool failed;
} order;

static uint64_t order_now(const struct dls_vp *vp)
{
	return 0;
}

static void order_post(struct dls_vp *vp, struct dls__msg *msg)
{
	if (order.n < PENDING)
		order.pending[order.n++] = msg;
	else
		order.failed = true;
}

static void order_timer(struct dls_vp *vp, struct dls__msg *msg, uint64_t delay)
{
	order_post(vp, msg);
}

/* One in how many times that it is drawn a message arrives: on a third of the links seldom; timers, which are long, hardly. */
static unsigned slowness(const struct dls__msg *msg)
{
	uint64_t state = order.seed ^ ((uint64_t)msg->from << 32 | msg->to);

	return msg->service == DLS__TIMER ? 5000 : tap_random(&state) % 3 == 0 ? 300 : 1;
}

/* The first message of a link drawn; of timers, any. */
static void arrive(struct dls_machine *m)
{
	unsigned i = (unsigned)(tap_random(&order.draw) % order.n), first = 0;
	struct dls__msg *msg = order.pending[i];

	if (tap_random(&order.draw) % slowness(msg))
		return;
	if (msg->service == DLS__TIMER)
		first = i;
	while (order.pending[first]->from != msg->from || order.pending[first]->to != msg->to ||
	       (order.pending[first]->service == DLS__TIMER) != (msg->service == DLS__TIMER))
		first++;
	msg = order.pending[first];
	memmove(&order.pending[first], &order.pending[first + 1], (--order.n - first) * sizeof(*order.pending));
	dls__vp_handle(dls__vp_at(m, msg->to), msg);
}

static void step(struct dls_vp *vp)
{
	if (vp->running.task && !vp->standing.held)
		dls__vp_done(vp);
	else if (!vp->running.task && !dls__vp_next(vp) && !vp->queue.first)
		dls__vp_idle(vp);
}

static int order_run(struct dls_machine *m)
{
	unsigned P = m->net.processors, ended;

	order.n = 0;
	for (unsigned p = 0; p < P; p++)
		dls__vp_start(dls__vp_at(m, p));
	for (unsigned steps = 0; steps < 2000000 && !order.failed; steps++) {
		if (order.n && tap_random(&order.draw) % 16)
			arrive(m);
		else
			step(dls__vp_at(m, (unsigned)(tap_random(&order.draw) % P)));
		for (ended = 0; ended < P && dls__vp_at(m, ended)->standing.ended;)
			ended++;
		if (ended == P)
			return 0;
	}
	return DLS_EDEADLK;
}

/* Several ask at once, messages of later dimensions and of the next sweep come early, and trees of different roots lead through
 * each other: no processor is left in a sweep that others have not joined.  Fails if an early load is taken for one of another
 * sweep, or lost, or a sweep is left out. */
static void sweeps(void)
{
	static const char *const nets[] = { "ring", "hypercube", "mesh" };
	uint64_t seed = tap_seed();
	struct dls__engine engine = dls__engine_virtual;

	engine.run = order_run;
	engine.now = order_now;
	engine.post = order_post;
	engine.timer = order_timer;
	for (unsigned i = 0; i < (tap_thorough() ? 1500 : 500); i++) {
		unsigned P = 1 + i / 3 % 13, most = 1 + (unsigned)(tap_random(&seed) % 8);
		struct dls_machine *m = MACHINE(.strategy = "dem", .net = nets[i % 3], .processors = P);
		int code;

		order.seed = order.draw = tap_random(&seed);
		for (unsigned p = 0; p < P; p++)
			for (uint64_t n = tap_random(&seed) % most; n > 0; n--)
				machine_add(m, p, 0);
		m->engine = &engine;
		code = dls_machine_run(m);
		if (CHECK_EQ(code, 0))
			tap_note("%s, P = %u, seed %#llx", nets[i % 3], P, (unsigned long long)order.seed);
		dls_machine_close(m);
		if (code)
			break;
	}
}

TEST_MAIN(T(sweeps))
