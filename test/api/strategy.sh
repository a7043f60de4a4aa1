#!/bin/sh
# strategy.sh - strategies of a program's own: the one of dls_strategy(3), in a source and in a plug-in, with the public
# headers and the shared library.  Fails if: it does not work by name where a built in one does (test/user/strategy.c), or a
# tool does not know what a preloaded plug-in registers.
B=${B:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cc="${CC:-cc} ${SAN:+-fsanitize=$SAN} -O1 -g -Wall -Wextra -Werror -Iinclude -Itest -D_POSIX_C_SOURCE=200809L"
LD_LIBRARY_PATH=$B${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
awk '/^\.Ed/ { on = 0 } begins && /^#include/ && !n++ { on = 1 } { begins = /^\.Bd -literal/ }
	on { gsub(/\\e/, "\\"); print }' man/dls_strategy.3 >"$work/beg.c"
{ $cc -Dmain=example -c -o "$work/beg.o" "$work/beg.c" &&
  $cc ${OPENMP--fopenmp} -o "$work/program" "$work/beg.o" test/user/strategy.c -L"$B" -ldls -lm -pthread; } ||
	{ echo 'Bail out! it does not compile'; exit 1; }
DLS_SCHEDULE=beg DLS_STRICT=1 "$work/program" >"$work/out" || bad=1
sed -n 's/^1\.\.\(.*\)/\1/p' "$work/out" >"$work/points"
n=$(cat "$work/points")
grep -v '^1\.\.' "$work/out"

# The plug-in may be linked with the shared library, or leave its symbols to the tool.
point() {	# text, options of dls-sim; what it prints
	text=$1 wanted=$2
	shift 2
	n=$((n + 1))
	if [ "${SAN-}" ]; then
		echo "ok $n - $text # SKIP plain builds only"
	elif LD_PRELOAD=$plugin "${DLS_BIN:-$B/bin}/dls-sim" "$@" 2>&1 | tee "$work/log" | grep -q "$wanted"; then
		echo "ok $n - $text"
	else
		echo "not ok $n - $text"
		sed 's/^/# /' "$work/log"
		bad=1
	fi
}
for link in '' linked; do
	plugin=$work/beg$n.so
	$cc -shared -fPIC -o "$plugin" "$work/beg.c" ${link:+-L"$B"} ${link:+-ldls} || bad=1
	point "dls-sim runs it${link:+, linked with the library}" 'beg,wait=0.5.*ask=[1-9]' --strategy beg,wait=0.5 --csv --processors 16
	point "dls-sim lists it${link:+, linked with the library}" 'there are:.* repart beg$' --strategy big
done
echo "1..$n"
exit "${bad:-0}"
