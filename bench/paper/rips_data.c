/* rips_data.c - Tables II, IV and V of Shu & Wu 1996, and the runs that rebuild them. */
#include "rips.h"

#define ROW(a, l, s, p, n, c, o, i, t) \
	{ .app = a, .label = l, .strategy = s, \
	  .theirs = { .phases = p, .scheduled = n, .comm = c, .overhead = o, .idle = i, .T = t } }
const struct rips_case rips_table2[RIPS_TABLE2] = {
	ROW(QUEENS_14, "ALL-Eager", "rips,transfer=all,queue=eager", 5, 11166, 301, 0.29, 1.78, 8.34),
	ROW(QUEENS_14, "ALL-Lazy", "rips,transfer=all,queue=lazy", 4, 170, 248, 0.14, 1.11, 7.52),
	ROW(QUEENS_14, "ANY-Eager", "rips,transfer=any,queue=eager", 10, 15235, 3948, 0.67, 0.09, 7.03),
	ROW(QUEENS_14, "ANY-Lazy", "rips,transfer=any,queue=lazy", 8, 3997, 1776, 0.52, 0.08, 6.87),
	ROW(GROMOS_8, "ALL-Eager", "rips,transfer=all,queue=eager", 3, 4986, 186, 0.89, 1.98, 6.15),
	ROW(GROMOS_8, "ALL-Lazy", "rips,transfer=all,queue=lazy", 2, 1022, 124, 0.85, 2.01, 6.16),
	ROW(GROMOS_8, "ANY-Eager", "rips,transfer=any,queue=eager", 10, 10688, 3596, 1.10, 0.12, 4.50),
	ROW(GROMOS_8, "ANY-Lazy", "rips,transfer=any,queue=lazy", 7, 6012, 2322, 0.60, 0.11, 3.99),
};
#undef ROW

#define THEIRS(n, o, i, t, percent) \
	.theirs = { .nonlocal = n, .overhead = o, .idle = i, .T = t, .efficiency = percent / 100.0 }
#define RANDOM(a, ...) \
	{ .app = a, .label = "Random, cyclic", .strategy = "rand,draw=cyclic", .drawn = true, THEIRS(__VA_ARGS__) }, \
	{ .app = a, .label = "Random, uniform", .strategy = "rand", .drawn = true }
#define GRADIENT(a, ...) { .app = a, .label = "Gradient model", .strategy = "gm,update=period", THEIRS(__VA_ARGS__) }
#define RID(a, ...) \
	{ .app = a, .label = "RID", .strategy = "rid,low=2,threshold=1,u=0.4", .net = "complete", THEIRS(__VA_ARGS__) }
#define OWN(a, ...) { .app = a, .label = "RIPS", .strategy = "rips", THEIRS(__VA_ARGS__) }
const struct rips_case rips_table4[RIPS_TABLE4] = {
	RANDOM(QUEENS_13, 7342, 0.40, 0.08, 1.50, 68), GRADIENT(QUEENS_13, 4255, 0.97, 0.88, 2.87, 36),
	RID(QUEENS_13, 2597, 0.41, 0.10, 1.53, 67), OWN(QUEENS_13, 314, 0.29, 0.05, 1.36, 75),
	RANDOM(QUEENS_14, 10832, 0.62, 0.25, 7.14, 88), GRADIENT(QUEENS_14, 6305, 1.28, 5.45, 13.0, 48),
	RID(QUEENS_14, 4218, 0.57, 0.27, 7.11, 88), OWN(QUEENS_14, 645, 0.52, 0.08, 6.87, 91),
	RANDOM(QUEENS_15, 15459, 1.10, 1.50, 43.4, 94), GRADIENT(QUEENS_15, 9058, 2.10, 30.5, 73.4, 56),
	RID(QUEENS_15, 7103, 0.78, 1.42, 43.0, 95), OWN(QUEENS_15, 925, 0.97, 0.23, 42.0, 97),
	RANDOM(IDA_1, 2804, 0.34, 0.63, 2.31, 58), GRADIENT(IDA_1, 2010, 0.85, 1.70, 3.89, 34),
	RID(IDA_1, 619, 0.95, 2.57, 4.86, 28), OWN(IDA_1, 203, 0.53, 0.13, 2.04, 66),
	RANDOM(IDA_2, 3277, 0.65, 1.97, 9.02, 71), GRADIENT(IDA_2, 2184, 2.34, 7.25, 16.0, 40),
	RID(IDA_2, 382, 3.20, 14.8, 23.4, 27), OWN(IDA_2, 257, 1.17, 0.41, 7.98, 80),
	RANDOM(IDA_3, 28138, 1.33, 4.65, 33.5, 82), GRADIENT(IDA_3, 19285, 2.28, 22.6, 52.3, 52),
	RID(IDA_3, 3038, 2.35, 6.83, 36.7, 75), OWN(IDA_3, 1138, 2.04, 0.52, 30.2, 91),
	RANDOM(GROMOS_8, 4831, 0.26, 0.56, 4.10, 80), GRADIENT(GROMOS_8, 2311, 0.52, 0.73, 4.53, 72),
	RID(GROMOS_8, 528, 0.43, 0.36, 4.07, 81), OWN(GROMOS_8, 494, 0.60, 0.11, 3.99, 82),
	RANDOM(GROMOS_12, 4833, 0.25, 1.76, 11.9, 83), GRADIENT(GROMOS_12, 2184, 0.51, 1.40, 11.8, 84),
	RID(GROMOS_12, 547, 1.01, 0.90, 11.8, 84), OWN(GROMOS_12, 556, 1.16, 0.36, 11.4, 87),
	RANDOM(GROMOS_16, 4832, 0.26, 3.94, 25.0, 83), GRADIENT(GROMOS_16, 2363, 0.54, 5.26, 26.6, 78),
	RID(GROMOS_16, 485, 1.79, 2.01, 24.6, 84), OWN(GROMOS_16, 582, 0.95, 0.65, 22.4, 93),
};

const double rips_table5[NOTED_APPS] = { 0.988, 0.992, 0.994, 0.853, 0.917, 0.972, 0.989, 0.989, 0.989 };

const unsigned rips_size[RIPS_SIZES] = { 64, 128, 256, 512 };

double rips_table6(unsigned app, const char *label, size_t k)
{
	static const double theirs[][RIPS_STRATEGIES][RIPS_SIZES] = {
		{ [CYCLIC] = { 57.0, 107, 208, 361 }, [GRADIENT] = { 29.1, 38.0, 39.1, 38.8 }, [RID] = { 57.5, 104, 186, 323 },
		  [RIPS_OWN] = { 60.3, 116, 225, 402 } },
		{ [CYCLIC] = { 47.1, 71.8, 103, 139 }, [GRADIENT] = { 30.4, 41.3, 52.7, 59.6 }, [RID] = { 28.0, 27.3, 24.0, 20.2 },
		  [RIPS_OWN] = { 54.3, 84.8, 123, 176 } },
		{ [CYCLIC] = { 50.6, 97.3, 189, 355 }, [GRADIENT] = { 41.6, 41.8, 41.8, 40.1 }, [RID] = { 48.8, 75.6, 92.9, 110 },
		  [RIPS_OWN] = { 55.7, 109, 216, 387 } },
	};
	size_t s = 0;

	while (strncmp(rips_table4[s].label, label, strcspn(label, ",")) != 0)
		s++;
	return theirs[app == QUEENS_15 ? 0 : app == IDA_3 ? 1 : 2][s][k];
}
