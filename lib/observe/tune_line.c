/* tune_line.c - a line of the file of DLS_TUNE: read, and written so that it reads back as the same.
 *
 *	"SITE" threads=P octave=N schedule="TEXT" seconds=T first=T executions=N version="TEXT" cpu="TEXT"
 *
 * Blanks separate the fields.  In a text, \xNN stands for a byte that would end the text or the line; a time is seconds, and -
 * if it is not known. */
#include <locale.h>
#include <string.h>

#include "dls/loop.h"
#include "lib/observe/tune_file.h"

enum { OCTAVES = 128 };		/* 2 log2 of 2^64 */

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Take "KEY=" with the blanks before it from the beginning; `key` may be empty. */
static bool take_key(struct dls__stretch *rest, const char *key)
{
	size_t n = strlen(key);

	if (n && (!rest->n || !blank(rest->s[0])))
		return false;
	*rest = dls__trim(*rest);
	if (rest->n < n || memcmp(rest->s, key, n) != 0)
		return false;
	rest->s += n;
	rest->n -= n;
	return true;
}

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte of an escape; 0: it is none. */
static char escaped(struct dls__stretch t)
{
	int high, low;

	if (t.n < 4 || t.s[0] != '\\' || t.s[1] != 'x')
		return 0;
	high = digit(t.s[2]);
	low = digit(t.s[3]);
	return high < 0 || low < 0 ? 0 : (char)(16 * high + low);
}

/* A text in quotes, of 1 to size - 1 bytes. */
static bool take_text(struct dls__stretch *rest, const char *key, char *to, size_t size)
{
	struct dls__stretch t = *rest;
	size_t n = 0;

	if (!take_key(&t, key) || t.n < 2 || *t.s != '"')
		return false;
	for (t.s++, t.n--; t.n && *t.s != '"'; n++) {
		size_t bytes = *t.s == '\\' ? 4 : 1;
		char c = bytes == 1 ? *t.s : escaped(t);

		if (!c || n == size - 1)
			return false;
		to[n] = c;
		t.s += bytes;
		t.n -= bytes;
	}
	if (!t.n || n == 0)
		return false;
	to[n] = 0;
	*rest = (struct dls__stretch){ t.s + 1, t.n - 1 };
	return true;
}

/* Take the text before the next blank. */
static bool take_word(struct dls__stretch *rest, const char *key, struct dls__stretch *word)
{
	if (!take_key(rest, key))
		return false;
	*word = *rest;
	while (rest->n && !blank(*rest->s))
		rest->s++, rest->n--;
	word->n -= rest->n;
	return true;
}

static bool take_whole(struct dls__stretch *rest, const char *key, uint64_t most, uint64_t *value)
{
	struct dls__stretch word;
	bool fits;

	return take_word(rest, key, &word) && dls__whole(word, value, &fits) && fits && *value <= most;
}

static bool take_time(struct dls__stretch *rest, const char *key, double *value)
{
	struct dls__stretch word;

	if (!take_word(rest, key, &word))
		return false;
	*value = dls__real(word);
	return (word.n == 1 && *word.s == '-') || (*value > 0 && *value <= 1e9);
}

bool dls__tune_read(struct dls__tune_line *line, const char *text, size_t length)
{
	struct dls__stretch rest = { text, length };
	struct dls__choice *c = &line->choice;
	uint64_t workers, octave;

	if (rest.n && rest.s[rest.n - 1] == '\r')
		rest.n--;
	if (rest.n >= DLS__TUNE_LINE || !take_text(&rest, "", line->site, sizeof(line->site)) ||
	    !take_whole(&rest, "threads=", DLS_WORKERS_MAX, &workers) || workers == 0 ||
	    !take_whole(&rest, "octave=", OCTAVES, &octave) ||
	    !take_text(&rest, "schedule=", c->schedule, sizeof(c->schedule)) || !take_time(&rest, "seconds=", &c->seconds) ||
	    !take_time(&rest, "first=", &c->first) || !take_whole(&rest, "executions=", UINT64_MAX, &c->executions) ||
	    !take_text(&rest, "version=", line->version, sizeof(line->version)) ||
	    !take_text(&rest, "cpu=", line->cpu, sizeof(line->cpu)))
		return false;
	line->workers = (unsigned)workers;
	line->octave = (unsigned)octave;
	return dls__trim(rest).n == 0;
}

static void put_text(struct dls__printer *to, const char *key, const char *text)
{
	dls__put(to, "%s\"", key);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < ' ' || c == 0x7f || c == '"' || c == '\\')
			dls__put(to, "\\x%02x", c);
		else
			dls__put(to, "%c", c);
	}
	dls__put(to, "\"");
}

/* Figures need no more than four digits. */
static void put_time(struct dls__printer *to, const char *key, double seconds)
{
	if (seconds > 0 && seconds <= 1e9)
		dls__put(to, " %s=%.4g", key, seconds);
	else
		dls__put(to, " %s=-", key);
}

char *dls__tune_print(const struct dls__tune_line *line, char text[DLS__TUNE_LINE])
{
	struct dls__printer to = { .text = text, .size = DLS__TUNE_LINE };
	locale_t outer = dls__enter_c_locale();

	put_text(&to, "", line->site);
	dls__put(&to, " threads=%u octave=%u", line->workers, line->octave);
	put_text(&to, " schedule=", line->choice.schedule);
	put_time(&to, "seconds", line->choice.seconds);
	put_time(&to, "first", line->choice.first);
	dls__put(&to, " executions=%llu", (unsigned long long)line->choice.executions);
	put_text(&to, " version=", line->version);
	put_text(&to, " cpu=", line->cpu);
	dls__put(&to, "\n");
	uselocale(outer);
	return text;
}
