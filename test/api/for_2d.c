/* for_2d.c - loops over two indices: each cell exactly once under every calculator and strategy, along every curve, for
 * every team, shape and type; the cells of a chunk in the order of the curve that the schedule asks for.
 *
 * Fails if: a strip ends before or after its row or its chunk, a chunk begins at another cell than its first, the curve is
 * not that of the schedule, the threads of a team disagree about it, an index's increment exceeds its type, a bound names
 * the index instead of the variable that it hides, a chunk that follows the last one seeks its first cell.
 * DLS_STRESS=SECONDS lengthens it.
 *
 * runs: check */
#include <limits.h>

#include "once.h"
#include "parse.h"

enum { MOST = 1 << 16 };
static const char *const curves[] = { "", ",curve=rows", ",curve=hilbert", ",curve=morton" };

static bool cell_at(const struct dls_curve *curve, uint64_t position, uint64_t *i, uint64_t *j)
{
	struct dls_curve_cursor cursor;

	dls_curve_seek(&cursor, curve, position);
	return dls_curve_next(&cursor, i, j);
}

/* The order in which one worker meets the cells of 37 x 21. */
static bool in_order(const char *name, const char *schedule, enum dls_curve_kind kind)
{
	struct dls_curve curve;
	uint64_t k = 0, wrong = 0, a = 0, b = 0;

	dls_curve_init(&curve, kind, 37, 21);
	DLS_FOR_2D(i, j, -5, 32, 100, 121, .name = name, .schedule = schedule) {
		cell_at(&curve, k++, &a, &b);
		wrong += a != (uint64_t)(i + 5) || b != (uint64_t)(j - 100);
	}
	return k == 37 * 21 && wrong == 0;
}

/* The first of all, since the environment is read once: an entry for one site. */
static void environment(void)
{
	setenv("DLS_SCHEDULE", "gss; cells:fac2,3,curve=morton; others:" STRATEGY("rid", "gss") ",curve=hilbert", 1);
	CHECK(in_order("cells", "static", DLS_CURVE_MORTON));
	CHECK(in_order("others", NULL, DLS_CURVE_HILBERT));
}

/* What the schedule says, else the calculator's, else rows. */
static void orders(void)
{
	const char *schedule;
	char text[120];

	for (unsigned k = 0; (schedule = once_schedule(k)); k++) {
		struct dls_schedule *parsed = parse(schedule);
		const struct dls_calc *calc = dls_schedule_calc(parsed);

		dls_schedule_free(parsed);
		for (int c = 0; c < 4 && !strstr(schedule, "curve="); c++) {
			snprintf(text, sizeof(text), "%s%s", schedule, curves[c]);
			if (!CHECK(in_order("orders", text, c ? (enum dls_curve_kind)(c - 1) : calc ? calc->curve : DLS_CURVE_ROWS)))
				tap_note("%s", text);
		}
	}
	CHECK_EQ(dls_calc_find("gss")->curve, DLS_CURVE_ROWS);
}

#ifdef _OPENMP

struct rectangle {
	long i, j;		/* its first cell */
	uint64_t rows, columns;
};

static void mark(struct rectangle r, long i, long j)
{
	once_hit((i - r.i) * (long)r.columns + j - r.j);
}

static void run(unsigned kind, const char *schedule, unsigned p, struct rectangle r)
{
	long i_end = r.i + (long)r.rows, j_end = r.j + (long)r.columns;
	unsigned times = 1;

	switch (kind % 4) {
	case 0:
		DLS_PARALLEL_FOR_2D(i, j, r.i, i_end, r.j, j_end, .schedule = schedule)
			mark(r, i, j);
		break;
	case 1:
		times = 3;
		DLS_PARALLEL(num_threads((int)p)) {
			DLS_FOR_2D(i, j, r.i, i_end, r.j, j_end, .nowait = true, .schedule = schedule)
				mark(r, i, j);
			DLS_FOR_2D(j, i, r.j, j_end, r.i, i_end, .schedule = schedule)
				mark(r, i, j);
			DLS_FOR_2D(i, j, r.i, i_end, r.j, j_end, .nowait = true, .schedule = schedule) {
				if ((i ^ j) & 1) {
					mark(r, i, j);
					continue;
				}
				mark(r, i, j);
			}
		}
		break;
	case 2:
#pragma omp parallel num_threads((int)p)
		DLS_FOR_2D(i, j, r.i, i_end, r.j, j_end, .schedule = schedule)
			mark(r, i, j);
		break;
	case 3:
		DLS_PARALLEL(num_threads((int)p))
			DLS_FOR_2D(i, j, 0u, (unsigned)r.rows, (unsigned short)0, (unsigned short)r.columns,
				   .schedule = schedule)
				mark((struct rectangle){ 0, 0, r.rows, r.columns }, (long)i, (long)j);
		break;
	}
	if (!once_check(once_hits, r.rows * r.columns, times, schedule, p))
		tap_note("%llu x %llu", (unsigned long long)r.rows, (unsigned long long)r.columns);
}

