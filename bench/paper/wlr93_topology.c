/* wlr93_topology.c - beyond Willebeek-LeMair 1993: the same load on 64 processors joined in other ways.
 *
 * Section VI: DEM and HBM depend on the hypercube, RID "is easily ported to simpler topologies". */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "wlr93.h"

enum { DEM = 0, RID, RID_I, SID, HBM, GM, STRATEGIES };
enum { CUBE = 0, MESH, TORUS, TREE, RING, FATTREE, COMPLETE, NETS, N = 64 };

static void run_topology(void)
{
	static const char *const strategy[STRATEGIES] = { "dem", "rid", "rid,low=inf", "sid,low=inf", "hbm", "gm" };
	static const char *const net[NETS] = { [CUBE] = "hypercube", "mesh:8x8", "torus:8x8", "tree:2", "ring", "fattree:4",
					       "complete" };
	struct wlr93_case cases[NETS * STRATEGIES];
	struct wlr93_table table = { .key = "net", .rows = NETS, .strategies = STRATEGIES, .cases = cases, .label = net };

	for (size_t i = 0; i < NETS * STRATEGIES; i++)
		cases[i] = (struct wlr93_case){ .strategy = strategy[i % STRATEGIES], .net = net[i / STRATEGIES],
						.processors = N };
	wlr93_table(&table);
	paper_accept(NAN, 0.58, INFINITY, wlr93_at(&table, MESH, RID_I)->pi, "9  RID inf on the 8x8 mesh: Pi");
	paper_accept(NAN, 0.05, INFINITY, wlr93_at(&table, MESH, RID_I)->pi - wlr93_at(&table, MESH, SID)->pi,
		     "9  Pi of RID inf - Pi of SID inf on the 8x8 mesh");
	free(table.mean);
}

const struct paper_experiment paper_wlr93_topology = {
	.name = "wlr93-topology", .what = "other nets: mesh, torus, tree, ring, fat tree and complete, N = 64, g = 100",
	.first = 1, .last = 100, .run = run_topology,
};
