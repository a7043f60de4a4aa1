/* stream.c - the triad a += b + s c of long vectors; an iteration is a block of them.
 *
 * McCalpin, "Memory bandwidth and machine balance in current high performance computers", IEEE TCCA Newsletter, December
 * 1995, with a sum in place of an assignment.  All blocks cost the same, for memory alone: once the threads saturate it, more
 * threads gain nothing, nor does a schedule.  A run moves 32 bytes an element, 256 MiB: 13 to 50 ms at the 5 to 20 GB/s of one
 * thread.  The vectors together are six times as large as a usual last-level cache of 32 MiB, so it keeps nothing from run to run. */
#include "kernel.h"

enum { BLOCK = 4096, BLOCKS = 2048 };	/* elements: 32 KiB of each vector; three of 64 MiB */

static double a[BLOCKS][BLOCK], b[BLOCKS][BLOCK], c[BLOCKS][BLOCK];

static void stream_setup(void)
{
	uint64_t seed = 1995;

	for (int i = 0; i < BLOCKS; i++)
		for (int j = 0; j < BLOCK; j++) {
			b[i][j] = random_real(&seed);
			c[i][j] = random_real(&seed);
		}
}

static void stream_block(int i)
{
	for (int j = 0; j < BLOCK; j++)
		a[i][j] += b[i][j] + 3 * c[i][j];
}

const struct kernel kernel_stream = {
	.name = "stream", .what = "triad of long vectors, in blocks",
	.n = BLOCKS, .setup = stream_setup, .iteration = stream_block, .result = a, .size = sizeof(a),
};
