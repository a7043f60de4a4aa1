/* part.c - a group at work on an object: its members share a loop's iterations, on threads or by their own virtual clocks. */
#include <stdlib.h>

#include "dls/calc.h"
#include "dls/loop.h"
#include "dls/task.h"
#include "dls/team.h"
#include "lib/base/clock.h"
#include "lib/repart/repart.h"

enum { PIECES = 64 };		/* of a foreman's share, on threads */
static const uint64_t TIME_MAX = (uint64_t)1 << 61;	/* of one object, ns: the limit of a machine's task */

struct job {
	struct dls_part *part;
	uint64_t n;
	void (*body)(void *arg, unsigned member, uint64_t begin, uint64_t end);
	void *arg;
};

/* A member's share of a loop; false: it is empty. */
static bool share(const struct job *job, unsigned member, uint64_t *begin, uint64_t *end)
{
	*begin = dls_static_begin(job->n, job->part->group.size, member);
	*end = dls_static_begin(job->n, job->part->group.size, member + 1);
	return *begin < *end;
}

/* Member 0, the foreman, polls after each of its chunks: other processors wait for its answers. */
static void run_on_thread(const struct job *job, unsigned member, uint64_t begin, uint64_t end)
{
	struct dls_part *p = job->part;
	uint64_t from = dls__clock_now();

	job->body(job->arg, member, begin, end);
	if (p->counts)
		p->member[member]->work += dls__clock_since(from, dls__clock_now());
	if (member == 0)
		dls_vp_poll(p->vp);
}

/* The foreman's share is run in pieces, between which it polls. */
static void run_share(const struct job *job, unsigned member, uint64_t begin, uint64_t end)
{
	uint64_t piece = member == 0 ? dls_ceil_div(end - begin, PIECES) : end - begin;

	for (; begin < end; begin += piece) {
		piece = piece < end - begin ? piece : end - begin;
		run_on_thread(job, member, begin, begin + piece);
	}
}

static void serve(void *arg, unsigned member)
{
	const struct job *job = arg;
	uint64_t begin, end;

	if (job->part->loop)
		while (dls_loop_next_u64(job->part->loop, member, &begin, &end))
			run_on_thread(job, member, begin, end);
	else if (share(job, member, &begin, &end))
		run_share(job, member, begin, end);
}

static int run_on_threads(struct job *job)
{
	struct dls_part *p = job->part;
	uint64_t from = dls__clock_now();
	int code = 0;

	if (p->team)
		code = dls_team_run(p->team, serve, job);
	else
		serve(job, 0);
	p->now += dls__clock_since(from, dls__clock_now());
	return code;
}

/* Add ns to a time, if the sum is at most `most`. */
static bool add_time(uint64_t *time, uint64_t ns, uint64_t most)
{
	if (ns > most - *time)
		return false;
	*time += ns;
	return true;
}

static void run_in_turn(const struct job *job, unsigned member, uint64_t begin, uint64_t end)
{
	job->part->acts = member;
	job->body(job->arg, member, begin, end);
}

/* The member that is free first requests next. */
static void run_loop_in_turn(const struct job *job)
{
	struct dls_part *p = job->part;
	struct dls__ranked *turn = p->turn;
	unsigned waiting = p->group.size;

	for (unsigned m = 0; m < waiting; m++)
		turn[m] = (struct dls__ranked){ .id = m };
	while (waiting > 0) {
		unsigned m = turn[0].id;
		uint64_t *clock = &p->member[m]->clock, begin, end;
		double now = 1e-9 * (double)*clock;

		dls_loop_set_time(p->loop, now < 1e9 ? now : 1e9);
		if (dls_loop_next_u64(p->loop, m, &begin, &end)) {
			add_time(clock, p->dispatch, TIME_MAX - p->now);
			run_in_turn(job, m, begin, end);
			turn[0].key = dls__wide_product(*clock, 1);
		} else {
			turn[0] = turn[--waiting];
		}
		dls__settle(turn, waiting, 0);
	}
}

static int run_in_virtual_time(struct job *job)
{
	struct dls_part *p = job->part;
	uint64_t begin, end, longest = 0;

	for (unsigned m = 0; m < p->group.size; m++)
		p->member[m]->clock = 0;
	if (p->loop)
		run_loop_in_turn(job);
	else
		for (unsigned m = 0; m < p->group.size; m++)
			if (share(job, m, &begin, &end))
				run_in_turn(job, m, begin, end);
	for (unsigned m = 0; m < p->group.size; m++)
		longest = p->member[m]->clock > longest ? p->member[m]->clock : longest;
	p->now += longest;
	return 0;
}

