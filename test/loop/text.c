/* text.c - numbers, words and quotes as all readers and messages have them; variables that are on or off.
 *
 * Fails if: a blank at either end counts, what is no decimal number is read as one, a number is printed with more digits than it needs
 * or does not read back, a long text is quoted without its mark, a control character reaches a terminal, or a wrong word turns a
 * variable on. */
#include <math.h>

#include "child.h"
#include "lib/base/message.h"
#include "lib/base/reading.h"
#include "lib/base/variable.h"
#include "tap.h"

static struct dls__slice whole(const char *text)
{
	return (struct dls__slice){ text, strlen(text) };
}

static void trimmed(void)
{
	static const char *const text[] = { "", " ", "\t", " \t a b\t \t", "a\t", "\ta", "a" };
	static const char *const wanted[] = { "", "", "", "a b", "a", "a", "a" };

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
		struct dls__slice t = dls__trim(whole(text[i]));

		if (!CHECK(t.n == strlen(wanted[i]) && strncmp(t.s, wanted[i], t.n) == 0))
			tap_note("\"%s\"", text[i]);
	}
}

static void reals(void)
{
	static const char *const none[] = { "", "x", "1x", "e5", "nan", "inf", "0x10", "1 ", " 1", "1e", "--1", "1.2.3", "+" };
	static const double value[] = { 0, 1, 0.1, 1 / 3.0, 1e300, -2.5e-300, 123456789012345680, 5e-324 };
	static const char *const text[] = { "0", "1", "0.1", "0.3333333333333333", "1e+300", "-2.5e-300", "1.2345678901234568e+17",
					    "5e-324" };
	char out[400], longest[70];

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		if (!CHECK(isnan(dls__real(whole(none[i])))))
			tap_note("\"%s\"", none[i]);
	memset(longest, '1', sizeof(longest));
	CHECK(isnan(dls__real((struct dls__slice){ longest, 64 })));
	CHECK(dls__real((struct dls__slice){ longest, 63 }) > 1e62);
	CHECK(dls__real(whole("-.5E1")) == -5 && dls__real(whole("+1.")) == 1);
	for (size_t i = 0; i < sizeof(value) / sizeof(*value); i++) {
		struct dls__printer to = { out, sizeof(out), 0 };

		dls__put_real(&to, value[i]);
		if (!CHECK(strcmp(out, text[i]) == 0 && dls__real(whole(out)) == value[i]))
			tap_note("%s in place of %s", out, text[i]);
	}
	dls__put_real(&(struct dls__printer){ out, sizeof(out), 0 }, NAN);	/* equal to nothing */
	CHECK(strstr(out, "nan"));
}

static void is_quoted(const char *text, size_t at, size_t marked, const char *begin, const char *end)
{
	char out[DLS__QUOTE];
	size_t n;

	dls__quote(out, text, strlen(text), at, marked);
	n = strlen(out);
	if (!CHECK(strncmp(out, begin, strlen(begin)) == 0 && n >= strlen(end) && strcmp(out + n - strlen(end), end) == 0))
		tap_note("%s", out);
}

static void quoted(void)
{
	char text[501];

	memset(text, 'a', 500);
	text[500] = 0;
	is_quoted("abc", 0, 0, "abc", "abc");
	is_quoted("abc", 1, 1, "a[b]c", "c");
	is_quoted("abc", 3, 0, "abc[]", "c[]");
	is_quoted("a\n\177\377", 0, 0, "a\\x0a\\x7f\\xff", "\\xff");
	is_quoted(text, 0, 500, "[aaa", "a...]");		/* the mark ends where the text is cut */
	is_quoted(text, 0, 10, "[aaaaaaaaaa]a", "a...");	/* ... or has ended before */
	is_quoted(text, 300, 10, "...aaa", "a...");
	is_quoted(text, 300, 139, "...aaa", "a]a...");
	is_quoted(text, 300, 140, "...aaa", "a]...");
	is_quoted(text, 300, 141, "...aaa", "a...]");
	memset(text + 100, '\n', 400);
	is_quoted(text, 100, 400, "...aaa", "\\x0a...]");
}

static int control(const void *unused)
{
	(void)unused;
	dls__tell_user("a%sb", "\033[2J\177\n\303\244");
	return 0;
}

static void messages(void)
{
	child_run(control, NULL, true);
	CHECK_TEXT(complained, "libdls: a\\x1b[2J\\x7f\\x0a\303\244b\n");
}

static int ask(const void *value)
{
	if (value)
		setenv("DLS_TEXT_TEST", value, 1);
	return dls__variable_flag("DLS_TEXT_TEST");
}

static void flags(void)
{
	static const struct {
		const char *value;
		bool on, wrong;
	} row[] = {
		{ NULL, false, false }, { "", false, false }, { " \t", false, false }, { "0", false, false }, { "false", false, false },
		{ "FALSE", false, false }, { "1", true, false }, { "true", true, false }, { "True", true, false },
		{ "yes", false, true }, { "2", false, true }, { "00", false, true }, { "1 ", false, true }, { "tru", false, true },
		{ "falsey", false, true },
	};

	unsetenv("DLS_TEXT_TEST");
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		bool right = CHECK_EQ(child_exit(child_run(ask, row[i].value, true)), row[i].on) == row[i].on;

		if (row[i].wrong)
			right &= CHECK(strstr(complained, row[i].value) && strstr(complained, "accepted are 0, 1, true and false; using 0"));
		else
			right &= CHECK(!*complained);
		if (!right)
			tap_note("\"%s\": %s", row[i].value ? row[i].value : "(unset)", complained);
	}
}

TEST_MAIN(T(trimmed) T(reals) T(quoted) T(messages) T(flags))
