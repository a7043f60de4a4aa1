#!/bin/sh
# functions.sh - entries of DLS_SCHEDULE and names in the report by function.
#
# Fails if: an entry for a function does not reach the loops in it, or reaches those of another, under gcc or clang, with debug
# information or not, in a region that is the loop, in one with several, orphaned, static, in C++ by its name as mangled or, where
# clang says it, in the source, or in a stripped library; an iteration does not run exactly
# once; the report does not have the function; or something without symbols gets one.
#
# runs: once
. test/omp.sh
under_dls_run

# The loops that ran under the entry, with their executions; the first one of a static loop is the runtime's.
under() {	# text, wanted, function
	got=$("$dls_run" --schedule "$3:tss" --report "$work/r.csv" "$work/program" 2>"$log")
	same "$1: $3" "0 wrong; $2" "$got; $(sed -n 's/^"[^"]*","\([^"]*\)",[^,]*,[^,]*,"\([^"]*\)",all.*/\1 \2/p' "$work/r.csv" |
		sed -n 's/static; tss 1; /tss /; /tss/p' | tr '\n' ';')"
}
all() {	# text
	under "$1" 'tss 5;' relax
	under "$1" 'tss 5;' orphaned
	under "$1" 'tss 5;' region
	under "$1" 'tss 4;' plain
	under "$1" '' main
	under "$1" '' elax
	"$dls_run" --report stderr "$work/program" >"$work/report" 2>&1
	for function in relax orphaned region plain; do
		holds "$1: $function is in the report" grep -q "%.* (.*$function.*)\$" "$work/report"
	done
}
for compiler in gcc clang; do
	need_openmp $compiler || continue
	for how in '-O2 -g' '-O2 -g0' '-O0 -g0'; do
		# shellcheck disable=SC2086 # words
		$compiler $how -fopenmp test/omp/functions.c -o "$work/program" 2>"$log" || bail "$compiler cannot compile"
		all "$compiler $how"
	done
	# shellcheck disable=SC2086
	if $compiler -x c++ -O2 -g -fopenmp test/omp/functions.c -o "$work/program" 2>"$log"; then
		under "$compiler, C++" 'tss 5;' _ZN5space5relaxEi
		[ $compiler = gcc ] || under "$compiler, C++" 'tss 5;' space::relax
	else
		skip "$compiler, C++" 'it does not compile C++ (package g++)'
	fi
	if $compiler -DLIBRARY -s -O0 -fopenmp -shared -fPIC test/omp/functions.c -o "$work/library.so" 2>"$log"; then
		printf 'int run(void);\nint main(void) { return run(); }\n' >"$work/main.c"
		(cd "$work" && $compiler main.c ./library.so -Wl,-rpath,. -o program) 2>"$log" || bail 'cannot link'
		(cd "$work" && DLS_SCHEDULE='relax:tss' "$dls_run" --report r.csv ./program) >"$work/out" 2>"$log" &&
			[ "$(cat "$work/out")" = '0 wrong' ] && grep -q '^"library.so+0x[^"]*","tss","tss"' "$work/r.csv"
		point $? "$compiler: a stripped library, by the function that it exports"
	fi
	$compiler -s -O2 -fopenmp test/omp/functions.c -o "$work/program" 2>"$log" || continue
	"$dls_run" --report stderr "$work/program" >"$work/report" 2>&1
	holds "$compiler: stripped, no function" grep -q '%.*program+0x[0-9a-f]*$' "$work/report"
done

finish
