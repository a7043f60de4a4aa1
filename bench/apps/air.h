/* air.h - Los Angeles air pollution: wind fields from weather stations, and particles that drift in them, as two classes
 * of tasks of a machine.
 *
 * Nishikawa 1993, section 5.2: a producer computes the wind of one hour at each point of a regular grid, from weighted measurements
 * of stations.  A consumer, the tracer of a particle, moves it from one hour to the next with the fields of both hours; the
 * particle's next tracer follows.  100 hours and 200 particles, half of the time in each class, 50 kB a field.
 *
 * Departures: the stations, their winds and the particles are drawn from a seed; 101 fields cover both ends of the first
 * and of the last hour; and a particle that reaches the border of the area stays on it.  air_sky.c computes fields and moves
 * particles.
 *
 * Each node has memory of its own, which no other node reads: the fields that it has computed or received, and its particles'
 * positions.  Nodes share only tables that are made before the run and do not change.  Only the tracers of a particle write its
 * path: all paths are the same bits as those of a serial run. */
#ifndef AIR_H
#define AIR_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/apps/nodes.h"
#include "dls/class.h"
#include "dls/machine.h"

enum { AIR_HOURS = 100, AIR_TRACERS = 200 };	/* most; and the paper's */
enum { AIR_GRID = 56, AIR_STATIONS = 24 };	/* points along a side of the area, 2 km apart; stations in it */

/** The classes. */
enum { AIR_FIELD, AIR_TRACER, AIR_CLASSES };

/** In points of the grid: a place, from its south-west corner; a wind, per hour. */
struct air_vector {
	double east, north;
};

/** The wind of an hour. */
struct air_field {
	uint64_t hour;
	struct air_vector at[AIR_GRID][AIR_GRID];	/* row by row from the south */
};

/** What is known before: what each station measures at each hour, its weight at each point, and where particles start. */
struct air_sky {
	struct air_vector measured[AIR_HOURS + 1][AIR_STATIONS];
	double weight[AIR_GRID][AIR_GRID][AIR_STATIONS];
	struct air_vector start[AIR_TRACERS];
};

/** Draw it, compute a field, move a particle by an hour. */
void air_draw(struct air_sky *sky, uint64_t seed);
void air_wind(const struct air_sky *sky, uint64_t hour, struct air_field *field);
struct air_vector air_move(struct air_vector at, const struct air_field *from, const struct air_field *to);
/** The weights of the stations' winds at a point of the grid. */
void air_weigh(struct air_sky *sky, unsigned row, unsigned column, const struct air_vector *station);

/** What tasks write. */
struct air_result {
	struct air_vector path[AIR_TRACERS][AIR_HOURS + 1];
	uint8_t fields[AIR_HOURS + 1], tracers[AIR_TRACERS][AIR_HOURS];	/* times each has run */
};

/** Marks of the balancer, in hours (air_balance.c). */
struct air_marks {
	int64_t high;	/* a node begins a new field if that is less than this ahead of the last tracers */
	int64_t low;	/* a field is begun for the first tracers if that is less than this ahead of them */
	int64_t diff;	/* tracers move if those of two nodes are further apart */
};

/** As in nodes.h; jitter is below 1. */
struct air_setup {
	unsigned nodes;
	const char *policy;		/* of tracers; NULL: "phase,links=any"; "none": no balancing, fields dealt round robin */
	uint64_t time;
	double jitter;
	uint64_t seed;
	uint64_t copy;			/* ns that a field takes more for each other node: both ends' copies of its bytes ... */
	double copy_0;			/* ... times this on node 0, whose speed is another; 0: 1 */
	unsigned hours, tracers;
	const struct air_marks *marks;	/* NULL: N + 2, N + 2 and N + 1 of N nodes */
};

/** One node's memory, on cache lines of its own. */
struct air_node {
	_Alignas(64) bool have[AIR_HOURS + 1];	/* the field of the hour */
	struct air_vector at[AIR_TRACERS];	/* particles that are here */
	struct air_field field[AIR_HOURS + 1];
};

struct air {
	unsigned nodes, hours, tracers;
	uint64_t time, copy, copy_of_0, seed;
	double jitter;
	struct air_marks marks;
	bool balanced;
	struct dls_class_desc classes[AIR_CLASSES];
	unsigned class_count;
	struct memory memory;
	struct air_sky *sky;
	struct air_node *node;
	struct air_result *result, *serial;
};

/** DLS_ERANGE: also marks below 2, with which the field that the last node waits for might never be begun. */
int air_open(struct air *air, const struct air_setup *setup);
void air_close(struct air *air);
int air_deal(struct air *air, struct dls_machine *machine);
bool air_right(const struct air *air);

/** Balance upcalls of the classes; their context is the struct air. */
int air_balance_field(struct dls_view *view, unsigned node, void *context);
int air_balance_tracer(struct dls_view *view, unsigned node, void *context);

#endif
