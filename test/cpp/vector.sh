#!/bin/sh
# vector.sh - bodies that gcc and clang vectorise in a plain `for` are vectorised in the loops of dls.hpp too.
#
# The compilers are asked, for each body once; of a reduction blocks alone and side by side.  Fails if: the header hides a loop, its length or the range of its index; or a reduction's elements are added one after the other.
#
# runs: once
. test/sh.sh
plain_builds_only
body='y[i] = a * x[i] + y[i]'
cat >"$work/loops.cc" <<END
#include <dls.hpp>
#include <vector>
#define ARGS float *__restrict y, const float *__restrict x, float a
void int_index(ARGS, int n) { dls::for_each(0, n, [=](int i) { $body; }); }
void by_reference(ARGS, int n) { dls::for_each(0, n, [&](int i) { $body; }); }
void unsigned_index(ARGS, unsigned n) { dls::for_each(0u, n, [=](unsigned i) { $body; }); }
void long_index(ARGS, long n) { dls::for_each(0L, n, [=](long i) { $body; }); }
void size_index(ARGS, std::size_t n) { dls::for_each(0, n, [=](std::size_t i) { $body; }, {"sizes", "gss"}); }
void vectors(std::vector<float> &v, float a) { dls::for_each(v, [=](float &y) { y = y > a ? y : a; }); }
void pointers(float *from, float *to, float a) { dls::for_each(from, to, [=](float &y) { y *= a; }); }
void chunks(ARGS, int n) { dls::for_chunks(0, n, [=](int lo, int hi) { for (int i = lo; i < hi; i++) $body; }); }
void cells(ARGS, int n) { dls::for_each_2d(0, n, 0, n, [=](int i, int j) { y[1000L * i + j] = a * x[1000L * i + j]; }); }
END
cat >"$work/sum.cc" <<END
#include <dls.hpp>
#include <vector>
int sum(const std::vector<int> &v) { return dls::reduce(v, 0); }
END
functions=$(grep -c 'dls::' "$work/loops.cc")

ask() {	# compiler, least version, flags, what it says
	need "$1" "$(package_of "$1")" "$1" || return
	if [ "$("$1" -dumpversion | cut -d. -f1)" -lt "$2" ]; then
		skip "$1" "$1 is older than version $2"
		return
	fi
	openmp=-fopenmp
	echo '#include <omp.h>' | "$1" -fopenmp -fsyntax-only -x c++ - 2>/dev/null || openmp=
	told() { "$1" -std=c++17 -O3 -ffast-math $openmp $3 -Iinclude -S "$work/$2.cc" -o /dev/null 2>&1; }
	told "$1" loops "$3" >"$log"
	# Once for each function: what gcc says of the rests of loops has fewer bytes.
	same "$1${openmp:+ $openmp} vectorises all" "$functions" "$(grep -c "$4" "$log")"
	told "$1" sum "$3" >"$log"
	holds "$1${openmp:+ $openmp} vectorises a reduction" grep -q "$4" "$log"
}
ask g++ 11 -fopt-info-vec 'loop vectorized using 16'
ask clang++ 14 '-Rpass=loop-vectorize -emit-llvm' 'vectorized loop'
finish
