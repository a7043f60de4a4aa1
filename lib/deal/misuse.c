/* misuse.c - loops that cannot run: what is wrong with them, and the end of the program. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dls/omp.h"
#include "lib/base/message.h"

void dls__for_unfit(const struct dls_site *site, uint64_t begin, bool begin_signed, unsigned bits, bool index_signed)
{
	char number[24];

	snprintf(number, sizeof(number), begin_signed ? "%" PRId64 : "%" PRIu64, begin);
	dls__fatal("%s:%d: the loop begins at %s, which its index cannot be: it has the type of its end, %s integer of "
		   "%u bits; give both bounds the same type", site->file, site->line, number,
		   index_signed ? "a signed" : "an unsigned", bits);
}

/* What follows `.step =` in the text of options, without what encloses it. */
static bool is_negated(const char *options)
{
	const char *step = strstr(options, ".step");

	return step && step[5 + strspn(step + 5, " =(")] == '-';
}

void dls__for_wide_step(const struct dls_site *site, int64_t step, bool down, const char *options)
{
	if (down || is_negated(options))
		dls__fatal("%s:%d: the step is %lld, which an unsigned number gives that is negated; negate a signed one, as in "
			   ".step = -(int64_t)s", site->file, site->line, (long long)step);
}

void dls__for_left(const char *file, int line)
{
	dls__fatal("%s:%d: the body of this loop was left by break; to skip the rest, set a flag and continue", file, line);
}

void dls__for_ended(const struct dls_site *site)
{
	static const char ends[] = "ended its thread, by pthread_exit() or since it was cancelled, and other threads wait for it; "
				   "return, or throw an exception";

	if (!site)
		dls__fatal("the work of a team %s", ends);
	dls__fatal("%s:%d: the body of this loop %s", site->file, site->line, ends);
}

void dls__for_too_large(const struct dls_site *site, uint64_t rows, uint64_t columns)
{
	dls__fatal("%s:%d: a loop of %llu rows and %llu columns; it may have up to 2^64 - 1 cells", site->file, site->line,
		   (unsigned long long)rows, (unsigned long long)columns);
}

void dls__for_bad_multiple(const struct dls_site *site, int64_t multiple)
{
	dls__fatal("%s:%d: .multiple = %lld is not from 1 to %llu, or 0 for none", site->file, site->line, (long long)multiple,
		   (unsigned long long)DLS_MULTIPLE_MAX);
}
