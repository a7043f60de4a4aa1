/* page.c - what the pages of tools that show time have in common: the head, and texts within a script. */
#include "dls.h"
#include "bench/tool/tool.h"

/* A '<' could end the script. */
void tool_page_text(FILE *f, const char *text)
{
	char *quoted;
	FILE *out = tool_text_open(&quoted);

	tool_json_text(out, text);
	tool_text_close(out);
	for (const char *c = quoted; *c; c++)
		if (*c == '<')
			fputs("\\u003c", f);
		else
			fputc(*c, f);
	free(quoted);
}

static void put_lines(FILE *f, const char *const *line)
{
	for (; *line; line++)
		fputs(*line, f);
}

void tool_page_begin(FILE *f, const char *const *head)
{
	put_lines(f, head);
	fputs("{\"version\":", f);
	tool_page_text(f, dls_version());
	fputs(",\"command\":", f);
	tool_page_text(f, tool_command());
	fputs(",\"files\":", f);
	tool_page_text(f, tool_files());
	fprintf(f, ",\"lecture\":%s", tool_lecture ? "true" : "false");
}

void tool_page_end(FILE *f, const char *const *tail)
{
	fputc('}', f);
	put_lines(f, tail);
}
