/* wlr93_topology.c - beyond Willebeek-LeMair 1993: the same load on 64 processors joined in other ways.
 *
 * Section VI: DEM and HBM depend on the hypercube, RID "is easily ported to simpler topologies". */
#include "wlr93.h"

enum { RID_I = 2, SID = 3, STRATEGIES = 6, MESH = 1, NETS = 7 };

static void run_topology(void)
{
	static const char *const strategy[STRATEGIES] = { "dem", "rid", "rid,low=inf", "sid,low=inf", "hbm", "gm" };
#define NET(name) WLR93_ROW(name, .net = name, .processors = 64)
	static const struct wlr93_row row[NETS] = {
		NET("hypercube"), NET("mesh:8x8"), NET("torus:8x8"), NET("tree:2"), NET("ring"), NET("fattree:4"), NET("complete"),
	};
	struct wlr93_run *mean = wlr93_table(&(struct wlr93_table){ NETS, STRATEGIES, strategy, row, 0 });

	paper_own(0, INFINITY, mean[MESH * STRATEGIES + RID_I].pi - mean[MESH * STRATEGIES + SID].pi, NULL,
		    "8x8 mesh: Pi of RID inf - Pi of SID inf");
}

WLR93_COLUMNS("net");

const struct paper_experiment paper_wlr93_topology = {
	.name = "wlr93-topology", .what = "past the paper: mesh, torus, tree, ring, fat tree and complete net, N = 64, g = 100",
	.first = 1, .last = 20, .run = run_topology, .column = column, .note = WLR93_TABLE_NOTE,
	.picture = { .title = "Normalized performance on other nets, N = 64, g = 100", .y = "Pi", .x = "net", .of = "strategy" },
};
