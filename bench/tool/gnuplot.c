/* plot.c - plots, by gnuplot. */
#include <signal.h>

#include "dls.h"
#include "bench/tool/tool.h"

static const char *plotted;	/* the file */

unsigned tool_plot_type(unsigned size)
{
	return tool_lecture ? size * 3 / 2 : size;
}

void tool_plot_size(FILE *plot, unsigned width, unsigned height)
{
	fprintf(plot, "set terminal svg size %u,%u noenhanced background '#ffffff' font 'sans-serif,%u'\nset output ", width, height,
		tool_plot_type(14));
	tool_plot_text(plot, plotted);
	fputc('\n', plot);
}

FILE *tool_plot_begin(const char *option, const char *file)
{
	/* Okabe and Ito's colours, which the colour-blind can tell apart, without black and with a darker yellow. */
	static const char *const colour[] = { "0072b2", "d55e00", "009e73", "cc79a7", "56b4e9", "e69f00", "b8a900" };
	char *source;
	FILE *plot;

	if (system("command -v gnuplot >/dev/null 2>&1"))
		tool_die(TOOL_MISSING, "gnuplot is not installed (package gnuplot-nox)");
	fclose(tool_open(option, file, "w"));
	signal(SIGPIPE, SIG_IGN);	/* tool_plot_end() reports a gnuplot that gave up */
	plot = popen("gnuplot", "w");
	if (!plot)
		tool_die(TOOL_MISSING, "cannot run gnuplot: %s", strerror(errno));
	plotted = file;
	tool_plot_size(plot, 960, 600);
	source = tool_string("libdls %s: %s%s%s", dls_version(), tool_command(), *tool_files() ? "; " : "", tool_files());
	fputs("set size 1,0.97\nset origin 0,0.03\nset label 99 ", plot);
	tool_plot_text(plot, source);
	fputs(" at screen 0.005,0.012 font ',8'", plot);
	free(source);
	fputc('\n', plot);
	for (unsigned i = 0; i < 28; i++)
		fprintf(plot, "set linetype %u linewidth %g linecolor rgb '#%s' dashtype %u pointtype %u\n", i + 1, tool_lecture ? 3.2 : 1.8,
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

/* Colours where the reader prefers a dark ground, of gnuplot's attributes.  Lines that are dark become lighter. */
static const char dark[] =
	"<style>@media screen and (prefers-color-scheme:dark){[fill=\"#ffffff\"]{fill:#16181c}[fill=\"black\"]{fill:#ddd}"
	"[stroke=\"black\"],[stroke=\"rgb(  0,   0,   0)\"]{stroke:#ddd}[stroke=\"rgb(216, 216, 216)\"]{stroke:#3a3d42}"
	"[stroke=\"rgb( 64,  64,  64)\"]{stroke:#bbb}[stroke=\"rgb(  0, 114, 178)\"]{stroke:#3b8eea}"
	"[color=\"black\"],[color=\"rgb(  0,   0,   0)\"]{color:#ddd}[color=\"#FFFFFF\"]{color:#16181c}"
	"[color=\"rgb(  0, 114, 178)\"]{color:#3b8eea}"
	"[color=\"rgb( 86, 180, 233)\"]{color:#a6defa}"
	"[fill=\"rgb(  0, 114, 178)\"],[fill=\"rgb(0,114,178)\"]{fill:#3b8eea}"
	"[stroke=\"rgb( 86, 180, 233)\"]{stroke:#a6defa}[fill=\"rgb( 86, 180, 233)\"],[fill=\"rgb(86,180,233)\"]{fill:#a6defa}}</style>\n";

/* They stand behind the first tag of the picture; where there is no memory it stays as it is. */
void tool_plot_dark(const char *file)
{
	FILE *in = fopen(file, "r"), *out;
	char *text = NULL, *tag, *body;
	size_t room = 0;
	ssize_t n = in ? getdelim(&text, &room, 0, in) : -1;

	if (in)
		fclose(in);
	tag = n > 0 ? strstr(text, "<svg") : NULL;
	body = tag ? strchr(tag, '>') : NULL;
	out = body ? fopen(file, "w") : NULL;
	if (out) {
		fprintf(out, "%.*s\n%s%s", (int)(body + 1 - text), text, dark, body + 1);
		if (fclose(out))
			tool_die(TOOL_CHECK_FAILED, "\"%s\": %s", file, strerror(errno));
	}
	free(text);
}

void tool_plot_end(FILE *plot)
{
	if (pclose(plot))
		tool_die(TOOL_CHECK_FAILED, "gnuplot failed");
	tool_plot_dark(plotted);
}
