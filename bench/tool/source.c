/* source.c - the origin of output, in every head, row and picture: version, command line and input files. */
#include "dls.h"
#include "bench/tool/tool.h"

static char *command, *files;

/* A word that a shell reads back as it is; words with control characters as bash does. */
static void put_word(FILE *out, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:,=+%@^";
	bool control = false;

	for (const char *c = word; *c; c++)
		control |= (unsigned char)*c < ' ' || *c == 0x7f;
	if (*word && !word[strspn(word, plain)]) {
		fputs(word, out);
		return;
	}
	fputs(control ? "$'" : "'", out);
	for (; *word; word++) {
		if (control && ((unsigned char)*word < ' ' || *word == 0x7f))
			fprintf(out, "\\x%02x", (unsigned char)*word);
		else if (control && (*word == '\'' || *word == '\\'))
			fprintf(out, "\\%c", *word);
		else
			fputs(*word == '\'' ? "'\\''" : (char[]){ *word, 0 }, out);
	}
	fputc('\'', out);
}

void tool_keep_command(int argc, char **argv)
{
	FILE *out;

	free(command);
	out = tool_text_open(&command);
	fputs(tool_name, out);
	for (int i = 1; i < argc; i++) {
		fputc(' ', out);
		put_word(out, argv[i]);
	}
	tool_text_close(out);
}

void tool_keep_file(const char *file, uint32_t cksum)
{
	static size_t used, room;
	char *one = tool_string("%s%s cksum=%u", files ? "; " : "", file, (unsigned)cksum);
	size_t n = strlen(one);

	if (used + n >= room)
		files = tool_need(realloc(files, room = 2 * (used + n) + 1));
	memcpy(files + used, one, n + 1);
	used += n;
	free(one);
}

const char *tool_command(void)
{
	return command ? command : "";
}

const char *tool_files(void)
{
	return files ? files : "";
}

void tool_print_head(void)
{
	printf("libdls %s: %s%s%s\n", dls_version(), tool_command(), files ? "\ninput: " : "", tool_files());
}
