/* processes.c - a repartitioning whose machine has several processes: what they send each other at its opening and after a sweep.
 *
 * All processes have a record of every object, group and processor.  In a sweep each process changes the records of its own groups and
 * of the objects that they run.  Afterwards it sends these records, and 0 for all others: the sums over all processes are the new
 * records. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/mix.h"
#include "lib/base/reading.h"
#include "lib/repart/repart.h"

enum { OBJECT = 3, GROUP = 2 };		/* numbers sent for each */

static const struct dls__slice none = { "", 0 };
#define REFUSE(code, ...) dls__refuse(&(struct dls__input){ none, error }, code, none, __VA_ARGS__)

static size_t numbers(const struct dls_repart *r)
{
	return OBJECT * r->objects + GROUP * r->groups + r->processors;
}

static size_t pack(void *repart, size_t i, void *buffer, size_t room)
{
	const struct dls_repart *r = repart;

	return r->calls.pack ? r->calls.pack(i, buffer, room, r->calls.context) : 0;
}

static int unpack(void *repart, size_t i, const void *bytes, size_t size)
{
	struct dls_repart *r = repart;

	r->object[i].arrived = r->calls.unpack(i, bytes, size, r->calls.context);
	return 0;
}

int dls__repart_processes(struct dls_repart *r)
{
	r->processes.serializer = (struct dls__serializer){
		.arg = r, .type = r->type, .pack = pack, .unpack = unpack,
	};
	r->machine->serializer = &r->processes.serializer;
	r->processes.told = calloc(numbers(r), sizeof(*r->processes.told));
	return r->processes.told ? 0 : DLS_ENOMEM;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
	return dls__extend(dls__extend_text(hash, text ? text : ""), 256);
}

static uint64_t hash_of(const struct dls_repart *r, const struct dls_repart_desc *d)
{
	uint64_t hash = dls__extend(dls__extend(dls__extend(r->objects, r->processors), r->groups), (uint64_t)r->dedicated + 2 * !r->calls.pack);

	for (size_t i = 0; i < r->objects; i++)
		hash = dls__extend(dls__extend(dls__extend(hash, (uint64_t)r->object[i].weight), r->object[i].owner), r->type[i].bytes);
	for (unsigned g = 0; g < r->groups; g++)
		hash = dls__extend(hash, r->part[g].group.size);
	return mix_text(mix_text(mix_text(hash, d->schedule), d->inner), d->net);
}

int dls__repart_agree(const struct dls__engine *engine, const struct dls_repart *r, const struct dls_repart_desc *d, int code,
		      struct dls_parse_error *error)
{
	uint64_t hash = code ? 0 : hash_of(r, d), sum[3] = { hash, dls__extend(hash, 1), 1 };
	int least = code, failed = engine->least(&least);

	if (failed)
		return failed;
	if (least) {
		if (!code)
			REFUSE(least, "another rank's repartitioning is refused");
		return least;
	}
	failed = engine->sum(sum, 3);
	if (failed)
		return failed;
	if (sum[0] == hash * sum[2] && sum[1] == dls__extend(hash, 1) * sum[2])
		return 0;
	return REFUSE(DLS_EINVAL, "the ranks' descriptions differ; they have the same objects, weights, owners, processors, groups and "
				  "schedules");
}

int dls__repart_tell(struct dls_repart *r)
{
	uint64_t *at = r->processes.told;
	int code;

	for (size_t i = 0; i < r->objects; i++, at += OBJECT) {
		const struct dls__object *o = &r->object[i];

		at[0] = o->begun ? o->owner | (uint64_t)o->worker << 32 : 0;
		at[1] = o->begun ? o->time : 0;
		at[2] = o->begun ? (uint32_t)o->code : 0;
	}
	for (unsigned g = 0; g < r->groups; g++, at += GROUP) {
		at[0] = (uint64_t)r->part[g].done;
		at[1] = r->part[g].time;
	}
	for (unsigned i = 0; i < r->processors; i++)
		*at++ = r->member[i].work;
	code = r->machine->engine->sum(r->processes.told, numbers(r));
	if (code)
		return code;
	at = r->processes.told;
	for (size_t i = 0; i < r->objects; i++, at += OBJECT) {
		struct dls__object *o = &r->object[i];

		o->begun = true;
		o->owner = (unsigned)(at[0] & UINT32_MAX);
		o->worker = (unsigned)(at[0] >> 32);
		o->time = at[1];
		o->code = (int)(uint32_t)at[2];
	}
	for (unsigned g = 0; g < r->groups; g++, at += GROUP) {
		r->part[g].done = (int64_t)at[0];
		r->part[g].time = at[1];
	}
	for (unsigned i = 0; i < r->processors; i++)
		r->member[i].work = *at++;
	return 0;
}
