/* faults.c - faults in virtual time, drawn from a seed. */
#include "lib/machine/costs.h"

static uint64_t hash(uint64_t seed, uint64_t a, uint64_t b)
{
	uint64_t z = seed ^ a * UINT64_C(0x9e3779b97f4a7c15) ^ b * UINT64_C(0xd1b54a32d192ed03);

	z = (z ^ z >> 32) * UINT64_C(0xd6e8feb86659fd93);
	z = (z ^ z >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return z ^ z >> 32;
}

/* The link's delay is drawn anew every `delay` ns; in between, the arrival rises linearly with `time`. */
uint64_t dls__faults_late(const struct dls__faults *faults, uint64_t seed, uint64_t link, uint64_t time)
{
	uint64_t D = faults->delay, k = time / D, late;
	uint64_t from = k * D + hash(seed, link, k) % D, to = (k + 1) * D + hash(seed, link, k + 1) % D;

	if (time > INT64_MAX)
		return time;
	late = from + (uint64_t)((double)(to - from) * ((double)(time - k * D) / (double)D));
	return late > time ? late : time;
}

uint64_t dls__faults_stalled(const struct dls__faults *faults, uint64_t seed, uint32_t id, uint64_t time)
{
	uint64_t S = faults->stall, period = 8 * S, k = time / period;
	uint64_t from = k * period + hash(seed, id, 2 * k) % (period - S), to = from + hash(seed, id, 2 * k + 1) % S;

	return time >= from && time < to ? to : time;
}

double dls__faults_slowed(const struct dls__faults *faults, uint64_t seed, uint32_t id)
{
	return 1 + (faults->slow - 1) * ((double)(hash(seed, id, UINT64_MAX) >> 11) * 0x1p-53);
}
