#!/bin/sh
# loops.sh - dls-loops: its kernels under libdls, what it prints and what it refuses.
#
# Fails if: a kernel's result is not the serial one, a row or a column is missing, a verdict's words do not fit its figures, a refusal
# does not quote what was wrong or name what is accepted.
#
# runs: once
export LC_ALL=C OMP_WAIT_POLICY="${OMP_WAIT_POLICY-passive}"
. test/sh.sh
tool=$bin/dls-loops
"$tool" --list >"$work/list" 2>"$log"
[ $? -ne 3 ] || skip_all 'dls-loops was built without OpenMP'
holds 'a list of kernels' [ "$(wc -l <"$work/list")" -ge 15 ]

# Every kernel gives the serial result, and so does each form of those of many loops; the tool itself compares.
set -- gss awf-b af tss steal
case $("$bin/dls-chunks" -s nosuch 2>&1) in *' rid '*) set -- "$@" rid,3 factor phase ;; esac
# All programs in one process, where four share a graph.
programs=$("$tool" -k programs -t 2 --runs 1 --seconds .001 -s steal 2>&1) || programs="failed: $programs"
while read -r kernel kind _; do
	under=$1
	case $kind in
	program:) under=steal; echo "$programs" >"$log"; [ "${programs#failed}" = "$programs" ] ;;
	*) "$tool" "$kernel" -t 2 --runs 1 -s "$1" >"$log" 2>&1 ;;
	esac && grep -q "^$kernel:" "$log"
	point $? "$kernel under $under"
	first=$1
	shift
	set -- "$@" "$first"
done <"$work/list"

"$tool" matrix -t 2 --runs 1 --csv -s 'gss; ss,100' >"$work/csv" 2>"$log"
same 'CSV: the head' side,kernel,schedule,threads,time_median,time_min,time_max,chunks,imbalance_percent,step,time_late,time_ideal,ratio_to_ideal,times \
	"$(figures <"$work/csv" | head -n 1)"
same 'CSV: a row for each schedule' 6 "$(wc -l <"$work/csv")"
sed -n 's/^libdls,matrix,"ss,100",2,/, /p' "$work/csv" | awk -F, '{ n++; bad = !($3 > 0 && $3 <= $2 && $2 <= $4 && $5 == 5) } END { exit bad || n != 1 }'
point $? 'CSV: times, and the chunks of 480 rows'

# About 100 (2 * 14 / (14 + 1) - 1) = 87 on a quiet machine; what holds on any is max / mean = 1..P.
"$tool" matrix -t 2 --runs 1 --csv -s static --slow 0:2 2>"$log" |
	awk -F, '/^libdls,matrix,static,2,/ { n++; bad = !($8 == 2 && $9 >= 0 && $9 <= 100) } END { exit bad || n != 1 }'
point $? 'a slow worker'

# Each schedule has a row for the run and one for each step.  Fails if: steps are mixed up or miscounted, time_late is not the median
# from the fourth step on, or the ratio is not to the ideal.
"$tool" matrix -t 2 --runs 1 --csv -s awf --steps 5 --slow 1:3 2>"$log" | awk -F, '
	function off(a, b, most) { return a - b > most || b - a > most }
	!/^libdls,matrix,awf,2,/ { next }
	$10 != n++ { bad = 1 }
	$10 == 0 { run = $5; late = $11; ideal = $12; ratio = $13; next }
	{ step[$10] = $5; sum += $5; if ($8 != "" || $9 != "") bad = 1 }
	END { exit bad || n != 6 || off(sum, run, 1e-8) || off(late, (step[4] + step[5]) / 2, 1e-8) || off(ratio * ideal, late, 1e-3 * late) }'
point $? 'time steps'

# A worker of an eighth of the speed waits, on its processor, seven times as long as it computes: with what else the tool does, all
# takes two to three times the processor time.  How long it takes says nothing where others have the processor as well.
# Fails if: the worker does not wait.
if [ "${SAN-}" ]; then
	skip 'a slow worker takes its time' 'eight times as long is minutes under a sanitizer'
else
	for factor in 1.001 8; do
		("$tool" matrix -t 1 --runs 1 --csv -s fac2 --slow 0:$factor >/dev/null 2>&1; times) |
			sed -n '2s/\([0-9]*\)m\([0-9.]*\)s.*/\1 \2/p' | awk '{ print 60 * $1 + $2 }'
	done >"$log"
	awk 'NR == 1 { equal = $1 } NR == 2 { slow = $1 } END { exit !(equal > 0 && slow > 1.5 * equal) }' "$log"
	point $? 'a slow worker takes its time'
fi

# Fails if: the report is not written, or lacks a schedule.
set -- matrix poisson -t 2 --runs 1 -s 'gss; af; tss,f=99'
"$tool" "$@" --html "$work/a.html" >"$log" 2>&1 && grep -q imbalance "$log" && grep -q 'poisson tss,f=99' "$work/a.html" &&
	grep -q 'matrix af' "$work/a.html" && grep -q '<svg' "$work/a.html"
