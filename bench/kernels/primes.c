/* primes.c - primes counted by trial division; an iteration is a block of consecutive numbers.
 *
 * A prime costs the square root of its value, a composite number its smallest factor: iterations cost more towards the end, and
 * unequal amounts from block to block. */
#include "kernel.h"

enum { BLOCKS = 10000, BLOCK = 80 };

static uint16_t primes[BLOCKS];

static void primes_block(int block)
{
	uint32_t first = (uint32_t)block * BLOCK + 2;

	for (uint32_t number = first; number < first + BLOCK; number++) {
		uint32_t divisor = 2;

		while (divisor * divisor <= number && number % divisor != 0)
			divisor += 1 + (divisor > 2);
		primes[block] = (uint16_t)(primes[block] + (divisor * divisor > number));
	}
}

const struct kernel kernel_primes = {
	.name = "primes", .what = "primes by trial division, in blocks of 80 numbers",
	.n = BLOCKS, .iteration = primes_block, .result = primes, .size = sizeof(primes),
};
