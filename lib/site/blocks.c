/* blocks.c - which loops are static blocks that share nothing: what is asked for, what auto has found, and
 * whether that still holds.
 *
 * Each thread of a region computes its block from the number of iterations, its own number and the team's
 * size.  So all must agree that the loop is blocks, while the answer may change at any time: by
 * dls_site_set_schedule(), dls_site_set_measured(), dls_set_progress() or auto.
 *
 * B1: in a region of DLS_PARALLEL the answer depends on the site, the request and the region's version of the
 *     settings alone.  A new one takes effect in regions opened afterwards.
 * B2: in a plain region the site's first answer, if it is ALWAYS, holds for ever, except if `.schedule`
 *     changes it.  Else the first thread to come asks for each execution, if the threads share memory that
 *     tells the others (lib/region/combined.c).
 * B3: a loop that is not blocks is dealt, even if its schedule has become static.  Which loops have a work
 *     share in a region's segments depends on B1 alone. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "dls/calc.h"
#include "lib/auto/numbers.h"
#include "lib/base/message.h"
#include "lib/site/blocks.h"
#include "lib/site/env.h"
#include "lib/site/tuner.h"
#include "lib/schedule/schedule.h"
#include "sched/registry.h"

_Static_assert(sizeof(unsigned) == DLS__KIND_OTHER + 1, "a byte for each");

static bool asks_for_blocks(const struct dls_schedule *s)
{
	return s->calc == &dls__calc_static && !s->chunk && !s->weights && !s->site_weights && !s->spec &&
	       s->order != DLS__NONMONOTONIC && s->loop.curve == DLS_CURVE_ROWS && s->loop.multiple <= 1;
}

static bool asks_for_auto(const struct dls_schedule *s)
{
	return s->calc == &dls__calc_auto && s->loop.curve == DLS_CURVE_ROWS && s->loop.multiple <= 1;
}

/* The text of `.schedule` alone decides, since all threads have the same; whether it can be parsed may depend
 * on memory. */
static unsigned answer_to(const struct dls__kept_site *site, int kind, const struct dls_schedule *own,
			  unsigned below)
{
	const struct dls_schedule *s = site->entry ? site->entry : own;

	if (!s && kind == DLS__KIND_NONE)
		s = dls__env()->schedules.general;
	if (s ? asks_for_blocks(s) : kind == DLS__KIND_STATIC)
		return DLS__BLOCKS_ALWAYS;
	return (s ? asks_for_auto(s) : kind == DLS__KIND_AUTO) ? DLS__BLOCKS_AUTO | below : 0;
}

/* To all requests; what is measured is dealt. */
static unsigned answers(struct dls__kept_site *site)
{
	const struct dls__tuner *tuner = dls__tuner_of(site);
	/* relaxed, all: the sites are locked. */
	const struct dls_schedule *own = atomic_load_explicit(&site->own, memory_order_relaxed);
	unsigned below = tuner ? atomic_load_explicit(&tuner->blocks.below, memory_order_relaxed) : 0;
	unsigned all;
	unsigned char answer[sizeof(all)];

	dls__env();		/* which says who wants times for ever */
	if (atomic_load_explicit(&dls__times_wanted, memory_order_relaxed) & DLS__WANTED_FOR_EVER ||
	    atomic_load_explicit(&site->measure, memory_order_relaxed))
		return 0;
	for (int kind = 0; kind <= DLS__KIND_OTHER; kind++)
		answer[kind] = (unsigned char)answer_to(site, kind, own, below);
	memcpy(&all, answer, sizeof(all));
	return all;
}

void dls__blocks_made(struct dls__kept_site *site)
{
	site->below.first.value = answers(site);
}

void dls__blocks_changed(struct dls__kept_site *site)
{
	dls__versioned_set(&site->below, answers(site), 0);
}

static void tell_of_change(struct dls__kept_site *site)
{
	if (dls__first_to_tell(&site->told))
		dls__tell_user("%s: ran as static blocks in a plain parallel region before it was "
			       "given another schedule, or measured; it goes on so in plain regions, and changes "
			       "in those of DLS_PARALLEL", site->name);
}

/* 1 + the version of the settings at which the first thread came to the site in a plain region. */
static __attribute__((noinline)) uint64_t first_in_plain(struct dls__kept_site *site)
{
	uint64_t first = 0, now = dls__version_now() + 1;

	/* relaxed, here and below: the number alone matters. */
	atomic_compare_exchange_strong_explicit(&site->plain, &first, now, memory_order_relaxed,
						memory_order_relaxed);
	return first ? first : now;
}

bool dls__blocks_plain(struct dls__kept_site *site, int kind)
{
	uint64_t first = atomic_load_explicit(&site->plain, memory_order_relaxed);

	if (!first)
		first = first_in_plain(site);
	if (dls__blocks_at(site, kind, first - 1) != DLS__BLOCKS_ALWAYS)
		return false;
	if (dls__blocks_at(site, kind, UINT64_MAX) == 0)	/* changed last */
		tell_of_change(site);
	return true;
}

/* The octave of n iterations: b of 2^b .. 2^(b+1) - 1. */
static unsigned octave_of(uint64_t n)
{
	return 63 - (unsigned)__builtin_clzll(n | 1);
}

