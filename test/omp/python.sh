#!/bin/sh
# python.sh - OpenMP in shared objects that Python loads while it runs, as extensions are, under dls-run.
#
# Fails if: an iteration of a loop of such an object does not run exactly once, under no schedule, several schedules or an entry
# for its line; its loops are not in the report under their file and line; objects that each have a runtime of their own, of gcc,
# of clang, and of gcc with a copy of libgomp under another name as wheels bring it, disturb each other in one process; or an
# entry for one line changes the loop of another.
#
# runs: once
. test/omp.sh
under_dls_run
command -v python3 >/dev/null || skip_all 'python3 is not installed (package python3)'
python3 -c 'import ctypes' 2>/dev/null || skip_all 'python3 has no ctypes (package libpython3-stdlib)'

cat >"$work/extension.c" <<'END_C'
void count(int n, unsigned char *counts)
{
#pragma omp parallel for schedule(dynamic, 3)
	for (int i = 0; i < n; i++)
		counts[i]++;
}

long sum(int n)
{
	long all = 0;

#pragma omp parallel
	{
#pragma omp for schedule(guided) reduction(+ : all)
		for (int i = 0; i < n; i++)
			all += i;
	}
	return all;
}
END_C
cat >"$work/load.py" <<'END_PY'
import ctypes
import os
import sys
import threading

def check(name):
    extension = ctypes.CDLL(name, mode=os.RTLD_LOCAL)
    extension.sum.restype = ctypes.c_long
    for n in 1, 2, 1000, 1001:
        counts = (ctypes.c_ubyte * n)()
        for k in range(3):
            extension.count(n, counts)
        assert bytes(counts) == b"\3" * n, (name, n)
        assert extension.sum(n) == n * (n - 1) // 2, (name, n)

for name in sys.argv[1:]:
    check(name)
threads = [threading.Thread(target=check, args=[name]) for name in sys.argv[1:]]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for name in sys.argv[1:]:
    check(name)
print("right")
END_PY
cat >"$work/report.py" <<'END_PY'
import csv
import sys
rows = list(csv.DictReader(open(sys.argv[1])))
schedules = {row["site"]: row["schedule"] for row in rows}
# The line is that of the directive, or of its for.
loop = schedules.get("extension.c:14", schedules.get("extension.c:15"))
count = schedules.get("extension.c:3", schedules.get("extension.c:4"))
sys.exit(count != "ss,5" or loop is None or loop.startswith("ss"))
END_PY

set --
for compiler in gcc clang; do
	need_openmp "$compiler" "object of $compiler" || continue
	(cd "$work" && "$compiler" -O1 -g -fopenmp -shared -fPIC -o "extension-$compiler.so" extension.c) 2>"$log" ||
		bail "$compiler cannot compile"
	set -- "$@" "$work/extension-$compiler.so"
done
[ $# -gt 0 ] || finish

# A name as long in place of libgomp's, in the library as in what needs it.
renamed() { LC_ALL=C sed 's/libgomp[.]so[.]1/libgomq.so.1/g' "$1" >"$2"; }
case $1 in *-gcc.so)
	gomp=$(ldd "$1" | sed -n 's/.*libgomp[^ ]* => \([^ ]*\).*/\1/p')
	if [ -f "$gomp" ] && renamed "$gomp" "$work/libgomq.so.1" &&
		gcc -O1 -g -fopenmp -shared -fPIC -Wl,-rpath,"$work" -o "$work/object" "$work/extension.c" 2>"$log" &&
		renamed "$work/object" "$work/extension-wheel.so" && ldd "$work/extension-wheel.so" | grep -q "$work/libgomq"; then
		set -- "$@" "$work/extension-wheel.so"
	else
		skip 'object as in a wheel' 'libgomp cannot be copied under another name'
	fi ;;
esac

right() {	# text, objects
	text=$1
	shift
	[ "$("$dls_run" $options python3 "$work/load.py" "$@" 2>"$log")" = right ]
	point $? "$text"
}

for object in "$@" all; do
	name=${object##*/}
	objects=$object
	if [ "$object" = all ]; then
		[ $# -gt 1 ] || continue
		objects=$*
	fi
	for options in '' '--schedule static' '--schedule ss' '--schedule fac2' '--schedule awf-b' '--schedule auto' \
		'--unordered --schedule steal' '--schedule extension.c:3:ss,5;extension.c:4:ss,5'; do
		# shellcheck disable=SC2086 # words
		right "$name, ${options:-no schedule}" $objects
	done
	options="--schedule extension.c:3:ss,5;extension.c:4:ss,5 --report $work/report.csv"
	# shellcheck disable=SC2086
	right "$name, measured" $objects
	python3 "$work/report.py" "$work/report.csv"
	status=$?
	cut -d, -f1-6 "$work/report.csv" >"$log"
	point $status "$name, its lines are in the report"
	rm -f "$work/report.csv"
done
finish
