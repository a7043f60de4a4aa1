/* site.c - many schedule texts: each is kept apart, and finding one takes few comparisons.
 *
 * The linker puts functions of this program in place of the library's strcmp() and strncmp(), which count.
 * Fails if: a text is looked for along a list, or one is found for another. */
#include <stdatomic.h>

#include "dls.h"
#include "tap.h"

enum { N = 4000, MOST = 100 };	/* comparisons each; along a list they are N / 2 */

static unsigned long compared;

int __real_strcmp(const char *a, const char *b);
int __real_strncmp(const char *a, const char *b, size_t n);

int __wrap_strcmp(const char *a, const char *b)
{
	compared++;
	return __real_strcmp(a, b);
}

int __wrap_strncmp(const char *a, const char *b, size_t n)
{
	compared++;
	return __real_strncmp(a, b, n);
}

/* Some, but not many. */
static void few(void)
{
	if (!CHECK(compared >= N && compared <= MOST * (unsigned long)N))
		tap_note("%lu comparisons", compared);
	compared = 0;
}

static void is(struct dls_site *site, unsigned chunk)
{
	char want[32], text[32];

	snprintf(want, sizeof(want), "gss,%u", chunk);
	dls_site_print(site, text, sizeof(text));
	CHECK_TEXT(text, want);
}

static void texts(void)
{
	struct dls_site *site;
	char text[32];

	CHECK_EQ(dls_site_named(&site, "texts"), 0);
	compared = 0;
	for (unsigned i = 1; i <= 2 * N; i++) {		/* the second time all are known */
		snprintf(text, sizeof(text), "gss,%u", 1 + i % N);
		CHECK_EQ(dls_site_schedule(site, text), 0);
		is(site, 1 + i % N);
	}
	few();
}

TEST_MAIN(T(texts))