/* What was known of blocks that were late is of other loops.  The mutex is held. */
static void set_below(struct dls__kept_site *site, struct dls__auto_blocks *blocks, unsigned b)
{
	for (unsigned w = 0; w < DLS__BLOCKS_WORKERS; w++)
		atomic_store_explicit(&blocks->late[w], 0, memory_order_relaxed);
	dls__sites_lock();
	atomic_store_explicit(&blocks->below, b, memory_order_relaxed);
	dls__blocks_changed(site);
	dls__sites_unlock();
}

void dls__blocks_begin(struct dls__kept_site *site, unsigned b, double each)
{
	struct dls__auto_blocks *blocks = &dls__tuner_of(site)->blocks;

	blocks->undone = false;
	atomic_store_explicit(&blocks->each, (float)each, memory_order_relaxed);
	set_below(site, blocks, b);
}

/* Whether loops of a class that runs static are to be blocks: small ones at once, others once they have been
 * even for long. */
static bool wants_blocks(const struct dls__auto *known, const struct dls__size_class *c,
			 struct dls__auto_choice choice)
{
	return choice.schedule == DLS__AUTO_STATIC && c->octave / 2 + 1 < 32 &&
	       ((choice.more && dls__auto_small(c, (double)c->drift.last_wall)) ||
		dls__auto_settled(known, c, SETTLED));
}

void dls__blocks_consider(struct dls__kept_site *site, const struct dls__size_class *c,
			  struct dls__auto_choice choice)
{
	struct dls__tuner *tuner = dls__tuner_of(site);
	struct dls__auto_blocks *blocks = &tuner->blocks;
	unsigned b = c->octave / 2 + 1, before = atomic_load_explicit(&blocks->below, memory_order_relaxed);
	double wall = dls__auto_usual(c), work = fmax(wall - (double)c->region, 0.5 * wall);

	blocks->calm = wants_blocks(&tuner->known, c, choice) ? blocks->calm + 1 : 0;
	if (blocks->calm > 0 && blocks->calm >= blocks->enough && before < b)
		dls__blocks_begin(site, b, 1e9 * work * c->p / (double)c->n);
}

/* Deal loops of n iterations again, and larger ones; smaller ones have blocks of their own to be judged by.
 * The mutex is held. */
static void undo(struct dls__kept_site *site, struct dls__auto_blocks *blocks, uint64_t n)
{
	if (!blocks->undone && blocks->enough < UINT_MAX / IN_VAIN)
		blocks->enough = blocks->enough ? IN_VAIN * blocks->enough : IN_VAIN;
	blocks->undone = true;
	blocks->calm = 0;
	set_below(site, blocks, octave_of(n));
}

/* Whether a worker's blocks are often too long, after one more. */
static bool often_late(struct dls__auto_blocks *blocks, uint64_t n, unsigned worker, unsigned workers,
		       uint64_t took)
{
	atomic_ushort *late = &blocks->late[worker % DLS__BLOCKS_WORKERS];
	double each = (double)atomic_load_explicit(&blocks->each, memory_order_relaxed);
	bool is_long = (double)took > fmax(1e9 * BLOCKS_LONG, (1 + CHANGED) * each * (double)n / workers);
	/* Of two threads that write it at once one may be lost. */
	unsigned before = atomic_load_explicit(late, memory_order_relaxed);
	unsigned now = (2 * before + is_long) % (1u << BLOCKS_LAST);

	if (now != before)
		atomic_store_explicit(late, (unsigned short)now, memory_order_relaxed);
	return is_long && __builtin_popcount(now) >= RUNS;
}

void dls__blocks_timed(struct dls__kept_site *site, uint64_t n, unsigned worker, unsigned workers,
		       uint64_t took)
{
	struct dls__tuner *tuner = dls__tuner_of(site);
	struct dls__auto_blocks *blocks;

	if (!tuner)
		return;
	blocks = &tuner->blocks;
	/* One of a loop that is dealt by now is of no use. */
	if (!dls__is_blocks(atomic_load_explicit(&blocks->below, memory_order_relaxed), n))
		return;
	if (often_late(blocks, n, worker, workers, took) && pthread_mutex_trylock(&tuner->mutex) == 0) {
		undo(site, blocks, n);
		pthread_mutex_unlock(&tuner->mutex);
	}
}

bool dls__blocks_serial(struct dls__kept_site *site, uint64_t n, bool *timed)
{
	struct dls__tuner *tuner = dls__tuner_of(site);
	atomic_uint *place;
	unsigned answer;

	*timed = false;
	if (!tuner || n == 0 || octave_of(n) >= DLS__BLOCKS_OCTAVES)
		return false;
	place = &tuner->blocks.octave[octave_of(n)].answer;
	/* That two threads count one execution does no harm. */
	answer = atomic_load_explicit(place, memory_order_relaxed);
	*timed = answer < 2;
	if (!*timed)
		atomic_store_explicit(place, answer - 2, memory_order_relaxed);
	return answer & 1;
}

void dls__blocks_serial_ended(struct dls__kept_site *site, uint64_t n, bool serial, uint64_t took)
{
	struct dls__tuner *tuner = dls__tuner_of(site);
	struct dls__blocks_octave *o = &tuner->blocks.octave[octave_of(n)];
	uint32_t more;

	if (pthread_mutex_trylock(&tuner->mutex))
		return;
	/* Else it began before the last answer. */
	if (serial == (o->serial.by != DLS__BY_TEAM)) {
		more = dls__serial_ended(&o->serial, (float)took);
		serial = o->serial.by != DLS__BY_TEAM;
		atomic_store_explicit(&o->answer, 2 * more + serial, memory_order_relaxed);
	}
	pthread_mutex_unlock(&tuner->mutex);
}
