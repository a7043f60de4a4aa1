/* out.c - what comes out of a study: the table of its text and of LaTeX, the paired differences, the figure.
 *
 * All cells of a group run with the same seeds, and so with the same tasks: the difference of two of them is taken seed by seed, and
 * its mean tested against 0 (Student's t).  Of several tests Holm's p is the probability that any of the smaller ones is by chance
 * (Scandinavian Journal of Statistics 6(2):65-70, 1979). */
#include <spawn.h>
#include <sys/wait.h>

#include "bench/tool/svg.h"
#include "study.h"

/* The width of a journal's column, 8.8 cm, in which letters of 12 are of 8 points. */
enum { COLUMN = 374, MARGIN = 6 };

extern char **environ;

/* A cell beside the one that its group is compared with. */
struct compared {
	const struct cell *cell, *against;	/* the same: there is nothing to compare */
	struct student own, paired;
	double base;				/* mean of `against` */
	double holm;
	bool equal;				/* in every run */
};

FILE *study_open(const struct study *s, const char *ending)
{
	const char *name = tool_held_string("%s%s.new", s->base, ending);
	FILE *file = fopen(name, "w");

	if (!file)
		tool_die(TOOL_USAGE, "%s: \"%s\": %s", s->said, name, strerror(errno));
	return file;
}

void study_close(const struct study *s, const char *ending, FILE *file)
{
	const char *name = tool_held_string("%s%s", s->base, ending), *new = tool_held_string("%s.new", name);

	if ((ferror(file) | fclose(file)) || rename(new, name))
		tool_die(TOOL_CHECK_FAILED, "%s: \"%s\": %s", s->said, name, strerror(errno));
}

/* The cell that the group of this one is compared with: if no other is named, the first of the best. */
static const struct cell *against_of(const struct study *s, size_t i)
{
	const struct cell *group = &s->cell[i - i % s->compared], *best = NULL;
	bool most = strncmp(s->measure, "efficiency", 10) == 0 || strcmp(s->measure, "speedup") == 0;
	double good = 0;

	if (s->against != STUDY_BEST)
		return &group[s->against];
	for (size_t k = 0; k < s->compared; k++) {
		double mean = student(group[k].measured, group[k].seeds).mean;

		if (!isnan(mean) && (!best || (most ? mean > good : mean < good))) {
			best = &group[k];
			good = mean;
		}
	}
	return best ? best : group;
}

static struct compared compare(const struct study *s, size_t i)
{
	struct compared c = { .cell = &s->cell[i], .against = against_of(s, i), .holm = NAN };
	size_t n = c.cell->seeds < c.against->seeds ? c.cell->seeds : c.against->seeds;
	double *difference = tool_held(calloc(n + 1, sizeof(*difference)));

	for (size_t k = 0; k < n; k++)
		difference[k] = c.cell->measured[k] - c.against->measured[k];
	c.own = student(c.cell->measured, c.cell->seeds);
	c.paired = student(difference, n);
	c.base = student(c.against->measured, c.against->seeds).mean;
	c.equal = c.cell != c.against && study_equal(s, c.cell, c.against);
	return c;
}

static int by_p(const void *a, const void *b)
{
	double x = (*(struct compared *const *)a)->paired.p, y = (*(struct compared *const *)b)->paired.p;

	return (x > y) - (x < y);
}

static void holm(struct compared *c, size_t n)
{
	struct compared **tested = tool_held(calloc(n + 1, sizeof(struct compared *)));
	double before = 0;
	size_t tests = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(c[i].paired.p))
			tested[tests++] = &c[i];
	qsort(tested, tests, sizeof(*tested), by_p);
	for (size_t i = 0; i < tests; i++)
		before = tested[i]->holm = fmin(1, fmax(before, (double)(tests - i) * tested[i]->paired.p));
}

static const char *group_text(const struct study *s, const struct cell *cell, unsigned which)
{
	return s->kind->group_text(s, cell, which);
}

static const char *against_name(const struct study *s)
{
	return s->against == STUDY_BEST ? "best" : s->cell[s->against].value[0];
}

