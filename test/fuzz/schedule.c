/* schedule.c - fuzz target (libFuzzer): any text is refused with a message or prints, and its calculator deals. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dls/calc.h"
#include "dls/loop.h"
#include "dls/schedule.h"

static void must(bool ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "not so: %s\n", what);
		abort();
	}
}

#define MUST(condition) must(condition, #condition)

/* FNV-1a: turns a text into a loop, so that the corpus holds plain texts. */
static uint64_t hash(const char *text)
{
	uint64_t h = 0xcbf29ce484222325;

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3;
	return h ^ h >> 29;
}

static void refused(const char *text, const struct dls_parse_error *error)
{
	const char *end = memchr(error->what, 0, sizeof(error->what));
	size_t length = strlen(text);

	MUST(error->at <= length && error->length <= length - error->at);
	MUST(end && end > error->what);
	for (const char *c = error->what; c < end; c++)
		MUST(*c >= ' ' && *c <= '~');
}

/* The canonical text, to be freed; it must be written alike into a buffer of any size. */
static char *print(const struct dls_schedule *schedule)
{
	size_t length = dls_schedule_print(schedule, NULL, 0), cut = length / 2 + 1;
	char *text = malloc(length + 1), *part = malloc(cut);

	MUST(text && part);
	MUST(dls_schedule_print(schedule, text, length + 1) == length && strlen(text) == length);
	MUST(dls_schedule_print(schedule, part, cut) == length && strlen(part) == cut - 1);
	MUST(memcmp(part, text, cut - 1) == 0);
	free(part);
	return text;
}

static void deal(const struct dls_schedule *schedule, uint64_t h)
{
	const struct dls_calc *calc = dls_schedule_calc(schedule);
	uint64_t R = h >> h % 64;
	unsigned p = 1 + ((unsigned)(h >> 6) % DLS_WORKERS_MAX >> (h >> 22) % 17);
	_Alignas(max_align_t) char state[DLS_STATE_MAX];
	struct dls_loop_desc desc;
	int code = dls_schedule_describe(schedule, R, p, (unsigned)(h >> 32) % p, &desc);

	if (R == 0) {
		MUST(code == DLS_EINVAL);
		return;
	}
	MUST(code == 0);
	MUST(desc.n == R && desc.p == p && desc.worker < p && desc.weight > 0);
	if (calc->needs & DLS_NEED_MU && desc.mu == 0)
		desc.mu = 1e-6;		/* not given: a loop would have been told, or have run the fallback */
	if (calc->init(state, &desc))
		return;
	for (int i = 0; i < 32 && R > 0; i++) {
		uint64_t K = calc->next(state, R);

		MUST(K >= 1 && K <= R);
		if (!calc->chunk && K < desc.chunk)
			K = desc.chunk < R ? desc.chunk : R;
		R -= K;
		if (!calc->repeat || !(h >> i & 1))
			continue;
		uint64_t more = calc->repeat(state);

		R -= more < R / K ? more * K : R;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dls_schedule *schedule = NULL, *again = NULL;
	struct dls_parse_error error = { .at = (size_t)-1 };
	char *text = malloc(size + 1);

	MUST(text);
	memcpy(text, data, size);
	text[size] = 0;
	if (dls_schedule_parse(&schedule, text, &error)) {
		MUST(!schedule);
		refused(text, &error);
	} else {
		MUST(schedule && error.at == (size_t)-1);

		char *canonical = print(schedule);

		MUST(dls_schedule_parse(&again, canonical, NULL) == 0);
		MUST(dls_schedule_calc(again) == dls_schedule_calc(schedule));

		char *twice = print(again);

		MUST(strcmp(twice, canonical) == 0);
		deal(schedule, hash(text));
		dls_schedule_free(again);
		dls_schedule_free(schedule);
		free(canonical);
		free(twice);
	}
	free(text);
	return 0;
}
