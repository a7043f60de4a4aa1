/* groups.c - processors of racks into groups, and objects to their first owners: numbers in, numbers out.
 *
 * Banicescu & Carino, ETNA 21:66-80, 2005, sections 4.1 and 4.2.  The paper puts small rests of several racks together;
 * the least size of a rest that is a group by itself, and where smaller rests go, are choices that give its four groups
 * (section 5). */
#include <stdlib.h>
#include <string.h>

#include "dls/loop.h"
#include "dls/repart.h"
#include "lib/repart/heap.h"
#include "lib/repart/repart.h"

static const uint64_t WEIGHT_MAX = (uint64_t)1 << 53;	/* of all objects: exact in a double */

/* Processors of a group, the scheduler included. */
static unsigned counted(const struct dls_group *g)
{
	return g->size + g->scheduler;
}

static struct dls_group of_rack(unsigned rack, unsigned processors, bool scheduler)
{
	return (struct dls_group){ .size = processors - scheduler, .racks = 1, .rack = { rack },
				   .from = { processors - scheduler }, .scheduler = scheduler };
}

/* Cut one rack into full groups and a rest.  If it is the only rack and one processor would be left over,
 * that processor and the last two groups make three equal groups.  Returns the number of groups. */
static size_t cut_rack(struct dls_group *group, unsigned rack, unsigned processors, unsigned limit, bool scheduler,
		       bool only)
{
	size_t groups = (processors - 1) / limit + 1, equal = only && processors % limit == 1 ? 3 : 0;

	for (size_t left = groups; left > 0; left--) {
		unsigned size = processors < limit ? processors : limit;

		if (left <= equal)
			size = (unsigned)((processors + left - 1) / left);
		*group++ = of_rack(rack, size, scheduler);
		processors -= size;
		scheduler = false;
	}
	return groups;
}

static bool is_small(const struct dls_group *g, unsigned limit)
{
	return counted(g) < limit - counted(g);
}

/* Let `rest`, from one rack, join a group; the group's racks stay ordered by their number of processors. */
static int join(struct dls_group *g, struct dls_group *rest)
{
	unsigned i = g->racks;

	if (i == DLS_GROUP_RACKS_MAX)
		return DLS_ERANGE;
	for (; i > 0 && g->from[i - 1] < rest->size; i--) {
		g->rack[i] = g->rack[i - 1];
		g->from[i] = g->from[i - 1];
	}
	g->rack[i] = rest->rack[0];
	g->from[i] = rest->size;
	g->racks++;
	g->size += rest->size;
	g->scheduler |= rest->scheduler;
	*rest = (struct dls_group){ .size = 0 };
	return 0;
}

/* Small rests, one after the other, join the smallest group that has room, or remain groups that others may join. */
static int join_small(struct dls_group *group, size_t groups, unsigned limit)
{
	int code = 0;

	for (size_t i = 0; i < groups && !code; i++) {
		struct dls_group *best = NULL, *rest = &group[i];

		if (rest->size == 0 || !is_small(rest, limit))
			continue;
		for (size_t k = 0; k < groups; k++) {
			struct dls_group *g = &group[k];
			bool stands = g->size > 0 && (k < i || !is_small(g, limit));

			if (stands && counted(g) + counted(rest) <= limit && (!best || counted(g) < counted(best)))
				best = g;
		}
		code = best ? join(best, rest) : 0;
	}
	return code;
}

/* Form the groups.  Returns their number, or an error; `group` has room for as many as the racks give each by
 * itself. */
static int form(struct dls_group *group, const unsigned *rack, size_t racks, unsigned limit, size_t scheduler)
{
	size_t groups = 0, n = 0;
	int code;

	for (size_t i = 0; i < racks; i++)
		groups += cut_rack(&group[groups], (unsigned)i, rack[i], limit, i == scheduler, racks == 1);
	code = join_small(group, groups, limit);
	for (size_t i = 0; i < groups; i++)	/* drop rests that have joined or hold only the scheduler */
		if (group[i].size > 0)
			group[n++] = group[i];
	return code ? code : (int)n;
}

/* The largest possible number of groups; or an error. */
static int most_groups(const unsigned *rack, size_t racks, unsigned limit, size_t scheduler)
{
	uint64_t processors = 0, groups = 0;

	if (!rack || racks == 0 || limit == 0)
		return DLS_EINVAL;
	if (scheduler > racks)
		return DLS_ERANGE;
	for (size_t i = 0; i < racks; i++) {
		if (rack[i] == 0)
			return DLS_EINVAL;
		processors += rack[i];
		if (processors > DLS_WORKERS_MAX)
			return DLS_ERANGE;
		groups += (rack[i] - 1) / limit + 1;
	}
	return processors > (scheduler < racks) ? (int)groups : DLS_EINVAL;
}

