#!/bin/sh
# chunks.sh - dls-chunks as its users meet it: its rows, its figures, its refusals; chunks_times.sh has
# virtual time, chunks_plot.sh the picture, chunks_html.sh the page and the traces.
#
# Fails if: a row is not what the calculator deals, a figure is of another row, a long row is cut where it may not be, an option goes
# to the wrong schedule, something bad is accepted or refused without a message that quotes it.
#
# runs: machines, texts
export LC_ALL=C
. test/sh.sh
tool=$bin/dls-chunks

# A row of the table as one line with single blanks; it goes on in the lines that start with a blank.
row() {	# its first words, options
	label="$1 "
	shift
	"$tool" "$@" 2>"$log" | awk -v label="$label" '/^[^ ]/ { on = index($0, label) == 1 } on' | tr -s ' \n' ' ' | sed 's/ $//'
}

# What the papers print, and tss's middle, which they leave out.
"$tool" -n 1000 -p 4 -s gss,tss,fac2 --csv | figures >"$work/rows"
awk 'BEGIN { print "schedule,chunk,begin,size,worker,start_s,time_s" }
	{ begin = 0; for (k = 2; k <= NF; k++) { print $1 "," k - 2 "," begin "," $k ",,,"; begin += $k } }' >"$work/want" <<'END'
gss 250 188 141 106 79 59 45 33 25 19 14 11 8 6 4 3 3 2 1 1 1 1
tss 125 116 108 100 91 83 75 67 58 50 42 34 25 17 9
fac2 125 125 125 125 63 63 63 63 31 31 31 31 16 16 16 16 8 8 8 8 4 4 4 4 2 2 2 2 1 1 1 1
END
cmp "$work/want" "$work/rows" >"$log"
point $? 'known rows'

# The rows of each schedule number its chunks and cover the loop.
for loop in '1000 4' '1 1' '1 8' '3 8' '1009 1' '1000 31 --mu 1e-6 --sigma 3e-6 --overhead 1e-7 --weights 1:2:0.5'; do
	# shellcheck disable=SC2086 # several words
	set -- $loop
	n_iterations=$1 p=$2
	shift 2
	"$tool" -n "$n_iterations" -p "$p" "$@" --csv | awk -F, -v n="$n_iterations" '
		NR == 1 { next }
		$1 != name { if (name && begin != n) bad = 1; name = $1; names++; chunk = begin = 0 }
		{ if ($2 != chunk++ || $3 != begin || $4 <= 0) { bad = 1; print "# " $0 } begin += $4 }
		END { exit bad || begin != n || names < 10 }'
	point $? "rows partition the loop: $loop"
done

"$tool" -n 100 -s all,'ss,8' --json >"$work/json" &&
	"$tool" -n 100 -s all,'ss,8' --csv | sed -E '1d; s/^("[^"]*"|[^,]*),([0-9]*),([0-9]*),([0-9]*),.*/\1,\2,\3,\4/; s/"//g' >"$work/want"
sed -nE 's/^  \{"schedule": "([^"]*)", "chunk": ([0-9]+), "begin": ([0-9]+), "size": ([0-9]+), "worker": .*\},?$/\1,\2,\3,\4/p' \
	"$work/json" | cmp "$work/want" - >"$log" && grep -q '^ss,8,12,96,4$' "$work/want"
point $? 'JSON has the same rows'
same '... in an array' '[ 1 }' "$(sed -n 1p "$work/json") $(sed '1d; $d' "$work/json" | grep -c '[^,]$') $(tail -n 2 "$work/json" | tr -d ']\n' | tail -c 1)"

set -- -n 1000 -p 4 -s gss,ss,fac2
same 'gss' 'gss 22 250 1 250 188 141 106 79 59 45 33 25 19 14 11 8 6 4 3x2 2 1x4' "$(row gss "$@")"
same 'ss' 'ss 1000 1 1 1x1000' "$(row ss "$@")"
same 'fac2' 'fac2 32 125 1 125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4' "$(row fac2 "$@")"
same 'a smallest chunk' 'gss,50 10 250 27 250 188 141 106 79 59 50x3 27' "$(row gss,50 -s 'gss,50;static')"
same 'static' 'static 4 250 250 250x4' "$(row static -s 'gss,50;static')"
set -- -n 100000 -p 16 -s tss,gss
long=$(row tss "$@")
case $long in 'tss 63 3125 50 3125 3075 3025 2976 '*' .. '*' 149 100 50') true ;; *) false ;; esac
point $? 'a long row has its begin and its end'
case $(row gss "$@") in 'gss 145 6250 1 6250 5860 5494 '*) true ;; *) false ;; esac
point $? '... for each schedule'
# The end cuts a batch short: the means of tss's sizes leave 48 of 1000 to the last one.
same 'tfss' 'tfss 16 113 9 113x4 79x4 46x4 13x3 9' "$(row tfss -s tfss)"

