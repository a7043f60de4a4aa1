/* plot.c - plots, by gnuplot. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "dls.h"
#include "bench/tool/tool.h"

FILE *tool_plot_begin(const char *option, const char *file)
{
	/* Okabe and Ito's colours, which the colour-blind can tell apart, without black and with a darker yellow. */
	static const char *const colour[] = { "0072b2", "d55e00", "009e73", "cc79a7", "56b4e9", "e69f00", "b8a900" };
	char *source;
	FILE *plot;

	if (system("command -v gnuplot >/dev/null 2>&1"))
		tool_die(TOOL_MISSING, "gnuplot is not installed (package gnuplot-nox)");
	plot = fopen(file, "w");
	if (!plot)
		tool_die(TOOL_USAGE, "%s \"%s\": %s", option, file, strerror(errno));
	fclose(plot);
	signal(SIGPIPE, SIG_IGN);	/* tool_plot_end() reports a gnuplot that gave up */
	plot = popen("gnuplot", "w");
	if (!plot)
		tool_die(TOOL_MISSING, "cannot run gnuplot: %s", strerror(errno));
	fputs("set terminal svg size 960,600 noenhanced background '#ffffff' font 'sans-serif,14'\n"
	      "set output ", plot);
	tool_plot_text(plot, file);
	fputc('\n', plot);
	source = tool_string("libdls %s: %s%s%s", dls_version(), tool_command(), *tool_files() ? "; " : "", tool_files());
	fputs("set size 1,0.97\nset origin 0,0.03\nset label 99 ", plot);
	tool_plot_text(plot, source);
	fputs(" at screen 0.005,0.012 font ',8'", plot);
	free(source);
	fputc('\n', plot);
	for (unsigned i = 0; i < 28; i++)
		fprintf(plot, "set linetype %u linewidth 1.8 linecolor rgb '#%s' dashtype %u pointtype %u\n", i + 1,
			colour[i % 7], i / 7 + 1, i + 4);
	fputs("set linetype cycle 28\nset grid linecolor rgb '#d8d8d8' linewidth 0.6\nset border 3\n"
	      "set tics nomirror out\nset key outside right top reverse Left\n", plot);
	return plot;
}

void tool_plot_text(FILE *plot, const char *text)
{
	fputc('\'', plot);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', plot);
		fputc(*text == '\n' ? ' ' : *text, plot);
	}
	fputc('\'', plot);
}

void tool_plot_end(FILE *plot)
{
	if (pclose(plot))
		tool_die(TOOL_CHECK_FAILED, "gnuplot failed");
}
