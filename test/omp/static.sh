#!/bin/sh
# static.sh - dls-run: programs that it refuses, static loops under entries of their own, phases, advice, several runtimes in a process.
. test/sh.sh
plain_builds_only
tool=$bin/dls-run
unset DLS_OMP
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive OMP_DYNAMIC=false
echo 'int main(void) { return 0; }' >"$work/empty.c"

# What it cannot run so.
refused 'which program' --report "$work/r.json"
refused 'sss' --schedule sss true
refused '--nothing' --nothing true
printf 'nonsense' >"$work/nonsense"
chmod +x "$work/nonsense"
refused "$work/nonsense" --schedule ss "$work/nonsense"
"$tool" --schedule ss "$work/absent" 2>"$log"
same 'a program that is not there: 127' 127 $?
if ${CC:-cc} -static "$work/empty.c" -o "$work/static" 2>/dev/null; then
	refused 'statically linked' --schedule ss "$work/static"
	"$tool" "$work/static"
	point $? 'with nothing asked for it runs all the same'
else
	skip 'a static program' 'no static C library'
fi
${CC:-cc} "$work/empty.c" -o "$work/empty" || bail 'no compiler'
"$tool" --schedule ss "$work/empty" 2>"$work/err" && grep -q 'call no OpenMP runtime' "$work/err"
point $? 'a program without OpenMP runs, with a word'
printf '#!/bin/sh\nexit 7\n' >"$work/script"
chmod +x "$work/script"
"$tool" --schedule ss "$work/script" >"$log" 2>&1
same 'a script: its status' 7 $?
[ ! -s "$log" ]
point $? '... and no word'
env -i "$tool" /usr/bin/env >"$work/out"
same 'nothing asked for: nothing is put before it' '' "$(cat "$work/out")"
DLS_OMP='unordered,nonsense' "$tool" --schedule ss "$work/empty" 2>"$work/err"
grep -q '"nonsense" is none of' "$work/err"
point $? 'a wrong word in DLS_OMP is quoted'

program() {	# compiler
	"$1" -O2 -g -fopenmp -w test/omp/static.c -o "$work/$1" 2>"$log"
}

# The first execution is native; results are as without the library.
statics() {	# compiler
	wanted=$("$work/$1")
	for s in fac2 ss steal awf-b static; do
		same "$1: a static loop under $s" "$wanted" "$("$tool" --schedule "static.c:23:$s" "$work/$1" 2>"$log")"
	done
	"$tool" --schedule 'static.c:23:fac2' --report "$work/r.csv" "$work/$1" >/dev/null 2>"$log"
	grep -q '^"static.c:23","static; fac2","[a-z]*; fac2","; ","1; 9",all' "$work/r.csv"
	point $? "$1: the first execution is the runtime's"
	for line in 29 38; do
		same "$1: another region is left alone, line $line" "$wanted" \
			"$("$tool" --schedule "static.c:$line:fac2" "$work/$1" 2>"$work/err")"
		grep -q "static.c:$line: the region is not one static loop alone" "$work/err"
		point $? '... in words'
	done
	"$tool" --advise "$work/$1" 6000 6 >/dev/null 2>"$log"
	grep -q "1. static.c:23, .* % less (predicted)" "$log"
	point $? "$1: --advise names the loop"
	"$tool" --report stderr "$work/$1" >/dev/null 2>"$log"
	grep -q 'serial, between regions$' "$log" && grep -q '^static.c:23 (main)$' "$log" && grep -q 'executions  10' "$log"
	point $? "$1: a report of a program that nobody prepared"
}
for compiler in gcc clang; do
	need $compiler $compiler "$compiler" || continue
	program $compiler && statics $compiler || skip "$compiler" "it has no OpenMP (package libomp-dev for clang)"
done

# A loop is left to its runtime, and only watched.
if [ -x "$work/gcc" ]; then
	gcc -O2 -g -fopenmp -DBRIEF test/omp/costs.c -o "$work/costs"
	"$tool" --schedule 'ss; costs.c:25:native' --report "$work/n.csv" "$work/costs" >/dev/null 2>"$log"
	grep -q '^"costs.c:25","ss","native"' "$work/n.csv" && grep -q '^"costs.c:36","ss","ss"' "$work/n.csv"
	point $? 'native: a loop is left to its runtime'
fi

# Plug-ins of several runtimes, each loaded with RTLD_LOCAL.
plugins() {	# text, plug-ins
	text=$1
	shift
	for s in '' ss steal; do
		same "$text: ${s:-watched}" '2000 2000' "$("$tool" --report "$work/p.%p.json" ${s:+--schedule $s --unordered} "$work/host" "$@" 2>"$log")"
	done
	[ -f "$(echo "$work"/p.*.json | cut -d' ' -f1)" ]
	point $? '... and there is a report'
	rm -f "$work"/p.*.json
}
if command -v gcc >/dev/null && gcc -O2 -g -fopenmp test/omp/host.c -o "$work/host" -ldl 2>"$log"; then
	gcc -O2 -g -fopenmp -shared -fPIC test/omp/plugin.c -o "$work/gomp.so"
	plugins 'a plug-in' "$work/gomp.so"
	plugins 'a child by fork' fork "$work/gomp.so"
	if command -v clang >/dev/null && clang -O2 -g -fopenmp -shared -fPIC test/omp/plugin.c -o "$work/omp.so" 2>/dev/null; then
		plugins 'plug-ins of libgomp and libomp' "$work/gomp.so" "$work/omp.so"
		plugins 'plug-ins of libomp and libgomp' "$work/omp.so" "$work/gomp.so"
	else
		skip 'plug-ins of two runtimes' 'clang or libomp is not installed (packages clang, libomp-dev)'
	fi
	if need patchelf patchelf 'wheels'; then
		gomp=$(ldd "$work/gomp.so" | sed -n 's/.*libgomp.so.1 => \([^ ]*\).*/\1/p')
		mkdir "$work/libs"
		for i in 1 2; do	# as wheels bundle it
			cp "$gomp" "$work/libs/libgomp-$i$i$i.so.1"
			patchelf --set-soname "libgomp-$i$i$i.so.1" "$work/libs/libgomp-$i$i$i.so.1"
			cp "$work/gomp.so" "$work/wheel$i.so"
			patchelf --set-rpath "$work/libs" "$work/wheel$i.so"
			patchelf --replace-needed libgomp.so.1 "libgomp-$i$i$i.so.1" "$work/wheel$i.so"
		done
		plugins 'two bundled libgomps beside the system'"'"'s' "$work/wheel1.so" "$work/gomp.so" "$work/wheel2.so"
	fi
else
	skip 'plug-ins' 'gcc is not installed (package gcc)'
fi
finish
