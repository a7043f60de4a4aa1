/* fork_locks.c - a program that forks while its threads make sites and register things, and calls little else of the library.
 *
 * A program that is linked with libdls.a has the objects that it calls alone.  An alarm ends children that hang.
 *
 * Fails if: a static lock that a thread of the parent held stays locked in the child, since what brings its handlers around fork() is not
 * linked with it.
 *
 * runs: shared */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "child.h"
#include "deal.h"
#ifndef DLS__LOOPS_ALONE
#include "dls/load.h"
#include "dls/net.h"
#endif

enum { THREADS = 3, CHILDREN = 40 };

static atomic_bool enough;

static void take_sites(unsigned i)
{
	struct dls_site *site;
	char name[40];

	snprintf(name, sizeof(name), "a site made while others fork %u", i % 300);
	if (dls_site_named(&site, name) == 0)
		dls_site_set_schedule(site, i % 2 ? "static" : "gss");
}

static void take_calculators(unsigned i)
{
	static const struct dls_calc calc = { .size = sizeof(calc), .name = "of-a-fork", .init = deal_init, .next = deal_ones };

	(void)i;
	dls_calc_register(&calc);
}

#ifndef DLS__LOOPS_ALONE
static int no_form(struct dls_net *net, const char *arg) { return DLS_EINVAL; }
static int no_text(const struct dls_net *net, char *text, size_t size) { return 0; }
static unsigned of_one(const struct dls_net *net, unsigned p) { return 0; }
static unsigned of_two(const struct dls_net *net, unsigned p, unsigned q) { return 0; }
static unsigned of_net(const struct dls_net *net) { return 0; }
static int fill(struct dls_machine *machine, const struct dls_load_desc *desc) { return 0; }

static void take_nets_and_loads(unsigned i)
{
	static const struct dls_net_kind kind = { sizeof(kind), "of-a-fork", "of-a-fork", no_form, no_text, of_one, of_two, of_two, of_net, NULL };
	static const struct dls_load load = { sizeof(load), "of-a-fork", "of-a-fork", NULL, fill };

	(void)i;
	dls_net_register(&kind);
	dls_load_register(&load);
}
#else
#define take_nets_and_loads take_calculators
#endif

static void (*const take[THREADS])(unsigned) = { take_sites, take_calculators, take_nets_and_loads };

static void *keep_taking(void *arg)
{
	for (unsigned i = 0; !atomic_load(&enough); i++)
		(*(void (*const *)(unsigned))arg)(i);
	return NULL;
}

static int take_each(const void *arg)
{
	for (int i = 0; i < THREADS; i++)
		take[i](1);
	return 0;
}

static void locks(void)
{
	pthread_t thread[THREADS];

	if (tap_skip_if(TAP_ADDRESS_SANITIZER || TAP_THREAD_SANITIZER, "a lock of the sanitizer's may be held for ever in a forked child") ||
	    tap_skip_if(TAP_EMULATED, "qemu-user may abort a forked child of a program with threads"))
		return;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, keep_taking, (void *)&take[i]);
	for (int k = 0; k < CHILDREN && tap_failures == 0; k++) {
		sched_yield();
		CHECK_EQ(child_exit(child_status(take_each, NULL)), 0);
	}
	atomic_store(&enough, true);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

TEST_MAIN(T(locks))
