/* sensitivity.h - how the figures of a paper depend on what it leaves open.
 *
 * The table of such an experiment has a row for each end of a parameter's plausible range, after a first row with everything as
 * it is; columns are the figures, NAN where a parameter has nothing to do with one. */
#ifndef SENSITIVITY_H
#define SENSITIVITY_H

#include "bench/paper/paper.h"

/* Text columns of the table, before the figures. */
#define SENSITIVITY_HEAD COLUMN_TEXT("parameter", NULL), COLUMN_TEXT("value", NULL)
#define SENSITIVITY_AS_IT_IS "as it is"
#define SENSITIVITY_NOTE "Each parameter at the ends of the range in which it is plausible, all others as they are.  An empty cell: the\n" \
	"figure does not depend on it."
#define SENSITIVITY_PICTURE(of, figures) { .title = of, .y = figures, .x = "parameter", .value = "", .tornado = true }

/* A strategy under more parameters, ",u=0.5", in place of its own of the same name. */
void sensitivity_text(char *to, size_t size, const char *strategy, const char *more);

/* Print, for each figure, the parameters by what they change it at most. */
void sensitivity_say(void);

#endif
