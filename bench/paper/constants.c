/* constants.c - what was chosen, and the readings of what the papers leave open: what each is used for, and what it was fitted to.
 *
 * Patterns for figures, "EXPERIMENT: ROW | ROW: COLUMN COLUMN", joined by "; ".  EXPERIMENT and COLUMN may
 * end in '*'.  ROW is a part of the row's label, or after '=' all of it.  No ROW or no COLUMN: all. */
#include "bench/paper/paper.h"
#include "lib/report/page.h"

enum { NAME, PAPER, VALUE, WHERE, SOURCE, USES, FITS, PARTS };
static const char *const constants[][PARTS] = {
#define WLR93 "Willebeek-LeMair 1993"
#define SHU "Shu 1996"
#define NISHIKAWA "Nishikawa 1993"
#define BANICESCU "Banicescu 2005"
#define QUEENS "Queens, Random | Queens, RID | Queens, RIPS: overhead T efficiency"
	{ "poll", WLR93, "40 us after each 130 us of work", "costs ipsc2", "the time under DEM, the steadiest", "wlr93-*",
	  "wlr93-table4: =DEM: T Pi speedup" },
	{ "messages", WLR93, "150 us to send, 150 to receive, 50 + 10 a hop; above 100 bytes 310 + 0.36 a byte", "costs ipsc2",
	  "assumed: times of an iPSC/2; not in the paper", "wlr93-*", "" },
	{ "round", WLR93, "nearest for rid, floor for sid", "parameter round=", "the paper does not say", "wlr93-*: RID | SID",
	  "wlr93-table4: RID inf | SID inf: T Pi speedup" },
	{ "unknown", WLR93, "mean for sid, empty for rid", "parameter unknown=", "the paper does not say; mean sends nothing to equals",
	  "wlr93-*: RID | SID", "" },
	{ "L_LIMIT", WLR93, "g", "parameters lwm= and low=", "Table II without a definition", "wlr93-*: RID | SID | GM", "" },
	{ "cm5", SHU, "create, dequeue 190 us; schedule 300; phase 200; carry 600; pack 20; send, receive 50; latency 10; 8 MB/s",
	  "costs cm5", "N-Queens alone, and frozen; the paper has no such table", "rips-*",
	  "rips-table2: 14-Queens: overhead T; rips-table3: Queens: overhead T efficiency; rips-table4: " QUEENS },
	{ "quantum", SHU, "4 ms between polls", "costs cm5", "assumed: IDA* under ANY needs tasks that poll", "rips-*", "" },
	{ "work", SHU, "queens: 1.546 us a try, 0.0853 us a check; Korf's 28, 77, 83: a time a node each; GROMOS: 85 us a pair, seed 448",
	  "bench/apps", "32 times what is neither overhead nor idle under RIPS; instances by tasks and optimum", "rips-*",
	  "rips-table4: RIPS: T efficiency; rips-table5: : T_s; rips-table5: IDA*: tasks optimum" },
	{ "skew", SHU, "0.7", "bench/apps/noted.c", "the largest share of a processor, from ALL's idle time",
	  "readings: skewed", "" },
	{ "net", SHU, "RID: all are neighbours; Random: each deals in turn", "bench/paper/rips_data.c", "the paper does not say",
	  "rips-*: RID | Random", "rips-table4: Queens, RID | Queens, Random" },
	{ "begin", SHU, "a root on each processor spawns its share of GROMOS, on processor 0 all of the others", "bench/paper/rips.c",
	  "the paper does not say", "rips-*", "" },
	{ "T_seq", NISHIKAWA, "mm 30.01 and 97.0 s, prime 68.59 and 145.5, poisson 11.87 and 49.9, LA 61.53 and 215.32",
	  "bench/paper/aroma.c", "Table 2 (b) and 4; mm from the optimal times of 2 (a)", "aroma-*",
	  "aroma-table1: nodes 1; aroma-table4: nodes 1" },
	{ "nectar", NISHIKAWA, "300 us to send and receive; 200 on the way; 3 MB/s; 200 a status", "costs nectar",
	  "bounded by two cells: five times as much changes mm and prime by 0.3 %", "aroma-*", "aroma-table1: mm, nodes 5 | prime, nodes 5: lb" },
	{ "table1", NISHIKAWA, "poisson: 71 us a task, 1.25 ms to send and to receive; start-up of mm 0.175 s, of prime 0.5 s",
	  "bench/paper/aroma.c", "Table 1: one node against T_seq, five nodes; mm: a matrix at 3 MB/s", "aroma-*: mm | prime | poisson",
	  "aroma-table1: poisson, nodes 1 | poisson, nodes 5 | prime, nodes 5: nlb" },
	{ "copy", NISHIKAWA, "LA: 33.3 ms for each field and other node", "bench/paper/aroma.c", "50 kB at 3 MB/s, at both ends",
	  "aroma-table4", "" },
	{ "marks", NISHIKAWA, "N + 2 hours", "bench/apps/air.c", "N, as printed, starves two nodes", "aroma-table4: lb",
	  "aroma-table4: equal, lb, nodes 2" },
	{ "datasets", BANICESCU, "log-normal sizes, sigma 0.865; u log-normal, sigma 0.4; largest 7200 s", "bench/paper/repart.c",
	  "the paper gives least and most only", "repart-*", "repart-table51: STAT: efficiency" },
	{ "loss", BANICESCU, "2 % in a rack, 8 % in two; noise 2 % a dataset, 1 % a group", "bench/paper/repart.c",
	  "the paper names the causes only", "repart-*", "repart-table51: STAT: efficiency" },
};
enum { CONSTANTS = sizeof(constants) / sizeof(*constants) };