same 'what fac needs' 'fac (as fac2) 32 125 1 125x4 63x4 31x4 16x4 8x4 4x4 2x4 1x4' "$(row 'fac (as fac2)' -s fac)"
same '... is said' 'fac (as fac2): needs mu, sigma' "$("$tool" -s fac | tail -n 1)"
same '... but what is given' 'fac (as fac2): needs sigma' "$("$tool" -s fac --mu 1 | tail -n 1)"
same 'a smallest chunk of what runs' 'fac,50 (as fac2,50) 13 125 48 125x4 63x4 50x4 48' "$(row 'fac,50 (as fac2,50)' -s fac,50)"
sizes='40 210 1 210x4 15x4 9x4 5x4 4x4 2x8 1x12'
same 'moments' "fac $sizes" "$(row fac -s fac --mu 1e-6 --sigma 2e-6)"
same 'what a schedule says itself takes precedence' "fac,mu=1,sigma=2 $sizes" "$(row fac,mu=1,sigma=2 -s fac,mu=1,sigma=2 --sigma 5)"
same 'sigma = 0: one batch of N / P' 'fac,sigma=0 4 250 250 250x4' "$(row fac,sigma=0 -s fac,sigma=0 --mu 3 --sigma 5)"
# Workers ask in turn: the first chunks are fac2's 250, times the weights 1/2 and 3/2.
case $(row wf -p 2 -s wf --weights 1:3) in *' 125 375 '*) true ;; *) false ;; esac
point $? 'weights'

same 'a large loop' 'ss 1000000000000 1 1 1x1000000000000' "$(row ss -n 1000000000000 -s ss)"
case $(row gss -n 9223372036854775808 -s gss -p 2) in
'gss 64 4611686018427387904 1 4611686018427387904 2305843009213693952 '*) true ;;
*) false ;;
esac
point $? '2^63 iterations'
same 'the largest' 'ss 18446744073709551615 1 1 1x18446744073709551615' "$(row ss -n 18446744073709551615)"
case $(cat "$log") in 'dls-chunks: left out: awf, '*) true ;; *) false ;; esac
point $? '... which virtual time cannot run, as it says'
"$tool" -n 1e12 -p 64 >"$log" 2>&1 && "$tool" -n 1e19 -p 65536 >"$log" 2>&1
point $? 'long rows of many workers'
refused 'more than 10000000 rows' -n 1e9 -s ss --csv
refused 'more than 10000000 rows' -n 1e9 -s ss --json

for value in 0 x -1 1e20 '' 18446744073709551616; do refused "-n \"$value\"" -n "$value"; done
for value in 0 65537 4x; do refused "-p \"$value\"" -p "$value"; done
for value in gzz 4 gss,0 rnd,min=9,max=5; do refused "-s \"$value\"" -s "$value"; done
refused '"rid,4": a strategy has no chunk sizes' -s rid,4
refused 'all' -s ''
for value in 0 nan; do refused "--mu \"$value\"" --mu "$value"; done
for value in -1 1,mu=2; do refused "--sigma \"$value\"" --sigma "$value"; done
refused '"x"' --overhead x
refused '"1:x"' --weights 1:x
for value in nosuch /dev/null; do refused "--times \"$value\"" --times "$value"; done
refused '"1"' --times uniform --sigma 1
refused '"100000000"' --times exp -n 1e8
refused '"100000000"' -s awf-b -n 1e8
refused '"1e+09"' --times const --mu 1e9
refused '"exp"' --times exp --mu 1e300
for value in 1:0 1: 1-2; do refused "\"${value#1:}\"" --speeds "$value"; done
refused '"1:1:1:1:1"' --speeds 1:1:1:1:1
refused '"0"' --steps 0
refused '"-1"' --seed -1
refused '"extra"' extra

"$tool" --help=all | grep -q -e --weights && "$tool" | grep -q '^1000 iterations, 4 workers'
point $? 'help, and what is usual'
finish
