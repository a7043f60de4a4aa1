#!/bin/sh
# sim.sh - dls-sim: figures by hand, the same bytes for the same seed, rows that others can read, bad input.
#
# runs: machines, texts
export LC_ALL=C
. test/sh.sh
tool=$bin/dls-sim
# Fails if dls_balance(7) shows other figures than the tool.
sed -n "/^\$ dls-sim --strategy 'sid;rid;dem;repart'/,/^\.Ed/ s/^\([^$.].*\)/\1/p" man/dls_balance.7 \
	>"$work/shown"
"$tool" --strategy 'sid;rid;dem;repart' --processors 1024 | grep -E ' on |^  T_bal|messages  ' >"$work/got"
[ -s "$work/shown" ] && cmp -s "$work/shown" "$work/got"
point $? 'the figures of dls_balance(7)'

# Two processors have 2 and 1 s, the second is of speed 0.4, a third has nothing: 3 / 2.4 s and 1 / 0.4 s; without costs.
# Fails if: speeds do not divide, T_opt is by number, a task's time is not that of its line, or parts are not of T_bal.
printf '0 1.5\n0 0.5\n1 1e0\n' >"$work/tasks"
set -- --strategy none --net complete --processors 3 --load "$work/tasks" --speeds 1:0.4 --costs ideal --csv
same 'by hand' '3 3.000000000 1.250000000 2.500000000 2.500000000 0.000000 1.000000 0.500000 0 60.0000 0.0000 100.0000 40.0000' \
	"$("$tool" "$@" | last_row 'tasks work_s t_opt_s t_nobal_s t_bal_s pi speedup efficiency messages busy_percent busy_least_percent
		busy_most_percent idle_percent')"

# A quantum of 0.1 s and a poll of 0.01 s: 15 polls in 1.5 s, 5 in 0.5 s.
# Fails if: polling is counted as busy, or left out.
same 'polling' '2.200000000 9.0909 -0.400000 0.909091 0.681818' "$("$tool" --strategy none --net complete --processors 2 \
	--load "$work/tasks" --costs ideal,quantum=0.1,poll=0.01 --csv | last_row 't_bal_s polling_most_percent pi speedup efficiency')"

# l_i of 1 to 49, 100 tasks of 1 to 10 l_i blocks each; ten to one; the mean of many.
# Fails if: --grain is not the mean, spike's tasks are others, or a processor gets another number of tasks.
"$tool" --strategy none --processors 400 --csv | last_row 'work_s t_nobal_s tasks' >"$work/uniform"
awk '{ exit !($1 / 40000 > .31 && $1 / 40000 < .34 && $2 > 60 && $2 < 76 && $3 == 40000) }' "$work/uniform"
point $? 'uniform'
same 'spike: the same tasks' "$(cut -d' ' -f1 "$work/uniform")" \
	"$("$tool" --strategy none --processors 400 --load spike --costs ideal --csv | last_row t_bal_s)"
same 'bimodal' '550.000000000 5.500000000 10.000000000 55.0000' "$("$tool" --strategy none --processors 100 \
	--load bimodal --tasks 1 --grain 5.5 --costs ideal --csv | last_row 'work_s t_opt_s t_nobal_s busy_percent')"
"$tool" --strategy none --processors 100 --load exp --grain 2 --csv | last_row 'work_s' | awk '{ exit !($1 > 19000 && $1 < 21000) }'
point $? 'exp'

# Fails if: something depends on the clock, on an address, or on another strategy's run; or the seed on nothing.
set -- --strategy 'rid; dem;rand' --processors 24 --tasks 20 --faults delay=0.01,stall=0.1,slow=2 --csv --seed
"$tool" "$@" 7 >"$work/a" && "$tool" "$@" 7 >"$work/b" && cmp -s "$work/a" "$work/b"
point $? 'the same seed, the same bytes'
"$tool" "$@" 8 >"$work/b" && ! cmp -s "$work/a" "$work/b" && [ "$(last_row work_s <"$work/a")" != "$(last_row work_s <"$work/b")" ]
point $? 'another seed, others'
"$tool" --strategy dem --processors 24 --tasks 20 --faults delay=0.01,stall=0.1,slow=2 --csv --seed 7 >"$work/b"
holds 'a run is the same alone' [ "$(figures <"$work/a" | sed -n 3p)" = "$(figures <"$work/b" | sed -n 2p)" ]

