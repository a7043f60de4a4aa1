/* dls/param.h - parameters of calculators and strategies: KEY=VALUE in a schedule. */
#ifndef DLS_PARAM_H
#define DLS_PARAM_H

#include <stdbool.h>
#include <stdint.h>

#include "dls/error.h"

DLS__C_BEGIN

struct dls_calc;

/** Most numbers of a list. */
enum { DLS_LIST_VALUES_MAX = 32 };

/** One parameter.  A value is a number, one of `words`, or the name of a calculator.  For calculators, KEY alone means KEY=1 if
 * whole numbers from 0 to 1 are accepted. */
struct dls_param {
	const char *name;	/* lower case letters and digits */
	const char *value;	/* default, as users write it; NULL for calculators, whose init() sets the default */
	double min, max;	/* accepted numbers, ends included; max may be INFINITY; min > max: no numbers */
	bool whole;		/* a whole number */
	bool percent;		/* a number may be followed by %: per cent of the initial load.  Strategies only */
	bool list;		/* several numbers with colons between; at most one parameter of a strategy is a list */
	bool calc;		/* the name of a calculator (dls/calc.h); with min > max.  Strategies only */
	const char *words;	/* accepted words, blanks between; NULL: none */
	const char *by_cost;	/* the one of `words` that makes load=cost the default; NULL: none.  Strategies only */
	const char *text;	/* unit, meaning, and default if `value` is NULL, for messages and manuals */
};

/** The value of a parameter. */
struct dls_value {
	bool given;		/* in the schedule */
	bool percent;		/* the number is per cent of the initial load */
	int word;		/* index in `words`; -1: not a word */
	uint64_t count;		/* a whole number, exactly; of a word: its index */
	double real;		/* the number, or the first of a list; 0: not a number */
	unsigned values;	/* numbers of a list */
	const double *list;
	const struct dls_calc *calc;	/* NULL: not a calculator */
};

DLS__C_END

#endif
