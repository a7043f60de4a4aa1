/* run.c - the cells of a study: each is run in a process of its own, some at a time; rows of cells that are still what they were
 * stay.
 *
 * NAME.manifest says of which version, program, processor and files the rows of NAME.csv are, and for each cell how many rows it has,
 * their checksum, and its key: all that they depend on.  A cell whose key is not in it, or whose rows are others, is run again. */
#include <sys/utsname.h>
#include <unistd.h>

#include "study.h"

#define TITLE "libdls study, manifest 1\n"
enum { SAVE = 5 };	/* s from one saving to the next */

static uint32_t sum_of(const char *text, size_t length)
{
	struct tool_sum sum;

	tool_sum_begin(&sum);
	for (size_t i = 0; i < length; i++)
		tool_sum_add(&sum, (unsigned char)text[i]);
	return tool_sum_end(&sum);
}

static const char *processor_name(void)
{
	FILE *in = fopen("/proc/cpuinfo", "r");
	const char *found = NULL;
	char line[256];
	struct utsname system;

	while (in && !found && fgets(line, sizeof(line), in))
		if (strncmp(line, "model name", 10) == 0 && strchr(line, ':'))
			found = tool_held_string("%.*s", (int)strcspn(strchr(line, ':') + 2, "\n"), strchr(line, ':') + 2);
	if (in)
		fclose(in);
	return found ? found : uname(&system) == 0 ? tool_held_string("%s", system.machine) : "unknown";
}

/* The program has the library in it. */
static const char *program_name(void)
{
	static const char self[] = "/proc/self/exe";

	return access(self, R_OK) == 0 ? tool_held_string("cksum=%" PRIu32, tool_cksum("program", self)) : "unknown";
}

/* What a child process wrote to a file. */
static char *contents(FILE *file)
{
	char *text;
	FILE *out = tool_text_open(&text);
	int c;

	rewind(file);
	while ((c = getc(file)) != EOF)
		putc(c, out);
	tool_text_close(out);
	fclose(file);
	return tool_held(text);
}

static bool alone(const struct study *s)
{
	return s->kind->alone && s->kind->alone();
}

static void make_key(const struct study *s, struct cell *c, const char *version, const char *program, const char *processor)
{
	FILE *out = tool_text_open(&c->key);

	s->kind->key(c, out);
	fprintf(out, "files %s; version %s; program %s", *c->files ? c->files : "-", version, program);
	if (alone(s))	/* in real time it counts */
		fprintf(out, "; processor %s", processor);
	tool_text_close(out);
	tool_held(c->key);
}

/* What the manifest says before its cells. */
static char *make_top(const struct study *s, const char *version, const char *program, const char *processor)
{
	const char *const line[] = { "version", version, "program", program, "processor", processor, "command", tool_command() };
	char *top;
	FILE *out = tool_text_open(&top);

	fputs(TITLE, out);
	for (size_t i = 0; i < sizeof(line) / sizeof(*line); i += 2)
		fprintf(out, "%s %s\n", line[i], line[i + 1]);
	if (s->file)
		fprintf(out, "study %s cksum=%" PRIu32 "\n", s->file, tool_cksum(s->kind->option, s->file));
	for (size_t i = 0; i < s->cells; i++) {		/* files that no cell before has */
		bool before = !*s->cell[i].files;

		for (size_t k = 0; k < i && !before; k++)
			before = strcmp(s->cell[k].files, s->cell[i].files) == 0;
		if (!before)
			fprintf(out, "files %s\n", s->cell[i].files);
	}
	tool_text_close(out);
	return tool_held(top);
}

static const char *name_of(const struct study *s, const char *ending)
{
	return tool_held_string("%s%s", s->base, ending);
}

/* The next `rows` lines, NULL: there are fewer. */
static char *lines_of(FILE *in, size_t rows)
{
	char *text, *line = NULL;
	size_t room = 0;
	FILE *out = tool_text_open(&text);
	bool whole = true;

	for (size_t i = 0; i < rows && whole; i++) {
		whole = getline(&line, &room, in) > 0 && line[strlen(line) - 1] == '\n';
		if (whole)
			fputs(line, out);
	}
	free(line);
	tool_text_close(out);
	tool_held(text);
	return whole ? text : NULL;
}

