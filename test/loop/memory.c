/* memory.c - loops that are refused memory: the API returns an error, and macro loops run all the same, each iteration
 * once; and the memory that a site takes which has run once: a program may have thousands of them.
 *
 * Each request in turn is refused, once and from there on, under every dispenser and every strategy, in loops of their own
 * whose machines are made anew, and in the next execution of those.
 *
 * Fails if: threads of a team disagree about whether there was memory or about what chunks are multiples of,
 * a work share is used that was not opened, a strategy goes on without memory or ends the program, iterations
 * that it had laid open or sent away are lost or run twice; or a tuner or a work share is made for a site
 * before it runs again, or sums, rates or copies of the file's name for each.
 *
 * runs: check */
#include "child.h"
#include "deal.h"
#include "lib/deal/dispenser.h"
#include "lib/region/enter.h"
#include "lib/site/blocks.h"
#include "once.h"
#include "refuse.h"

enum { N = 500, P = 3 };

static const char *const schedules[] = {
	"auto", "ss", "steal", "frac", "static", "wf", "awf", "awf-b", "af", "static,weights=site",
	STRATEGIES("none", "rand,1", "sid,1", "sid,1,update=period", "rid,1", "rid,net=complete,block=all", "rid,2,net=ring", "gm,1",
	"hbm,1", "dem,1", "rips,1", "rips,1,walk=mtwa", "rid,1,order=lifo", "dem,1,load=cost", "factor,1,least=1", "phase,1,threshold=0",
	"priority,1,ahead=3", "repart", "repart,1,calc=gss,ahead=0", "repart,1,calc=af", "repart,1,queue=central",
	"repart,2,queue=replicated,ahead=3", "repart,1,mode=reactive", "repart,1,scheduler=dedicated,calc=static",
	"repart,1,room=1,return=yes,calc=ss", "repart,1,queue=central,scheduler=dedicated", "repart,3,order=lifo",)
};
enum { SCHEDULES = sizeof(schedules) / sizeof(*schedules) };

static atomic_uchar hits[N];

/* The program aborts or crashes: say where. */
static void crash(int number)
{
	if (write(1, "\n# ", 3) > 0 && write(1, refuse_doing, strlen(refuse_doing)) > 0)
		signal(number, SIG_DFL);
	raise(number);
}

static void each_schedule(const char *what, void (*run)(const char *schedule))
{
	signal(SIGABRT, crash);
	signal(SIGSEGV, crash);
	for (unsigned s = 0; s < SCHEDULES; s++)
		REFUSE_EACH(turn, refuse_most(4) / (TAP_THREAD_SANITIZER ? 2 : 1), 2, "%s, %s", what, schedules[s])
			run(schedules[s]);
}

/* One thread asks for all workers, mostly for the first. */
static void take_in_turn(struct once_job *job, uint64_t seed)
{
	bool left[P] = { false };
	int64_t begin, end;

	for (unsigned n = 0; n < P;) {
		unsigned w = tap_random(&seed) % 4 ? 0 : (unsigned)tap_random(&seed) % P;

		if (dls_loop_next(job->loop, w, &begin, &end)) {
			for (int64_t i = begin; i < end; i++)
				once_mark(hits, job->range, (long)i);
		} else {
			n += !left[w];
			left[w] = true;
		}
	}
}

static struct dls_team *team;
static struct dls_site *measured;

static int execute(struct once_job *job, unsigned turn, const char *schedule, bool threads)
{
	int code = dls_loop_start(job->loop, 0, N, 1);
	uint64_t ran;

	if (code)
		return code;
	if (threads)
		CHECK_EQ(dls_team_run(team, once_work, job), 0);
	else
		take_in_turn(job, turn);
	CHECK_EQ(dls_loop_end(job->loop, &ran), 0);
	CHECK_EQ(ran, N);
	once_check(hits, N, 1, schedule, P);
	return 0;
}

/* Open and run three times: an error where there is no memory for an answer, or each iteration once.  On the team the loop
 * is measured. */
