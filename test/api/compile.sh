#!/bin/sh
# compile.sh - programs that include dls.h and dls.hpp: no warning from C11 to C++23, with and without OpenMP, by the compilers that
# are there; they run right, and their reductions have the same bits under every schedule, on every number of threads.  What is
# wrong is refused at its line.
#
# Fails if: a macro or dls.hpp draws a warning, or an error in the wrong place; a compiler, -fopenmp, DLS_SCHEDULE or the number of
# threads changes what a reduction gives; a loop of dls.hpp compiled without OpenMP runs as one compiled with it; what is wrong
# compiles, or its message does not say what is accepted; what a user's own code shadows goes unreported.
#
# runs: once
. test/sh.sh
plain_builds_only
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY-passive}"
schedules='static ss ss,100 gss steal awf-b'
case $("$bin/dls-chunks" -s nosuch 2>&1) in *' rid '*) schedules="$schedules rid" ;; esac

# What has no debug information is linked in half the time.
strip -g -o "$work/libdls.a" "$lib" 2>"$log" || cp "$lib" "$work"
bits=
runs() {	# text: the program prints nothing but nine numbers, those of all before it
	case $1 in *openmp*) under=$schedules ;; *) under=static ;; esac
	for schedule in $under; do
		DLS_SCHEDULE=$schedule "$work/program" || echo "wrong under $schedule"
	done 2>&1 | sort -u >"$log"
	bits=${bits:-$(cat "$log")}
	[ "$bits" = "$(cat "$log")" ] && [ "$(wc -w <"$log")" -eq 9 ]
	point $? "$1: right, and the bits of all"
}
build() {	# compiler, flags, object to make; none, and no -fsyntax-only: it is run
	need "$1" "$(package_of "$1")" "$1 $2" || return
	case $2 in *openmp*) need_openmp "$1" "$1 $2" || return ;; esac
	warn='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror'
	case $1 in *++*) warn="$warn -Wold-style-cast -Wzero-as-null-pointer-constant -x c++" ;; esac
	case "$1 $2" in *c++11*) ;; g++*) warn="$warn -Wuseless-cast" ;; esac
	case $2,$3 in
	*-fsyntax-only,) to= ;;
	*,*.o) to="-c -o $3" ;;
	*) to="-x none $work/libdls.a -lm -pthread -o $work/program" ;;
	esac
	rm -f "$work/program"
	succeeds "$1 $2" "$1" $2 -Iinclude $warn test/user/all.c $to
	case $to in *program) runs "$1 $2" ;; esac
}
build gcc -std=c11
build gcc '-std=c11 -O3 -fopenmp'
build clang -std=c11
build clang '-std=c11 -O2 -fopenmp'
for openmp in '' -fopenmp; do
	build gcc "-std=gnu17 $openmp -fsyntax-only"
	build clang "-std=gnu17 $openmp -fsyntax-only"
done
# Compilers warn in macros of installed headers too, where one writes a 0 for a pointer or a cast of C.
c11='-std=c++11 -isystem include'
for cxx in g++ clang++ g++-11 g++-13 g++-14 clang++-15 clang++-16 clang++-19; do
	command -v $cxx >/dev/null || case $cxx in *-*) continue ;; esac
	build $cxx "$c11 -fsyntax-only"
	build $cxx "$c11 -fopenmp -fsyntax-only"
	case $cxx in g++*) optimised=-O2 ;; *) optimised= ;; esac	# as g++ then warns of more
	build $cxx -std=c++17 "$work/without.o" && build $cxx "-std=c++2b -fopenmp $optimised" "$work/with.o" || continue
	for order in 'with.o without.o' 'without.o with.o'; do
		(cd "$work" && $cxx -fopenmp $order libdls.a -lm -pthread -o program) >"$log" 2>&1
		runs "$cxx -fopenmp: $order in one program"
	done
done