/* A line "cell ROWS CKSUM KEY" of the manifest: these rows are the next of the CSV.  Returns whether they are what it says; `dropped`
 * grows if no cell has this key. */
static bool take_cell(struct study *s, const char *line, FILE *csv, size_t *dropped)
{
	unsigned long rows, cksum;
	int key = 0;
	char *text;

	if (sscanf(line, "cell %lu %lu %n", &rows, &cksum, &key) != 2 || !key)
		return false;
	text = lines_of(csv, rows);
	if (!text || sum_of(text, strlen(text)) != cksum)
		return false;
	for (size_t i = 0; i < s->cells; i++)
		if (!s->cell[i].rows && strcmp(s->cell[i].key, line + key) == 0) {
			s->cell[i].rows = text;
			s->cell[i].kept = true;
			return true;
		}
	++*dropped;
	return true;
}

/* A line of the manifest that `top` does not have: why rows are stale. */
static void tell_change(const char *top, const char *line)
{
	if (!strstr(top, tool_held_string("\n%s\n", line)) && strncmp(line, "command ", 8) != 0 && strncmp(line, "study ", 6) != 0)
		printf("stale: rows of %s\n", line);
}

static void read_manifest(struct study *s, const char *top, FILE *manifest, FILE *csv)
{
	const char *name = name_of(s, ".manifest");
	char *line = NULL;
	size_t room = 0, dropped = 0;
	bool good = csv != NULL;

	if (getline(&line, &room, manifest) < 0 || strcmp(line, TITLE) != 0)
		tool_die(TOOL_USAGE, "%s: \"%s\" is not the manifest of a study: it would be written over", s->said, name);
	s->head = csv ? lines_of(csv, 1) : NULL;
	for (size_t k = 2; getline(&line, &room, manifest) > 0; k++) {
		line[strcspn(line, "\n")] = 0;
		if (strncmp(line, "cell ", 5) != 0) {
			tell_change(top, line);
		} else if (good && !take_cell(s, line, csv, &dropped)) {
			good = false;
			printf("stale: %s.csv has other rows than %s, line %zu, says; these and those behind them are run again\n", s->base,
			       name, k);
		}
	}
	if (dropped)
		printf("stale: %zu combinations of %s were run with other options, files or programs\n", dropped, name);
	free(line);
}

/* Nothing that is not a study's is written over. */
static void look_for_others(const struct study *s)
{
	static const char *const ending[] = { ".csv", ".differences.csv", ".tex", ".svg", ".pdf" };

	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++) {
		const char *name = name_of(s, ending[i]);

		if (access(name, F_OK) == 0)
			tool_die(TOOL_USAGE, "%s: \"%s\" is there, but no \"%s.manifest\" that says of what study it is; move it away",
				 s->said, name, s->base);
	}
}

static void keep(struct study *s, const char *top)
{
	const char *name = name_of(s, ".manifest");
	FILE *manifest = fopen(name, "r"), *csv;

	if (!manifest && errno != ENOENT)
		tool_die(TOOL_USAGE, "%s: \"%s\": %s", s->said, name, strerror(errno));
	if (!manifest) {
		look_for_others(s);
	} else {
		csv = fopen(name_of(s, ".csv"), "r");
		read_manifest(s, top, manifest, csv);
		fclose(manifest);
		if (csv)
			fclose(csv);
	}
}

