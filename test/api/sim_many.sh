#!/bin/sh
# sim_many.sh - dls-sim: many runs, by seeds and sweeps, beside each other; and a file of rows that is gone on with.
#
# runs: machines, alone
export LC_ALL=C
. test/sh.sh
tool=$bin/dls-sim
one=
if command -v taskset >/dev/null && taskset -c 0 true 2>/dev/null; then one='taskset -c 0'; fi

# Fails if: a run sees another one's seed, random numbers or costs, rows come in the order in which runs end, or one is lost.
set -- --processors 16 --tasks 15
for strategy in rid dem 'hbm,u=0.5'; do
	for seed in 3 4 5; do "$tool" "$@" --strategy "$strategy" --seed $seed --csv | figures | sed 1d; done
done >"$work/singly"
"$tool" "$@" --strategy 'rid;dem;hbm,u=0.5' --seed 3-5 --csv >"$work/csv"
figures <"$work/csv" | sed 1d | awk '{ line = $0; gsub(/"[^"]*"/, "q"); split($0, cell, ",") } cell[12] + 0 > 0 { print line }' >"$work/many"
[ "$(wc -l <"$work/singly")" -eq 9 ] && cmp "$work/singly" "$work/many" >"$log" 2>&1
point $? 'seeds: the rows of one run after the other'
$one "$tool" "$@" --strategy 'rid;dem;hbm,u=0.5' --seed 3-5 --csv | cmp - "$work/csv" >"$log" 2>&1
point $? 'on one processor: the same bytes'

# Of three values with mean m and deviation s the interval is m +- 4.3027 s / sqrt(3).
# Fails if: a summary is of other runs, or divides by n, or the interval is of the normal distribution.
figures <"$work/csv" | sed 's/"[^"]*"/q/g' | awk -F, '
	function off(a, b) { return a - b > 2e-6 * (b < 0 ? -b : b) + 1e-9 || b - a > 2e-6 * (b < 0 ? -b : b) + 1e-9 }
	NR == 1 { for (i = 1; i <= NF; i++) name[$i] = i; next }
	{ x = $name["t_bal_s"] }
	$12 + 0 > 0 { v[++n] = x; next }
	$12 == "mean" {
		m = (v[1] + v[2] + v[3]) / 3
		s = sqrt(((v[1] - m) ^ 2 + (v[2] - m) ^ 2 + (v[3] - m) ^ 2) / 2)
		if (n != 3 || off(x, m)) bad = 1
		n = 0; summaries++
	}
	$12 == "deviation" && off(x, s) { bad = 1 }
	$12 == "low95" && (x - (m - 4.3027 * s / sqrt(3))) ^ 2 > 1e-6 { bad = 1 }
	$12 == "high95" && (x - (m + 4.3027 * s / sqrt(3))) ^ 2 > 1e-6 { bad = 1 }
	END { exit bad || summaries != 3 || NR != 22 }'
point $? 'mean, deviation and interval'

# Fails if: an interval of width 0 is printed where no figure depends on the seed, that is said where one does, or such a file is
# not gone on with.
set -- --processors 4 --tasks 5 --load bimodal --strategy 'rid;rand' --seed 1-3
same 'deterministic runs say so' 'rid 1 rid 2 rid 3 rid deterministic rand 1 rand 2 rand 3 rand mean rand deviation rand low95 rand high95' \
	"$("$tool" "$@" --csv | figures | sed '1d; s/"[^"]*"/q/g' | cut -d, -f1,12 | tr ',\n' '  ' | sed 's/ $//')"
same 'in text too' '3 deterministic 3 mean' "$("$tool" "$@" | awk '$1 == "rid" || $1 == "rand" { print $4 }' | grep -E '^3|det|mean' | tr '\n' ' ' |
	sed 's/ $//')"
"$tool" "$@" --resume "$work/det" && cp "$work/det" "$work/det1"
differ=$?
for k in 3 4 5 6 9; do
	head -n $k "$work/det1" >"$work/det"
	"$tool" "$@" --resume "$work/det" >"$work/out" 2>&1 && cmp "$work/det" "$work/det1" >>"$log" 2>&1 || differ=1
done
point $differ 'and a file of them that was cut is completed'

# Fails if: a value is left out by rounding, a key is taken for another, or the order is not as said.
"$tool" --processors 8 --tasks 5 --sweep 'u=0.1:0.3:0.1; latency=1e-4:1e-2:*10' --csv | figures | sed 1d >"$work/many"
for u in 0.1 0.2 0.3; do
	for latency in 0.0001 0.001 0.01; do
		"$tool" --processors 8 --tasks 5 --strategy rid,u=$u --costs ipsc2,latency=$latency --csv | figures | sed 1d
	done
