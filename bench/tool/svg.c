/* svg.c - the kit of pictures: what is around them, light and dark, type for paper or a lecture, and words.
 */
#include "dls.h"
#include "bench/tool/svg.h"

bool tool_lecture;

double tool_svg_type(void)
{
	return tool_lecture ? 17 : 12;
}

/* Okabe and Ito's colours, the yellow darker, letters darker than lines; on dark paper lighter. */
static const char common[] =
	"text{font-family:sans-serif;fill:#222}.paper{fill:#fff}.axis{stroke:#222;fill:none}.grid{stroke:#ddd;fill:none}"
	".end,.known{stroke:#000;stroke-width:1.5;fill:none}.known{stroke-dasharray:2 3}.title{font-weight:700}"
	".c0{color:#0072b2}.c1{color:#d55e00}.c2{color:#009e73}.c3{color:#b0588d}.c4{color:#2f9fd8}.c5{color:#b87900}.c6{color:#6a5acd}"
	"text.c1{color:#c04f00}text.c2{color:#007d5b}text.c3{color:#9c4479}text.c4{color:#1b7fb3}text.c5{color:#8f5e00}text.c6{color:#5646bb}"
	".c7{color:#222}.c8{color:#767676}text.c8{color:#666}"
	".bar,text.on{fill:currentColor}.point{fill:currentColor;stroke:currentColor;stroke-width:1.6}"
	".span{stroke:#222;stroke-width:1.2;fill:none}.of{stroke:currentColor}"
	".diamond{stroke:currentColor;stroke-width:1.8;fill:none}.hollow{fill:#fff}"
	".curve{stroke:currentColor;fill:none;stroke-width:2}"
	"text.on{stroke:#fff;stroke-width:4;paint-order:stroke;stroke-linejoin:round}";
static const char common_dark[] =
	"text{fill:#ddd}.paper,.hollow{fill:#16181c}.axis{stroke:#aaa}.grid{stroke:#3a3d42}.end,.known{stroke:#fff}"
	".c0,text.c0{color:#5ab0ee}.c1,text.c1{color:#ff8c42}.c2,text.c2{color:#35cfa0}.c3,text.c3{color:#e39cc8}"
	".c4,text.c4{color:#8fd3ff}.c5,text.c5{color:#f0b840}.c6,text.c6{color:#b0a4ff}.c7,text.c7{color:#ddd}"
	"text.c8{color:#aaa}.span{stroke:#ddd}.of{stroke:currentColor}text.on{stroke:#16181c}";

void tool_svg_begin(struct tool_svg *svg, double width)
{
	*svg = (struct tool_svg){ .width = width };
	svg->file = tool_text_open(&svg->text);
}

void tool_svg_end(struct tool_svg *svg, FILE *out, const char *paper, const char *style, const char *dark)
{
	struct tool_svg_words source = { svg->file, 4, svg->width - 4, 4, svg->bottom + 4 + tool_svg_type(),
					 "source" };
	char *text = tool_string("libdls %s: %s%s%s", dls_version(), tool_command(),
				 *tool_files() ? "; " : "", tool_files());

	tool_svg_text(&source, text);
	free(text);
	tool_text_close(svg->file);
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\"",
		svg->width, source.y - 4);
	if (paper)
		fprintf(out, " width=\"%s\"", paper);
	fprintf(out,
		">\n<style>%stext{font-size:%gpx}.source{font-size:9px}%s\n@media screen and (prefers-color-scheme:dark){%s%s}</style>\n"
		"<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n%s</svg>\n",
		common, tool_svg_type(), style, common_dark, dark, svg->text);
	free(svg->text);
}

/* The size of letters of a class; bold ones are wider. */
static double size_of(const char *class)
{
	return class && strcmp(class, "source") == 0
		       ? 9
		       : tool_svg_type() * (class && strcmp(class, "title") == 0 ? 1.14 : 1);
}

/* Of one letter, in parts of its size. */
static double width_of(unsigned char letter)
{
	return letter >= 0x80 && letter < 0xc0	? 0
	       : strchr("ijl.,:;'|! ", letter)	? .33
	       : strchr("frtI()[]/-", letter)	? .42
	       : strchr("mwMW%@=+<>&", letter)	? .92
	       : letter >= 'A' && letter <= 'Z' ? .74
						: .635;
}

static double width_of_some(const char *text, size_t n, const char *class)
{
	double width = 0;

	for (size_t i = 0; i < n; i++)
		width += width_of((unsigned char)text[i]);
	return width * size_of(class);
}

double tool_svg_width(const char *text)
{
	return width_of_some(text, strlen(text), NULL);
}

void tool_svg_put(FILE *f, const char *class, const char *anchor, double x, double y, double most,
		  const char *text)
{
	double wide = width_of_some(text, strlen(text), class);

	fprintf(f, "<text%s%s%s x=\"%.1f\" y=\"%.1f\"", class ? " class=\"" : "", class ? class : "",
		class ? "\"" : "", x, y);
	if (anchor)
		fprintf(f, " text-anchor=\"%s\"", anchor);
	if (wide > most)
		fprintf(f, " style=\"font-size:%.1fpx\"", tool_svg_type() * most / wide);
	putc('>', f);
	dls__page_put(f, "%s</text>\n", text);
}

static void new_line(struct tool_svg_words *w)
{
	w->x = w->left;
	w->y += 1.4 * size_of(w->class);
}

void tool_svg_item(struct tool_svg_words *w, const char *class, const char *path, const char *text)
{
	double type = tool_svg_type(), before = path ? type + 6 : 0, wide = tool_svg_width(text);

	if (w->x > w->left && w->x + before + wide > w->right)
		new_line(w);
	if (path)
		fprintf(w->file, "<path class=\"%s\" d=\"M%.0f %.0f%s\"/>", class, w->x, w->y - 10, path);
	tool_svg_put(w->file, NULL, NULL, w->x + before, w->y, w->right - w->x - before, text);
	w->x += before + wide + type;
}

void tool_svg_text(struct tool_svg_words *w, const char *text)
{
	while (*text) {
		size_t n = strlen(text), fits = 0;
		char *line;

		if (width_of_some(text, n, w->class) > w->right - w->left) {
			for (size_t k = 1; k < n; k++)	/* the last blank that fits, or the first */
				if (text[k] == ' ' &&
				    (!fits || width_of_some(text, k, w->class) <= w->right - w->left))
					fits = k;
			n = fits ? fits : n;
		}
		line = tool_string("%.*s", (int)n, text);
		tool_svg_put(w->file, w->class, NULL, w->left, w->y, w->right - w->left, line);
		free(line);
		text += n;
		text += *text == ' ';
		if (*text)
			new_line(w);
	}
	new_line(w);
}
