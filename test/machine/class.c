/* class.c - classes of tasks on a node: the order of their tasks, and the tasks that they spawn.
 *
 * runs: check, machines, pthreads */
#include "classes.h"

/* Tasks as they should run: of the first class that has one, that of the lowest key, of equal ones the first that came. */
struct model {
	struct entry of[LOG_MOST];
	unsigned n;
};

static struct entry model_next(struct model *m)
{
	struct entry found;
	unsigned best = 0;

	for (unsigned i = 1; i < m->n; i++)
		if (m->of[i].task_class < m->of[best].task_class ||
		    (m->of[i].task_class == m->of[best].task_class && m->of[i].key < m->of[best].key))
			best = i;
	found = m->of[best];
	m->n--;
	memmove(m->of + best, m->of + best + 1, (m->n - best) * sizeof(*m->of));
	return found;
}

/* The c-th child of task k: its class and its key, of class 2 what fifths() says. */
enum { CHILDREN = 2, SPAWNING = 60, ROOTS = 40 };

static struct entry child(uint64_t k, unsigned c)
{
	uint64_t state = k * 4 + c, arg = 1000 + k * CHILDREN + c;
	struct entry e = { .task_class = (unsigned)(tap_random(&state) % 3), .arg = arg };

	e.key = e.task_class == 2 ? (int64_t)(arg % 5) - 2 : (int64_t)(tap_random(&state) % 4) - 2;
	return e;
}

static int64_t fifths(const struct dls_task *task, void *context)
{
	return (int64_t)(task->arg[0] % 5) - 2;
}

static int note_and_spawn(struct dls_vp *vp, struct dls_task *task, void *context)
{
	for (unsigned c = 0; c < CHILDREN && task->arg[0] < SPAWNING; c++) {
		struct entry e = child(task->arg[0], c);

		CHECK_EQ(dls_class_spawn(vp, e.task_class, &(struct dls_task){ .key = e.task_class == 2 ? 77 : e.key,
									      .arg = { e.arg }, .cost = 1000 }), 0);
	}
	CHECK_EACH(DLS_ENOENT, dls_class_spawn(vp, 3, task), dls_class_spawn(vp, UINT32_MAX, task));
	return note(vp, task, context);
}

static void order_of(struct dls_machine *m, uint64_t *seed)
{
	static struct model model[NODES_MOST];
	static const int64_t keys[] = { INT64_MIN, -2, -1, 0, 0, 1, INT64_MAX - 1 };

	for (unsigned i = 0; i < world.nodes; i++) {
		world.seen[i].runs = model[i].n = 0;
		for (unsigned k = 0; k < ROOTS; k++) {
			uint64_t arg = 2 * k;
			struct entry e = { (unsigned)(tap_random(seed) % 3), keys[tap_random(seed) % 7], arg };

			classes_add(m, i, e.task_class, e.key, arg);
			if (e.task_class == 2)
				e.key = (int64_t)(arg % 5) - 2;
			model[i].of[model[i].n++] = e;
		}
	}
	classes_run(m, "order");
	for (unsigned i = 0; i < world.nodes; i++) {
		for (unsigned k = 0; k < world.seen[i].runs && model[i].n > 0; k++) {
			struct entry e = model_next(&model[i]);

			check_entry(&world.seen[i].run[k], e.task_class, e.key, e.arg);
			for (unsigned c = 0; c < CHILDREN && e.arg < SPAWNING; c++)
				model[i].of[model[i].n++] = child(e.arg, c);
		}
		CHECK_EQ(world.seen[i].runs, ROOTS + CHILDREN * (SPAWNING / 2));
		CHECK_EQ(model[i].n, 0);
	}
}

/* Fails if a key is compared as unsigned or truncated, equal ones do not keep their order, a lower class waits for a key,
 * `key` is not asked for added or for spawned tasks, one is spawned into a class that there is not, or a second run finds
 * anything of the first. */
static void order(void)
{
	uint64_t seed = tap_seed();
	struct dls_class_desc classes[] = {
		{ .name = "first", .run = note_and_spawn }, { .name = "second", .policy = "none", .run = note_and_spawn },
		{ .name = "third", .run = note_and_spawn, .key = fifths },
	};

	EACH_MACHINE(m, 1, classes) {
		order_of(m, &seed);
		order_of(m, &seed);
	}
}

