/* schedule.c - libFuzzer target: any text is refused with a message, or prints and its calculator deals. */
#include "dls/calc.h"
#include "dls/loop.h"
#include "dls/schedule.h"
#include "test/fuzz/fuzz.h"

static size_t put(const void *schedule, char *text, size_t size)
{
	return dls_schedule_print(schedule, text, size);
}

/* Two schedules say the same of a loop. */
static void same(const struct dls_loop_desc *a, const struct dls_loop_desc *b)
{
	MUST(a->n == b->n && a->p == b->p && a->worker == b->worker && a->weight == b->weight);
	MUST(a->chunk == b->chunk && a->mu == b->mu && a->sigma == b->sigma && a->h == b->h);
	for (int i = 0; i < DLS_PARAMS_MAX; i++)
		MUST(a->arg[i].given == b->arg[i].given && a->arg[i].count == b->arg[i].count &&
		     a->arg[i].real == b->arg[i].real);
}

static void deal(const struct dls_calc *calc, struct dls_loop_desc *desc, uint64_t h)
{
	_Alignas(max_align_t) char state[DLS_STATE_MAX];
	uint64_t R = desc->n;

	if (calc->needs & DLS_NEED_MU && desc->mu == 0)
		desc->mu = 1e-6;	/* not given: a loop would have been told, or have run the fallback */
	if (calc->init(state, desc))
		return;
	for (int i = 0; i < 32 && R > 0; i++) {
		uint64_t K = calc->next(state, R);

		MUST(K >= 1 && K <= R);
		if (!calc->chunk && K < desc->chunk)
			K = desc->chunk < R ? desc->chunk : R;
		R -= K;
		if (!calc->repeat || !(h >> i & 1))
			continue;
		uint64_t more = calc->repeat(state);

		R -= more < R / K ? more * K : R;
	}
}

static void accepted(const struct dls_schedule *schedule, uint64_t h)
{
	const struct dls_calc *calc = dls_schedule_calc(schedule);
	struct dls_schedule *again = NULL;
	struct dls_loop_desc desc = { .size = sizeof(desc) }, other = { .size = sizeof(other) };
	char *text = fuzz_print(put, schedule), *twice;
	uint64_t n = h >> h % 64;
	unsigned p = 1 + ((unsigned)(h >> 6) % DLS_WORKERS_MAX >> (h >> 22) % 17);
	unsigned worker = (unsigned)(h >> 32) % p;

	MUST(dls_schedule_parse(&again, text, NULL) == 0);
	twice = fuzz_print(put, again);
	MUST(strcmp(twice, text) == 0);
	MUST(dls_schedule_calc(again) == calc && dls_schedule_strategy(again) == dls_schedule_strategy(schedule));
	MUST(!calc == !!dls_schedule_strategy(schedule));
	if (n == 0) {
		MUST(dls_schedule_describe(schedule, n, p, worker, &desc) == DLS_EINVAL);
	} else {
		MUST(dls_schedule_describe(schedule, n, p, worker, &desc) == 0);
		MUST(dls_schedule_describe(again, n, p, worker, &other) == 0);
		MUST(desc.n == n && desc.p == p && desc.worker == worker && desc.weight > 0);
		same(&desc, &other);
		if (calc)
			deal(calc, &desc, h);
	}
	dls_schedule_free(again);
	free(text);
	free(twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dls_schedule *schedule = NULL;
	struct dls_parse_error error = FUZZ_UNSAID;
	char *text = fuzz_text("", data, size);
	int code = dls_schedule_parse(&schedule, text, &error);

	if (fuzz_accepts(schedule, strlen(text), code, &error)) {
		accepted(schedule, fuzz_hash(text));
		dls_schedule_free(schedule);
	}
	free(text);
	return 0;
}
