#!/bin/sh
# tools_memory.sh - the tools, each of whose requests for memory, files and threads is refused in turn, once and from there on.
#
# Fails if: a tool crashes, hangs, or is done and has printed something else than with memory; or has failed without a word, or
# with words about something else.
#
# runs: machines
. test/sh.sh
native_builds_only
[ -z "${SAN-}" ] || skip_all 'the sanitizer has the malloc family to itself'
. test/refuse.sh
export OMP_WAIT_POLICY=passive
path=
pick="NR > next_one { print NR; print NR, \"on\"; next_one = NR + ${DLS_STRESS:+0 *} NR / 2 }"

# What is done is what is wanted, but for times that are measured.
attempt() {	# same or rows, command
	what=$1
	shift
	rm -f "$work"/two.[!s]* "$work"/two.svg*		# or a study keeps what is there
	env ${path:+PATH=$path} LD_PRELOAD="$work/refuse.so" "$@" >"$work/out" 2>"$work/err"
	status=$?
	case $status in
	0)	if [ "$what" = same ]; then
			cmp -s "$work/out" "$work/wanted" || wrong='another output'
		else
			[ "$(wc -l <"$work/out")" -eq "$(wc -l <"$work/wanted")" ] || wrong='other rows'
		fi ;;
	1)	grep -qi 'memory\|thread' "$work/err" || wrong='not a word of memory' ;;
	2)	grep -q 'Cannot allocate memory' "$work/err" || wrong='exit 2' ;;	# a file that cannot be opened
	*)	wrong="exit $status" ;;
	esac
}
each() {	# same or rows, command
	what=$1
	shift
	env ${path:+PATH=$path} "$@" >"$work/wanted" 2>"$log" && refuse_each "$what" "$@"
	point $? "$(basename "$1") $(shift; echo "$*" | sed "s|$work/||g")"
}

printf '0 1e-3\n1 2e-3\n0 0.5\n' >"$work/load"
printf '1e-3\n2e-3\n5e-4\n' >"$work/times"
each same "$bin/dls-sim" --processors 8 --tasks 20 --strategy 'rid; repart' --csv
each same "$bin/dls-sim" --processors 4 --load "$work/load" --speeds 1:2 --strategy gm --json --gantt "$work/gantt.svg"
printf 'cluster c 3 1Gf 1us 1GBps\nhost h 1Gf trace=speeds\nlink l 1ms 1MBps\nroute c h l\n' >"$work/platform"
printf '0 1\n1 0.5\nLOOPAFTER 1\n' >"$work/speeds"
each same "$bin/dls-sim" --platform "$work/platform" --tasks 5 --seed 1-2 --csv
printf 'strategy rid; none\nprocessors 4\ntasks 3\nseed 1-2\n' >"$work/two.study"
path=/nonexistent	# without rsvg-convert
each same "$bin/dls-sim" --study "$work/two.study"
rm -f "$work"/two.[!s]* "$work"/two.svg
printf 'schedule gss; wf\nspeeds 1:2\niterations 60\nseed 1-2\n' >"$work/two.study"
each same "$bin/dls-study" "$work/two.study"
path=
each rows "$bin/dls-sim" --engine threads --processors 3 --tasks 5 --csv
each same "$bin/dls-chunks" -n 60 -s 'gss; wf,weights=1:2; af' --csv
each same "$bin/dls-chunks" -n 60 -s fac2,awf-b --times "$work/times" --speeds 1:2
{
	event='"ts":0,"args":{"execution":1,"workers":1,"schedule":"fac2","ran":"fac2","site":"a"'
	echo "{\"ph\":\"X\",\"dur\":9000,$event,\"worker\":0,\"begin\":0,\"size\":70,\"dispatch_ns\":5}}"
	echo "{\"ph\":\"i\",$event,\"worker\":0,\"iterations\":70,\"came_ns\":0}}"
} >"$work/trace"
each same "$bin/dls-chunks" -n 60 -p 2 -s 'gss; gss,1; af' --plot "$work/plot.svg" --html "$work/page.html"
each same "$bin/dls-chunks" "$work/trace" --plot "$work/plot.svg" --html "$work/page.html"
each same "$bin/dls-paper" rips-table1
each rows "$bin/dls-loops" primes -t 2 --runs 1 -s 'fac2; rid' --csv
if [ -x "$bin/dls-advise" ]; then
	printf '[{"ph":"X","ts":0,"dur":9000,"args":{"execution":1,"worker":0,"workers":2,"begin":0,"size":70,"site":"a"}},
{"ph":"i","ts":9000,"args":{"execution":1,"worker":0,"workers":2,"iterations":70,"came_ns":0,"schedule":"fac2","site":"a"}},
{"ph":"i","ts":0,"args":{"execution":1,"worker":1,"workers":2,"iterations":0,"came_ns":0,"schedule":"fac2","site":"a"}}]' \
		>"$work/trace"
	each same "$bin/dls-advise" --html "$work/page.html" --csv "$work/trace"
fi
finish
