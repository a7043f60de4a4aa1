/* grid.h - where chunks may start and end: at multiples of so many iterations. */
#ifndef LIB_DEAL_GRID_H
#define LIB_DEAL_GRID_H

#include <stdbool.h>
#include <stdint.h>

struct dls_schedule;
struct dls__ask;

/* At multiples of `of` iterations, counted in each row. */
struct dls__grid {
	uint64_t of;		/* 0 or 1: anywhere */
	uint64_t columns;	/* iterations of a row; 0: all rows together are one, since the rows' ends are multiples too */
};

/* The grid of a loop of n iterations under a schedule. */
struct dls__grid dls__grid_of(const struct dls_schedule *schedule, const struct dls__ask *ask, uint64_t n);

/* The grid of a multiple in a loop of n iterations that go by rows; rows = 0: it has one index. */
struct dls__grid dls__grid_by_rows(uint64_t multiple, uint64_t n, uint64_t rows);

/* The place of a grid at or after iteration x of N, or N; grid.of > 0. */
uint64_t dls__grid_up(struct dls__grid grid, uint64_t N, uint64_t x);

#endif
