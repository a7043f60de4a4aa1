/* graph.c - --load graph=FILE: tasks that begin when all their parents have ended.
 *
 * Tasks without parents are on processor 0; every other task is spawned where the last of its parents ends, which takes no
 * message.  The whole file is checked before the first run. */
#include <stdatomic.h>

#include "sim.h"

enum { NODES_MOST = 10000000, PARENTS_MOST = 100000000, SHOWN = 8 };

static struct {
	const char *file;
	size_t room, nodes, edges;		/* nodes: the highest number + 1 */
	uint64_t tasks;
	uint64_t *cost;				/* ns; NO_NODE: there is no such node */
	uint32_t *line, *parents;		/* of each node: its line; how many parents */
	uint32_t (*edge)[2];			/* parent, child */
	size_t *first;				/* where each node's children begin; one more */
	uint32_t *child;
	double work, longest, path;		/* path: the longest way through the graph, s at speed 1 */
	atomic_uint *lacks;			/* parents that have not ended yet */
} graph;

static const uint64_t NO_NODE = UINT64_MAX;

bool graph_is(void)
{
	return strncmp(sim.load, "graph=", 6) == 0;
}

/* Room for a node of this number. */
static void grow(size_t node)
{
	size_t room = graph.room ? graph.room : 1024;

	if (node < graph.room)
		return;
	while (room <= node)
		room *= 2;
	graph.cost = tool_need(realloc(graph.cost, room * sizeof(*graph.cost)));
	graph.line = tool_need(realloc(graph.line, room * sizeof(*graph.line)));
	graph.parents = tool_need(realloc(graph.parents, room * sizeof(*graph.parents)));
	for (size_t i = graph.room; i < room; i++) {
		graph.cost[i] = NO_NODE;
		graph.parents[i] = 0;
	}
	graph.room = room;
}

static _Noreturn void refuse(size_t line, const char *word, size_t n, const char *what)
{
	tool_die(TOOL_USAGE, "--load \"%s\", line %zu, \"%.*s\": %s", sim.load, line, (int)(n < 40 ? n : 40), word, what);
}

/* The next word of a line; returns its length, 0: there is none. */
static size_t next(const char **word, size_t before)
{
	*word += before;
	*word += strspn(*word, " \t");
	return strcspn(*word, " \t\r\n");
}

static uint32_t number(size_t line, const char *word, size_t n, const char *what)
{
	uint64_t value;

	if (!tool_is_whole(word, n, &value) || value >= NODES_MOST)
		refuse(line, word, n, what);
	return (uint32_t)value;
}

static void read_line(const char *at, size_t line)
{
	size_t n = next(&at, 0);
	uint32_t node = number(line, at, n, "not the number of a node, from 0 to 9999999");
	char *end;
	double cost;

	grow(node);
	if (graph.cost[node] != NO_NODE)
		refuse(line, at, n, "the node has a line already");
	n = next(&at, n);
	errno = 0;
	cost = n && strspn(at, "0123456789+-.eE") >= n ? strtod(at, &end) : NAN;
	if (!(cost >= 0 && cost <= 1e9) || end != at + n)
		refuse(line, at, n, "not the node's time, from 0 to 1e+09 seconds");
	graph.cost[node] = (uint64_t)llround(cost * 1e9);
	graph.line[node] = (uint32_t)line;
	graph.nodes = node + (size_t)1 > graph.nodes ? node + (size_t)1 : graph.nodes;
	graph.tasks++;
	while ((n = next(&at, n)) > 0) {
		uint32_t parent = number(line, at, n, "not the number of a parent, from 0 to 9999999");

		if (graph.edges == PARENTS_MOST)
			refuse(line, at, n, "more than 100000000 parents");
		graph.edge = tool_grow(graph.edge, graph.edges, sizeof(*graph.edge));
		graph.edge[graph.edges][0] = parent;
		graph.edge[graph.edges++][1] = node;
		graph.parents[node]++;
	}
}

static void read_lines(void)
{
	struct tool_sum sum;
	struct tool_lines lines = { "--load", sim.load, .in = fopen(graph.file, "r"), .sum = &sum };

	if (!lines.in)
		tool_die(TOOL_USAGE, "--load \"%s\": %s", sim.load, strerror(errno));
	tool_sum_begin(&sum);
	while (tool_line(&lines))
		read_line(lines.text, lines.line);
	if (graph.tasks == 0)
		tool_die(TOOL_USAGE, "--load \"%s\": the file is empty", sim.load);
	fclose(lines.in);
	tool_keep_file(graph.file, tool_sum_end(&sum));
}

