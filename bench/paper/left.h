/* left.h - how long a report still takes: by the processor time that its parts have had, and what part of the
 * time they had a processor; so a busy machine is seen before the first part has ended. */
#ifndef PAPER_LEFT_H
#define PAPER_LEFT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

struct paper_part {
	double expected, cpu;	/* of processor time; s */
	double ran;		/* since it began, as long as it ran; 0: it has not run */
	bool over;
};

/* How many times the expected processor time parts need: those that are over, and those that are late. */
static inline double paper_slowness(const struct paper_part *part, size_t n)
{
	double wanted = 0, had = 0;

	for (unsigned late = 0; late <= 1; late++)
		for (const struct paper_part *p = part; p < part + n; p++)
			if (late ? !p->over && p->cpu > (wanted > 0 ? had / wanted : 1) * p->expected
				 : p->over && p->ran > 0) {
				wanted += p->expected;
				had += p->cpu;
			}
	return wanted > 0 ? had / wanted : 1;
}

/* Seconds, of so many parts beside each other; at least as long as the longest. */
static inline double paper_left(const struct paper_part *part, size_t n, unsigned processors)
{
	double slow = paper_slowness(part, n), cpu = .01, ran = .01, all = 0, longest = 0, share;

	for (const struct paper_part *p = part; p < part + n; p++) {
		double left = p->over ? 0 : fmax(p->expected * slow - p->cpu, 0);

		cpu += p->cpu;
		ran += p->ran;
		all += left;
		longest = fmax(longest, left);
	}
	share = fmin(cpu / ran, 1);
	return fmax(all / processors, longest) / share;
}

#endif
