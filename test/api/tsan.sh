#!/bin/sh
# tsan.sh - programs built with ThreadSanitizer, with the library as it is installed, not instrumented: of right ones it reports nothing,
# of a wrong one the race.  Fails if: the library does not tell what it hands from thread to thread (lib/base/tsan.h), or tells more.
# gcc's OpenMP runtime tells ThreadSanitizer nothing of its own regions, so OpenMP is tried with clang alone.
#
# runs: once
. test/sh.sh
plain_builds_only
glibc_builds_only
export TSAN_OPTIONS=exitcode=66 OMP_NUM_THREADS=3
library=$(cd "$build" && pwd)

sanitized() {	# compiler, its options, source, text: sets works
	works=false
	if $1 $2 -fsanitize=thread -Iinclude "$3" -L"$library" -Wl,-rpath,"$library" -ldls -lm -pthread -o "$work/program" >"$log" 2>&1 &&
	   reports 0 ''; then
		works=true
	else
		cp "$log" "$work/said"
		none=$work/none.${3##*.}
		echo 'int main() { return 0; }' >"$none"
		if ! $1 $2 -fsanitize=thread "$none" -o "$work/none" 2>/dev/null || ! "$work/none" 2>/dev/null; then
			skip "$4" "$1 $2 has no ThreadSanitizer here (package libclang-rt-14-dev or libtsan2)"
			return
		fi
		cp "$work/said" "$log"
	fi
	holds "$4" [ $works = true ]
}
reports() {	# wanted status, argument of the program
	# On a busy machine one thread may run all of a loop, which is then no race.
	for try in 1 2 3 4 5 6 7 8 9 10; do
		"$work/program" $2 >"$log" 2>&1
		status=$?
		[ "$1" -ne 0 ] && [ $status -eq 0 ] || break
	done
	[ $status -eq "$1" ] && grep -qx right "$log"
}

for compiler in gcc clang; do
	need $compiler $compiler "$compiler: C" || continue
	sanitized $compiler -std=c11 test/user/sanitized.c "$compiler: C"
	cxx=$(echo $compiler | sed 's/gcc/g++/; s/clang/clang++/')
	need $cxx "$(package_of $cxx)" "$cxx: C++" || continue
	sanitized $cxx -std=c++17 test/user/sanitized.cc "$cxx: C++"
	$works || { skip "$cxx: C++, a race" 'the right program does not run'; continue; }
	reports 66 wrong
	point $? "$cxx: C++, a race"
done
if need clang clang 'clang: C with OpenMP'; then
	export TSAN_OPTIONS="$TSAN_OPTIONS:ignore_noninstrumented_modules=1"	# as libomp asks
	sanitized clang -fopenmp test/user/sanitized.c 'clang: C with OpenMP'
fi
finish
