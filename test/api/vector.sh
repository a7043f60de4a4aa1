#!/bin/sh
# vector.sh - bodies that gcc and clang vectorise in a plain `for` are vectorised under the macros too: for four types of
# indices, several steps, one and two indices, with and without a region, and in reductions.
#
# The compilers are asked.  Fails if: a macro hides the loop, its number of iterations or the range of its index.
#
# runs: once
. test/sh.sh
plain_builds_only

# One function a line: a plain loop, then the macros that must be as good.
awk 'BEGIN {
	types = split("int,unsigned,long,size_t", type, ",")
	bodies = split("y[i] = a * x[i] + y[i]|y[i] = x[i] > a ? x[i] : a|z[i] += 3|z[i] = z[i] < 0 ? -z[i] : z[i]|" \
		"d[i] = d[i] * a + x[i]|y[i] = table[i] + x[i]|m->y[i] = a * m->x[i]|sum += x[i] * y[i]", body, "|")
	rows = split("y2[i][j] += a * x2[i][j]|y2[i][j] = x2[i][j] > a ? x2[i][j] : a|sum += x2[i][j]", row, "|")
	with = "(firstprivate(a)), "
	costly = "y[i] = sqrtf(a * x[i] + y[i]) / (x[i] + a)"
	print "#include <dls.h>\n#include <math.h>\nextern float table[100000];"
	print "struct vectors { float *restrict y; const float *restrict x; };"
	print "#define ARGS(T) float *restrict y, const float *restrict x, int *restrict z, double *restrict d, float a, T lo, T n, " \
		"float (*restrict y2)[1000], const float (*restrict x2)[1000], struct vectors *restrict m"
	for (t = 1; t <= types; t++) {
		T = type[t]
		for (b = 1; b <= bodies; b++) {
			f("for (T i = lo; i < n; i++)", body[b])
			f("DLS_FOR(i, lo, n)", body[b])
			f("DLS_FOR(i, 0, n, .nowait = true, .schedule = \"gss\")", body[b])
			# A region'"'"'s own sum: clang does not under its `parallel for` either.
			if (body[b] !~ /^sum/)
				f("DLS_PARALLEL_FOR_WITH(" with "i, lo, n)", body[b])
			f("for (T i = n; i > lo; i--)", body[b])
			f("DLS_FOR(i, n, lo, .step = -1)", body[b])
		}
		for (b = 1; b <= rows; b++) {
			f("for (T i = lo; i < n; i++) for (T j = lo; j < n; j++)", row[b])
			f("DLS_FOR_2D(i, j, lo, n, lo, n)", row[b])
			if (row[b] !~ /^sum/)
				f("DLS_PARALLEL_FOR_2D_WITH(" with "i, j, 0, n, 0, n, .schedule = \"fac2\")", row[b])
		}
		f("for (T i = lo; i < n; i++)", "bits += z[i]")
		f("DLS_REDUCE(+, int, bits, i, lo, n)", "bits += z[i]")
		f("for (T i = lo; i < n; i++)", "bits |= z[i]")
		f("DLS_REDUCE(|, int, bits, i, lo, n, .schedule = \"gss\")", "bits |= z[i]")
		# Where elements are left out, whether it pays is the compiler'"'"'s guess; for size_t clang guesses no.
		f("for (T i = lo; i < n; i += 2)", costly)
		if (T != "size_t")
			f("DLS_FOR(i, lo, n, .step = 2)", costly)
	}
}
function f(loop, body) {
	gsub(/T i/, T " i", loop)
	gsub(/T j/, T " j", loop)
	printf "float f%d(ARGS(%s)) { float sum = 0; int bits = 0; %s %s; return sum + bits; }\n", ++k, T, loop, body
}' >"$work/loops.c"

ask() {	# compiler, least version, flags, what it says
	need "$1" "$1" "$1" || return
	if [ "$("$1" -dumpversion | cut -d. -f1)" -lt "$2" ]; then
		skip "$1" "$1 is older than version $2"
		return
	fi
	openmp=-fopenmp
	echo '#include <omp.h>' | "$1" -fopenmp -fsyntax-only -x c - 2>/dev/null || openmp=
	"$1" -std=gnu11 -O3 -ffast-math -w $openmp $3 -Iinclude -S "$work/loops.c" -o /dev/null 2>"$work/said" ||
		{ grep error "$work/said" | head -3 >"$log"; point 1 "$1 compiles the loops"; return; }
	sed -n "s/.*loops\.c:\([0-9]*\):.*$4.*/\1/p" "$work/said" | sort -un >"$work/lines"
	awk -v compiler="$1" '
		FNR == NR { vector[$1]; next }
		/^float f.* = 0; for/ { plain = FNR in vector; plains += plain }
		/^float f.* = 0; DLS/ && plain {
			tried++
			if (!(FNR in vector))
				print compiler ": not vectorised: " $0
		}
		END { if (tried < 100) print compiler " vectorises " plains + 0 " plain loops only" }
	' "$work/lines" "$work/loops.c" >"$log"
	holds "$1${openmp:+ $openmp} vectorises what it does in a plain loop" [ ! -s "$log" ]
}
ask gcc 11 -fopt-info-vec 'loop vectorized'
ask clang 14 '-Rpass=loop-vectorize -emit-llvm' 'vectorized loop'
finish