/* Why there is no interval. */
static const char *note(const struct student *s, size_t seeds)
{
	return seeds < 2 ? "one seed" : s->same ? "deterministic" : "";
}

static void write_differences(const struct study *s, const struct compared *c)
{
	const struct study_kind *kind = s->kind;
	const char *const column[] = { kind->group[0], kind->group[1], kind->list[0], "against", "measure", "seeds", "mean",
				       "mean_low95", "mean_high95", "mean_note", "difference", "low95", "high95", "percent", "t",
				       "p", "p_holm", "note", NULL };
	FILE *out = study_open(s, ".differences.csv");
	struct tool_table table = { .out = out, .format = TOOL_CSV, .column = column };

	tool_table_begin(&table);
	for (size_t i = 0; i < s->cells; i++) {
		const struct student *own = &c[i].own, *d = &c[i].paired;
		bool self = c[i].cell == c[i].against;
		const char *own_note = note(own, c[i].cell->seeds), *d_note = note(d, c[i].cell->seeds);

		tool_text(&table, group_text(s, c[i].cell, 0));
		tool_text(&table, group_text(s, c[i].cell, 1));
		tool_text(&table, c[i].cell->value[0]);
		tool_text(&table, self ? "" : c[i].against->value[0]);
		tool_text(&table, s->measure);
		tool_whole(&table, c[i].cell->seeds);
		tool_number(&table, "%.9g", own->mean);
		tool_number(&table, "%.9g", *own_note ? NAN : own->mean - own->half);
		tool_number(&table, "%.9g", *own_note ? NAN : own->mean + own->half);
		tool_text(&table, own_note);
		tool_number(&table, "%.9g", self ? NAN : d->mean);
		tool_number(&table, "%.9g", self || *d_note ? NAN : d->mean - d->half);
		tool_number(&table, "%.9g", self || *d_note ? NAN : d->mean + d->half);
		tool_number(&table, "%.4f", self ? NAN : 100 * d->mean / c[i].base);
		tool_number(&table, "%.6g", self ? NAN : d->t);
		tool_number(&table, "%.6g", d->p);
		tool_number(&table, "%.6g", c[i].holm);
		tool_text(&table, self ? "" : c[i].equal ? "equal" : d_note);
	}
	tool_table_end(&table);
	free(table.source);
	study_close(s, ".differences.csv", out);
}

/* "12.3 +- 0.4", or "12.3 deterministic". */
static const char *mean_text(const struct student *s, size_t seeds)
{
	const char *why = note(s, seeds);

	return *why ? tool_held_string("%.5g %s", s->mean, why) : tool_held_string("%.5g +- %.2g", s->mean, s->half);
}

static void print_p(struct tool_table *table, double p)
{
	if (isnan(p))
		tool_text(table, "-");
	else
		tool_number(table, "%.2g", p);
}

/* Left aligned columns have negative widths. */
static void widen(int *width, const char *text)
{
	int length = (int)strlen(text);

	*width = length > -*width ? -length : *width;
}

static void print_table(const struct study *s, const struct compared *c)
{
	const char *measure = tool_held_string("%s, 95 %%", s->measure), *against = tool_held_string("- %s", against_name(s));
	const char *const column[] = { s->kind->group[0], s->kind->group[1], s->kind->list[0], measure, against, "p",
				       "p (Holm)", NULL };
	int width[] = { -12, -14, -16, -24, -24, 9, 9 };
	struct tool_table table = { .out = stdout, .format = TOOL_TEXT, .column = column, .width = width };

	for (size_t i = 0; i < s->cells; i++) {
		widen(&width[0], group_text(s, &s->cell[i], 0));
		widen(&width[1], group_text(s, &s->cell[i], 1));
		widen(&width[2], s->cell[i].value[0]);
	}
	putchar('\n');
	tool_table_begin(&table);
	for (size_t i = 0; i < s->cells; i++) {
		bool self = c[i].cell == c[i].against;

		tool_text(&table, group_text(s, c[i].cell, 0));
		tool_text(&table, group_text(s, c[i].cell, 1));
		tool_text(&table, c[i].cell->value[0]);
		tool_text(&table, mean_text(&c[i].own, c[i].cell->seeds));
		tool_text(&table, self ? "-" : c[i].equal ? "equal" : mean_text(&c[i].paired, c[i].cell->seeds));
		print_p(&table, c[i].paired.p);
		print_p(&table, c[i].holm);
	}
	tool_table_end(&table);
}

