/* sizes.c - descriptors and results of older and newer programs: their first member is their size.
 *
 * Fails if: a size that is not set is taken; a short descriptor is read past its end, or a short result written there; members
 * that this version does not know are ignored where they are set, or refused where they are 0. */
#include <string.h>

#include "dls.h"
#include "dls/machine.h"
#include "dls/class.h"
#include "dls/repart.h"
#include "tap.h"

enum { MORE = 16 };

static int no_work(struct dls_part *part, size_t object, void *arg)
{
	(void)part, (void)object, (void)arg;
	return 0;
}

static int no_run(struct dls_vp *vp, struct dls_task *task, void *context)
{
	(void)vp, (void)task, (void)context;
	return 0;
}

static void refused(int code, const struct dls_parse_error *error, const char *phrase)
{
	CHECK_EQ(code, DLS_EINVAL);
	if (!CHECK(strstr(error->what, phrase) != NULL))
		tap_note("%s", error->what);
}

static int open_machine(const struct dls_machine_desc *desc, struct dls_parse_error *error)
{
	struct dls_machine *machine;
	int code = dls_machine_open(&machine, desc, error);

	if (!code)
		dls_machine_close(machine);
	return code;
}

static void machine_descriptor(void)
{
	struct {
		struct dls_machine_desc desc;
		unsigned char more[MORE];
	} d = { .desc = { .size = 0, .processors = 2 } };
	struct dls_parse_error error = { .at = 9 };

	refused(open_machine(&d.desc, &error), &error, ".size = sizeof(struct dls_machine_desc)");
	CHECK_EQ(open_machine(&d.desc, NULL), DLS_EINVAL);
	d.desc.size = SIZE_MAX;
	refused(open_machine(&d.desc, &error), &error, ".size =");
	d.desc.tasks = UINT64_MAX;
	d.desc.faults = "nonsense";
	d.desc.size = sizeof(d.desc);
	CHECK(open_machine(&d.desc, NULL) < 0);
	d.desc.size = offsetof(struct dls_machine_desc, faults);	/* no processors either */
	d.desc.net = "ring";
	refused(open_machine(&d.desc, &error), &error, "how many processors");
	d.desc.net = "hypercube:2";
	CHECK_EQ(open_machine(&d.desc, NULL), 0);
	d.desc.faults = NULL;
	d.desc.net = NULL;
	d.desc.size = sizeof(d);
	CHECK_EQ(open_machine(&d.desc, NULL), 0);
	d.more[MORE - 1] = 1;
	refused(open_machine(&d.desc, &error), &error, "struct dls_machine_desc has");
	d.desc.size = sizeof(d) - 1;
	CHECK_EQ(open_machine(&d.desc, NULL), 0);
}

/* Elements of an array are as far apart as the first says. */
static void class_descriptors(void)
{
	struct {
		struct dls_class_desc desc;
		unsigned char more[MORE];
	} c[2];
	struct dls_machine_desc desc = { .size = sizeof(desc), .processors = 2, .classes = &c[0].desc, .class_count = 2 };
	struct dls_parse_error error = { .at = 9 };

	memset(c, 0, sizeof(c));
	for (unsigned i = 0; i < 2; i++)
		c[i].desc = (struct dls_class_desc){ .size = sizeof(c[i]), .run = no_run };
	CHECK_EQ(open_machine(&desc, NULL), 0);
	c[1].desc.size--;
	refused(open_machine(&desc, &error), &error, "different sizes");
	c[1].desc.size = sizeof(c[1]);
	c[1].more[0] = 1;
	refused(open_machine(&desc, &error), &error, "struct dls_class_desc has");
	c[0].desc.size = 0;
	refused(open_machine(&desc, &error), &error, ".size = sizeof(struct dls_class_desc)");
}

