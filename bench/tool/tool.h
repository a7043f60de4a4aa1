/* tool.h - what the command line tools share: options, schedule lists, tables, medians, clocks, and the headers of the C library
 * that most of their files need. */
#ifndef TOOL_H
#define TOOL_H

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dls/schedule.h"

enum { TOOL_DONE = 0, TOOL_CHECK_FAILED = 1, TOOL_USAGE = 2, TOOL_MISSING = 3 };

/* The OpenMP runtime that the tool is compiled for. */
#ifdef __clang__
#define TOOL_OPENMP "libomp"
#else
#define TOOL_OPENMP "gomp"
#endif

/* "dls-chunks: " + the message + newline on stderr, then exit(code). */
_Noreturn void tool_die(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* At the end: standard output that is not whole, as on a full disk, ends the program with 1, after a message if there was none.
 * tool_options() registers it. */
void tool_end_output(void);
/* The name messages start with; tool_options() sets it. */
extern const char *tool_name;
/* Where a message's option was given; "": on the command line.  NULL: all options were given there. */
extern const char *(*tool_given)(const char *message);

/* The memory, if there is any; else the program ends. */
void *tool_need(void *memory);
/* A text as by sprintf(), malloc'ed. */
char *tool_string(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Malloc'ed memory, if there is any, or such a text: freed when the program ends.  For one thread. */
void *tool_held(void *memory);
#define tool_held_string(...) ((char *)tool_held(tool_string(__VA_ARGS__)))
/* Room for one more element behind `n`, in a malloc'ed array that only this has grown. */
void *tool_grow(void *list, size_t n, size_t size);
/* Open an option's file, as by fopen(); close it after it was read or written.  An error ends the program. */
FILE *tool_open(const char *option, const char *file, const char *mode);
void tool_close(const char *option, const char *file, FILE *stream);
/* A stream that writes a malloc'ed text, which is at *text once it has been closed. */
FILE *tool_text_open(char **text);
void tool_text_close(FILE *out);

enum tool_format { TOOL_TEXT, TOOL_CSV, TOOL_JSON };

/* An option of a tool: a row of --help, and the one place that its value goes to. */
struct tool_option {
	const char *name;	/* "seed", for --seed */
	const char *value;	/* its form in --help; NULL: it takes none */
	const char *help;	/* the first line in --help, all lines in --help=all; NULL: it is in no list */
	char letter;		/* 's', for -s; 0: none */
	bool rare;		/* in --help=all alone */
	const char *also;	/* other spellings, in no list: "seeds x", for --seeds and -x; NULL: none */
	const char **text;
	bool *flag;
	enum tool_format *format;	/* becomes `as` */
	enum tool_format as;
	uint64_t *count;	/* whole numbers from min to max */
	unsigned *number;
	double *real;
	double min, max;	/* max 0: 2^64 - 1, or INFINITY for `real` */
	bool colons;		/* `text` is a list: commas and semicolons in it become colons */
	bool command;		/* with it the arguments are a command */
};

/* The options that mean the same in every tool that has them: the names, then what that tool takes.  P is how
 * many work, the threads of a loop or the processors of a machine.  A schedule is one of DLS_SCHEDULE, which may
 * be a strategy. */
#define TOOL_THREADS .name = "threads", .letter = 't', .also = "p processors"
#define TOOL_PROCESSORS .name = "processors", .letter = 'p', .also = "t threads"
#define TOOL_SCHEDULE .name = "schedule", .letter = 's', .also = "strategy"
#define TOOL_STRATEGY .name = "strategy", .letter = 's', .also = "schedule"
#define TOOL_SEEDS .name = "seed", .also = "seeds"
#define TOOL_RUNS .name = "runs", .value = "R", .also = "rounds repeats"
#define TOOL_ITERATIONS .name = "iterations", .value = "N", .letter = 'n'
#define TOOL_FORMATS(to, rows) \
	{ "csv", NULL, rows, .format = (to), .as = TOOL_CSV }, \
	{ "json", NULL, "the same as an array of objects", .format = (to), .as = TOOL_JSON }
#define TOOL_PLOT(to, what) { "plot", "FILE.svg", what, .text = (to) }
#define TOOL_PLUGIN(to) { "plugin", "FILE.so", "load strategies and calculators of one's own", .rare = true, \
	.text = (to) }
#define TOOL_LECTURE { "lecture", NULL, "pictures for a lecture: large type, labels at curves, at most six of these", \
	.rare = true, .flag = &tool_lecture }
/* The last row of every table. */
#define TOOL_LAST { "help", "[=all]", "this; all options and more examples", .letter = 'h' }, \
	{ "version", .help = "the version of libdls" }, { .name = NULL }

