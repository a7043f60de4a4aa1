/* kit.c - the table of functions for an engine in another library (kit.h). */
#include "lib/machine/kit.h"
#include "lib/machine/ready.h"

static void attend(struct dls__stepper *s)
{
	dls__step_handle(s);
	if (dls__vp_dry(&s->vp) && !s->vp.standing.ended)
		dls__vp_idle(&s->vp);
}

static void spend_on(struct dls__stepper *s, enum dls__activity activity)
{
	dls__spend_on(s, activity);
}

static uint64_t now(void)
{
	dls__clock_start();
	return dls__clock_now();
}

const struct dls__engine_kit *dls__engine_kit(unsigned version)
{
	static const struct dls__engine_kit kit = {
		.enlist = dls__engine_enlist, .result = dls__result_own,
		.open = dls__stepper_open, .close = dls__stepper_close, .begin = dls__stepper_begin, .end = dls__stepper_end,
		.handle = dls__step_handle, .step = dls__step, .attend = attend, .spend_on = spend_on,
		.now = dls__stepper_now, .post = dls__stepper_post, .timer = dls__stepper_timer, .stats = dls__stepper_stats,
		.clock = now,
		.start = dls__vp_start, .run = dls__vp_run, .done = dls__vp_done, .work = dls__vp_work,
		.msg_new = dls__msg_new, .msg_free = dls__msg_free, .task_new = dls__task_new, .task_free = dls__task_free,
		.data_new = dls__data_new, .data_free = dls__data_free, .push = dls__tasks_push,
	};

	return version == DLS__KIT ? &kit : NULL;
}
