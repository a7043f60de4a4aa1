/* costs.c - what things cost on a machine, and the faults that it may have: presets and keys.
 *
 * ipsc2    Willebeek-LeMair & Reeves, "Strategies for dynamic load balancing on highly parallel computers", IEEE TPDS
 *          4(9):979-993, 1993: an Intel iPSC/2 whose nodes look for messages every 130 us (100 loops of 1.3 us).
 *          Departure: the poll of 40 us is derived from their T_bal / T_opt.
 * cm5      the TMC CM-5 of Shu & Wu, "Runtime incremental parallel scheduling (RIPS) on distributed memory computers":
 *          50 us for a control message at either processor, 650 for one with tasks and 20 for each of these, 190 to
 *          create a task and to begin one, 300 to schedule it, 200 to enter a system phase, 10 on the way, 8 MB/s.
 *          Departure: the paper has no such table; these fit its figures.  Its tasks poll, here every 4 ms.
 * nectar   SUN 4/330 joined by Nectar: Nishikawa & Steenkiste, "A general architecture for load balancing in a
 *          distributed-memory environment", ICDCS 1993: messages are handled between tasks alone.  The paper gives no
 *          times; 0.3 ms at either processor, 0.2 ms on the way, 3 MB/s and 0.2 ms of a scheduler for each status fit its
 *          tables.
 * cluster  round figures of present-day clusters: 1 us at either processor, 1.5 us on the way, 10 GB/s.
 * ideal    nothing costs anything, except a microsecond on the way and between checks: if messages took no time at all, the
 *          clock would stand still under a strategy that keeps sending them. */
#include <math.h>
#include <string.h>

#include "lib/base/name.h"
#include "lib/base/reading.h"
#include "lib/schedule/param.h"
#include "lib/machine/costs.h"

static const struct dls__machine_costs presets[] = {
	{ .preset = "ipsc2", .quantum = 130000, .poll = 40000, .send = 150000, .receive = 150000, .latency = 50000,
	  .hop = 10000, .pause = 100000000, .longer = 100, .setup = 310000, .byte = 360 },
	{ .preset = "cm5", .quantum = 4000000, .send = 50000, .receive = 50000, .latency = 10000, .pause = 1000000,
	  .longer = 100, .byte = 125, .carry = 600000, .pack = 20000, .create = 190000, .dequeue = 190000,
	  .schedule = 300000, .phase = 200000 },
	{ .preset = "nectar", .quantum = 1000000000000, .send = 300000, .receive = 300000, .latency = 200000,
	  .pause = 100000000, .byte = 333, .schedule = 200000 },
	{ .preset = "cluster", .quantum = 10000, .poll = 50, .send = 1000, .receive = 1000, .latency = 1500, .hop = 100,
	  .pause = 100000, .byte = 0.1 },
	{ .preset = "ideal", .quantum = 1000, .latency = 1000, .pause = 100000 },
};
enum { PRESETS = sizeof(presets) / sizeof(*presets) };

enum { QUANTUM, POLL, SEND, RECEIVE, LATENCY, HOP, LONG, SETUP, BYTE, PAUSE, CARRY, PACK, CREATE,
       DEQUEUE, SCHEDULE, PHASE, KEYS };
#define SECONDS(key, least, meaning) { .name = key, .min = least, .max = 1000, .text = "s; " meaning }
const struct dls_param dls__costs_keys[KEYS + 1] = {
	[QUANTUM] = SECONDS("quantum", 0, "a task checks for messages after so long, 0: it is interrupted by each"),
	[POLL] = SECONDS("poll", 0, "one check for messages"),
	[SEND] = SECONDS("send", 0, "one message, at the processor"),
	[RECEIVE] = SECONDS("receive", 0, "one message, at the processor"),
	[LATENCY] = SECONDS("latency", 0, "a message's way to a neighbour"),
	[HOP] = SECONDS("hop", 0, "a message's way over each further link"),
	[LONG] = { .name = "long", .max = 4294967295, .whole = true, .text = "bytes above which a message takes longer" },
	[SETUP] = SECONDS("setup", 0, "that a long message takes more on the way"),
	[BYTE] = { .name = "byte", .max = 1, .text = "s; that each byte of a long message takes more" },
	[PAUSE] = SECONDS("pause", 1e-9, "default timer period"),
	[CARRY] = SECONDS("carry", 0, "that a message with tasks takes more, at either processor"),
	[PACK] = SECONDS("pack", 0, "... and each of its tasks"),
	[CREATE] = SECONDS("create", 0, "a task that is spawned"),
	[DEQUEUE] = SECONDS("dequeue", 0, "a task that is begun"),
	[SCHEDULE] = SECONDS("schedule", 0, "a task that a strategy which says so gives its place"),
	[PHASE] = SECONDS("phase", 0, "a phase without tasks, that a strategy which says so enters"),
};

