/* stored.c - the chunk table: weights of slots, as sums from the first slot on. */
#include "stored.h"

void dls__stored_fill(struct dls__stored *s, struct dls__level *level, const struct dls__alike *alike, size_t n,
		      unsigned shift)
{
	uint64_t slot = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t weight = alike[i].weight >> shift;

		weight = weight ? weight : 1;
		level[i] = (struct dls__level){ weight, slot, sum };
		slot += alike[i].slots;
		sum += alike[i].slots * weight;
	}
	level[n] = (struct dls__level){ 0, slot, sum };
	*s = (struct dls__stored){ .level = level, .levels = n, .head = 0, .tail = slot };
}

/* The last level whose first slot is at most `slot`, and that has a weight of at most `sum` before it. */
static const struct dls__level *level_of(const struct dls__stored *s, uint64_t slot, uint64_t sum)
{
	size_t low = 0, high = s->levels + 1;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		*(s->level[middle].first <= slot && s->level[middle].before <= sum ? &low : &high) = middle;
	}
	return &s->level[low];
}

/* Weight of all slots before this one. */
static uint64_t before(const struct dls__stored *s, uint64_t slot)
{
	const struct dls__level *level = level_of(s, slot, UINT64_MAX);

	return level->before + (slot - level->first) * level->weight;
}

/* The last slot with a weight of at most `sum` before it; slots after the last one weigh nothing. */
static uint64_t slot_at(const struct dls__stored *s, uint64_t sum)
{
	const struct dls__level *level = level_of(s, UINT64_MAX, sum);

	return level->first + (level->weight ? (sum - level->before) / level->weight : 0);
}

uint64_t dls__stored_weight(const struct dls__stored *s, uint64_t first, uint64_t end)
{
	return before(s, end) - before(s, first);
}

/* The slot for which the weight before it is nearest to `sum`; of two, the lower. */
static uint64_t nearest(const struct dls__stored *s, uint64_t sum)
{
	uint64_t low = slot_at(s, sum), high = low < s->tail ? low + 1 : low;

	return sum - before(s, low) <= before(s, high) - sum ? low : high;
}

uint64_t dls__stored_head(const struct dls__stored *s, uint64_t size)
{
	uint64_t left = dls__stored_left(s), end;

	if (size >= left)
		return s->tail - s->head;
	end = nearest(s, before(s, s->head) + size);
	return end > s->head ? end - s->head : 1;
}

uint64_t dls__stored_tail(const struct dls__stored *s, uint64_t size)
{
	uint64_t left = dls__stored_left(s), first;

	if (size >= left)
		return s->tail - s->head;
	first = nearest(s, before(s, s->tail) - size);
	return first < s->tail ? s->tail - first : 1;
}

uint64_t dls__stored_within(const struct dls__stored *s, uint64_t most)
{
	uint64_t left = dls__stored_left(s), sum, first;

	if (most >= left)
		return s->tail - s->head;
	sum = before(s, s->tail) - most;
	first = slot_at(s, sum);
	first += before(s, first) < sum;
	return s->tail - first;
}
