/* regroup.c - groups exchange processors before a sweep, and the objects stay with their groups.
 *
 * Banicescu & Carino 2005, section 6, of an earlier work of theirs with Rauber and Runger (PDCS 2004), which was not available: "each
 * group performs loop scheduling on its own partition.  However, the groups may be reorganized by the transfer of processors between
 * groups in order to balance the load among groups"; against it their own groups are fixed, and objects move.  They do not say which
 * processors, nor when: here between two sweeps, by the times of the first.
 *
 * G1: an exchange shortens the longer of the two groups' times by 1/32 or more.  So the times, sorted from
 *     the longest down, fall lexicographically, and the exchanges end.
 * G2: a group keeps its foreman, and has at most `regroup` members, a scheduler that counts towards its limit included, and
 *     DLS_GROUP_RACKS_MAX racks. */
#include <math.h>
#include <stdlib.h>

#include "lib/repart/repart.h"

void dls__repart_count(struct dls_repart *r)
{
	for (unsigned i = 0; i < r->processors; i++) {
		r->member[i].objects = 0;
		r->member[i].weight = 0;
	}
	for (size_t i = 0; i < r->objects; i++) {
		struct dls__repart_worker *owner = &r->member[r->object[i].owner];

		owner->objects++;
		owner->weight += r->object[i].weight;
	}
}

double dls__repart_own_time(const struct dls_repart *r, const struct dls__object *o)
{
	const struct dls_part *p = &r->part[o->worker];

	return o->code ? 0 : (double)o->time * p->slowed * p->speed;
}

bool dls__repart_timed(const struct dls_repart *r, double *weight, double *time)
{
	*weight = *time = 0;
	for (size_t i = 0; i < r->objects; i++) {
		double own = dls__repart_own_time(r, &r->object[i]);

		*weight += own > 0 ? (double)r->object[i].weight : 0;
		*time += own;
	}
	return *time > 0;
}

static const double ENOUGH = 31.0 / 32;		/* G1 */

/* Compute each group's burden: ns that its objects take on one processor of speed 1.  False: no object's time
 * is known.  An object without a time counts in proportion to its weight. */
static bool find_burdens(const struct dls_repart *r, double *burden)
{
	double weight, time;
	bool known = dls__repart_timed(r, &weight, &time);

	for (size_t i = 0; i < r->objects && known; i++) {
		double own = dls__repart_own_time(r, &r->object[i]);

		burden[r->member[r->object[i].owner].group] += own > 0 ? own : (double)r->object[i].weight * (time / weight);
	}
	return known;
}

static bool has_rack(const struct dls_group *g, unsigned rack)
{
	for (unsigned i = 0; i < g->racks; i++)
		if (g->rack[i] == rack)
			return true;
	return false;
}

/* Index of the last member that group `from` can give to group `to`: of a rack that `to` has or, if near is
 * false, of any rack; 0: none. */
static unsigned spare(const struct dls_part *from, const struct dls_part *to, bool near)
{
	unsigned m = from->group.size - 1;

	while (m > 0 && !has_rack(&to->group, from->member[m]->rack) && (near || to->group.racks == DLS_GROUP_RACKS_MAX))
		m--;
	return m;
}

/* Count a group's racks and add up its speeds anew, since a member has come or left. */
static void count_racks(struct dls_part *p)
{
	struct dls_group *g = &p->group;

	g->racks = 0;
	p->speed = 0;
	p->slowest = INFINITY;
	for (unsigned m = 0; m < g->size; m++) {
		unsigned i = 0;

		while (i < g->racks && g->rack[i] != p->member[m]->rack)
			i++;
		if (i == g->racks) {
			g->rack[g->racks] = p->member[m]->rack;
			g->from[g->racks++] = 0;
		}
		g->from[i]++;
		for (; i > 0 && g->from[i - 1] < g->from[i]; i--) {	/* the one with most members first */
			unsigned rack = g->rack[i], from = g->from[i];

			g->rack[i] = g->rack[i - 1];
			g->from[i] = g->from[i - 1];
			g->rack[i - 1] = rack;
			g->from[i - 1] = from;
		}
		p->speed += p->member[m]->speed;
		p->slowest = fmin(p->slowest, p->member[m]->speed);
	}
	p->changed = true;
}

