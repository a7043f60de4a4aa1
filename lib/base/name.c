/* name.c - how names of schedules, nets, keys and values match. */
#include <string.h>

#include "lib/base/name.h"

static bool ignored(char c)
{
	return c == ' ' || c == '\t' || c == '-' || c == '_';
}

/* Not tolower(): a name means the same in every locale. */
static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool dls__name_equal(const char *written, size_t length, const char *name, size_t name_length)
{
	const char *w = written, *w_end = written + length, *n = name, *n_end = name + name_length;

	for (;;) {
		while (w < w_end && ignored(*w))
			w++;
		while (n < n_end && ignored(*n))
			n++;
		if (w == w_end || n == n_end)
			return w == w_end && n == n_end;
		if (lower(*w++) != lower(*n++))
			return false;
	}
}

bool dls__named(const char *name, size_t length, const char *canonical, const char *aliases)
{
	if (dls__name_equal(name, length, canonical, strlen(canonical)))
		return true;
	for (const char *alias = aliases ? aliases : ""; *alias;) {
		const char *end = strchr(alias, ' ');
		size_t n = end ? (size_t)(end - alias) : strlen(alias);

		if (dls__name_equal(name, length, alias, n))
			return true;
		for (alias += n; *alias == ' '; alias++)
			;
	}
	return false;
}

char *dls__name_number(char *to, int64_t number)
{
	uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;
	char digit[20];
	size_t digits = 0;

	if (number < 0)
		*to++ = '-';
	for (; left > 0 || digits == 0; left /= 10)
		digit[digits++] = (char)('0' + left % 10);
	while (digits > 0)
		*to++ = digit[--digits];
	*to = 0;
	return to;
}

bool dls__name_good(const char *name, size_t length)
{
	if (length == 0 || length > 31 || name[0] < 'a' || name[0] > 'z')
		return false;
	for (size_t i = 0; i < length; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789-_", name[i]))
			return false;
	return true;
}

enum { LETTERS = 64 };		/* that are compared */

/* Copy the letters to compare, in lower case and without blanks, dashes and underscores; returns how many. */
static size_t letters(char to[LETTERS], const char *text, size_t length)
{
	size_t n = 0;

	for (size_t i = 0; i < length && n < LETTERS; i++)
		if (!ignored(text[i]))
			to[n++] = lower(text[i]);
	return n;
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Changes, additions, omissions and swaps of neighbours that make one of the other: the optimal string alignment. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	unsigned row[3][LETTERS + 1], *above = row[0], *last = row[1], *here = row[2];

	for (size_t k = 0; k <= b_length; k++)
		here[k] = (unsigned)k;
	for (size_t i = 1; i <= a_length; i++) {
		unsigned *oldest = above;

		above = last;
		last = here;
		here = oldest;
		here[0] = (unsigned)i;
		for (size_t k = 1; k <= b_length; k++) {
			here[k] = least(last[k - 1] + (a[i - 1] != b[k - 1]), least(last[k], here[k - 1]) + 1);
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
				here[k] = least(here[k], above[k - 2] + 1);
		}
	}
	return here[b_length];
}

void dls__nearest_try(struct dls__nearest *nearest, const char *name, size_t length)
{
	char written[LETTERS], other[LETTERS];
	size_t n = letters(written, nearest->written, nearest->length);
	unsigned wrong = distance(written, n, other, letters(other, name, length)), d = 2 * wrong + (n > 0 && written[0] != other[0]);

	if (n < 2 || wrong > (n < 3 ? 1 : n / 3) || (nearest->name && d >= nearest->distance))
		return;
	nearest->name = name;
	nearest->name_length = length;
	nearest->distance = d;
}