static void put_tex(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("&%$#_{}", *text))
			fprintf(out, "\\%c", *text);
		else if (*text == '\\')
			fputs("\\textbackslash{}", out);
		else if (*text == '~' || *text == '^')
			fprintf(out, "\\%c{}", *text);
		else
			fputc(*text, out);
	}
}

/* In mathematics: 1.2, 1.2\cdot10^{-7}. */
static void put_tex_number(FILE *out, const char *format, double value)
{
	char text[64], *power;

	snprintf(text, sizeof(text), format, value);
	power = strchr(text, 'e');
	if (power)
		fprintf(out, "%.*s\\cdot10^{%d}", (int)(power - text), text, atoi(power + 1));
	else
		fputs(text, out);
}

static void put_tex_mean(FILE *out, const struct student *s, size_t seeds)
{
	const char *why = note(s, seeds);

	fputs(" & ", out);
	if (isnan(s->mean)) {
		fputs("--", out);
		return;
	}
	fputc('$', out);
	put_tex_number(out, "%.5g", s->mean);
	if (!*why) {
		fputs(" \\pm ", out);
		put_tex_number(out, "%.2g", s->half);
	}
	fputs(*why == 'd' ? "$\\,d" : "$", out);
}

static void put_tex_p(FILE *out, double p)
{
	fputs(" & ", out);
	if (isnan(p))
		return;
	fputc('$', out);
	if (p < .001)
		fputs("<0.001", out);
	else
		put_tex_number(out, "%.2g", p);
	fputc('$', out);
}

static void write_tex(const struct study *s, const struct compared *c)
{
	FILE *out = study_open(s, ".tex");
	bool same = false;

	fprintf(out, "%% libdls %s: %s\n\\begin{tabular}{lllrrrr}\n\\hline\n%s & %s & %s & ", dls_version(),
		tool_command(), s->kind->group[0], s->kind->group[1], s->kind->list[0]);
	put_tex(out, s->measure);
	fputs(" & $-$ ", out);
	put_tex(out, against_name(s));
	fputs(" & $p$ & $p$ (Holm) \\\\\n", out);
	for (size_t i = 0; i < s->cells; i++) {
		bool self = c[i].cell == c[i].against, first = i % s->compared == 0;

		fputs(first ? "\\hline\n" : "", out);
		put_tex(out, first ? group_text(s, c[i].cell, 0) : "");
		fputs(" & ", out);
		put_tex(out, first ? group_text(s, c[i].cell, 1) : "");
		fputs(" & ", out);
		put_tex(out, c[i].cell->value[0]);
		put_tex_mean(out, &c[i].own, c[i].cell->seeds);
		if (self) {
			fputs(" & & & \\\\\n", out);
		} else {
			if (c[i].equal)
				fputs(" & equal", out);
			else
				put_tex_mean(out, &c[i].paired, c[i].cell->seeds);
			put_tex_p(out, c[i].paired.p);
			put_tex_p(out, c[i].holm);
			fputs(" \\\\\n", out);
		}
		same |= c[i].cell->seeds > 1 && (c[i].own.same || (!self && !c[i].equal && c[i].paired.same));
	}
	fputs("\\hline\n", out);
	fprintf(out, "\\multicolumn{7}{l}{\\footnotesize %zu seed%s, common to all%s.%s} \\\\\n\\end{tabular}\n", s->cell[0].seeds,
		s->cell[0].seeds == 1 ? "" : "s", s->cell[0].seeds == 1 ? "" : "; $\\pm$: 95\\,\\% interval, Student's $t$; $p$: paired",
		same ? " $d$: deterministic, the same for every seed." : "");
	study_close(s, ".tex", out);
}

