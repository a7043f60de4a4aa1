/* predict_level.c - work in chunks too small to count one by one. */
#include "lib/predict/predict.h"

void dls__predict_level(struct dls_predictor *q, double *time, const unsigned *order, double work)
{
	double level = INFINITY, last;

	/* Leave out workers that are free too late to get any work, until there are none: the level only falls. */
	do {
		double speeds = 0, sum = work / q->team.speeds;	/* fractions of all speeds */

		last = level;
		for (unsigned i = 0; i < q->team.p; i++)
			if (time[i] < last) {
				double speed = q->team.speed[order[i]] / q->team.speeds;

				speeds += speed;
				sum += speed * time[i];
			}
		level = speeds > 0 ? sum / speeds : last;
	} while (level < last);
	for (unsigned i = 0; i < q->team.p; i++)
		time[i] = fmax(time[i], level);
}