/* Rounded: a cast alone would not make 130e-6 s 130000 ns. */
static uint64_t ns(double seconds)
{
	return (uint64_t)llround(seconds * 1e9);
}

static uint64_t *place(struct dls__machine_costs *c, int key)
{
	uint64_t *const at[KEYS] = { &c->quantum, &c->poll, &c->send, &c->receive, &c->latency, &c->hop, &c->longer,
				     &c->setup, NULL, &c->pause, &c->carry, &c->pack, &c->create, &c->dequeue,
				     &c->schedule, &c->phase };

	return at[key];
}

/* Parse KEY=VALUE into its key's place in `given`. */
static int parse_pair(const struct dls__reading *in, const struct dls_param *param, size_t n,
		      struct dls__slice field, double *given)
{
	struct dls__slice value = field, key = dls__cut(&value, '=');
	char text[160];
	struct dls__printer to = { text, sizeof(text), 0 };
	struct dls_value parsed;
	int which = value.s ? dls__param_find(param, n, key) : -1, code;

	if (which < 0) {
		dls__param_names(&to, param, n);
		return dls__refuse(in, value.s ? DLS_ENOENT : DLS_EINVAL, key,
				   "KEY=VALUE belongs here, KEY being one of:%s", text);
	}
	value = dls__trim(value);
	if (!isnan(given[which]))
		return dls__refuse(in, DLS_EINVAL, value, "%s is given twice", param[which].name);
	code = dls__param_parse(in, &param[which], value, &parsed, NULL);
	if (!code)
		given[which] = parsed.real;
	return code;
}

/* Parse pairs between commas; given[i] is the value of key i, NAN: it is not given. */
static int parse_pairs(const struct dls__reading *in, const struct dls_param *param, size_t n,
		       struct dls__slice rest, double *given)
{
	int code = 0;

	for (size_t i = 0; i < n; i++)
		given[i] = NAN;
	while (!code && rest.s)
		code = parse_pair(in, param, n, dls__cut(&rest, ','), given);
	return code;
}

static const struct dls__machine_costs *preset_named(struct dls__slice name)
{
	for (size_t i = 0; i < PRESETS; i++)
		if (dls__name_equal(name.s, name.n, presets[i].preset, strlen(presets[i].preset)))
			return &presets[i];
	return NULL;
}

int dls__costs_parse(struct dls__machine_costs *costs, const char *text, struct dls_parse_error *error)
{
	struct dls__reading in = { { text, strlen(text) }, error };
	struct dls__slice rest = in.all, name = dls__cut(&rest, ',');
	const struct dls__machine_costs *preset = preset_named(name);
	double given[KEYS];
	int code;

	if (!preset)
		return dls__refuse(&in, DLS_ENOENT, name,
				   "no costs have this name; there are: ipsc2 cm5 nectar cluster ideal");
	code = parse_pairs(&in, dls__costs_keys, KEYS, rest, given);
	if (code)
		return code;
	*costs = *preset;
	for (int key = 0; key < KEYS; key++)
		if (key == BYTE && !isnan(given[key]))
			costs->byte = given[key] * 1e9;
		else if (!isnan(given[key]))
			*place(costs, key) = key == LONG ? (uint64_t)given[key] : ns(given[key]);
	return 0;
}

enum { DELAY, STALL, SLOW, FAULTS };
const struct dls_param dls__faults_keys[FAULTS + 1] = {
	[DELAY] = SECONDS("delay", 0, "each message is late by up to so much"),
	[STALL] = SECONDS("stall", 0, "each processor stops for up to so long now and then"),
	[SLOW] = { .name = "slow", .min = 1, .max = 1e6, .text = "times that some processors are slower, at most" },
};

int dls__faults_parse(struct dls__faults *faults, const char *text, struct dls_parse_error *error)
{
	struct dls__reading in = { { text, strlen(text) }, error };
	struct dls__slice rest = dls__trim(in.all).n ? in.all : (struct dls__slice){ NULL, 0 };
	double given[FAULTS];
	int code = parse_pairs(&in, dls__faults_keys, FAULTS, rest, given);

	if (!code)
		*faults = (struct dls__faults){
			.delay = isnan(given[DELAY]) ? 0 : ns(given[DELAY]),
			.stall = isnan(given[STALL]) ? 0 : ns(given[STALL]),
			.slow = isnan(given[SLOW]) ? 1 : given[SLOW],
		};
	return code;
}
