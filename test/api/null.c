/* null.c - functions that return an error code, or a pointer, do so for NULL where an object belongs, and for numbers out of range.
 *
 * Fails if: one of them crashes, or does as if nothing were wrong.  Not here: what tasks and strategies call with the
 * processor that they were given; dls_loop_next(), which runs for each chunk; nets, which are values.
 *
 * runs: check, machines */
#include <math.h>

#include "deal.h"
#include "dls/class.h"
#include "dls/machine.h"
#include "dls/repart.h"
#include "dls/strategy.h"
#include "machine.h"
#include "parse.h"

static void schedules(void)
{
	struct dls_schedule *schedule = parse("rid,u=0.5");
	struct dls_loop_desc desc = { .size = sizeof(desc) };
	char text[20] = "unchanged";

	CHECK_EACH(DLS_EINVAL, dls_schedule_parse(NULL, "gss", NULL), dls_schedule_parse(&(struct dls_schedule *){ NULL }, NULL, NULL),
		   dls_schedule_describe(NULL, 1, 1, 0, &desc), dls_schedule_describe(schedule, 1, 1, 0, NULL));
	CHECK_EQ(dls_schedule_print(schedule, NULL, sizeof(text)), 9);
	CHECK_EQ(dls_schedule_print(schedule, NULL, 0), 9);
	CHECK_EQ(dls_schedule_print(NULL, text, 0), 0);
	CHECK_TEXT(text, "unchanged");
	CHECK_EQ(dls_schedule_print(NULL, text, sizeof(text)), 0);
	CHECK_TEXT(text, "");
	CHECK(!dls_schedule_calc(NULL) && !dls_schedule_strategy(NULL) && !dls_calc_find(NULL) && !dls_strategy_find(NULL));
	dls_schedule_free(schedule);
	dls_schedule_free(NULL);
}

static void loops(void)
{
	CHECK_EACH(DLS_EINVAL, dls_loop_open(NULL, 1, NULL, 0), dls_loop_set_schedule(NULL, "gss"), dls_loop_set_moments(NULL, 1, 1),
		   dls_loop_set_overhead(NULL, 1), dls_loop_start(NULL, 0, 1, 1), dls_loop_start_u64(NULL, 0, 1, 1),
		   dls_loop_set_time(NULL, 1), dls_loop_cancel(NULL), dls_loop_end(NULL, NULL),
		   dls_team_open(NULL, 1), dls_team_run(NULL, NULL, NULL), dls__team_deal(NULL, NULL, NULL), dls__team_share(NULL, NULL, NULL),
		   dls_curve_init(NULL, DLS_CURVE_HILBERT, 4, 4));
	CHECK_EQ(dls_team_workers(NULL), 0);
	dls_loop_close(NULL);
	dls_team_barrier(NULL);
	dls_team_close(NULL);
}

/* What is out of its range changes nothing; neither does what belongs before the start. */
static void numbers(void)
{
	struct dls_site *site = deal_site("numbers");
	struct dls_loop *loop;

	CHECK_EACH(DLS_ERANGE, dls_loop_open(&loop, 0, NULL, 0), dls_loop_open(&loop, DLS_WORKERS_MAX + 1, NULL, 0));
	CHECK_EQ(dls_loop_open(&loop, 1, NULL, 0), 0);
	CHECK_EACH(DLS_ERANGE, dls_loop_set_moments(loop, 0, 1), dls_loop_set_moments(loop, 1, -1), dls_loop_set_moments(loop, INFINITY, 1),
		   dls_loop_set_moments(loop, NAN, 1), dls_loop_set_moments(loop, 1, NAN), dls_loop_set_overhead(loop, INFINITY), dls_loop_set_overhead(loop, -1), dls_loop_set_overhead(loop, NAN));
	CHECK_EACH(DLS_EINVAL, dls_loop_cancel(loop), dls_loop_end(loop, NULL));	/* it does not run */
	CHECK_EQ(dls_loop_start(loop, 0, 1, 1), 0);
	CHECK_EACH(DLS_EBUSY, dls_loop_set_moments(loop, 1, 1), dls_loop_set_overhead(loop, 1), dls_loop_set_schedule(loop, "gss"));
	dls_loop_close(loop);
	CHECK_EACH(DLS_ERANGE, dls_site_set_moments(site, 0, 1), dls_site_set_moments(site, NAN, 1), dls_site_set_moments(site, 1, -1),
		   dls_site_set_moments(site, 1, INFINITY), dls_site_set_overhead(site, -1), dls_site_set_overhead(site, NAN));
}

