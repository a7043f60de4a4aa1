#!/bin/sh
# memory.sh - an unmodified program under libdls-omp.so, whose requests for memory, files and threads are refused in turn, once and
# from there on: those of the library alone, not those of the program and its runtime.
#
# Fails if: the program crashes, hangs or has another result than with memory; a report or trace is missing without a word; or none is told that a
# watched loop without a record runs as its runtime deals it.
. test/sh.sh
plain_builds_only
glibc_builds_only
[ -f "$build/libdls-omp.so" ] || skip_all 'libdls-omp.so is not built'
export LD_LIBRARY_PATH="$(realpath "$build")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}:$work"
preload=libdls-omp.so	# by its name, as refuse.so, since LD_PRELOAD cannot quote a blank
${CC:-cc} -shared -fPIC -o "$work/refuse.so" test/refuse_tool.c -ldl -Wl,-z,defs 2>/dev/null && command -v timeout >/dev/null ||
	skip_all 'no timeout, or no C library whose malloc family can be preloaded'
export LC_ALL=C OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive OMP_DYNAMIC=false

# One request; false if there is none.
refuse() {	# number, 1 or nothing, variables
	k=$1 on=$2
	shift 2
	rm -f "$work/told" "$work/report.csv" "$work/trace.json"
	timeout 120 env "$@" REFUSE="$k" ${on:+REFUSE_ON=1} REFUSE_IN=libdls REFUSE_TOLD="$work/told" \
		LD_PRELOAD="$preload refuse.so" "$work/program" >"$work/out" 2>"$work/err"
	status=$?
	wrong=
	[ $status -eq 0 ] && [ "$(cat "$work/out")" = '0 wrong' ] || wrong="exit $status, $(head -n 1 "$work/out")"
	for file in report.csv trace.json; do
		case $* in *$file*) [ -s "$work/$file" ] || [ -s "$work/err" ] || wrong="$wrong no $file, and not a word" ;; esac
	done
	[ -z "$wrong" ] || echo "# request $k${on:+ and on}: $wrong: $(head -n 2 "$work/err" | tr '\n' ' ')"
	[ -e "$work/told" ] || return 1
}
each() {	# text, variables
	failed=0 k=0
	text=$1
	shift
	while refuse "$k" '' "$@"; do
		[ -z "$wrong" ] || failed=1
		refuse "$k" 1 "$@"
		[ -z "$wrong" ] || failed=1
		k=$((k + 1 + k / 30))
	done
	[ -z "$wrong" ] && [ "$k" -gt 0 ] || failed=1
	point $failed "$text, $k requests"
}
compiled() {	# compiler, its package, program
	need "$1" "$2" "$3" || return
	"$1" -O1 -g -fopenmp "$3" -o "$work/program" 2>/dev/null && return
	skip "$3" "$1 has no OpenMP (package libomp-dev for clang)"
	return 1
}
all="DLS_REPORT=$work/report.csv DLS_TRACE=$work/trace.json"
# shellcheck disable=SC2086 # words
if compiled gcc gcc test/omp/memory.c; then
	each 'gcc, watched' $all
	for k in 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		refuse $k '' DLS_REPORT="$work/report.csv"
		grep -h 'for the loop.s record' "$work/err"
	done >"$work/said"
	grep -q 'runs as its runtime deals it' "$work/said" && ! grep -q 'static blocks' "$work/said"
	point $? 'gcc, watched, a loop without a record'
	each 'gcc, fac2' DLS_SCHEDULE='fac2; main:steal' $all DLS_TUNE="$work/tune"
	each 'gcc, auto' DLS_SCHEDULE='auto; rest:rid'
fi
# shellcheck disable=SC2086
if compiled clang clang test/omp/memory.c; then
	each 'clang, fac2' DLS_SCHEDULE='fac2; main:native' $all
fi
finish
