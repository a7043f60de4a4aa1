/* dealt.c - one execution of a loop in virtual time. */
#include "dealt.h"

#include "dls/loop.h"

uint64_t dealt_run(struct dls_loop *loop, const struct dealt *d)
{
	uint64_t now[DEALT_WORKERS_MAX] = { 0 }, last = 0, ran = 0;
	int64_t begin, end;

	if (dls_loop_start(loop, 0, (int64_t)d->n, 1))
		return 0;
	for (unsigned busy = d->workers; busy > 0;) {
		unsigned w = 0;

		for (unsigned v = 1; v < d->workers; v++)
			if (now[v] < now[w])
				w = v;
		dls_loop_set_time(loop, 1e-9 * (double)now[w]);
		if (!dls_loop_next(loop, w, &begin, &end)) {
			last = now[w] > last ? now[w] : last;
			now[w] = UINT64_MAX;
			busy--;
			continue;
		}
		now[w] += d->dispatch + d->upto[end] - d->upto[begin];
		d->got(d->arg, w, begin, end);
	}
	dls_loop_end(loop, &ran);
	return ran == d->n ? last : 0;
}