struct tool {
	const char *name;		/* "dls-chunks" */
	const char *about;		/* --help begins with it; it all fits in 24 lines of 80 columns */
	const char *examples, *notes;	/* of --help=all: more examples; what follows the options; or NULL */
	const struct tool_option *option;	/* ends by TOOL_LAST */
	bool arguments;			/* it accepts arguments */
	bool command;			/* ... which are a command: the options after the first are the command's */
};

/* Read the command line; returns the arguments that are no options, NULL at the end.  --help and --version end the
 * program, and so does what is malformed, out of range or unknown, with TOOL_USAGE. */
char **tool_options(const struct tool *tool, int argc, char **argv);
/* How the option "schedule" was written, for messages: "-s" or "--schedule"; this one if it was not given. */
const char *tool_written(const char *name);
/* Whether no other options were given than these, "study lecture". */
bool tool_only(const char *names);
/* Print --help and end the program. */
_Noreturn void tool_help(const struct tool *tool);
/* Take a value as that of an option, "seed". */
void tool_take(const struct tool *tool, const char *name, const char *value);

/* The folder of this program, without its final slash, malloc'ed; NULL if it is not known. */
char *tool_folder(void);

/* Where output comes from.  tool_options() keeps the command line, "dls-chunks -n 100 -s 'gss; tss'", as a shell reads it;
 * tool_read_file() and tool_plugin() keep each file's name and checksum, "times cksum=4038471504; ...", as by cksum(1).  Tables have
 * them in each row of CSV and JSON; text begins by tool_print_head(). */
void tool_keep_command(int argc, char **argv);
void tool_keep_file(const char *file, uint32_t cksum);
const char *tool_command(void);
const char *tool_files(void);
void tool_print_head(void);

/* Load a plug-in of TOOL_PLUGIN, NULL: none; one that cannot be loaded, crashes or registers nothing ends the program. */
void tool_plugin(const char *file);

/* A number; what is malformed or out of range ends the program with TOOL_USAGE, quoting the option and the value. */
uint64_t tool_count(const char *option, const char *text, uint64_t min, uint64_t max);	/* "1e6" too */
double tool_real(const char *option, const char *text, double min, double max);	/* max may be INFINITY */
/* "7" or "1-30", all from min to max; returns how many there are, TOOL_SEEDS_MAX at most. */
#define TOOL_SEEDS_MAX 1000000
uint64_t tool_seeds(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *first);
/* "1,2,4", also by semicolons, into a malloc'ed array; returns its length. */
size_t tool_counts(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t **list);

/* Digits, and then perhaps e and the number of zeros: 1e6. */
bool tool_is_whole(const char *text, size_t length, uint64_t *value);

/* A number in a file or a list, and its name in messages, such as "time in seconds". */
struct tool_field {
	const char *name;
	double min, max;
	bool whole;
};

/* What is wrong with a file or a list, as text that follows its name, and the exit status; 0: nothing. */
struct tool_fault {
	int code;
	char what[480];
	uint32_t cksum;		/* of a file without fault */
};

/* The checksum of cksum(1), POSIX: a CRC over the bytes and then over their number, the lowest byte first. */
struct tool_sum {
	uint32_t table[256], crc;
	uint64_t bytes;
};
void tool_sum_begin(struct tool_sum *sum);
void tool_sum_add(struct tool_sum *sum, unsigned byte);
uint32_t tool_sum_end(struct tool_sum *sum);
/* A file that is read more than once, from its begin each time, or read and then written, opened as by fopen(); another than a regular
 * one, such as a pipe, ends the program. */
FILE *tool_open_again(const char *option, const char *file, const char *mode);
/* Of such a file; one that cannot be read ends the program. */
uint32_t tool_cksum(const char *option, const char *file);

/* The lines of a text, of any length up to TOOL_LINE_MAX.  tool_line() goes to the next one; a NUL byte, a longer line, and what
 * cannot be read end the program.  False: there are no more, and the text is freed. */
#define TOOL_LINE_MAX 100000000
struct tool_lines {
	const char *option, *file;	/* for messages */
	FILE *in;
	char *text;		/* with its end, if it has one */
	size_t length, room, line;
	struct tool_sum *sum;	/* of the bytes read; may be NULL */
};
bool tool_line(struct tool_lines *lines);

/* Most lines of a file, each of at most 255 bytes. */
#define TOOL_LINES_MAX 10000000

/* Read a file with `fields` numbers on each line, separated by blanks.  Returns the number of lines, at least 1, and the
 * numbers line by line in a malloc'ed array; 0: it is not such a file.  If there is no memory the program ends. */
