/* arrive.c - --load poisson and --load trace=FILE: tasks that arrive at their processors over time. */
#include "bench/tool/random.h"
#include "sim.h"

#define SECONDS_MAX 1e9
#define LOAD_DEFAULT 0.7	/* of the processors' time, without --load poisson,rate= */

static struct {
	double rate;		/* tasks per second that come to each processor, on average */
	uint64_t burst;		/* tasks that come together */
} poisson;

/* Lines of a file. */
enum { AT, PROCESSOR, SECONDS, BYTES, FIELDS };
static struct {
	double (*line)[FIELDS];
	size_t lines;
} trace;

static bool is_trace(void)
{
	return strncmp(sim.load, "trace=", 6) == 0;
}

bool arrive_drawn(void)
{
	return strncmp(sim.load, "poisson", 7) == 0 && (!sim.load[7] || sim.load[7] == ',');
}

bool arrive_is(void)
{
	return is_trace() || arrive_drawn();
}

/* "poisson,rate=2.5,burst=10". */
static void read_poisson(void)
{
	poisson.rate = 0;
	poisson.burst = 1;
	for (const char *at = sim.load + 7; *at;) {
		size_t length = strcspn(++at, ",");
		char *value = tool_string("%.*s", (int)length, at);
		bool good = strncmp(value, "burst=", 6) == 0 && tool_is_whole(value + 6, length - 6, &poisson.burst) &&
			    poisson.burst > 0 && poisson.burst <= 1000000;

		if (strncmp(value, "rate=", 5) == 0) {
			poisson.rate = tool_real("--load poisson, rate", value + 5, 1e-9, 1e9);
			good = true;
		}
		if (!good)
			tool_die(TOOL_USAGE, "--load \"%s\": \"%s\" is not rate=1e-9 to 1e9 or burst=1 to 1000000", sim.load, value);
		free(value);
		at += length;
	}
}

static int compare(const void *left, const void *right)
{
	const double *a = left, *b = right;

	for (int i = 0; i < FIELDS; i++)
		if (a[i] < b[i] || a[i] > b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

void arrive_read(void)
{
	static const struct tool_field line[FIELDS] = {
		{ "time of arrival in seconds", 0, SECONDS_MAX, false }, { "processor", 0, DLS_PROCESSORS_MAX - 1, true },
		{ "time in seconds", 0, SECONDS_MAX, false }, { "number of bytes", 0, UINT32_MAX, true }
	};
	double *values;

	if (!is_trace()) {
		read_poisson();
		return;
	}
	trace.lines = tool_read_file("--load", sim.load + 6, "trace=FILE", line, FIELDS, &values);
	trace.line = (double (*)[FIELDS])values;
	qsort(trace.line, trace.lines, sizeof(*trace.line), compare);
}

void arrive_check(unsigned P)
{
	for (size_t i = 0; i < trace.lines; i++)
		if (trace.line[i][PROCESSOR] >= P)
			tool_die(TOOL_USAGE, "--load \"%s\": there is no processor %.0f, only 0 to %u", sim.load,
				 trace.line[i][PROCESSOR], P - 1);
}

/* Bounds as the tasks come, in the order of time.  Without balancing each processor runs what it has.  No schedule ends before
 * a + W / S if work W comes from time a on, and the speeds sum to S: so T_opt is the least end of load that can be divided at
 * will. */
struct bounds {
	struct load load;
	double *end;		/* of each processor, without balancing */
	double drained;		/* all that has come so far could have ended by then */
	double speeds;
};

static void put(struct dls_machine *machine, struct bounds *b, const double *speed, const double line[FIELDS])
{
	unsigned p = (unsigned)line[PROCESSOR];
	struct dls_task task = { .type = load_type((uint64_t)line[BYTES]), .cost = (uint64_t)llround(line[SECONDS] * 1e9) };
	uint64_t at = (uint64_t)llround(line[AT] * 1e9);
	double seconds = 1e-9 * (double)task.cost, own = speed ? speed[p] : 1;

	load_put(machine, p, &task, at);
	b->load.tasks++;
	b->load.work += seconds;
	b->load.longest = fmax(b->load.longest, seconds);
	b->end[p] = fmax(b->end[p], 1e-9 * (double)at) + seconds / own;
	b->load.t_nobal = fmax(b->load.t_nobal, b->end[p]);
	b->drained = fmax(b->drained, 1e-9 * (double)at) + seconds / b->speeds;
	b->load.t_opt = b->drained;
}

static void put_drawn(struct dls_machine *machine, struct bounds *b, const double *speed, unsigned P)
{
	double rate = poisson.rate > 0 ? poisson.rate : LOAD_DEFAULT / sim.grain, line[FIELDS] = { 0, 0, 0, (double)sim.bytes };
	uint64_t state = sim.seed, left = 0;

	for (uint64_t i = 0; i < sim.tasks * P; i++) {
		if (left == 0) {
			line[AT] += -log(random_positive(&state)) * (double)poisson.burst / (rate * P);
			line[PROCESSOR] = (double)(random_from_1(&state, P) - 1);
			left = poisson.burst;
		}
		left--;
		line[SECONDS] = -log(random_positive(&state)) * sim.grain;
		put(machine, b, speed, line);
	}
}

struct load arrive_add(struct dls_machine *machine, const double *speed)
{
	unsigned P = dls_machine_net(machine)->processors;
	struct bounds b = { .end = tool_need(calloc(P, sizeof(*b.end))) };

	for (unsigned p = 0; p < P; p++)
		b.speeds += speed ? speed[p] : 1;
	if (!is_trace())
		put_drawn(machine, &b, speed, P);
	for (size_t i = 0; i < trace.lines; i++)
		put(machine, &b, speed, trace.line[i]);
	free(b.end);
	return b.load;
}
