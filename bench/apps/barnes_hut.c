/* barnes_hut.c - gravity between bodies in clusters, by a tree of cells. */
#include "barnes_hut.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tool/random.h"
#include "dls/error.h"

enum { OCTANTS = 8, DEPTH_MAX = 40, CLUSTERS = 6 };
static const double SOFTENING = 1e-3;	/* of distances: no pair is so near that it drowns the others */
static const double FARTHEST = 6;	/* of a cluster's bodies from its centre, in its radii */

/* Plummer, "On the problem of distribution in globular star clusters", MNRAS 71:460-470, 1911: the part of the mass within r is
 * (1 + (a / r)^2)^(-3/2). */
static double plummer(double a, uint64_t *random)
{
	double r;

	do
		r = a / sqrt(pow(random_positive(random), -2.0 / 3) - 1);
	while (!(r < FARTHEST * a));
	return r;
}

/* Uniform in the unit ball, then of length 1. */
static void direction(double to[3], uint64_t *random)
{
	double square;

	do {
		square = 0;
		for (unsigned k = 0; k < 3; k++) {
			to[k] = 2 * random_real(random) - 1;
			square += to[k] * to[k];
		}
	} while (square > 1 || square < 1e-6);
	for (unsigned k = 0; k < 3; k++)
		to[k] /= sqrt(square);
}

/* Half of the bodies are in the first cluster, half of the rest in the second, ...; each is the denser the later it comes. */
static void scatter(struct barnes_hut *b, uint64_t seed)
{
	double centre[CLUSTERS][3];

	for (unsigned c = 0; c < CLUSTERS; c++)
		for (unsigned k = 0; k < 3; k++)
			centre[c][k] = 2 * random_real(&seed) - 1;
	for (uint32_t i = 0; i < b->bodies; i++) {
		unsigned c = (unsigned)fmin(CLUSTERS - 1, -log2(random_positive(&seed)));
		double a = 0.3 / (1 + c), r = plummer(a, &seed), to[3];

		direction(to, &seed);
		b->body[i] = (struct barnes_hut_body){ .mass = 1.0 / b->bodies, .id = i };
		for (unsigned k = 0; k < 3; k++)
			b->body[i].at[k] = centre[c][k] + r * to[k];
	}
}

/* The number of a new cell; UINT32_MAX: there is no memory. */
static uint32_t add_cell(struct barnes_hut *b)
{
	if (b->cells == b->room) {
		uint32_t room = 2 * b->room + 64;
		struct barnes_hut_cell *cell = realloc(b->cell, room * sizeof(*cell));

		if (!cell)
			return UINT32_MAX;
		b->cell = cell;
		b->room = room;
	}
	return b->cells++;
}

static unsigned octant(const struct barnes_hut_body *body, const double middle[3])
{
	return (body->at[0] >= middle[0]) * 4U + (body->at[1] >= middle[1]) * 2U + (body->at[2] >= middle[2]);
}

/* Sort bodies first .. end - 1 by their octants: those of octant o are from edge[o] on. */
static void divide(struct barnes_hut *b, uint32_t first, uint32_t end, const double middle[3], uint32_t edge[OCTANTS + 1])
{
	uint32_t next[OCTANTS];

	memset(edge, 0, (OCTANTS + 1) * sizeof(*edge));
	for (uint32_t i = first; i < end; i++)
		edge[octant(&b->body[i], middle) + 1]++;
	edge[0] = first;
	for (unsigned o = 0; o < OCTANTS; o++) {
		edge[o + 1] += edge[o];
		next[o] = edge[o];
	}
	memcpy(&b->spare[first], &b->body[first], (end - first) * sizeof(*b->body));
	for (uint32_t i = first; i < end; i++)
		b->body[next[octant(&b->spare[i], middle)]++] = b->spare[i];
}

