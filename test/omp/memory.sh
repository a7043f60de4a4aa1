#!/bin/sh
# memory.sh - an unmodified program under libdls-omp.so, whose requests for memory, files and threads are refused, the first and the last
# from each place of the library, alone and with all later ones: not those of the program and its runtime.
#
# Fails if: the program crashes, hangs or has another result than with memory; a report or trace is missing without a message; or no
# message says that a measured loop without a record runs as its runtime deals it.
#
# runs: once
. test/omp.sh
preloaded
. test/refuse.sh
export OMP_NUM_THREADS=3
# A place that an earlier program was refused at is refused once more, with all later ones.
pick='
	BEGIN { while ((getline <seen) > 0) known[$1]; close(seen) }
	!($1 in last) { if (!($1 in known)) print NR; print NR, "on"; print $1 >>seen }
	{ last[$1] = NR }
	END { for (place in last) if (!(place in known)) print last[place] }'
: >"$work/seen"

attempt() {	# variables
	: >"$work/report.csv" >"$work/trace.json"
	(export "$@" REFUSE_IN=libdls LD_PRELOAD="$preload refuse.so" && exec "$work/program") \
		>"$work/out" 2>"$work/err"
	status=$?
	said=
	read -r said <"$work/out"
	[ $status -eq 0 ] && [ "$said" = '0 wrong' ] || wrong="exit $status, $said"
	for file in report.csv trace.json; do
		case $* in *$file*) [ -s "$work/$file" ] || [ -s "$work/err" ] || wrong="$wrong no $file, and not a word" ;; esac
	done
}
each() {	# text, variables
	text=$1
	shift
	refuse_each "$@"
	point $? "$text, $k requests"
}
compiled() {	# compiler
	need_openmp "$1" test/omp/memory.c || return
	"$1" -O1 -g -fopenmp test/omp/memory.c -o "$work/program" 2>"$log" || bail "$1 cannot compile test/omp/memory.c"
}
all="DLS_REPORT=$work/report.csv DLS_TRACE=$work/trace.json"
# shellcheck disable=SC2086 # words
if compiled gcc; then
	each 'gcc, measured' $all
	for k in 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		refuse $k '' DLS_REPORT="$work/report.csv"
		grep -h 'for the loop.s record' "$work/err"
	done >"$work/said"
	grep -q 'runs as its runtime deals it' "$work/said" && ! grep -q 'static blocks' "$work/said"
	point $? 'gcc, measured, a loop without a record'
	each 'gcc, fac2' DLS_SCHEDULE='fac2; main:steal' $all
	each 'gcc, auto' DLS_SCHEDULE='auto; rest:rid'
fi
# shellcheck disable=SC2086
if compiled clang; then
	each 'clang, fac2' DLS_SCHEDULE='fac2; main:native' $all
fi
finish
