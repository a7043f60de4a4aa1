#!/bin/sh
# compile.sh - a user's programs: no warning from C11 to C++20, with and without OpenMP, by the compilers that are there; they
# run right; what is wrong draws one error.  Fails if: a macro draws a warning, or an error in the wrong place.
. test/sh.sh
plain_builds_only
warn='-O2 -Wall -Wextra -Wshadow -Wpedantic -Werror -Iinclude'
build() {	# compiler flags source; -fsyntax-only among the flags: it is not run
	need "$1" "$(package_of "$1")" "$1" || return
	case $2 in *openmp*) need_openmp "$1" "$1 $2" || return ;; esac
	case $2 in
	*-fsyntax-only*) "$1" $2 $warn "$3" >"$log" 2>&1 ;;
	*) "$1" $2 $warn "$3" "$lib" -lm -pthread -o "$work/a.out" >"$log" 2>&1 && "$work/a.out" >>"$log" 2>&1 ;;
	esac
	point $? "$1 $2 $3"
}
cp test/user/program.c "$work/program.cc"
for omp in '' -fopenmp; do
	for cc in gcc clang; do
		build $cc "-std=c11 $omp -DDLS_USER_RESTRICT=restrict" test/user/program.c
		build $cc "-std=gnu17 -fsyntax-only $omp -DDLS_USER_RESTRICT=restrict" test/user/program.c
	done
	for cxx in g++ clang++; do
		build $cxx "-std=c++11 -fsyntax-only $omp -DDLS_USER_RESTRICT=__restrict" "$work/program.cc"
		build $cxx "-std=c++17 $omp -DDLS_USER_RESTRICT=__restrict" "$work/program.cc"
		build $cxx "-std=c++11 -fsyntax-only $omp" test/user/lambda.cc
		build $cxx "-std=c++20 $omp" test/user/lambda.cc
	done
done
# Compilers warn in macros of installed headers too, where one writes a 0 for a pointer or a cast of C.
for cxx in g++ clang++; do
	build $cxx "-std=c++11 -fsyntax-only -fopenmp -isystem include -Wold-style-cast -Wzero-as-null-pointer-constant" \
		test/user/lambda.cc
	build $cxx "-std=c++17 -fsyntax-only -fopenmp -isystem include -Wzero-as-null-pointer-constant" test/user/reduce.cc
done
# Loop k of a list is function fk on line k of a source that each compiler reads once; what it says of that function is in
# $work/said.k.
cat >"$work/declarations.h" <<'END'
#include <dls.h>
extern int *p, *q;
extern __int128 m;
extern unsigned __int128 u;
#ifdef __cplusplus
#include <list>
#include <vector>
extern std::vector<int> v;
extern std::list<int> l;
#endif
END
judge() {	# file of loops, compiler
	rm -f "$work"/said.*
	awk '{ print "void f" NR "(void) { " $0 " {} }" }' "$1" >"$work/wrong.c"
	$2 -w -Iinclude -fsyntax-only -include "$work/declarations.h" "$work/wrong.c" 2>&1 | awk -v said="$work/said." '
		match($0, /In function .*f[0-9]+/) { k = substr($0, RSTART, RLENGTH); sub(/.*f/, "", k) }
		match($0, /wrong\.c:[0-9]+:[0-9]+: (fatal )?error:/) { k = substr($0, RSTART + 8); sub(/:.*/, "", k) }
		k { print >(said k) }'
}
# What is no option of a macro is refused, and so is a bound that is no integer; what is right is not.
cat >"$work/loops" <<'END'
DLS_FOR_2D(i, j, 0, 9, 0, 9, .step = 2)
DLS_FOR_2D(i, j, 0, 9, 0, 9.5)
DLS_FOR_2D(i, j, 0, 9, 0)
DLS_PARALLEL_FOR_WITH((), i, 0, 9, .stop = 2)
DLS_FOR_2D(i, j, 0, 9, 0, 9, .name = 0)
END
for cc in 'gcc -std=c11' 'clang -std=c11 -ferror-limit=0' 'g++ -std=c++17 -x c++' \
	  'clang++ -std=c++17 -ferror-limit=0 -x c++'; do
	command -v ${cc%% *} >/dev/null || { skip "${cc%% *}" "no ${cc%% *}"; continue; }
	judge "$work/loops" "$cc"
	k=0
	while read -r loop; do
		k=$((k + 1))
		case $k in
		5) ! grep -qs 'error:' "$work/said.$k" ;;
		*) grep -qs 'error:' "$work/said.$k" && ! grep -qs 'error:' "$work/said.5" ;;
		esac
		point $? "${cc%% *} on $loop"
	done <"$work/loops"
