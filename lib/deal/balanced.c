/* balanced.c - the dispenser of strategies: the workers are a machine, which balances its iterations by messages.
 *
 * Each worker starts with its static share; under a strategy with rounds, with a share in proportion to what it got done the
 * last time.  It gets pieces of CHUNK iterations, by default 1/64 of a mean share, from the front of its range; iterations are
 * sent to others from the back.  See lib/loop_machine/loop_machine.c. */
#include "dls/calc.h"
#include "lib/deal/dispenser.h"
#include "lib/base/message.h"
#include "lib/loop_machine/loop_machine.h"

enum { PIECES = 64 };					/* of a share */
static const uint64_t PIECES_MAX = (uint64_t)1 << 48;	/* of a loop: strategies multiply loads */

const char *dls__not_balanced(struct dls__work_share *d)
{
	const struct dls__spec *spec = d->schedule->spec;
	struct dls_net net;

	if (d->special.clock)
		return "runs loops in real time alone, and in virtual time machines (dls_machine_open())";
	if (!dls__loop_machine_serves(d->machine, spec, d->p) && dls__loop_machine_net(&net, spec, d->p))
		return "has a net= that is not for so many workers";
	return NULL;
}

static bool balanced_serves(const struct dls__work_share *d, const struct dls__request *request)
{
	(void)request;
	return d->schedule->spec && !d->special.why;
}

static uint64_t grain(const struct dls__work_share *d)
{
	uint64_t asked = d->schedule->spec->chunk, least = (d->n - 1) / PIECES_MAX + 1, c;
	static atomic_flag said = ATOMIC_FLAG_INIT;

	c = asked ? asked : d->n / PIECES / d->p;
	if (c < d->block)
		c = d->block;
	c = dls__round(c > d->min ? c : d->min, d->alignment.of, UINT64_MAX);
	if (c >= least)
		return c;
	if (asked && dls__first_to_tell(&said))
		dls__tell_user("%s: %llu iterations a piece in place of %llu in a loop of %llu, which has at most 2^48 pieces",
			       dls__schedule_name(d->schedule), (unsigned long long)least, (unsigned long long)asked,
			       (unsigned long long)d->n);
	return least;
}

static bool balanced_open(struct dls__work_share *d)
{
	return dls__loop_machine_open(&d->machine, d->schedule->spec, d->n, d->p, grain(d), d->site,
				      d->special.learned ? d->special.weight : NULL);
}

static struct dls__chunk take_balanced(struct dls__cursor *c, uint64_t ticket)
{
	struct dls__work_share *d = c->share;
	struct dls__chunk chunk = { 0, 0 };

	if (!dls__cancelled(d))
		chunk = dls__loop_machine_take(d->machine, c->worker,
					       d->special.stopped ? d->special.stopped : &d->cancelled);
	return chunk.n > 0 ? chunk : dls__leave(c, ticket);
}

static void balanced_join(struct dls__cursor *c)
{
	c->head.take = take_balanced;
}

const struct dls__dispenser_ops dls__balanced = {
	.declared = DLS__ANY_CALC, .serves = balanced_serves, .open = balanced_open, .join = balanced_join,
	.bound = true, .unordered = true,
};
