#!/bin/sh
# reduce_compile.sh - reductions in users' programs: no warning in C11 and C++17; the same bits with and without OpenMP, under
# every schedule, on every number of threads; bodies vectorise; what an operator cannot do is refused.
#
# Fails if: a macro draws a warning, as of shadowing for the variable inside; -fopenmp, DLS_SCHEDULE or OMP_NUM_THREADS changes
# what the program prints; a wrong operator compiles, or its message does not say what is accepted; the variable inside cannot
# stay in a register, so that a body is not vectorised; what a user's own code shadows goes unreported.
#
# runs: machines
. test/sh.sh
plain_builds_only
warn='-O2 -Wall -Wextra -Wshadow -Wpedantic -Werror -Iinclude'
for cc in 'gcc -std=c11' 'gcc -std=c11 -O3' 'gcc -std=gnu17 -O0' 'clang -std=c11' 'g++ -std=c++17' 'clang++ -std=c++11' \
	  'g++ -std=c++20 -O0'; do
	need "${cc%% *}" "$(package_of "${cc%% *}")" "$cc" || continue
	case $cc in *++*) source=test/user/reduce.cc ;; *) source=test/user/reduce.c ;; esac
	$cc $warn ${cc#* } $source "$lib" -lm -pthread -o "$work/serial" >"$log" 2>&1
	point $? "$cc without OpenMP"
	want=$("$work/serial" 2>>"$log") || want=failed
	same "$cc: nine numbers" 9 "$(echo "$want" | wc -w | tr -d ' ')"
	need_openmp "${cc%% *}" "$cc -fopenmp" || continue
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
for cc in 'gcc -std=c11' 'g++ -std=c++17 -x c++' 'clang -std=c11' 'clang++ -std=c++17 -x c++'; do
	need "${cc%% *}" "$(package_of "${cc%% *}")" "$cc: shadowing in bodies" || continue
	printf '#include <dls.h>\nint f(int x, int y);\nint f(int x, int y) {\nDLS_REDUCE(+, int, x, i, 0, 9) {\nint y = i; x += y; }\n{ int y = x; return y; } }\n' \
		>"$work/shadow.c"
	$cc -Wshadow -Iinclude -fsyntax-only "$work/shadow.c" 2>"$log"
	same "$cc: what the user shadows is reported, in bodies and behind" '5 6' \
		"$(echo $(sed -n 's/.*shadow.c:\([0-9]*\):.*warning.*/\1/p' "$log"))"
done
# One reduction a line: operator, type, what the message says.  Each compiler reads all at once; a message belongs to the line of its
# function, which gcc names before it and clang in it.
cat >"$work/wrong" <<'END'
- double the operator is one of
& double the operator is one of
plus int the operator is one of
+ pair DLS_REDUCE_BY
max __int128 DLS_REDUCE_BY
END
{
	printf '#include <dls.h>\ntypedef struct { int x; } pair;\n'
	awk '{ print "void f" NR + 2 "(" $2 " x) { DLS_REDUCE(" $1 ", " $2 ", x, i, 0, 9) { } }" }' "$work/wrong"
} >"$work/wrong.c"
for cc in 'gcc -std=c11' 'clang -std=c11 -ferror-limit=0' 'g++ -std=c++17 -x c++' 'clang++ -std=c++17 -ferror-limit=0 -x c++'; do
	command -v ${cc%% *} >/dev/null || { skip "${cc%% *}" "no ${cc%% *}"; continue; }
	$cc -w -Iinclude -fsyntax-only "$work/wrong.c" 2>&1 | awk '
		match($0, /In function .*f[0-9]+/) { k = substr($0, RSTART, RLENGTH); sub(/.*f/, "", k) }
		match($0, /wrong\.c:[0-9]+:[0-9]+: error:/) { k = substr($0, RSTART + 8); sub(/:.*/, "", k) }
		/error:/ { print k ": " $0 }' >"$log"
	k=2
	while read -r operator type message; do
		k=$((k + 1))
		grep -q "^$k: .*$message" "$log"
		point $? "${cc%% *} refuses $operator for $type"
	done <"$work/wrong"
done
finish
