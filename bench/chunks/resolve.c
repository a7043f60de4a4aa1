/* resolve.c - what schedules are told of the loop and its workers. */
#include "chunks.h"

struct told told[TOLD] = {
	{ "--mu", "mu", "fac", DLS_NEED_MU, NULL },
	{ "--sigma", "sigma", "fac", DLS_NEED_SIGMA, NULL },
	{ "--overhead", "h", "fsc", DLS_NEED_H, NULL },
	{ "--weights", "weights", "wf", DLS_NEED_WEIGHTS, NULL },
};
uint64_t chunks_n;
unsigned chunks_p, chunks_steps;
double chunks_overhead;
bool chunks_timed;

void chunks_check(const struct told *t)
{
	if (!t->value)
		return;
	if (strchr(t->value, ','))
		tool_die(TOOL_USAGE, "%s \"%s\": one value is accepted", t->option, t->value);
	dls_schedule_free(tool_parse(t->option, t->value, tool_held_string("%s,%s=%s", t->probe, t->key, t->value)));
}

void chunks_complete_weights(void)
{
	struct told *weights = &told[TOLD_WEIGHTS];
	double *weight = tool_each(weights->option, weights->value, chunks_p, "workers");
	size_t given = 1;
	char *text, *at;

	if (!weight)
		return;
	for (const char *c = weights->value; *c; c++)
		given += *c == ':';
	at = text = tool_held(malloc(strlen(weights->value) + 2 * chunks_p + 1));
	at += sprintf(at, "%s", weights->value);
	for (size_t w = given; w < chunks_p; w++)
		at += sprintf(at, ":1");
	weights->value = text;
	free(weight);
}

bool says(const struct dls_schedule *schedule, const char *key)
{
	return strstr(tool_schedule_text(schedule), tool_held_string(",%s=", key));
}

bool takes_weights(const struct dls_calc *calc)
{
	return calc->needs & DLS_NEED_WEIGHTS && calc->dispenser == DLS_DISPENSER_TICKETS && calc->pace == DLS_PACE_NEVER;
}

static enum found find(const struct row *row)
{
	const struct dls_calc *calc = row->calc;

	if (chunks_timed || calc->dispenser == DLS_DISPENSER_LIVE || calc->pace != DLS_PACE_NEVER)
		return TIMED;
	if (takes_weights(calc) || says(row->schedule, "weights") || says(row->schedule, "multiple"))
		return IN_TURN;
	return WALKED;
}

void chunks_resolve(struct row *row, const char *name)
{
	const char *text = name;

	row->schedule = tool_parse(tool_written("schedule"), name, text);
	row->calc = dls_schedule_calc(row->schedule);
	row->missing[0] = 0;
	for (unsigned k = 0; k < TOLD; k++) {
		if (!(row->calc->needs & told[k].need) || says(row->schedule, told[k].key))
			continue;
		/* static does without weights, and a schedule that learns them gets none */
		if (told[k].need == DLS_NEED_WEIGHTS && !takes_weights(row->calc))
			continue;
		if (told[k].value)
			text = tool_held_string("%s,%s=%s", text, told[k].key, told[k].value);
		else if (told[k].need != DLS_NEED_WEIGHTS)
			strcat(strcat(row->missing, *row->missing ? ", " : ""), told[k].key);
	}
	if (*row->missing) {
		const char *fallback = row->calc->fallback ? row->calc->fallback : "fac2";
		struct dls_loop_desc loop = { .size = sizeof(loop) };
		const char *multiple = strstr(tool_schedule_text(row->schedule), ",multiple=");	/* the last key */

		dls_schedule_describe(row->schedule, chunks_n, chunks_p, 0, &loop);
		text = loop.chunk ? tool_held_string("%s,%" PRIu64 "%s", fallback, loop.chunk, multiple ? multiple : "")
				  : tool_held_string("%s%s", fallback, multiple ? multiple : "");
		row->label = tool_held_string("%s (as %s)", name, text);
	} else {
		row->label = name;
	}
	dls_schedule_free(row->schedule);
	row->schedule = tool_parse(tool_written("schedule"), name, text);
	row->calc = dls_schedule_calc(row->schedule);
	row->found = find(row);
	row->family = chunks_family(row->schedule);
}

void chunks_times(void)
{
	static char mean[32], deviation[32], overhead[32];

	if (chunks_timed && chunks_n > RUN_MAX)
		tool_die(TOOL_USAGE, "%s \"%" PRIu64 "\": at most %u iterations are accepted in virtual time",
			 tool_written("iterations"), chunks_n, RUN_MAX);
	if (told[TOLD_MU].value)
		times.mu = strtod(told[TOLD_MU].value, NULL);
	if (told[TOLD_SIGMA].value)
		times.sigma = strtod(told[TOLD_SIGMA].value, NULL);
	if (told[TOLD_OVERHEAD].value)
		chunks_overhead = strtod(told[TOLD_OVERHEAD].value, NULL);
	if (chunks_overhead > 1e9)
		tool_die(TOOL_USAGE, "--overhead \"%s\": more than 1e9 s, which virtual time ends at", told[TOLD_OVERHEAD].value);
	if (trace.file) {
		times_measured();
		if (!told[TOLD_OVERHEAD].value)
			chunks_overhead = trace.dispatch;
	} else {
		times_make();
	}
	if (!chunks_timed)
		return;
	snprintf(mean, sizeof(mean), "%.17g", times.mean);
	snprintf(deviation, sizeof(deviation), "%.17g", times.deviation);
	snprintf(overhead, sizeof(overhead), "%.17g", chunks_overhead);
	for (unsigned k = 0; k <= TOLD_OVERHEAD; k++)
		if (!told[k].value)
			told[k].value = (char *[]){ mean, deviation, overhead }[k];
}
