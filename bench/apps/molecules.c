/* molecules.c - forces between atoms of a molecule whose distance is less than a cut-off. */
#include "molecules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tool/random.h"
#include "dls/task.h"

enum { ANGSTROM = MOLECULES_ANGSTROM, CELL = 4 * ANGSTROM, CELLS = MOLECULES_CELLS };
enum { RADIUS = 1672963 };	/* of the sphere: the cube root of 3 ATOMS / (4 pi 0.1) angstrom */
enum { PROTEIN = 2660, WATER = 3 };	/* atoms: of the protein, of a molecule of water */
enum { PROTEIN_RADIUS = 1366874, WATER_RADIUS = 1759475 };	/* 20.857 and 26.847 angstrom */
enum { PROTEIN_PAIR = 204600 };	/* ns */

static uint64_t square(int64_t x)
{
	return (uint64_t)(x * x);
}

/* Evenly, between two distances from the centre. */
static void draw_atom(int32_t at[3], int32_t from, int32_t to, uint64_t *state)
{
	uint64_t r2;

	do {
		for (unsigned k = 0; k < 3; k++)
			at[k] = (int32_t)(random_next(state) % (2 * (uint64_t)to + 1)) - to;
		r2 = square(at[0]) + square(at[1]) + square(at[2]);
	} while (r2 > square(to) || r2 < square(from));
}

/* Its place along one side of the cube. */
static int cell_along(int32_t x)
{
	return (x + CELLS / 2 * CELL) / CELL;
}

static int cell_at(int x, int y, int z)
{
	return (x * CELLS + y) * CELLS + z;
}

static int cell_of(const int32_t at[3])
{
	return cell_at(cell_along(at[0]), cell_along(at[1]), cell_along(at[2]));
}

/* Put the drawn atoms into their cells, and those before `split` first in the loop. */
static void place(struct molecules_globule *g, int32_t drawn[ATOMS][3], unsigned split)
{
	uint32_t next[CELLS * CELLS * CELLS + 1] = { 0 }, early = 0, late = split;
	bool first[ATOMS];

	for (unsigned i = 0; i < ATOMS; i++)
		next[cell_of(drawn[i]) + 1]++;
	for (unsigned c = 0; c < CELLS * CELLS * CELLS; c++)
		next[c + 1] += next[c];
	memcpy(g->first, next, sizeof(next));
	for (unsigned i = 0; i < ATOMS; i++) {
		uint32_t to = next[cell_of(drawn[i])]++;

		memcpy(g->at[to], drawn[i], sizeof(drawn[i]));
		first[to] = i < split;
	}
	for (uint32_t i = 0; i < ATOMS; i++) {
		g->turn[i] = first[i] ? early++ : late++;
		g->loop[g->turn[i]] = i;
	}
}

void molecules_draw(struct molecules_globule *g, uint64_t seed)
{
	int32_t drawn[ATOMS][3];

	for (unsigned i = 0; i < ATOMS; i++)
		draw_atom(drawn[i], 0, RADIUS, &seed);
	place(g, drawn, ATOMS);
	g->once = false;
	g->pair = MOLECULES_PAIR;
}

void molecules_draw_protein(struct molecules_globule *g, uint64_t seed)
{
	int32_t drawn[ATOMS][3];

	for (unsigned i = 0; i < PROTEIN; i++)
		draw_atom(drawn[i], 0, PROTEIN_RADIUS, &seed);
	for (unsigned i = PROTEIN; i < ATOMS; i++)
		if ((i - PROTEIN) % WATER)
			memcpy(drawn[i], drawn[i - 1], sizeof(*drawn));
		else
			draw_atom(drawn[i], PROTEIN_RADIUS, WATER_RADIUS, &seed);
	place(g, drawn, PROTEIN);
	g->once = true;
	g->pair = PROTEIN_PAIR;
}

void molecules_meet(const struct molecules *m, unsigned i, unsigned j, struct molecules_force *f)
{
	const int32_t *a = m->globule->at[i], *b = m->globule->at[j];
	uint64_t r2 = square((int64_t)a[0] - b[0]) + square((int64_t)a[1] - b[1]) + square((int64_t)a[2] - b[2]);
	double u, w;

	if (r2 > square((int64_t)m->cutoff * ANGSTROM) || i == j)
		return;
	u = 9 / (1 + (double)r2 * 0x1p-32);	/* (3 angstrom / r)^2 */
	w = u * u * u * (2 * u * u * u - 1) * u;
	for (unsigned k = 0; k < 3; k++)
		f->of[k] += w * (double)(a[k] - b[k]);
	f->pairs++;
}

