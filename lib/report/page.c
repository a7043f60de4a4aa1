/* page.c - the begin and the end of all pages. */
#include <stdarg.h>

#include "lib/report/page.h"

bool dls__page_lecture;

static const char head[] =
	"<!DOCTYPE html>\n"
	"<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\" id=\"lecture\">\n<head>\n<meta charset=\"utf-8\"/>\n"
	"<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>";

static const char style[] =
	"</title>\n<style>\n"
	":root { color-scheme: light dark }\n"
	"#lecture:target { font-size: 150% }\n"
	":root:has(#type input:checked) { font-size: 150% } #lecture:target #type { display: none }\n"
	"#type { float: right; margin-left: 1rem }\n"
	"body { max-width: 50rem; margin: 2.5rem auto; padding: 0 1.25rem; color: #1a1a1a; background: #fff;\n"
	"  font: 1rem/1.5 system-ui, sans-serif }\n"
	"h1 { font-size: 1.7rem; margin: 0 0 .3rem }\n"
	"h2 { font-size: 1.25rem; margin: 0 0 .2rem; overflow-wrap: anywhere }\n"
	"h3 { font-size: 1rem; margin: 1.6rem 0 .3rem }\n"
	"p { margin: .3rem 0 .8rem; overflow-wrap: anywhere }\n"
	"section { border-top: 2px solid #1a1a1a; margin-top: 2.8rem; padding-top: .9rem }\n"
	".reading { font-size: 1.08rem } .verdict { font-size: 1.2rem; font-weight: 600 }\n"
	"summary { cursor: pointer; color: #0072b2; margin-top: 1rem }\n"
	".note { color: #555 }\n"
	"a { color: #0072b2 }\n"
	"code { font: .92em ui-monospace, monospace; overflow-wrap: anywhere }\n"
	".wide { overflow-x: auto }\n"
	"table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums }\n"
	"th, td { padding: .2rem .7rem .2rem 0; text-align: right; vertical-align: top;\n"
	"  border-bottom: 1px solid #d8d8d8 }\n"
	"td { white-space: nowrap }\n"
	"thead th { border-bottom: 1.5px solid #1a1a1a; font-weight: 600 }\n"
	"th:last-child, td:last-child { padding-right: 0 }\n"
	".left { text-align: left; white-space: normal }\n"
	".figures th { font-weight: 400 }\n"
	".figures th:nth-child(3) { padding-left: 2.5rem }\n"
	"figure { margin: 1.4rem 0 0 }\n"
	"figcaption { font-size: .88rem; color: #444; margin-top: .2rem }\n"
	".timeline svg { touch-action: pan-y; cursor: grab }\n"
	"output { display: block; font-size: .88rem; min-height: 1.5em }\n"
	".copy { padding: .5rem .7rem; background: #f0f2f5; overflow-wrap: anywhere }\n"
	".copy code { user-select: all }\n"
	"svg { width: 100%; max-width: 46rem; height: auto; display: block; fill: #1a1a1a;\n"
	"  font: 12px system-ui, sans-serif }\n"
	".end { text-anchor: end } .middle { text-anchor: middle } .small { font-size: 9px } .strong { font-weight: 600 }\n"
	".even { fill: #0072b2 } .odd { fill: #56b4e9 } .dispatch { fill: #000 } .finish { fill: #e69f00 }\n"
	".late { stroke: #aaa; stroke-width: .5; stroke-dasharray: 2 2; fill: none }\n"
	".idle { stroke: #aaa; stroke-width: .5 } .hatch { stroke: #999; stroke-width: .8; fill: none }\n"
	".axis { stroke: #1a1a1a; fill: none } .grid { stroke: #ddd; fill: none }\n"
	".mean { stroke: #000; stroke-width: 1.5; stroke-dasharray: 5 3; fill: none }\n"
	".halo { stroke: #fff; stroke-width: 4; fill: none }\n"
	".marks { stroke: #0072b2; stroke-width: 2.6; stroke-linecap: round; fill: none }\n"
	".few.marks { stroke-width: 6 }\n"
	"dt { font-weight: 600; margin-top: .5rem } dd { margin: 0 }\n"
	"@media (max-width: 45rem) {\n"
	"  body { margin: 1rem auto; padding: 0 .8rem }\n"
	"  table { font-size: .74rem } th, td { padding-right: .4rem } .wide { overflow-x: auto }\n"
	"  .many tr { display: grid; grid-template-columns: repeat(3, 1fr); border-bottom: 1px solid #888 }\n"
	"  .many :is(th, td) { border: 0 }\n"
	"  .figures tr { display: grid; grid-template-columns: 1fr auto }\n"
	"  .figures th:nth-child(3) { padding-left: 0 } }\n"
	"@media screen and (prefers-color-scheme: dark) {\n"
	"  body { color: #ddd; background: #16181c } section, thead th { border-color: #888 } th, td { border-bottom-color: #3a3d42 }\n"
	"  summary, a { color: #6cb8ee } .copy { background: #23262c } .note { color: #aaa }\n"
	"  figcaption { color: #bbb } svg { fill: #ddd }\n"
	"  .even { fill: #3d8fd0 } .odd { fill: #8fd0f5 } .dispatch { fill: #fff } .axis { stroke: #bbb } .grid { stroke: #3a3d42 }\n"
	"  .mean { stroke: #fff } .halo { stroke: #16181c } .marks { stroke: #4fa8e0 } }\n"
	"@media print {\n"
	"  #type { display: none } body { font-size: 10pt; max-width: none; margin: 0 }\n"
	"  figure, tr { break-inside: avoid } h2, h3 { break-after: avoid }\n"
	"  svg { print-color-adjust: exact; -webkit-print-color-adjust: exact } }\n"
	"</style>\n</head>\n<body>\n";

void dls__page_escape(FILE *f, const char *text)
{
	for (; *text; text++)
		if (*text == '&' || *text == '<' || *text == '>' || *text == '"')
			fprintf(f, "&#%d;", *text);
		else
			putc(*text, f);
}

void dls__page_put(FILE *f, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	for (; *format; format++)
		if (*format == '%' && *++format == 's')
			dls__page_escape(f, va_arg(args, const char *));
		else
			putc(*format, f);
	va_end(args);
}

void dls__page_begin(FILE *f, const char *title)
{
	fputs(head, f);
	dls__page_escape(f, title);
	fputs(style, f);
	fprintf(f, "<label id=\"type\"><input type=\"checkbox\"%s/> large type</label>\n", dls__page_lecture ? " checked=\"checked\"" : "");
}

void dls__page_end(FILE *f)
{
	fputs("</body>\n</html>\n", f);
}
