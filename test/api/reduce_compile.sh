#!/bin/sh
# reduce_compile.sh - reductions in users' programs: no warning in C11 and C++17; the same bits with and without OpenMP, under
# every schedule, on every number of threads; bodies vectorise; what an operator cannot do is refused.
#
# Fails if: a macro draws a warning, as of shadowing for the variable inside; -fopenmp, DLS_SCHEDULE or OMP_NUM_THREADS changes
# what the program prints; a wrong operator compiles, or its message does not say what is accepted; the variable inside cannot
# stay in a register, so that a body is not vectorised.
. test/sh.sh
plain_builds_only
warn='-O2 -Wall -Wextra -Wshadow -Wpedantic -Werror -Iinclude'
for cc in 'gcc -std=c11' 'gcc -std=c11 -O3' 'gcc -std=gnu17 -O0' 'clang -std=c11' 'g++ -std=c++17' 'clang++ -std=c++11' \
	  'g++ -std=c++20 -O0'; do
	command -v ${cc%% *} >/dev/null || { skip "$cc" "no ${cc%% *} (package ${cc%%[+ ]*})"; continue; }
	case $cc in *++*) source=test/user/reduce.cc ;; *) source=test/user/reduce.c ;; esac
	$cc $warn ${cc#* } $source "$lib" -lm -pthread -o "$work/serial" >"$log" 2>&1
	point $? "$cc without OpenMP"
	want=$("$work/serial" 2>>"$log") || want=failed
	same "$cc: nine numbers" 9 "$(echo "$want" | wc -w | tr -d ' ')"
	echo 'int main(void) { return 0; }' >"$work/omp.c"
	${cc%% *} -fopenmp "$work/omp.c" -o "$work/omp" 2>/dev/null ||
		{ skip "$cc -fopenmp" 'no OpenMP (package libomp-dev)'; continue; }
	$cc $warn ${cc#* } -fopenmp $source "$lib" -lm -pthread -o "$work/parallel" >"$log" 2>&1
	point $? "$cc -fopenmp"
	got=
	for threads in 1 2 3 7; do
		for schedule in static ss ss,100 gss steal awf-b rid; do
			got="$got$(OMP_NUM_THREADS=$threads DLS_SCHEDULE=$schedule "$work/parallel" 2>&1)
"
		done
	done
	same "$cc: the bits of all" "$want" "$(printf %s "$got" | sort -u)"
done
for line in 8 16; do
	for cc in 'gcc -fopt-info-vec' 'clang -Rpass=loop-vectorize'; do
		command -v ${cc%% *} >/dev/null || { skip "${cc%% *}" "no ${cc%% *}"; continue; }
		$cc -std=c11 -O3 -Iinclude -c test/user/reduce_vector.c -o "$work/o" >"$log" 2>&1
		grep -Eq "reduce_vector.c:$line:.*(loop vectorized|vectorized loop)" "$log"
		point $? "${cc%% *} vectorises reduce_vector.c:$line"
	done
done
refuse() {	# operator, type, message
	for cc in 'gcc -std=c11' 'clang -std=c11' 'g++ -std=c++17 -x c++' 'clang++ -std=c++17 -x c++'; do
		command -v ${cc%% *} >/dev/null || { skip "${cc%% *}" "no ${cc%% *}"; continue; }
		printf '#include <dls.h>\ntypedef struct { int x; } pair;\n%s\n' \
			"void f($2 x) { DLS_REDUCE($1, $2, x, i, 0, 9) { } }" >"$work/wrong.c"
		! $cc -w -Iinclude -fsyntax-only "$work/wrong.c" 2>"$log" && grep -q "$3" "$log"
		point $? "${cc%% *} refuses $1 for $2"
	done
}
refuse - double 'the operator is one of'
refuse '&' double 'the operator is one of'
refuse plus int 'the operator is one of'
refuse + pair 'DLS_REDUCE_BY'
refuse max __int128 'DLS_REDUCE_BY'
finish
