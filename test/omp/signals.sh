#!/bin/sh
# signals.sh - programs under dls-run that a signal ends, or in which no loop is seen.
#
# Fails if: a report, trace or advice is not written when SIGTERM ends the program, or the parent sees another end; a program in which no
# loop is seen says nothing, says more than a line, or loses its status; a helper that it starts says so too.
. test/omp.sh
under_dls_run

cat >"$work/program.c" <<'END_C'
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* none: ends without a loop; helpers: the same, after two of them; else runs loops, and is ended by SIGTERM within one, from when on
   they are few, so that none is beyond the trace's limit. */
int main(int argc, char **argv)
{
	volatile double sum = 0;

	if (argc > 1)
		return argv[1][0] == 'h' && system("bash -c true; cat /dev/null; ls /") != 0 ? 1 : 7;
	for (int k = 0; k < 100000; k++) {
		if (k > 20)
			usleep(10000);
#pragma omp parallel for schedule(dynamic, 4)
		for (int i = 0; i < 200; i++) {
			if (i == 0)
				sum = i;
			if (k == 20 && i == 0)
				kill(getpid(), SIGTERM);
		}
	}
	return 7;
}
END_C
${CC:-cc} -g -O1 -fopenmp "$work/program.c" -o "$work/program" 2>"$log" || skip_all 'the compiler has no OpenMP'

"$dls_run" --report "$work/r.csv" --trace "$work/t.json" "$work/program" >"$work/out" 2>"$log"
same 'SIGTERM: the status' 143 $?	# of which the shell may tell, too
! grep -q libdls "$log" && [ "$(grep -c '^"program.c:[0-9]*",.*,all,' "$work/r.csv")" -eq 1 ]
point $? '... the report has the loop'
grep -q '"site":"program.c:' "$work/t.json" && [ "$(tail -n 1 "$work/t.json")" = ']}' ]
point $? '... the trace too'
"$dls_run" --advise "$work/program" >"$work/out" 2>"$log"
same 'SIGTERM: the status with advice' 143 $?
head -n 1 "$log" | grep -q '^libdls: The program ran' && grep -q '^libdls: .* was spent in parallel regions' "$log"
point $? '... which is printed, the verdict first'

for how in none helpers; do
	rm -f "$work/r.csv"
	"$dls_run" --report "$work/r.csv" "$work/program" $how >"$work/out" 2>"$log"
	same "$how: the status" 7 $?
	[ "$(wc -l <"$log")" -eq 1 ] && [ ! -e "$work/r.csv" ] &&
		grep -q '^libdls: DLS_REPORT=".*/r.csv": no loop was seen in process [0-9]* (program); no report is written$' "$log"
	point $? '... one line says that no loop was seen'
done
"$dls_run" --advise "$work/program" helpers >"$work/out" 2>"$log"
same 'no region: the status' 7 $?
[ "$(wc -l <"$log")" -eq 1 ] && grep -q '^libdls: no parallel region was seen in process [0-9]*; there is nothing to advise$' "$log"
point $? '... one line says that there is nothing to advise'
finish
