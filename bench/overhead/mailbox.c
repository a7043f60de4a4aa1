/* mailbox.c - dls-overhead for machines: the time of a message from thread to thread, beside that of a cache line.
 *
 * No public header offers it: only strategies send messages. */
#include <pthread.h>

#include "lib/machine/mailbox.h"
#include "overhead.h"

enum { MESSAGES = 64, ROUNDS = 20000 };	/* at a time; messages that each side gets in a repetition */

static struct {
	_Alignas(128) struct dls__mailbox box;
} side[2];

static struct {
	_Alignas(128) struct dls__msg msg;
} message[MESSAGES];

static atomic_bool there;	/* side 1 */

/* Send each message back to the other side, but for the last `keep`. */
static void serve(unsigned me, unsigned keep)
{
	struct dls__mailbox *own = &side[me].box, *other = &side[!me].box;

	for (unsigned come = 0; come < ROUNDS;) {
		if (dls__mailbox_empty(own))
			continue;
		for (struct dls__msg *m = dls__mailbox_drain(own), *next; m; m = next) {
			next = m->next;
			m->seen.word[0]++;
			if (++come <= ROUNDS - keep)
				dls__mailbox_post(other, m);
		}
	}
}

static void *pong(void *unused)
{
	tool_pin(true);
	atomic_store_explicit(&there, true, memory_order_relaxed);	/* relaxed: nothing rides on it */
	serve(1, 0);
	return unused;
}

struct run {
	unsigned n;		/* messages that go to and fro */
	double seconds;		/* NaN: no thread could be started */
};

static void *ping(void *arg)
{
	struct run *run = arg;
	double start;
	pthread_t other;

	atomic_store_explicit(&there, false, memory_order_relaxed);	/* relaxed: there is no other thread yet */
	if (pthread_create(&other, NULL, pong, NULL))
		return NULL;
	tool_pin(false);	/* after the other thread has inherited the whole set */
	while (!atomic_load_explicit(&there, memory_order_relaxed))
		;
	start = tool_now();
	for (unsigned i = 0; i < run->n; i++)
		dls__mailbox_post(&side[1].box, &message[i].msg);
	serve(0, run->n);
	run->seconds = tool_now() - start;
	pthread_join(other, NULL);
	return NULL;
}

/* ns for each message that one side gets. */
static double exchange(unsigned n)
{
	struct run run = { n, NAN };
	pthread_t thread;
	int64_t handled = 0;

	for (unsigned i = 0; i < 2; i++)
		if (dls__mailbox_open(&side[i].box))
			tool_die(TOOL_CHECK_FAILED, "out of memory");
	if (pthread_create(&thread, NULL, ping, &run) == 0)	/* the caller stays free to run anywhere */
		pthread_join(thread, NULL);
	if (isnan(run.seconds))
		tool_die(TOOL_CHECK_FAILED, "cannot start a thread");
	for (unsigned i = 0; i < n; i++) {
		handled += message[i].msg.seen.word[0];
		message[i].msg.seen.word[0] = 0;
	}
	if (handled != 2 * ROUNDS)
		tool_die(TOOL_CHECK_FAILED, "a message was lost or came twice");
	for (unsigned i = 0; i < 2; i++)
		dls__mailbox_close(&side[i].box);
	return run.seconds / ROUNDS * 1e9;
}

double overhead_message(const struct cell *c)
{
	(void)c;
	return exchange(1) / 2;
}

double overhead_messages(const struct cell *c)
{
	(void)c;
	return exchange(MESSAGES);
}

double overhead_cache_line(const struct cell *c)
{
	double ns = NAN;

	(void)c;
	for (unsigned tries = 0; tries < 5 && isnan(ns); tries++)
		ns = tool_line_ns();
	return ns;
}