static void by_call(const char *schedule, bool threads)
{
	struct once_job job = { .range = { 0, N, 1 }, .hits = hits };
	int code = dls_loop_open(&job.loop, P, threads ? measured : NULL, 0);

	if (!code)
		code = dls_loop_set_schedule(job.loop, schedule);
	for (unsigned turn = 0; !code && turn < 3; turn++)
		code = execute(&job, turn, schedule, threads);
	CHECK_EQ(code, refuse_end() && code ? DLS_ENOMEM : 0);
	if (code && job.loop) {
		CHECK_EQ(dls_loop_set_schedule(job.loop, schedule), 0);
		CHECK_EQ(execute(&job, 3, schedule, false), 0);
	}
	dls_loop_close(job.loop);
}

static void in_turn(const char *schedule) { by_call(schedule, false); }
static void on_team(const char *schedule) { by_call(schedule, true); }

/* The environment is read once.  Where the text of a loop is refused memory, which the library says, static blocks run: those are
 * no multiples by themselves. */
static void environment(void)
{
	setenv("DLS_SCHEDULE", "static", 1);
	dls_site_print_schedule(NULL, NULL, 0);
#ifdef _OPENMP
	omp_set_num_threads(P);
#endif
}

static void calls(void)
{
	each_schedule("by call, in turn", in_turn);
	CHECK_EQ(dls_site_named(&measured, "measured"), 0);
	CHECK_EQ(dls_site_set_measured(measured, true), 0);
	CHECK_EQ(dls_team_open(&team, P), 0);
	each_schedule("by call, on a team", on_team);
	dls_team_close(team);
}

/* Chunks are multiples of 16: by the loop's option or by its schedule. */
enum { MULTIPLE = 16, TIMES = 20 };
static atomic_uint beside;

static void mark(int lo, int hi)
{
	if (lo % MULTIPLE || (hi % MULTIPLE && hi != N))
		atomic_fetch_add(&beside, 1);
	for (int i = lo; i < hi; i++)
		atomic_fetch_add(&hits[i], 1);
}

static const char *multiples_of(const char *schedule)
{
	static char text[200];

	snprintf(text, sizeof(text), "%s,multiple=%d", schedule, MULTIPLE);
	return text;
}

static void marked(unsigned times, const char *schedule)
{
	once_check(hits, N, times, schedule, P);
	CHECK_EQ(atomic_exchange(&beside, 0), 0);
}

/* A loop, or TIMES of them, whose body marks its chunk. */
#define LOOP(name, times, ...) \
	static void name(const char *schedule) \
	{ \
		__attribute__((unused)) const char *text = multiples_of(schedule); \
\
		__VA_ARGS__ \
			mark(lo, hi); \
		marked(times, schedule); \
	}

LOOP(in_region, TIMES, DLS_PARALLEL(num_threads(P)) for (int k = 0; k < TIMES; k++)
		DLS_FOR_CHUNK(lo, hi, 0, N, .nowait = true, .schedule = schedule, .multiple = MULTIPLE))
LOOP(alone, 1, DLS_PARALLEL_FOR_CHUNK(lo, hi, 0, N, .schedule = text))
LOOP(alone_said, 1, DLS_PARALLEL_FOR_CHUNK_WITH((num_threads(P)), lo, hi, 0, N, .schedule = schedule, .multiple = MULTIPLE))

static void macros(void)
{
	each_schedule("DLS_PARALLEL", in_region);
	/* So that its site is there: a place that was refused one has none from then on. */
	alone("fac2");
	each_schedule("DLS_PARALLEL_FOR", alone);
	each_schedule("DLS_PARALLEL_FOR with .multiple", alone_said);
}

#ifdef _OPENMP

/* Whether a site has each of its deals once: two regions may have two of them at the same time. */
static bool has_deals_once(const char *name)
{
	struct dls_site *place;

	if (dls_site_named(&place, name))
		return false;
	for (int i = 0; i < DLS__SITE_WORK_SHARES; i++)
		for (int j = 0; j < i; j++) {
			const void *share = atomic_load(&place->site->share[i]);

			if (share > DLS__WORK_SHARE_LENT && share == atomic_load(&place->site->share[j]))
				return false;
		}
	return true;
}