done
# Options without a name: in C a warning that every compiler gives, in C++ an error.
for cc in gcc clang g++ clang++; do
	need $cc "$(package_of $cc)" "$cc: options without a name" || continue
	for loop in 'DLS_PARALLEL_FOR(i, 0, 9, 4)' 'DLS_FOR_2D(i, j, 0, 9, 0, 9, 4)' 'DLS_REDUCE(+, int, s, i, 0, 9, 4)'; do
		case $cc in *++) language=c++ ;; *) language=c ;; esac
		printf '#include <dls.h>\nvoid f(void);\nvoid f(void) { int s = 0; %s {} (void)s; }\n' "$loop" >"$work/nameless.c"
		$cc -x $language -Iinclude -fsyntax-only "$work/nameless.c" >"$log" 2>&1
		grep -qE 'error:|warning: excess elements in struct' "$log"
		point $? "$cc tells that an option has no name: $loop"
	done
done
# Clauses without parentheses, which clang would leave out with a warning.
for cc in gcc clang g++ clang++; do
	need_openmp $cc "$cc: clauses without parentheses" || continue
	for loop in 'FOR_WITH(reduction(+ : s), i, 0, 9)' 'FOR_CHUNK_WITH(num_threads(2), lo, hi, 0, 9)'; do
		case $cc in *++) language=c++ ;; *) language=c ;; esac
		printf '#include <dls.h>\nvoid f(void);\nvoid f(void) { int s = 0; DLS_PARALLEL_%s {} (void)s; }\n' "$loop" >"$work/bare.c"
		! $cc -x $language -fopenmp -Iinclude -fsyntax-only "$work/bare.c" >"$log" 2>&1 &&
			grep 'error:' "$log" | head -1 | grep -q 'clauses stand in parentheses'
		point $? "$cc tells that clauses stand in parentheses: $loop"
	done
done
# One message says what to write instead, no other error comes with it, and few macros are named.
cat >"$work/loops" <<'END'
DLS_FOR(i, 0, 1.5)
DLS_FOR(i, 0.5, 10)
DLS_FOR(i, p, q)
DLS_PARALLEL_FOR_CHUNK(lo, hi, 0, p)
DLS_PARALLEL_FOR_2D(i, j, 0, p, 0, 9, .nowait = true)
DLS_FOR(i, 0, m)
DLS_FOR(i, m, 10)
DLS_FOR_2D(i, j, 0, 9, u, 9)
END
cp "$work/loops" "$work/loops++"
cat >>"$work/loops++" <<'END'
DLS_FOR(i, v.begin(), v.end())
DLS_FOR(i, l.begin(), l.end())
END
for cc in 'gcc -std=c11' 'gcc -std=gnu17 -fopenmp' 'clang -std=c11' 'g++ -std=c++11 -x c++' 'clang++ -std=c++20 -x c++'; do
	command -v ${cc%% *} >/dev/null || { skip "${cc%% *}" "no ${cc%% *}"; continue; }
	case $cc in *++*) loops=$work/loops++ ;; *) loops=$work/loops ;; esac
	judge "$loops" "$cc"
	k=0
	while read -r loop; do
		k=$((k + 1))
		log=$work/said.$k
		[ "$(grep -cs 'error:' "$log")" = 1 ] && grep -q 'error:.*in place of pointers and iterators write' "$log" &&
			[ "$(grep -c 'expan.* macro' "$log")" -le 3 ]
		point $? "${cc%% *} tells what to write for $loop"
	done <"$loops"
done
# Without an end the first error says how the macros are written.
cat >"$work/loops" <<'END'
DLS_PARALLEL_FOR(i, 9)
DLS_FOR(i, 9, .nowait = true)
DLS_FOR_CHUNK(lo, 0, 9)
DLS_FOR_2D(i, j, 0, 9, 9)
DLS_PARALLEL_FOR_WITH(i, 0, 9)
DLS_REDUCE(+, int, *p, i, 9)
END
for cc in 'gcc -std=c11' 'gcc -std=gnu17 -fopenmp' 'clang -std=c11 -ferror-limit=0' 'g++ -std=c++11 -x c++' \
	  'clang++ -std=c++20 -ferror-limit=0 -x c++'; do
	command -v ${cc%% *} >/dev/null || { skip "${cc%% *}" "no ${cc%% *}"; continue; }
	judge "$work/loops" "$cc"
	k=0
	while read -r loop; do
		k=$((k + 1))
		log=$work/said.$k
		grep -s 'error:' "$log" | head -1 | grep -q 'error:.*the end of a loop is missing'
		point $? "${cc%% *} tells first that an end is missing: $loop"
	done <"$work/loops"
done
log=$work/log
for cxx in g++ clang++; do
	need $cxx "$(package_of $cxx)" "$cxx -std=c++98" || continue
	printf '#include <dls.h>\n' >"$work/old.cc"
	$cxx -std=c++98 -Iinclude -fsyntax-only "$work/old.cc" 2>"$log"
	[ "$(grep -c 'error:' "$log")" -eq 1 ] && grep -q 'needs C++11' "$log"
	point $? "$cxx -std=c++98 is refused with one line"
done
finish
