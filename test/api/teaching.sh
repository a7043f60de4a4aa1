#!/bin/sh
# teaching.sh - dls_teaching(7): each command of a solution prints what the page shows, and its strategy is
# compiled as it says.
#
# Fails if: a figure of the page is another one, a command does not run, or the strategy is no plug-in.
#
# runs: machines, once
export LC_ALL=C
. test/sh.sh
plain_builds_only
page=$PWD/man/dls_teaching.7
case $bin in /*) ;; *) bin=$PWD/$bin ;; esac
PATH=$bin:$PATH
include=$PWD/include
cd "$work" || exit 1

# Each literal block that begins with a command is a file of the command and one of what it prints; give.c is the other one.
awk '
	/^\.Bd -literal/ { on = 1; first = 1; next }
	/^\.Ed/ { on = 0; next }
	!on { next }
	{ gsub(/\\e/, "\\"); sub(/^\\&/, "") }
	first { first = 0; what = /^\$ / ? "command" : /^#include/ ? "source" : "other"; n += what == "command"; sub(/^\$ /, "")
		if (what == "command") { print >(n ".sh"); next } }
	what == "source" { print >"give.c" }
	what == "command" && /^(\t|done)/ && !(n in printed) { print >(n ".sh"); next }
	what == "command" { printed[n] = 1; print >(n ".txt") }' "$page"
succeeds 'give.c is compiled' ${CC:-cc} -I"$include" -Wall -Wextra -Werror -shared -fPIC -o give.so give.c
[ "$(ls ./[0-9]*.sh | wc -l)" -ge 6 ] && [ "$(ls ./[0-9]*.txt | wc -l)" -eq "$(ls ./[0-9]*.sh | wc -l)" ]
point $? 'six solutions'
for k in 1 2 3 4 5 6; do
	sh "$k.sh" 2>"$log" | sed 's/ *$//' >got
	cmp -s got "$k.txt"
	differ=$?
	[ $differ -eq 0 ] || diff "$k.txt" got >"$log"
	point $differ "$k: $(head -n 1 "$k.sh")"
	: >"$log"
done
finish
