/* answers.h - auto's last answers for a site: most executions of short loops run what was answered before,
 * without asking.
 *
 * Threads: any number of callers.  Each answer is one word, the whole of what is shared; two executions may
 * count as one. */
#ifndef LIB_SITE_ANSWERS_H
#define LIB_SITE_ANSWERS_H

#include <stdatomic.h>
#include <stdint.h>

#include "lib/auto/auto.h"
#include "lib/base/apart.h"

/* Classes that differ in octaves, as those of one team do up to 2^32 iterations, have places of their own;
 * others take turns. */
enum { DLS__ANSWERS = 64 };

struct dls__answers {
	_Alignas(DLS__APART) _Atomic uint64_t answer[DLS__ANSWERS];
};

/* Keep what auto has answered for the class of n iterations by p workers. */
void dls__answer_keep(struct dls__answers *answers, uint64_t n, unsigned p, unsigned flags,
		      struct dls__auto_choice choice);

/* The schedule that was answered for the class, if the answer holds for one more execution, else -1. */
int dls__answer_again(struct dls__answers *answers, uint64_t n, unsigned p, unsigned flags);

#endif