size_t tool_read(FILE *in, const struct tool_field *field, size_t fields, double **value, struct tool_fault *fault);
/* Read numbers separated by colons.  Returns how many there are, in a malloc'ed array; 0: it is not such a list. */
size_t tool_read_list(const char *text, const struct tool_field *field, double **value, struct tool_fault *fault);
/* A file of numbers for an option; instead of returning 0 it ends the program.  `kinds`: what else the option accepts. */
size_t tool_read_file(const char *option, const char *file, const char *kinds, const struct tool_field *field,
		      size_t fields, double **value);
/* "--speeds" or "--weights" of P `whom` ("workers"): numbers from 1e-6 to 1e6 into a malloc'ed array of P, where those that are
 * not given are 1.  More than P end the program.  NULL: no text is given. */
double *tool_each(const char *option, const char *text, unsigned P, const char *whom);

/* Schedules separated by commas, semicolons or blanks.  A word that starts with a digit or holds '=' belongs to the
 * schedule before it ("gss,8,fac2" is gss,8 and fac2), and so does a parameter of it ("af,exact").  "all": every calculator
 * of the registry, and every strategy if these are accepted.  Each is parsed; a bad one ends the program with TOOL_USAGE.
 * Returns how many there are. */
size_t tool_schedules(const char *option, const char *text, bool strategies, const char ***list);
/* The length of the first of such schedules, which ends at a semicolon, or a comma before a name. */
size_t tool_item(const char *text);
/* The schedule of a text; the message about a bad one quotes `value`. */
struct dls_schedule *tool_parse(const char *option, const char *value, const char *text);
/* A schedule as it is printed. */
char *tool_schedule_text(const struct dls_schedule *schedule);
/* Its calculator; under a strategy, the calculator that deals each worker its first iterations. */
const struct dls_calc *tool_calc(const struct dls_schedule *schedule);

/* A table whose rows are printed as they come: aligned columns, CSV with a head line, or a JSON array of objects.  Cells
 * come row by row, each a text or a number (printed plain in JSON); the last one of a row ends it.  Text columns have the
 * given widths, negative: left aligned.  In CSV, texts that a spreadsheet would take for formulas, and those that begin
 * with an apostrophe, get an apostrophe before them.  CSV and JSON have further columns at the end: version, command, files. */
struct tool_table {
	FILE *out;
	enum tool_format format;
	const char *const *column;	/* NULL at the end */
	const int *width;		/* of each column, for TOOL_TEXT */
	size_t rows, cells;		/* rows printed so far, cells of the next one */
	char *source;			/* what each row ends with; NULL: nothing.  begin sets all three */
};
void tool_table_begin(struct tool_table *table);
void tool_text(struct tool_table *table, const char *text);
void tool_number(struct tool_table *table, const char *format, double value);	/* NaN: empty, null in JSON */
void tool_whole(struct tool_table *table, uint64_t value);
void tool_ns(struct tool_table *table, uint64_t ns);	/* as seconds with nine decimals, exact */
/* Values that have a name: "update=12 request=3", an object in JSON. */
void tool_named(struct tool_table *table, const char *const *name, size_t n, const uint64_t *value);
void tool_table_end(struct tool_table *table);
void tool_json_text(FILE *out, const char *text);	/* quoted */

/* A page around one object in JSON: begun with what the page was made by, and ended.  Its lines are those of the tool; NULL ends them. */
extern const char *const tool_page_head[], *const tool_page_tail[];
void tool_page_begin(FILE *file, const char *const *head);
void tool_page_end(FILE *file, const char *const *tail);
void tool_page_text(FILE *file, const char *text);	/* quoted, for JSON within a page */

/* Median, smallest and largest; sorts the values. */
struct tool_spread {
	double median, min, max;
};
struct tool_spread tool_spread(double *value, size_t n);

/* Work 0 .. n - 1, each in a process of its own, at most `most` at a time.  If one fails, the others are ended before
 * `over` is called; with go_on they continue. */
struct tool_children {
	size_t most;
	bool go_on;
	void (*begin)(void *arg, size_t i);	/* before the process; NULL: nothing */
	void (*begun)(void *arg, size_t i, long pid);	/* in the parent, once the process has begun; NULL: nothing */
	void (*run)(void *arg, size_t i);	/* in the process, which an error ends */
	void (*over)(void *arg, size_t i, int status);	/* as waitpid() has it; in the order in which they end */
	void (*waits)(void);	/* meanwhile, about once a second; NULL: nothing */
	void *arg;
};
void tool_children(const struct tool_children *children, size_t n);
/* End the program if a child failed: with its status, as it has said why, or a message about its signal. */
void tool_child_failed(const char *what, int status);

double tool_now(void);		/* monotonic clock, s */
unsigned tool_processors(void);	/* this process may run on */
/* Time for a cache line to get from one processor to another, ns, median; NaN on one processor, or if they are too busy. */
double tool_line_ns(void);

/* Of TOOL_LECTURE. */
extern bool tool_lecture;

#endif
