/* report_processors.c - the report's sentences on processors that the process lacks: quotas, affinity, waiting threads. */

#include "lib/report/report.h"

static const char *plural(double n)
{
	return n > 1 ? "s" : "";
}

/* Waits of less than a tenth of a second in all are not reported: starting a program causes some, too. */
double dls__report_load(const struct dls__report_facts *report)
{
	const struct dls__processors *p = &report->processors;
	double share = p->waited / (p->ran + p->waited);

	return share >= 0.05 && p->waited >= 0.1 ? share : 0;	/* also of NAN */
}

void dls__report_processors(FILE *f, const struct dls__report_facts *report, const char *before, const char *after)
{
	const struct dls__processors *p = &report->processors;
	unsigned threads = report->threads, online = p->online;
	const char *why = "other programs ran; measure again on a quiet machine";
	double load = dls__report_load(report);
	char of[32] = "";

	if (online)
		snprintf(of, sizeof(of), " of %u", online);
	if (online && online < threads) {
		why = "there are more threads";
		fprintf(f, "%sThe machine has %u processor%s for %u threads.%s", before, online, plural(online), threads, after);
	}
	if (p->affinity && p->affinity < threads && p->affinity != online) {
		why = "there are more threads";
		fprintf(f, "%sThe affinity allows %u%s processor%s for %u threads.%s", before, p->affinity, of,
			plural(online ? online : p->affinity), threads, after);
	}
	if (p->quota < threads && !(online && p->quota >= online)) {
		why = "the container allows no more";
		fprintf(f, "%sThe container allows %.4g%s processor%s for %u thread%s.%s", before, p->quota, of,
			plural(online ? online : p->quota), threads, plural(threads), after);
	}
	if (load > 0)
		fprintf(f, "%sThreads waited %.0f %% of the time for a processor: %s.%s", before, 100 * load, why, after);
}
