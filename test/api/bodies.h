/* bodies.h - bodies of loops whose code a macro could spoil: branches, calls, bitmaps, reductions, strides, many pointers.
 * test/api/code.sh compiles each under a pragma and under a macro. */
#include <dls.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct data {
	int n, by, *row, *col, *parent, *next, *out;
	uint64_t *front, *back;
	double *x, *y, *z, *w, *val, (*point)[4];
	float *f, *g;
	unsigned char *text;
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
	X(bottom_up_pointer, int, UP, 0, n, reduction(+ : found), if (parent[i] < 0) \
		for (const int *e = col + row[i], *end = col + row[i + 1]; e < end; e++) \
			if (GET(front, *e)) { parent[i] = *e; found++; SET(back, i); break; }) \
	X(top_down, int, UP, 0, n, reduction(+ : found), for (int e = row[i]; e < row[i + 1]; e++) { \
		int v = col[e], old = parent[v]; \
		if (old < 0 && __atomic_compare_exchange_n(&parent[v], &old, i, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) \
			found -= old; }) \
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
	X(product, int, UP, 0, n, firstprivate(n), double s = 0; \
		for (int e = row[i]; e < row[i + 1]; e++) s += val[e] * x[col[e]]; y[i] = s) \
	X(waxpy, int, UP, 0, n, firstprivate(n), w[i] = 2.5 * x[i] + 0.5 * y[i]) \
	X(dot, int, UP, 0, n, reduction(+ : sum), sum += x[i] * y[i]) \
	X(element, int, UP, 0, n, firstprivate(n), int a = col[i]; int b = next[i]; double p = x[a] - x[b]; double q = y[a] - y[b]; \
		if (p * q < 0) { double v = sqrt(p * p + q * q); z[i] = v > w[i] ? v : w[i]; if (v > 1) out[i] = 1; } \
		else { z[i] = 0; w[i] += 0.5 * (p + q); }) \
	X(many_pointers, int, UP, 0, n, firstprivate(n), w[i] = x[i] * y[i] + z[i] * val[i] + (double)f[i] * (double)g[i]; \
		if (w[i] > 3) out[i] = col[i] + next[i]; else count[i]++) \
	X(call, int, UP, 0, n, firstprivate(n), y[i] = away(x[i])) \
	X(call_if, int, UP, 0, n, reduction(+ : sum), if (x[i] > 0.5) y[i] = away(x[i]) + z[i]; else sum += z[i]) \
	X(stride, int, BY3, 0, n, firstprivate(n), if (x[i] > y[i]) z[i] = x[i]; else { z[i] = y[i]; out[i]++; }) \
	X(long_stride, long, BY3, 0, n, firstprivate(n), if (x[i] > y[i]) z[i] = x[i]; else { z[i] = y[i]; out[i]++; }) \
	X(stride_2, int, BY2, 0, n, firstprivate(n), if (x[i] > y[i]) z[i] = x[i]; else { z[i] = y[i]; out[i]++; }) \
	X(stride_8, unsigned, BY8, 0, n, firstprivate(n), if (x[i] > y[i]) z[i] = x[i]; else { z[i] = y[i]; out[i]++; }) \
	X(stride_by, int, BY, 0, n, firstprivate(n), if (x[i] > y[i]) z[i] = x[i]; else { z[i] = y[i]; out[i]++; }) \
	X(descend_2, int, DOWN2, n - 1, -1, firstprivate(n), if (x[i] > y[i]) z[i] = x[i]; else { z[i] = y[i]; out[i]++; }) \
	X(natural_descend_2, size_t, DOWN2, n - 1, 1, firstprivate(n), if (x[i] > y[i]) z[i] = x[i]; else { z[i] = y[i]; out[i]++; }) \
	X(descend, int, DOWN, n - 1, -1, firstprivate(n), if (x[i] > y[i]) z[i] = x[i]; else { z[i] = y[i]; out[i]++; }) \
	X(histogram, int, UP, 0, n, firstprivate(n), __atomic_fetch_add(&count[text[i]], 1, __ATOMIC_RELAXED)) \
	X(words, int, UP, 0, n / 64, reduction(+ : found), for (uint64_t m = front[i] & ~back[i]; m; m &= m - 1) { \
		int v = 64 * i + __builtin_ctzll(m); parent[v] = v; found++; }) \
	X(stencil, int, UP, 1, n - 1, firstprivate(n), y[i] = 0.25 * (x[i - 1] + 2 * x[i] + x[i + 1])) \
	X(gain, int, UP, 0, n, reduction(+ : sum), double c = 0; \
		for (int k = 0; k < 4; k++) c += (point[i][k] - point[0][k]) * (point[i][k] - point[0][k]); \
		c *= w[i]; \
		if (c < z[i]) { out[i] = 1; sum += c - z[i]; } else { int a = col[i]; y[a] += z[a] - c; }) \
	X(classes, int, UP, 0, n, reduction(+ : found), switch (text[i]) { \
		case 'a': case 'e': found += 2; break; case 'z': out[i] = 3; break; case ' ': count[i]++; break; \
		default: if (text[i] > 'm') out[i]++; }) \
	X(escape, int, UP, 0, n, firstprivate(n), double a = 0; double b = 0; int k = 0; \
		while (k < 20 && a * a + b * b < 4) { double t = a * a - b * b + x[i]; b = 2 * a * b + y[i]; a = t; k++; } out[i] = k) \
	X(search, int, UP, 0, n, firstprivate(n), int lo = 0; int hi = n; \
		while (lo < hi) { int m = (lo + hi) / 2; if (row[m] < col[i]) lo = m + 1; else hi = m; } out[i] = lo) \
	X(chains, int, UP, 0, n, reduction(+ : sum), for (int v = next[i], k = 0; k < 5 && v != next[v]; k++, v = next[v]) sum += x[v]) \
	X(floats, int, UP, 0, n, firstprivate(n), if (f[i] < 0) f[i] = -f[i]; g[i] = f[i] * 3 + g[i]) \
	X(wide, long, UP, 0, n, firstprivate(n), if (x[i] > y[i]) { z[i] = x[i]; out[i] = (int)i; } else w[i] += y[i]) \
	X(natural, size_t, UP, 0, (size_t)n, firstprivate(n), if (x[i] > y[i]) { z[i] = x[i]; out[i] = (int)i; } else w[i] += y[i])