static void sites(void)
{
	struct dls_site *site = deal_site("null");
	struct dls_stats stats = { .size = sizeof(stats) };
	struct dls_worker_stats worker = { .size = sizeof(worker) };

	CHECK_EACH(DLS_EINVAL, dls_site_named(NULL, "null"), dls_site_named(&(struct dls_site *){ NULL }, NULL),
		   dls_site_set_schedule(NULL, "gss"), dls_site_set_moments(NULL, 1, 1), dls_site_set_overhead(NULL, 1),
		   dls_site_stats(NULL, &stats), dls_site_stats(site, NULL), dls_site_worker_stats(NULL, 0, &worker),
		   dls_site_worker_stats(site, 0, NULL), dls_site_set_measured(NULL, true), dls_report(NULL));
	CHECK(dls_site_print_schedule(site, NULL, 9) > 0);
	CHECK(dls_site_print_schedule(NULL, NULL, 0) > 0);
}

static void machines(void)
{
	struct dls_machine *machine = MACHINE(.processors = 2);
	struct dls_processor_stats vp = { .size = sizeof(vp) };
	struct dls_run_result run = { .size = sizeof(run) };

	CHECK_EQ(dls_machine_run(machine), 0);
	CHECK_EACH(DLS_EINVAL, dls_machine_result(NULL, &run), dls_machine_result(machine, NULL), dls_machine_processor_stats(NULL, 0, &vp),
		   dls_machine_processor_stats(machine, 0, NULL), dls_machine_set_weight(NULL, 0, 1));
	CHECK(!dls_machine_net(NULL) && !dls_machine_strategy(NULL));
	dls_machine_close(machine);
	dls_machine_close(NULL);
}

static void classes_and_nets(void)
{
	struct dls_task task = { .key = 1 };
	struct dls_net net;
	int64_t key;
	char text[20] = "unchanged";

	CHECK_EQ(dls_net_parse(&net, "ring", 4, NULL), 0);
	CHECK_EACH(DLS_EINVAL, dls_vp_spawn(NULL, NULL), dls_vp_spawn(NULL, &task), dls_class_add(NULL, 0, 0, NULL),
		   dls_class_spawn(NULL, 0, NULL), dls_class_spawn(NULL, 0, &task), dls_class_send(NULL, 0, 0, text, 1),
		   dls_class_phase(NULL, 0, &key), dls_class_run_next(NULL, NULL), dls_shipment_pack(NULL, NULL),
		   dls_shipment_pack_data(NULL, text, 1), dls_net_parse(NULL, "ring", 4, NULL), dls_net_parse(&net, NULL, 4, NULL));
	CHECK(dls_shipment_next(NULL) == NULL);
	CHECK_EQ(dls_net_print(&net, NULL, 9), 4);
	CHECK_EQ(dls_net_print(NULL, text, sizeof(text)), 0);
	CHECK_TEXT(text, "");
}

static void no_body(void *arg, unsigned member, uint64_t begin, uint64_t end)
{
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

	CHECK_EACH(DLS_EINVAL, dls_group_form(NULL, 1, 1, 1, &group, 1, &count), dls_group_form(&one, 1, 1, 1, NULL, 1, &count),
		   dls_group_form(&one, 1, 1, 1, &group, 1, NULL), dls_group_deal(NULL, 1, &one, 1, &one),
		   dls_group_deal(&weight, 1, NULL, 1, &one), dls_group_deal(&weight, 1, &one, 1, NULL),
		   dls_repart_open(&repart, NULL, NULL), dls_repart_sweep(NULL, NULL, NULL), dls_repart_owner(NULL, 0, &one),
		   dls_repart_rank(NULL, 0, &one),
		   dls_repart_code(NULL, 0, &code), dls_repart_group(NULL, 0, &group), dls_repart_processor_stats(NULL, 0, &stats),
		   dls_part_for(NULL, 1, no_body, NULL), dls_part_spend(NULL, 1));
	CHECK_EACH(0, (int)dls_repart_groups(NULL), (int)dls_part_group(NULL), (int)dls_part_members(NULL));
	dls_repart_close(NULL);
}

TEST_MAIN(T(schedules) T(loops) T(numbers) T(sites) T(machines) T(classes_and_nets) T(sweeps))