static void repart_descriptor(void)
{
	static const int64_t weight[] = { 1, 1 };
	struct dls_repart_desc desc = { .objects = 2, .weight = weight, .work = no_work, .processors = 2, .limit = 1 };
	struct dls_parse_error error = { .at = 9 };
	struct dls_sweep_result sweep = { .size = 0, .moved = 99 };
	struct dls_repart_stats stats = { .size = 0, .group = 99 };
	struct dls_repart *repart;

	refused(dls_repart_open(&repart, &desc, &error), &error, ".size = sizeof(struct dls_repart_desc)");
	desc.size = sizeof(desc);
	CHECK_EQ(dls_repart_open(&repart, &desc, NULL), 0);
	CHECK_EQ(dls_repart_sweep(repart, NULL, &sweep), DLS_EINVAL);
	CHECK_EQ(sweep.moved, 99);
	sweep.size = offsetof(struct dls_sweep_result, moved);
	CHECK_EQ(dls_repart_sweep(repart, NULL, &sweep), 0);
	CHECK(sweep.time > 0);
	CHECK_EQ(sweep.moved, 99);
	CHECK_EQ(dls_repart_processor_stats(repart, 0, &stats), DLS_EINVAL);
	CHECK_EQ(stats.group, 99);
	dls_repart_close(repart);
}

/* What a result's end leaves alone, and what it sets to 0. */
static void machine_results(void)
{
	static const struct dls_task_type type = { .name = "task" };
	struct dls_machine_desc desc = { .size = sizeof(desc), .processors = 1 };
	struct {
		struct dls_run_result run;
		unsigned char more[MORE];
	} r;
	struct dls_processor_stats stats = { .size = 0, .tasks = 99 };
	struct dls_machine *machine;

	CHECK_EQ(dls_machine_open(&machine, &desc, NULL), 0);
	CHECK_EQ(dls_machine_add(machine, 0, &(struct dls_task){ .type = &type, .cost = 7 }), 0);
	CHECK_EQ(dls_machine_run(machine), 0);
	memset(&r, 0xee, sizeof(r));
	r.run.size = 0;
	CHECK_EQ(dls_machine_result(machine, &r.run), DLS_EINVAL);
	r.run.size = sizeof(size_t);
	CHECK_EQ(dls_machine_result(machine, &r.run), DLS_EINVAL);
	r.run.size = offsetof(struct dls_run_result, nonlocal);
	CHECK_EQ(dls_machine_result(machine, &r.run), 0);
	CHECK_EQ(r.run.size, offsetof(struct dls_run_result, nonlocal));
	CHECK_EQ(r.run.tasks, 1);
	CHECK_EQ(r.run.nonlocal, 0xeeeeeeeeeeeeeeee);
	r.run.size = sizeof(r) - 1;
	CHECK_EQ(dls_machine_result(machine, &r.run), 0);
	CHECK_EQ(r.run.nonlocal, 0);
	for (unsigned i = 0; i < MORE; i++)
		CHECK_EQ(r.more[i], i < MORE - 1 ? 0 : 0xee);
	CHECK_EQ(dls_machine_processor_stats(machine, 0, &stats), DLS_EINVAL);
	CHECK_EQ(stats.tasks, 99);
	dls_machine_close(machine);
}

static void site_results(void)
{
	struct dls_stats stats = { .size = 0, .chunks = 99 };
	struct dls_worker_stats worker = { .size = 0 };
	struct dls_site *site;

	CHECK_EQ(dls_site_named(&site, "sizes"), 0);
	CHECK_EQ(dls_site_stats(site, &stats), DLS_EINVAL);
	CHECK_EQ(stats.chunks, 99);
	CHECK_EQ(dls_site_set_measured(site, true), 0);
	DLS_FOR(i, 0, 10, .name = "sizes")
		(void)i;
	CHECK_EQ(dls_site_worker_stats(site, 0, &worker), DLS_EINVAL);
	stats.size = offsetof(struct dls_stats, measured);
	CHECK_EQ(dls_site_stats(site, &stats), 0);
	CHECK_EQ(stats.iterations, 10);
	CHECK_EQ(stats.chunks, 99);
}

TEST_MAIN(T(machine_descriptor) T(class_descriptors) T(repart_descriptor) T(machine_results) T(site_results))