/* Each schedule and name there is along each curve. */
static void once(void)
{
	static const uint64_t side[] = { 0, 1, 2, 3, 4, 5, 8, 17, 31, 64, 100, 300 };
	const size_t sides = sizeof(side) / sizeof(*side);
	const double seconds = tap_stress(1);
	uint64_t seed = tap_seed();
	time_t start = time(NULL);
	unsigned schedules = 0;
	char text[120];

	while (once_schedule(schedules))
		schedules++;
	for (unsigned k = 0; k < 4 * schedules || difftime(time(NULL), start) < seconds; k++) {
		uint64_t pick = tap_random(&seed);
		unsigned p = 1 + (unsigned)(pick >> 8) % (k % 16 ? 8 : 33);
		struct rectangle r = {
			.i = (long)(pick >> 16 & 255) - 128, .j = (long)(pick >> 24 & 255) - 128,
			.rows = side[(pick >> 32) % sides], .columns = side[(pick >> 40) % sides],
		};

		if (r.rows * r.columns > MOST)
			r.rows = 7;
		snprintf(text, sizeof(text), "%s%s", once_schedule(k % schedules), curves[k / schedules % 4]);
		omp_set_num_threads((int)p);
		run((unsigned)(pick >> 56), text, p, r);
	}
}

#endif

static int evaluated;

static int count(int value)
{
	evaluated++;
	return value;
}

/* Ends of the types, narrow types, bounds evaluated once, empty ranges, an index that the body does not use. */
static void types(void)
{
	const signed char low = -100, high = 100;
	const unsigned char wide = 255;
	const char *schedule[] = { "ss", "ss,curve=hilbert" };
	int n = 0;

	for (int s = 0; s < 2; s++) {
		n = 0;
		DLS_FOR_2D(i, j, INT64_MAX - 3, INT64_MAX, INT64_MIN, INT64_MIN + 5, .schedule = schedule[s])
			n += i >= INT64_MAX - 3 && j < INT64_MIN + 5;
		CHECK_EQ(n, 15);
		DLS_FOR_2D(i, j, UINT64_MAX - 2, UINT64_MAX, (uint32_t)UINT32_MAX - 2, UINT32_MAX, .schedule = schedule[s])
			n += i >= UINT64_MAX - 2 && j >= UINT32_MAX - 2 && sizeof(j) == 4;
		CHECK_EQ(n, 19);
		DLS_FOR_2D(i, j, INT_MIN, INT_MIN + 2, INT64_MAX - 3, INT64_MAX, .schedule = schedule[s])
			n += i < INT_MIN + 2 && j >= INT64_MAX - 3;
		CHECK_EQ(n, 25);
		DLS_FOR_2D(i, j, low, high, 0, wide, .schedule = schedule[s])
			n += i < high && j < wide && sizeof(i) == sizeof(int) && sizeof(j) == sizeof(int);
		CHECK_EQ(n, 25 + 200 * 255);
	}
	n = 0;
	DLS_FOR_2D(i, j, 3, 3, 0, 10)
		n++;
	DLS_FOR_2D(i, j, 0, 10, 5, 4)
		n++;
	DLS_FOR_2D(i, j, 9, -9, INT64_MAX, INT64_MIN)
		n++;
	CHECK_EQ(n, 0);
	DLS_FOR_2D(i, j, count(0), count(2), count(1), count(4), .name = "once")
		n++;
	CHECK_EQ(n, 6);
	CHECK_EQ(evaluated, 4);
	n = 0;
	DLS_PARALLEL_FOR_2D_WITH((num_threads(3) reduction(+ : n)), i, j, count(0), count(2), count(1), count(4), .name = "once before")
		n++;
	CHECK_EQ(n, 6);
	CHECK_EQ(evaluated, 8);
}

