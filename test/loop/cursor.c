/* cursor.c - programs compiled with earlier headers: what their chunk requests read of a cursor are eight words.
 *
 * Fails if: a word of the head moves or comes to mean something else, the room for a cursor changes or a field before it
 * moves, the library writes past that room, or takes it to be zero.
 *
 * runs: check */
#include <stddef.h>

#include "once.h"

/* The macros' request as it was frozen, by the words' numbers. */
enum { COUNTER, UNITS, LAST, SIZE, PAST, WINDOW, TAKE, LENGTH, WORDS };

/* Bytes before a cursor in its struct dls__run, and of its room. */
enum { BEFORE = 16, ROOM = 1536 };

typedef struct dls__chunk take_fn(struct dls__cursor *, uint64_t ticket);

static struct dls__chunk frozen_next(void *cursor)
{
	uint64_t word[WORDS], *counter, t = 0, x, y;
	const uint64_t *i, *j;

	memcpy(word, cursor, sizeof(word));
	counter = (uint64_t *)(uintptr_t)word[COUNTER];
	if (!counter)
		goto take;
	t = __atomic_fetch_add(counter, word[UNITS], __ATOMIC_RELAXED);
	if (t < word[LAST])
		return (struct dls__chunk){ word[SIZE] * t, word[SIZE] };
	x = word[UNITS] == 1 ? t : t >> 16;
	y = word[UNITS] == 1 ? t : (t + word[UNITS]) >> 16;
	if (y < word[PAST]) {
		i = (const uint64_t *)(uintptr_t)(word[WINDOW] + 8 * x);
		j = (const uint64_t *)(uintptr_t)(word[WINDOW] + 8 * y);
		if (word[UNITS] == 1)
			return (struct dls__chunk){ i[0], i[1] - i[0] };
		x = i[0] + ((t & 0xffff) * (i[1] - i[0]) >> 16);
		y = j[0] + (((t + word[UNITS]) & 0xffff) * (j[1] - j[0]) >> 16);
		if (x < y)
			return (struct dls__chunk){ x, y - x };
	}
take:
	return ((take_fn *)(uintptr_t)word[TAKE])(cursor, t);
}

static void requests(void)
{
	enum { N = 5000 };
	static atomic_uchar hits[N];

	if (tap_skip_if(sizeof(void *) != 8, "words are frozen where pointers have 64 bits"))
		return;
	CHECK_EQ(offsetof(struct dls__run, cursor), BEFORE);
	CHECK_EQ(sizeof(struct dls__run), BEFORE + ROOM);
	for (size_t s = 0; s < ONCE_SCHEDULES; s++) {
		static struct dls_site place = DLS_SITE_INIT;
		atomic_uint wrong = 0;

		DLS_PARALLEL(num_threads(3)) {
			struct {
				struct dls__run run;
				unsigned char past[64];
			} r;
			unsigned char *storage = (unsigned char *)&r;
			struct dls__chunk chunk;

			memset(&r, 0xa5, sizeof(r));
			chunk = dls__for_first_chunk(&r.run, &place, NULL, once_schedules[s], 0, DLS__LAST, N, N, false);
			for (; chunk.n > 0; chunk = frozen_next(storage + BEFORE))
				for (uint64_t i = 0; i < chunk.n; i++)
					atomic_fetch_add(&hits[chunk.lo + i], 1);
			wrong += memcmp(storage + BEFORE + 8 * LENGTH, &(uint64_t){ N }, 8) != 0;
			for (size_t i = BEFORE + ROOM; i < sizeof(r); i++)
				wrong += storage[i] != 0xa5;
		}
		CHECK_EQ(wrong, 0);
		once_check(hits, N, 1, once_schedules[s], 3);
	}
}

/* Of chunks of one size only the last, which may be cut, takes a call: the program works out the others by itself.  Breaks if the
 * library leaves LAST or SIZE unset: all iterations are run all the same, in more time. */
static void equal_chunks(void)
{
	enum { N = 1000, SIZES = 7 };
	static struct dls_site place = DLS_SITE_INIT;
	atomic_uint wrong = 0;

	if (tap_skip_if(sizeof(void *) != 8, "words are frozen where pointers have 64 bits"))
		return;
	DLS_PARALLEL(num_threads(2)) {
		struct dls__run run;
		uint64_t word[WORDS];
		struct dls__chunk chunk = dls__for_first_chunk(&run, &place, NULL, "ss,7", 0, DLS__LAST, N, N, false);

		memcpy(word, &run.cursor, sizeof(word));
		wrong += word[COUNTER] && (word[LAST] != (N - 1) / SIZES || word[SIZE] != SIZES);
		while (chunk.n > 0)
			chunk = frozen_next(&run.cursor);
	}
	CHECK_EQ(wrong, 0);
}

TEST_MAIN(T(requests) T(equal_chunks))
