/* model.c - dls-overhead --model: P threads draw tickets from a counter whose line one has, in virtual time.
 *
 * The thread that has the line draws at once; any other asks for it and waits.
 * L1: the line goes to those who ask in the order in which they have asked, and takes one transfer.
 * L2: a request that finds the line at rest moves it at once; a request that finds it on its way to another
 *     thread is taken up one transfer after it has come there.
 * A transfer takes from half to one and a half of its mean.  The mean is half of tool_line_ns(): there each
 * hop moves the line twice, to the thread that reads it and to the thread that writes it.
 * A body that needs its index begins when its ticket is drawn.  A body that needs none is run ahead while the
 * processor waits for the line, for at most REACH.
 * L2 is fitted to times measured with two threads, and has no other source: dls_trust(7) has both. */
#include "overhead.h"

enum { CHUNKS = 40000, PS = 1000 };	/* of a run; in a ns: times are whole ps */

struct thread {
	uint64_t at;		/* when it draws or asks next; if it waits: when it has asked */
	uint64_t ahead;		/* work that is done before its ticket is drawn */
	bool waits;
};

struct figures {
	double ns, changes;	/* a chunk and thread; of thread, in 100 chunks */
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t varied(uint64_t transfer, uint64_t *chance)
{
	*chance = *chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return transfer / 2 + (transfer * (*chance >> 44) >> 20);
}

/* The first of the threads that wait, or of those that do not; NULL: there is none. */
static struct thread *first(struct thread *thread, unsigned P, bool waits)
{
	struct thread *found = NULL;

	for (struct thread *t = thread; t < thread + P; t++)
		if (t->waits == waits && (!found || t->at < found->at))
			found = t;
	return found;
}

static struct figures simulated(unsigned P, uint64_t body, uint64_t transfer, uint64_t reach)
{
	struct thread *thread = tool_need(calloc(P, sizeof(*thread))), *owner = thread, *last = thread;
	/* When the line comes to its owner; when it leaves again, for a thread that asked before it came. */
	uint64_t come = 0, again = 0;
	uint64_t now = 0, changes = 0, chance = 1;

	for (unsigned chunks = 0; chunks < CHUNKS;) {
		struct thread *next = first(thread, P, false), *asks = first(thread, P, true);
		uint64_t leaves = !asks ? UINT64_MAX : asks->at < come ? again : asks->at;

		if (!next || leaves < next->at) {
			come = leaves + varied(transfer, &chance);
			again = come + varied(transfer, &chance);
			owner = asks;
			*owner = (struct thread){ .at = come, .ahead = least(come - asks->at, reach) };
		} else if (next != owner) {
			next->waits = true;
		} else {
			uint64_t done = least(body, owner->ahead);

			now = owner->at;
			owner->ahead -= done;
			owner->at += body - done;
			changes += owner != last;
			last = owner;
			chunks++;
		}
	}
	free(thread);
	return (struct figures){ (double)now * P / CHUNKS / PS, 100.0 * (double)changes / CHUNKS };
}

void overhead_model(const uint64_t *threads, size_t teams, const uint64_t *body, size_t bodies,
		    const char *line)
{
	static const char *const column[] = { "threads", "body_ns", "what", "ns", "changes", NULL };
	static const int width[] = { 7, 8, -8, 9, 8 };
	struct tool_table *table = &overhead.table;
	uint64_t *ns;

	if (tool_counts("--model", line, 0, 1000000, &ns) != 2)
		tool_die(TOOL_USAGE, "--model \"%s\": accepted are two numbers, LINE,REACH in ns", line);
	if (table->format == TOOL_TEXT) {
		tool_print_head();
		puts("a chunk for each iteration, virtual time; ns: a chunk and thread, body included;\n"
		     "changes: in 100 chunks, how often a thread's chunk is not the one after its last");
	}
	table->column = column;
	table->width = width;
	tool_table_begin(table);
	for (size_t k = 0; k < teams * bodies * 2; k++) {
		uint64_t P = threads[k / 2 / bodies], b = body[k / 2 % bodies];
		struct figures f = simulated((unsigned)P, b * PS, ns[0] * PS / 2, k % 2 ? ns[1] * PS : 0);

		tool_whole(table, P);
		tool_whole(table, b);
		tool_text(table, k % 2 ? "no-index" : "index");
		tool_number(table, "%.1f", f.ns);
		tool_number(table, "%.1f", f.changes);
	}
	free(ns);
}
