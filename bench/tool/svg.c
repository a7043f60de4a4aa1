/* svg.c - what pictures in SVG share that the tools draw themselves: light and dark, type for paper or a lecture, lines of words. */
#include "bench/tool/tool.h"
#include "dls.h"
#include "lib/report/page.h"

bool tool_lecture;

double tool_svg_type(void)
{
	return tool_lecture ? 17 : 12;
}

void tool_svg_begin(FILE *f, double width, double height, const char *style, const char *dark)
{
	double type = tool_svg_type();

	fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n"
		"<style>text{font:%gpx sans-serif;fill:#222}.paper{fill:#fff}.axis{stroke:#222;fill:none}.grid{stroke:#ddd;fill:none}"
		".source{font-size:9px}.end,.known{stroke:#000;stroke-width:1.5;fill:none}.known{stroke-dasharray:2 3}%s\n"
		"@media screen and (prefers-color-scheme:dark){text{fill:#ddd}.paper{fill:#16181c}.axis{stroke:#aaa}.grid{stroke:#3a3d42}"
		".end,.known{stroke:#fff}%s}</style>\n"
		"<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n", width, height, type, style, dark);
}

void tool_svg_end(FILE *f, double bottom)
{
	fprintf(f, "<text class=\"source\" x=\"4\" y=\"%.0f\">libdls %s: ", bottom, dls_version());
	dls__page_put(f, "%s%s%s</text>\n</svg>\n", tool_command(), *tool_files() ? "; " : "", tool_files());
}

/* sans-serif fonts have letters of about this width, in parts of their size. */
static double width_of(const char *text, size_t n)
{
	(void)text;
	return 0.52 * tool_svg_type() * (double)n;
}

void tool_svg_line(struct tool_svg_words *w)
{
	w->x = w->left;
	w->y += 1.45 * tool_svg_type();
}

void tool_svg_item(struct tool_svg_words *w, const char *class, const char *path, const char *text)
{
	double type = tool_svg_type(), wide = (path ? type + 6 : 0) + width_of(text, strlen(text));

	if (w->x > w->left && w->x + wide > w->right)
		tool_svg_line(w);
	if (path) {
		fprintf(w->file, "<path class=\"%s\" d=\"M%.0f %.0f%s\"/>", class, w->x, w->y - 10, path);
		w->x += type + 6;
		wide -= type + 6;
	}
	fprintf(w->file, "<text x=\"%.0f\" y=\"%.0f\">", w->x, w->y);
	dls__page_escape(w->file, text);
	fputs("</text>\n", w->file);
	w->x += wide + 1.5 * type;
}

void tool_svg_text(struct tool_svg_words *w, const char *text)
{
	while (*text) {
		size_t n = strlen(text), fits = 0;
		char *line;

		if (width_of(text, n) > w->right - w->left) {
			for (size_t k = 1; k < n; k++)	/* the last blank that fits, or the first */
				if (text[k] == ' ' && (!fits || width_of(text, k) <= w->right - w->left))
					fits = k;
			n = fits ? fits : n;
		}
		fprintf(w->file, "<text x=\"%.0f\" y=\"%.0f\">", w->left, w->y);
		line = tool_string("%.*s", (int)n, text);
		dls__page_put(w->file, "%s</text>\n", line);
		free(line);
		text += n;
		text += *text == ' ';
		if (*text)
			tool_svg_line(w);
	}
	tool_svg_line(w);
}