point $? 'a report'
# Fails if: labels stand on one another or beyond the edge, a lecture has more than six schedules or the type of print, or does not
# say which are left out.
if need python3 python3 'a plot'; then
	"$tool" "$@" --csv --plot "$work/a.svg" >"$log" 2>&1 && grep -q '^side,' "$log" && python3 test/labels.py "$work/a.svg" >"$log" 2>&1
	point $? 'a plot'
	"$tool" matrix -t 2 --runs 1 -s 'ss; gss; tss; fac2; steal; af; awf-b; static' --lecture \
		--plot "$work/a.svg" >"$log" 2>"$work/err" &&
		grep -q 'at most six schedules, here without awf-b, static$' "$work/err" &&
		python3 test/labels.py "$work/a.svg" >"$log" 2>&1 && grep -q 'font-size:17px' "$work/a.svg"
	point $? 'a plot for a lecture'
fi
grep -q '<input type="checkbox"/>' "$work/a.html" && "$tool" matrix -t 2 --runs 1 -s gss --lecture --html "$work/a.html" >"$log" 2>&1 &&
	grep -q '<input type="checkbox" checked="checked"/>' "$work/a.html"
point $? 'a report that opens in large type'

# Lines fit a terminal, but where others have the processors and times are wider than their columns; each of the compiler's schedules
# has a verdict, in words that fit its figures, which are rounded: 0.03.
"$tool" --demo matrix -t 2 --runs 3 -s 'gss; ss,10' >"$work/out" 2>"$log" && grep -q emulate "$work/out" &&
	grep -q '  the first of the list$' "$work/out" && awk '
	function wrong(what) { print "# " what ": " $0; bad = 1 }
	{ wide = $4 == "+-" && ($3 >= 9999 || $5 >= 99) }
	length($0) > 80 && !wide { wrong("long") }
	!/ \+- .* times as fast/ { next }
	{ lines++ }
	/^      / { next }	# the words are in the line before
	{ match($0, /[0-9.]+ \+- [0-9.]+/); split(substr($0, RSTART, RLENGTH), figure, " "); f = figure[1]; half = figure[3] }
	/no difference from / { if (f < 0.98 || f > 1.02 || half > 0.02) wrong("difference"); next }
	/nothing beats / { if (f + 2 * half >= 1.03) wrong("beaten"); next }
	!/too noisy to say against / && !(/ is / && f >= 1.02 && f - 2 * half > 0.97) { wrong("noise") }
	END { exit bad || lines != 2 * 3 }' "$work/out" >>"$log"
point $? 'verdicts'

refused '"nosuch": no such kernel; there are mandelbrot, spmv' nosuch
refused '-s "nosuch": no schedule has this name; there are: static ss fsc mfsc gss tss fac fac2' -s nosuch
refused 'bogus' -s gss,bogus=1
refused '-t "0": not a whole number from 1' -t 0
refused '--runs "1x": not a whole number from 1' --runs 1x
refused '--slow "1": not W:FACTOR' -t 2 --slow 1
refused '--slow "2": not a whole number from 0 to 1' -t 2 --slow 2:2
refused '--slow "0.5": not a number from 1' -t 2 --slow 1:0.5
refused '"stencils": not with --slow' stencils -t 2 --slow 1:2
refused '"stencils-for": not with --plot' matrix stencils-for --plot "$work/a.svg"
refused '--steps "0": not a whole number from 1 to 1000' --steps 0
refused '--demo: not with --csv, --json or --steps' --steps 3 --demo
refused "\"$work/a.txt\": not the name of a file that ends in .html" --html "$work/a.txt"
refused '"/nosuch/a.html": No such' --html /nosuch/a.html

# make hostile: a row for a condition, words for one that cannot be, a refusal of one that there is not.  Of the odd rounds the compiler's
# schedule is the best, of the even ones ss,16: by either auto's ratio in the others is 1, 0.75 and 1.5, 1.5.
# Fails if: auto is compared with the best of the same rounds, which makes 3.75.
cat >"$work/times" <<'END'
#!/bin/sh
[ "$1" != broken ] || { echo 'it broke' >&2; exit 1; }
echo "libdls: loop: auto runs steal,64" >&2
printf 'side,kernel,schedule,threads,times\ngomp,%s,static,2,.002 .004 .002 .004\nlibdls,%s,auto,2,.003 .006 .003 .006\n' "$1" "$1"
printf 'libdls,%s,"ss,16",2,.003 .001 .004 .001\n' "$1"
END
chmod +x "$work/times"
bench/loops/hostile.sh "$work/times" --kernels one,broken -c 'calm unbound' >"$log" 2>&1
row='one 4.50 2.00 ss 16 1.250 +- 0.250 steal,64;'
same 'hostile: rows' "calm ${row}unbound ${row}mean 1.250, worst 1.250 of 2; 0 within 3 %, 2 but for the spread;" \
	"$(awk '/steal|mean/ { $1 = $1; printf "%s;", $0 }' "$log")"
same 'hostile: what cannot be measured' 2 "$(grep -c 'not measured: broken: it broke' "$log")"
finish
