/* answers.c - answers of auto that hold for some executions, by class. */
#include "lib/site/answers.h"

/* Bit fields of an answer: workers, half octave of the iterations, flags but DLS__AUTO_OWN; schedule;
 * executions that may follow without asking again. */
enum { MORE_BITS = 16, SCHEDULE_BITS = 8, FLAG_BITS = 1, OCTAVE_BITS = 8 };

static uint64_t key_of(uint64_t n, unsigned p, unsigned flags)
{
	return ((uint64_t)p << OCTAVE_BITS | dls__auto_octave(n)) << FLAG_BITS | flags % DLS__AUTO_OWN;
}

static _Atomic uint64_t *place_of(struct dls__answers *answers, uint64_t key)
{
	uint64_t p = key >> (FLAG_BITS + OCTAVE_BITS);

	return &answers->answer[((key >> FLAG_BITS) + p * 23) % DLS__ANSWERS];
}

void dls__answer_keep(struct dls__answers *answers, uint64_t n, unsigned p, unsigned flags,
		      struct dls__auto_choice choice)
{
	uint64_t key = key_of(n, p, flags);
	uint64_t answer = (key << SCHEDULE_BITS | choice.schedule) << MORE_BITS | choice.more;

	/* relaxed, here and below: the word is all there is. */
	atomic_store_explicit(place_of(answers, key), choice.more ? answer : 0, memory_order_relaxed);
}

int dls__answer_again(struct dls__answers *answers, uint64_t n, unsigned p, unsigned flags)
{
	uint64_t key = key_of(n, p, flags);
	_Atomic uint64_t *place = place_of(answers, key);
	uint64_t answer = atomic_load_explicit(place, memory_order_relaxed);

	if (answer >> (SCHEDULE_BITS + MORE_BITS) != key || answer % (1u << MORE_BITS) == 0)
		return -1;
	atomic_store_explicit(place, answer - 1, memory_order_relaxed);
	return (int)((answer >> MORE_BITS) % (1u << SCHEDULE_BITS));
}
