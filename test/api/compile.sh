#!/bin/sh
# compile.sh - a user's programs: no warning from C11 to C++20, with and without OpenMP, by the compilers that are there; they
# run right; what is wrong draws one error.  Fails if: a macro draws a warning, or an error in the wrong place.
. test/sh.sh
plain_builds_only
warn='-O2 -Wall -Wextra -Wshadow -Wpedantic -Werror -Iinclude'
build() {	# compiler flags source
	command -v "$1" >/dev/null || { skip "$1" "no $1 (package $(echo "$1" | sed s/clang++/clang/))"; return; }
	case $2 in *openmp*)
		echo 'int main(void) { return 0; }' >"$work/omp.c"
		"$1" -fopenmp "$work/omp.c" -o "$work/omp" 2>/dev/null ||
			{ skip "$1 $2" "$1 has no OpenMP (package libomp-dev)"; return; }
	esac
	"$1" $2 $warn "$3" "$lib" -lm -pthread -o "$work/a.out" >"$log" 2>&1 && "$work/a.out" >>"$log" 2>&1
	point $? "$1 $2 $3"
}
cp test/user/program.c "$work/program.cc"
for omp in '' -fopenmp; do
	for cc in gcc clang; do
		build $cc "-std=c11 $omp -DDLS_USER_RESTRICT=restrict" test/user/program.c
		build $cc "-std=gnu17 $omp -DDLS_USER_RESTRICT=restrict" test/user/program.c
	done
	for cxx in g++ clang++; do
		build $cxx "-std=c++11 $omp -DDLS_USER_RESTRICT=__restrict" "$work/program.cc"
		build $cxx "-std=c++17 $omp -DDLS_USER_RESTRICT=__restrict" "$work/program.cc"
		build $cxx "-std=c++11 $omp" test/user/lambda.cc
		build $cxx "-std=c++20 $omp" test/user/lambda.cc
	done
done
# What is no option of a macro is refused, and so is a bound that is no integer.
refuse() {	# loop
	for cc in 'gcc -std=c11' 'clang -std=c11' 'g++ -std=c++17 -x c++' 'clang++ -std=c++17 -x c++'; do
		command -v ${cc%% *} >/dev/null || { skip "${cc%% *}" "no ${cc%% *}"; continue; }
		printf '#include <dls.h>\nvoid f(void) { %s {} }\n' "DLS_FOR_2D(i, j, 0, 9, 0, 9, .name = 0)" >"$work/right.c"
		printf '#include <dls.h>\nvoid f(void) { %s {} }\n' "$1" >"$work/wrong.c"
		$cc -Iinclude -fsyntax-only "$work/right.c" 2>/dev/null && ! $cc -Iinclude -fsyntax-only "$work/wrong.c" 2>/dev/null
		point $? "${cc%% *} refuses $1"
	done
}
refuse 'DLS_FOR_2D(i, j, 0, 9, 0, 9, .step = 2)'
refuse 'DLS_FOR_2D(i, j, 0, 9, 0, 9.5)'
refuse 'DLS_FOR_2D(i, j, 0, 9, 0)'
refuse 'DLS_PARALLEL_FOR_WITH((), i, 0, 9, .stop = 2)'
# One message says what to write instead, no other error comes with it, and few macros are named.
told() {	# declarations, loop
	for cc in 'gcc -std=c11' 'gcc -std=gnu17 -fopenmp' 'clang -std=c11' 'g++ -std=c++11 -x c++' 'clang++ -std=c++20 -x c++'; do
		case $1 in *std::*) case $cc in *++*) ;; *) continue ;; esac ;; esac
		command -v ${cc%% *} >/dev/null || { skip "${cc%% *}" "no ${cc%% *}"; continue; }
		printf '#include <dls.h>\n%s\nvoid f(void) { %s {} }\n' "$1" "$2" >"$work/wrong.c"
		$cc -w -Iinclude -fsyntax-only "$work/wrong.c" 2>"$log"
		[ "$(grep -c 'error:' "$log")" -eq 1 ] && grep -q 'error:.*in place of pointers and iterators write' "$log" &&
			[ "$(grep -c 'expan.* macro' "$log")" -le 3 ]
		point $? "${cc%% *} tells what to write for $2"
	done
}
told '' 'DLS_FOR(i, 0, 1.5)'
told '' 'DLS_FOR(i, 0.5, 10)'
told 'extern int *p, *q;' 'DLS_FOR(i, p, q)'
told 'extern int *p;' 'DLS_PARALLEL_FOR_CHUNK(lo, hi, 0, p)'
told 'extern int *p;' 'DLS_PARALLEL_FOR_2D(i, j, 0, p, 0, 9, .nowait = true)'
told 'extern __int128 m;' 'DLS_FOR(i, 0, m)'
told 'extern __int128 m;' 'DLS_FOR(i, m, 10)'
told 'extern unsigned __int128 m;' 'DLS_FOR_2D(i, j, 0, 9, m, 9)'
told '#include <vector>
extern std::vector<int> v;' 'DLS_FOR(i, v.begin(), v.end())'
told '#include <list>
extern std::list<int> v;' 'DLS_FOR(i, v.begin(), v.end())'
for cxx in g++ clang++; do
	need $cxx $cxx "$cxx -std=c++98" || continue
	printf '#include <dls.h>\n' >"$work/old.cc"
	$cxx -std=c++98 -Iinclude -fsyntax-only "$work/old.cc" 2>"$log"
	[ "$(grep -c 'error:' "$log")" -eq 1 ] && grep -q 'needs C++11' "$log"
	point $? "$cxx -std=c++98 is refused with one line"
done
finish
