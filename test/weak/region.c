/* region.c - which work share a region's next loop uses: the segments, records and work shares that go from region
 * to region, loops that are all of their region, and those of plain ones. */
#include "dls.h"
#include "lib/deal/deal.h"
#include "lib/site/site.h"

static struct dls__kept_site the_site = { .below = DLS__VERSIONED(&the_site.below, 0) };

/* The work share itself: what its opener writes and the others read. */
static bool open_share(struct dls__work_share *share, const struct dls__request *asked)
{
	share->where = asked->site;
	share->n = asked->n;
	share->min = 7;
	share->site = &the_site;
	return true;
}
#define dls__work_share_open(share, request, site, workers)                                                  \
	((void)(site), (void)(workers), open_share(share, request))
#include "lib/base/apart.h"
#include "weak.h"
static bool scarce;			/* memory may run out */
#define dls__alloc_apart(size) (scarce && weak_choose(2) ? NULL : dls__alloc_apart(size))
#include "lib/region/enter.c"
#undef dls__alloc_apart
static void enter_loop(struct dls__cursor *cursor, struct dls__loop_entry e, struct dls__chunk *first);
#define dls__loop_enter enter_loop
#include "lib/region/region.c"
#undef dls__loop_enter
#include "lib/region/combined.c"
#include "weak.h"

static struct dls_site place;
static const struct dls__request request = { .site = &place, .n = 5 };

static void make_site(void)
{
	place.site = &the_site;
}

/* A record goes from region to region. */
static void use_record(void)
{
	struct dls__team_record *team = dls__team_record_get();

	team->loop++;
	dls__team_record_put(team);
}

/* enter.G1: one thread opens the loop, the others wait; likewise combined.L2, a loop opened for another
 * number of threads. */
static struct dls__team_record *team;
static unsigned members;

static void make_record(void)
{
	make_site();
	team = make_team();
	members = 2;
}

static void make_record_for_three(void)
{
	make_record();
	members = 3;
}

static void open_loop(void)
{
	HOLDS(dls__open_or_wait(&team->segment->share[0], 0, &request, &the_site, 3));
	HOLDS(team->segment->share[0].min == 7);
}

/* enter.G2: loop 2 stands in the segment of loop 0 again; in those before it a look stands for what a loop does. */
static void run_loops(unsigned loops)
{
	struct dls__team_state state = { .team = team, .segment = team->segment, .worker = weak_self(),
				 .workers = members };

	for (unsigned k = 0; k < loops; k++) {
		if (k > 0)
			dls__team_state_move(&state);
		if (k < 2)
			HOLDS(state.segment->share[0].min == 0);
	}
	if (loops > 2)
		HOLDS(dls__open_or_wait(&state.segment->share[0], 2, &request, &the_site, members));
}

static void two_loops(void) { run_loops(2); }
static void three_loops(void) { run_loops(3); }

/* Without memory for the next segment all come to the last segment. */
static bool ended[2];

static void make_last_segment(void)
{
	make_record();
	scarce = true;
}

static void move_once(void)
{
	struct dls__team_state state = { .team = team, .segment = team->segment, .worker = weak_self(), .workers = 2 };

	dls__team_state_move(&state);
	ended[weak_self()] = state.ended;
}

static void both_or_none(void) { HOLDS(ended[0] == ended[1]); }

/* enter.G3, enter.G1: a region of two threads after one of three on the same record, which starts over in the segment
 * where that one stopped; before that one closed its worker 0 had opened a region on another record. */
static struct dls__parallel second;

/* Loop n of a region, n iterations, in the first work share of its segment. */
static void come_to(struct dls__team_state *state, unsigned n)
{
	const struct dls__request ask_n = { .site = &place, .n = n };
	uint64_t loop;
	struct dls__work_share *share = dls__team_state_next(state, &loop);

	HOLDS(dls__open_or_wait(share, loop, &ask_n, &the_site, state->workers));
	HOLDS(share->n == n && share->min == 7);
	state->index = DLS__SEGMENT;
}

static void visit_region(struct dls__parallel *parallel, unsigned worker, unsigned workers, unsigned from, unsigned to)
{
	struct dls__saved_state saved;

	dls__parallel_enter(&saved, parallel, 0, worker, workers);
	for (unsigned n = from; n <= to; n++)
		come_to(&dls__this_thread()->state, n);
	dls__parallel_leave(&saved);
}

static void end_first(void)
{
	struct dls__parallel first, other;

	make_site();
	first = dls__parallel_open();
	for (unsigned worker = 0; worker < 3; worker++)
		visit_region(&first, worker, 3, 1, 1);
	other = dls__parallel_open();
	visit_region(&other, 0, 1, 1, 1);
	dls__parallel_close(&first);
	second = dls__parallel_open();
	HOLDS(second.team == first.team && second.segment == first.segment &&
	      second.segment != other.segment);
}

