#!/bin/sh
# static.sh - dls-run: static loops under entries of their own, phases, names, advice.
. test/omp.sh
tool=$bin/dls-run

# The first execution is native; results are as without the library.
statics() {	# compiler
	"$1" -O2 -g -fopenmp -w test/omp/static.c -o "$work/$1" 2>"$log" || bail "$1 cannot compile test/omp/static.c"
	wanted=$("$work/$1")
	for s in fac2 ss steal awf-b static; do
		same "$1: a static loop under $s" "$wanted" "$("$tool" --schedule "static.c:23:$s" "$work/$1" 2>"$log")"
	done
	"$tool" --schedule 'static.c:23:fac2' --report "$work/r.csv" "$work/$1" >/dev/null 2>"$log"
	LC_ALL=C grep -q '^"static.c:23","static; fac2","[a-z]*; fac2","; ","1; 9",all' "$work/r.csv"
	point $? "$1: the first execution is the runtime's"
	for line in 29 38; do
		same "$1: another region is left alone, line $line" "$wanted" \
			"$("$tool" --schedule "static.c:$line:fac2" "$work/$1" 2>"$work/err")"
		grep -q "static.c:$line: the region is not one static loop alone" "$work/err"
		point $? '... in words'
	done
	"$tool" --advise "$work/$1" 6000 6 >/dev/null 2>"$log"
	holds "$1: --advise names the loop" grep -q "1. static.c:23, .* % less (predicted)" "$log"
	OMP_NUM_THREADS=1 "$tool" --advise "$work/$1" >"$work/out" 2>"$log"
	holds "$1: one thread, a verdict" grep -q 'loops*\.  Nothing to gain: one thread ran the loops\.$' "$log"
	"$tool" --report stderr "$work/$1" >/dev/null 2>"$log"
	grep -q 'serial, between regions$' "$log" && grep -q '^static.c:23 (main)$' "$log" && grep -q 'executions  10' "$log"
	point $? "$1: a report of a program that nobody prepared"
	[ "$1" = clang ] && return
	grep -q "^  executions  .*; a thread's part counts as one iteration" "$log"
	point $? "$1: it says that no iterations are counted"
}

# Names of loops in regions, whose bounds are variables: the directive's line or the for's, at every level of
# optimization; of a phase that of its first loop.
cat >"$work/names.c" <<'END_C'
static volatile int a[400000];
int n = 400000;
int main(void)
{
	for (int r = 0; r < 3; r++) {
#pragma omp parallel
		{
#pragma omp for schedule(dynamic, 10000)
			for (int i = 0; i < n; i++)
				a[i]++;
#pragma omp for schedule(guided)
			for (int i = 0;
			     i < n;
			     i++)
				a[i]++;
		}
#pragma omp parallel
		{
#pragma omp for
			for (int i = 0; i < n; i++)
				a[i]++;
#pragma omp single
			a[0]++;
		}
	}
	return 0;
}
END_C
names() {	# compiler
	for level in 0 1 2 3 s; do
		"$1" -O$level -g -fopenmp "$work/names.c" -o "$work/names" 2>"$log" || bail "$1 cannot compile names.c"
		"$tool" --report "$work/n.csv" "$work/names" 2>"$log"
		same "$1 -O$level: names of loops in regions" '1 1 1' "$(for lines in '[89]' '1[1-4]' '19\|20'; do
			grep -c "^\"names.c:\($lines\)\",.*,all," "$work/n.csv"; done | paste -sd' ' -)"
	done
}

# In Fortran a body asks for its thread's number by another name.
if need gfortran gfortran 'Fortran: the number of the thread'; then
	cat >"$work/number.f90" <<'END_F'
program number
  use omp_lib
  integer :: i, k, me, part(0:63) = 0
  do k = 1, 3
    !$omp parallel private(me)
    me = omp_get_thread_num()
    part(me) = 0
    !$omp do
    do i = 1, 1000
      part(me) = part(me) + i
    end do
    !$omp end do nowait
    !$omp end parallel
  end do
  print '(i0)', sum(part)
end program
END_F
	gfortran -O2 -g -fopenmp "$work/number.f90" -o "$work/number" 2>"$log" || bail 'gfortran cannot compile'
	same 'Fortran: the number of the thread' 500500 "$("$tool" --schedule 'number.f90:5:fac2' "$work/number" 2>"$log")"
	grep -q 'number.f90:5: the region is not one static loop alone' "$log"
	point $? '... and the entry is not used'
