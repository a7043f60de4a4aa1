/* site.c - many sites, names and schedule texts: each keeps its own, and finding one takes few comparisons.
 *
 * The linker puts counting functions of this program in place of the library's strcmp() and strncmp().
 *
 * Fails if: a site, a name or a text is searched for along a list, or one is found for another.
 *
 * runs: check */
#include <limits.h>

#include "child.h"
#include "deal.h"

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
	char want[32];

	snprintf(want, sizeof(want), "gss,%u", chunk);
	CHECK_TEXT(deal_schedule(site), want);
}

static void texts(void)
{
	struct dls_site *site = deal_site("texts");
	char text[32];

	compared = 0;
	for (unsigned i = 1; i <= 2 * N; i++) {		/* the second time all are there */
		snprintf(text, sizeof(text), "gss,%u", 1 + i % N);
		CHECK_EQ(dls_site_set_schedule(site, text), 0);
		is(site, 1 + i % N);
	}
	few();
}

static void names(void)
{
	static struct dls_site *site[N];
	struct dls_site *again;
	char text[80];

	compared = 0;
	for (unsigned i = 0; i < N; i++) {
		snprintf(text, sizeof(text), "%u.name", i);
		CHECK_EQ(dls_site_named(&site[i], text), 0);
		snprintf(text, sizeof(text), "gss,%u", 1 + i);
		CHECK_EQ(dls_site_set_schedule(site[i], text), 0);
	}
	for (unsigned i = 0; i < N; i++) {
		snprintf(text, sizeof(text), "%u.name", i);
		CHECK_EQ(dls_site_named(&again, text), 0);
		CHECK(again == site[i]);
		is(site[i], 1 + i);
	}
	few();
}

/* Two for each line, as in a header's inline function: they are one site. */
static void places(void)
{
	static struct dls_site a[N], b[N];
	char text[32];

	compared = 0;
	for (int i = 0; i < N; i++) {
		a[i] = (struct dls_site){ i % 2 ? "places.c" : "dir/places.c", 1 + i / 2, NULL, NULL, NULL };
		b[i] = a[i];
		snprintf(text, sizeof(text), "gss,%d", 1 + i);
		CHECK_EQ(dls_site_set_schedule(&a[i], text), 0);
	}
	for (int i = 0; i < N; i++) {
		is(&b[i], 1 + (unsigned)i);
		CHECK(a[i].site == b[i].site);
	}
	few();
}

/* A place is found by its text too; of two with the same text (it has the end of the path) the first one is. */
static void first(void)
{
	static const char *const path = "a/path/longer/than/the/fifty/bytes/that/a/name/has/room/for/first.c";
	struct dls_site a = { path, 7, NULL, "first", NULL }, b = { path + 2, 7, NULL, NULL, NULL }, *named;

	CHECK_EQ(dls_site_set_schedule(&a, "gss,11"), 0);
	CHECK_EQ(dls_site_set_schedule(&b, "gss,12"), 0);
	CHECK(a.site != b.site);
	CHECK_EQ(dls_site_named(&named, "n/the/fifty/bytes/that/a/name/has/room/for/first.c:7"), 0);
	is(named, 11);
	is(&b, 12);
}