/* From the highest key to the lowest, once a task of the other class has run. */
static bool backwards(struct dls_vp *vp, const struct dls_task *task, void *context)
{
	struct seen *s = seen_by(vp, context);

	return s->runs > 0 && task->key == 10 - (int64_t)s->runs;
}

/* Fails if a task runs without `ready` being asked, if a node stops asking at the first task that is not ready, or if it never
 * asks again after a no. */
static void ready(void)
{
	struct dls_class_desc classes[] = {
		{ .name = "waiting", .run = note, .ready = backwards }, { .name = "free", .run = note },
	};

	EACH_MACHINE(m, 1, classes) {
		for (unsigned i = 0; i < world.nodes; i++)
			for (unsigned k = 0; k < 10; k++) {
				classes_add(m, i, 0, k, k);
				if (k < 3)
					classes_add(m, i, 1, k, k);
			}
		classes_run(m, "ready");
		for (unsigned i = 0; i < world.nodes; i++) {
			CHECK_EQ(world.seen[i].runs, 13);
			check_entry(&world.seen[i].run[0], 1, 0, 0);
			for (unsigned k = 0; k < 10; k++)
				check_entry(&world.seen[i].run[1 + k], 0, 9 - k, 9 - k);
			check_entry(&world.seen[i].run[11], 1, 1, 1);
			check_entry(&world.seen[i].run[12], 1, 2, 2);
		}
	}
}

/* In a task of key task->key of class 0, which has the keys 5 and 7; class 1 has 9 and -4, of which none has run yet. */
static int ask_phase(struct dls_vp *vp, struct dls_task *task, void *context)
{
	int64_t key = 99;

	CHECK_EQ(dls_class_phase(vp, 0, &key), 0);
	CHECK_EQ(key, task->key);
	CHECK_EQ(dls_class_phase(vp, 1, &key), 0);
	CHECK_EQ(key, -4);
	key = 99;
	CHECK_EQ(dls_class_phase(vp, 2, &key), DLS_ENODATA);
	CHECK_EACH(DLS_ENOENT, dls_class_phase(vp, 3, &key), dls_class_phase(vp, UINT32_MAX, &key));
	CHECK_EQ(key, 99);
	return note(vp, task, context);
}

/* Fails if the running task is left out, or another class or the highest key is told. */
static void phase(void)
{
	struct dls_class_desc classes[] = {
		{ .name = "asking", .run = ask_phase }, { .name = "there", .run = note }, { .name = "absent", .run = note },
	};

	EACH_MACHINE(m, 1, classes) {
		for (unsigned i = 0; i < world.nodes; i++) {
			classes_add(m, i, 0, 7, 0);
			classes_add(m, i, 0, 5, 0);
			classes_add(m, i, 1, 9, 0);
			classes_add(m, i, 1, -4, 0);
		}
		CHECK_EQ(classes_run(m, "phase").tasks, 4 * world.nodes);
	}
}

/* Fails if tasks that a dedicated scheduler is given stay there, or go to one node. */
static void dealt(void)
{
	struct dls_class_desc classes[] = {
		{ .name = "plain", .run = note }, { .name = "priority", .policy = "priority", .run = note },
	};

	EACH_MACHINE(m, 1, classes) {
		unsigned each = classes_dedicated(world.of) ? 10 / world.nodes : 0, last = world.of->processors - 1;

		for (unsigned k = 0; k < 20; k++)
			classes_add(m, last, k % 2, k, k);
		CHECK_EQ(classes_run(m, "dealt").tasks, 20);
		for (uint64_t k = 0; k < 20; k++)
			CHECK_EQ(times_run(&world, (unsigned)(k % 2), k), 1);
		CHECK(!classes_dedicated(world.of) || world.seen[last].runs == 0);
		for (unsigned i = 0; i < world.nodes; i++) {
			unsigned n = 0;

			for (unsigned k = 0; k < world.seen[i].runs; k++)
				n += world.seen[i].run[k].task_class == 0;
			CHECK(!each || (n >= each && n <= each + 1));
		}
	}
}

TEST_MAIN(T(order) T(ready) T(phase) T(dealt))
