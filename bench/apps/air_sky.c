/* air_sky.c - the weather of the air pollution program, and how it moves particles.
 *
 * The wind at a point is the mean of the stations' measurements, each weighted by the inverse square of the station's distance
 * (Shepard, "A two-dimensional interpolation function for irregularly-spaced data", ACM National Conference 1968).
 * Departure: 1/4 is added to that square, in points, so that a station on a point needs no special case.
 *
 * Stations measure a breeze from the sea in the west from 9 to 21 o'clock, one as strong from the land at night, both
 * stronger near the coast, and gusts.  Computed by sums and products alone: the same bits from every compiler. */
#include "air.h"

#include "bench/tool/random.h"

enum { DAY = 24, MORNING = 9, STEPS = 6 /* of ten minutes */ };
static const double side = AIR_GRID - 1, breeze = 2 /* points per hour, at noon of either half of the day */;

/* A number from `from` to `to`. */
static double draw(uint64_t *state, double from, double to)
{
	return from + (to - from) * random_real(state);
}

/* From -1 to 1: a parabola over each half of the day. */
static double of_the_day(unsigned hour)
{
	unsigned h = (hour + DAY - MORNING) % DAY;
	double x = h % (DAY / 2) / (DAY / 2.);

	return h < DAY / 2 ? 4 * x * (1 - x) : -4 * x * (1 - x);
}

void air_weigh(struct air_sky *sky, unsigned row, unsigned column, const struct air_vector *station)
{
	double *weight = sky->weight[row][column], sum = 0;

	for (unsigned s = 0; s < AIR_STATIONS; s++) {
		double east = station[s].east - column, north = station[s].north - row;

		weight[s] = 1 / (east * east + north * north + .25);
		sum += weight[s];
	}
	for (unsigned s = 0; s < AIR_STATIONS; s++)
		weight[s] /= sum;
}

void air_draw(struct air_sky *sky, uint64_t seed)
{
	struct air_vector station[AIR_STATIONS];

	for (unsigned s = 0; s < AIR_STATIONS; s++) {
		station[s].east = draw(&seed, 0, side);
		station[s].north = draw(&seed, 0, side);
		for (unsigned hour = 0; hour <= AIR_HOURS; hour++) {
			double strength = breeze * (1.5 - station[s].east / side);

			sky->measured[hour][s].east = strength * of_the_day(hour) + draw(&seed, -1, 1);
			sky->measured[hour][s].north = draw(&seed, -1, 1);
		}
	}
	for (unsigned row = 0; row < AIR_GRID; row++)
		for (unsigned column = 0; column < AIR_GRID; column++)
			air_weigh(sky, row, column, station);
	for (unsigned p = 0; p < AIR_TRACERS; p++) {
		sky->start[p].east = draw(&seed, side / 4, side * 3 / 4);
		sky->start[p].north = draw(&seed, side / 4, side * 3 / 4);
	}
}

void air_wind(const struct air_sky *sky, uint64_t hour, struct air_field *field)
{
	const struct air_vector *measured = sky->measured[hour];

	field->hour = hour;
	for (unsigned row = 0; row < AIR_GRID; row++)
		for (unsigned column = 0; column < AIR_GRID; column++) {
			const double *weight = sky->weight[row][column];
			struct air_vector wind = { 0, 0 };

			for (unsigned s = 0; s < AIR_STATIONS; s++) {
				wind.east += weight[s] * measured[s].east;
				wind.north += weight[s] * measured[s].north;
			}
			field->at[row][column] = wind;
		}
}

/* Of the way from a to b. */
static struct air_vector mix(struct air_vector a, struct air_vector b, double part)
{
	return (struct air_vector){ a.east + part * (b.east - a.east), a.north + part * (b.north - a.north) };
}

/* The wind at a place. */
static struct air_vector wind_at(const struct air_field *field, struct air_vector at)
{
	unsigned column = at.east < side ? (unsigned)at.east : AIR_GRID - 2;
	unsigned row = at.north < side ? (unsigned)at.north : AIR_GRID - 2;
	const struct air_vector *south = &field->at[row][column], *north = &field->at[row + 1][column];

	return mix(mix(south[0], south[1], at.east - column), mix(north[0], north[1], at.east - column), at.north - row);
}

static double inside(double x)
{
	return x < 0 ? 0 : x > side ? side : x;
}

struct air_vector air_move(struct air_vector at, const struct air_field *from, const struct air_field *to)
{
	for (unsigned step = 0; step < STEPS; step++) {
		struct air_vector wind = mix(wind_at(from, at), wind_at(to, at), (double)step / STEPS);

		at.east = inside(at.east + wind.east / STEPS);
		at.north = inside(at.north + wind.north / STEPS);
	}
	return at;
}
