/* burst_data.c - light curves of gamma-ray bursts, and their sizes. */
#include <math.h>
#include <stdlib.h>

#include "bench/tool/random.h"
#include "burst.h"

enum { PULSES = 8, BACKGROUND = 20, BRIGHTEST = 80 };	/* counts of a bin; of a pulse at most */

double burst_normal(uint64_t *state)
{
	double r = sqrt(-2 * log(1 - random_real(state)));

	return r * cos(2 * 3.14159265358979324 * random_real(state));
}

static int falling(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x < y) - (x > y);
}

void burst_sizes(size_t datasets, int64_t low, int64_t high, uint64_t seed, int64_t *n)
{
	double middle = (log((double)low) + log((double)high)) / 2;
	double deviation = 0.865 * log((double)high / (double)low) / log(9037. / 46);

	for (size_t i = 0; i < datasets; i++)
		do
			n[i] = llround(exp(middle + deviation * burst_normal(&seed)));
		while (n[i] < low || n[i] > high);
	qsort(n, datasets, sizeof(*n), falling);
	n[datasets - 1] = low;
	n[0] = high;
}

/* Knuth's, by as many draws as there are counts: e^-mean is not yet 0 at the brightest. */
unsigned burst_poisson(double mean, uint64_t *state)
{
	double product = random_real(state), least = exp(-mean);
	unsigned count = 0;

	for (; product > least; product *= random_real(state))
		count++;
	return count;
}

/* Times in parts of the light curve. */
struct pulse {
	double peak, rise, height[BURST_CHANNELS], decay[BURST_CHANNELS];
};

/* The harder channel is the weaker one, and decays faster. */
static struct pulse draw_pulse(uint64_t *state)
{
	struct pulse p = { .peak = 0.05 + 0.85 * random_real(state), .rise = 0.004 * exp(0.5 * burst_normal(state)) };

	p.height[0] = BRIGHTEST * (0.2 + 0.8 * random_real(state));
	p.height[1] = p.height[0] * (0.4 + 0.5 * random_real(state));
	p.decay[0] = p.rise * (3 + 5 * random_real(state));
	p.decay[1] = 0.7 * p.decay[0];
	return p;
}

static double brightness(const struct pulse *pulse, unsigned channel, double time)
{
	double counts = BACKGROUND;

	for (const struct pulse *p = pulse; p < pulse + PULSES; p++) {
		double after = time - p->peak;

		counts += p->height[channel] * exp(after < 0 ? after / p->rise : -after / p->decay[channel]);
	}
	return counts;
}

static int make(struct burst *burst, size_t n, uint64_t seed)
{
	*burst = (struct burst){ .seed = seed, .n = n, .y = calloc(n, sizeof(*burst->y)) };
	return burst->y ? 0 : DLS_ENOMEM;
}

int burst_draw(struct burst *burst, size_t n, uint64_t seed)
{
	struct pulse pulse[PULSES];
	int code = make(burst, n, seed);

	for (unsigned i = 0; i < PULSES; i++)
		pulse[i] = draw_pulse(&seed);
	for (size_t t = 0; t < n && code == 0; t++)
		for (unsigned c = 0; c < BURST_CHANNELS; c++)
			burst->y[t][c] = 2 * sqrt(burst_poisson(brightness(pulse, c, (double)t / (double)n), &seed) + 0.375);
	return code;
}

int burst_draw_linear(struct burst *burst, size_t n, uint64_t seed)
{
	enum { FORGET = 50 };	/* steps after which its start does not matter */
	static const double F[BURST_CHANNELS][BURST_REGRESSORS] = { { 2.7, 0.5, 0.2 }, { 2.7, 0.1, 0.6 } };
	double y[BURST_CHANNELS] = { 9, 9 };
	int code = make(burst, n, seed);

	for (size_t t = 0; t < n + FORGET && code == 0; t++) {
		double last[BURST_CHANNELS] = { y[0], y[1] };

		for (unsigned c = 0; c < BURST_CHANNELS; c++) {
			y[c] = F[c][0] + F[c][1] * last[0] + F[c][2] * last[1] + burst_normal(&seed);
			if (t >= FORGET)
				burst->y[t - FORGET][c] = y[c];
		}
	}
	return code;
}

void burst_free(struct burst *burst)
{
	free(burst->y);
}
