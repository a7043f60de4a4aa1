/* study_out.c - what comes out of a study: the table of its text and of LaTeX, the paired differences, the figure.
 *
 * All strategies of a group run with the same seeds, and so with the same tasks: the difference of two of them is taken seed by seed, and
 * its mean tested against 0 (Student's t).  Of several tests Holm's p is the probability that any of the smaller ones is by chance
 * (Scandinavian Journal of Statistics 6(2):65-70, 1979). */
#include "study.h"

/* Pixels of a panel, and of what is below all. */
enum { PANEL_WIDTH = 480, PANEL_HEIGHT = 340, BELOW = 40 };

/* A cell beside the one that its group is compared with. */
struct compared {
	const struct cell *cell, *against;	/* the same: there is nothing to compare */
	struct student own, paired;
	double base;				/* mean of `against` */
	double holm;
};

FILE *study_open(const struct study *s, const char *ending)
{
	const char *name = tool_held_string("%s%s.new", s->base, ending);
	FILE *file = fopen(name, "w");

	if (!file)
		tool_die(TOOL_USAGE, "--study \"%s\": \"%s\": %s", s->file, name, strerror(errno));
	return file;
}

void study_close(const struct study *s, const char *ending, FILE *file)
{
	const char *name = tool_held_string("%s%s", s->base, ending), *new = tool_held_string("%s.new", name);

	if ((ferror(file) | fclose(file)) || rename(new, name))
		tool_die(TOOL_CHECK_FAILED, "--study \"%s\": \"%s\": %s", s->file, name, strerror(errno));
}

static struct compared compare(const struct study *s, size_t i)
{
	struct compared c = { .cell = &s->cell[i], .against = &s->cell[i - i % s->strategies + s->against], .holm = NAN };
	size_t n = c.cell->seeds < c.against->seeds ? c.cell->seeds : c.against->seeds;
	double *difference = tool_held(calloc(n + 1, sizeof(*difference)));

