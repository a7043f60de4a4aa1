/* report_page.c - the web page of dls-paper report: the ledger, then each experiment's part. */
#include <time.h>

#include "dls.h"
#include "bench/paper/paper.h"
#include "lib/report/page.h"

/* A file's text as it is, or as HTML. */
static void copy(FILE *out, const char *folder, const char *name, const char *suffix, bool as_text)
{
	FILE *in = fopen(tool_held_string("%s/%s%s", folder, name, suffix), "r");
	char line[4096];

	while (in && fgets(line, sizeof(line), in))
		if (as_text)
			dls__page_escape(out, line);
		else
			fputs(line, out);
	if (in)
		fclose(in);
}

static const struct {
	const char *name, *title;
} documents[] = {
	{ "wlr93", "M. H. Willebeek-LeMair, A. P. Reeves, Strategies for dynamic load balancing on highly parallel computers, 1993" },
	{ "rips", "W. Shu, M.-Y. Wu, Runtime incremental parallel scheduling (RIPS) on distributed memory computers, 1996" },
	{ "aroma", "H. Nishikawa, P. Steenkiste, A general architecture for load balancing in a distributed-memory environment, 1993" },
	{ "repart", "I. Banicescu, R. L. Carino, Addressing the stochastic nature of scientific computations via dynamic loop "
	  "scheduling, 2005" },
	{ "readings", "Readings of what the papers leave open" },
};

enum { DOCUMENTS = sizeof(documents) / sizeof(*documents) };

static bool of_document(const struct paper_experiment *e, size_t d)
{
	size_t n = strlen(documents[d].name);

	return strncmp(e->name, documents[d].name, n) == 0 && (e->name[n] == '-' || e->name[n] == 0);
}

/* What an experiment's part begins with. */
struct begins {
	size_t changed, seconds;
	struct paper_ledger ledger;
	bool there;
};

static struct begins begins(const char *folder, const char *name)
{
	struct begins of = { .there = false };
	FILE *in = fopen(tool_held_string("%s/%s.html", folder, name), "r");

	if (!in)
		return of;
	of.there = fscanf(in, "<!-- %zu %zu %*u %*u", &of.changed, &of.seconds) == 2;
	for (size_t i = 0; i < PAPER_ACCOUNTS * PAPER_CLASSES; i++)
		if (fscanf(in, "%u", &of.ledger.account[i / PAPER_CLASSES][i % PAPER_CLASSES]) != 1)
			break;
	fclose(in);
	return of;
}

/* The ledger, and what has run. */
static void print_summary(FILE *out, const char *folder)
{
	struct paper_ledger *ledger = tool_held(calloc(paper_experiments_n, sizeof(*ledger)));

	for (size_t i = 0; i < paper_experiments_n; i++)
		ledger[i] = begins(folder, paper_experiments[i]->name).ledger;
	paper_html_ledger(out, ledger);
	fputs("<p><a href=\"ledger.csv\">The ledger, figure by figure, as CSV</a></p>\n"
	      "<table><thead><tr><th>experiment</th><th>not as before</th><th>s</th></tr></thead><tbody>\n", out);
	for (size_t i = 0; i < paper_experiments_n; i++) {
		const struct paper_experiment *e = paper_experiments[i];
		struct begins of = begins(folder, e->name);

		dls__page_put(out, "<tr><td class=text><a href=\"#%s\">%s</a>: %s", e->name, e->name, e->what);
		if (of.there)
			fprintf(out, "</td><td class=%s>%zu</td><td>%zu</td></tr>\n", of.changed ? "c4" : "ours", of.changed, of.seconds);
		else
			fputs("</td><td class=c4 colspan=2>failed</td></tr>\n", out);
	}
	fputs("</tbody></table>\n", out);
}

static void print_head(FILE *out)
{
	char day[32] = "";
	time_t now = time(NULL);

	strftime(day, sizeof(day), "%Y-%m-%d", gmtime(&now));
	fprintf(out, "<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\"><title>The papers, rebuilt by libdls %s</title>\n<style>\n"
		":root { color-scheme: light dark }\n"
		"body { font: 15px/1.45 sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }\n"
		"table { border-collapse: collapse; font-size: 13px; margin: .6em 0 }\n"
		"td, th { padding: .15em .6em; border-bottom: 1px solid #ddd; text-align: right; vertical-align: top }\n"
		"th { background: #f4f4f4 } .text, th:first-child { text-align: left } .theirs { color: #555; font-style: italic }\n"
		"td.c0 { background: #c4e6d0 } td.c1 { background: #def0dd } td.c2 { background: #f2f3d4 } td.c3 { background: #faead0 }\n"
		"td.c4 { background: #f9ddcf } small { color: #666 } dt { font-weight: bold; break-after: avoid } dl { columns: 2 }\n"
		".wide { overflow-x: auto } img { max-width: 100%%; border: 1px solid #eee; margin: .6em 0 }\n"
		".note { white-space: pre-wrap; font-size: 13px } .notes { font-size: 13px } pre { font-size: 12px; overflow-x: auto }\n"
		"section { margin-bottom: 2.5em } .seeds { color: #555 }\n"
		"@media (max-width: 45em) { body { margin: 1em auto } dl { columns: 1 } section, table { overflow-x: auto } table { display: block } }\n"
		"@media screen and (prefers-color-scheme: dark) { body { color: #ddd; background: #16181c } a { color: #6cb8ee }\n"
		"  td, th { border-color: #3a3d42 } th { background: #24272c } .theirs, small, .seeds { color: #aaa } img { border-color: #3a3d42 }\n"
		"  td.c0, td.c1, td.c2, td.c3, td.c4 { color: #111 } td.c0 small, td.c1 small, td.c2 small, td.c3 small, td.c4 small { color: #444 } }\n"
		"@media print { section { break-before: page } details { display: none } body { max-width: none } }\n</style>\n"
		"<h1>The papers' tables and figures, rebuilt</h1>\n<p>libdls %s, %s. Italic: the paper's figure. ", dls_version(), dls_version(),
		day);
	fputs("Each figure of ours that a paper has too is coloured by its class, which the first table counts, and shows its distance in per cent; "
	      "point at it for what it rests on. &plusmn;: half of the 95 % interval of a mean over the seeds. \"As before\" "
	      "compares with what was recorded when it last changed on purpose.</p>\n", out);
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
	fputs("<h2>What was chosen</h2>\n<p>Constants and readings, what uses them and what they were fitted to; <a href=\"constants.csv\">as CSV</a>."
	      "</p>\n", out);
	paper_html_constants(out);
	fputs("</html>\n", out);
}
