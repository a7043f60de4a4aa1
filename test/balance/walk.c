/* walk.c - tree walking, Shu & Wu 1996: random trees against a dynamic programme.
 *
 * runs: check, machines, alone */
#include "fake.h"
#include "bench/apps/walk_tree.h"

enum { MOST = 48, TREES = 20000 };

#define ROOT DLS_NO_PROCESSOR
/* Section 4, Example 1; dls-paper's rips-table1 has its figures. */
static const unsigned parent[] = { ROOT, 0, 1, 1, 0, 4, 0, 6, 6 };
static const int64_t w[] = { 1, 4, 5, 11, 7, 2, 3, 3, 5 };
enum { NODES = 9 };

static struct walk_node node[MOST];

static void example(void)
{
	for (unsigned i = 0; i < NODES; i++)
		node[i] = (struct walk_node){ .parent = parent[i], .w = w[i] };
	CHECK_EQ(walk_plan(node, NODES), 0);
}

/* One node's choice.  Fails if the smallest amount is not first, of equal ones the first edge, or a node that can get no
 * more goes on waiting. */
static void one_node(void)
{
	static const int64_t flow[] = { 7, -4, 3, 0, 3, 9 }, ready[] = { 0, 5, 2, 0 }, none[] = { -1, 0 };

	CHECK_EQ(dls__walk_next(DLS__TWA, flow, 6, 100), 6);
	CHECK_EQ(dls__walk_next(DLS__MTWA, flow, 6, 100), 2);
	CHECK_EQ(dls__walk_next(DLS__MTWA, flow, 6, 3), 2);
	CHECK_EQ(dls__walk_next(DLS__MTWA, flow, 6, 2), 6);
	CHECK_EQ(dls__walk_next(DLS__TWA, ready, 4, 7), 1);
	CHECK_EQ(dls__walk_next(DLS__MTWA, ready, 4, 7), 2);
	CHECK_EQ(dls__walk_next(DLS__MTWA, ready, 4, 1), 2);
	CHECK_EQ(dls__walk_next(DLS__TWA, none, 2, 1), 2);
	CHECK_EQ(dls__walk_next(DLS__MTWA, none, 2, 1), 2);
	CHECK_EQ(dls__walk_next(DLS__TWA, NULL, 0, 1), 0);
}

/* Tasks of 5, 15, 10, 5, 15, 10, 5 us, the first given away first.  Fails if a sum is not the nearest, or of two equally
 * near the larger one. */
static void packing(void)
{
	static const int64_t amount[] = { 0, 2, 3, 5, 12, 13, 25, 26, 32, 33, 50, 62, 63, 65, 66, 1000000 };
	static const int64_t sum[] = { 0, 0, 5, 5, 5, 20, 20, 30, 30, 35, 50, 60, 65, 65, 65, 65 };

	fake_start("none,load=cost", "ring", 4, 8);
	for (size_t i = 0; i < sizeof(sum) / sizeof(*sum); i++)
		CHECK_EQ(dls__walk_pack(fake.vp, amount[i]), sum[i]);
	fake_start("none,load=count", "ring", 4, 8);
	CHECK_EQ(dls__walk_pack(fake.vp, 3), 3);
	CHECK_EQ(dls__walk_pack(fake.vp, 30), 7);
}

/* A tree from a seed: `deep` of 8 times a node hangs on the one before it, else on any of its ancestors. */
static unsigned draw(uint64_t *seed)
{
	unsigned N = 1 + (unsigned)(tap_random(seed) % MOST), deep = (unsigned)(tap_random(seed) % 9);
	uint64_t range = (uint64_t[]){ 2, 5, 20, 1000 }[tap_random(seed) % 4], empty = tap_random(seed) % 4;
	int64_t total = 0;

	for (unsigned i = 0; i < N; i++) {
		unsigned above = i ? i - 1 : ROOT;

		while (i && tap_random(seed) % 8 >= deep && node[above].parent != ROOT)
			above = node[above].parent;
		node[i] = (struct walk_node){ .parent = above };
		if (tap_random(seed) % 4 >= empty)
			node[i].w = (int64_t)(tap_random(seed) % range);
		total += node[i].w;
	}
	if (tap_random(seed) % 2)	/* no remainder */
		node[tap_random(seed) % N].w += (N - total % N) % N;
	return N;
}

/* least[i][k]: least task-hops within the subtree of node i and up from it, if k of its nodes keep one task more than the
 * others; over all ways to choose the R nodes that do. */
static int64_t programme(unsigned N, struct dls__mean mean)
{
	static int64_t least[MOST][MOST + 1];
	unsigned size[MOST];
	int64_t sum[MOST];

	for (unsigned i = N; i-- > 0;) {
		size[i] = 1;
		sum[i] = node[i].w;
		least[i][0] = least[i][1] = 0;
		for (unsigned j = i + 1; j < N; j++) {
			int64_t both[MOST + 1];

			if (node[j].parent != i)
				continue;
			for (unsigned k = 0; k <= size[i] + size[j]; k++) {
				both[k] = INT64_MAX;
				for (unsigned m = k > size[i] ? k - size[i] : 0; m <= k && m <= size[j]; m++)
					if (least[j][m] + least[i][k - m] < both[k])
						both[k] = least[j][m] + least[i][k - m];
			}
			size[i] += size[j];
			sum[i] += sum[j];
			memcpy(least[i], both, sizeof(*both) * (size[i] + 1));
		}
		for (unsigned k = 0; i > 0 && k <= size[i]; k++) {
			int64_t up = sum[i] - mean.w_avg * size[i] - k;

			least[i][k] += up < 0 ? -up : up;
		}
	}
	return least[0][mean.R];
}