int dls_part_for(struct dls_part *p, uint64_t n, void (*body)(void *arg, unsigned member, uint64_t begin, uint64_t end),
		 void *arg)
{
	struct job job = { p, n, body, arg };
	int code = 0;

	if (!p || !body)
		return DLS_EINVAL;
	if (p->looping)
		return DLS_EBUSY;
	if (n == 0)
		return 0;
	if (p->loop) {
		if (p->repart->virtual)
			dls_loop_set_time(p->loop, 0);
		code = dls_loop_start_u64(p->loop, 0, n, 1);
		if (code)
			return code;
	}
	p->looping = true;
	code = p->repart->virtual ? run_in_virtual_time(&job) : run_on_threads(&job);
	p->looping = false;
	if (p->loop)
		dls_loop_end(p->loop, NULL);
	return code;
}

/* Spend `ns` at speed 1 on every member, each at its own speed; all go on when the slowest has ended. */
static int spend_all(struct dls_part *p, double ns)
{
	double longest = ns / p->slowest;

	if (!(longest <= (double)TIME_MAX) || !add_time(&p->now, (uint64_t)(longest + 0.5), TIME_MAX))
		return DLS_ERANGE;
	for (unsigned m = 0; p->counts && m < p->group.size; m++)
		p->member[m]->work += (uint64_t)(ns / p->member[m]->speed + 0.5);
	return 0;
}

static int spend_one(struct dls_part *p, struct dls__repart_worker *m, double ns)
{
	double own = ns / m->speed;

	if (!(own <= (double)TIME_MAX) || !add_time(&m->clock, (uint64_t)(own + 0.5), TIME_MAX - p->now))
		return DLS_ERANGE;
	if (p->counts)
		m->work += (uint64_t)(own + 0.5);
	return 0;
}

int dls_part_spend(struct dls_part *p, double seconds)
{
	double ns = 1e9 * seconds;

	if (!p)
		return DLS_EINVAL;
	if (!(seconds >= 0 && ns <= (double)TIME_MAX))
		return DLS_ERANGE;
	if (!p->repart->virtual)
		return 0;
	return p->looping ? spend_one(p, p->member[p->acts], ns) : spend_all(p, ns);
}

unsigned dls_part_group(const struct dls_part *p)
{
	return p ? p->id : 0;
}

unsigned dls_part_members(const struct dls_part *p)
{
	return p ? p->group.size : 0;
}

void dls__part_begin(struct dls_part *p, struct dls_vp *vp)
{
	p->vp = vp;
	p->now = 0;
}

void dls__part_work(struct dls_part *p)
{
	if (!p->repart->virtual)
		p->now = 0;
	p->began = p->repart->virtual ? p->now : dls__clock_now();
	p->counts = true;
}

uint64_t dls__part_worked(struct dls_part *p)
{
	uint64_t time;

	p->counts = false;
	if (p->repart->virtual)
		return p->now - p->began;
	/* Outside loops the foreman works alone, and the others wait. */
	time = dls__clock_since(p->began, dls__clock_now());
	p->member[0]->work += dls__clock_since(p->now, time);
	return time;
}

int dls__part_open(struct dls_part *p, const char *inner, double h)
{
	unsigned size = p->group.size;
	bool virtual = p->repart->virtual;
	int code = 0;

	if (size == 1)
		return 0;
	p->dispatch = (uint64_t)(1e9 * (h < 1e9 ? h : 1e9) + 0.5);
	if (!virtual)
		code = dls_team_open(&p->team, size);
	if (code || !inner)
		return code;
	code = dls_loop_open(&p->loop, size, NULL, virtual ? DLS_LOOP_VIRTUAL_TIME : 0);
	if (!code)
		code = dls_loop_set_schedule(p->loop, inner);
	p->turn = virtual ? malloc(size * sizeof(*p->turn)) : NULL;
	return !code && virtual && !p->turn ? DLS_ENOMEM : code;
}

void dls__part_close(struct dls_part *p)
{
	dls_team_close(p->team);
	dls_loop_close(p->loop);
	free(p->turn);
	p->team = NULL;
	p->loop = NULL;
	p->turn = NULL;
}