int dls_group_form(const unsigned *rack, size_t racks, unsigned limit, size_t scheduler, struct dls_group *group,
		   size_t most, size_t *count)
{
	int groups = most_groups(rack, racks, limit, scheduler);
	struct dls_group *made;

	if (groups < 0)
		return groups;
	if (!count || (most > 0 && !group))
		return DLS_EINVAL;
	made = malloc((size_t)groups * sizeof(*made));
	if (!made)
		return DLS_ENOMEM;
	groups = form(made, rack, racks, limit, scheduler);
	if (groups > 0 && most > 0)
		memcpy(group, made, ((size_t)groups < most ? (size_t)groups : most) * sizeof(*group));
	free(made);
	if (groups < 0)
		return groups;
	*count = (size_t)groups;
	return 0;
}

static int falling(const void *x, const void *y)
{
	const struct dls__heavy *a = x, *b = y;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->object < b->object ? -1 : 1;
}

struct dls__heavy *dls__by_weight(const int64_t *weight, size_t objects)
{
	struct dls__heavy *order = objects <= SIZE_MAX / sizeof(*order) ? malloc(objects * sizeof(*order)) : NULL;

	for (size_t i = 0; order && i < objects; i++)
		order[i] = (struct dls__heavy){ weight[i], i };
	if (order)
		qsort(order, objects, sizeof(*order), falling);
	return order;
}

int dls__total_weight(const int64_t *weight, size_t objects, int64_t *total)
{
	uint64_t sum = 0;

	if (!weight || objects == 0)
		return DLS_EINVAL;
	for (size_t i = 0; i < objects; i++)
		if (weight[i] <= 0)
			return DLS_EINVAL;
	for (size_t i = 0; i < objects; i++) {
		if ((uint64_t)weight[i] > WEIGHT_MAX - sum)
			return DLS_ERANGE;
		sum += (uint64_t)weight[i];
	}
	*total = (int64_t)sum;
	return 0;
}

static int total_size(const unsigned *size, size_t groups, unsigned *total)
{
	uint64_t sum = 0;

	if (!size || groups == 0)
		return DLS_EINVAL;
	for (size_t i = 0; i < groups; i++) {
		if (size[i] == 0)
			return DLS_EINVAL;
		sum += size[i];
		if (sum > DLS_WORKERS_MAX)
			return DLS_ERANGE;
	}
	*total = (unsigned)sum;
	return 0;
}

/* With P processors and a total weight of W, a group of s processors with weight a is q = W s / P - a below
 * its quota.  Its key is P (W - q), which is an exact whole number and not negative.  A processor's key is
 * its weight.  `processor` holds the heaps of all groups, one after the other. */
static void deal(const struct dls__heavy *order, size_t objects, int64_t W, const unsigned *size, size_t groups,
		 unsigned P, struct dls__ranked *group, struct dls__ranked *processor, size_t *first, unsigned *owner)
{
	for (size_t g = 0, p = 0; g < groups; g++) {
		group[g] = (struct dls__ranked){ dls__wide_product((uint64_t)W, P - size[g]), (unsigned)g };
		first[g] = p;
		for (size_t end = p + size[g]; p < end; p++)
			processor[p] = (struct dls__ranked){ .id = (unsigned)p };
	}
	for (size_t k = groups / 2; k-- > 0;)
		dls__settle(group, groups, k);
	for (size_t i = 0; i < objects; i++) {
		unsigned g = group[0].id;
		struct dls__ranked *least = &processor[first[g]];

		owner[order[i].object] = least->id;
		least->key = dls__wide_sum(least->key, dls__wide_product((uint64_t)order[i].weight, 1));
		dls__settle(least, size[g], 0);
		group[0].key = dls__wide_sum(group[0].key, dls__wide_product((uint64_t)order[i].weight, P));
		dls__settle(group, groups, 0);
	}
}

int dls_group_deal(const int64_t *weight, size_t objects, const unsigned *size, size_t groups, unsigned *owner)
{
	int64_t W;
	unsigned P;
	int code = dls__total_weight(weight, objects, &W);

	if (!code)
		code = total_size(size, groups, &P);
	if (code || !owner)
		return code ? code : DLS_EINVAL;

	struct dls__heavy *order = dls__by_weight(weight, objects);
	struct dls__ranked *group = malloc(groups * sizeof(*group)), *processor = malloc(P * sizeof(*processor));
	size_t *first = malloc(groups * sizeof(*first));

	if (order && group && processor && first)
		deal(order, objects, W, size, groups, P, group, processor, first, owner);
	else
		code = DLS_ENOMEM;
	free(order);
	free(group);
	free(processor);
	free(first);
	return code;
}
