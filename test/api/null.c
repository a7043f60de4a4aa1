/* null.c - functions that return an error code, or a pointer, do so for NULL where an object belongs, and for numbers out of range.
 *
 * Fails if: one of them crashes, or does as if nothing were wrong.  Not here: what tasks and strategies call with the
 * processor that they were given; dls_loop_next(), which runs for each chunk; nets, which are values. */
#include <math.h>

#include "dls.h"
#include "dls/class.h"
#include "dls/machine.h"
#include "dls/repart.h"
#include "dls/strategy.h"
#include "tap.h"

static void schedules(void)
{
	struct dls_schedule *schedule;
	struct dls_loop_desc desc = { .size = sizeof(desc) };
	char text[20] = "unchanged";

	CHECK_EQ(dls_schedule_parse(NULL, "gss", NULL), DLS_EINVAL);
	CHECK_EQ(dls_schedule_parse(&schedule, NULL, NULL), DLS_EINVAL);
	CHECK_EQ(dls_schedule_parse(&schedule, "rid,u=0.5", NULL), 0);
	CHECK_EQ(dls_schedule_describe(NULL, 1, 1, 0, &desc), DLS_EINVAL);
	CHECK_EQ(dls_schedule_describe(schedule, 1, 1, 0, NULL), DLS_EINVAL);
	CHECK_EQ(dls_schedule_print(schedule, NULL, sizeof(text)), 9);
	CHECK_EQ(dls_schedule_print(schedule, NULL, 0), 9);
	CHECK_EQ(dls_schedule_print(NULL, text, 0), 0);
	CHECK_TEXT(text, "unchanged");
	CHECK_EQ(dls_schedule_print(NULL, text, sizeof(text)), 0);
	CHECK_TEXT(text, "");
	CHECK(dls_schedule_calc(NULL) == NULL);
	CHECK(dls_schedule_strategy(NULL) == NULL);
	CHECK(dls_calc_find(NULL) == NULL);
	CHECK(dls_strategy_find(NULL) == NULL);
	dls_schedule_free(schedule);
	dls_schedule_free(NULL);
}

static void loops(void)
{
	struct dls_curve curve;
	uint64_t i, j;

	CHECK_EQ(dls_loop_open(NULL, 1, NULL, 0), DLS_EINVAL);
	CHECK_EQ(dls_loop_set_schedule(NULL, "gss"), DLS_EINVAL);
	CHECK_EQ(dls_loop_set_moments(NULL, 1, 1), DLS_EINVAL);
	CHECK_EQ(dls_loop_set_overhead(NULL, 1), DLS_EINVAL);
	CHECK_EQ(dls_loop_start(NULL, 0, 1, 1), DLS_EINVAL);
	CHECK_EQ(dls_loop_start_u64(NULL, 0, 1, 1), DLS_EINVAL);
	CHECK_EQ(dls_loop_set_time(NULL, 1), DLS_EINVAL);
	CHECK_EQ(dls_loop_cancel(NULL), DLS_EINVAL);
	CHECK_EQ(dls_loop_end(NULL, NULL), DLS_EINVAL);
	dls_loop_close(NULL);
	CHECK_EQ(dls_team_open(NULL, 1), DLS_EINVAL);
	CHECK_EQ(dls_team_workers(NULL), 0);
	CHECK_EQ(dls_team_run(NULL, NULL, NULL), DLS_EINVAL);
	dls_team_barrier(NULL);
	dls_team_close(NULL);
	CHECK_EQ(dls_curve_init(NULL, DLS_CURVE_HILBERT, 4, 4), DLS_EINVAL);
	CHECK_EQ(dls_curve_init(&curve, DLS_CURVE_HILBERT, 4, 4), 0);
	CHECK_EQ(dls_curve_at(NULL, 0, &i, &j), DLS_EINVAL);
	CHECK_EQ(dls_curve_at(&curve, 0, NULL, &j), DLS_EINVAL);
	CHECK_EQ(dls_curve_at(&curve, 0, &i, NULL), DLS_EINVAL);
}