/* Sort the edges by parent. */
static void make_children(void)
{
	graph.first = tool_need(calloc(graph.nodes + 1, sizeof(*graph.first)));
	graph.child = tool_need(malloc((graph.edges + 1) * sizeof(*graph.child)));
	for (size_t i = 0; i < graph.edges; i++) {
		uint32_t parent = graph.edge[i][0], node = graph.edge[i][1];

		if (parent >= graph.nodes || graph.cost[parent] == NO_NODE)
			tool_die(TOOL_USAGE, "--load \"%s\", line %u: node %u has the parent %u, which has no line", sim.load,
				 graph.line[node], node, parent);
		graph.first[parent]++;
	}
	for (size_t i = 0, sum = 0; i <= graph.nodes; i++) {
		sum += graph.first[i];
		graph.first[i] = sum;
	}
	for (size_t i = graph.edges; i-- > 0;)
		graph.child[--graph.first[graph.edge[i][0]]] = graph.edge[i][1];
}

/* A node that still lacks parents when all nodes that can run have run is in a cycle, or waits for one. */
static _Noreturn void show_cycle(uint32_t *lacks)
{
	uint32_t *parent = tool_need(malloc(graph.nodes * sizeof(*parent))), at = 0;
	char text[SHOWN * 12 + 20];
	size_t used = 0, shown = 0;

	for (size_t i = 0; i < graph.edges; i++)
		if (lacks[graph.edge[i][0]] && lacks[graph.edge[i][1]])
			parent[at = graph.edge[i][1]] = graph.edge[i][0];
	for (size_t i = 0; i < graph.nodes; i++)
		at = parent[at];
	for (uint32_t node = at; shown++ < SHOWN;) {
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%u <- ", node);
		node = parent[node];
		if (node == at)
			break;
	}
	if (shown <= SHOWN)
		snprintf(text + used, sizeof(text) - used, "%u", at);
	else
		snprintf(text + used, sizeof(text) - used, "...");
	free(parent);
	free(lacks);
	tool_die(TOOL_USAGE, "--load \"%s\", line %u: a cycle: nodes wait for each other: %s", sim.load, graph.line[at], text);
}

/* Kahn, "Topological sorting of large networks", CACM 5(11):558-562, 1962. */
static void order(void)
{
	uint32_t *lacks = tool_need(malloc(graph.nodes * sizeof(*lacks)));
	uint32_t *queue = tool_need(malloc(graph.nodes * sizeof(*queue)));
	double *begin = tool_need(calloc(graph.nodes, sizeof(*begin)));
	size_t head = 0, tail = 0;

	for (size_t i = 0; i < graph.nodes; i++) {
		lacks[i] = graph.parents[i];
		if (graph.cost[i] != NO_NODE && lacks[i] == 0)
			queue[tail++] = (uint32_t)i;
	}
	while (head < tail) {
		uint32_t node = queue[head++];
		double seconds = 1e-9 * (double)graph.cost[node], end = begin[node] + seconds;

		graph.work += seconds;
		graph.longest = fmax(graph.longest, seconds);
		graph.path = fmax(graph.path, end);
		for (size_t i = graph.first[node]; i < graph.first[node + 1]; i++) {
			uint32_t child = graph.child[i];

			begin[child] = fmax(begin[child], end);
			if (--lacks[child] == 0)
				queue[tail++] = child;
		}
	}
	free(queue);
	free(begin);
	if (tail < graph.tasks)
		show_cycle(lacks);
	free(lacks);
}

void graph_read(void)
{
	graph.file = sim.load + 6;
	read_lines();
	make_children();
	order();
	free(graph.edge);
	graph.lacks = tool_need(malloc(graph.nodes * sizeof(*graph.lacks)));
}

static struct dls_task task_of(const struct dls_task_type *type, uint32_t node)
{
	return (struct dls_task){ .type = type, .arg = { node }, .cost = graph.cost[node] };
}

/* Spawn the children that waited for this one alone. */
static int release(struct dls_vp *vp, struct dls_task *task, void *context)
{
	int code = 0;

	(void)context;
	for (size_t i = graph.first[task->arg[0]]; i < graph.first[task->arg[0] + 1] && !code; i++) {
		uint32_t child = graph.child[i];
		struct dls_task next = task_of(task->type, child);

		/* release: publishes what this task did; acquire: the last one sees what the others did. */
		if (atomic_fetch_sub_explicit(&graph.lacks[child], 1, memory_order_acq_rel) == 1)
			code = dls_vp_spawn(vp, &next);
	}
	return code;
}

struct load graph_add(struct dls_machine *machine, const double *speed)
{
	static struct dls_task_type type;
	unsigned P = dls_machine_net(machine)->processors;
	double speeds = 0, fastest = 0;

	type = *load_type(sim.bytes);
	type.done = release;
	for (unsigned p = 0; p < P; p++) {
		speeds += speed ? speed[p] : 1;
		fastest = fmax(fastest, speed ? speed[p] : 1);
	}
	for (size_t i = 0; i < graph.nodes; i++) {
		struct dls_task task = task_of(&type, (uint32_t)i);

		atomic_init(&graph.lacks[i], graph.parents[i]);
		if (task.cost != NO_NODE && graph.parents[i] == 0)
			load_put(machine, 0, &task, 0);
	}
	return (struct load){ .tasks = graph.tasks, .work = graph.work, .longest = graph.longest,
			      .t_opt = fmax(graph.work / speeds, graph.path / fastest),
			      .t_nobal = graph.work / (speed ? speed[0] : 1) };
}