/* The force on atom i, and the pairs that cost i time.  Atoms of cells along z are consecutive in at[]. */
static struct molecules_force force_on(const struct molecules *m, unsigned i)
{
	const struct molecules_globule *g = m->globule;
	struct molecules_force f = { .pairs = 0 };
	int reach = (int)m->cutoff / 4, from[3], to[3];

	for (unsigned k = 0; k < 3; k++) {
		int own = cell_along(g->at[i][k]);

		from[k] = own > reach ? own - reach : 0;
		to[k] = own + reach < CELLS ? own + reach : CELLS - 1;
	}
	for (int x = from[0]; x <= to[0]; x++)
		for (int y = from[1]; y <= to[1]; y++)
			for (uint32_t j = g->first[cell_at(x, y, from[2])]; j < g->first[cell_at(x, y, to[2]) + 1]; j++) {
				uint64_t before = f.pairs;

				molecules_meet(m, i, j, &f);
				if (g->once && g->turn[j] < g->turn[i])
					f.pairs = before;
			}
	return f;
}

/* The first of n to fall to part k of so many. */
static uint64_t part(uint64_t n, uint64_t k, uint64_t parts)
{
	return n * k / parts;
}

static uint64_t run_piece_at(const struct molecules *m, uint64_t piece)
{
	uint64_t pairs = 0;

	for (uint64_t i = part(ATOMS, piece, MOLECULES_PIECES); i < part(ATOMS, piece + 1, MOLECULES_PIECES); i++) {
		uint32_t atom = m->globule->loop[i];

		m->force[atom] = force_on(m, atom);
		pairs += m->force[atom].pairs;
	}
	return pairs;
}

/* Do the work of a piece, then spend on the machine the time that its pairs of atoms cost. */
static void spend(struct dls_vp *vp, struct molecules *m, uint64_t piece)
{
	double along = ((double)piece + 0.5) / MOLECULES_PIECES, ns = (double)(run_piece_at(m, piece) * m->globule->pair);

	tree_spend(vp, &m->tree, (uint64_t)llround(ns * (1 + m->skew * (1 - 2 * along))));
}

static int run_piece(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct molecules *m = context;

	spend(vp, m, task->arg[0]);
	return 0;
}

/* Tasks of a type with first .. end - 1. */
static int spawn(struct dls_vp *vp, struct molecules *m, const struct dls_task_type *type, uint64_t first,
		 uint64_t end)
{
	int code = 0;

	for (uint64_t i = first; i < end && code == 0; i++)
		code = tree_spawn(vp, &m->tree, &(struct dls_task){ .type = type, .arg = { i } });
	return code;
}

static int run_initial(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct molecules *m = context;
	uint64_t first = part(MOLECULES_PIECES, task->arg[0], MOLECULES_INITIAL);
	uint64_t end = part(MOLECULES_PIECES, task->arg[0] + 1, MOLECULES_INITIAL);
	int code = spawn(vp, m, &m->piece, first + 1, end);

	spend(vp, m, first);
	return code;
}

static int run_root(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct molecules *m = context;

	return spawn(vp, m, &m->initial, task->arg[0], task->arg[1]);
}

int molecules_open(struct molecules *m, const struct molecules_globule *globule, unsigned cutoff, double skew)
{
	struct dls_task_type type = { .size = sizeof(type), .name = "molecules", .context = m, .bytes = TREE_BYTES };

	if (cutoff % 4 || !(skew >= 0 && skew <= 1))
		return DLS_EINVAL;
	*m = (struct molecules){ .globule = globule, .cutoff = cutoff, .skew = skew, .force = calloc(ATOMS, sizeof(*m->force)) };
	m->root = m->initial = m->piece = type;
	m->root.run = run_root;
	m->initial.run = run_initial;
	m->piece.run = run_piece;
	return m->force ? 0 : DLS_ENOMEM;
}

void molecules_close(struct molecules *m)
{
	tree_free(&m->tree);
	free(m->force);
}

struct dls_task molecules_root(const struct molecules *m)
{
	return (struct dls_task){ .type = &m->root, .arg = { 0, MOLECULES_INITIAL } };
}

int molecules_deal(const struct molecules *m, struct dls_machine *machine)
{
	return tree_deal_blocks(machine, dls_machine_net(machine)->processors, &m->root, 0, MOLECULES_INITIAL);
}

uint64_t molecules_pairs(const struct molecules *m)
{
	uint64_t pairs = 0;

	for (unsigned i = 0; i < ATOMS; i++)
		pairs += m->force[i].pairs;
	return pairs;
}
