/* drawn.h - machines drawn from a seed: values of parameters, from the tables by which texts are parsed, so that new ones are
 * drawn too; costs and faults. */
#ifndef DRAWN_H
#define DRAWN_H

#include <math.h>

#include "dls/calc.h"
#include "dls/strategy.h"
#include "tap.h"

static uint64_t draw_below(uint64_t *state, uint64_t bound)
{
	return tap_random(state) % bound;
}

static double draw_unit(uint64_t *state)
{
	return (double)(tap_random(state) >> 11) * 0x1p-53;
}

/* A number of a range: one of its ends, one of any order of magnitude, or one typical of loads and counts. */
static double draw_number(uint64_t *state, double low, double high)
{
	double least = fmax(low, 1e-9), most = isinf(high) ? 1e15 : high, x = low;

	switch (draw_below(state, 6)) {
	case 0:
		break;
	case 1:
		x = most;
		break;
	case 2:
		x = most <= 1 ? low + (most - low) * draw_unit(state) : (double)draw_below(state, 20);
		break;
	case 3:
		x = 0.25 * (double)(1 + draw_below(state, 8));
		break;
	default:
		x = exp(log(least) + (log(most) - log(least)) * draw_unit(state));
		break;
	}
	return fmin(fmax(x, low), most);
}

static const char *draw_word(uint64_t *state, const char *words, char *copy, size_t size)
{
	unsigned n = 1;
	char *word, *rest;

	for (const char *c = words; *c; c++)
		n += *c == ' ';
	n = (unsigned)draw_below(state, n);
	snprintf(copy, size, "%s", words);
	for (word = strtok_r(copy, " ", &rest); n > 0 && word; n--)
		word = strtok_r(NULL, " ", &rest);
	return word;
}

static size_t count_of_calcs(void)
{
	size_t n = 0;

	while (dls_calc_at(n))
		n++;
	return n;
}

/* Append ",NAME=VALUE". */
static void draw_value(uint64_t *state, const struct dls_param *p, char *text, size_t size)
{
	size_t at = strlen(text), n = 1;
	char copy[128];

	if (p->words && (p->min > p->max || draw_below(state, 4) == 0)) {
		snprintf(text + at, size - at, ",%s=%s", p->name, draw_word(state, p->words, copy, sizeof(copy)));
		return;
	}
	if (p->calc) {
		snprintf(text + at, size - at, ",%s=%s", p->name, dls_calc_at(draw_below(state, count_of_calcs()))->name);
		return;
	}
	if (p->list)
		n += draw_below(state, 4);
	snprintf(text + at, size - at, ",%s=", p->name);
	for (size_t i = 0; i < n; i++) {
		double x = draw_number(state, p->min, p->max);

		at = strlen(text);
		snprintf(text + at, size - at, p->whole ? "%s%.0f" : "%s%.9g", i ? ":" : "", p->whole ? floor(x) : x);
	}
	if (p->percent && draw_below(state, 4) == 0)
		strcat(text, "%");
}

/* Append some of a table's parameters, each with a chance of one in `rare`. */
static inline void draw_values(uint64_t *state, const struct dls_param *p, size_t most, unsigned rare, char *text,
			       size_t size)
{
	for (size_t i = 0; i < most && p[i].name; i++)
		if (draw_below(state, rare) == 0)
			draw_value(state, &p[i], text, size);
}

/* Costs and faults of a machine in virtual time, of up to 80 bytes each. */
static inline void draw_machine(uint64_t *state, char *costs, char *faults)
{
	static const char *const preset[] = {
		"ideal", "ipsc2", "cm5", "nectar", "cluster", "ipsc2,poll=0", "ideal,quantum=1e-4,poll=1e-5,latency=1e-3",
		"ipsc2,latency=1e-6,send=0,receive=0",
	};
	static const char *const kinds[] = { "", "delay", "stall", "slow", "delay stall", "delay stall slow" };
	static const double most[] = { 1e-6, 1e-4, 1e-2 };
	const char *which = kinds[tap_random(state) % 6];
	double longest = most[tap_random(state) % 3];
	char *end = faults;

	strcpy(costs, preset[tap_random(state) % 8]);
	*end = 0;
	if (strstr(which, "delay"))
		end += sprintf(end, ",delay=%g", longest);
	if (strstr(which, "stall"))
		end += sprintf(end, ",stall=%g", longest * 10);
	if (strstr(which, "slow"))
		sprintf(end, ",slow=%g", 1 + (double)(tap_random(state) % 10));
	memmove(faults, faults + (*faults == ','), strlen(faults) + (*faults != ','));
}

#endif