/* Bounds that name variables which the indices hide: the types are theirs, not the indices'. */
static void hidden_names(void)
{
	const struct {
		uint16_t rows;
		int64_t columns;
	} matrix = { 2, ((int64_t)1 << 40) + 3 }, *m = &matrix;
	int64_t k = 3000000000, begin = matrix.columns - 3, wrong = 0;
	int n = 0;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
	DLS_FOR_2D(k, j, 0, 1, k - 2, k) {
		wrong += k != 0 || sizeof(k) != sizeof(int) || j != 2999999998 + n;
		n++;
	}
	CHECK_EQ(n, 2);
	DLS_FOR_2D(j, k, k - 2, k, 0, 1)
		wrong += k != 0 || sizeof(k) != sizeof(int) || j != 2999999998 + n++ - 2;
	CHECK_EQ(n, 4);
	DLS_FOR_2D(m, j, 0, m->rows, begin, m->columns)
		wrong += (m != 0 && m != 1) || j != begin + (n++ - 4) % 3;
	CHECK_EQ(n, 10);
	DLS_FOR_2D(i, m, 0, m->rows, begin, m->columns)
		wrong += (i != 0 && i != 1) || m != begin + (n++ - 10) % 3;
	CHECK_EQ(n, 16);
	DLS_PARALLEL_FOR_2D_WITH((num_threads(1)), k, j, 0, 1, k - 2, k)
		wrong += k != 0 || sizeof(k) != sizeof(int) || j != 2999999998 + n++ - 16;
	CHECK_EQ(n, 18);
#pragma GCC diagnostic pop
	CHECK_EQ(wrong, 0);
}

/* A chunk that follows the last one goes on from where the cursor is; any other looks its first cell up. */
static void seeks(void)
{
	static struct dls_site site = DLS_SITE_INIT;
	const uint64_t k = 70, n = 9;
	struct dls_curve curve;
	struct dls__run_2d run;
	struct dls__strip strip;
	uint64_t i = 0, j = 0;

	CHECK_EQ(dls_curve_init(&curve, DLS_CURVE_HILBERT, 37, 21), 0);
	CHECK_EQ(dls__for_first_chunk_2d(&run, &site, NULL, "gss,curve=hilbert", 0, true, 37, 21).n, 37 * 21);
	strip = dls__strip_first(&run, (struct dls__chunk){ k, n });
	while (strip.left)
		strip = dls__strip_next(&run, strip);
	CHECK_EQ(run.position, k + n);
	cell_at(&curve, k + n - 1, &i, &j);
	CHECK(strip.row == i && strip.column == j);
	run.position = 200;	/* a lie, which is believed: */
	strip = dls__strip_first(&run, (struct dls__chunk){ 200, 1 });
	cell_at(&curve, k + n, &i, &j);
	CHECK(strip.row == i && strip.column == j);
	strip = dls__strip_first(&run, (struct dls__chunk){ 200, 1 });
	cell_at(&curve, 200, &i, &j);
	CHECK(strip.row == i && strip.column == j);
	CHECK_EQ(dls__for_next_chunk(&run.run).n, 0);
}

/* Too long to be run to its end: rows longer than a curve can be, and strips of more than 2^32 cells. */
static void long_sides(void)
{
	static struct dls_site site = DLS_SITE_INIT;
	const uint64_t most = (uint64_t)1 << 33;
	struct dls__run_2d run;
	struct dls__chunk chunk;
	struct dls__strip strip;

	chunk = dls__for_first_chunk_2d(&run, &site, NULL, "gss,curve=hilbert", 0, true, most, most / 8);
	CHECK_EQ(chunk.n, most * (most / 8));
	strip = dls__strip_first(&run, chunk);
	CHECK(strip.row == 0 && strip.column == 0 && strip.n == most / 8 && strip.left == (most - 1) * (most / 8));
	strip = dls__strip_next(&run, strip);
	CHECK(strip.row == 1 && strip.column == 0 && strip.n == most / 8 && strip.left == (most - 2) * (most / 8));
	strip = dls__strip_first(&run, (struct dls__chunk){ most + 5, most });
	CHECK(strip.row == 8 && strip.column == 5 && strip.n == most / 8 - 5 && strip.left == most - (most / 8 - 5));
	CHECK_EQ(dls__for_next_chunk(&run.run).n, 0);
}

TEST_MAIN(T(environment) T(orders) T_OPENMP(once) T(types)
	  T(hidden_names) T(seeks) T(long_sides))
