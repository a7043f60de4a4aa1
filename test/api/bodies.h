/* bodies.h - bodies of loops whose code a macro could spoil: branches, calls, bitmaps, reductions, strides, many pointers.
 * test/api/code.sh compiles each under a pragma and under a macro. */
#include <dls.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct data {
	int n, by, *row, *col, *parent, *next, *out;
	uint64_t *front, *back;
	double *x, *y, *z, *w, *val;
	float *f, *g;
	unsigned *count;
};

double away(double);	/* of another file */
#define GET(map, i) ((map)[(i) / 64] >> (i) % 64 & 1)
#define SET(map, i) ((map)[(i) / 64] |= (uint64_t)1 << (i) % 64)

/* name, index type, direction, first, past, clauses, body; of the direction, macros of code.sh make the pragma's loop and the
 * macro's step. */
#define BODIES(X) \
	X(bottom_up, int, UP, 0, n, reduction(+ : found), if (parent[i] < 0) \
		for (int e = row[i]; e < row[i + 1]; e++) \
			if (GET(front, col[e])) { parent[i] = col[e]; found++; SET(back, i); break; }) \
	X(triangles, int, UP, 0, n, reduction(+ : found), for (int a = row[i]; a < row[i + 1]; a++) { \
		int u = col[a], b = row[i]; \
		if (u > i) break; \
		for (int c = row[u]; c < row[u + 1]; c++) { \
			if (col[c] > u) break; \
			while (col[b] < col[c]) b++; \
			if (col[b] == col[c]) found++; } }) \
	X(hook, int, UP, 0, n, firstprivate(n), for (int e = row[i]; e < row[i + 1]; e++) { \
		int a = next[i], b = next[col[e]], high = a > b ? a : b; \
		if (a != b && next[high] == high) next[high] = a + b - high; }) \
	X(waxpy, int, UP, 0, n, firstprivate(n), w[i] = 2.5 * x[i] + 0.5 * y[i]) \
	X(dot, int, UP, 0, n, reduction(+ : sum), sum += x[i] * y[i]) \
	X(element, int, UP, 0, n, firstprivate(n), int a = col[i]; int b = next[i]; double p = x[a] - x[b]; double q = y[a] - y[b]; \
		if (p * q < 0) { double v = sqrt(p * p + q * q); z[i] = v > w[i] ? v : w[i]; if (v > 1) out[i] = 1; } \
		else { z[i] = 0; w[i] += 0.5 * (p + q); }) \
	X(many_pointers, int, UP, 0, n, firstprivate(n), w[i] = x[i] * y[i] + z[i] * val[i] + (double)f[i] * (double)g[i]; \
		if (w[i] > 3) out[i] = col[i] + next[i]; else count[i]++) \
	X(call_if, int, UP, 0, n, reduction(+ : sum), if (x[i] > 0.5) y[i] = away(x[i]) + z[i]; else sum += z[i]) \
	X(stride, int, BY3, 0, n, firstprivate(n), if (x[i] > y[i]) z[i] = x[i]; else { z[i] = y[i]; out[i]++; }) \
	X(long_stride, long, BY3, 0, n, firstprivate(n), if (x[i] > y[i]) z[i] = x[i]; else { z[i] = y[i]; out[i]++; }) \
	X(stride_2, int, BY2, 0, n, firstprivate(n), if (x[i] > y[i]) z[i] = x[i]; else { z[i] = y[i]; out[i]++; }) \
	X(stride_8, unsigned, BY8, 0, n, firstprivate(n), if (x[i] > y[i]) z[i] = x[i]; else { z[i] = y[i]; out[i]++; }) \
	X(stride_by, int, BY, 0, n, firstprivate(n), if (x[i] > y[i]) z[i] = x[i]; else { z[i] = y[i]; out[i]++; }) \
	X(descend_2, int, DOWN2, n - 1, -1, firstprivate(n), if (x[i] > y[i]) z[i] = x[i]; else { z[i] = y[i]; out[i]++; }) \
	X(natural_descend_2, size_t, DOWN2, n - 1, 1, firstprivate(n), if (x[i] > y[i]) z[i] = x[i]; else { z[i] = y[i]; out[i]++; }) \
	X(descend, int, DOWN, n - 1, -1, firstprivate(n), if (x[i] > y[i]) z[i] = x[i]; else { z[i] = y[i]; out[i]++; }) \
	X(stencil, int, UP, 1, n - 1, firstprivate(n), y[i] = 0.25 * (x[i - 1] + 2 * x[i] + x[i + 1])) \
	X(chains, int, UP, 0, n, reduction(+ : sum), for (int v = next[i], k = 0; k < 5 && v != next[v]; k++, v = next[v]) sum += x[v]) \
	X(wide, long, UP, 0, n, firstprivate(n), if (x[i] > y[i]) { z[i] = x[i]; out[i] = (int)i; } else w[i] += y[i]) \
	X(natural, size_t, UP, 0, (size_t)n, firstprivate(n), if (x[i] > y[i]) { z[i] = x[i]; out[i] = (int)i; } else w[i] += y[i])