# Every strategy; parts of a processor's time sum up to T_bal, messages of each kind to all messages.
# Fails if: a column is missing, a row is cut, a part is left out, or counted twice.
"$tool" --strategy all --processors 16 --tasks 20 --csv >"$work/csv"
point $? 'all strategies'
awk -F, '
	NR == 1 { columns = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
	function wrong(what) { print "# " $1 ": " what; failed = 1 }
	{
		if (NF != columns || columns < 40) wrong(NF " columns")
		sum = $at["busy_percent"] + $at["polling_percent"] + $at["overhead_percent"] + $at["service_percent"]
		sum += $at["held_percent"] + $at["idle_percent"]
		if (sum < 99.999 || sum > 100.001) wrong("parts sum up to " sum)
		k = split($at["kinds"], kind, " "); messages = 0
		for (i = 1; i <= k; i++) { sub(/.*=/, "", kind[i]); messages += kind[i] }
		if (messages != $at["messages"]) wrong(messages " messages by kind, " $at["messages"] " in all")
		if ($at["t_bal_s"] < $at["t_opt_s"] || $at["detection_s"] < 0 || $at["tasks"] != 320) wrong($0)
	}
	END { exit failed || NR < 3 }' "$work/csv"
point $? 'rows that add up'

if need python3 python3 'CSV and JSON parse'; then
	"$tool" --strategy 'rid,u=0.5;none' --processors 5 --load bimodal --tasks 3 --json >"$work/json"
	python3 -c '
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1])))
new = json.load(open(sys.argv[2]))
assert len(rows) > 2 and all(None not in row and None not in row.values() for row in rows)
assert len(new) == 2 and list(new[0]) == list(rows[0]) and new[0]["strategy"] == "rid,u=0.5" and new[1]["messages"] == 0
assert new[0]["kinds"]["update"] > 0 and sum(new[0]["kinds"].values()) == new[0]["messages"] and "changes" in new[0]["counters"]
' "$work/csv" "$work/json"
	point $? 'CSV and JSON parse'
fi
"$tool" --strategy 'rid;dem' --processors 8 --tasks 5 >"$work/text"
grep -q '^  Pi  *[0-9.-]* ' "$work/text" && grep -q '^dem on hypercube:3: 8 processors, costs ipsc2, uniform load of 5 tasks of 0.3263 s each, seed 1$' "$work/text"
point $? 'text'

# Who made it, how, from what.  A quote and a blank are for a shell to read back.
# Fails if: an input leaves no trace in a row, the command line is not as a shell reads it, the sum is not cksum's, a file is
# missing, or the picture says nothing of these.
printf '0 1.5\n0 0.5\n1 1e0\n' >"$work/it's tasks"
sum=$(cksum <"$work/it's tasks" | cut -d' ' -f1)
"$tool" --processors 4 --load "$work/it's tasks" --speeds .5 --gantt "$work/s.svg" >"$work/text"
sed -n 1p "$work/text" | sed 's/^libdls [0-9.]*: //' >"$work/again"
same 'the command line runs again' "$(cat "$work/text")" "$(PATH=$bin:$PATH sh -c "$(cat "$work/again")")"
grep -qxF "input: $work/it's tasks cksum=$sum" "$work/text" && grep -q "speeds .5, .* load, seed 1$" "$work/text" &&
	grep -q "cksum=$sum</text>" "$work/s.svg" && grep -q 'speeds .5' "$work/s.svg"
point $? 'the text and the picture name inputs and files'
for set in '--speeds .5' '--speeds .25' '--weights .5' '--tasks 9' '--grain .1' '--faults slow=2' '--costs cm5' '--load spike'; do
	# shellcheck disable=SC2086 # several words
	"$tool" --processors 4 $set --csv | sed -n 2p | cut -d, -f4-12
done | sort -u >"$work/rows"
same 'each input leaves a trace in the row' 8 "$(wc -l <"$work/rows" | tr -d ' ')"

# What is told and what is true: repart deals by weights, others look at none.
# Fails if: a weight does not arrive, a missing one is not 1, or a speed is told.
set -- --strategy repart --processors 3 --tasks 30 --csv
[ "$("$tool" "$@" | figures)" != "$("$tool" "$@" --weights 1:8 | figures)" ] &&
	[ "$("$tool" "$@" --weights 1:8 | cut -d, -f12-)" != "$("$tool" "$@" --weights 8 | cut -d, -f12-)" ]
point $? '--weights'
same 'missing weights are 1' "$("$tool" "$@" --weights 1:8:1 | figures | cut -d, -f12-)" "$("$tool" "$@" --weights 1:8 | figures | cut -d, -f12-)"

# A tree of 1 + 3 + 9 + 27 tasks, the same wherever they run.
# Fails if: a task is spawned twice or not, times depend on the order or the processor, or what sid, repart and phase leave
# where it was is not told.
set -- --load tree,branch=3,depth=3 --csv
same 'tree' "$("$tool" "$@" --strategy none --processors 1 --costs ideal | last_row 'tasks work_s t_nobal_s t_nobal_s')" \
	"$("$tool" "$@" --strategy dem --processors 8 --costs ideal | last_row 'tasks work_s t_nobal_s work_s')"
