/* predict_ranges.c - ranges and steals in virtual time, from steal to steal.
 *
 * A worker runs its own chunks one after the other.  The time at which it takes the j-th follows from the
 * profile's sums, so all of them are one step.  Only a steal comes between: the thief finds by search which
 * chunks its victim has taken.  A steal moves the victim's cache line twice, to read and to change it;
 * leaving the loop moves one line; looking for a victim costs nothing.
 *
 * Thieves pass by workers that would be done shortly (struct dls_predictor, small).  Once all would be, what is left is spread so
 * that all end at once. */
#include "dls/calc.h"
#include "lib/predict/predict.h"

static const uint64_t CHUNKS_MAX = UINT32_MAX - 1;	/* as lib/deal/ranges.c */

static uint64_t chunk_size(struct dls_predictor *q)
{
	uint64_t state[DLS_STATE_MAX / 8], least = dls__round((q->loop.n - 1) / CHUNKS_MAX + 1, q->run.multiple, q->loop.n), K;

	memcpy(state, q->run.state, q->run.calc->state_size);
	K = q->run.calc->dispenser == DLS_DISPENSER_OWN && !q->run.schedule->chunk ? dls_ceil_div(q->loop.n, q->team.p)
								       : dls__predicted_size(q, state, q->loop.n);
	K = dls__round(K, q->run.multiple, q->loop.n);
	return K > least ? K : least;
}

/* The first iteration of a chunk. */
static inline uint64_t first_of(uint64_t chunk, uint64_t K, uint64_t n)
{
	return chunk <= (n - 1) / K ? chunk * K : n;
}

/* When a worker takes chunk j of its span, `next` being the span's first. */
static inline double taken_at(const struct dls_predictor *q, unsigned w, uint64_t K, uint64_t j)
{
	const struct dls__predicted_range *s = &q->span[w];

	return s->from + (double)(j - s->next) * q->run.take + (dls__upto(&q->loop, first_of(j, K, q->loop.n)) - s->upto) / q->team.speed[w];
}

/* Worker w takes chunk `next` at this time, and then those up to end - 1 unless they are stolen. */
static void begin_span(struct dls_predictor *q, unsigned w, uint64_t K, double time, uint64_t next, uint64_t end)
{
	struct dls__predicted_range *s = &q->span[w];

	*s = (struct dls__predicted_range){ .from = time, .next = next, .end = end, .victim = s->victim,
					    .upto = dls__upto(&q->loop, first_of(next, K, q->loop.n)) };
	s->last = end - next > 1 ? taken_at(q, w, K, end - 1) : -1;
	if (end - next > 1)
		q->filled[w / 64] |= (uint64_t)1 << w % 64;
	dls__queue_set(&q->queue, w, taken_at(q, w, K, end));
}

/* The chunk of a span that is taken at a given time, except for rounding errors. */
static uint64_t guess(const struct dls_predictor *q, unsigned w, uint64_t K, double time)
{
	const struct dls__predicted_range *s = &q->span[w];
	unsigned low = dls__bucket_of(&q->loop, s->next * K), high = dls__bucket_of(&q->loop, (s->end - 1) * K) + 1;
	double each = q->run.take / (double)K, start = (double)(s->next * K), since = time - s->from, before, per;

	/* The takes and iterations before bucket `low` have begun by then, those before `high` have not. */
	while (high - low > 1) {
		unsigned b = low + (high - low) / 2;

		if ((q->loop.upto[b] - s->upto) / q->team.speed[w] + each * ((double)q->loop.begin[b] - start) <= since)
			low = b;
		else
			high = b;
	}
	before = (q->loop.upto[low] - s->upto) / q->team.speed[w] + each * ((double)q->loop.begin[low] - start);
	per = q->loop.rate[low] / q->team.speed[w] + each;
	if (!(per > 0))
		return s->next;
	return (uint64_t)fmax(((double)q->loop.begin[low] + fmin((since - before) / per, (double)q->loop.n)) / (double)K, 0);
}

