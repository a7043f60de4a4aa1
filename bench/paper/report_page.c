/* report_page.c - the web page of dls-paper report: what agrees at a glance, then each experiment's part. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dls.h"
#include "bench/paper/paper.h"
#include "lib/report/page.h"

/* A file's text as it is, or as HTML. */
static void copy(FILE *out, const char *folder, const char *name, const char *suffix, bool as_text)
{
	char *file = tool_string("%s/%s%s", folder, name, suffix), line[4096];
	FILE *in = fopen(file, "r");

	while (in && fgets(line, sizeof(line), in))
		if (as_text)
			dls__page_escape(out, line);
		else
			fputs(line, out);
	if (in)
		fclose(in);
	free(file);
}

static const struct {
	const char *name, *title;
} documents[] = {
	{ "wlr93", "M. H. Willebeek-LeMair, A. P. Reeves, Strategies for dynamic load balancing on highly parallel computers, 1993" },
	{ "rips", "W. Shu, M.-Y. Wu, Runtime incremental parallel scheduling (RIPS) on distributed memory computers, 1996" },
	{ "aroma", "H. Nishikawa, P. Steenkiste, A general architecture for load balancing in a distributed-memory environment, 1993" },
	{ "repart", "I. Banicescu, R. L. Carino, Addressing the stochastic nature of scientific computations via dynamic loop "
	  "scheduling, 2005" },
	{ "frac", "I. Banicescu, S. F. Hummel, Balancing processor loads and exploiting data locality in N-body simulations, 1995" },
};

enum { DOCUMENTS = sizeof(documents) / sizeof(*documents) };

static bool of_document(const struct paper_experiment *e, size_t d)
{
	size_t n = strlen(documents[d].name);

	return strncmp(e->name, documents[d].name, n) == 0 && e->name[n] == '-';
}

static void print_sum(FILE *out, const char *of, const size_t sum[4])
{
	dls__page_put(out, "<tr><th>%s", of);
	for (int k = 0; k < 4; k++)
		fprintf(out, "</th><th>%zu", sum[k]);
	fputs("</th><th></th></tr>\n", out);
}

/* Of each experiment; of each paper, without the experiments that have figures of others again; and of all of these. */
static void print_summary(FILE *out, const char *folder)
{
	size_t sum[DOCUMENTS + 1][4] = { 0 };

	fputs("<table><thead><tr><th>experiment</th><th>agree</th><th>do not agree</th><th>of both, calibrated</th>"
	      "<th>not as before</th><th>s</th></tr></thead><tbody>\n", out);
	for (size_t i = 0; i < paper_experiments_n; i++) {
		const struct paper_experiment *e = paper_experiments[i];
		char *file = tool_string("%s/%s.html", folder, e->name);
		FILE *in = fopen(file, "r");
		size_t n[5] = { 0 };

		dls__page_put(out, "<tr><td class=text><a href=\"#%s\">%s</a>: %s", e->name, e->name, e->what);
		if (in && fscanf(in, "<!-- %zu %zu %zu %zu %zu -->", &n[0], &n[1], &n[2], &n[3], &n[4]) == 5) {
			fprintf(out, "</td><td>%zu</td><td>%zu</td><td>%zu</td><td class=%s>%zu</td><td>%zu</td></tr>\n", n[0], n[1],
				n[2], n[3] ? "differs" : "ours", n[3], n[4]);
			for (size_t d = 0; d < DOCUMENTS; d++)
				for (int k = 0; k < 4 && !e->again && of_document(e, d); k++) {
					sum[d][k] += n[k];
					sum[DOCUMENTS][k] += n[k];
				}
		} else {
			fputs("</td><td class=differs colspan=5>failed</td></tr>\n", out);
		}
		if (in)
			fclose(in);
		free(file);
	}
	for (size_t d = 0; d < DOCUMENTS; d++)
		print_sum(out, documents[d].title, sum[d]);
	print_sum(out, "all", sum[DOCUMENTS]);
	fputs("</tbody></table>\n<p class=seeds>The sums are without experiments whose figures are those of others again, as a picture or under "
	      "other readings or loads:", out);
	for (size_t i = 0; i < paper_experiments_n; i++)
		if (paper_experiments[i]->again)
			fprintf(out, " %s", paper_experiments[i]->name);
	fputs(".</p>\n", out);
}

static void print_head(FILE *out)
{
	char day[32] = "";
	time_t now = time(NULL);

	strftime(day, sizeof(day), "%Y-%m-%d", gmtime(&now));
	fprintf(out, "<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><title>The papers, rebuilt by libdls %s</title>\n<style>\n"
		"body { font: 15px/1.45 sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em; color: #222 }\n"
		"table { border-collapse: collapse; font-size: 13px; margin: .6em 0 }\n"
		"td, th { padding: .15em .6em; border-bottom: 1px solid #ddd; text-align: right; vertical-align: top }\n"
		"th { background: #f4f4f4 } .text, th:first-child { text-align: left } .theirs { color: #555; font-style: italic }\n"
		"td.agrees { background: #d9efe2 } td.differs { background: #f9ddcf } small { color: #666 }\n"
		".wide { overflow-x: auto } img { max-width: 100%%; border: 1px solid #eee; margin: .6em 0 }\n"
		".note { white-space: pre-wrap; font-size: 13px } .notes { font-size: 13px } pre { font-size: 12px; overflow-x: auto }\n"
		"section { margin-bottom: 2.5em } .seeds { color: #555 }\n"
		"@media print { section { break-before: page } details { display: none } body { max-width: none } }\n</style>\n"
		"<h1>The papers' tables and figures, rebuilt</h1>\n<p>libdls %s, %s. Italic: the paper's figure. ", dls_version(), dls_version(),
		day);
	fputs("<span style=\"background:#d9efe2\">Green</span>: ours agrees with it, within a tenth unless dls-paper(1) says otherwise. "
	      "<span style=\"background:#f9ddcf\">Red</span>: it does not; the distance in per cent stands beside it, and the "
	      "footnote says why. &deg;: a constant was chosen so that it fits, which is named below the table; all others are "
	      "predicted, or arithmetic on the paper's own figures. &plusmn;: half of the 95 % confidence interval of a mean over the seeds. The figures of the "
	      "papers that are curves alone cannot be read from their texts; diamonds in the pictures are figures that a table or "
	      "the text has. \"As before\" compares with the figures recorded when they last changed on purpose. The experiments "
	      "named <em>sensitivity</em> have the readings that were tried of what a paper leaves open.</p>\n", out);
}

void paper_report_page(FILE *out, const char *folder)
{
	print_head(out);
	print_summary(out, folder);
	for (size_t d = 0; d < DOCUMENTS; d++) {
		dls__page_put(out, "<h2>%s</h2>\n", documents[d].title);
		for (size_t i = 0; i < paper_experiments_n; i++) {
			const struct paper_experiment *e = paper_experiments[i];

			if (!of_document(e, d))
				continue;
			copy(out, folder, e->name, ".html", false);
			fputs("<details><summary>As the terminal shows it</summary><pre>", out);
			copy(out, folder, e->name, ".txt", true);
			copy(out, folder, e->name, ".log", true);
			fputs("</pre></details></section>\n", out);
		}
	}
	fputs("<h2>What was chosen</h2>\n<p>Constants and readings by which figures are calibrated; <a href=\"constants.csv\">as CSV</a>."
	      "</p>\n", out);
	paper_html_constants(out);
	fputs("</html>\n", out);
}