	for (size_t k = 0; k < n; k++)
		difference[k] = c.cell->value[k] - c.against->value[k];
	c.own = student(c.cell->value, c.cell->seeds);
	c.paired = student(difference, n);
	c.base = student(c.against->value, c.against->seeds).mean;
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

/* The net, and the platform before it. */
static const char *net_name(const struct cell *c)
{
	return tool_held_string("%s%s%s", c->platform ? c->platform : "", c->platform && c->net ? ", " : "", c->net ? c->net : c->platform ? "" : "-");
}

static const char *load_name(const struct cell *c)
{
	return c->load ? c->load : sim.load;
}

/* Why there is no interval. */
static const char *note(const struct student *s, size_t seeds)
{
	return seeds < 2 ? "one seed" : s->same ? "deterministic" : "";
}

static void write_differences(const struct study *s, const struct compared *c)
{
	static const char *const column[] = { "load", "net", "strategy", "against", "measure", "seeds", "mean", "mean_low95", "mean_high95",
					      "mean_note", "difference", "low95", "high95", "percent", "t", "p", "p_holm", "note", NULL };
	FILE *out = study_open(s, ".differences.csv");
	struct tool_table table = { .out = out, .format = TOOL_CSV, .column = column };

	tool_table_begin(&table);
	for (size_t i = 0; i < s->cells; i++) {
		const struct student *own = &c[i].own, *d = &c[i].paired;
		bool self = c[i].cell == c[i].against;
		const char *own_note = note(own, c[i].cell->seeds), *d_note = note(d, c[i].cell->seeds);

		tool_text(&table, load_name(c[i].cell));
		tool_text(&table, net_name(c[i].cell));
		tool_text(&table, c[i].cell->strategy);
		tool_text(&table, self ? "" : c[i].against->strategy);
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
		tool_text(&table, self ? "" : d_note);
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

static void print_table(const struct study *s, const struct compared *c)
{
	const char *measure = tool_held_string("%s, 95 %%", s->measure), *against = tool_held_string("- %s", s->cell[s->against].strategy);
	const char *const column[] = { "load", "net", "strategy", measure, against, "p", "p (Holm)", NULL };
	static const int width[] = { -12, -14, -16, -24, -24, 9, 9 };
	struct tool_table table = { .out = stdout, .format = TOOL_TEXT, .column = column, .width = width };

	putchar('\n');
	tool_table_begin(&table);
	for (size_t i = 0; i < s->cells; i++) {
		bool self = c[i].cell == c[i].against;

		tool_text(&table, load_name(c[i].cell));
		tool_text(&table, net_name(c[i].cell));
		tool_text(&table, c[i].cell->strategy);
		tool_text(&table, mean_text(&c[i].own, c[i].cell->seeds));
		tool_text(&table, self ? "-" : mean_text(&c[i].paired, c[i].cell->seeds));
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

	fprintf(out, "%% libdls %s: %s\n\\begin{tabular}{lllrrrr}\n\\hline\nload & net & strategy & ", dls_version(), tool_command());
	put_tex(out, s->measure);
	fputs(" & $-$ ", out);
	put_tex(out, s->cell[s->against].strategy);
	fputs(" & $p$ & $p$ (Holm) \\\\\n", out);
	for (size_t i = 0; i < s->cells; i++) {
		bool self = c[i].cell == c[i].against, first = i % s->strategies == 0;

		fputs(first ? "\\hline\n" : "", out);
		put_tex(out, first ? load_name(c[i].cell) : "");
		fputs(" & ", out);
		put_tex(out, first ? net_name(c[i].cell) : "");
		fputs(" & ", out);
		put_tex(out, c[i].cell->strategy);
		put_tex_mean(out, &c[i].own, c[i].cell->seeds);
		if (self) {
			fputs(" & & & \\\\\n", out);
		} else {
			put_tex_mean(out, &c[i].paired, c[i].cell->seeds);
			put_tex_p(out, c[i].paired.p);
			put_tex_p(out, c[i].holm);
			fputs(" \\\\\n", out);
		}
		same |= c[i].cell->seeds > 1 && (c[i].own.same || (!self && c[i].paired.same));
	}
	fputs("\\hline\n", out);
	fprintf(out, "\\multicolumn{7}{l}{\\footnotesize %zu seed%s, common to all strategies%s.%s} \\\\\n\\end{tabular}\n", s->cell[0].seeds,
		s->cell[0].seeds == 1 ? "" : "s", s->cell[0].seeds == 1 ? "" : "; $\\pm$: 95\\,\\% interval, Student's $t$; $p$: paired",
		same ? " $d$: deterministic, the same for every seed." : "");
	study_close(s, ".tex", out);
}

/* Lowest and highest value of a group, with its intervals and some room. */
static void range_of(const struct compared *c, size_t n, double *low, double *high)
{
	double room;

	*low = INFINITY;
	*high = -INFINITY;
	for (size_t i = 0; i < n; i++) {
		if (isnan(c[i].own.mean))
			continue;
		*low = fmin(*low, c[i].own.mean - c[i].own.half);
		*high = fmax(*high, c[i].own.mean + c[i].own.half);
	}
	if (*low > *high)
		*low = *high = 0;
	room = *high > *low ? .12 * (*high - *low) : *high > 0 || *high < 0 ? .1 * fabs(*high) : 1;
	*low -= room;
	*high += room;
}

/* One panel for each group: a point for each strategy, with the interval of its mean. */
static void put_panel(FILE *out, const struct study *s, const struct compared *c, size_t group)
{
	double low, high;
	size_t bars = 0, points = 0;
	const char *net = net_name(c->cell);
	const char *title = tool_held_string("%s: %s on %s", s->measure, load_name(c->cell), strcmp(net, "-") ? net : "the strategies' nets");

	range_of(c, s->strategies, &low, &high);
	fprintf(out, "$g%zu << EOD\n", group);
	for (size_t i = 0; i < s->strategies; i++) {
		bool none = isnan(c[i].own.mean), bar = !*note(&c[i].own, c[i].cell->seeds);

		if (none)
			continue;
		fprintf(out, "%zu %.9g %.9g %.9g %d\n", i + 1, c[i].own.mean, c[i].own.mean - c[i].own.half, c[i].own.mean + c[i].own.half, bar);
		bars += bar;
		points += !bar;
	}
	fputs("EOD\nset title ", out);
	tool_plot_text(out, title);
	fprintf(out, "\nset yrange [%.9g:%.9g]\nset xtics rotate by -25 (", low, high);
	for (size_t i = 0; i < s->strategies; i++) {
		fputs(i ? ", " : "", out);
		tool_plot_text(out, c[i].cell->strategy);
		fprintf(out, " %zu", i + 1);
	}
	fputc(')', out);
	if (bars)
		fprintf(out, "\nplot $g%zu using ($5 == 1 ? $1 : NaN):2:3:4 with yerrorbars linewidth 1.6 pointtype 7 pointsize .6 linecolor rgb "
			"'#0072b2' notitle", group);
	if (points)
		fprintf(out, "%s $g%zu using ($5 == 0 ? $1 : NaN):2 with points linewidth 1.6 pointtype 6 linecolor rgb '#d55e00' notitle",
			bars ? "," : "\nplot", group);
	if (!bars && !points)	/* no run has such a figure */
		fputs("\nplot NaN notitle", out);
	fputc('\n', out);
}

static size_t values_of(const struct study *s, const char *key)
{
	size_t n = 0;

	for (const struct study_line *l = NULL; (l = study_next(s, key, l)); )
		n++;
	return n ? n : 1;
}

/* Panels beside each other. */
static size_t nets_of(const struct study *s)
{
	return values_of(s, "net") * values_of(s, "platform");
}

static void write_figure(const struct study *s, const struct compared *c)
{
	FILE *out = study_open(s, ".gnuplot");
	size_t groups = s->cells / s->strategies, columns = nets_of(s), seeds = s->cell[0].seeds;
	double width = PANEL_WIDTH * (double)columns, height = PANEL_HEIGHT * (double)(groups / columns) + BELOW;
	double type = tool_plot_type(20) / 20.0;	/* room for letters, by their size */
	bool same = false;
	const char *bars, *from = tool_held_string("libdls %s: %s", dls_version(), tool_command());

	for (size_t i = 0; i < s->cells; i++)
		same |= seeds > 1 && c[i].own.same;
	bars = seeds == 1 ? tool_held_string("one seed") : tool_held_string("bars: 95 %% interval of the mean over %zu seeds%s", seeds,
								  same ? "; circles: deterministic" : "");
	fprintf(out, "# gnuplot -e \"set terminal svg size %zu,%zu noenhanced background 'white' font ',%u'; set output 'FILE.svg'\" THIS, or\n"
		"# gnuplot -e \"set terminal pdfcairo size 16cm,10cm noenhanced; set output 'FILE.pdf'\" THIS\n",
		PANEL_WIDTH * columns, PANEL_HEIGHT * (groups / columns) + BELOW, tool_plot_type(13));
	fprintf(out, "set border 3\nset tics nomirror out\nset grid y linecolor rgb '#d8d8d8' linewidth .6\nset xrange [.5:%zu.5]\nset label 1 ",
		s->strategies);
	tool_plot_text(out, bars);
	fprintf(out, " at screen .01,%.3f font ',%u'\nset label 2 ", 34 / height, tool_plot_type(10));
	tool_plot_text(out, from);
	fprintf(out, " at screen .01,%.3f font ',7'\nset multiplot layout %zu,%zu margins screen %.3f,%.3f,%.3f,%.3f spacing screen %.3f,%.3f\n",
		12 / height, groups / columns, columns, type * 64 / width, 1 - 16 / width, type * 120 / height, 1 - type * 36 / height,
		type * 70 / width, type * 100 / height);
	for (size_t g = 0; g < groups; g++) {
		put_panel(out, s, &c[g * s->strategies], g);
		fputs(g == 0 ? "unset label 1\nunset label 2\n" : "", out);
	}
	fputs("unset multiplot\n", out);
	study_close(s, ".gnuplot", out);
}

/* Draw the figure; returns whether gnuplot did. */
static bool draw(const struct study *s, const char *terminal, const char *ending)
{
	const char *script = tool_held_string("%s.gnuplot", s->base), *name = tool_held_string("%s%s", s->base, ending);
	FILE *plot = popen("gnuplot 2>/dev/null", "w");
	bool drawn;

	remove(name);
	if (plot) {
		fprintf(plot, "set terminal %s\nset output ", terminal);
		tool_plot_text(plot, name);
		fputs("\nload ", plot);
		tool_plot_text(plot, script);
		fputc('\n', plot);
	}
	drawn = plot && pclose(plot) == 0;
	if (!drawn)
		remove(name);
	else if (strcmp(ending, ".svg") == 0)
		tool_plot_dark(name);
	return drawn;
}

static void draw_figure(const struct study *s)
{
	size_t columns = nets_of(s), rows = s->cells / s->strategies / columns;
	const char *svg = tool_held_string("svg size %zu,%zu noenhanced background '#ffffff' font 'sans-serif,%u'", PANEL_WIDTH * columns,
				PANEL_HEIGHT * rows + BELOW, tool_plot_type(13));
	const char *pdf = tool_held_string("pdfcairo size %zucm,%zucm noenhanced font 'sans-serif,%u'", 10 * columns, 7 * rows + 1,
				tool_plot_type(10));	/* much the same */

	if (system("command -v gnuplot >/dev/null 2>&1")) {
		printf("%s.gnuplot  the figure, for gnuplot, which is not installed (package gnuplot-nox)\n", s->base);
	} else {
		printf("%s.gnuplot  the figure, for gnuplot\n", s->base);
		if (draw(s, svg, ".svg"))
			printf("%s.svg  the figure\n", s->base);
		if (draw(s, pdf, ".pdf"))
			printf("%s.pdf  the figure\n", s->base);
		else
			puts("no PDF of it: this gnuplot has no terminal pdfcairo (package gnuplot-nox)");
	}
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
	write_differences(s, c);
	write_tex(s, c);
	write_figure(s, c);
	printf("\n%s.csv  all runs\n%s.manifest  what they are of\n%s.differences.csv  means, paired differences\n%s.tex  the same as a table of "
	       "LaTeX\n", s->base, s->base, s->base, s->base);
	draw_figure(s);
}
