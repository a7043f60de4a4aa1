/* dem.c - dimension exchange method, Willebeek-LeMair 1993, on whole machines in virtual time.
 *
 * runs: check, machines, alone */
#include "whole.h"

enum { REQUEST, LOAD, ANSWER, TASKS };
enum { REQUESTS, SWEEPS };

/* Check what a sweep left on each processor; tasks take so long that it is over before one ends. */
static void leaves(const char *net, unsigned processors, const unsigned *tasks, const int64_t *left)
{
	struct whole w = { .strategy = "dem", .net = net, .processors = processors, .cost = 1000000000, .until = 900000000 };

	whole_run(&w, tasks);
	for (unsigned p = 0; p < processors; p++)
		CHECK_EQ(whole.left[p], left[p]);
}

/* Figure 5: eight processors, dimensions 0, 1, 2.
 * After 0: 4 5, 17 17, 7 7, 12 11.  After 1: 10 11 11 11, 9 9 10 9.  After 2: as below.  Fails if halves are rounded up, or the
 * order of dimensions is another. */
static void figure5(void)
{
	static const unsigned tasks[] = { 0, 9, 4, 30, 7, 7, 21, 2 };
	static const int64_t left[] = { 10, 10, 11, 10, 9, 10, 10, 10 };

	leaves("hypercube", 8, tasks, left);
	CHECK_EQ(whole.kind[REQUEST], 7);
	CHECK_EQ(whole.kind[LOAD], 12);
	CHECK_EQ(whole.kind[ANSWER], 12);
	CHECK_EQ(whole.kind[TASKS], 4 + 13 + 9 + 6 + 6 + 2 + 2 + 1 + 1);
}

/* A mesh folds x, then y.  Processors 5 and 4 lack a partner in a dimension of a hypercube of 6; a line of 3 folds twice. */
static void missing(void)
{
	static const unsigned mesh[] = { 0, 20, 5, 40, 7, 1 };		/* 3 x 2 */
	/* x bit 0: 10 10 5, 24 23 1.  x bit 1: 8 10 7, 13 23 12.  y: below. */
	static const int64_t mesh_left[] = { 10, 16, 9, 11, 17, 10 };
	/* Bit 0: 10 10, 22 23, 4 4.  Bit 1: 16 16, 16 17, 4 4.  Bit 2: below. */
	static const int64_t cube_left[] = { 10, 10, 16, 17, 10, 10 };

	leaves("mesh:3x2", 6, mesh, mesh_left);
	leaves("hypercube", 6, mesh, cube_left);
}

/* Eq. 31: 3 N log N sends and receives if load moves in each dimension, in one message each; eq. 32: 3 log N for each
 * processor.  The request takes N - 1 besides, for each that asks. */
static void messages(void)
{
	static const unsigned tasks[] = { 0, 1000, 10, 200, 60, 100, 200, 400, 15, 70, 80, 180, 2, 30, 90, 300 };
	struct whole w = { .strategy = "dem,block=all", .processors = 16, .cost = 1000000000, .until = 900000000 };
	struct dls_net net;

	whole_run(&w, tasks);
	CHECK_EQ(whole.kind[REQUEST], 15);
	CHECK_EQ(2 * (whole.kind[LOAD] + whole.kind[ANSWER] + whole.kind[TASKS]), 3 * 16 * 4);
	CHECK_EQ(dls_net_parse(&net, "hypercube", 16, NULL), 0);
	for (unsigned p = 0, children; p < 16; p++) {
		for (children = 0; dls_net_broadcast_child(&net, 0, p, children) != DLS_NO_PROCESSOR;)
			children++;
		CHECK_EQ(whole.given[p] + whole.taken[p], 3 * 4 + children + (p != 0));
	}
}

/* Six of eight ask at once: they agree on one sweep.  Fails if each asks for one of its own. */
static void agreed(void)
{
	static const unsigned tasks[] = { 0, 0, 0, 48, 0, 0, 16, 0 };
	static const int64_t left[] = { 8, 8, 8, 8, 8, 8, 8, 8 };

	leaves("hypercube", 8, tasks, left);
	CHECK_EQ(whole.kind[LOAD], 12);
	CHECK(whole.kind[REQUEST] <= 6 * 7);
}

/* One task is running, nothing is queued: after the first sweep all know, and are silent while it runs.  Of three processors
 * one does not hear of all, and asks again ever more seldom.  Fails if the idle ask on, or queued tasks are not summed. */
static void silence(void)
{
	static const unsigned one[] = { 0, 0, 1, 0, 0, 0, 0, 0 };
	struct whole w = { .strategy = "dem", .processors = 8, .cost = 1000000000000 };
	struct dls_run_result r = whole_run(&w, one);

	CHECK_EQ(r.counter[SWEEPS], 1);
	w.processors = 3;
	r = whole_run(&w, one);
	CHECK(r.counter[SWEEPS] > 5 && r.counter[SWEEPS] <= 15);
}

/* Nothing moves, as min is more than there is; processor 1 asks at 0, and then after 0.1 s, 0.2 s, 0.4 s and so on: its 14th
 * time would be at 819 s, when nothing is queued any more. */
static void waits(void)
{
	static const unsigned tasks[] = { 4, 0 };
	struct whole w = { .strategy = "dem,min=3", .processors = 2, .cost = 200000000000 };

	CHECK_EQ(whole_run(&w, tasks).counter[SWEEPS], 14);
	/* 0, 10, 30, 70, 150, 310 and 630; then processor 0, when it has run all. */
	w.strategy = "dem,min=3,wait=10";
	CHECK_EQ(whole_run(&w, tasks).counter[SWEEPS], 8);
}

/* Two processors, 5 tasks of 10 ms: the sweep moves 2, and the next, when processor 0 has run these, none: 1 is running the
 * last. */
static void trace(void)
{
	static const unsigned tasks[] = { 0, 5 };
	struct whole w = { .strategy = "dem", .processors = 2, .cost = 10000000 };

	whole_run(&w, tasks);
	CHECK_TEXT(whole.said, "1<0 request 1 0, 0<1 load 27 5, 1<0 answer -2 0, 0<1 tasks 2 0, 0<1 tasks 2 0, "
		   "1<0 request 2 0, 0<1 load 54 1, 1<0 answer 0 0");
}

TEST_MAIN(T(figure5) T(missing) T(messages) T(agreed) T(silence) T(waits) T(trace))