/* What is out of its range changes nothing; neither does what belongs before the start. */
static void numbers(void)
{
	struct dls_loop *loop;
	struct dls_site *site;

	CHECK_EQ(dls_loop_open(&loop, 0, NULL, 0), DLS_ERANGE);
	CHECK_EQ(dls_loop_open(&loop, DLS_WORKERS_MAX + 1, NULL, 0), DLS_ERANGE);
	CHECK_EQ(dls_loop_open(&loop, 1, NULL, 0), 0);
	CHECK_EQ(dls_loop_set_moments(loop, 0, 1), DLS_ERANGE);
	CHECK_EQ(dls_loop_set_moments(loop, 1, -1), DLS_ERANGE);
	CHECK_EQ(dls_loop_set_moments(loop, INFINITY, 1), DLS_ERANGE);
	CHECK_EQ(dls_loop_set_moments(loop, 1, NAN), DLS_ERANGE);
	CHECK_EQ(dls_loop_set_overhead(loop, -1), DLS_ERANGE);
	CHECK_EQ(dls_loop_set_overhead(loop, NAN), DLS_ERANGE);
	CHECK_EQ(dls_loop_cancel(loop), DLS_EINVAL);	/* it does not run */
	CHECK_EQ(dls_loop_end(loop, NULL), DLS_EINVAL);
	CHECK_EQ(dls_loop_start(loop, 0, 1, 1), 0);
	CHECK_EQ(dls_loop_set_moments(loop, 1, 1), DLS_EBUSY);
	CHECK_EQ(dls_loop_set_overhead(loop, 1), DLS_EBUSY);
	CHECK_EQ(dls_loop_set_schedule(loop, "gss"), DLS_EBUSY);
	dls_loop_close(loop);
	CHECK_EQ(dls_site_named(&site, "numbers"), 0);
	CHECK_EQ(dls_site_set_moments(site, 0, 1), DLS_ERANGE);
	CHECK_EQ(dls_site_set_moments(site, NAN, 1), DLS_ERANGE);
	CHECK_EQ(dls_site_set_moments(site, 1, -1), DLS_ERANGE);
	CHECK_EQ(dls_site_set_moments(site, 1, INFINITY), DLS_ERANGE);
	CHECK_EQ(dls_site_set_overhead(site, -1), DLS_ERANGE);
	CHECK_EQ(dls_site_set_overhead(site, NAN), DLS_ERANGE);
}

static void sites(void)
{
	struct dls_site *site;
	struct dls_stats stats = { .size = sizeof(stats) };
	struct dls_worker_stats worker = { .size = sizeof(worker) };

	CHECK_EQ(dls_site_named(NULL, "null"), DLS_EINVAL);
	CHECK_EQ(dls_site_named(&site, NULL), DLS_EINVAL);
	CHECK_EQ(dls_site_named(&site, "null"), 0);
	CHECK_EQ(dls_site_set_schedule(NULL, "gss"), DLS_EINVAL);
	CHECK_EQ(dls_site_set_moments(NULL, 1, 1), DLS_EINVAL);
	CHECK_EQ(dls_site_set_overhead(NULL, 1), DLS_EINVAL);
	CHECK(dls_site_print_schedule(site, NULL, 9) > 0);
	CHECK(dls_site_print_schedule(NULL, NULL, 0) > 0);
	CHECK_EQ(dls_site_stats(NULL, &stats), DLS_EINVAL);
	CHECK_EQ(dls_site_stats(site, NULL), DLS_EINVAL);
	CHECK_EQ(dls_site_worker_stats(NULL, 0, &worker), DLS_EINVAL);
	CHECK_EQ(dls_site_worker_stats(site, 0, NULL), DLS_EINVAL);
	CHECK_EQ(dls_site_set_measured(NULL, true), DLS_EINVAL);
	CHECK_EQ(dls_report(NULL), DLS_EINVAL);
}

static void machines(void)
{
	struct dls_machine_desc desc = { .size = sizeof(desc), .processors = 2 };
	struct dls_machine *machine;
	struct dls_processor_stats vp = { .size = sizeof(vp) };
	struct dls_run_result run = { .size = sizeof(run) };

	CHECK_EQ(dls_machine_open(NULL, &desc, NULL), DLS_EINVAL);
	CHECK_EQ(dls_machine_open(&machine, NULL, NULL), DLS_EINVAL);
	CHECK_EQ(dls_machine_open(&machine, &desc, NULL), 0);
	CHECK(dls_machine_net(NULL) == NULL);
	CHECK(dls_machine_strategy(NULL) == NULL);
	CHECK_EQ(dls_machine_add(NULL, 0, NULL), DLS_EINVAL);
	CHECK_EQ(dls_machine_add(machine, 0, NULL), DLS_EINVAL);
	CHECK_EQ(dls_machine_set_span_callback(NULL, NULL, NULL), DLS_EINVAL);
	CHECK_EQ(dls_machine_set_weight(NULL, 0, 1), DLS_EINVAL);
	CHECK_EQ(dls_machine_run(NULL), DLS_EINVAL);
	CHECK_EQ(dls_machine_run(machine), 0);
	CHECK_EQ(dls_machine_result(NULL, &run), DLS_EINVAL);
	CHECK_EQ(dls_machine_result(machine, NULL), DLS_EINVAL);
	CHECK_EQ(dls_machine_processor_stats(NULL, 0, &vp), DLS_EINVAL);
	CHECK_EQ(dls_machine_processor_stats(machine, 0, NULL), DLS_EINVAL);
	dls_machine_close(machine);
	dls_machine_close(NULL);
}

