#!/bin/sh
# study.sh - dls-study: loops by schedules, times, speeds, workers and seeds; which differ, and which are the same.
#
# runs: check, texts
export LC_ALL=C
. test/sh.sh
tool=$(cd "$bin" && pwd)/dls-study advise=$(pwd)/$bin/dls-advise dls=$(pwd)/$bin/dls page=$(pwd)/man/dls-study.1
include=$(pwd)/include
case $bin in /*) advise=$bin/dls-advise dls=$bin/dls ;; esac
cd "$work" || exit 1
study() { "$tool" "$@" -o dir >text 2>"$log"; }
# Columns of a CSV, separated by blanks; commas in cells become semicolons.
columns() {	# file, names
	awk -F'"' '{ line = $1; for (i = 2; i <= NF; i++) { if (i % 2 == 0) gsub(",", ";", $i); line = line $i } print line }' "$1" |
		awk -F, -v want="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ line = ""; k = split(want, name, " "); for (i = 1; i <= k; i++) line = line (i > 1 ? " " : "") $at[name[i]]; print line }'
}

# By hand, gss on two workers, 10 iterations of 1 ms, a dispatch of 1 ms: 5 to worker 0 up to 6 ms, 3 to worker 1 up to 4 ms, 1 up to
# 6 ms, and the last to worker 0 up to 8 ms.  If worker 1 is twice as fast, it ends at 2.5, 4 and 5.5 ms.
# Fails if: a cell has another's schedule, times, speeds or workers, or groups come in another order.
refused 'more than the 1 worker' -s gss --times const -p 1,2 --speeds '1; 1:2' -o none
study -s gss,static --times const -n 10,20 -p 2 --speeds '1; 1:2' --overhead 1e-3
same 'times by hand' 'gss 10 1 0.008000000 4|static 10 1 0.006000000 2|gss 10 1:2 0.006000000 4|static 10 1:2 0.006000000 2' \
	"$(columns dir/loops.csv 'schedule iterations speeds time_s chunks' | sed -n '1,4p' | tr '\n' '|' | sed 's/|$//')"

# Static blocks of 51 and 49 % take 2 % longer than halves; as long as 49 and 51 %.  Fails if: runs of different seeds are paired, the
# planted difference is not found, or one is found where there is none.
set -- -s 'static; static,weights=51:49; static,weights=49:51' --times normal,sigma=1e-4 -n 10000 -p 2 --seed 1-20
study "$@"
columns dir/loops.differences.csv 'percent p' | awk 'NR == 2 && $1 > 1.8 && $1 < 2.1 && $2 < .001 { found = 1 } END { exit !found }'
point $? 'a difference of 2 % is found'
study "$@" --against static,weights=51:49
columns dir/loops.differences.csv 'percent p' | awk 'NR == 3 && $2 > .05 { none = 1 } END { exit !none }'
point $? 'none where there is none'
study "$@" --against best
same 'against the best' 'static' "$(columns dir/loops.differences.csv against | sed 1d | sort -u | tr -d '\n')"

# Fails if: a bit depends on more than the seeds, or rows that have not changed are run again.
for k in 1 2; do
	mkdir run$k && (cd run$k && "$tool" -s fac2,awf-b,wf,awf --times 'exp; const' -p 4 --seed 1-4 -o dir >text 2>"$log")
done
same 'two runs: the same files, to the last bit' '' "$(diff -r -x '*.pdf' run1 run2)"
same 'all is kept' '8 combinations, 8 of them kept, 0 run' \
	"$(cd run1 && "$tool" -s fac2,awf-b,wf,awf --times 'exp; const' -p 4 --seed 1-4 -o dir | sed -n 2p)"

# Fails if: equal runs get a test, runs that differ are called equal, or a reason is missing.
same 'equal runs are not tested' '- equal equal' \
	"$(columns run1/dir/loops.differences.csv 'schedule p note' | sed -n '/^fac2/s/.*/-/p; s/^wf  //p; s/^awf  //p' | head -n 3 | tr '\n' ' ' | sed 's/ $//')"
told() { sed -n '/^The same/,/^$/p' "$1" | sed '1d; s/^ *//' | tr '\n' '|'; }
same 'and the reasons' 'fac2 = wf = awf|wf: deals by weights, and is told none that differ|awf: learns from an execution for the next one, and this is the first|exp on 4 workers|fac2 = awf-b = wf = awf|awf-b: learns how fast workers are, and measures the same of all|wf: deals by weights, and is told none that differ|awf: learns from an execution for the next one, and this is the first|const on 4 workers||' \
	"$(told run1/text)"
study -s gss,ss,awf-b -n 6 -p 8
same 'fewer iterations than workers' 'gss = ss = awf-b|every chunk is one iteration|exp, 6 iterations on 8 workers||' "$(told text)"
study -s fac2,wf,awf -p 2 --speeds 1:3 --weights speeds --steps 2
same 'weights that are told, or learned' '' "$(told text)"