/* The first chunk of a span that is not taken at a time before its last one is. */
static uint64_t untaken(const struct dls_predictor *q, unsigned w, uint64_t K, double time)
{
	const struct dls__predicted_range *s = &q->span[w];
	uint64_t low = s->next, high = s->end - 1, j = guess(q, w, K, time);	/* taken; not taken */

	for (unsigned tries = 0; high - low > 1; tries++) {
		if (tries >= 4)
			j = low + (high - low) / 2;
		else if (j <= low)
			j = low + 1;
		else if (j >= high)
			j = high - 1;
		if (taken_at(q, w, K, j) <= time)
			low = j++;
		else
			high = j--;
	}
	return high;
}

/* The first worker from w's last victim on that has unstarted chunks, and enough of them; p: there is none. */
static unsigned victim(struct dls_predictor *q, unsigned w, double time)
{
	double enough = q->small / q->team.slowest;
	unsigned from = q->span[w].victim;

	for (unsigned i = 0; i < q->team.p;) {
		unsigned v = from + i < q->team.p ? from + i : from + i - q->team.p;
		uint64_t bits = q->filled[v / 64] >> v % 64;

		if (bits == 0) {	/* to the end of the word, or of the workers */
			unsigned rest = 64 - v % 64;

			i += rest < q->team.p - v ? rest : q->team.p - v;
			continue;
		}
		i += (unsigned)__builtin_ctzll(bits);
		v += (unsigned)__builtin_ctzll(bits);
		if (i >= q->team.p)
			break;
		if (q->span[v].last > time && dls__queue_time(&q->queue, v) - time > enough)
			return v;
		q->filled[v / 64] &= ~((uint64_t)1 << v % 64);
		i++;
	}
	return q->team.p;
}

/* Spread what is left over all workers.  If thieves find no victim, all of it is short; else a long chunk
 * that starts late is likely to end after the others, on average by half its time. */
static void spread(struct dls_predictor *q, uint64_t K, double time, bool many)
{
	double work = 0, longest = 0;

	for (unsigned w = 0; w < q->team.p; w++) {
		struct dls__predicted_range *s = &q->span[w];

		q->end[w] = dls__queue_time(&q->queue, w);
		if (s->last > time) {
			work += (q->end[w] - time) * q->team.speed[w];
			q->end[w] = time;
			longest = fmax(longest, (double)K * q->loop.rate[dls__bucket_of(&q->loop, (s->end - 1) * K)] / q->team.speed[w]);
		}
	}
	dls__predict_level(q, q->end, NULL, work);
	if (many && longest > q->small / q->team.slowest)
		q->end[dls__queue_first(&q->queue)] += longest / 2;
	for (unsigned w = 0; w < q->team.p; w++)
		q->end[w] += q->run.transfer;
}

void dls__predict_ranges(struct dls_predictor *q)
{
	uint64_t K = chunk_size(q), chunks = dls_ceil_div(q->loop.n, K);

	memset(q->filled, 0, (q->team.p + 63) / 64 * sizeof(*q->filled));
	for (unsigned w = 0; w < q->team.p; w++)
		q->end[w] = 0;
	dls__queue_fill(&q->queue, q->end, q->team.p);
	for (unsigned w = 0; w < q->team.p; w++) {
		uint64_t next = dls_static_begin(chunks, q->team.p, w), end = dls_static_begin(chunks, q->team.p, w + 1);

		q->span[w].victim = w;
		if (next < end)
			begin_span(q, w, K, 0, next, end);
	}
	for (uint64_t steals = 0;; steals++) {
		unsigned w = dls__queue_first(&q->queue), v;
		double time = dls__queue_time(&q->queue, w);
		uint64_t next, half;

		v = victim(q, w, time);
		if (v == q->team.p || steals == q->steals) {
			spread(q, K, time, v < q->team.p);
			break;
		}
		next = untaken(q, v, K, time);
		half = (q->span[v].end - next + 1) / 2;
		q->span[w].victim = v;
		begin_span(q, w, K, time + 2 * q->run.transfer, q->span[v].end - half, q->span[v].end);
		q->span[v].end -= half;
		q->span[v].last = q->span[v].end > next ? taken_at(q, v, K, q->span[v].end - 1) : -1;
		dls__queue_set(&q->queue, v, taken_at(q, v, K, q->span[v].end));
	}
	q->run.chunks += chunks;
}
