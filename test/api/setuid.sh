#!/bin/sh
# setuid.sh - a program with rights that its user has not opens no file for the environment.
#
# Fails if: DLS_REPORT or DLS_TRACE has a setuid or setgid program write over a file of its owner or make one, the same
# program without the bit does not write, or DLS_DISPLAY_ENV does not say that the variables are ignored.
#
# runs: once
. test/sh.sh
plain_builds_only
[ "$(id -u)" -eq 0 ] || skip_all 'only root can make a program setuid root'
command -v setpriv >/dev/null || skip_all 'setpriv is not installed (package util-linux)'
chmod 755 "$work"

cat >"$work/program.c" <<'END'
#include <unistd.h>
#include "dls.h"
int main(void)
{
	int n = 0;
	DLS_PARALLEL_FOR(i, 0, 10)
		n++;
	return geteuid() ? 2 : getegid() ? 3 : n != 10;
}
END
${CC:-cc} -Iinclude "$work/program.c" "$lib" -lm -pthread -o "$work/program" 2>"$log" ||
	bail 'cannot compile'

# Nobody runs the program with these variables.
nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups env "$@" "$work/program" >"$log" 2>&1; }

chmod 4755 "$work/program"
nobody
[ $? -eq 3 ] || skip_all "setuid programs do not work in $work"
for file in root.csv root.json; do
	echo "of root" >"$work/$file"
done
chmod 644 "$work"/root.*
untouched() { [ "$(cat "$work/root.csv" "$work/root.json" | sort -u)" = 'of root' ]; }

for bits in 4755 2755; do
	case $bits in 4755) what=setuid ;; *) what=setgid; chgrp 0 "$work/program"; chmod 775 "$work" ;; esac
	chmod $bits "$work/program"
	nobody DLS_REPORT="$work/root.csv" DLS_TRACE="$work/root.json"
	untouched
	point $? "$what: files of the owner are not written"
	nobody DLS_REPORT="$work/new.csv" DLS_TRACE="$work/new.%p.json"
	# shellcheck disable=SC2012 # names are ours
	holds "$what: no files are made" [ "$(ls "$work" | grep -c new)" -eq 0 ]
	nobody DLS_DISPLAY_ENV=1 DLS_REPORT=stderr DLS_TRACE=/dev/null DLS_TRACE_LIMIT=5
	for name in DLS_REPORT DLS_TRACE DLS_TRACE_LIMIT; do
		grep -qx "libdls: $name: ignored, since the program has rights that its user has not (setuid)" "$log" || name=; [ "$name" ] || break
	done
	[ "$name" ] && grep -q "DLS_REPORT = ''" "$log" && grep -q "DLS_TRACE = ''" "$log" &&
		grep -q "DLS_TRACE_LIMIT = '100000'" "$log"
	point $? "$what: DLS_DISPLAY_ENV says so"
done

chmod 755 "$work/program"
chmod 777 "$work"
nobody DLS_REPORT="$work/root.csv" DLS_TRACE="$work/new.json"
untouched && [ -s "$work/new.json" ] && grep -q "DLS_REPORT=.*Permission denied; no report is written" "$log"
point $? 'neither: what the user may write is written'
finish
