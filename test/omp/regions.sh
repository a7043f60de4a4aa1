#!/bin/sh
# regions.sh - the regions of a program in the report of dls-run, and the time between them.
#
# Fails if: a region of gcc's or clang's is not in the text, JSON and HTML with its function and executions, or is there twice; one
# within another is counted besides; the shares and the serial one do not add up to the whole; dls-advise does not read the JSON; or
# threads that have regions and end leave memory behind.
. test/omp.sh
under_dls_run

# "region 5 of function", sorted, of a JSON report.
regions() {
	tr -d '\n' <"$1" | sed 's/.*{"regions": \[//' | grep -o '"function": "[^"]*", "executions": [0-9]*' |
		sed 's/.*: "\([^"]*\)",.*: /\1 /' | LC_ALL=C sort | tr '\n' ';'
}
for compiler in gcc clang; do
	need_openmp $compiler || continue
	$compiler -g -O2 -fopenmp test/omp/functions.c -o "$work/program" 2>"$log" || bail "$compiler cannot compile"
	"$dls_run" --report stderr "$work/program" >/dev/null 2>"$log"
	# The table from its head to its last row: functions and executions, and the sum of the shares.
	same "$compiler: text" '(plain) 5;(region) 5;(relax) 5;serial;whole;' \
		"$(sed -n '/executions  region$/,/between regions$/p' "$log" |
			LC_ALL=C awk '/%/ { sum += $1 } /functions.c:/ { print $7, $5 } /serial/ { print "serial" }
				END { if (sum > 99 && sum < 101) print "whole" }' | LC_ALL=C sort | tr '\n' ';')"
	"$dls_run" --report "$work/r.json" "$work/program" >/dev/null 2>"$log"
	same "$compiler: JSON" 'plain 5;region 5;relax 5;' "$(regions "$work/r.json")"
	grep -q '"program": [0-9.e+-]*, "serial": [0-9.e+-]*, "serial_share": 0' "$work/r.json"
	point $? '... with the serial time'
	if [ -x "$bin/dls-advise" ]; then
		"$bin/dls-advise" "$work/r.json" >"$work/out" 2>"$log" && grep -q '^functions.c:' "$work/out"
		point $? '... dls-advise reads it'
	else
		skip '... dls-advise reads it' 'it is not built: jansson is not installed (package libjansson-dev)'
	fi
	"$dls_run" --report "$work/r.html" "$work/program" >/dev/null 2>"$log"
	grep -q '(region)</span></td><td>5</td>' "$work/r.html" && grep -q 'serial, between regions' "$work/r.html"
	point $? "$compiler: HTML"

	cat >"$work/nested.c" <<'END_C'
static int count;

__attribute__((noinline)) static void inner(void)
{
#pragma omp parallel num_threads(1)
	count++;
}

static void outer(void)
{
#pragma omp parallel num_threads(1)
	inner();
}

int main(void)
{
	for (int i = 0; i < 3; i++)
		outer();
	inner();
	return count != 4;
}
END_C
	$compiler -g -O1 -fopenmp "$work/nested.c" -o "$work/nested" 2>"$log" || bail 'cannot compile'
	"$dls_run" --report "$work/n.json" "$work/nested" 2>"$log"
	point $? "$compiler: nested regions"
	same '... count by the outer one' 'inner 1;outer 3;' "$(regions "$work/n.json")"

	# More regions than the text has rows for.
	{
		echo 'int main(void) { static int n[300];'
		i=0
		while [ $i -lt 150 ]; do
			printf '_Pragma("omp parallel num_threads(2)") __atomic_fetch_add(&n[%d], 1, __ATOMIC_RELAXED);\n' $i
			i=$((i + 1))
		done
		echo 'for (int i = 0; i < 150; i++) if (n[i] != 2) return 1; return 0; }'
	} >"$work/many.c"
	$compiler -g -O1 -fopenmp "$work/many.c" -o "$work/many" 2>"$log" || bail 'cannot compile'
	"$dls_run" --report stderr "$work/many" 2>"$log"
	point $? "$compiler: many regions"
	# A region that a busy machine holds up is among the loops besides, which stand before.
	rows=$(sed -n '/executions  region$/,$p' "$log" | grep -c ' many.c:[0-9]* (main)$')
	others=$(sed -n 's/^.*  \([0-9]*\) others$/\1/p' "$log")
	[ "$rows" -gt 10 ] && [ $((rows + others)) -eq 150 ]
	point $? "... $rows rows, and one for $others others"

	cat >"$work/ended.c" <<'END_C'
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>

static int count[2];

static void *run(void *unused)
{
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 100; i++)
		__atomic_fetch_add(&count[i % 2], 1, __ATOMIC_RELAXED);
	return unused;
}

static long after_threads(int n)
{
	struct rusage usage;

	for (int i = 0; i < n; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, run, NULL) == 0)
			pthread_join(thread, NULL);
	}
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

int main(void)
{
	long first = after_threads(500);

	printf("%ld\n", after_threads(2000) - first);
	return count[0] + count[1] != 250000;
}
END_C
	$compiler -g -O1 -fopenmp -pthread "$work/ended.c" -o "$work/ended" 2>"$log" || bail 'cannot compile'
	grown=$("$dls_run" --report "$work/ended.csv" "$work/ended" 2>"$log") && [ "$grown" -lt 800 ]
	point $? "$compiler: 2000 threads that end leave $grown KB"
done
finish
