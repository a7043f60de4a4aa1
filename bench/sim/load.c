/* load.c - the tasks of a machine, drawn from a distribution, grown as a tree or read from a file.  Tasks that arrive over time:
 * arrive.c; tasks that wait for others: graph.c.
 *
 * "uniform" is the artificial load of Willebeek-LeMair 1993, section V-A, as in bench/paper/wlr93.c. */
#include <time.h>

#include "bench/tool/random.h"
#include "sim.h"

/* What virtual time holds, s. */
#define SECONDS_MAX 1e9

enum { L_MOST = 49, BLOCKS = 10 };
#define TREE_MOST 10000000u

static uint64_t stream;
static uint64_t l;		/* l_i */

static void uniform_begin(void)
{
	l = random_from_1(&stream, L_MOST);
}

/* Blocks of a task have a mean of (BLOCKS (L_MOST + 1) / 2 + 1) / 2 = 125.5. */
static double uniform_time(unsigned p, unsigned P)
{
	(void)p, (void)P;
	return (double)random_from_1(&stream, BLOCKS * l) * (sim.grain / 125.5);
}

static double exponential_time(unsigned p, unsigned P)
{
	(void)p, (void)P;
	return -log(random_positive(&stream)) * sim.grain;
}

static double bimodal_time(unsigned p, unsigned P)
{
	unsigned slow = P / 2;
	double small = sim.grain * P / (P + 9.0 * slow);

	return p < slow ? 10 * small : small;
}

/* A tree of tasks that spawn others: its shape, and how many there are. */
static struct {
	uint64_t branch, depth, tasks;
} tree;

/* Lines of a file: a processor and a time. */
static struct {
	double (*line)[2];
	size_t lines;
} file;

static const struct kind {
	const char *name;
	void (*begin)(void);	/* of each processor; NULL: none */
	double (*time)(unsigned p, unsigned P);
	bool one;		/* all tasks are on processor 0 */
} kinds[] = {
	{ "uniform", uniform_begin, uniform_time, false }, { "spike", uniform_begin, uniform_time, true },
	{ "bimodal", NULL, bimodal_time, false }, { "exp", NULL, exponential_time, false }, { NULL, NULL, NULL, false },
};

static const struct kind *kind(void)
{
	const struct kind *k = kinds;

	while (k->name && strcmp(k->name, sim.load))
		k++;
	return k;
}

static bool is_tree(void)
{
	return strncmp(sim.load, "tree", 4) == 0 && (!sim.load[4] || sim.load[4] == ',');
}

/* "tree,branch=4,depth=6". */
static void read_tree(void)
{
	const struct {
		const char *key;
		uint64_t *value, max;
	} part[] = { { "branch=", &tree.branch, 1000 }, { "depth=", &tree.depth, 10000 } };
	const char *at = sim.load + 4;
	uint64_t level = 1;

	tree.branch = 4;
	tree.depth = 6;
	while (*at) {
		size_t length = strcspn(++at, ","), k = 0;

		while (k < 2 && strncmp(at, part[k].key, strlen(part[k].key)) != 0)
			k++;
		if (k == 2 || !tool_is_whole(at + strlen(part[k].key), length - strlen(part[k].key), part[k].value) ||
		    !*part[k].value || *part[k].value > part[k].max)
			tool_die(TOOL_USAGE, "--load \"%s\": \"%.*s\" is not branch=1 to 1000 or depth=1 to 10000", sim.load,
				 (int)length, at);
		at += length;
	}
	tree.tasks = 1;
	for (uint64_t d = 0; d < tree.depth; d++) {
		level *= tree.branch;
		tree.tasks += level;
		if (tree.tasks > TREE_MOST)
			tool_die(TOOL_USAGE, "--load \"%s\": more than %u tasks", sim.load, TREE_MOST);
	}
}

void load_read(void)
{
	static const struct tool_field line[] = {
		{ "processor", 0, DLS_PROCESSORS_MAX - 1, true }, { "time in seconds", 0, SECONDS_MAX, false }
	};
	double *values;

	if (is_tree()) {
		read_tree();
	} else if (graph_is()) {
		graph_read();
	} else if (arrive_is()) {
		arrive_read();
	} else if (!kind()->name) {
		file.lines = tool_read_file("--load", sim.load, "uniform, spike, bimodal, exp, tree, poisson, trace=FILE or graph=FILE", line, 2, &values);
		file.line = (double (*)[2])values;
	}
}

void load_check(unsigned P)
{
	arrive_check(P);
	for (size_t i = 0; i < file.lines; i++)
		if (file.line[i][0] >= P)
			tool_die(TOOL_USAGE, "--load \"%s\", line %zu: there is no processor %.0f, only 0 to %u", sim.load,
				 i + 1, file.line[i][0], P - 1);
}

bool load_drawn(void)
{
	return kind()->name || arrive_drawn();
}

bool load_of_file(void)
{
	return !load_drawn() && !is_tree();
}

/* A task in real time: it spends processor time and looks for messages now and then. */
static int spend(struct dls_vp *vp, struct dls_task *task, void *context)
{
	struct timespec begin, now;
	uint64_t spent;

	(void)context;
	if (sim.spend) {
		dls_vp_spend(vp, task->cost);
		return 0;
	}
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		for (volatile unsigned i = 0; i < 1000; i++)
			;
		dls_vp_poll(vp);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
		spent = (uint64_t)(now.tv_sec - begin.tv_sec) * 1000000000 + (uint64_t)now.tv_nsec - (uint64_t)begin.tv_nsec;
	} while (spent < task->cost);
	return 0;
}

