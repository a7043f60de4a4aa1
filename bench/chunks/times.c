/* times.c - times of iterations, drawn from a distribution or read from a file, and speeds of workers. */
#include "bench/tool/random.h"
#include "chunks.h"

/* What virtual time holds, s. */
#define SECONDS_MAX 1e9

struct times times = { .mu = 1e-3, .sigma = -1, .seed = 1 };

static double *sum;	/* sum[i] is the time of iterations 0 .. i - 1, s; NULL: all take times.mu */
static uint64_t stream;

/* Box, Muller, Annals of Mathematical Statistics 29(2):610-611, 1958. */
static double draw_normal(void)
{
	double r = sqrt(-2 * log(random_positive(&stream)));

	return r * cos(2 * 3.14159265358979323846 * random_positive(&stream));
}

static double constant(uint64_t i)
{
	(void)i;
	return times.mu;
}

static double uniform(uint64_t i)
{
	(void)i;
	return times.mu + sqrt(3) * times.sigma * (2 * random_positive(&stream) - 1);
}

static double normal(uint64_t i)
{
	double time;

	(void)i;
	do	/* at most half of them are below 0 */
		time = times.mu + times.sigma * draw_normal();
	while (time < 0);
	return time;
}

static double exponential(uint64_t i)
{
	(void)i;
	return -times.mu * log(random_positive(&stream));
}

/* Shape (mu / sigma)^2, scale sigma^2 / mu: Marsaglia, Tsang, ACM TOMS 26(3):363-372, 2000. */
static double gamma_time(uint64_t i)
{
	double shape = times.mu / times.sigma * (times.mu / times.sigma), boost = 1, d, c, x, v;

	(void)i;
	if (!(shape < 1e18))	/* sigma = 0, or next to it */
		return times.mu;
	if (shape < 1)
		boost = pow(random_positive(&stream), 1 / shape);
	d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3;
	c = 1 / sqrt(9 * d);
	do {
		do {
			x = draw_normal();
			v = 1 + c * x;
		} while (v <= 0);
		v = v * v * v;
	} while (log(random_positive(&stream)) >= x * x / 2 + d - d * v + d * log(v));
	return times.mu / shape * d * v * boost;
}

/* The mean of 1 .. N is (N + 1) / 2. */
static double increasing(uint64_t i)
{
	return times.mu * 2 * (double)(i + 1) / ((double)chunks_n + 1);
}

static double decreasing(uint64_t i)
{
	return times.mu * 2 * (double)(chunks_n - i) / ((double)chunks_n + 1);
}

static struct {
	double *time;
	size_t lines;
} file;

static double from_file(uint64_t i)
{
	return file.time[i % file.lines];
}

static const struct kind {
	const char *name;
	bool drawn;
	double (*time)(uint64_t i);
} kinds[] = {
	{ "const", false, constant }, { "uniform", true, uniform }, { "normal", true, normal },
	{ "exp", true, exponential }, { "gamma", true, gamma_time }, { "increasing", false, increasing },
	{ "decreasing", false, decreasing }, { NULL, false, from_file },
};

static const struct kind *kind(void)
{
	const struct kind *k = kinds;

	while (k->name && strcmp(k->name, times.name))
		k++;
	return k;
}

void times_make(void)
{
	static const struct tool_field line = { "time in seconds", 0, SECONDS_MAX, false };
	const struct kind *k = kind();
	double square = 0, widest = times.mu / sqrt(3);

	if (!k->name)
		file.lines = tool_read_file("--times", times.name, "const, uniform, normal, exp, gamma, increasing or decreasing",
					    &line, 1, &file.time);
	if (times.sigma < 0)
		times.sigma = times.mu / 2;
	else if (k->time == uniform && times.sigma > widest)
		tool_die(TOOL_USAGE, "--sigma \"%g\": uniform times are not below 0, so at most mu / sqrt(3) = %g is "
			 "accepted", times.sigma, widest);
	stream = times.seed;
	times.mean = times.mu;
	times.deviation = 0;
	if (k->time == constant)
		return;
	free(sum);
	sum = tool_need(malloc((chunks_n + 1) * sizeof(*sum)));
	sum[0] = times.mean = 0;
	for (uint64_t i = 0; i < chunks_n; i++) {
		double time = k->time(i), apart = time - times.mean;

		sum[i + 1] = sum[i] + time;
		times.mean += apart / (double)(i + 1);
		square += apart * (time - times.mean);
	}
	times.deviation = sqrt(square / (double)chunks_n);
	if (!(sum[chunks_n] > 0) || !(sum[chunks_n] <= SECONDS_MAX))
		tool_die(TOOL_USAGE, "--times \"%s\": the %" PRIu64 " iterations take %g s; above 0 and up to %g is "
			 "accepted", times.name, chunks_n, sum[chunks_n], SECONDS_MAX);
}

void times_measured(void)
{
	double square = 0;

	sum = tool_need(calloc(chunks_n + 1, sizeof(*sum)));
	for (size_t k = 0; k < trace.chunks; k++) {
		const struct chunk *c = &trace.chunk[k];

		for (uint64_t i = c->begin; i < c->begin + c->size; i++)
			sum[i + 1] = c->time * speed_of(c->worker) / (double)c->size;
	}
	for (uint64_t i = 0; i < chunks_n; i++)
		sum[i + 1] += sum[i];
	if (!(sum[chunks_n] > 0) || !(sum[chunks_n] <= SECONDS_MAX))
		tool_die(TOOL_USAGE, "trace \"%s\": the iterations take %g s; above 0 and up to %g is accepted",
			 trace.file, sum[chunks_n], SECONDS_MAX);
	times.mean = times.mu = sum[chunks_n] / (double)chunks_n;
	for (uint64_t i = 0; i < chunks_n; i++)
		square += (sum[i + 1] - sum[i] - times.mean) * (sum[i + 1] - sum[i] - times.mean);
	times.deviation = sqrt(square / (double)chunks_n);
}

bool times_drawn(void)
{
	return !trace.file && kind()->drawn;
}

void times_print(FILE *out)
{
	const struct kind *k = kind();

	if (trace.file)
		fprintf(out, "times of %s, execution %" PRIu64 " in %s", trace.site, trace.number, trace.file);
	else
		fprintf(out, "%s times", times.name);
	if (k->drawn)
		fprintf(out, ", seed %" PRIu64, times.seed);
	fprintf(out, ": mean %.4g s, deviation %.4g s", times.mean, times.deviation);
}

double times_of(uint64_t begin, uint64_t end)
{
	return sum ? sum[end] - sum[begin] : (double)(end - begin) * times.mu;
}

static const char *speeds;	/* NULL: all are 1 */
static double *speed;

void speeds_parse(const char *text)
{
	speeds = text;
	speed = tool_each("--speeds", text, chunks_p, "workers");
}

double speed_of(unsigned worker)
{
	return speed ? speed[worker] : 1;
}

void speeds_print(FILE *out)
{
	if (speeds)
		fprintf(out, "; speeds %s", speeds);
}
