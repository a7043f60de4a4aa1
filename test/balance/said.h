/* said.h - one processor of a machine by itself, under an engine that carries nothing: its actions are logged as text. */
#ifndef SAID_H
#define SAID_H

#include "lib/machine/vp.h"
#include "machine.h"

static struct {
	struct dls_machine *machine;
	struct dls_vp *vp;
	uint64_t now;		/* ns */
	uint64_t seed;		/* of the machine */
	char said[4000];
} fake;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
	size_t n = strlen(fake.said);
	va_list args;

	if (n > 0 && n + 2 < sizeof(fake.said))
		n += (size_t)snprintf(fake.said + n, sizeof(fake.said) - n, ", ");
	va_start(args, format);
	vsnprintf(fake.said + n, sizeof(fake.said) - n, format, args);
	va_end(args);
}

static uint64_t fake_now(const struct dls_vp *vp)
{
	(void)vp;
	return fake.now;
}

/* Behind a processor's state there is nothing, up to the next processor. */
static void check_state_end(void)
{
	const struct dls_machine *m = fake.machine;
	const char *begin = (const char *)fake.vp, *end = begin + m->own.stride;
	const char *at = begin + m->own.state_at + dls__state_size(m->spec.strategy, &m->net);
	unsigned written = 0;

	for (; at < end; at++)
		written += *at != 0;
	CHECK_EQ(written, 0);
	if (fake.vp->id + 1 < m->net.processors)
		CHECK(dls__vp_at(m, fake.vp->id + 1)->machine == m);
}

static void close_machine(void)
{
	if (!fake.machine)
		return;
	check_state_end();
	fake.machine->engine = &dls__engine_virtual;
	dls_machine_close(fake.machine);
	fake.machine = NULL;
}

/* Make processor `id` of the open machine the one under test, at time 0 under this engine. */
static void take_processor(const struct dls__engine *engine, unsigned id)
{
	fake.machine->engine = engine;
	fake.vp = dls__vp_at(fake.machine, id);
	fake.now = 0;
	fake.said[0] = 0;
}

static void start_processor(void)
{
	dls__vp_reset(fake.vp);
	dls__vp_start(fake.vp);
}

#endif
