/* read.c - files of numbers, a few on each line, and lists of them; anything else is refused by line and column. */
#include <stdarg.h>
#include <sys/stat.h>

#include "bench/tool/tool.h"

enum { LINE_BYTES = 255, SHOWN = 40 };

void tool_sum_begin(struct tool_sum *sum)
{
	for (uint32_t i = 0; i < 256; i++) {
		sum->table[i] = i << 24;
		for (unsigned k = 0; k < 8; k++)
			sum->table[i] = sum->table[i] << 1 ^ (sum->table[i] >> 31 ? UINT32_C(0x04c11db7) : 0);
	}
	sum->crc = 0;
	sum->bytes = 0;
}

void tool_sum_add(struct tool_sum *sum, unsigned byte)
{
	sum->crc = sum->crc << 8 ^ sum->table[(sum->crc >> 24 ^ byte) & 255];
	sum->bytes++;
}

uint32_t tool_sum_end(struct tool_sum *sum)
{
	for (uint64_t n = sum->bytes; n; n >>= 8)
		tool_sum_add(sum, n & 255);
	return ~sum->crc;
}

FILE *tool_open_again(const char *option, const char *file, const char *mode)
{
	FILE *in = tool_open(option, file, mode);
	struct stat status;

	if (fstat(fileno(in), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
		tool_die(TOOL_USAGE, "%s \"%s\": it is no regular file", option, file);
	return in;
}

uint32_t tool_cksum(const char *option, const char *file)
{
	FILE *in = tool_open_again(option, file, "rb");
	struct tool_sum sum;
	int c;

	tool_sum_begin(&sum);
	while ((c = getc_unlocked(in)) != EOF)
		tool_sum_add(&sum, (unsigned)c);
	if (ferror(in))
		tool_die(TOOL_USAGE, "%s \"%s\": %s", option, file, strerror(errno));
	fclose(in);
	return tool_sum_end(&sum);
}

static _Noreturn void refuse_line(const struct tool_lines *l, const char *what)
{
	tool_die(TOOL_USAGE, "%s \"%s\", line %zu: %s", l->option, l->file, l->line, what);
}

bool tool_line(struct tool_lines *l)
{
	int c = 0;

	l->line++;
	for (l->length = 0; c != '\n' && (c = getc_unlocked(l->in)) != EOF; l->text[l->length++] = (char)c) {
		if (l->sum)
			tool_sum_add(l->sum, (unsigned)c);
		if (c == 0)
			refuse_line(l, "a NUL byte; only text is accepted");
		if (l->length == TOOL_LINE_MAX)
			refuse_line(l, tool_string("more than %d bytes", TOOL_LINE_MAX));
		if (l->length + 1 >= l->room)
			l->text = tool_need(realloc(l->text, l->room = l->room ? 2 * l->room : 256));
	}
	if (ferror(l->in))
		refuse_line(l, strerror(errno));
	if (l->length) {
		l->text[l->length] = 0;
		return true;
	}
	free(l->text);
	return false;
}

struct reader {
	FILE *in;
	const struct tool_field *field;
	size_t fields, line, length;
	char text[LINE_BYTES + 1];	/* the line under way */
	struct tool_fault *fault;
	struct tool_sum sum;
};

/* At most SHOWN bytes of any text, on one line. */
static const char *quote(char out[4 * SHOWN + 4], const char *text, size_t n)
{
	char *o = out;

	for (size_t i = 0; i < n && i < SHOWN; i++)
		o += sprintf(o, text[i] < ' ' || text[i] > '~' ? "\\x%02x" : "%c", (unsigned char)text[i]);
	strcpy(o, n > SHOWN ? "..." : "");
	return out;
}

/* ", line 2, column 5" and what is wrong there; line 0: in a list; column 0: the whole line. */
__attribute__((format(printf, 4, 5)))
static bool refuse(struct tool_fault *fault, size_t line, size_t column, const char *format, ...)
{
	struct tool_fault at = { .code = TOOL_USAGE };
	size_t used = 0, size = sizeof(at.what);
	va_list args;

	if (line)
		used += (size_t)snprintf(at.what, size, ", line %zu", line);
	if (column)
		used += (size_t)snprintf(at.what + used, size - used, ", column %zu", column);
	va_start(args, format);
	vsnprintf(at.what + used, size - used, format, args);
	va_end(args);
	*fault = at;
	return false;
}

/* "a time in seconds from 0 to 1e+09" */
static const char *meaning(char out[120], const struct tool_field *f)
{
	snprintf(out, 120, "a %s from %.9g to %.9g", f->name, f->min, f->max);
	return out;
}

/* The next line without its end; false at the file's end too. */
static bool next_line(struct reader *r)
{
	int c;

	r->line++;
	for (r->length = 0; (c = getc_unlocked(r->in)) != EOF; r->text[r->length++] = (char)c) {
		tool_sum_add(&r->sum, (unsigned)c);
		if (c == '\n')
			break;
		if (c == 0)
			return refuse(r->fault, r->line, r->length + 1, ": a NUL byte; only text is accepted");
		if (r->length == LINE_BYTES)
			return refuse(r->fault, r->line, 0, ": more than %d bytes", LINE_BYTES);
	}
	if (ferror(r->in))
		return refuse(r->fault, r->line, 0, ": %s", strerror(errno));
	if (c == EOF && r->length == 0)
		return false;
	if (r->length && r->text[r->length - 1] == '\r')
		r->length--;
	r->text[r->length] = 0;
	return true;
}

/* In plain decimal notation. */
static bool parse_field(const struct tool_field *f, const char *text, size_t n, double *value)
{
	uint64_t whole;
	char *end;

	if (f->whole) {
		if (!tool_is_whole(text, n, &whole))
			return false;
		*value = (double)whole;
	} else {
		if (n == 0 || strspn(text, "0123456789+-.eE") < n)
			return false;
		*value = strtod(text, &end);
		if (end != text + n)
			return false;
	}
	return *value >= f->min && *value <= f->max;
}

static bool parse_line(const struct reader *r, double *value)
{
	static const char blanks[] = " \t";
	char quoted[4 * SHOWN + 4], text[120];
	const char *word = r->text;
	size_t n = 0;

	for (size_t i = 0; i < r->fields; i++) {
		word += n + strspn(word + n, blanks);
		n = strcspn(word, blanks);

		size_t column = (size_t)(word - r->text) + 1;

		if (n == 0)
			return refuse(r->fault, r->line, column, ": %s is missing", meaning(text, &r->field[i]));
		if (!parse_field(&r->field[i], word, n, &value[i]))
			return refuse(r->fault, r->line, column, ", \"%s\": not %s", quote(quoted, word, n),
				      meaning(text, &r->field[i]));
	}
	word += n + strspn(word + n, blanks);
	if (!*word)
		return true;
	return refuse(r->fault, r->line, (size_t)(word - r->text) + 1, ", \"%s\": a line has %zu number%s",
		      quote(quoted, word, strlen(word)), r->fields, r->fields == 1 ? "" : "s");
}

size_t tool_read(FILE *in, const struct tool_field *field, size_t fields, double **value, struct tool_fault *fault)
{
	struct reader r = { .in = in, .field = field, .fields = fields, .fault = fault };
	size_t lines = 0;

	*value = NULL;
	*fault = (struct tool_fault){ .code = 0 };
	tool_sum_begin(&r.sum);
	for (; next_line(&r); lines++) {
		if (lines == TOOL_LINES_MAX) {
			refuse(fault, r.line, 0, ": more than %d lines", TOOL_LINES_MAX);
			break;
		}
		*value = tool_grow(*value, lines, fields * sizeof(**value));
		if (!parse_line(&r, *value + lines * fields))
			break;
	}
	if (lines == 0 && !fault->code) {
		fault->code = TOOL_USAGE;
		strcpy(fault->what, ": the file is empty");
	}
	fault->cksum = tool_sum_end(&r.sum);
	if (!fault->code)
		return lines;
	free(*value);
	*value = NULL;
	return 0;
}

size_t tool_read_list(const char *text, const struct tool_field *field, double **value, struct tool_fault *fault)
{
	char quoted[4 * SHOWN + 4], what[120];
	size_t n = 1;

	*fault = (struct tool_fault){ .code = 0 };
	for (const char *c = text; *c; c++)
		n += *c == ':';
	*value = tool_need(malloc(n * sizeof(**value)));
	for (size_t i = 0, at = 0; i < n; i++) {
		size_t length = strcspn(text + at, ":");

		if (!parse_field(field, text + at, length, &(*value)[i])) {
			refuse(fault, 0, at + 1, ", \"%s\": not %s", quote(quoted, text + at, length), meaning(what, field));
			free(*value);
			*value = NULL;
			return 0;
		}
		at += length + 1;
	}
	return n;
}

double *tool_each(const char *option, const char *text, unsigned P, const char *whom)
{
	static const struct tool_field number = { "number", 1e-6, 1e6, false };
	struct tool_fault fault;
	double *given, *each;
	size_t n;

	if (!text)
		return NULL;
	n = tool_read_list(text, &number, &given, &fault);
	if (fault.code)
		tool_die(fault.code, "%s \"%s\"%s", option, text, fault.what);
	if (n > P)
		tool_die(TOOL_USAGE, "%s \"%s\": more than the %u %.*s", option, text, P, (int)strlen(whom) - (P == 1), whom);
	each = tool_need(malloc(P * sizeof(*each)));
	for (unsigned i = 0; i < P; i++)
		each[i] = i < n ? given[i] : 1;
	free(given);
	return each;
}

size_t tool_read_file(const char *option, const char *file, const char *kinds, const struct tool_field *field,
		      size_t fields, double **value)
{
	FILE *in = fopen(file, "r");
	struct tool_fault fault;
	size_t lines;

	if (!in)
		tool_die(TOOL_USAGE, "%s \"%s\": not %s, and not a file that can be read: %s", option, file, kinds,
			 strerror(errno));
	lines = tool_read(in, field, fields, value, &fault);
	if (fault.code)
		tool_die(fault.code, "%s \"%s\"%s", option, file, fault.what);
	fclose(in);
	tool_keep_file(file, fault.cksum);
	return lines;
}