LOOP(in_plain_region, 1, _Pragma("omp parallel num_threads(P)") DLS_FOR_CHUNK(lo, hi, 0, N, .schedule = text, .name = "plain"))

static void plain(const char *schedule)
{
	in_plain_region(schedule);
	CHECK(has_deals_once("plain"));
}

static void plain_regions(void)
{
	plain("fac2");
	each_schedule("plain region", plain);
}

#endif

/* Each loop has a site of its own, whose record is refused too. */
#define REFUSED_FROM(k, ...) \
	refuse_from(k, true); \
	__VA_ARGS__; \
	CHECK(refuse_end() > 0)

static void new_sites(void)
{
	REFUSED_FROM(0, DLS_PARALLEL(num_threads(P)) DLS_FOR(i, 0, N, .schedule = "gss,3") atomic_fetch_add(&hits[i], 1));
	REFUSED_FROM(1, DLS_PARALLEL(num_threads(P)) DLS_FOR(i, 0, N, .schedule = "gss,4") atomic_fetch_add(&hits[i], 1));
	REFUSED_FROM(0, DLS_PARALLEL_FOR_CHUNK(lo, hi, 0, N, .schedule = "gss,multiple=16") mark(lo, hi));
	CHECK_EQ(atomic_exchange(&beside, 0), 0);
	once_check(hits, N, 3, "new site", P);
}

static void nothing(void *arg, unsigned worker)
{
	(void)arg, (void)worker;
}

/* In a forked child a team's threads are started again: 0 if they are as soon as the system permits. */
__attribute__((unused)) static int start_again(const void *arg)
{
	(void)arg;
	refuse_from(0, false);
	if (dls_team_run(team, nothing, NULL) != DLS_EAGAIN)
		return 1;
	return dls_team_run(team, nothing, NULL) ? 2 : 0;
}

static void teams(void)
{
	REFUSE_EACH(turn, REFUSE_MOST, 1, "a team is opened") {
		long kept = refuse_kept();
		int code;

		team = NULL;
		code = dls_team_open(&team, P);
		CHECK_EQ(code, refuse_end() == 0 ? 0 : turn.k == 0 ? DLS_ENOMEM : DLS_EAGAIN);
#if !TAP_THREAD_SANITIZER && !TAP_ADDRESS_SANITIZER && !TAP_EMULATED	/* no threads in a child of several, or a lock held */
		if (team)
			CHECK_EQ(child_status(start_again, NULL), 0);
#endif
		dls_team_close(team);
		CHECK_EQ(refuse_kept(), kept);
	}
}

static void loop_under(const char *schedule)
{
	DLS_FOR(i, 0, N, .name = "kept", .schedule = schedule)
		atomic_fetch_add(&hits[i], 1);
	once_check(hits, N, 1, schedule, 1);
}

static bool moody_refuses;

static int init_moodily(void *state, const struct dls_loop_desc *loop)
{
	bool refuses = moody_refuses;

	(void)state, (void)loop;
	moody_refuses = false;
	return refuses ? DLS_EINVAL : 0;
}

enum { PLACES = 16 };		/* of idle records */

/* Fails if: fewer or more are kept than have places, or a place is not used. */
static void records(void)
{
	struct dls__team_record *record[PLACES + 1];
	long kept;

	for (int i = 0; i <= PLACES; i++)
		if (!CHECK((record[i] = dls__team_record_get()) != NULL))
			return;
	kept = refuse_kept();
	for (int i = 0; i < PLACES; i++)
		dls__team_record_put(record[i]);
	CHECK_EQ(refuse_kept(), kept);
	CHECK(dls__team_record_get() == record[0]);
	dls__team_record_put(record[0]);
	dls__team_record_put(record[PLACES]);
	CHECK(refuse_kept() < kept);
}