fi

# A region that was one static loop alone when it first ran, and then is not: no result is right under its entry.
cat >"$work/change.c" <<'END_C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	long sum = 0;
	for (int r = 0; r < 5; r++) {
#pragma omp parallel reduction(+ : sum)	/* line 7 */
		{
#pragma omp for nowait
			for (int i = 0; i < 1000; i++)
				sum += i;
			if (argc > 1 && r >= atoi(argv[1])) {
#pragma omp barrier
			}
		}
	}
	printf("%ld\n", sum);
	return 0;
}
END_C
changes() {	# compiler
	"$1" -O2 -g -fopenmp -w "$work/change.c" -o "$work/change" 2>"$log" || bail 'cannot compile change.c'
	same "$1: a region that stays as it was" 2497500 "$("$tool" --schedule change.c:7:fac2 "$work/change" 2>"$log")"
	holds '... without a word' [ ! -s "$log" ]
	same "$1: one that never was one loop" 2497500 "$("$tool" --schedule change.c:7:fac2 "$work/change" 0 2>"$log")"
	(ulimit -c 0; exec "$tool" --schedule change.c:7:fac2 "$work/change" 2 >"$work/out" 2>"$work/err") 2>/dev/null
	same "$1: one that changes ends the program" 134 $?
	[ ! -s "$work/out" ] && grep -q 'change.c:7: the region was one static loop alone when it first ran, and is not now' "$work/err"
	point $? '... in words'
}

# Of many short chunks most are timed together, and all are counted.
cat >"$work/short.c" <<'END_C'
int main(void)
{
#pragma omp parallel for schedule(dynamic, 3)
	for (int i = 0; i < 100001; i++)
		__asm__ volatile("");
	return 0;
}
END_C
short() {	# compiler
	"$1" -O1 -g -fopenmp "$work/short.c" -o "$work/short" 2>"$log" || bail "$1 cannot compile"
	"$tool" --report "$work/s.csv" "$work/short" 2>"$log"
	same "$1: short chunks, all counted" '100001 33334 100001' \
		"$(sed -n 's/^"short.c:3",.*,all,2,1,\([0-9]*\),1,\([0-9]*\),\([0-9]*\),.*/\1 \2 \3/p' "$work/s.csv")"
}
for compiler in gcc clang; do
	need_openmp $compiler || continue
	for these in statics names changes short; do $these $compiler; done
done

# Clang asks for the first block of schedule(static, k) alone: what each thread has of it follows from its number.
if [ -x "$work/clang" ]; then
	cat >"$work/blocks.c" <<'END_C'
int main(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(static, 3) nowait
		for (int i = 0; i < 3000; i++)
			__asm__ volatile("");
#pragma omp for schedule(static, 1) nowait
		for (long i = 10; i > -1; i--)
			__asm__ volatile("");
#pragma omp for schedule(static, 6)
		for (unsigned char i = 0; i < 11; i += 2)
			__asm__ volatile("");
#pragma omp for schedule(static, 4)
		for (unsigned long i = 18446744073709551600ul; i < 18446744073709551614ul; i++)
			__asm__ volatile("");
	}
	return 0;
}
END_C
	clang -O1 -g -fopenmp "$work/blocks.c" -o "$work/blocks" 2>"$log" || bail 'clang cannot compile'
	"$tool" --report "$work/b.csv" "$work/blocks" 2>"$log"
	same 'clang: schedule(static, k), iterations of threads 0 and 1' \
		'5 static,3 1500 1500;8 static,1 6 5;11 static,6 6 0;14 static,4 8 6;' \
		"$(sed -n 's/^"blocks.c:\([0-9]*\)","\([^"]*\)","native"[^,]*,"[^"]*","[^"]*",[01],,,,,[01],\([0-9]*\),.*/\1 \2 \3/p' "$work/b.csv" |
			sort -n -s | awk '{ key = $1 " " $2; if (key != last) printf "%s%s", last ? ";" : "", key; last = key
				printf " %s", $3 } END { print ";" }')"
	"$tool" --report "$work/b.json" "$work/blocks" 2>"$log"
	grep -q '"site": "blocks.c:5", .*"schedule": "static,3"' "$work/b.json"
	point $? '... and JSON has the schedule that is in force'
fi
finish