static void classes_and_nets(void)
{
	struct dls_net net;
	int64_t key;
	char text[20] = "unchanged";

	CHECK_EQ(dls_vp_spawn(NULL, NULL), DLS_EINVAL);
	CHECK_EQ(dls_class_add(NULL, 0, 0, NULL), DLS_EINVAL);
	CHECK_EQ(dls_class_spawn(NULL, 0, NULL), DLS_EINVAL);
	CHECK_EQ(dls_class_spawn(NULL, 0, &(struct dls_task){ .key = 1 }), DLS_EINVAL);
	CHECK_EQ(dls_vp_spawn(NULL, &(struct dls_task){ .key = 1 }), DLS_EINVAL);
	CHECK_EQ(dls_class_send(NULL, 0, 0, text, 1), DLS_EINVAL);
	CHECK_EQ(dls_class_phase(NULL, 0, &key), DLS_EINVAL);
	CHECK_EQ(dls_class_run_next(NULL, NULL), DLS_EINVAL);
	CHECK(dls_shipment_next(NULL) == NULL);
	CHECK_EQ(dls_shipment_pack(NULL, NULL), DLS_EINVAL);
	CHECK_EQ(dls_shipment_pack_data(NULL, text, 1), DLS_EINVAL);
	CHECK_EQ(dls_net_parse(NULL, "ring", 4, NULL), DLS_EINVAL);
	CHECK_EQ(dls_net_parse(&net, NULL, 4, NULL), DLS_EINVAL);
	CHECK_EQ(dls_net_parse(&net, "ring", 4, NULL), 0);
	CHECK_EQ(dls_net_print(&net, NULL, 9), 4);
	CHECK_EQ(dls_net_print(NULL, text, sizeof(text)), 0);
	CHECK_TEXT(text, "");
}

static void no_body(void *arg, unsigned member, uint64_t begin, uint64_t end)
{
	(void)arg, (void)member, (void)begin, (void)end;
}

static void sweeps(void)
{
	static const int64_t weight = 1;
	struct dls_repart_stats stats = { .size = sizeof(stats) };
	struct dls_repart *repart;
	struct dls_group group;
	unsigned one = 1;
	size_t count;
	int code;

	CHECK_EQ(dls_group_form(NULL, 1, 1, 1, &group, 1, &count), DLS_EINVAL);
	CHECK_EQ(dls_group_form(&one, 1, 1, 1, NULL, 1, &count), DLS_EINVAL);
	CHECK_EQ(dls_group_form(&one, 1, 1, 1, &group, 1, NULL), DLS_EINVAL);
	CHECK_EQ(dls_group_deal(NULL, 1, &one, 1, &one), DLS_EINVAL);
	CHECK_EQ(dls_group_deal(&weight, 1, NULL, 1, &one), DLS_EINVAL);
	CHECK_EQ(dls_group_deal(&weight, 1, &one, 1, NULL), DLS_EINVAL);
	CHECK_EQ(dls_repart_open(&repart, NULL, NULL), DLS_EINVAL);
	CHECK_EQ(dls_repart_sweep(NULL, NULL, NULL), DLS_EINVAL);
	CHECK_EQ(dls_repart_owner(NULL, 0, &one), DLS_EINVAL);
	CHECK_EQ(dls_repart_code(NULL, 0, &code), DLS_EINVAL);
	CHECK_EQ(dls_repart_groups(NULL), 0);
	CHECK_EQ(dls_repart_group(NULL, 0, &group), DLS_EINVAL);
	CHECK_EQ(dls_repart_processor_stats(NULL, 0, &stats), DLS_EINVAL);
	CHECK_EQ(dls_part_for(NULL, 1, no_body, NULL), DLS_EINVAL);
	CHECK_EQ(dls_part_spend(NULL, 1), DLS_EINVAL);
	CHECK_EQ(dls_part_group(NULL), 0);
	CHECK_EQ(dls_part_members(NULL), 0);
	dls_repart_close(NULL);
}

TEST_MAIN(T(schedules) T(loops) T(numbers) T(sites) T(machines) T(classes_and_nets) T(sweeps))