same 'tree: 40 tasks' 40 "$("$tool" "$@" --strategy none --costs ideal | last_row tasks)"
same 'tree on threads' 40 "$("$tool" "$@" --engine threads --processors 2 --grain 1e-6 | last_row tasks)"
"$tool" --load tree --grain .01 --processors 16 --strategy all >"$work/text"
same 'strategies that leave a tree where it was' 'sid phase repart ' "$(sed -n 's/^  \(.*\) does not balance .*/\1/p' "$work/text" | tr '\n' ' ')"

# Tasks over time.  Processor 0 has 1 s at 0 and 1 s at 0, processor 1 has 2 s at 5 s: alone they end at 7 s, divided at will
# 2 / 2 and then 5 + 2 / 2 s.  Fails if: a task comes early or late, a bound takes no account of when it comes, bytes do not
# count, or threads run another load.
printf '5 1 2 0\n0 0 1 100\n0 0 1 1e3\n' >"$work/trace"
set -- --load "trace=$work/trace" --processors 2 --costs ideal,long=0,byte=1e-6 --csv
same 'a trace' '3 4.000000000 6.000000000 7.000000000 7.000000000' "$("$tool" "$@" --strategy none | last_row 'tasks work_s t_opt_s t_nobal_s t_bal_s')"
[ "$("$tool" "$@" --strategy dem | last_row bytes)" -gt "$("$tool" "$@" --strategy dem --load poisson --tasks 0 | last_row bytes)" ]
point $? 'bytes of a task'
set -- --load poisson,rate=40,burst=8 --grain .01 --processors 8 --tasks 50 --csv
same 'poisson: the same load under each strategy' "$("$tool" "$@" --strategy none | last_row 'work_s t_opt_s t_nobal_s tasks')" \
	"$("$tool" "$@" --strategy rips | last_row 'work_s t_opt_s t_nobal_s tasks')"
"$tool" "$@" --strategy none --costs ideal | last_row 't_bal_s t_nobal_s' | awk '{ exit !($1 - $2 < 1e-6 && $2 - $1 < 1e-6) }'
point $? 'poisson: T_nobal is what no balancing gives'
same 'poisson on threads that sleep' "$("$tool" "$@" --strategy rid | last_row 'work_s tasks t_nobal_s')" \
	"$("$tool" "$@" --strategy rid --engine threads --spend sleep | last_row 'work_s tasks t_nobal_s')"

# A diamond: 1 s, then 2 and 3 s, then 1 s; the longest way takes 5 s.  Fails if: a task begins before its parents have ended,
# the way does not bound T_opt, or something that is no graph is run.
printf '3 1 1 2\n0 1\n1 2 0\n2 3\t0\n' >"$work/graph"
set -- --load "graph=$work/graph" --processors 2 --csv
same 'a graph' '4 7.000000000 5.000000000 7.000000000 7.000000000' \
	"$("$tool" "$@" --strategy none --costs ideal | last_row 'tasks work_s t_opt_s t_nobal_s t_bal_s')"
"$tool" "$@" --strategy dem --costs ideal | last_row t_bal_s | awk '{ exit !($1 >= 5 && $1 < 5.1) }'
point $? 'a graph, balanced'
printf '0 1e-4\n1 1e-4 0\n2 1e-4 0\n3 1e-4 1 2\n' >"$work/short"
for spend in '' '--spend work' '--spend sleep'; do
	# shellcheck disable=SC2086 # two words
	same "a graph on threads $spend" 4 "$("$tool" --load "graph=$work/short" --processors 2 --engine threads $spend --csv | last_row tasks)"
done
graph() {	# what is wrong, lines
	printf "$2" >"$work/graph"
	refused "$1" --load "graph=$work/graph"
}
graph 'line 2: a cycle: nodes wait for each other: 1 <- 2 <- 1' '0 1\n1 1 0 2\n2 1 1\n3 1 2\n'
graph 'line 1: a cycle: nodes wait for each other: 0 <- 0' '0 1 0\n'
graph 'line 2: node 1 has the parent 7, which has no line' '0 1\n1 1 7\n'
graph 'line 2, "10000000": not the number of a node' '0 1\n10000000 1\n'
graph 'line 1, "x": not the number of a parent' '0 1 x\n'
graph 'line 1, "-1": not the node'"'"'s time' '0 -1\n'
graph 'line 2, "0": the node has a line already' '0 1\n0 1\n'
graph 'line 2, "": not the number of a node' '0 1\n\n'
graph 'the file is empty' ''
refused '"graph=none": No such file' --load graph=none
refused 'poisson, rate "0"' --load poisson,rate=0
refused '"bursts=2" is not' --load poisson,bursts=2
refused '"money"' --engine threads --spend money
refused 'with --engine threads alone' --spend sleep
refused 'unless --spend' --engine threads --speeds 1
"$tool" --engine threads --spend sleep --speeds 0.5 --processors 2 --tasks 2 >"$work/text"
point $? 'speeds on threads'