/* Fails if: a work share, a record or a schedule is freed without all that belongs to it. */
static void freed(void)
{
	static const struct dls_calc moody = { .size = sizeof(struct dls_calc), .name = "moody", .init = init_moodily, .next = deal_ones };
	struct dls_site *site = deal_site("kept");
	struct dls__team_record *record;
	long kept;

	for (int i = 0; i < PLACES; i++)	/* then there are only new ones */
		dls__team_record_free(dls__team_record_get());
	kept = refuse_kept();
	record = dls__team_record_get();
	if (!CHECK(record != NULL))
		return;
	for (int i = 0; i < DLS__SEGMENT; i++) {
		struct dls__work_share *share = &record->segment->share[i];

		share->deque = malloc(1);
		share->special.flight = malloc(1);
		share->special.weight = malloc(1);
		share->timing.worker = malloc(sizeof(*share->timing.worker));
		share->timing.bucket = malloc(sizeof(*share->timing.bucket));
	}
	dls__team_record_free(record);
	CHECK_EQ(refuse_kept(), kept);

	/* The work share of a measured loop that is alone goes back to the site, with what its workers have
	 * needed by then. */
	CHECK_EQ(dls_site_set_measured(site, true), 0);
	for (int i = 0; i < 3; i++)
		loop_under("ss,3");
	kept = refuse_kept();
	loop_under("ss,3");
	CHECK_EQ(refuse_kept(), kept);
	CHECK_EQ(dls_site_set_measured(site, false), 0);

	/* A text that was refused, but is not when the message about it is to be written: the text alone is kept. */
	CHECK_EQ(dls_calc_register(&moody), 0);
	kept = refuse_kept();
	moody_refuses = true;
	loop_under("moody,3");
	CHECK(!moody_refuses);
	CHECK_EQ(refuse_kept(), kept + 1);
}

/* versioned.E3: a change without memory is the last, and has its loops dealt for ever.  Fails if it is lost, or
 * another one follows. */
static void last_change(void)
{
	struct dls_site *place = deal_site("changed");

	refuse_from(0, true);
	CHECK_EQ(dls_site_set_measured(place, true), 0);
	CHECK_EQ(refuse_end(), 1);
	CHECK_EQ(dls_site_set_schedule(place, "static"), 0);
	CHECK_EQ(dls_site_set_measured(place, false), 0);
	CHECK_EQ(dls__blocks_at(place->site, DLS__KIND_STATIC, dls__version_now()), 0);
	CHECK_EQ(dls__blocks_at(place->site, DLS__KIND_STATIC, 0), DLS__BLOCKS_ALWAYS);
}

enum { SITES = 10000, MOST = 450 };	/* bytes; 391 and 392 on x86-64 */

/* As a loop at that place in the source, or of that name, in a region of its own.  A function, for callgrind. */
static __attribute__((noinline)) void loop_at(struct dls_site *site, const char *name)
{
	struct dls__combined combined;

	dls__combined_begin(&combined, site, name, NULL, 0, false, 0, N, N, true);
#ifdef _OPENMP
	#pragma omp parallel num_threads(2)
#endif
	{
		struct dls__run run;
		struct dls__chunk chunk = dls__combined_join(&run, &combined, combined.share, combined.flags,
							     N, 1);

		while (chunk.n)
			chunk = dls__for_next_chunk(&run);
	}
	dls__combined_close(&combined);
}

/* Sites whose places differ in line alone, as those of a file do. */
static void sites_of(const char *what, bool named)
{
	static struct dls_site site[SITES];
	long before = refuse_bytes, each;
	char name[32];

	for (int i = 0; i < SITES; i++) {
		site[i] = (struct dls_site){ __FILE__, i + 1, NULL, __func__, NULL };
		snprintf(name, sizeof(name), "loop %d", i);
		loop_at(&site[i], named ? name : NULL);
		CHECK(site[i].site);
	}
	each = (refuse_bytes - before) / SITES;
	tap_note("%s: %ld bytes", what, each);
	CHECK(each > 0 && each <= MOST);
}

static void sites(void)
{
	static struct dls_site first = DLS__SITE_HERE;

	for (int k = 0; k < 3; k++)	/* what the process has once */
		loop_at(&first, NULL);
	sites_of("by place", false);
	sites_of("by name", true);
}

TEST_MAIN(T(environment) T(calls) T(macros) T_OPENMP(plain_regions) T(new_sites) T(last_change) T(sites) T(teams) T(records) T(freed))