/* The name has the last 50 bytes of the path. */
static void long_places(void)
{
	static const char path[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static char file[4][sizeof(path)];
	char name[300];

	for (unsigned k = 0; k < 4; k++) {
		unsigned length = 49 + k;
		struct dls_site place = { file[k], (int)length, NULL, NULL, NULL }, *named;

		memcpy(file[k], path, length);
		CHECK_EQ(dls_site_set_schedule(&place, k % 2 ? "gss,21" : "gss,22"), 0);
		snprintf(name, sizeof(name), "%s:%u", file[k] + (length > 50 ? length - 50 : 0), length);
		CHECK_EQ(dls_site_named(&named, name), 0);
		is(named, k % 2 ? 21 : 22);
	}
}

/* Closures of one place have a site each; the text of their type counts, not its address. */
static void closures(void)
{
	static char again[] = "second";
	static const char path[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.cc";
	struct dls_site a = { "closures.cc", 7, NULL, NULL, "first" }, b = { "closures.cc", 7, NULL, NULL, "second" };
	struct dls_site c = { "closures.cc", 7, NULL, NULL, again }, of_none = { "closures.cc", 7, NULL, NULL, NULL }, *named;

	CHECK_EQ(dls_site_set_schedule(&a, "gss,31"), 0);
	CHECK_EQ(dls_site_set_schedule(&b, "gss,32"), 0);
	is(&c, 32);
	CHECK(b.site == c.site && a.site != b.site);
	CHECK_EQ(dls_site_set_schedule(&of_none, "gss,33"), 0);
	is(&a, 31);
	CHECK_EQ(dls_site_named(&named, "closures.cc:7"), 0);
	is(named, 31);
	CHECK_EQ(dls_site_named(&named, "closures.cc:7#2"), 0);
	is(named, 32);
	for (int i = 0; i < 3; i++) {	/* with the longest numbers */
		static const char *const of[] = { "x", "y", "z" };
		struct dls_site place = { path, INT_MIN, NULL, NULL, of[i] };

		CHECK_EQ(dls_site_set_schedule(&place, i == 2 ? "gss,34" : "ss"), 0);
	}
	CHECK_EQ(dls_site_named(&named, "pqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.cc:-2147483648#3"), 0);
	is(named, 34);
}

static bool runs(struct dls_site *site, const char *wanted)
{
	char text[32];

	return dls_site_print_schedule(site, text, sizeof(text)) == strlen(wanted) && strcmp(text, wanted) == 0;
}

static int obey(const void *unused)
{
	struct dls_site a = { "dir/closures.cc", 7, NULL, NULL, "first" }, b = { "dir/closures.cc", 7, NULL, NULL, "second" };
	struct dls_site c = { "dir/closures.cc", 7, NULL, NULL, "third" };
	struct dls_site met_late = { "dir/named.cc", 9, NULL, NULL, NULL }, *named, *phase;
	char text[120];

	(void)unused;
	snprintf(text, sizeof(text), "closures.cc:7:gss,41; closures.cc:7#2:gss,42; named.cc:9:gss,43; site.c:%d#2:gss,44", __LINE__ + 2);
	setenv("DLS_SCHEDULE", text, 1);
	DLS_FOR(i, 0, 1, .name = "phase#2")
		(void)i;
	if (dls_site_named(&named, "dir/named.cc:9") || dls_site_named(&phase, "phase#2"))
		return 1;
	return runs(&a, "gss,41") && runs(&b, "gss,42") && runs(&c, "gss,41") && runs(named, "gss,43") && runs(&met_late, "gss,43") &&
	       !runs(phase, "gss,44") ? 0 : 1;
}

/* An entry for a place is for all its closures, one with a number for that one; also if the place's site was named before the loop
 * came.  A number in a name of the user's is none of a closure. */
static void entries(void)
{
	CHECK_EQ(child_status(obey, NULL), 0);
}

/* One loop whose name changes: each name counts its own.  Breaks if a name is taken for that of the site which the place met first;
 * these come before and after it, next to it and far away, and one has it as its beginning. */
static void renamed(void)
{
	static const char *const name[] = { "m", "l", "n", "m", "a", "z", "mm", "m" };

	for (int k = 0; k < 8; k++)
		DLS_FOR(i, 0, 1, .name = name[k])
			(void)i;
	for (int k = 0; k < 8; k++)
		CHECK_EQ(deal_stats(deal_site(name[k])).executions, *name[k] == 'm' && !name[k][1] ? 3 : 1);
}

TEST_MAIN(T(entries) T(closures) T(texts) T(names) T(places) T(first) T(long_places) T(renamed))