static size_t lines_in(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* The CSV first: rows without a line in the manifest are run again. */
static void save(const struct study *s, const char *top)
{
	FILE *out = study_open(s, ".csv");

	fputs(s->head ? s->head : "", out);
	for (size_t i = 0; i < s->cells; i++)
		fputs(s->cell[i].rows ? s->cell[i].rows : "", out);
	study_close(s, ".csv", out);
	out = study_open(s, ".manifest");
	fputs(top, out);
	for (size_t i = 0; i < s->cells; i++)
		if (s->cell[i].rows)
			fprintf(out, "cell %zu %" PRIu32 " %s\n", lines_in(s->cell[i].rows),
				sum_of(s->cell[i].rows, strlen(s->cell[i].rows)), s->cell[i].key);
	study_close(s, ".manifest", out);
}

/* Rows of a cell that was run: its first line is the head. */
static void take_rows(struct study *s, struct cell *c, char *text)
{
	size_t head = strcspn(text, "\n") + 1;

	s->head = tool_held_string("%.*s", (int)head, text);
	c->rows = text + head;
}

/* Cells, each in a process of its own: if checked, it writes which files it reads; if run, its rows. */
struct under_way {
	struct study *study;
	struct cell **cell;
	FILE **told;
	bool check;
	const char *top;	/* of the manifest */
	double saved;		/* the last time; s */
};

static void begin(void *arg, size_t i)
{
	struct under_way *w = arg;

	w->told[i] = tmpfile();
	if (!w->told[i])
		tool_die(TOOL_CHECK_FAILED, "cannot make a temporary file: %s", strerror(errno));
}

static void run_one(void *arg, size_t i)
{
	struct under_way *w = arg;

	progress_off();
	w->study->kind->cell(w->cell[i], w->check ? NULL : w->told[i]);
	if (w->check)
		fputs(tool_files(), w->told[i]);
	if (fflush(w->told[i]))
		tool_die(TOOL_CHECK_FAILED, "cannot write to a temporary file: %s", strerror(errno));
}

static void over(void *arg, size_t i, int status)
{
	struct under_way *w = arg;
	struct cell *c = w->cell[i];

	if (status && !w->check)
		save(w->study, w->top);
	tool_child_failed(c->value[0], status);
	if (w->check) {
		c->files = contents(w->told[i]);
		return;
	}
	take_rows(w->study, c, contents(w->told[i]));
	progress_over(1);
	if (tool_now() - w->saved > SAVE) {
		save(w->study, w->top);
		w->saved = tool_now();
	}
}

/* Those that have no rows.  top NULL: check them, one after the other. */
static void each_cell(struct study *s, const char *top)
{
	struct under_way w = { .study = s, .check = !top, .top = top, .saved = tool_now() };
	size_t n = 0, most = w.check || alone(s) ? 1 : tool_processors();

	w.cell = tool_held(calloc(s->cells + 1, sizeof(*w.cell)));
	w.told = tool_held(calloc(s->cells + 1, sizeof(*w.told)));
	for (size_t i = 0; i < s->cells; i++)
		if (!s->cell[i].rows)
			w.cell[n++] = &s->cell[i];
	if (!w.check)
		progress_begin(n);
	tool_children(&(struct tool_children){ .most = most, .begin = begin, .run = run_one, .over = over, .arg = &w }, n);
	progress_clear();
}

/* What follows so many cells of a row. */
static const char *behind(const char *row, size_t cells)
{
	for (bool quoted = false; cells && *row && (quoted || *row != '\n'); row++) {
		quoted ^= *row == '"';
		cells -= !quoted && *row == ',';
	}
	return cells ? NULL : row;
}

const char *study_cell(const struct study *s, const char *row, const char *column)
{
	size_t length = strlen(column), k = 0;
	const char *at = s->head;

	while (at && (strncmp(at, column, length) != 0 || !strchr(",\n", at[length])))
		at = behind(s->head, ++k);
	return at ? behind(row, k) : NULL;
}

double study_number(const struct study *s, const char *row, const char *column)
{
	const char *at = study_cell(s, row, column);
	char *end;
	double value = at ? strtod(at, &end) : NAN;

	return at && end > at ? value : NAN;
}

/* The measure of the cell's rows of seeds. */
static void read_values(const struct study *s, struct cell *c)
{
	c->measured = tool_held(calloc(lines_in(c->rows) + 1, sizeof(*c->measured)));
	for (const char *row = c->rows; *row; row += strcspn(row, "\n") + 1)
		if (!isnan(study_number(s, row, "seed")))	/* it is of a seed, not of several */
			c->measured[c->seeds++] = study_number(s, row, s->measure);
}

void study_cells(struct study *s)
{
	const char *program = program_name(), *processor = processor_name(), *top;
	size_t kept = 0;

	each_cell(s, NULL);
	for (size_t i = 0; i < s->cells; i++)
		make_key(s, &s->cell[i], dls_version(), program, processor);
	top = make_top(s, dls_version(), program, processor);
	keep(s, top);
	for (size_t i = 0; i < s->cells; i++)
		kept += s->cell[i].kept;
	each_cell(s, top);
	save(s, top);
	for (size_t i = 0; i < s->cells; i++)
		read_values(s, &s->cell[i]);
	printf("libdls %s: %s\n%zu combinations, %zu of them kept, %zu run\n", dls_version(), tool_command(), s->cells, kept, s->cells - kept);
}
