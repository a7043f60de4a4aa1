/* phases.c - the phases of a strategy, found by its messages: the sweeps of DEM and their dimensions, the system phases of RIPS,
 * the levels of HBM.
 *
 * A part of a phase lasts from the sending of its first message to the handling of its last one.  A message's part follows from its
 * kind, its two ends, and the number of such messages before it; that is enough, since these strategies go through
 * their phases in order:
 *
 *	DEM	each pair of partners exchanges a "load", and an "answer", once in a sweep; their dimension is that of the fold
 *	RIPS	each processor sends one "sum" in a phase, and gets one "mean"; what it sends until the next sum is of this phase
 *	HBM	an "update" goes to the level of the lowest bit in which its ends differ, and tasks cross that level; nothing is
 *		numbered, so that messages that overlap are one part */
#include "sim.h"

/* A message, as a piece of a part. */
struct piece {
	uint64_t number, from, to;	/* number of the phase, 0: it has none; ns */
	unsigned row, at;		/* index in rows[]; the dimension or level */
};

/* The text for a kind of messages: `before`, a dimension or level, `after`; before NULL: `after` alone. */
struct row {
	const char *strategy, *kind, *before, *after;
};

static const struct row rows[] = {
	{ "dem", "request", NULL, "a sweep is asked for" },
	{ "dem", "load", "dimension ", ", loads are compared" },
	{ "dem", "answer", "dimension ", ", loads are compared" },
	{ "dem", "tasks", "dimension ", ", tasks move" },
	{ "rips", "ready", NULL, "ready processors are counted" },
	{ "rips", "again", NULL, "ready processors are counted" },
	{ "rips", "init", NULL, "all processors are called to a system phase" },
	{ "rips", "sum", NULL, "sums go up the tree" },
	{ "rips", "mean", NULL, "the mean comes down the tree" },
	{ "rips", "load", NULL, "loads are exchanged" },
	{ "rips", "tasks", NULL, "tasks move" },
	{ "hbm", "update", "loads go up to level ", "" },
	{ "hbm", "order", NULL, "orders go down" },
	{ "hbm", "tasks", "tasks move between the halves of domains of level ", "" },
};
enum { ROWS = sizeof(rows) / sizeof(*rows) };

static struct {
	const struct dls_net *net;
	const char *strategy;
	struct piece *piece;
	size_t pieces;
	unsigned *count;		/* DEM: loads, of each processor and dimension; RIPS: sums and means, of each processor */
	unsigned folds;
} s;

static bool is(const char *name)
{
	return strcmp(s.strategy, name) == 0;
}

void phases_begin(const struct dls_strategy *strategy, const struct dls_net *net)
{
	s.net = net;
	s.strategy = strategy->name;
	s.piece = NULL;
	s.pieces = 0;
	s.folds = dls_net_folds(net);
	s.count = tool_need(calloc((size_t)net->processors * (s.folds + 2), sizeof(*s.count)));
}

/* The dimension in which two processors are partners. */
static unsigned fold_of(unsigned a, unsigned b)
{
	unsigned d = 0;

	while (d + 1 < s.folds && dls_net_fold(s.net, a, d) != b)
		d++;
	return d;
}

/* DEM: the sweep that a message between partners belongs to.  The upper one tells its load first. */
static uint64_t sweep_of(const char *kind, unsigned from, unsigned to, unsigned d)
{
	unsigned upper = from > to ? from : to, *loads = &s.count[(size_t)upper * s.folds + d];

	return strcmp(kind, "load") == 0 ? ++*loads : *loads;
}

/* RIPS: the phase that a processor is in, after this message. */
static uint64_t system_phase_of(const char *kind, unsigned from, unsigned to)
{
	unsigned *sums = s.count, *means = s.count + s.net->processors;

	if (strcmp(kind, "sum") == 0)
		return ++sums[from];
	if (strcmp(kind, "mean") == 0)
		return ++means[to];
	if (strcmp(kind, "tasks") == 0 || strcmp(kind, "load") == 0)
		return means[from] > means[to] ? means[from] : means[to];
	return 0;
}

void phases_add(const struct dls_machine_event *e)
{
	struct piece piece = { .from = e->from, .to = e->to };

	while (piece.row < ROWS && (!e->name || !is(rows[piece.row].strategy) || strcmp(rows[piece.row].kind, e->name) != 0))
		piece.row++;
	if (piece.row == ROWS)
		return;
	if (is("dem") && strcmp(e->name, "request") != 0) {
		piece.at = fold_of(e->processor, e->other);
		piece.number = sweep_of(e->name, e->other, e->processor, piece.at);
	} else if (is("rips")) {
		piece.number = system_phase_of(e->name, e->other, e->processor);
	} else if (is("hbm") && strcmp(e->name, "order") != 0) {
		piece.at = (unsigned)__builtin_ctz(e->processor ^ e->other) + 1;
	}
	/* Rows of one text are one. */
	while (piece.row > 0 && strcmp(rows[piece.row].after, rows[piece.row - 1].after) == 0)
		piece.row--;
	s.piece = tool_grow(s.piece, s.pieces, sizeof(*s.piece));
	s.piece[s.pieces++] = piece;
}

static bool same_part(const struct piece *a, const struct piece *b)
{
	return a->row == b->row && a->at == b->at && a->number == b->number;
}

static int by_part(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

static int by_time(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* Join the pieces of a part; those without a number only if they overlap. */
static void join(void)
{
	size_t n = 0;

	if (s.pieces == 0)
		return;
	qsort(s.piece, s.pieces, sizeof(*s.piece), by_part);
	for (size_t i = 0; i < s.pieces; i++) {
		struct piece *last = n ? &s.piece[n - 1] : NULL, *p = &s.piece[i];

		if (last && same_part(last, p) && (p->number || p->from <= last->to))
			last->to = p->to > last->to ? p->to : last->to;
		else
			s.piece[n++] = *p;
	}
	s.pieces = n;
	qsort(s.piece, s.pieces, sizeof(*s.piece), by_time);
}

void phases_end(FILE *f)
{
	join();
	fputs(",\n\"phase\":[", f);
	for (size_t i = 0; i < s.pieces; i++) {
		const struct piece *p = &s.piece[i];

		fprintf(f, "%s[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",\"", i ? "," : "", p->from, p->to, p->number);
		if (p->number)
			fprintf(f, "%s %" PRIu64 ": ", is("dem") ? "sweep" : "system phase", p->number);
		if (rows[p->row].before)
			fprintf(f, "%s%u", rows[p->row].before, p->at);
		fprintf(f, "%s\"]", rows[p->row].after);
	}
	fputs("]", f);
	free(s.piece);
	free(s.count);
}
