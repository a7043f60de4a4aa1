/* deal.h - loops by call, chunk after chunk.
 *
 *	struct dls_loop *loop = deal_open("gss", 4, NULL, 0);
 *
 *	CHECK_EQ(dls_loop_start(loop, 0, 1000, 1), 0);
 *	CHECK_EQ(deal_next(loop, 0).n, 250); */
#ifndef DEAL_H
#define DEAL_H

#include "dls.h"
#include "tap.h"

/* To be the first test: clears the environment, so that loops run under auto and unobserved. */
static inline void deal_environment(void)
{
	unsetenv("DLS_SCHEDULE");
	unsetenv("OMP_SCHEDULE");
	unsetenv("DLS_REPORT");
}

static inline struct dls_site *deal_site(const char *name)
{
	struct dls_site *site = NULL;

	CHECK_EQ(dls_site_named(&site, name), 0);
	return site;
}

/* One whose loops are measured. */
static inline struct dls_site *deal_measured(const char *name)
{
	struct dls_site *site = deal_site(name);

	CHECK_EQ(dls_site_set_measured(site, true), 0);
	return site;
}

/* How the schedule of a site prints; the text lasts until the next call. */
static inline const char *deal_schedule(struct dls_site *site)
{
	static char text[100];

	dls_site_print_schedule(site, text, sizeof(text));
	return text;
}

static inline struct dls_stats deal_stats(struct dls_site *site)
{
	struct dls_stats s = { .size = sizeof(s) };

	CHECK_EQ(dls_site_stats(site, &s), 0);
	return s;
}

/* A loop for p workers, not started; site: may be NULL. */
static inline struct dls_loop *deal_open(const char *schedule, unsigned p, struct dls_site *site, unsigned flags)
{
	struct dls_loop *loop = NULL;

	CHECK_EQ(dls_loop_open(&loop, p, site, flags), 0);
	if (CHECK_EQ(dls_loop_set_schedule(loop, schedule), 0))
		tap_note("%s", schedule);
	return loop;
}

/* The same over 0 .. n - 1, started. */
static inline struct dls_loop *deal_start(const char *schedule, unsigned p, uint64_t n, unsigned flags)
{
	struct dls_loop *loop = deal_open(schedule, p, NULL, flags);

	CHECK_EQ(dls_loop_start_u64(loop, 0, n, 1), 0);
	return loop;
}

/* End an execution in which n iterations have run. */
static inline uint64_t deal_end(struct dls_loop *loop, uint64_t n)
{
	uint64_t ran = UINT64_MAX;

	CHECK_EQ(dls_loop_end(loop, &ran), 0);
	return CHECK_EQ(ran, n);
}

struct deal {
	int64_t begin, end, n;		/* n = 0: the worker has no more */
};

static inline struct deal deal_next(struct dls_loop *loop, unsigned worker)
{
	struct deal d = { .n = 0 };

	if (dls_loop_next(loop, worker, &d.begin, &d.end))
		d.n = d.end - d.begin;
	return d;
}

/* One worker takes all that it can get: how many iterations that is. */
static inline uint64_t deal_rest(struct dls_loop *loop, unsigned worker)
{
	uint64_t sum = 0;

	for (struct deal d; (d = deal_next(loop, worker)).n;)
		sum += (uint64_t)d.n;
	return sum;
}

/* An execution over 0 .. n - 1 whose p workers one thread plays, each in turn taking all that it can get. */
static inline void deal_run(struct dls_loop *loop, unsigned p, uint64_t n)
{
	CHECK_EQ(dls_loop_start_u64(loop, 0, n, 1), 0);
	for (unsigned w = 0; w < p; w++)
		deal_rest(loop, w);
	deal_end(loop, n);
}

struct deal_work {
	struct dls_loop *loop;
	void (*body)(int64_t i);
};

static inline void deal_all(void *arg, unsigned worker)
{
	const struct deal_work *work = (const struct deal_work *)arg;

	for (struct deal d; (d = deal_next(work->loop, worker)).n;)
		for (int64_t i = d.begin; i < d.end; i++)
			work->body(i);
}

/* An execution over 0 .. n - 1 by a team. */
static inline void deal_team(struct dls_loop *loop, struct dls_team *team, uint64_t n, void (*body)(int64_t i))
{
	struct deal_work work = { loop, body };

	CHECK_EQ(dls_loop_start_u64(loop, 0, n, 1), 0);
	CHECK_EQ(dls_team_run(team, deal_all, &work), 0);
	deal_end(loop, n);
}

/* init and next of a calculator that deals one by one. */
static inline int deal_init(void *state, const struct dls_loop_desc *loop)
{
	(void)state, (void)loop;
	return 0;
}

static inline uint64_t deal_ones(void *state, uint64_t R)
{
	(void)state, (void)R;
	return 1;
}

#endif