# Each case is function fN on line N of a source that each compiler reads once: flags it is tried with, what is said of it, the
# message's text.  "one": one error, in which few macros are named; "first": others may follow it; "nameless": in C a warning that
# every compiler gives; "at": an error of the line itself or for its sake; "shadow": one warning.
cat >"$work/cases" <<'END'
|right||DLS_FOR_2D(i, j, 0, 9, 0, 9, .name = 0)
|error||DLS_FOR_2D(i, j, 0, 9, 0, 9, .step = 2)
|error||DLS_FOR_2D(i, j, 0, 9, 0, 9.5)
|error||DLS_FOR_2D(i, j, 0, 9, 0)
|error||DLS_PARALLEL_FOR_WITH((), i, 0, 9, .stop = 2)
|nameless||DLS_PARALLEL_FOR(i, 0, 9, 4)
|nameless||DLS_FOR_2D(i, j, 0, 9, 0, 9, 4)
|nameless||int s = 0; DLS_REDUCE(+, int, s, i, 0, 9, 4)
openmp|first|clauses stand in parentheses|int s = 0; DLS_PARALLEL_FOR_WITH(reduction(+ : s), i, 0, 9)
openmp|first|clauses stand in parentheses|DLS_PARALLEL_FOR_CHUNK_WITH(num_threads(2), lo, hi, 0, 9)
|one|in place of pointers and iterators write|DLS_FOR(i, 0, 1.5)
|one|in place of pointers and iterators write|DLS_FOR(i, 0.5, 10)
|one|in place of pointers and iterators write|DLS_FOR(i, p, q)
|one|in place of pointers and iterators write|DLS_PARALLEL_FOR_CHUNK(lo, hi, 0, p)
|one|in place of pointers and iterators write|DLS_PARALLEL_FOR_2D(i, j, 0, p, 0, 9, .nowait = true)
|one|in place of pointers and iterators write|DLS_FOR(i, 0, m)
|one|in place of pointers and iterators write|DLS_FOR(i, m, 10)
|one|in place of pointers and iterators write|DLS_FOR_2D(i, j, 0, 9, u, 9)
c++ -std|one|in place of pointers and iterators write|DLS_FOR(i, v.begin(), v.end())
c++ -std|one|in place of pointers and iterators write|DLS_FOR(i, l.begin(), l.end())
|first|the end of a loop is missing|DLS_PARALLEL_FOR(i, 9)
|first|the end of a loop is missing|DLS_FOR(i, 9, .nowait = true)
|first|the end of a loop is missing|DLS_FOR_CHUNK(lo, 0, 9)
|first|the end of a loop is missing|DLS_FOR_2D(i, j, 0, 9, 9)
|first|the end of a loop is missing|DLS_PARALLEL_FOR_WITH(i, 0, 9)
|first|the end of a loop is missing|DLS_REDUCE(+, int, *p, i, 9)
|first|the operator is one of|double x = 0; DLS_REDUCE(-, double, x, i, 0, 9)
|first|the operator is one of|double x = 0; DLS_REDUCE(&, double, x, i, 0, 9)
|first|the operator is one of|int x = 0; DLS_REDUCE(plus, int, x, i, 0, 9)
|first|DLS_REDUCE_BY|pair x; DLS_REDUCE(+, pair, x, i, 0, 9)
|first|DLS_REDUCE_BY|__int128 x = 0; DLS_REDUCE(max, __int128, x, i, 0, 9)
|shadow||int x = 0, y = 0; DLS_REDUCE(+, int, x, i, 0, 9) { int y = i; x += y; } (void)y;
|shadow||int x = 0; DLS_REDUCE(+, int, x, i, 0, 9) { x += i; } { int x = 1; (void)x; }
HPP|at||dls::for_each(0, 1.5, [](int) {});
HPP|at||dls::for_each(std::istream_iterator<int>(std::cin), std::istream_iterator<int>(), [](int) {});
HPP|at||dls::inclusive_scan(l, l.begin());
HPP|at||dls::for_tiles_2d(0.0, 1.0, 0, 5, 1, 1, [](int, int, int, int) {});
HPP|at||dls::for_each(false, true, [](int) {});
HPP|at||dls::for_each(7, [](int) {});
HPP|at||dls::for_each(0, 5, [](int, unsigned) {});
HPP|at||dls::for_chunks(0, 5, [](int, int, int) {});
HPP|at||dls::for_each(0, 5, [](int, dls::worker = {}) {});
HPP|at||dls::for_each_2d(0, 5, 0, 5, [](int, int, double) {});
HPP|at||dls::transform_reduce(0, 5, 0, std::plus<>(), [](int, unsigned) { return 1; });
HPP|somewhere|what an input iterator gives|
HPP|somewhere|a scan writes to a random-access iterator|
HPP|somewhere|loop over tiles are integers|
END
cat >"$work/declarations.h" <<'END'
#ifdef HPP
#include <dls.hpp>
#include <iostream>
#endif
#include <dls.h>
extern int *p, *q;
extern __int128 m;
extern unsigned __int128 u;
typedef struct { int x; } pair;
#ifdef __cplusplus
#include <list>
#include <vector>
extern std::vector<int> v;
extern std::list<int> l;
#endif
END
for cc in 'gcc -std=c11' 'gcc -std=gnu17 -fopenmp' 'clang -std=c11 -ferror-limit=0 -fopenmp' 'g++ -x c++ -std=c++11' \
	  'g++ -x c++ -DHPP -std=c++17 -fopenmp' 'clang++ -x c++ -std=c++20 -ferror-limit=0' \
	  'clang++ -x c++ -DHPP -std=c++17 -ferror-limit=0 -fopenmp'; do
	need "${cc%% *}" "$(package_of "${cc%% *}")" "$cc on what is wrong" || continue
	case $cc in *openmp) need_openmp "${cc%% *}" "$cc on clauses without parentheses" || cc=${cc% *} ;; esac
	awk -F'|' -v cc="$cc" '$1 == "" ? cc !~ /HPP/ : index(cc, $1)' "$work/cases" >"$work/tried"
	awk -F'|' '{ print "void f" NR "(void) { " $4 " {} }" }' "$work/tried" >"$work/wrong.c"
	$cc -Wshadow -Iinclude -fsyntax-only -include "$work/declarations.h" "$work/wrong.c" >"$work/said" 2>&1
	awk -F'|' -v file="$work/said." '
		NR == FNR { rule[NR] = $2; text[NR] = $3; code[NR] = $4; cases = NR; next }
		match($0, /In function .*f[0-9]+/) { k = substr($0, RSTART, RLENGTH); sub(/.*f/, "", k) }
		match($0, /wrong\.c:[0-9]+:[0-9]+: .*(error:|warning:|required from here|requested here)/) {
			k = substr($0, RSTART + 8)
			sub(/:.*/, "", k)
			at[k] += !/warning:/
		}
		k && lines[k]++ < 30 { said[k] = said[k] $0 "\n" }
		/error:/ && !errors[k]++ { first[k] = $0 }
		/error:/ { all = all $0 }
		/expan.* macro/ { macros[k]++ }
		/warning: excess elements in struct/ { excess[k]++ }
		/warning:.*shadow/ { shadows[k]++ }
		END {
			for (k = 1; k <= cases; k++) {
				ok["right"] = !errors[k]
				ok["error"] = errors[k]
				ok["nameless"] = errors[k] || excess[k]
				ok["first"] = first[k] ~ text[k]
				ok["one"] = ok["first"] && errors[k] == 1 && macros[k] <= 3
				ok["shadow"] = !errors[k] && shadows[k] == 1
				ok["at"] = at[k]
				ok["somewhere"] = all ~ text[k]
				print !ok[rule[k]], k, rule[k], text[k] ": " code[k]
				if (!ok[rule[k]])
					printf "%s", said[k] >(file k)
			}
		}' "$work/tried" "$work/said" >"$work/judged"
	while read -r status k text; do
		log=$work/said.$k
		point "$status" "${cc%% *}: $text"
	done <"$work/judged"
	rm -f "$work"/said.*
done
log=$work/log
for old in '-std=c++98 dls.h C++11' '-std=c++14 dls.hpp C++17'; do
	for cxx in g++ clang++; do
		need $cxx "$(package_of $cxx)" "$cxx $old" || continue
		set -- $old
		echo "#include <$2>" | $cxx $1 -Iinclude -fsyntax-only -x c++ - 2>"$log"
		[ "$(grep -c 'error:' "$log")" -eq 1 ] && grep -q "needs $3" "$log"
		point $? "$cxx $1 is refused with one line"
	done
done
finish
