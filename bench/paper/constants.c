/* constants.c - what was chosen so that figures of the papers fit, and the readings of what they leave open. */
#include <string.h>

#include "bench/paper/paper.h"
#include "lib/report/page.h"

/* The value, where it is set, where it is from, and the figures that it was fitted to. */
enum { NAME, PAPER, VALUE, WHERE, SOURCE, FITS, PARTS };
static const char *const constants[][PARTS] = {
#define WLR93 "Willebeek-LeMair 1993"
#define SHU "Shu 1996"
#define NISHIKAWA "Nishikawa 1993"
#define BANICESCU "Banicescu 2005"
	{ "poll", WLR93, "40 us after each 130 us of work", "costs ipsc2", "T_bal / T_opt of Table IV",
	  "T, Pi and speedup of DEM, RID and HBM" },
	{ "messages", WLR93, "150 us to send, 150 to receive, 50 + 10 a hop; above 100 bytes 310 + 0.36 a byte", "costs ipsc2",
	  "assumed: times of an iPSC/2; not in the paper", "nothing" },
	{ "round", WLR93, "nearest for rid, floor for sid", "parameter round=", "the paper does not say", "Pi of RID and SID inf" },
	{ "reading", WLR93, "as each row says", "dls_balance(7), Readings", "the paper's text, read otherwise", "Table IV" },
	{ "L_LIMIT", WLR93, "g", "parameters lwm= and low=", "Table II without a definition", "nothing" },
	{ "cm5", SHU, "create, dequeue 190 us; schedule 300; phase 200; carry 600; pack 20; send, receive 50; latency 10; 8 MB/s",
	  "costs cm5", "the paper has no such table", "overhead and T of N-Queens, Tables II to IV" },
	{ "quantum", SHU, "4 ms between polls", "costs cm5", "assumed: IDA* under ANY needs tasks that poll", "nothing" },
	{ "work", SHU, "queens: 1.546 us a try, 0.0853 us a check; Korf's 28, 77, 83: a time a node each; GROMOS: 85 us a pair, seed 448",
	  "bench/apps", "least squares; the paper names no instances and no molecule", "T_s of all applications; optimum of IDA*" },
	{ "skew", SHU, "0.7", "bench/paper/rips_skew.c", "the largest share of a processor, from ALL's idle time",
	  "idle of GROMOS under ALL-Lazy" },
	{ "net", SHU, "RID: all are neighbours; Random: each deals in turn", "bench/paper/rips_data.c", "the paper does not say",
	  "RID and Random on N-Queens" },
	{ "T_seq", NISHIKAWA, "mm 30.01 and 97.0 s, prime 68.59 and 145.5, poisson 11.87 and 49.9, LA 61.53 and 215.32",
	  "bench/paper/aroma.c", "Table 2 (b) and 4; mm from the optimal times of 2 (a)", "times on one node, optimal times" },
	{ "nectar", NISHIKAWA, "300 us to send and receive; 200 on the way; 3 MB/s; 200 a status", "costs nectar",
	  "the paper gives no times", "Tables 1 to 4" },
	{ "table1", NISHIKAWA, "poisson: 71 us a task, 1.25 ms to send and to receive; start-up of mm 0.175 s, of prime 0.5 s",
	  "bench/paper/aroma.c", "Table 1: one node against T_seq, five nodes; mm: a matrix at 3 MB/s", "Table 1" },
	{ "copy", NISHIKAWA, "LA: 33.3 ms for each field and other node", "bench/paper/aroma.c", "50 kB at 3 MB/s, at both ends", "nothing" },
	{ "marks", NISHIKAWA, "N + 2 hours", "bench/apps/air.c", "N, as printed, starves two nodes", "Table 4" },
	{ "datasets", BANICESCU, "log-normal sizes, sigma 0.865; u log-normal, sigma 0.4; largest 7200 s", "bench/paper/repart.c",
	  "the paper gives least and most only", "STAT's efficiency, 0.83 to 0.90" },
	{ "loss", BANICESCU, "2 % in a rack, 8 % in two; noise 2 % a dataset, 1 % a group", "bench/paper/repart.c",
	  "the paper names the causes only", "STAT's efficiency" },
	{ "arithmetic", "all", "", "", "the paper's own figures", "follows from other figures of the paper" },
};
enum { CONSTANTS = sizeof(constants) / sizeof(*constants) };

const char *paper_constant(const char *name)
{
	for (size_t i = 0; i < CONSTANTS; i++)
		if (strcmp(constants[i][NAME], name) == 0)
			return name;
	tool_die(TOOL_CHECK_FAILED, "a figure is calibrated by \"%s\", which is not in constants.c", name);
}

void paper_print_constants(void)
{
	static const char *const column[] = { "constant", "paper", "value", "where", "source", "fits", NULL };
	struct tool_table table = { .out = stdout, .format = paper.format, .column = column };

	if (paper.format == TOOL_TEXT) {	/* too wide for a table */
		for (size_t i = 0; i < CONSTANTS; i++)
			printf("%-11s%s: %s\n           where:  %s\n           source: %s\n           fits:   %s\n", constants[i][NAME],
			       constants[i][PAPER], constants[i][VALUE], constants[i][WHERE], constants[i][SOURCE], constants[i][FITS]);
		return;
	}
	tool_table_begin(&table);
	for (size_t i = 0; i < CONSTANTS * PARTS; i++)
		tool_text(&table, constants[i / PARTS][i % PARTS]);
	tool_table_end(&table);
}

void paper_html_constants(FILE *out)
{
	fputs("<div class=wide><table><thead><tr><th>constant</th><th class=text>paper</th><th class=text>value</th><th class=text>it is set in"
	      "</th><th class=text>source</th><th class=text>fitted to</th></tr></thead><tbody>\n", out);
	for (size_t i = 0; i < CONSTANTS; i++) {
		fputs("<tr>", out);
		for (size_t k = 0; k < PARTS; k++)
			dls__page_put(out, "<td class=text>%s</td>", constants[i][k]);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}