# Fails if: a strategy that moves nothing is not told of, or one that does is.
printf '0 1\n0 1\n0 1\n0 1\n' >"$work/four"
"$tool" --strategy 'phase; rid; none' --load spike >"$work/text"
same 'a strategy that does not balance the load says so' 'phase does not balance this load: 0 of 3200 tasks ran elsewhere; see dls_balance(7)' \
	"$(sed -n 's/^  \(.* does not balance .*\)/\1/p' "$work/text")"
"$tool" --strategy 'rid' --load "$work/four" --processors 1 | grep -q 'does not balance'
holds 'one processor has nothing to balance' [ $? -eq 1 ]

# Fails if: a text that a spreadsheet would evaluate stands in the CSV as it is, or a negative number does not.
printf '0 1.5\n0 0.5\n1 1e0\n' >"$work/=tasks"
case $tool in /*) ;; *) tool=$PWD/$tool ;; esac
(cd "$work" && "$tool" --strategy none --net complete --processors 2 --load =tasks --costs ideal,quantum=0.1,poll=0.01 --csv) \
	>"$work/csv"
grep -qF ",\"'=tasks\"," "$work/csv"
same 'what looks like a formula' '0 -0.400000' "$? $(last_row pi <"$work/csv")"

# Odd loads: nothing, nothing that lasts, one processor.  Fails if: a figure is not a number where there is nothing.
for load in 0 1; do
	"$tool" --strategy dem --processors 3 --tasks $load --grain 1e-9 --costs ideal --json >"$work/json" &&
		! grep -qiE '(nan|inf),?$' "$work/json"
	point $? "$load tasks each"
done
same 'one processor' '0 1.000000' "$("$tool" --processors 1 --costs ideal --csv | last_row 'transfers efficiency')"

# Fails if: tasks in real time take nothing, or are lost.
"$tool" --engine threads --strategy dem --processors 2 --tasks 20 --csv | last_row 't_opt_s t_bal_s tasks' |
	awk '{ exit !($1 > 0 && $2 > .5 * $1 && $3 == 40) }'	# the computer may have become faster since work was calibrated
point $? 'on threads'
many=$(($(getconf _NPROCESSORS_ONLN) + 1))
"$tool" --engine threads --processors $many --tasks 0 2>&1 >/dev/null | grep -q "^dls-sim: rid: $many processors on [0-9]* of this computer take turns"
point $? 'more threads than processors are told of'
"$tool" --processors 8 --tasks 10 --speed 2>&1 >/dev/null | grep -q '^dls-sim: rid: [0-9]* events in .* million per second'
point $? '--speed'

# Fails if: something is taken for something else, or a run begins before all of the command line is read.
refused '"ridd"' --strategy ridd
refused '""' --strategy 'rid;;dem'
refused '"rid,u=2"' --strategy 'none;rid,u=2'
refused '"repart,calc=rid": calc= ' --strategy repart,calc=rid
refused '"dem,net=mesh:3x3"' --strategy dem,net=mesh:3x3 --processors 8
refused '"mesh:3x"' --net mesh:3x
refused '"hypercube:3"' --net hypercube:3 --processors 9
refused '"0"' --processors 0
refused '"ipsc3"' --costs ipsc3
refused '"ipsc2,poll=-1"' --costs ipsc2,poll=-1
refused '"delay"' --faults delay
refused '"nothing"' --load nothing
refused '"branch=0"' --load tree,branch=0
refused '"leaves=3"' --load tree,leaves=3
refused '"depth=x"' --load tree,depth=x
refused 'more than 10000000 tasks' --load tree,depth=20
refused '"-1"' --tasks -1
refused '"0"' --grain 0
refused '"0"' --speeds 1:0:1
refused '--speeds "1:1:1": more than the 2 processors' --speeds 1:1:1 --processors 2 --csv
refused '--weights "1:1:1": more than the 2 processors' --weights 1:1:1 --processors 2
refused '--weights "1:x", column 3' --weights 1:x
refused '"x"' --seed x
refused '"real"' --engine real
refused '"slow=2"' --engine threads --faults slow=2
refused 'of at most 16 runs alone, not of 17' --seed 1-17 --gantt "$work/x.svg"
refused '"/dev/null/x"' --gantt /dev/null/x
printf '0 1\n5 2\n' >"$work/tasks"
refused 'line 2: there is no processor 5, only 0 to 3' --processors 4 --load "$work/tasks" --json

finish
