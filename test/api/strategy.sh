#!/bin/sh
# strategy.sh - strategies of a program's own: the one of dls_strategy(3), in a source and in a plug-in, with the public
# headers and the shared library.  Fails if: it does not work by name where a built in one does (test/user/strategy.c), or a
# tool does not know what a preloaded plug-in registers.
. test/sh.sh
cc="${CC:-cc} ${SAN:+-fsanitize=$SAN} -O1 -g -Wall -Wextra -Werror -Iinclude -Itest -D_POSIX_C_SOURCE=200809L"
LD_LIBRARY_PATH=$build${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
awk '/^\.Ed/ { on = 0 } begins && /^#include/ && !n++ { on = 1 } { begins = /^\.Bd -literal/ }
	on { gsub(/\\e/, "\\"); print }' man/dls_strategy.3 >"$work/beg.c"
{ $cc -Dmain=example -c -o "$work/beg.o" "$work/beg.c" &&
  $cc ${OPENMP--fopenmp} -o "$work/program" "$work/beg.o" test/user/strategy.c -L"$build" -ldls -lm -pthread; } 2>"$log" ||
	bail 'cannot compile'
DLS_SCHEDULE=beg DLS_STRICT=1 "$work/program" >"$work/out" || bad=1
n=$(sed -n 's/^1\.\.\(.*\)/\1/p' "$work/out")
grep -v '^1\.\.' "$work/out"

# The plug-in may be linked with the shared library, or leave its symbols to the tool.
sim() {	# text, what it prints, options of dls-sim
	text=$1 wanted=$2
	shift 2
	if [ "${SAN-}" ]; then
		skip "$text" 'plain builds only'
		return
	fi
	LD_PRELOAD=$plugin "$bin/dls-sim" "$@" >"$log" 2>&1
	grep -q "$wanted" "$log"
	point $? "$text"
}
for link in '' linked; do
	plugin=$work/beg$n.so
	$cc -shared -fPIC -o "$plugin" "$work/beg.c" ${link:+-L"$build"} ${link:+-ldls} || bad=1
	sim "dls-sim runs it${link:+, linked with the library}" 'beg,wait=0.5.*ask=[1-9]' --strategy beg,wait=0.5 --csv --processors 16
	sim "dls-sim lists it${link:+, linked with the library}" 'there are:.* repart beg$' --strategy big
done
finish
