#!/bin/sh
# fork.sh - a program under dls-run that forks while another thread is within the library.
#
# Fails if: the child, in which there is no other thread, waits for a lock that this holds.
#
# runs: check
. test/omp.sh
under_dls_run

for compiler in gcc clang; do
	need_openmp $compiler || continue
	$compiler -O1 -g -fopenmp -rdynamic -Wl,-z,now test/omp/fork.c -o "$work/program" -lpthread -ldl 2>"$log" || bail "$compiler cannot compile"
	for options in '--schedule fac2' "--report $work/r.csv"; do
		# shellcheck disable=SC2086 # words
		same "$compiler: ${options% *}" 'child right, thread right' "$("$dls_run" $options "$work/program" 2>&1)"
	done
done
finish