# A loop of a report, of 128 iterations in 64 buckets, the last half twice as long; a trace of it.
{
	printf '[\n {"site": "a", "function": "main", "schedule": "gss",\n'
	printf '  "executions": 2, "measured": 2, "workers": 1, "chunks": 8, "busy": 0.384, "dispatch": 0,\n'
	printf '  "profile": {"executions": 2, "iterations": 256, "spread": 0, "longest": 0, "time": ['
	awk 'BEGIN { for (i = 0; i < 64; i++) printf "%s%g", i ? ", " : "", i < 32 ? .004 : .008 }'
	printf ']}}\n]\n'
} >report.json
event='"args":{"execution":1,"workers":1,"worker":0,"site":"a"'
{
	echo "{\"ph\":\"X\",\"ts\":0,\"dur\":64000,$event,\"schedule\":\"gss\",\"begin\":0,\"size\":64,\"dispatch_ns\":0}}"
	echo "{\"ph\":\"X\",\"ts\":64000,\"dur\":128000,$event,\"schedule\":\"gss\",\"begin\":64,\"size\":64,\"dispatch_ns\":0}}"
	echo "{\"ph\":\"i\",\"ts\":192000,$event,\"ran\":\"gss\",\"iterations\":128,\"came_ns\":0}}"
} >trace.json
# Fails if: a bucket's or a chunk's time goes to other iterations.
study -s static,ss --times 'trace=report.json,loop=a; trace=trace.json,execution=1' -p 2
same 'a report and a trace' '128 0.128000000|128 0.096000000|128 0.128000000|128 0.096000000|' \
	"$(columns dir/loops.csv 'iterations time_s' | tr '\n' '|')"
same 'with their checksums' 2 "$(grep -c '^files .*json cksum=' dir/loops.manifest)"
refused '"b": not in "report.json", which has a' --times trace=report.json,loop=b

# The page's own example.
sed -n '/^\$ cat u.study/,/^\.Ed/p' "$page" >shown
sed -n '2,/^\$/p' shown | sed '$d' >u.study
sed -n '/^\$ dls study/,/^\.Ed/p' shown | sed '1d; $d' >wanted
"$dls" study u.study >text 2>"$log"
grep 1:1:2:4 text | cut -c 15-107 | sed 's/ *$//' | diff wanted - >"$log" && [ "$(wc -l <wanted)" -eq 5 ]
point $? 'the example of the page, line for line'
same 'its files' 'u.csv u.differences.csv u.manifest u.study u.svg u.tex' "$(ls u.* | grep -v pdf | tr '\n' ' ' | sed 's/ $//')"
grep -q '& gss & .0.25248 \\pm 0.0053. & .0.11925 \\pm 0.0038. & .<0.001' u.tex
point $? 'the table of LaTeX'
if need rsvg-convert librsvg2-bin 'the figure as PDF'; then
	holds 'the figure as PDF' [ "$(head -c 5 u.pdf)" = '%PDF-' ]
fi

# A rule of one's own.  Fails if: it is not dealt, or dls-advise does not predict it.
if [ -n "${SAN-}${ARCH-}" ]; then
	skip 'a plug-in' 'plain builds only'
else
	cat >third.c <<'END'
#include "dls/calc.h"
static int init(void *state, const struct dls_loop_desc *loop) { *(unsigned *)state = loop->p; return 0; }
static uint64_t next(void *state, uint64_t R) { return dls_ceil_div(R, 3 * *(unsigned *)state); }
static const struct dls_calc third = { .size = sizeof(third), .name = "third", .source = "here", .state_size = 8,
	.init = init, .next = next };
int dls_plugin(void);
int dls_plugin(void) { return dls_calc_register(&third); }
END
	${CC:-cc} -std=c11 -I"$include" -fPIC -shared -o third.so third.c 2>"$log" || bail 'no plug-in'
	study -s third --plugin third.so --times const -n 6 -p 1
	same 'a rule of a plug-in: 2, 2, 1, 1' '0.006000000 4' "$(columns dir/loops.csv 'time_s chunks')"
	if [ -x "$advise" ]; then
		same 'which dls-advise predicts' 1 "$("$advise" -t 2 --plugin third.so --csv report.json 2>"$log" | grep -c '^a,third,2,128,0\.0')"
	else
		skip 'which dls-advise predicts' 'it is not built'
	fi
fi

# Strategies are dls-sim's.
if [ -x "${tool%study}sim" ]; then
	printf 'strategy rid; none\nprocessors 4\ntasks 3\n' >m.study
	"$tool" m.study -o m >text 2>"$log"
	same 'a file of strategies, on the net that they run on' 'hypercube:2' "$(columns m/m.differences.csv net | sort -u)"
else
	skip 'a file of strategies' 'there is no dls-sim'
fi

bad() {	# what it quotes, lines
	said=$1
	shift
	printf '%s\n' "$@" >bad.study
	refused "$said" bad.study
}
bad 'line 2, "schedul": not schedule, processors,' '' 'schedul gss'
bad 'line 1: --schedule "gsss": ' 'schedule gsss'
bad 'line 2: --times "exq": not const' 'schedule gss' 'times exq'
bad 'line 1: --processors "0": ' 'processors 0'
bad 'line 1, "exp;;const": values are separated by single semicolons' 'times exp;;const'
bad 'line 1, "gss": not one of the study' 'against gss'
bad 'line 1, "t_bal_s": not a column of figures' 'measure t_bal_s'
refused '--times "loop=a": loop= and execution= are of a trace' --times loop=a
refused '--times "mu=1": needs a kind' --times mu=1
refused '"gss;;fac2": values are separated by single semicolons' -s 'gss;;fac2'
refused '--times "exp,loop=a": loop= and execution= are of a trace' --times exp,loop=a
refused '-s "rid": a strategy' -s rid
refused '--mu "-1"' --mu -1
refused '-n "1e8"' -n 1e8
refused 'lines of the file' u.study --seed 1-3
refused 'study "none.study": No such file' none.study
refused '-o "u.study/x": ' -o u.study/x
same 'no file of a refused study' '' "$(ls bad.* loops.* 2>&1 | grep -v 'bad.study\|loops.\*')"
finish
