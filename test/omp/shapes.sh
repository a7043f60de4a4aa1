#!/bin/sh
# shapes.sh - loops of many shapes, compiled by gcc and by clang, unmodified, under libdls-omp.so: each iteration exactly once,
# results as by one thread.  `make check T=omp/shapes SHAPES=all` runs every schedule, with and without
# DLS_OMP=unordered, on two threads, too.
#
# runs: machines, once
. test/omp.sh
preloaded

schedules='fac2 steal rid' orders=unordered threads=4
[ "${SHAPES-}" != all ] ||
	{ schedules='static ss gss fac2 awf-b af steal frac rid auto' orders='ordered unordered' threads='2 4'; }

# Run the program, which says what is wrong; on stderr there may be what runs in place of a schedule.
runs() {	# text, arguments of the program
	text=$1
	shift
	test/within.sh 300 env LD_PRELOAD="$preload" "$program" "$@" >"$work/out" 2>"$work/err"
	code=$?
	{ cat "$work/out"; grep -v '^libdls: .*; running ' "$work/err"; } >"$log"
	[ $code -eq 0 ] && [ "$(cat "$log")" = "$shapes" ]
	point $? "$text"
}

# Whether loops can be cancelled at all: with clang 11 libomp often hangs in them by itself.
cancels() {
	for _ in 1 2 3 4; do
		OMP_CANCELLATION=true OMP_NUM_THREADS=4 test/within.sh 20 "$program" 1 forgets >/dev/null 2>&1
		[ $? -ne 124 ] || return
	done
	cancellation=true
}

all() {	# compiler, what libomp forgets or cannot do
	cancellation=false
	cancels
	[ $cancellation = true ] || skip "$1: cancelled loops" 'the program does not end without libdls-omp.so either, for its runtime hangs'
	for OMP_NUM_THREADS in $threads; do
		export OMP_NUM_THREADS
		with="$1, $OMP_NUM_THREADS threads"
		OMP_CANCELLATION=$3 runs "$with: unset" 1 $2
		OMP_CANCELLATION=$3 DLS_REPORT=$work/r.json runs "$with: measured" 1 $2
		for order in $orders; do
			for s in $schedules; do
				OMP_CANCELLATION=$cancellation DLS_OMP=${order#ordered} DLS_SCHEDULE=$s runs "$with: $s, $order" 1
			done
		done
		DLS_REPORT=$work/r.json DLS_OMP=unordered DLS_SCHEDULE=steal runs "$with: steal, measured" 1
	done
}

shapes='64 shapes'
program=$work/gcc
if need_openmp gcc; then
	gcc -O2 -fopenmp -w test/omp/shapes.c -o "$program" 2>"$log" || bail 'gcc cannot compile test/omp/shapes.c'
	all gcc '' true
	# One thread opens the loop, of 100 or of 200 iterations, and runs it all; the other runs half of its own.
	cat >"$work/ends.c" <<'END'
#include <omp.h>
#include <stdio.h>

int main(void)
{
	int ran[2] = { 0, 0 };

#pragma omp parallel num_threads(2)
	{
		int mine = 0;

#pragma omp for schedule(dynamic) nowait
		for (int i = 0; i < 100 + 100 * omp_get_thread_num(); i++)
			mine++;
		ran[omp_get_thread_num()] = mine;
	}
	printf("%d %d\n", ran[0], ran[1]);
}
END
	gcc -O1 -fopenmp -w "$work/ends.c" -o "$work/ends" 2>"$log" && got=$(test/within.sh 300 env LD_PRELOAD="$preload" DLS_SCHEDULE=fac2 "$work/ends" 2>"$log") &&
		{ [ "$got" = '100 100' ] || [ "$got" = '50 200' ]; } && [ "$(wc -l <"$log")" -eq 1 ] &&
		grep -q 'a thread comes to a loop of .00 iterations while its team is in one of .00; it runs its static block$' "$log"
	point $? 'gcc: threads that come to one loop with other ends, which their program may not'
fi

# libomp forgets last values and stops by an assertion in cancelled loops where it lets threads steal.
program=$work/clang
if need_openmp clang; then
	clang -O2 -fopenmp -w test/omp/shapes.c -o "$program" 2>"$log" || bail 'clang cannot compile test/omp/shapes.c'
	all clang forgets false
fi
finish
