#!/bin/sh
# code.sh - a body compiles under a macro to what it compiles to under OpenMP's pragma: 20 bodies, by the instructions and the data
# accesses of an iteration, as valgrind counts them in one thread.
#
# Fails if a macro hides the body's loop, has its addresses computed before its first branch, or keeps registers that it needs.
#
# runs: once
. test/sh.sh
plain_builds_only
with_musl && skip_all "musl's programs have no OpenMP runtime"
case $(uname -m) in x86_64) ;; *) skip_all 'instructions are compared on x86-64 alone' ;; esac
need valgrind valgrind 'bodies compile to what they compile to under a pragma' || { finish; exit; }

cat >"$work/loops.c" <<END
#include "$PWD/test/api/bodies.h"
#define P(...) _Pragma(#__VA_ARGS__)
#define LOCALS \\
	int n = d->n, *row = d->row, *col = d->col, *parent = d->parent, *next = d->next, *out = d->out; \\
	uint64_t *front = d->front, *back = d->back; \\
	double *x = d->x, *y = d->y, *z = d->z, *w = d->w, *val = d->val, sum = 0; \\
	float *f = d->f, *g = d->g; \\
	unsigned *count = d->count; \\
	long found = 0; \\
	int by = d->by;
#define LOOP_UP(T, a, b) for (T i = (a); i < (b); i++)
#define LOOP_BY2(T, a, b) for (T i = (a); i < (b); i += 2)
#define LOOP_BY3(T, a, b) for (T i = (a); i < (b); i += 3)
#define LOOP_BY8(T, a, b) for (T i = (a); i < (b); i += 8)
#define LOOP_BY(T, a, b) for (T i = (a); i < (b); i += (T)by)
#define LOOP_DOWN(T, a, b) for (T i = (a); i > (b); i--)
#define LOOP_DOWN2(T, a, b) for (T i = (a); i > (b); i -= 2)
#define STEP_UP
#define STEP_BY2 , .step = 2
#define STEP_BY3 , .step = 3
#define STEP_BY8 , .step = 8
#define STEP_BY , .step = by
#define STEP_DOWN , .step = -1
#define STEP_DOWN2 , .step = -2
#define PRAGMA(name, T, way, first, past, clauses, ...) double pragma_##name(struct data *d) \\
	{ LOCALS P(omp parallel for schedule(static) clauses) LOOP_##way(T, first, past) { __VA_ARGS__; } return sum + found; }
#define WITH(clauses, ...) DLS_PARALLEL_FOR_WITH(clauses, __VA_ARGS__)
#define MACRO(name, T, way, first, past, clauses, ...) double macro_##name(struct data *d) \\
	{ LOCALS WITH((clauses), i, (T)(first), (T)(past) STEP_##way) { __VA_ARGS__; } return sum + found; }
BODIES(PRAGMA)
BODIES(MACRO)
END

cat >"$work/main.c" <<END
#include <stdio.h>
#include <string.h>
#include "$PWD/test/api/bodies.h"
double away(double x) { return 0.5 * x + 1; }
#define SIDES(name, ...) double pragma_##name(struct data *), macro_##name(struct data *);
BODIES(SIDES)
#define ENTRY(name, ...) { #name, { pragma_##name, macro_##name } },
static const struct { const char *name; double (*side[2])(struct data *); } body[] = { BODIES(ENTRY) };
/* Of what is executed from one to the other, valgrind makes a file. */
__attribute__((noinline)) void mark_begin(void) { __asm__ volatile(""); }
__attribute__((noinline)) void mark_end(void) { __asm__ volatile(""); }
static unsigned draw(unsigned n)
{
	static uint64_t x = 88172645463325252;
	x ^= x << 13, x ^= x >> 7, x ^= x << 17;
	return (unsigned)(x >> 20) % n;
}
static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int argc, char **argv)
{
	static struct data first, d;
	int n = atoi(argv[argc - 1]);
#define ROOM(field, k) first.field = calloc((size_t)(k) + 64, sizeof *first.field), d.field = calloc((size_t)(k) + 64, sizeof *d.field)
#define ALL(DO) DO(row, n + 1); DO(col, 16 * n); DO(parent, n); DO(next, n); DO(out, n); DO(front, n / 64); DO(back, n / 64); \\
	DO(x, n); DO(y, n); DO(z, n); DO(w, n); DO(val, 16 * n); DO(f, n); DO(g, n); DO(count, n)
	ALL(ROOM);
	d.n = first.n = n, d.by = first.by = 3;
	for (int i = 0; i < n; i++) {
		first.row[i + 1] = first.row[i] + (int)draw(16);
		for (int e = first.row[i]; e < first.row[i + 1]; e++) first.col[e] = (int)draw((unsigned)n);
		qsort(first.col + first.row[i], (size_t)(first.row[i + 1] - first.row[i]), sizeof(int), by_number);
		first.parent[i] = draw(2) ? -1 - (int)draw(9) : 0;
		first.next[i] = (int)draw((unsigned)n);
		first.x[i] = draw(1000) / 500.0, first.y[i] = draw(1000) / 500.0, first.z[i] = draw(1000) / 500.0, first.w[i] = draw(1000) / 500.0;
		first.f[i] = (float)draw(100) - 50, first.g[i] = (float)draw(100) - 50;
	}
	for (int i = 0; i < n / 64; i++) first.front[i] = (uint64_t)draw(1u << 30) << 32 | draw(1u << 30), first.back[i] = draw(1u << 30);
	/* What the runtime does before its first region takes as many instructions as its clock likes. */
	for (int s = 0; s < 2; s++) body[0].side[s](&first);
	for (unsigned i = 0; i < sizeof body / sizeof *body; i++) {
		double result[2];
		for (int s = 0; s < 2; s++) {
#define COPY(field, k) memcpy(d.field, first.field, (size_t)(k) * sizeof *d.field)
			ALL(COPY);
			mark_begin();
			result[s] = body[i].side[s](&d);
			mark_end();
		}
		printf("%s\n", body[i].name);
		if (result[0] != result[1]) { printf("%g under the pragma, %g under the macro\n", result[0], result[1]); return 1; }
	}
	return 0;
}
END

# For each body its name, the instructions and the data accesses under the pragma, and under the macro.
count() {	# iterations
	rm -f "$work"/counts.*
	valgrind --tool=callgrind --cache-sim=yes --callgrind-out-file="$work/counts" --dump-before=mark_begin --dump-before=mark_end \
		"$work/program" "$1" >"$work/names" 2>"$log" || { cat "$work/names" >>"$log"; return 1; }
	awk -v counts="$work/counts." '{
		for (k = 2; k <= 4; k += 2) {
			file = counts 4 * (NR - 1) + k
			while ((getline line <file) > 0)
				if (split(line, word, " ") && word[1] == "summary:")
					$0 = $0 " " word[2] " " word[3] " " word[4]
			close(file)
		}
		print
	}' "$work/names"
}

OMP_NUM_THREADS=1 DLS_SCHEDULE=static
export OMP_NUM_THREADS DLS_SCHEDULE
for compiler in gcc clang; do
	text="$compiler: bodies compile to what they compile to under a pragma"
	need $compiler $compiler "$text" || continue
	# Valgrind ends at debug information that it does not know, as that of a library by clang.
	$compiler -fopenmp -std=gnu11 -O2 -w -Iinclude "$work/loops.c" "$work/main.c" "$lib" -lm -pthread -Wl,--strip-debug \
		-o "$work/program" 2>"$log" ||
		{ skip "$text" "$compiler has no OpenMP (package libomp-dev)"; continue; }
	count 256 >"$work/few" && count 768 >"$work/many" || { point 1 "$text"; continue; }
	paste -d ' ' "$work/few" "$work/many" | awk '
		{
			ir = ($9 - $2) / 512; data = ($10 + $11 - $3 - $4) / 512
			macro_ir = ($12 - $5) / 512; macro_data = ($13 + $14 - $6 - $7) / 512
			if (macro_ir > 1.03 * ir + 0.02 || macro_data > 1.1 * data + 0.05)
				printf "%s: %.2f instructions and %.2f accesses in place of %.2f and %.2f\n", $1,
					macro_ir, macro_data, ir, data
		}
		END { if (NR != 20) print NR " bodies in place of 20" }' >"$log"
	holds "$text" [ ! -s "$log" ]
done
finish
