/* predict.c - the library's prediction for the loop that a trial runs. */
#include "dls/predict.h"
#include "chunks.h"

enum { BUCKETS = 64 };

void chunks_predict(struct row *row)
{
	struct dls_costs costs = { .size = sizeof(costs), .take = chunks_overhead };
	struct dls_profile profile = { .size = sizeof(profile), .n = chunks_n };
	struct dls_prediction prediction = { .size = sizeof(prediction) };
	double *time, *speed = tool_need(calloc(chunks_p, sizeof(*speed)));
	int code;

	profile.buckets = 2 * chunks_p > BUCKETS ? 2 * chunks_p : BUCKETS;
	if (profile.buckets > DLS_BUCKETS_MAX)
		profile.buckets = DLS_BUCKETS_MAX;
	if (profile.buckets > chunks_n)
		profile.buckets = (unsigned)chunks_n;
	profile.time = time = tool_need(calloc(profile.buckets, sizeof(*time)));
	for (unsigned b = 0; b < profile.buckets; b++)
		time[b] = times_of(b * chunks_n / profile.buckets, (b + 1) * chunks_n / profile.buckets);
	for (unsigned w = 0; w < chunks_p; w++)
		speed[w] = speed_of(w);
	code = dls_predict(row->schedule, &profile, chunks_p, speed, &costs, &prediction);
	if (code)
		tool_die(TOOL_CHECK_FAILED, "\"%s\" cannot be predicted: %s", row->label, dls_strerror(code));
	row->predicted = prediction.time;
	free(time);
	free(speed);
}
