/* loop_keys.c - the keys of every loop's schedule, whatever its calculator or strategy. */
#include "lib/base/reading.h"
#include "lib/schedule/param.h"
#include "lib/schedule/schedule.h"
#include "lib/schedule/spec.h"

const struct dls_param dls__loop_keys[DLS__LOOP_KEYS] = {
	[DLS__CURVE] = { .name = "curve", .min = 1, .words = "rows hilbert morton",
			 .text = "order of a two-dimensional loop's cells" },
	[DLS__MULTIPLE] = { .name = "multiple", .min = 1, .max = DLS_MULTIPLE_MAX, .whole = true,
			    .text = "chunks start and end at multiples of it, iterations" },
};

int dls__loop_key_parse(const struct dls__input *in, int key, struct dls__slice written,
			struct dls__loop_values *values)
{
	const struct dls_param *param = &dls__loop_keys[key];
	struct dls_value value;
	int code;

	if (key == DLS__CURVE ? values->curve_given : values->multiple > 0)
		return dls__refuse(in, DLS_EINVAL, written, "%s is given twice", param->name);
	code = dls__param_parse(in, param, written, &value, NULL);
	if (code)
		return code;
	if (key == DLS__MULTIPLE) {
		values->multiple = value.count;
	} else {
		values->curve = (enum dls_curve_kind)value.word;	/* its words are in the order of the kinds */
		values->curve_given = true;
	}
	return 0;
}

void dls__loop_values_put(struct dls__printer *to, const struct dls__loop_values *values)
{
	if (values->curve_given) {
		dls__put(to, ",curve=");
		dls__put_word(to, dls__loop_keys[DLS__CURVE].words, values->curve);
	}
	if (values->multiple)
		dls__put(to, ",multiple=%llu", (unsigned long long)values->multiple);
}