static unsigned depth(unsigned N)
{
	unsigned level[MOST] = { 0 }, most = 0;

	for (unsigned i = 1; i < N; i++) {
		level[i] = level[node[i].parent] + 1;
		most = level[i] > most ? level[i] : most;
	}
	return most;
}

/* Each node from what it knows itself: the sizes and sums of its children's subtrees, its order, and w_avg and R. */
static bool alone(unsigned N, struct dls__mean mean)
{
	bool same = true;

	for (unsigned i = 0; i < N; i++) {
		unsigned order = i + 1;
		int64_t left = node[i].w - dls__walk_up(mean, i, node[i].N, node[i].W);

		for (unsigned j = i + 1; j < N; j++) {
			if (node[j].parent != i)
				continue;
			same = same && order == j;
			left += dls__walk_up(mean, order, node[j].N, node[j].W);
			order += node[j].N;
		}
		same = same && left == node[i].q && dls__walk_quota(mean, i, 1) == node[i].q && order == i + node[i].N;
	}
	return same;
}

/* Fails if a node does not end with its quota, tasks are lost, hops are not least without a remainder, more tasks leave
 * their node than need be under TWA, there are more messages than edges that need one, or a message is late. */
static void random_trees(void)
{
	uint64_t trees = (uint64_t)(TREES * tap_stress(1)), longer = 0, seed = tap_seed();

	for (uint64_t t = 0; t < trees && tap_failures < 20; t++) {
		uint64_t kept = seed, needed = 0, lacking = 0, needing = 0;
		struct walk_cost twa, mtwa;
		unsigned N = draw(&seed);
		bool ok = walk_plan(node, N) == 0, ends = true;
		struct dls__mean mean = dls__walk_mean(node[0].W, N);
		int64_t least = programme(N, mean);

		ok = ok && walk_run(node, N, DLS__MTWA, &mtwa) == 0;
		for (unsigned i = 0; i < N; i++)
			ends = ends && node[i].own + node[i].received == node[i].q && node[i].own >= 0;
		ok = ok && walk_run(node, N, DLS__TWA, &twa) == 0 && alone(N, mean);
		for (unsigned i = 0; i < N; i++) {
			int64_t W = node[i].W - node[i].Q;

			ends = ends && node[i].own + node[i].received == node[i].q && node[i].own <= node[i].w;
			ends = ends && (node[i].q == mean.w_avg || (node[i].q == mean.w_avg + 1 && mean.R));
			needed += (uint64_t)(W < 0 ? -W : W);
			needing += W != 0;
			lacking += node[i].q > node[i].w ? (uint64_t)(node[i].q - node[i].w) : 0;
		}
		ok = ok && ends && twa.hops == needed && mtwa.hops == needed && twa.hops >= (uint64_t)least;
		ok = ok && twa.messages == needing && mtwa.messages == needing;
		ok = ok && twa.nonlocal == lacking && mtwa.nonlocal >= lacking;
		ok = ok && twa.steps <= 2 * depth(N) && mtwa.steps <= twa.steps;
		ok = ok && (mean.R || twa.hops == (uint64_t)least);
		longer += twa.hops > (uint64_t)least;
		if (!CHECK(ok))
			tap_note("tree %llu, DLS_SEED=%llu, N = %u, W = %lld", (unsigned long long)t,
				 (unsigned long long)kept, N, (long long)node[0].W);
	}
	CHECK(longer > 0);	/* with a remainder the paper says "nearly" */
}

static void refuse(unsigned N, int code, const unsigned *above)
{
	for (unsigned i = 0; i < N; i++)
		node[i] = (struct walk_node){ .parent = above[i], .w = 1 };
	CHECK_EQ(walk_plan(node, N), code);
}

/* Fails if something that is no tree is walked, for ever if it has a cycle, or a sum wraps. */
static void refused(void)
{
	refuse(0, DLS_EINVAL, NULL);
	refuse(1, 0, (const unsigned[]){ ROOT });
	refuse(1, DLS_EINVAL, (const unsigned[]){ 0 });
	refuse(3, 0, (const unsigned[]){ ROOT, 0, 0 });
	refuse(3, DLS_EINVAL, (const unsigned[]){ ROOT, 0, ROOT });
	refuse(3, DLS_EINVAL, (const unsigned[]){ ROOT, 2, 1 });
	refuse(3, DLS_EINVAL, (const unsigned[]){ ROOT, 0, 2 });
	refuse(3, DLS_EINVAL, (const unsigned[]){ ROOT, 2, 0 });
	refuse(3, DLS_EINVAL, (const unsigned[]){ ROOT, 0, 7 });
	refuse(4, DLS_EINVAL, (const unsigned[]){ ROOT, 0, 0, 1 });	/* by levels, not by preorder */
	refuse(4, 0, (const unsigned[]){ ROOT, 0, 1, 0 });

	example();
	node[8].w = -1;
	CHECK_EQ(walk_plan(node, NODES), DLS_EINVAL);
	node[8].w = INT64_MAX - 35;
	CHECK_EQ(walk_plan(node, NODES), DLS_ERANGE);
	node[8].w--;
	CHECK_EQ(walk_plan(node, NODES), 0);
	CHECK_EQ(node[0].Q, INT64_MAX);
}

TEST_MAIN(T(one_node) T(packing) T(random_trees) T(refused))
