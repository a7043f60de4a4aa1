#!/bin/sh
# own.sh - a program with loops of libdls and of OpenMP, under dls-run.
#
# Fails if: an iteration of either does not run exactly once, also where both are in one region; the loops of both are not in
# one report where the program is linked with libdls.so; or a program with libdls.a, which has a library of its own, does not
# say that one of the two writes no report; --advise takes a loop of libdls for a static one of its region; auto begins a loop with
# another schedule than the program's; multiple= is lost with a schedule that may not run in a loop's place; an OpenMP loop of one
# measured thread forgets whose body it is in; the line that repeats what auto has chosen lacks a loop; or the forms of a report differ in
# which schedule ran, by entry or in place of another.
#
# runs: check
. test/omp.sh
under_dls_run
[ "${OPENMP--fopenmp}" ] || skip_all 'the compiler has no OpenMP'

cat >"$work/own.c" <<'END_C'
#include <dls.h>
#include <stdio.h>

enum { N = 1000, RUNS = 5, LOOPS = 7 };
static int count[N];

static void count_all(void)
{
#pragma omp parallel for schedule(dynamic, 3)
	for (int i = 0; i < N; i++)
		count[i]++;
}

int main(int n, char **file)
{
	int wrong = 0;

	for (int k = 0; k < RUNS; k++) {
		DLS_PARALLEL_FOR(i, 0, N, .name = "first")
			count[i]++;
		count_all();
#pragma omp parallel for schedule(dynamic, 3)
		for (int i = 0; i < N; i++)
			count[i]++;
		DLS_PARALLEL() {
			DLS_FOR(i, 0, N, .name = "second")
				count[i]++;
#pragma omp for schedule(guided)
			for (int i = 0; i < N; i++)
				count[i]++;
		}
#pragma omp parallel
		{
#pragma omp for schedule(dynamic, 5) nowait
			for (int i = 0; i < N; i++) {
#pragma omp atomic
				count[i]++;
			}
			DLS_FOR(i, 0, N, .name = "third") {
#pragma omp atomic
				count[i]++;
			}
		}
	}
	for (int i = 0; i < N; i++)
		wrong += count[i] != RUNS * LOOPS;
	for (int k = 1; k < n; k++)
		wrong += dls_report(file[k]) != 0;
	printf("%d wrong\n", wrong);
	return wrong > 0;
}
END_C
compile() {	# source, libraries
	source=$1
	shift
	# shellcheck disable=SC2086 # words
	${CC:-cc} -g -O1 -fopenmp -Iinclude "$work/$source.c" "$@" -lm -pthread -o "$work/own" 2>"$log" || bail 'cannot compile'
}
right() {	# text, options
	text=$1
	shift
	(cd "$work" && "$dls_run" "$@" ./own) >"$log" 2>&1
	point $? "$text"
}
# Without the phases of regions that have no loop, which are told if a thread is held up in them.
loops() {
	grep -v '^[^,]*,"static","parts",' "$work/report.csv" | cut -d, -f1 | sort -u >"$log"
	grep -cvx site "$log"
}

compile own "$build/libdls.so" -Wl,-rpath,"$(realpath "$build")"
for schedule in static ss fac2 awf-b auto steal; do
	right "libdls.so, $schedule" --schedule "$schedule"
done
right 'libdls.so, measured' --report report.csv
[ "$(loops)" -eq 7 ] && grep -q first "$log" && grep -q second "$log" && grep -q third "$log"
point $? 'libdls.so, one report'
# The first execution under auto runs the program's own schedule.
(cd "$work" && "$dls_run" --schedule auto --report auto.json ./own) >"$log" 2>&1
grep -q '"ran": "ss,2"' "$work/auto.json" && grep -q '"ran": "ss,4"' "$work/auto.json" && grep -q '"ran": "gss"' "$work/auto.json"
point $? 'libdls.so, auto begins with what the program asked for'
# A schedule that may not run in its place keeps what its chunks are multiples of: one chunk a loop.
for schedule in auto steal rid; do
	(cd "$work" && "$dls_run" --schedule "$schedule,multiple=1024" --report multiple.txt ./own) >"$log" 2>&1
	same "libdls.so, $schedule,multiple=1024: loops of one chunk" '7 of 7' \
		"$(awk '$1 == "schedule" { loop = /multiple=1024/ }
			loop && $1 == "measured" { n++; whole += $2 + 0 == $7 } END { print whole " of " n }' "$work/multiple.txt")"
done
# Which schedule ran: by a loop's entry, its function's, in place of one that may not run, dealt by the runtime, chosen by auto.
ran() {	# text, schedules, what is expected of which loops
	for file in place of_trace.csv advice.csv; do
		: >"$work/$file"
	done
	printf '%s\n' "$3" '*' >"$work/expected"
	(cd "$work" && "$dls_run" --schedule "$2" --report own.txt ./own ran.txt ran.csv ran.json ran.html) >"$log" 2>&1 &&
		"$bin/dls-advise" --csv "$work/ran.json" >"$work/advice.csv" 2>>"$log"
	python3 test/api/ran.py "$work" - >"$log" 2>&1 && [ ! -s "$log" ]
	point $? "libdls.so, which schedule ran: $1"
}
if need python3 python3 'which schedule ran'; then
	line=$(grep -n 'pragma omp parallel for' "$work/own.c" | sed -n '2s/:.*//p')
	ran 'entries' "steal; own.c:$line:ss,7; count_all:ss,9" "own.c:$line|ss,7>ss,7
own.c:$((line + 7))|fac2>fac2
first|steal>steal
second|steal>steal"
	ran 'native' "own.c:$line:native" "own.c:$line|ss,3>ss,3
first|auto>?"
	ran 'auto' auto "own.c:$line|monotonic:auto>?
third|auto>?"
fi
# A shell runs the program with the line that repeats auto's choices: nothing is left to auto.
(cd "$work" && "$dls_run" --schedule auto --advise ./own) >"$log" 2>&1
line=$(grep "^DLS_SCHEDULE='" "$log")
(cd "$work" && sh -c "$line '$dls_run' --report repeated.txt ./own") >>"$log" 2>&1
[ "$(echo "$line" | tr ';' '\n' | wc -l)" -ge 5 ] && grep -q '^  schedule ' "$work/repeated.txt" &&
	! grep -q '^  schedule .*auto' "$work/repeated.txt"
point $? 'libdls.so, what auto has chosen runs again'
# Each loop of libdls once, by its name: seven, of which only OpenMP's own four are told by their lines; and two regions have phases.
(cd "$work" && "$dls_run" --advise ./own) >"$log" 2>&1
grep -q ' [789] loops' "$log" && ! grep -q 'omp\.h:' "$log"
point $? 'libdls.so, advice on each loop once'

cat >"$work/inside.c" <<'END_C'
#include <dls.h>

int main(void)
{
	int wrong = 0;

	DLS_FOR(i, 0, 1) {
#pragma omp parallel for schedule(dynamic) num_threads(1)
		for (int j = 0; j < 10; j++)
			;
		wrong = dls_for_cancel();
	}
	return wrong;
}
END_C
compile inside "$build/libdls.so" -Wl,-rpath,"$(realpath "$build")"
right 'an OpenMP loop of one thread inside a body' --report report.csv

compile own "$lib"
right 'libdls.a, fac2' --schedule fac2
right 'libdls.a, measured' --report report.csv
if proc_can_be_written; then
	grep -q 'another copy of libdls; no report is written' "$log"
	point $? 'libdls.a, it is said that one report is not written'
else
	skip 'libdls.a, it is said that one report is not written' '/proc cannot be written'
fi
finish