static const char *axis_name(const char *measure)
{
	size_t n = strlen(measure);
	bool seconds = n > 2 && strcmp(measure + n - 2, "_s") == 0;

	return seconds ? tool_held_string("%.*s, s", (int)n - 2, measure) : measure;
}

/* One panel for each group: a point for each strategy, with the interval of its mean. */
static void draw_panel(struct tool_svg *svg, const struct study *s, const struct compared *c)
{
	struct tool_svg_row *row = tool_held(calloc(s->compared, sizeof(*row)));
	size_t n = 0;

	for (size_t i = 0; i < s->compared; i++) {
		const struct student *own = &c[i].own;
		bool sure = !*note(own, c[i].cell->seeds);

		if (!isnan(own->mean))
			row[n++] = (struct tool_svg_row){ .name = c[i].cell->value[0],
							  .value = own->mean,
							  .hollow = !sure,
							  .mark = NAN,
							  .low = sure ? own->mean - own->half : NAN,
							  .high = sure ? own->mean + own->half : NAN };
	}
	svg->bottom = tool_svg_rows(svg->file,
				    &(struct tool_svg_rows){
					    .row = row,
					    .rows = n,
					    .left = MARGIN,
					    .right = svg->width - MARGIN,
					    .points = true,
					    .value = axis_name(s->measure),
					    .title = tool_held_string("%s on %s", group_text(s, c->cell, 0),
								      group_text(s, c->cell, 1)),
				    },
				    svg->bottom + tool_svg_type());
}

static void draw_figure(const struct study *s, const struct compared *c, FILE *out)
{
	size_t seeds = s->cell->seeds;
	struct tool_svg_words note = { .left = MARGIN, .right = COLUMN - MARGIN };
	struct tool_svg svg;
	bool same = false;

	tool_svg_begin(&svg, COLUMN);
	for (size_t i = 0; i < s->cells; i++)
		same |= seeds > 1 && c[i].own.same;
	for (size_t i = 0; i < s->cells; i += s->compared)
		draw_panel(&svg, s, &c[i]);
	note.file = svg.file;
	note.y = svg.bottom + 1.5 * tool_svg_type();
	tool_svg_text(&note, seeds == 1
				     ? "one seed"
				     : tool_held_string("Bars: 95 %% interval of the mean over %zu seeds%s.",
							seeds, same ? "; circles: deterministic" : ""));
	svg.bottom = note.y - tool_svg_type();
	tool_svg_end(&svg, out, "8.8cm", "", "");
}

/* Returns whether rsvg-convert has made it. */
static bool make_pdf(const char *svg, const char *pdf)
{
	char *const command[] = { "rsvg-convert", "-f", "pdf", "-o", (char *)pdf, (char *)svg, NULL };
	int status = 1;
	pid_t child;

	remove(pdf);
	return posix_spawnp(&child, *command, NULL, NULL, command, environ) == 0 &&
	       waitpid(child, &status, 0) == child && status == 0;
}

static void write_figure(const struct study *s, const struct compared *c)
{
	const char *svg = tool_held_string("%s.svg", s->base), *pdf = tool_held_string("%s.pdf", s->base);
	FILE *out = study_open(s, ".svg");

	draw_figure(s, c, out);
	study_close(s, ".svg", out);
	printf("%s  the figure\n", svg);
	if (make_pdf(svg, pdf))
		printf("%s  the figure\n", pdf);
	else
		puts("no PDF of it: rsvg-convert is not installed (package librsvg2-bin)");
}

void study_show(const struct study *s)
{
	struct compared *c = tool_held(calloc(s->cells + 1, sizeof(*c)));

	for (size_t i = 0; i < s->cells; i++) {
		c[i] = compare(s, i);
		if (c[i].cell == c[i].against)
			c[i].paired.p = NAN;
	}
	holm(c, s->cells);
	print_table(s, c);
	study_tell_equal(s);
	write_differences(s, c);
	write_tex(s, c);
	printf("\n%s.csv  all runs\n%s.manifest  what they are of\n%s.differences.csv  means, paired differences\n%s.tex  the same as a table of "
	       "LaTeX\n", s->base, s->base, s->base, s->base);
	write_figure(s, c);
}
