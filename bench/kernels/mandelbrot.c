/* mandelbrot.c - the upper half of the Mandelbrot set (the lower is its mirror image); an iteration is a row.
 *
 * Rows cost more towards the real axis, where more points never escape. */
#include "kernel.h"

enum { WIDTH = 600, HEIGHT = 480, LIMIT = 250 };

static uint16_t steps[HEIGHT][WIDTH];

static void mandelbrot_row(int row)
{
	double cy = 1.25 - 1.25 * row / HEIGHT;

	for (int column = 0; column < WIDTH; column++) {
		double cx = -2 + 2.5 * column / WIDTH, x = 0, y = 0;
		unsigned n = 0;

		while (n < LIMIT && x * x + y * y <= 4) {
			double next = x * x - y * y + cx;

			y = 2 * x * y + cy;
			x = next;
			n++;
		}
		steps[row][column] = (uint16_t)(steps[row][column] + n);
	}
}

const struct kernel kernel_mandelbrot = {
	.name = "mandelbrot", .what = "Mandelbrot set, upper half, row by row",
	.n = HEIGHT, .iteration = mandelbrot_row, .result = steps, .size = sizeof(steps),
};
