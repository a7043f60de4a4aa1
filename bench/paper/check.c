/* check.c - whether rows and figures are as before.
 *
 * For an experiment before.h has 24 bits of a hash of each row as CSV prints it, and of each figure outside
 * the table that the paper does not have, with seven digits; the experiment's counts of the ledger; and a
 * hash of the columns' names and the figures' classes. */
#include "bench/paper/paper.h"

enum { DIGITS = PAPER_DIGITS };

/* Of this run: hashes of the rows and of figures that the paper does not have; a hash of the classes. */
static char *hashes, classes[DIGITS + 1];
static const struct paper_recorded *before;
static size_t recorded, changed;
static bool own_seeds;		/* this run has the seeds that before.h is of */
static bool same_classes;

static bool as_before(size_t k)
{
	return k < strlen(before->hashes) / DIGITS && memcmp(before->hashes + k * DIGITS, hashes + k * DIGITS, DIGITS) == 0;
}

static void print_hash(char to[DIGITS + 1], uint32_t hash)
{
	snprintf(to, DIGITS + 1, "%06x", (unsigned)(hash >> 8 ^ (hash & 0xff)));
}

static void add_hash(uint32_t hash)
{
	print_hash(hashes + DIGITS * recorded++, hash);
}

static void hash_classes(const struct paper_experiment *e)
{
	uint32_t hash = PAPER_HASH;
	char text[PAPER_TEXT];

	for (const struct paper_column *c = e->column; c->name; c++)
		for (int theirs = c->kind != PAPER_ALONE; theirs >= 0; theirs--) {
			paper_column_name(c, theirs, text);
			hash = paper_hash(paper_hash(hash, text), " ");
		}
	for (size_t k = 0; paper_line(k); k++)
		hash = paper_hash(paper_hash(hash, paper_line(k)->what), paper_class_name(paper_line(k)));
	print_hash(classes, hash);
	same_classes = strcmp(classes, before->classes) == 0 &&
		       memcmp(&paper_ledger, &before->ledger, sizeof(paper_ledger)) == 0;
}

void paper_compare(const struct paper_experiment *e)
{
	size_t lines = 0;

	while (paper_line(lines))
		lines++;
	before = paper_recorded(e);
	hashes = tool_held(calloc(paper_rows.rows + lines + 1, DIGITS));
	for (size_t r = 0; r < paper_rows.rows; r++)
		add_hash(paper_row_hash(r));
	for (size_t k = 0; k < lines; k++) {
		struct paper_line *l = paper_line(k);
		char text[32];

		if (l->kind != PAPER_ALONE)
			continue;
		snprintf(text, sizeof(text), "%.7g", l->ours);
		l->k = recorded;
		add_hash(paper_hash(PAPER_HASH, text));
	}
	hash_classes(e);
	own_seeds = paper.first == e->first && paper.seeds == (size_t)(e->last - e->first + 1);
	if (!own_seeds)
		return;
	changed = !same_classes + (strlen(before->hashes) / DIGITS > recorded ? strlen(before->hashes) / DIGITS - recorded : 0);
	for (size_t k = 0; k < recorded; k++)
		changed += !as_before(k);
}

const char *paper_regression(const struct paper_line *l)
{
	if (!own_seeds || (!l->column && l->kind != PAPER_ALONE))
		return "";
	return as_before(l->k) ? "as before" : "changed";
}

size_t paper_changed(void)
{
	return changed;
}

void paper_print_changed(void)
{
	if (!own_seeds)
		puts("Whether all is as before is not known of these seeds.");
	else if (changed > 0)
		printf("%zu rows and figures have changed.\n", changed);
	else
		puts("All rows and figures are as before.");
}

static void complain(const struct paper_experiment *e, const char *what)
{
	fprintf(stderr, "%s: %s: %s: has changed\n", tool_name, e->name, what);
}

int paper_check(const struct paper_experiment *e)
{
	char what[192];

	fflush(stdout);
	for (size_t r = 0; r < paper_rows.rows && changed > 0; r++)
		if (!as_before(r)) {
			paper_label(r, what, sizeof(what));
			complain(e, what);
		}
	for (size_t k = 0; paper_line(k); k++)
		if (!paper_line(k)->column && strcmp(paper_regression(paper_line(k)), "changed") == 0) {
			snprintf(what, sizeof(what), "%s: %.5g", paper_line(k)->what, paper_line(k)->ours);
			complain(e, what);
		}
	if (own_seeds && !same_classes)
		complain(e, "the class of a figure, a count of the ledger, or a column");
	if (changed > 0)
		tool_die(TOOL_CHECK_FAILED, "%s: %zu rows and figures have changed", e->name, changed);
	return TOOL_DONE;
}

static void print_counts(void)
{
	unsigned accounts = PAPER_ACCOUNTS;

	while (accounts > 0 && !memcmp(paper_ledger.account[accounts - 1], (unsigned[PAPER_CLASSES]){ 0 }, sizeof(paper_ledger.account[0])))
		accounts--;
	fputs("{ {", stdout);
	for (unsigned a = 0; a < accounts; a++) {
		const unsigned *n = paper_ledger.account[a];

		printf("%s{ %u, %u, %u, %u, %u }", a ? ", " : " ", n[0], n[1], n[2], n[3], n[4]);
	}
	fputs(accounts ? " } }" : " { 0 } } }", stdout);
}

void paper_print_record(const struct paper_experiment *e)
{
	enum { COLUMNS_OF_LINE = 128 };
	int column = COLUMNS_OF_LINE;

	printf("BEFORE(\"%s\", ", e->name);
	print_counts();
	printf(", \"%s\", \"", classes);
	for (size_t k = 0; k < recorded; k++) {
		if (column + DIGITS > COLUMNS_OF_LINE)
			column = printf("\"\n\t\"") + 5;	/* with the tab */
		column += printf("%.*s", DIGITS, hashes + k * DIGITS);
	}
	puts("\")");
}