static int grow(struct dls_vp *vp, struct dls_task *task, void *context);

/* Types kept by size: those of a file are few. */
enum { TYPES_MOST = 1000 };
static struct dls_task_type types[TYPES_MOST], of_tree = { .size = sizeof(of_tree), .name = "task", .run = grow };
static size_t types_n;

const struct dls_task_type *load_type(uint64_t bytes)
{
	static size_t last;

	if (last < types_n && types[last].bytes == bytes)
		return &types[last];
	for (last = 0; last < types_n; last++)
		if (types[last].bytes == bytes)
			return &types[last];
	if (types_n == TYPES_MOST)
		tool_die(TOOL_USAGE, "--load \"%s\": tasks of more than %d different sizes in bytes", sim.load, TYPES_MOST);
	types[types_n] = (struct dls_task_type){ .size = sizeof(*types), .name = "task", .run = sim.threads ? spend : NULL,
						 .bytes = (uint32_t)bytes };
	return &types[types_n++];
}

void load_put(struct dls_machine *machine, unsigned processor, const struct dls_task *task, uint64_t at)
{
	int code = dls_machine_add_at(machine, processor, task, at);

	if (code)
		tool_die(TOOL_CHECK_FAILED, "%s", dls_strerror(code));
}

unsigned load_types(const struct dls_task_type *const **type)
{
	static const struct dls_task_type *list[2];

	list[0] = load_type(sim.bytes);
	list[1] = &of_tree;
	*type = list;
	return sizeof(list) / sizeof(*list);
}

/* A node of the tree: its depth, and a number from which its time and its children's numbers are drawn, wherever they run. */
static struct dls_task node(uint64_t depth, uint64_t number)
{
	uint64_t random = number;

	return (struct dls_task){ .type = &of_tree, .arg = { depth, number },
				  .cost = (uint64_t)llround(-log(random_positive(&random)) * sim.grain * 1e9) };
}

static uint64_t child_number(uint64_t number, uint64_t i)
{
	uint64_t state = number ^ (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	return random_next(&state);
}

static int grow(struct dls_vp *vp, struct dls_task *task, void *context)
{
	int code = sim.threads ? spend(vp, task, context) : 0;

	for (uint64_t i = 0; i < tree.branch && task->arg[0] < tree.depth && !code; i++) {
		struct dls_task child = node(task->arg[0] + 1, child_number(task->arg[1], i));

		code = dls_vp_spawn(vp, &child);
	}
	return code;
}

/* Add a task; returns its time. */
static double add(struct dls_machine *machine, unsigned processor, double seconds)
{
	struct dls_task task = { .type = load_type(sim.bytes), .cost = (uint64_t)llround(seconds * 1e9) };

	load_put(machine, processor, &task, 0);
	return (double)task.cost;
}

static double longer(double *longest, double time)
{
	*longest = fmax(*longest, time);
	return time;
}

/* Add the tasks; has[p] grows by what processor p gets, ns. */
static uint64_t add_drawn(struct dls_machine *machine, unsigned P, double *has, double *longest)
{
	const struct kind *k = kind();

	stream = sim.seed;
	for (unsigned p = 0; p < P; p++) {
		unsigned at = k->one ? 0 : p;

		if (k->begin)
			k->begin();
		for (uint64_t i = 0; i < sim.tasks; i++)
			has[at] += longer(longest, add(machine, at, k->time(p, P)));
	}
	return sim.tasks * P;
}

static uint64_t add_lines(struct dls_machine *machine, double *has, double *longest)
{
	for (size_t i = 0; i < file.lines; i++) {
		unsigned p = (unsigned)file.line[i][0];

		has[p] += longer(longest, add(machine, p, file.line[i][1]));
	}
	return file.lines;
}

static double walk(uint64_t depth, uint64_t number, double *longest)
{
	double sum = longer(longest, (double)node(depth, number).cost);

	for (uint64_t i = 0; i < tree.branch && depth < tree.depth; i++)
		sum += walk(depth + 1, child_number(number, i), longest);
	return sum;
}

/* The root, on processor 0; has[0] grows by the whole tree, which would run there without balancing. */
static uint64_t add_tree(struct dls_machine *machine, double *has, double *longest)
{
	struct dls_task root = node(0, sim.seed);

	of_tree.bytes = (uint32_t)sim.bytes;
	load_put(machine, 0, &root, 0);
	has[0] += walk(0, sim.seed, longest);
	return tree.tasks;
}

static struct load add_now(struct dls_machine *machine, const double *speed)
{
	unsigned P = dls_machine_net(machine)->processors;
	double *has = tool_need(calloc(P, sizeof(*has)));
	double speeds = 0, longest = 0;
	struct load load = { .tasks = is_tree() ? add_tree(machine, has, &longest) :
				      kind()->name ? add_drawn(machine, P, has, &longest) : add_lines(machine, has, &longest) };

	for (unsigned p = 0; p < P; p++) {
		double seconds = 1e-9 * has[p], own = speed ? speed[p] : 1;

		load.work += seconds;
		load.t_nobal = fmax(load.t_nobal, seconds / own);
		speeds += own;
	}
	load.t_opt = load.work / speeds;
	load.longest = 1e-9 * longest;
	free(has);
	return load;
}

struct load load_add(struct dls_machine *machine, const double *speed)
{
	if (graph_is())
		return graph_add(machine, speed);
	if (arrive_is())
		return arrive_add(machine, speed);
	return add_now(machine, speed);
}
