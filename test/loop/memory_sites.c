/* memory_sites.c - what a site costs that has run once: a program may have thousands of them.
 *
 * Fails if: a chooser or a deal is made for a site before it runs again, or sums, rates or copies of the file's name for each. */
#include <malloc.h>

#include "deal.h"

enum { SITES = 10000, N = 100, MOST = 500 };	/* bytes; 473 and 437 on x86-64 */

/* Bytes that the program has from malloc(); 0: it does not tell. */
static size_t in_use(void)
{
#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 33)
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
#endif
#endif
	return 0;
}

/* As a loop at that place in the source, or of that name, in a region of its own.  A function, for callgrind. */
static __attribute__((noinline)) void loop_at(struct dls_site *place, const char *name)
{
	struct dls__launch launch;

	dls__launch_begin(&launch, place, name, NULL, 0, false, 0, N, N, false, true);
#ifdef _OPENMP
	#pragma omp parallel num_threads(2)
#endif
	{
		struct dls__run run;
		struct dls__chunk chunk = dls__launch_join(&run, &launch, launch.deal, launch.how, N, 1);

		while (chunk.n)
			chunk = dls__for_next_chunk(&run);
	}
	dls__launch_close(&launch);
}

/* Sites whose places differ in line alone, as those of a file do. */
static void run_once(const char *what, bool named)
{
	static struct dls_site place[SITES];
	size_t before = in_use(), each;
	char name[32];

	for (int i = 0; i < SITES; i++) {
		place[i] = (struct dls_site){ __FILE__, i + 1, NULL, __func__, NULL };
		snprintf(name, sizeof(name), "loop %d", i);
		loop_at(&place[i], named ? name : NULL);
		CHECK(place[i].site);
	}
	each = (in_use() - before) / SITES;
	tap_note("%s: %zu bytes", what, each);
	CHECK(each <= MOST);
}

static void few_bytes(void)
{
	static struct dls_site first = DLS__SITE_HERE;

	for (int k = 0; k < 3; k++)	/* what the process has once */
		loop_at(&first, NULL);
	if (in_use() == 0)
		tap_note("mallinfo2() tells nothing here");
	else {
		run_once("by place", false);
		run_once("by name", true);
	}
}

TEST_MAIN(T(few_bytes))
