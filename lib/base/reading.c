/* reading.c - texts that users write: splitting, reading numbers, refusing, and writing back. */
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/name.h"
#include "lib/base/once.h"
#include "lib/base/reading.h"

static locale_t c_locale;	/* numbers are written with a point everywhere */

static void make_c_locale(void)
{
	c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

locale_t dls__enter_c_locale(void)
{
	static atomic_bool done;

	dls__once(&done, make_c_locale);
	return uselocale(c_locale);	/* (locale_t)0 if there was no memory: no change */
}

struct dls__slice dls__trim(struct dls__slice t)
{
	while (t.n && (t.s[0] == ' ' || t.s[0] == '\t'))
		t.s++, t.n--;
	while (t.n && (t.s[t.n - 1] == ' ' || t.s[t.n - 1] == '\t'))
		t.n--;
	return t;
}

struct dls__slice dls__cut(struct dls__slice *rest, char c)
{
	const char *at = rest->n ? memchr(rest->s, c, rest->n) : NULL;
	struct dls__slice head = { rest->s, at ? (size_t)(at - rest->s) : rest->n };

	*rest = at ? (struct dls__slice){ at + 1, rest->n - head.n - 1 } : (struct dls__slice){ NULL, 0 };
	return dls__trim(head);
}

double dls__real(struct dls__slice t)
{
	char text[64];

	if (t.n == 0 || t.n >= sizeof(text) || !memchr("0123456789+-.", t.s[0], 13))
		return NAN;
	for (size_t i = 0; i < t.n; i++)
		if (!memchr("0123456789+-.eE", t.s[i], 15))
			return NAN;
	memcpy(text, t.s, t.n);
	text[t.n] = 0;

	char *end;
	locale_t outer = dls__enter_c_locale();
	double value = strtod(text, &end);

	uselocale(outer);
	return *end ? NAN : value;
}

bool dls__whole(struct dls__slice t, uint64_t *value, bool *fits)
{
	bool negative = t.n && t.s[0] == '-';

	if (t.n && (negative || t.s[0] == '+'))
		t.s++, t.n--;
	*value = 0;
	*fits = !negative;
	for (size_t i = 0; i < t.n; i++) {
		unsigned digit = (unsigned)(t.s[i] - '0');

		if (digit > 9)
			return false;
		if (*value > (UINT64_MAX - digit) / 10)
			*fits = false;
		else
			*value = *value * 10 + digit;
	}
	return t.n > 0;
}

int dls__word(struct dls__slice t, const char *words)
{
	for (int place = 0; *words; place++) {
		size_t n = strcspn(words, " ");

		if (dls__name_equal(t.s, t.n, words, n))
			return place;
		words += n + strspn(words + n, " ");
	}
	return -1;
}

int dls__refuse(const struct dls__reading *in, int code, struct dls__slice where, const char *format, ...)
{
	struct dls_parse_error *error = in->error;

	if (error) {
		va_list args;

		error->at = (size_t)(where.s - in->all.s);
		error->length = where.n;
		va_start(args, format);
		vsnprintf(error->what, sizeof(error->what), format, args);
		va_end(args);
	}
	return code;
}

void dls__put(struct dls__printer *to, const char *format, ...)
{
	size_t room = to->length < to->size ? to->size - to->length : 0;
	va_list args;

	va_start(args, format);
	to->length += (size_t)vsnprintf(room ? to->text + to->length : NULL, room, format, args);
	va_end(args);
}

void dls__put_real(struct dls__printer *to, double value)
{
	char text[40];

	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	dls__put(to, "%s", text);
}

void dls__put_word(struct dls__printer *to, const char *words, uint64_t i)
{
	for (; i > 0; i--)
		words += strcspn(words, " ") + 1;
	dls__put(to, "%.*s", (int)strcspn(words, " "), words);
}

size_t dls__character(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n = *s < ' ' || *s == 0x7f ? 0 : *s < 0x80 ? 1 : *s < 0xc2 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 :
		   *s < 0xf5 ? 4 : 0;

	for (size_t i = 1; i < n; i++)
		if (s[i] >> 6 != 2)
			return 0;
	if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) || (*s == 0xf0 && s[1] < 0x90) ||
	    (*s == 0xf4 && s[1] > 0x8f) || (*s == 0xef && s[1] == 0xbf && s[2] > 0xbd))
		return 0;
	return n;
}
