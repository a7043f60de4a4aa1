/* read.c - reading the files that DLS_TRACE or DLS_REPORT has written: JSON, one object in memory at a time.  A report that is a page
 * has all of it in an element. */
#include <stdarg.h>

#include "bench/advise/advise.h"

/* Texts of a file may have any character that JSON can write. */
void printable(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 127)
			*text = '?';
}

void read_die(const char *file, uint64_t value, const char *format, ...)
{
	char what[300];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	printable(what);
	if (value)
		tool_die(TOOL_USAGE, "\"%s\", object %llu: %s", file, (unsigned long long)value, what);
	tool_die(TOOL_USAGE, "\"%s\": %s", file, what);
}

double read_number(const struct place *at, const json_t *object, const char *name, double min, double max, double otherwise)
{
	const json_t *member = json_object_get(object, name);
	double value;

	if ((!member || json_is_null(member)) && !isnan(otherwise))
		return otherwise;
	if (!json_is_number(member))
		read_die(at->file, at->value, "\"%s\" is not a number", name);
	value = json_number_value(member);
	if (!(value >= min && value <= max))
		read_die(at->file, at->value, "\"%s\": %g is not from %g to %g", name, value, min, max);
	return value;
}

const char *read_text(const struct place *at, const json_t *object, const char *name)
{
	const json_t *member = json_object_get(object, name);

	if (!member || json_is_null(member))
		return NULL;
	if (!json_is_string(member))
		read_die(at->file, at->value, "\"%s\" is not a text", name);
	return json_string_value(member);
}

/* A file, and what it has been found to be. */
struct source {
	FILE *in;
	struct place at;
	struct loops *loops;
	struct trace *trace;	/* NULL: it is a report, or nothing yet */
	bool report;
};

/* The next character that is no blank. */
static int next(struct source *s)
{
	int c;

	while ((c = getc(s->in)) == ' ' || c == '\t' || c == '\n' || c == '\r')
		;
	if (ferror(s->in))
		read_die(s->at.file, 0, "%s", strerror(errno));
	return c;
}

static _Noreturn void die_neither(const struct source *s)
{
	read_die(s->at.file, s->at.value, "neither a trace of DLS_TRACE nor a report of DLS_REPORT=FILE.json or FILE.html");
}

static _Noreturn void die_memory(const struct source *s)
{
	tool_die(TOOL_CHECK_FAILED, "\"%s\": out of memory", s->at.file);
}

static bool without_memory(const json_error_t *error)
{
	return json_error_code(error) == json_error_unknown || json_error_code(error) == json_error_out_of_memory;
}

/* The value that begins here: an object, an array or a text, which end without a look at what follows. */
static json_t *value(struct source *s)
{
	json_error_t error;
	json_t *v = json_loadf(s->in, JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, &error);

	if (v)
		return v;
	if (ferror(s->in))
		read_die(s->at.file, 0, "%s", strerror(errno));
	if (without_memory(&error))
		die_memory(s);
	read_die(s->at.file, s->at.value, "%s", error.text);
}

static void take(struct source *s, const json_t *object)
{
	bool event = json_object_get(object, "ph");

	if (s->report && json_object_get(object, "regions"))	/* of dls-run, after the loops */
		return;
	if ((event && s->report) || (!event && (s->trace || !json_object_get(object, "site"))))
		die_neither(s);
	if (event) {
		s->trace = s->trace ? s->trace : trace_open();
		trace_take(s->trace, &s->at, object);
	} else {
		s->report = true;
		report_take(s->loops, &s->at, object);
	}
}

/* The objects of an array whose [ has been read. */
static void array(struct source *s)
{
	int c = next(s);

	if (c == ']')
		return;
	for (;; c = next(s)) {
		json_t *object;

		s->at.value++;
		if (c != '{')
			die_neither(s);
		ungetc(c, s->in);
		object = value(s);
		take(s, object);
		json_decref(object);
		c = next(s);
		if (c == ']')
			return;
		if (c != ',')
			read_die(s->at.file, s->at.value, c == EOF ? "the file ends within an array" : "no comma after it");
	}
}

/* A member of the outermost object: of interest is only "traceEvents". */
static void member(struct source *s)
{
	json_t *name;
	bool events;
	int c = next(s);

	if (c != '"')
		die_neither(s);
	ungetc(c, s->in);
	name = value(s);
	events = strcmp(json_string_value(name), "traceEvents") == 0;
	json_decref(name);
	if (next(s) != ':')
		die_neither(s);
	c = next(s);
	if (events) {
		if (c != '[')
			die_neither(s);
		s->trace = s->trace ? s->trace : trace_open();
		array(s);
	} else if (c == '"' || c == '{' || c == '[') {
		ungetc(c, s->in);
		json_decref(value(s));
	} else {	/* a number, true, false or null */
		while (c != EOF && c != ',' && c != '}')
			c = getc(s->in);
		ungetc(c, s->in);
	}
}

static void object(struct source *s)
{
	int c = next(s);

	if (c == '}')
		return;
	ungetc(c, s->in);
	do
		member(s);
	while ((c = next(s)) == ',');
	if (c != '}')
		read_die(s->at.file, 0, c == EOF ? "the file ends too early" : "not JSON after object %llu",
			 (unsigned long long)s->at.value);
}

/* The report within its page. */
static void page(struct source *s)
{
	static const char begin[] = "\n<script type=\"application/json\" id=\"report\">\n";

	for (size_t at = 0; begin[at];) {
		int c = getc(s->in);

		if (c == EOF || c == 0)
			die_neither(s);
		at = c == begin[at] ? at + 1 : c == begin[0];
	}
	if (next(s) != '[')
		die_neither(s);
	array(s);
}

void read_file(struct loops *loops, const char *file)
{
	struct source s = { .at = { file, 0 }, .loops = loops };
	int c;

	s.in = strcmp(file, "-") == 0 ? stdin : fopen(file, "r");
	if (!s.in)
		read_die(file, 0, "%s", strerror(errno));
	c = next(&s);
	if (c == '[')
		array(&s);
	else if (c == '<')
		page(&s);
	else if (c == '{')
		object(&s);
	else
		die_neither(&s);
	s.at.value = 0;
	if (c == '{' && !s.trace)
		die_neither(&s);
	if ((c == '[' || c == '{') && next(&s) != EOF)
		read_die(file, 0, "there is more after the end of the JSON text");
	if (s.trace)
		trace_close(s.trace, loops);
	if (s.in != stdin)
		fclose(s.in);
}