done >"$work/singly"
succeeds 'a sweep: the rows of one run after the other' cmp "$work/singly" "$work/many"
same 'processors, tasks and grain' '4 3 0.5,4 3 1,8 3 0.5,8 3 1,' "$("$tool" --sweep 'processors=4:8:4; tasks=3:3:1; grain=.5:1:*2' --csv |
	figures | sed '1d; s/"[^"]*"/q/g' | cut -d, -f3,8,9 | tr ',\n' ' ,')"
"$tool" --processors 4 --tasks 3 --seed 1-2 >"$work/text"
same 'text: a row for each run' '1 2 mean deviation low95 high95' "$(awk '/^rid / { printf "%s%s", n++ ? " " : "", $4 }' "$work/text")"

# Fails if: rows are lost or doubled where a file is gone on with, its summaries are of the later runs alone, or a file of
# something else is taken.
set -- --processors 4 --tasks 5 --strategy 'rid;dem' --seed 1-3 --resume "$work/rows"
"$tool" "$@" && cp "$work/rows" "$work/whole"
differ=$?
for k in 0 1 2 3 4 6 8 9 11 15; do
	head -n $k "$work/whole" >"$work/rows"
	printf 'rid,"hyp' >>"$work/rows"
	"$tool" "$@" >"$work/out" 2>&1 && cmp "$work/rows" "$work/whole" >>"$log" 2>&1 || differ=1
done
[ $differ -eq 0 ] && [ "$(wc -l <"$work/whole")" -eq 15 ]
point $? 'a file that was cut anywhere is completed'
refused 'line 2: not of this command line' --processors 4 --tasks 6 --strategy 'rid;dem' --seed 1-3 --resume "$work/rows"
echo 'something else' >"$work/other"
refused 'line 1: not of this command line' --resume "$work/other"
same 'which stays as it is' 'something else' "$(cat "$work/other")"
refused 'not with --json' --json --resume "$work/rows"
refused '/dev/null/x' --resume /dev/null/x

# A run that fails: 10^10 s are more than virtual time has.
# Fails if: the others' rows are printed as if nothing had been, or the failure is told twice.
for i in 1 2 3 4 5 6 7 8 9 10; do echo '0 1e9'; done >"$work/long"
"$tool" --strategy 'none;rid' --costs ideal --processors 4 --load "$work/long" --csv >"$work/out" 2>"$work/err"
same 'a run that fails ends the rest' '1 1' "$? $(grep -c '2^63 ns' "$work/err")"

# Progress, on a terminal, of what takes longer than half a second.
# Fails if: a file gets the line, it is not taken away again, or it counts tasks wrongly.
set -- --strategy rid --processors 1024 --tasks 100 --csv
"$tool" "$@" >"$work/file" 2>"$work/err"
same 'no progress but on a terminal' '' "$(cat "$work/err")"
if ! need script bsdutils 'progress on a terminal'; then
	:
elif ! script -qec true /dev/null </dev/null >"$log" 2>&1; then
	skip 'progress on a terminal' 'no pseudo-terminal'
else
	begin=$(date +%s)
	script -qec "$tool $* 2>&1" /dev/null </dev/null | tr '\r' '\n' >"$work/screen"
	took=$(($(date +%s) - begin))
	lines=$(grep -c ' [0-9]* % of 102400 tasks, [0-9]* s' "$work/screen")
	others=$(grep -v ' % of 102400 tasks, ' "$work/screen" | tr -d '\n' | sed "s/$(printf '\033')\[K//g")
	[ "$others" = "$(tr -d '\n' <"$work/file" | sed "s|$tool|dls-sim|g")" ] && { [ "$lines" -gt 0 ] || [ "$took" -lt 4 ]; }
	point $? 'progress on a terminal'
fi

refused '"u"' --sweep u
refused '"u="' --sweep u=
refused '"u=1"' --sweep u=1
refused '"u=0.1:0.9"' --sweep u=0.1:0.9
refused '"u=0.9:0.1:0.1"' --sweep u=0.9:0.1:0.1
refused '"u=0.1:0.9:0"' --sweep u=0.1:0.9:0
refused '"u=1:9:*1"' --sweep 'u=1:9:*1'
refused '""' --sweep 'u=0.1:0.9:0.1;'
refused 'more than' --sweep 'u=0:1:1e-9'
refused '"rid,nosuch=1"' --sweep nosuch=1:2:1
# Fails if: what the sweep has put into a strategy or the costs is said of --strategy or --costs, or the reverse.
refused '--sweep "nosuch=1:2:1" gives "rid,nosuch=1": ' --sweep nosuch=1:2:1
refused '--sweep "poll=-1:2:1" gives "ipsc2,poll=-1": ' --sweep poll=-1:2:1
refused '--strategy "none,such=1": ' --strategy none,such=1 --sweep tasks=1:2:1
refused '--costs "nosuch": ' --costs nosuch --sweep poll=1:2:1
refused 'processors "0.5"' --sweep processors=0.5:2:1
refused '"3-1"' --seed 3-1
refused '"x"' --seed 1-x
refused '""' --seed 1-
finish
