/* diffusion.c - none, rand, sid and rid on whole machines, in virtual time.
 *
 * runs: check, machines, alone */
#include "dls/strategy.h"
#include "machine.h"

static unsigned ran_on[8];

static int note(struct dls_vp *vp, struct dls_task *task, void *context)
{
	ran_on[task->arg[0]] = dls_vp_id(vp);
	return 0;
}

/* Of eight tasks on one of two processors the last are sent away; under order=lifo the first are those.  Fails if the end is not
 * taken, or not of both orders. */
static void gives(void)
{
	static const struct dls_task_type type = { .size = sizeof(type), .name = "task", .run = note };
	static const struct { const char *strategy; unsigned first, last; } row[] = {
		{ "sid,block=all", 0, 1 }, { "sid,order=lifo", 1, 0 },
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct dls_machine *m = MACHINE(.strategy = row[i].strategy, .processors = 2, .costs = "ipsc2", .seed = 1);

		for (unsigned n = 0; n < 8; n++)
			CHECK_EQ(dls_machine_add(m, 0, &(struct dls_task){ .type = &type, .arg = { n }, .cost = 10000000 }), 0);
		machine_run(m);
		dls_machine_close(m);
		CHECK_EQ(ran_on[1], row[i].first);	/* of lifo's 0 .. 7, 7 begins at once */
		CHECK_EQ(ran_on[6], row[i].last);
	}
}

/* One task of 10 s and 20 short ones on one processor of eight: what is said is the same if the long one takes
 * 10^4 s.  Fails if a processor asks again without anything having changed. */
static void quiet(void)
{
	static const char *const strategies[] = { "sid", "rid", "rid,low=inf", "rid,load=cost,low=inf", "sid,load=cost",
						  "rid,update=period" };

	for (size_t i = 0; i < sizeof(strategies) / sizeof(*strategies); i++) {
		uint64_t messages[2];

		for (int k = 0; k < 2; k++) {
			struct dls_machine *m = MACHINE(.strategy = strategies[i], .processors = 8, .costs = "ipsc2", .seed = 1);

			for (int n = 0; n < 20; n++)
				machine_add(m, 0, n ? 10000000 : k ? 10000000000000 : 10000000000);
			messages[k] = machine_run(m).messages;
			dls_machine_close(m);
		}
		CHECK_EQ(messages[1], messages[0]);
		CHECK(messages[0] < 1500);
	}
}

TEST_MAIN(T(gives) T(quiet))
