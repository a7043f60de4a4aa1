/* check.c - error messages about a description of a repartitioning. */
#include <inttypes.h>

#include "dls/loop.h"
#include "lib/base/reading.h"
#include "lib/repart/repart.h"

/* No part of a text is marked: errors are in values. */
static const struct dls__slice none = { "", 0 };
static const double SPEED_MIN = 1e-9, SPEED_MAX = 1e9;
#define REFUSE(code, ...) dls__refuse(&(struct dls__reading){ none, error }, code, none, __VA_ARGS__)

static int check_objects(const struct dls_repart_desc *d, struct dls_parse_error *error)
{
	int64_t total;

	if (d->objects == 0)
		return REFUSE(DLS_EINVAL, "0 objects; there is at least 1");
	if (!d->weight)
		return REFUSE(DLS_EINVAL, "no weights; each object has one");
	for (size_t i = 0; i < d->objects; i++)
		if (d->weight[i] <= 0)
			return REFUSE(DLS_EINVAL, "object %zu has the weight %" PRId64 ", not a number above 0", i, d->weight[i]);
	if (dls__total_weight(d->weight, d->objects, &total))
		return REFUSE(DLS_ERANGE, "the objects weigh more than 2^53 in all");
	return 0;
}

static int check_racks(const struct dls_repart_desc *d, struct dls_parse_error *error)
{
	uint64_t sum = 0;

	if (!d->rack && d->racks > 1)
		return REFUSE(DLS_EINVAL, "%zu racks, but no list of them", d->racks);
	if (d->rack && d->racks == 0)
		return REFUSE(DLS_EINVAL, "0 racks; a list has at least 1");
	for (size_t i = 0; d->rack && i < d->racks; i++) {
		if (d->rack[i] == 0)
			return REFUSE(DLS_EINVAL, "rack %zu has 0 processors; each has at least 1", i);
		sum += d->rack[i];
	}
	if (d->rack && d->processors && sum != d->processors)
		return REFUSE(DLS_EINVAL, "the racks have %" PRIu64 " processors, not %u", sum, d->processors);
	if (!d->shared && d->scheduler_rack >= (d->rack ? d->racks : 1))
		return REFUSE(DLS_ERANGE, "the scheduler is in rack %zu of %zu, counted from 0", d->scheduler_rack,
			      d->rack ? d->racks : 1);
	sum = d->rack ? sum : d->processors;
	if (sum > DLS_WORKERS_MAX)
		return REFUSE(DLS_ERANGE, "%" PRIu64 " processors; there are at most %u", sum, DLS_WORKERS_MAX);
	if (!d->shared && sum == 1)
		return REFUSE(DLS_EINVAL, "1 processor, which the scheduler takes: there are 2, or it is `shared`");
	return 0;
}

int dls__repart_check_processors(const struct dls_repart_desc *d, unsigned processors, struct dls_parse_error *error)
{
	for (size_t i = 0; d->owner && i < d->objects; i++)
		if (d->owner[i] >= processors)
			return REFUSE(DLS_ERANGE, "object %zu is owned by processor %u of %u, counted from 0", i, d->owner[i],
				      processors);
	for (unsigned i = 0; d->speed && i < processors; i++)
		if (!(d->speed[i] >= SPEED_MIN && d->speed[i] <= SPEED_MAX))	/* NaN too */
			return REFUSE(DLS_ERANGE, "processor %u has the speed %g, not one from %g to %g", i, d->speed[i], SPEED_MIN,
				      SPEED_MAX);
	return 0;
}

int dls__repart_check_groups(const struct dls_repart_desc *d, int code, struct dls_parse_error *error)
{
	if (code == DLS_ERANGE && d->racks > DLS_GROUP_RACKS_MAX)
		return REFUSE(DLS_ERANGE, "with the limit %u a group is of more than %d racks; with one up to %d none is", d->limit,
			      DLS_GROUP_RACKS_MAX, DLS_GROUP_RACKS_MAX);
	return code;
}

int dls__repart_check_regroup(const struct dls_repart_desc *d, bool returns, bool across, struct dls_parse_error *error)
{
	if (d->regroup > 0 && across)
		return REFUSE(DLS_EINVAL, "`regroup` is %u across ranks, whose groups keep their processors; it is 0", d->regroup);
	if (d->regroup > 0 && returns)
		return REFUSE(DLS_EINVAL, "`regroup` is %u with return=yes, under which objects keep their owners; it is 0", d->regroup);
	return 0;
}

int dls__repart_check(const struct dls_repart_desc *d, struct dls_parse_error *error)
{
	int code;

	if (!d->work)
		return REFUSE(DLS_EINVAL, "no `work` to be done on objects");
	if (!d->pack != !d->unpack)
		return REFUSE(DLS_EINVAL, "`pack` and `unpack` belong together: both, or neither");
	if (d->limit == 0)
		return REFUSE(DLS_EINVAL, "the limit of groups is 0; it is at least 1");
	code = check_objects(d, error);
	return code ? code : check_racks(d, error);
}
