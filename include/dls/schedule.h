/* dls/schedule.h - a schedule as users write it: "gss", "ss,4", "nonmonotonic:ss,4", "fac,mu=1e-6,sigma=2e-6".
 *
 *	[monotonic:|nonmonotonic:] NAME [,CHUNK] [,KEY=VALUE]...
 *
 * NAME is a calculator or a strategy (dls/strategy.h); case, blanks, dashes and underscores in names do not matter.  KEY is
 * one of its parameters; mu, sigma and h (seconds) are accepted if a calculator needs any of them, weights (w0:w1:...) if it
 * uses them; curve and multiple always. */
#ifndef DLS_SCHEDULE_H
#define DLS_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#include "dls/calc.h"

DLS__C_BEGIN

struct dls_strategy;

/** Largest multiple= of a schedule. */
#define DLS_MULTIPLE_MAX ((uint64_t)1 << 32)

/** A parsed schedule; it never changes, so any number of threads and loops may use it. */
struct dls_schedule;

/** Parse a schedule.
 *
 * text   at most 1 MiB
 * error  if not NULL and the text is refused: `what` says in one line what is wrong and what is accepted, `at` and `length` which bytes
 *	  of the text are wrong; otherwise unchanged
 *
 * Returns 0 and the schedule, to be freed with dls_schedule_free(); DLS_EINVAL malformed; DLS_ENOENT unknown
 * name or key; DLS_ERANGE number out of range; DLS_ENOMEM.  *schedule is unchanged on error.
 * Threads: any. */
DLS_API int dls_schedule_parse(struct dls_schedule **schedule, const char *text, struct dls_parse_error *error);

/** Write a schedule in its shortest canonical form, which parses to an equal one.
 *
 * At most size bytes are written, the last of them 0; with size 0 or for NULL none.  For a schedule NULL the text is empty.
 * Returns the length of the whole text, as snprintf() does.  Threads: any. */
DLS_API size_t dls_schedule_print(const struct dls_schedule *schedule, char *text, size_t size);

/** The calculator that a schedule names; NULL if it names a strategy, which has no chunk sizes of its own, or is NULL.
 *
 * Threads: any. */
DLS_API const struct dls_calc *dls_schedule_calc(const struct dls_schedule *schedule);

/** The strategy that a schedule names, NULL if it names a calculator or is NULL.  Threads: any. */
DLS_API const struct dls_strategy *dls_schedule_strategy(const struct dls_schedule *schedule);

/** Describe a loop of n iterations on p workers to the schedule's calculator, as `worker` sees it.  For a strategy: to the
 * calculator that deals each worker its first iterations, "static".  For programs that need a calculator's sizes without a loop.
 *
 * Fills in CHUNK, the moments, the worker's weight and the arguments; desc->arg points into the schedule.
 * Moments that the schedule does not give are 0; weights that it does not give, or takes from the site, are 1.
 * Returns 0; DLS_EINVAL if n or p is 0, worker >= p, a pointer is NULL, or desc->size is not set.  Threads: any. */
DLS_API int dls_schedule_describe(const struct dls_schedule *schedule, uint64_t n, unsigned p, unsigned worker,
				  struct dls_loop_desc *desc);

/** Free a schedule that no loop uses any more; NULL does nothing. */
DLS_API void dls_schedule_free(struct dls_schedule *schedule);

DLS__C_END

#endif