/* Part of a pattern.  cut(): the next one, up to a character of `ends`, without blanks; *from moves on. */
struct part {
	const char *at;
	size_t n;
};

static struct part cut(const char **from, const char *end, const char *ends)
{
	struct part p = { *from, 0 };

	while (p.at < end && *p.at == ' ')
		p.at++;
	*from = p.at;
	while (*from < end && !strchr(ends, **from))
		(*from)++;
	p.n = (size_t)(*from - p.at);
	*from += *from < end;
	while (p.n > 0 && p.at[p.n - 1] == ' ')
		p.n--;
	return p;
}

/* Whether a part is the text, or ends in '*' and the text begins with the rest of it. */
static bool is(struct part p, const char *text)
{
	bool open = p.n > 0 && p.at[p.n - 1] == '*';

	p.n -= open;
	return strncmp(p.at, text, p.n) == 0 && (open || text[p.n] == 0);
}

static bool has_row(struct part rows, const char *row)
{
	const char *at = rows.at, *end = rows.at + rows.n;
	char text[PAPER_TEXT];

	while (at < end) {
		struct part one = cut(&at, end, "|");

		snprintf(text, sizeof(text), "%.*s", (int)one.n, one.at);
		if (*text == '=' ? strcmp(text + 1, row) == 0 : strstr(row, text) != NULL)
			return true;
	}
	return rows.n == 0;
}

static bool has_column(struct part columns, const char *column)
{
	const char *at = columns.at, *end = columns.at + columns.n;

	while (at < end)
		if (is(cut(&at, end, " "), column))
			return true;
	return columns.n == 0;
}

enum match { NOT, TABLE, FIGURE };

/* FIGURE: a pattern selects the figure; TABLE: only others of its experiment; NOT: no pattern does. */
static enum match match(const char *patterns, const char *experiment, const char *row, const char *column)
{
	const char *at = patterns, *end = patterns + strlen(patterns);
	enum match found = NOT;

	while (at < end) {
		struct part one = cut(&at, end, ";");
		const char *in = one.at, *to = one.at + one.n;

		if (!is(cut(&in, to, ":"), experiment))
			continue;
		found = found == FIGURE ? found : TABLE;
		if (has_row(cut(&in, to, ":"), row) && has_column(cut(&in, to, ":"), column))
			found = FIGURE;
	}
	return found;
}

enum paper_basis paper_basis(const char *experiment, const char *row, const char *column, const char **names)
{
	enum paper_basis basis = PAPER_PREDICTED;
	char *text = tool_held(calloc(1, PAPER_TEXT));

	for (size_t i = 0; i < CONSTANTS; i++) {
		enum match fits = match(constants[i][FITS], experiment, row, column);

		if (match(constants[i][USES], experiment, row, column) != FIGURE)
			continue;
		snprintf(text + strlen(text), PAPER_TEXT - strlen(text), "%s%s", *text ? " " : "", constants[i][NAME]);
		if (fits == FIGURE)
			basis = PAPER_FITTED;
		else if (fits == TABLE && basis == PAPER_PREDICTED)
			basis = PAPER_OUT_OF_SAMPLE;
	}
	*names = text;
	return basis;
}

static const char *const part_name[PARTS + 1] = { "constant", "paper", "value", "where", "source", "used_by", "fitted_to", NULL };

void paper_print_constants(FILE *out, enum tool_format format)
{
	struct tool_table table = { .out = out, .format = format, .column = part_name };

	if (format == TOOL_TEXT) {	/* too wide for a table */
		for (size_t i = 0; i < CONSTANTS; i++) {
			fprintf(out, "%-11s%s: %s\n", constants[i][NAME], constants[i][PAPER], constants[i][VALUE]);
			for (size_t k = WHERE; k < PARTS; k++)
				if (*constants[i][k])
					fprintf(out, "           %-10s %s\n", part_name[k], constants[i][k]);
		}
		return;
	}
	tool_table_begin(&table);
	for (size_t i = 0; i < CONSTANTS * PARTS; i++)
		tool_text(&table, constants[i / PARTS][i % PARTS]);
	tool_table_end(&table);
}

void paper_html_constants(FILE *out)
{
	fputs("<div class=wide><table><thead><tr>", out);
	for (size_t k = 0; k < PARTS; k++)
		fprintf(out, "<th%s>%s</th>", k ? " class=text" : "", part_name[k]);
	fputs("</tr></thead><tbody>\n", out);
	for (size_t i = 0; i < CONSTANTS; i++) {
		fputs("<tr>", out);
		for (size_t k = 0; k < PARTS; k++)
			dls__page_put(out, "<td class=text>%s</td>", constants[i][k]);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}