static void give(struct dls_part *from, struct dls_part *to, unsigned m)
{
	struct dls__repart_worker *member = from->member[m];
	double was = from->speed, had = to->speed;

	from->group.size--;
	for (; m < from->group.size; m++)
		from->member[m] = from->member[m + 1];
	to->member[to->group.size++] = member;
	member->group = to->id;
	count_racks(from);
	count_racks(to);
	from->rate *= from->speed / was;
	to->rate *= to->speed / had;
}

/* Move a member to the group that will end last, from the group that ends first even without it.  False: no
 * exchange is worth it. */
static bool exchange(struct dls_repart *r, const double *burden, bool near)
{
	struct dls_part *to = &r->part[0], *from = NULL;
	double longest, least = INFINITY, speed;
	unsigned given = 0;

	for (unsigned g = 1; g < r->groups; g++)
		if (burden[g] / r->part[g].speed > burden[to->id] / to->speed)
			to = &r->part[g];
	longest = burden[to->id] / to->speed;
	if (to->group.size + to->group.scheduler >= r->regroup)
		return false;
	for (unsigned g = 0; g < r->groups; g++) {
		struct dls_part *p = &r->part[g];
		unsigned m = p == to ? 0 : spare(p, to, near);
		double time = burden[g] / (p->speed - p->member[m]->speed);

		if (m == 0 || time >= least)
			continue;
		least = time;
		from = p;
		given = m;
	}
	if (!from)
		return false;
	speed = from->member[given]->speed;
	if (fmax(least, burden[to->id] / (to->speed + speed)) > ENOUGH * longest)
		return false;
	give(from, to, given);
	return true;
}

struct dls__repart_worker *dls__repart_lightest(const struct dls_part *p)
{
	struct dls__repart_worker *found = p->member[0];

	for (unsigned m = 1; m < p->group.size; m++)
		if (p->member[m]->weight < found->weight)
			found = p->member[m];
	return found;
}

/* Deal the objects of processors that have left a group to its members: the heaviest first, each to the
 * member with the least weight. */
static void hand_down(struct dls_repart *r, const unsigned *was)
{
	for (size_t k = 0; k < r->objects; k++) {
		struct dls__object *o = &r->object[r->order[k].object];
		const struct dls_part *p = &r->part[was[o->owner]];
		struct dls__repart_worker *least;

		if (r->member[o->owner].group == p->id)
			continue;
		least = dls__repart_lightest(p);
		r->member[o->owner].weight -= o->weight;
		least->weight += o->weight;
		o->owner = (unsigned)(least - r->member);
	}
}

/* Exchange processors until no exchange is worth it.  Returns 0, or DLS_ENOMEM with nothing exchanged. */
static int regroup(struct dls_repart *r, size_t *exchanged)
{
	double *burden = calloc(r->groups, sizeof(*burden));
	unsigned *was = calloc(r->processors, sizeof(*was));
	int code = burden && was ? 0 : DLS_ENOMEM;

	if (!code && find_burdens(r, burden)) {
		for (unsigned i = 0; i < r->processors; i++)
			was[i] = r->member[i].group;
		while (exchange(r, burden, true) || exchange(r, burden, false))
			;
		for (unsigned i = 0; i < r->processors; i++)
			*exchanged += r->member[i].group != was[i];
		hand_down(r, was);
		dls__repart_count(r);
	}
	free(was);
	free(burden);
	return code;
}

int dls__repart_regroup(struct dls_repart *r, size_t *exchanged)
{
	int code = r->regroup > 0 ? regroup(r, exchanged) : 0;

	for (unsigned g = 0; g < r->groups && !code; g++)
		if (r->part[g].changed) {
			dls__part_close(&r->part[g]);
			code = dls__part_open(&r->part[g], r->inner, r->inner_h);
			r->part[g].changed = code != 0;
		}
	return code;
}