static void come_to_second(void)
{
	visit_region(&second, weak_self(), 2, 2, 3);
}

/* enter.G2: the segment that both have moved past is put aside, unless one is there that both have made. */
static void one_aside(void)
{
	const struct dls__segment *put = second.team->spare;

	HOLDS(put && put != second.team->segment && second.team->segment != second.segment);
	HOLDS(put->passed == 0 && !put->next);
}

/* blocks.B1, blocks.B3: while the site is given another schedule, the threads of a region come to the same deals,
 * or to none. */
static struct dls__parallel region;
static const struct dls__work_share *came_to[2][2];

static void open_region(void)
{
	make_site();
	the_site.below.first.value = DLS__BLOCKS_ALWAYS;
	region = dls__parallel_open();
}

static void enter_loop(struct dls__cursor *cursor, struct dls__loop_entry e, struct dls__chunk *first)
{
	(void)first;
	cursor->exit.site = NULL;
	came_to[e.worker][e.request->n - 1] = e.share;
	if (!e.blocks)
		HOLDS(dls__open_or_wait(e.share, e.loop, e.request, e.site, e.workers));
}

static void come_to_two_loops(void)
{
	struct dls__saved_state saved;
	unsigned workers;

	dls__parallel_enter(&saved, &region, 0, weak_self(), 2);
	for (unsigned n = 1; n <= 2; n++) {
		const struct dls__request ask_n = { .site = &place, .n = n };
		struct dls__cursor cursor;

		dls__for_in_region(&cursor, &ask_n, 0, &workers, NULL);
		dls__leave_body(&cursor);
	}
}

static void change_schedule(void)
{
	dls__versioned_set(&the_site.below, 0, 0);
	dls__versioned_set(&the_site.below, DLS__BLOCKS_ALWAYS, 0);
}

static void same_deals(void)
{
	for (int i = 0; i < 2; i++)
		HOLDS(came_to[0][i] == came_to[1][i]);
}

/* Both make the next segment, one puts its own aside, and the other frees its own. */
static void displace(void)
{
	struct dls__segment *segment = get_segment(team);

	segment->share[0].min = weak_self();
	put_aside(team, segment);
}

/* deal.D1: a work share goes from region to region. */
static void use_deal(void)
{
	struct dls__work_share *share = dls__work_share_take(&the_site);

	share->min++;
	dls__work_share_put(&the_site, share);
}

/* ... the site's own, which has been put back before. */
static void lend_deal(void)
{
	atomic_store(&the_site.share[0], DLS__WORK_SHARE_LENT);
}

/* combined.L4, combined.L5. */
static struct dls__shared shared;

static void leave_from(struct dls__work_share *share)
{
	struct dls__cursor c = { .share = share, .workers = 2, .exit.thread = (void *)&dls__here };

	HOLDS(share && share->min == 7);
	leave_plain(&c);
}

static void run_shared(void)
{
	open_shared(&shared, &request, &the_site, 2);
	leave_from(shared.share);
}

/* The last one has given it back: it can be had, and is nobody else's. */
static void have_it(void)
{
	struct dls__work_share *share = dls__work_share_take(&the_site);

	share->min = 8;
}

static void run_shared_twice(void)
{
	run_shared();
	have_it();
}

/* A work share that one of the threads has opened for both. */
static struct dls__work_share *opened;

static void open_for_both(void)
{
	make_site();
	opened = dls__plain_open(&request, 2);
}

static void join_opened(void) { leave_from(opened); }

static void join_opened_twice(void)
{
	leave_from(opened);
	have_it();
}

WEAK_MAIN(1,
	{ "record", NULL, { use_record, use_record }, NULL, 0, 2 },
	{ "open", make_record, { open_loop, open_loop, open_loop }, NULL, 0, 2 },
	{ "team, two loops", make_record, { two_loops, two_loops }, NULL, 0, 2 },
	{ "team, three loops", make_record, { three_loops, three_loops }, NULL, 0, 2 },
	{ "schedule changed in a region", open_region, { come_to_two_loops, come_to_two_loops, change_schedule },
	  same_deals, 0, 2 },
	{ "team, three workers", make_record_for_three, { two_loops, two_loops, two_loops }, NULL, 0,
	  2 | WEAK_INTERLEAVED },
	{ "team, no memory", make_last_segment, { move_once, move_once }, both_or_none, 0, 2 },
	{ "two regions", end_first, { come_to_second, come_to_second }, one_aside, 0, 2 },
	{ "spare segment", make_record, { displace, displace }, NULL, 0, 2 },
	{ "spare deals", NULL, { use_deal, use_deal }, NULL, 0, 2 },
	{ "a site's own work share", lend_deal, { use_deal, use_deal }, NULL, 0, 2 },
	{ "plain region, shared memory", make_site, { run_shared, run_shared_twice }, NULL, 0, 2 },
	{ "plain region, opened by one", open_for_both, { join_opened, join_opened_twice }, NULL, 0, 2 })
