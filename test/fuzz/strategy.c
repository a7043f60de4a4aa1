/* strategy.c - libFuzzer target: as a strategy of a machine, of a loop, of a machine with classes and of one class any text is
 * refused with a message, or prints, and reads back as the same.
 *
 * All strategies are read by one code, so that no coverage leads from one to another: a first byte that is odd stands for the
 * name of one, and bytes from 128 on then for its parameters and their words. */
#include "lib/schedule/spec.h"
#include "test/fuzz/fuzz.h"

static size_t put(const void *spec, char *text, size_t size)
{
	return dls__spec_print(spec, text, size);
}

static void same(const struct dls__spec *a, const struct dls__spec *b)
{
	MUST(a->strategy == b->strategy && a->by_cost == b->by_cost && a->lifo == b->lifo && a->by_key == b->by_key);
	MUST(a->block == b->block && a->chunk == b->chunk && a->loop.curve == b->loop.curve &&
	     a->loop.curve_given == b->loop.curve_given && a->loop.multiple == b->loop.multiple);
	for (size_t i = 0; i < DLS_VALUES_MAX; i++) {
		const struct dls_value *x = &a->value[i], *y = &b->value[i];

		MUST(x->given == y->given && x->real == y->real && x->word == y->word && x->calc == y->calc &&
		     x->percent == y->percent && x->values == y->values);
		MUST(x->values <= DLS_LIST_VALUES_MAX);
		for (unsigned k = 0; k < x->values; k++)
			MUST(x->list == a->list && y->list == b->list && x->list[k] == y->list[k]);
	}
}

static void accepted(enum dls__spec_of of, const struct dls__spec *spec)
{
	struct dls__spec copy, again;
	char *text = fuzz_print(put, spec), *twice;

	MUST(dls__spec_parse_of(of, &again, text, strlen(text), NULL) == 0);
	dls__spec_copy(&copy, spec);
	same(spec, &again);
	same(spec, &copy);
	twice = fuzz_print(put, &again);
	MUST(strcmp(text, twice) == 0);
	free(text);
	free(twice);
}

/* Some of what may follow a strategy's name, by number. */
static void put_word(char *to, const struct dls_strategy *s, unsigned number)
{
	static const char *const common[] = {
		",net=", ",load=cost", ",order=lifo", ",order=key", ",block=all", ",curve=", ",multiple=",
	};
	enum { COMMON = sizeof(common) / sizeof(*common) };
	unsigned params = 0;

	while (params < DLS_VALUES_MAX && s->param[params].name)
		params++;

	unsigned which = number % (COMMON + params), word = number / (COMMON + params);

	if (which < COMMON) {
		strcpy(to, common[which]);
		return;
	}

	const struct dls_param *p = &s->param[which - COMMON];
	const char *w = p->words && word ? p->words : "";

	for (; word > 1 && strchr(w, ' '); word--)
		w = strchr(w, ' ') + 1;
	sprintf(to, ",%s=%.*s", p->name, (int)strcspn(w, " "), w);
}

/* The text that some bytes stand for, to be freed. */
static char *written(const uint8_t *data, size_t size, size_t *length)
{
	enum { MOST = 64 };
	char *text = malloc((size + 1) * MOST);
	const struct dls_strategy *s = NULL;
	size_t strategies = 0;

	MUST(text);
	text[0] = 0;
	while (dls_strategy_at(strategies))
		strategies++;
	if (size && data[0] % 2) {
		s = dls_strategy_at(data[0] / 2 % strategies);
		strcpy(text, s->name);
	}
	*length = strlen(text);
	for (size_t i = 1; i < size; i++)
		if (s && data[i] >= 128) {
			put_word(text + *length, s, data[i] - 128u);
			*length += strlen(text + *length);
		} else {
			text[(*length)++] = (char)data[i];
		}
	text[*length] = 0;
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum dls__spec_of kinds[] = { DLS__OF_TASKS, DLS__OF_LOOP, DLS__OF_CLASSES, DLS__OF_CLASS };
	size_t n;
	char *text = written(data, size, &n), *bare = malloc(n ? n : 1);

	MUST(bare);
	memcpy(bare, text, n);
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		struct dls__spec spec = { .strategy = NULL };
		struct dls_parse_error error = FUZZ_UNSAID;
		size_t length = k < 2 ? n : strlen(text);	/* the first two need no 0 behind the text */
		int code = dls__spec_parse_of(kinds[k], &spec, k < 2 ? bare : text, length, &error);

		if (fuzz_accepts(spec.strategy, length, code, &error))
			accepted(kinds[k], &spec);
	}
	free(text);
	free(bare);
	return 0;
}
