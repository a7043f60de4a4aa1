/* strategy.c - libFuzzer target: as a strategy of a machine, of a loop, of a machine with classes and of one class any text is
 * refused with a message, or prints, and reads back as the same. */
#include "lib/machine/spec.h"
#include "test/fuzz/fuzz.h"

typedef int parse(struct dls__spec *spec, const char *text, size_t length, struct dls_parse_error *error);

static int classes(struct dls__spec *spec, const char *text, size_t length, struct dls_parse_error *error)
{
	(void)length;
	return dls__spec_parse_classes(spec, text, error);
}

static int policy(struct dls__spec *spec, const char *text, size_t length, struct dls_parse_error *error)
{
	(void)length;
	return dls__spec_parse_policy(spec, text, error);
}

static size_t put(const void *spec, char *text, size_t size)
{
	return dls__spec_print(spec, text, size);
}

static void same(const struct dls__spec *a, const struct dls__spec *b)
{
	MUST(a->strategy == b->strategy && a->by_cost == b->by_cost && a->lifo == b->lifo && a->by_key == b->by_key);
	MUST(a->block == b->block && a->chunk == b->chunk && a->curve == b->curve && a->curve_given == b->curve_given);
	for (size_t i = 0; i < DLS_VALUES_MAX; i++) {
		const struct dls_value *x = &a->value[i], *y = &b->value[i];

		MUST(a->given[i] == b->given[i] && x->real == y->real && x->word == y->word && x->calc == y->calc &&
		     x->percent == y->percent && x->values == y->values);
		MUST(x->values <= DLS_LIST_MAX);
		for (unsigned k = 0; k < x->values; k++)
			MUST(x->list == a->list && y->list == b->list && x->list[k] == y->list[k]);
	}
}

static void accepted(parse *read, const struct dls__spec *spec)
{
	struct dls__spec copy, again;
	char *text = fuzz_print(put, spec), *twice;

	MUST(read(&again, text, strlen(text), NULL) == 0);
	dls__spec_copy(&copy, spec);
	same(spec, &again);
	same(spec, &copy);
	twice = fuzz_print(put, &again);
	MUST(strcmp(text, twice) == 0);
	free(text);
	free(twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static parse *const kinds[] = { dls__spec_parse, dls__spec_parse_loop, classes, policy };
	char *text = fuzz_text("", data, size), *bare = malloc(size ? size : 1);

	MUST(bare);
	if (size)
		memcpy(bare, data, size);
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		struct dls__spec spec = { .strategy = NULL };
		struct dls_parse_error error = { .at = (size_t)-1 };
		size_t length = k < 2 ? size : strlen(text);	/* the first two need no 0 behind the text */
		int code = kinds[k](&spec, k < 2 ? bare : text, length, &error);

		if (code) {
			MUST(!spec.strategy);
			fuzz_refused(length, code, &error);
		} else {
			MUST(spec.strategy && error.at == (size_t)-1);
			accepted(kinds[k], &spec);
		}
	}
	free(text);
	free(bare);
	return 0;
}
