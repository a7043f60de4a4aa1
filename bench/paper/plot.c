/* plot.c - dls-paper --plot: curves, and bars beside those of the paper. */
#include <math.h>

#include "bench/paper/paper.h"

/* Of tool_plot_begin(): line types that differ by so many have one colour. */
enum { COLOURS = 7 };

static FILE *plot;

void paper_plot_begin(const char *file)
{
	plot = tool_plot_begin("--plot", file);
}

void paper_plot_end(void)
{
	if (plot)
		tool_plot_end(plot);
}

static void say(const char *what, const char *text)
{
	fprintf(plot, "set %s ", what);
	tool_plot_text(plot, text);
	fputc('\n', plot);
}

void paper_plot(const struct paper_curves *c)
{
	if (!plot)
		return;
	say("title", c->title);
	say("xlabel", c->x_label);
	say("ylabel", c->y_label);
	fputs("set format x '%g'\n", plot);
	if (c->log_x)
		fputs("set logscale x\n", plot);
	for (size_t k = 0; k < c->curves; k++) {
		fprintf(plot, "$curve%zu << end\n", k);
		for (size_t i = 0; i < c->points; i++)
			if (!isnan(c->y[k][i]))
				fprintf(plot, "%.9g %.9g\n", c->x[i], c->y[k][i]);
		fputs("end\n", plot);
	}
	for (size_t k = 0; k < c->curves; k++) {
		size_t type = c->colours ? k % c->colours + k / c->colours * COLOURS : k;

		fprintf(plot, "%s$curve%zu with linespoints linetype %zu pointsize 0.6 title ", k ? ", " : "plot ", k, type + 1);
		tool_plot_text(plot, c->name[k]);
	}
	fputc('\n', plot);
}

void paper_bars(const char *title, const char *y_label, size_t n, const char *const *name, const double *const value[2])
{
	static const char *const side[] = { "paper", "here" };

	if (!plot)
		return;
	say("title", title);
	say("ylabel", y_label);
	fputs("set style data histograms\nset style fill solid 0.8 border\nset yrange [0:*]\n$bars << end\n", plot);
	for (size_t i = 0; i < n; i++) {
		fprintf(plot, "\"%s\"", name[i]);
		for (int k = 0; k < 2; k++)
			fprintf(plot, isnan(value[k][i]) ? " ?" : " %.9g", value[k][i]);
		fputc('\n', plot);
	}
	fputs("end\nset datafile missing '?'\n", plot);
	for (int k = 0; k < 2; k++)
		fprintf(plot, "%s$bars using %d%s title '%s'", k ? ", " : "plot ", k + 2, k ? "" : ":xtic(1)", side[k]);
	fputc('\n', plot);
}
