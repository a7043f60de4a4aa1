/* param.c - values of parameters as users write them: of strategies, of machines, of costs. */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "dls/calc.h"
#include "lib/base/name.h"
#include "lib/schedule/schedule.h"
#include "lib/schedule/param.h"
#include "lib/schedule/registered.h"

int dls__param_find(const struct dls_param *param, size_t n, struct dls__slice key)
{
	for (size_t i = 0; i < n && param[i].name; i++)
		if (dls__name_equal(key.s, key.n, param[i].name, strlen(param[i].name)))
			return (int)i;
	return -1;
}

void dls__param_names(struct dls__printer *to, const struct dls_param *param, size_t n)
{
	for (size_t i = 0; i < n && param[i].name; i++)
		dls__put(to, " %s=", param[i].name);
}

static void put_accepted(struct dls__printer *to, const struct dls_param *p)
{
	dls__put(to, "%s= (%s) is ", p->name, p->text);
	if (p->min <= p->max) {
		if (p->list)
			dls__put(to, "up to %d%s numbers", DLS_LIST_VALUES_MAX, p->whole ? " whole" : "");
		else
			dls__put(to, "a%s number", p->whole ? " whole" : "");
		dls__put(to, p->whole ? " %s %.0f" : " %s %g", isinf(p->max) ? "of at least" : "from", p->min);
		if (!isinf(p->max))
			dls__put(to, p->whole ? " to %.0f" : " to %g", p->max);
		dls__put(to, "%s%s%s", p->list ? " with colons between" : "",
			 p->percent ? ", % after it for per cent of the initial load" : "", p->words ? ", or " : "");
	}
	if (p->words)
		dls__put(to, "one of: %s", p->words);
	for (size_t i = 0; p->calc && dls_calc_at(i); i++)
		dls__put(to, "%s%s", i ? " " : "one of: ", dls_calc_at(i)->name);
}

static int refuse(const struct dls__reading *in, int code, struct dls__slice written,
		  const struct dls_param *param)
{
	char text[sizeof(in->error->what)];
	struct dls__printer to = { text, sizeof(text), 0 };
	locale_t outer = dls__enter_c_locale();

	put_accepted(&to, param);
	uselocale(outer);
	return dls__refuse(in, code, written, "%s", text);
}

/* Read one number; *count gets its exact value if it is whole.  Returns 0, DLS_EINVAL or DLS_ERANGE. */
static int number(const struct dls_param *p, struct dls__slice t, double *x, uint64_t *count)
{
	bool fits = true;

	if (p->whole) {
		if (!dls__whole(t, count, &fits))
			return DLS_EINVAL;
		*x = (double)*count;
	} else {
		*x = dls__real(t);
		if (isnan(*x))
			return DLS_EINVAL;
	}
	return fits && *x >= p->min && *x <= p->max && !isinf(*x) ? 0 : DLS_ERANGE;
}

static int numbers(const struct dls__reading *in, const struct dls_param *p, struct dls__slice rest,
		   struct dls_value *value, double *list)
{
	value->list = list;
	do {
		struct dls__slice one = dls__cut(&rest, ':');
		int code = value->values < DLS_LIST_VALUES_MAX ? number(p, one, &list[value->values++], &value->count) : DLS_ERANGE;

		if (code)
			return refuse(in, code, one, p);
	} while (rest.s);
	value->real = list[0];
	return 0;
}

int dls__param_parse(const struct dls__reading *in, const struct dls_param *p, struct dls__slice written,
		     struct dls_value *value, double *list)
{
	struct dls__slice t = written;

	*value = (struct dls_value){ .given = true, .word = p->words ? dls__word(t, p->words) : -1 };
	if (value->word >= 0)
		value->count = (uint64_t)value->word;
	if (p->calc && t.n)
		value->calc = dls__calc_named(t.s, t.n);
	if (value->word >= 0 || value->calc)
		return 0;
	if (p->min > p->max)
		return refuse(in, p->calc && !p->words ? DLS_ENOENT : DLS_EINVAL, written, p);
	if (p->list)
		return numbers(in, p, t, value, list);
	if (p->percent && t.n && t.s[t.n - 1] == '%') {
		value->percent = true;
		t.n--;
		t = dls__trim(t);
	}

	int code = number(p, t, &value->real, &value->count);

	return code ? refuse(in, code, written, p) : 0;
}

static void put_number(struct dls__printer *to, const struct dls_param *p, double x)
{
	if (p->whole)
		dls__put(to, "%.0f", x);
	else
		dls__put_real(to, x);
}

void dls__param_put(struct dls__printer *to, const struct dls_param *p, const struct dls_value *value)
{
	if (value->word >= 0) {
		dls__put_word(to, p->words, (uint64_t)value->word);
		return;
	}
	if (value->calc) {
		dls__put(to, "%s", value->calc->name);
		return;
	}
	if (p->whole && !p->list)
		dls__put(to, "%llu", (unsigned long long)value->count);
	else
		put_number(to, p, value->real);
	for (unsigned i = 1; i < value->values; i++) {
		dls__put(to, ":");
		put_number(to, p, value->list[i]);
	}
	if (value->percent)
		dls__put(to, "%%");
}