static int grow(struct barnes_hut *b, uint32_t first, uint32_t end, const double corner[3], double side, unsigned depth)
{
	uint32_t own = add_cell(b), edge[OCTANTS + 1];
	double half = side / 2, middle[3] = { corner[0] + half, corner[1] + half, corner[2] + half };
	struct barnes_hut_cell cell = { .side = side, .first = first, .bodies = end - first };
	int code = 0;

	if (own == UINT32_MAX)
		return DLS_ENOMEM;
	for (uint32_t i = first; i < end; i++) {
		cell.mass += b->body[i].mass;
		for (unsigned k = 0; k < 3; k++)
			cell.centre[k] += b->body[i].mass * b->body[i].at[k];
	}
	for (unsigned k = 0; k < 3; k++)
		cell.centre[k] /= cell.mass;
	if (cell.bodies > BARNES_HUT_LEAF && depth < DEPTH_MAX) {
		divide(b, first, end, middle, edge);
		for (unsigned o = 0; o < OCTANTS && !code; o++) {
			double of[3] = { o & 4 ? middle[0] : corner[0], o & 2 ? middle[1] : corner[1], o & 1 ? middle[2] : corner[2] };

			code = edge[o] < edge[o + 1] ? grow(b, edge[o], edge[o + 1], of, half, depth + 1) : 0;
		}
	}
	cell.next = b->cells;
	b->cell[own] = cell;
	return code;
}

/* In the smallest cube from the least of each coordinate. */
int barnes_hut_build(struct barnes_hut *b)
{
	double low[3], side = 0;

	for (unsigned k = 0; k < 3; k++) {
		double high = low[k] = b->body[0].at[k];

		for (uint32_t i = 1; i < b->bodies; i++) {
			low[k] = fmin(low[k], b->body[i].at[k]);
			high = fmax(high, b->body[i].at[k]);
		}
		side = fmax(side, high - low[k]);
	}
	b->cells = 0;
	return grow(b, 0, b->bodies, low, side, 0);
}

int barnes_hut_open(struct barnes_hut *b, uint32_t bodies, double theta, uint64_t seed)
{
	int code;

	*b = (struct barnes_hut){ .bodies = bodies, .theta = theta };
	b->body = calloc(bodies, sizeof(*b->body));
	b->spare = calloc(bodies, sizeof(*b->spare));
	if (b->body && b->spare)
		scatter(b, seed);
	code = b->body && b->spare ? barnes_hut_build(b) : DLS_ENOMEM;
	if (code)
		barnes_hut_close(b);
	return code;
}

void barnes_hut_close(struct barnes_hut *b)
{
	free(b->body);
	free(b->spare);
	free(b->cell);
	*b = (struct barnes_hut){ .bodies = 0 };
}

static double square_distance(const double from[3], const double to[3])
{
	double x = to[0] - from[0], y = to[1] - from[1], z = to[2] - from[2];

	return x * x + y * y + z * z;
}

static inline void pull(struct barnes_hut_force *f, const double at[3], const double by[3], double mass)
{
	double r2 = square_distance(at, by) + SOFTENING * SOFTENING, w = mass / (r2 * sqrt(r2));

	for (unsigned k = 0; k < 3; k++)
		f->of[k] += w * (by[k] - at[k]);
	f->pulls++;
}

static void pull_all(const struct barnes_hut *b, struct barnes_hut_force *f, uint32_t i, uint32_t first, uint32_t n)
{
	for (uint32_t j = first; j < first + n; j++)
		if (j != i)
			pull(f, b->body[i].at, b->body[j].at, b->body[j].mass);
}

enum meeting { ACTS, LEAF, OPENED };

/* What a cell does to a body. */
static inline enum meeting meet(const struct barnes_hut *b, uint32_t i, uint32_t k)
{
	const struct barnes_hut_cell *c = &b->cell[k];
	bool far = c->side * c->side < b->theta * b->theta * square_distance(b->body[i].at, c->centre);

	if (far && i - c->first >= c->bodies)	/* also for i below first, as these are unsigned */
		return ACTS;
	return c->next == k + 1 ? LEAF : OPENED;
}

struct barnes_hut_force barnes_hut_force(const struct barnes_hut *b, uint32_t i)
{
	struct barnes_hut_force f = { .pulls = 0 };

	for (uint32_t k = 0; k < b->cells;) {
		const struct barnes_hut_cell *c = &b->cell[k];
		enum meeting meeting = meet(b, i, k);

		if (meeting == ACTS)
			pull(&f, b->body[i].at, c->centre, c->mass);
		else if (meeting == LEAF)
			pull_all(b, &f, i, c->first, c->bodies);
		k = meeting == OPENED ? k + 1 : c->next;
	}
	return f;
}

struct barnes_hut_force barnes_hut_direct(const struct barnes_hut *b, uint32_t i)
{
	struct barnes_hut_force f = { .pulls = 0 };

	pull_all(b, &f, i, 0, b->bodies);
	return f;
}
