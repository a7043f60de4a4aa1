/* repart_memory.c - a machine under the strategy repart that is refused memory, from the k-th request of a run on, for each k.
 *
 * The program's own malloc family stands in for the C library's.
 * Fails if: a run without memory crashes, goes on for ever or ends in anything but DLS_ENOMEM, or the run after it does not
 * run all tasks. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "dls.h"
#include "tap.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZER_OWNS_MALLOC 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZER_OWNS_MALLOC 1
#endif
#endif

#ifdef SANITIZER_OWNS_MALLOC

static void each_request(void)
{
	tap_skip("the sanitizer has the malloc family to itself");
}

#else

extern void *__libc_malloc(size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

enum { P = 5, TASKS = 1500, MOST = 500, HANGS = 60 /* s */ };

static int countdown = -1;	/* requests that still succeed; -1: all */
static unsigned refusals;

static bool refuse(void)
{
	if (countdown < 0 || countdown-- > 0)
		return false;
	countdown = 0;
	refusals++;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return refuse() ? NULL : __libc_malloc(size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return refuse() ? NULL : __libc_memalign(alignment, size);
}

static int run_task(struct dls_vp *vp, struct dls_task *task, void *ran)
{
	(void)vp;
	(void)task;
	++*(uint64_t *)ran;
	return 0;
}

static void add_tasks(struct dls_machine *m, const struct dls_task_type *type)
{
	for (uint64_t k = 0; k < TASKS; k++)
		CHECK_EQ(dls_machine_add(m, (unsigned)(k * k % P), &(struct dls_task){ .type = type, .cost = k % 7 + 1 }), 0);
}

/* False: no request has been refused, there being fewer. */
static bool run_without(const char *strategy, int k)
{
	uint64_t ran = 0;
	struct dls_task_type type = { .name = "task", .run = run_task, .context = &ran };
	struct dls_machine_desc desc = { .strategy = strategy, .processors = P };
	struct dls_machine *m;
	unsigned before = tap_failures;
	int code;

	if (CHECK_EQ(dls_machine_open(&m, &desc, NULL), 0))
		return false;
	add_tasks(m, &type);
	refusals = 0;
	countdown = k;
	code = dls_machine_run(m);
	countdown = -1;
	CHECK_EQ(code, refusals > 0 ? DLS_ENOMEM : 0);
	if (code) {
		ran = 0;
		add_tasks(m, &type);
		CHECK_EQ(dls_machine_run(m), 0);
	}
	CHECK_EQ(ran, TASKS);
	dls_machine_close(m);
	if (tap_failures > before)
		tap_note("%s, request %d", strategy, k);
	return refusals > 0;
}

static void each_request(void)
{
	static const char *const strategy[] = {
		"repart", "repart,scheduler=dedicated,fetch=get", "repart,calc=af,queue=replicated", "repart,queue=central",
		"repart,queue=central,scheduler=dedicated,calc=gss", "repart,queue=central,mode=reactive", "repart,mode=reactive",
	};

	alarm(HANGS);
	for (size_t i = 0; i < sizeof(strategy) / sizeof(*strategy); i++) {
		int k = 0;

		while (k < MOST && tap_failures == 0 && run_without(strategy[i], k))
			k++;
		CHECK(k > P && k < MOST);
		tap_note("%s: %d requests", strategy[i], k);
	}
	alarm(0);
}

#endif

TEST_MAIN(T(each_request))
