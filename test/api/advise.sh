#!/bin/sh
# advise.sh - dls-advise: predictions and advice worked out by hand, the same from a trace and a report of one run, bad input.
#
# Fails if: a chunk counts for another place or worker, speeds are taken for costs, times of executions that differ are printed,
# a rule is silent or speaks up elsewhere, what is no trace or report is accepted or crashes the tool.
#
# runs: texts
export LC_ALL=C
. test/sh.sh
tool=$bin/dls-advise
[ -x "$tool" ] || skip_all 'dls-advise is not built'

# A trace of lines "execution worker workers begin size ms schedule": each worker's chunks follow each other.
trace() {	# file
	awk 'BEGIN { printf "{\"otherData\":{\"lost\":0},\n\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\"}" }
		{
			key = $1 " " $2
			printf ",\n{\"ph\":\"X\",\"ts\":%.3f,\"dur\":%.3f,\"args\":{\"begin\":%d,\"size\":%d,\"execution\":%d," \
				"\"worker\":%d,\"workers\":%d,\"dispatch_ns\":0,\"schedule\":\"%s\",\"site\":\"loop\"}}",
				1000 * at[key], 1000 * $6, $4, $5, $1, $2, $3, $7
			at[key] += $6
			n[key] += $5
			workers[$1] = $3
			schedule[$1] = $7
		}
		END {
			for (e in workers)
				for (w = 0; w < workers[e]; w++)
					printf ",\n{\"ph\":\"i\",\"ts\":%.3f,\"args\":{\"execution\":%d,\"worker\":%d,\"workers\":%d," \
						"\"iterations\":%d,\"came_ns\":0,\"schedule\":\"%s\",\"ran\":\"%s\",\"site\":\"loop\"}}",
						1000 * at[e " " w], e, w, workers[e], n[e " " w], schedule[e], schedule[e]
			print "\n]}"
		}' >"$1"
}

# One column of a schedule's row, "-": empty.
cell() {	# schedule, column
	awk -F, -v want="$1" -v column="$2" '{ gsub(/"[^"]*,[^"]*"/, "&"); line = $0
		while (match(line, /"[^"]*"/)) {
			inner = substr(line, RSTART + 1, RLENGTH - 2)
			gsub(/,/, ";", inner)
			line = substr(line, 1, RSTART - 1) inner substr(line, RSTART + RLENGTH)
		}
		n = split(line, c, ",")
		if (NR == 1) { for (i = 1; i <= n; i++) if (c[i] == column) k = i }
		else if (c[2] == want) print c[k] == "" ? "-" : c[k] }' "$work/rows"
}
near() {	# text, got, wanted
	awk -v a="$2" -v b="$3" 'BEGIN { exit !(a != "" && a != "-" && (a - b) ^ 2 <= 1e-6 * b ^ 2) }'
	point $? "$1"
	awk -v a="$2" -v b="$3" 'BEGIN { if (!(a != "" && a != "-" && (a - b) ^ 2 <= 1e-6 * b ^ 2)) print "# got " a ", wanted " b }'
}
says() {	# text, what the advice is, files and options
	wanted=$2
	name=$1
	shift 2
	"$tool" "$@" >"$log" 2>&1 && grep -q -e "^  advice: $wanted" "$log"
	point $? "$name"
}

# 32 iterations of 1 ms and 32 of 3 ms, dealt as blocks; ideal: 64 ms, static: 96 ms.
printf '%s\n' '1 0 2 0 32 32 static' '1 1 2 32 32 96 static' >"$work/blocks"
trace "$work/blocks.json" <"$work/blocks"
"$tool" --csv "$work/blocks.json" >"$work/rows" 2>"$log"
near 'blocks: the time of static' "$(cell static seconds)" 0.096
near 'blocks: as it was measured' "$(cell static measured_seconds)" 0.096
near 'blocks: of the ideal' "$(cell static times_ideal)" 1.5
near 'blocks: of dynamic,1' "$(cell 'ss;1' seconds)" 0.064
same 'blocks: what is in force' 'in force' "$(cell static mark)"
says 'blocks: steal is better' 'steal,1 would take 6[45].*: 3[23] % less (predicted), 1.0[0-9] x ideal' "$work/blocks.json"
"$tool" --csv -t 4 "$work/blocks.json" >"$work/rows" 2>"$log"
near 'blocks: by 4 threads' "$(cell static seconds)" 0.048
same 'blocks: by 4 threads, as not measured' - "$(cell static measured_seconds)"
"$tool" --csv --speeds 1:3 "$work/blocks.json" >"$work/rows" 2>"$log"
near 'blocks: the second thread is faster' "$(cell static times_ideal)" 1
sed 's/"ran":"static"/"ran":"native"/' "$work/blocks.json" >"$work/native.json"
says "blocks: an unmodified program's" 'fac2 would take 3[23] % less (predicted), once the loop has schedule(runtime) in its source' "$work/native.json"
sed 's/"ran":"static"/"ran":"native"/; s/"schedule":"static"/"schedule":"ss,32"/' "$work/blocks.json" >"$work/native.json"
says "blocks: an unmodified program's, dynamic" '\(fac2\|gss\|tss\|mfsc\|ss,[0-9]*\) would take' "$work/native.json"
says 'blocks: for 16 threads' 'with 16 threads static would take 1.5 x ideal, mfsc 1 (predicted)$' -t 16 "$work/blocks.json"
awk 'BEGIN { for (w = 0; w < 2; w++) for (i = 0; i < 32; i++) print 1, w, 2, 3200 * w + 100 * i, 100, 1 + 2 * w, "static" }' | trace "$work/buckets.json"
says 'buckets: they carry 32 threads' 'with 32 threads .*(predicted)$' -t 32 "$work/buckets.json"
says 'buckets: and not 33' 'the profile carries predictions for up to 32 threads: for 33 they' -t 33 "$work/buckets.json"
same 'buckets: so nothing is advised' 1 "$("$tool" -t 33 "$work/buckets.json" | grep -c advice:)"
same 'buckets: nor in rows' '' "$("$tool" --csv -t 33 "$work/buckets.json" | grep ,advised,)"
# Ten chunks of 10 iterations a bucket, 1 and 1.8 ms: 64 buckets of .14 ms an iteration, of variance 100 (.04 ms)^2 / 9.
awk 'BEGIN { for (w = 0; w < 2; w++) for (i = 0; i < 320; i++) print 1, w, 2, 3200 * w + 10 * i, 10, i % 2 ? 1.8 : 1, "static" }' |
	trace "$work/differ_within.json"
says 'buckets: with what they differ by within they carry 110' 'with 110 threads' -t 110 "$work/differ_within.json"
says 'buckets: and not 111' 'the profile carries predictions for up to 110 threads: by 111 each' -t 111 "$work/differ_within.json"
awk 'function array(name, x,   b) {
		printf ", \"%s\": [", name
		for (b = 0; b < 64; b++)
			printf "%s%.9g", b ? ", " : "", x
		printf "]"
	}
	BEGIN {
		printf "[{\"site\": \"loop\", \"schedule\": \"static\", \"workers\": 2, \"measured\": 1, \"busy\": 0.896, \"efficiency\": 1"
		printf ", \"profile\": {\"executions\": 1, \"iterations\": 6400"
		array("time", 0.014)
		array("variance", 1e-6 * 100 * 0.04 ^ 2 / 9)
		print "}, \"worker\": [{\"speed\": 1}, {\"speed\": 1}], \"schedules\": []}]"
	}' >"$work/within.json"
says 'buckets: so they do in a report' 'the profile carries predictions for up to 110 threads: by 111 each' -t 111 "$work/within.json"
sed 's/"measured": 1,/&"time_share": 0.009,/' "$work/within.json" >"$work/little.json"
says 'a loop of less than 1 % of the time' 'nothing to gain: it takes 0.9 % of the time (measured)$' -t 111 "$work/little.json"
says 'buckets: those of one iteration each carry all' 'with 33 threads' -t 33 "$work/blocks.json"

# A static loop of an unmodified program: its blocks are known, and no chunk.
printf '%s' '[{"site": "a.c:1", "schedule": "static", "reach": "alone", "workers": 2, "measured": 50, "wall": 0.1, "busy": 0.16, "dispatch": 0, "idle": 0.04, ' \
	'"saving": 0.02, "efficiency": 0.8, "time_share": 0.5, "profile": null, "worker": [{"speed": 1}, {"speed": 1}], "schedules": ' \
	'[{"asked": "static", "ran": "parts", "taken": {"workers": 2, "executions": 50, "wall": 0.1, "busy": 0.16, "iterations": 100}}]}]' \
	>"$work/parts.json"
says "blocks alone: advice as the report's" "DLS_SCHEDULE='a.c:1:fac2' would take 20 % less (predicted); or compile" "$work/parts.json"
sed 's/"reach": "alone"/"reach": "phase", "loop": "a.c:7"/' "$work/parts.json" >"$work/phase.json"
says 'blocks alone: the loop in them' 'fac2 would take 20 % less (predicted), once the loop at a.c:7 has' "$work/phase.json"
sed 's/"reach": "alone", //' "$work/parts.json" >"$work/older.json"
says 'blocks alone: an older report' 'fac2 would take 20 % less (predicted), once the loop has' "$work/older.json"
sed 's/"reach": "alone"/"reach": "nowhere"/' "$work/parts.json" >"$work/nowhere.json"
refused '"reach" is "nowhere"' "$work/nowhere.json"
"$tool" "$work/parts.json" | grep -qx '  2 threads, 50 executions, of which only each thread.s time is known'
point $? 'blocks alone: so it says'
"$tool" --html "$work/parts.html" "$work/parts.json" >"$log" 2>&1 && grep -q '<p>2 threads, 50 executions, of which only' "$work/parts.html"
point $? 'blocks alone: on the page, too'
! "$tool" -t 4 "$work/parts.json" | grep -q advice:
point $? 'blocks alone: nothing for other threads'

# Equal iterations one by one, worker 1 taking twice as long: speeds 4/3 and 2/3, so iterations of 4/3 ms.
awk 'BEGIN { for (i = 0; i < 256; i++) print 1, i % 3 == 2, 2, i, 1, i % 3 == 2 ? 2 : 1, "ss" }' >"$work/speeds"
trace "$work/speeds.json" <"$work/speeds"
"$tool" --csv "$work/speeds.json" >"$work/rows" 2>"$log"
near 'speeds: static waits for the slow thread' "$(cell static times_ideal)" 1.5
"$tool" --csv --speeds 1:1 "$work/speeds.json" >"$work/rows" 2>"$log"
near 'speeds: costs are not theirs' "$(cell static times_ideal)" 1
says 'speeds: they are told' 'threads differ in speed, from 0.67 to 1.33' "$work/speeds.json"

# Executions that differ.
sed 's/^1/2/; s/ 32 static/ 320 static/; s/ 96 static/ 960 static/' "$work/blocks" | cat - "$work/blocks" | trace "$work/differ.json"
"$tool" --csv "$work/differ.json" >"$work/rows" 2>"$log"
same 'executions differ: no time' - "$(cell static seconds)"
near 'executions differ: a ratio' "$(cell static times_ideal)" 1.5
says 'executions differ: it says so' 'its executions differ' "$work/differ.json"
"$tool" "$work/differ.json" | grep -q '^  schedule  *ms ' && ! "$tool" "$work/differ.json" | grep -q '[0-9] [mu]*s[ :]'
point $? 'executions differ: no time in the text either'

# The rules.
printf '%s\n' '1 0 2 0 64 64 static' '1 1 2 64 64 64 static' | trace "$work/even.json"
says 'balanced' 'nothing to gain by another schedule: efficiency 1.000' "$work/even.json"
same 'balanced: nothing else is said' 1 "$("$tool" "$work/even.json" | grep -c advice:)"
printf '%s\n' '1 0 2 0 64 64 static' '1 1 2 64 64 64 static' '2 0 2 0 64 96 ss' '2 1 2 64 64 96 ss' | trace "$work/moved.json"
says 'locality' 'iterations take 50 % longer where schedules move them' "$work/moved.json"
printf '%s\n' '1 0 1 0 128 64 static' | trace "$work/alone.json"
says 'memory' 'iterations take 100 % longer by 2 threads than by one' "$work/alone.json" "$work/even.json"
awk 'BEGIN { for (i = 0; i < 128; i++) print 1, i == 100, 2, i, 1, i == 100 ? 200 : 1, "ss,1" }' | trace "$work/long.json"
says 'one long iteration' 'one iteration takes 200 ms or more, longer than the ideal 16[0-9] ms of the whole loop' "$work/long.json"
awk 'BEGIN { for (w = 0; w < 16; w++) print 1, w, 16, 128 * w, 128, w ? 4 : 100, "static" }' | trace "$work/coarse.json"
says 'a costly place of which nothing more is known' 'steal,1 would take' "$work/coarse.json"
says 'it is named' 'iterations 0 to 31 take 25 ms, longer than the ideal 10 ms of the whole loop: if one' "$work/coarse.json"
printf '%s\n' '1 0 2 0 3 6 static' '1 1 2 3 3 3 static' | trace "$work/few.json"
says 'few iterations' '6 iterations are few for 2 threads' "$work/few.json"
sed 's/static/monotonic:gss/' "$work/blocks" | trace "$work/order.json"
says 'order matters' 'steal and frac are left out' "$work/order.json"
"$tool" --csv "$work/order.json" >"$work/rows"
! grep -qE 'steal|frac' "$work/rows"
point $? 'order matters: they are'
grep -v '"worker":0,"workers":2,"iterations"' "$work/blocks.json" >"$work/partly.json"
same 'an execution without a worker is left out' 'no loop was measured' "$("$tool" "$work/partly.json" | sed 1d)"
grep -v '"begin":0' "$work/blocks.json" >"$work/partly.json"
same 'an execution without a chunk is left out' 'no loop was measured' "$("$tool" "$work/partly.json" | sed 1d)"

sed 's/"schedule":"static","ran":"static"/"schedule":"auto","ran":"static"/' "$work/blocks.json" >"$work/auto.json"
"$tool" --csv "$work/auto.json" >"$work/rows" 2>"$log"
near 'under auto: what it has chosen is in force' "$(cell static measured_times_ideal)" 1.5
sed 's/"schedule":"auto"/"schedule":"monotonic:auto"/' "$work/auto.json" >"$work/rising.json"
"$tool" --csv "$work/rising.json" >"$work/rows" 2>"$log"
! grep -qE 'steal|frac' "$work/rows"
point $? 'under monotonic:auto: steal and frac are left out'

# A run's trace and report say the same.
if [ -x "$bin/dls-loops" ] && OMP_NUM_THREADS=2 DLS_TRACE="$work/t.json" DLS_REPORT="$work/r.json" \
	"$bin/dls-loops" primes -t 2 --runs 1 -s fac2 >"$log" 2>&1; then
	"$tool" --csv "$work/t.json" | figures | sort >"$work/of_trace" && "$tool" --csv "$work/r.json" | figures | sort >"$work/rows" &&
		paste -d '|' "$work/of_trace" "$work/rows" | awk -F '|' '{ n = split($1, a, ","); split($2, b, ",")
			for (i = 1; i <= n; i++)
				if (a[i] != b[i] && (a[i] !~ /^[0-9.e-]+$/ || b[i] !~ /^[0-9.e-]+$/ || (a[i] - b[i]) ^ 2 > (1e-3 * b[i] + 1e-6) ^ 2)) {
					print "# trace: " $1 "\n# report: " $2
					bad = 1
					break
				} }
			END { exit bad || NR < 5 }'
	point $? "a run's trace and report lead to the same predictions"
else
	skip "a run's trace and report lead to the same predictions" 'dls-loops does not run'
fi

# One report in each format.
cat >"$work/forms.c" <<'END_C'
#include <dls.h>

static double sum[2000];

int main(int n, char **file)
{
	for (int k = 0; k < 5; k++) {
		DLS_PARALLEL_FOR(i, 0, 2000, .name = "a \"<b>\" & ,c")
			for (int j = 0; j < 200 * i; j++)
				sum[i] += j;
		DLS_PARALLEL_FOR(i, 0, 2000, .name = "second")
			for (int j = 0; j < 20000; j++)
				sum[i] += j;
	}
	for (int k = 1; k < n; k++)
		if (dls_report(file[k]))
			return 1;
	return 0;
}
END_C
if [ -n "${SAN-}" ]; then
	skip 'one report in each format' 'the library of a sanitizer links no plain program'
elif ${CC:-cc} -O1 ${OPENMP--fopenmp} -Iinclude "$work/forms.c" "$lib" -lm -pthread -o "$work/forms" 2>"$log" &&
	DLS_REPORT="$work/f.json" DLS_SCHEDULE=gss OMP_NUM_THREADS=2 "$work/forms" "$work/f.html" 2>"$log"; then
	"$tool" --csv "$work/f.json" | figures >"$work/rows"
	"$tool" --csv "$work/f.html" 2>"$log" | figures >"$work/wanted"
	cmp "$work/rows" "$work/wanted" >>"$log" 2>&1 && [ "$(wc -l <"$work/rows")" -gt 9 ]
	point $? 'the same from JSON and HTML'
else
	point 1 'one report in each format'
fi
printf '<html><p>no report</p></html>\n' >"$work/other.html"
refused 'neither a trace of DLS_TRACE nor a report of DLS_REPORT=FILE.json or FILE.html' "$work/other.html"

"$tool" --lecture --html "$work/page.html" "$work/blocks.json" "$work/even.json" >/dev/null 2>"$log" &&
	grep -q 'checked="checked"' "$work/page.html" && [ "$(grep -c '<svg ' "$work/page.html")" -eq 2 ] && grep -q 'in force' "$work/page.html" &&
	! grep -qi '[" ]-\{0,1\}nan' "$work/page.html"
point $? 'the page has two pictures of a loop'
if need python3 python3 'the page is well-formed and whole in itself'; then
	python3 test/api/report.py page "$work/page.html" 0 >"$log" 2>&1 && [ ! -s "$log" ]
	point $? 'the page is well-formed and whole in itself'
fi

refused 'no FILE given'
refused 'No such file' "$work/none"
refused 'Is a directory' "$work"
refused 'neither a trace' /dev/null
refused 'neither a trace' /dev/zero
refused '-t "1": not a whole number from 2 to 65536' -t 1 "$work/blocks.json"
refused '--speeds "1:0"' --speeds 1:0 "$work/blocks.json"
refused '--speeds "1:1:1": more than the 2 threads' --speeds 1:1:1 "$work/blocks.json"
refused 'No such file' --html "$work/none/page.html" "$work/blocks.json"
bad() {	# what is said, text
	printf '%s' "$2" >"$work/bad"
	refused "$1" "$work/bad"
}
bad 'neither a trace' '{}'
bad 'neither a trace' '{"a": 1, "b": true, "c": [1, {"d": 2}]}'
bad 'neither a trace' '[1]'
bad 'neither a trace' '[{"a": 1}]'
bad 'neither a trace' 'hello'
bad 'an older libdls' '[{"site": "a", "workers": 2, "measured": 1}]'
bad '"workers": 1e+09 is not from' '[{"site": "a", "workers": 1e9, "measured": 1, "profile": null}]'
bad 'overflow' '[{"site": "a", "workers": 1e999, "measured": 1, "profile": null}]'
bad 'object 1: ' '[{"site": "a'
bad 'there is more' '[] x'
bad 'ends within' '[{"ph": "M"}'
bad 'not a text' '[{"ph": 1}]'
bad '"execution" is not a number' '[{"ph": "X", "ts": 1, "args": {"execution": {}}}]'
bad 'worker 2 of 2' "$(sed 's/"worker":1/"worker":2/' "$work/blocks.json")"
bad '"size": 0' "$(sed 's/"size":32/"size":0/' "$work/blocks.json")"
bad 'events of two loops' "$(sed 's/"worker":1\(.*\)"loop"/"worker":1\1"other"/' "$work/blocks.json")"
bad '"variance" of the profile is not of 64 numbers' "$(sed 's/"variance": \[[^,]*, /"variance": [/' "$work/within.json")"
bad '"variance" of the profile is not of 64 numbers from 0' "$(sed 's/"variance": \[[^,]*, /"variance": [-1, /' "$work/within.json")"
for bars in '[0, 1]' '[1]' '[1, -1]' '["a", 1]' 7; do
	bad '"bars" of the profile are not iterations and seconds' "$(sed "s/\"profile\": {/&\"bars\": [[1, 1], $bars], /" "$work/within.json")"
done
bad '"bars" of the profile are more than 64' "$(awk 'BEGIN { for (i = 0; i < 65; i++) printf "%s[1, 1]", i ? ", " : "" }' |
	sed 's/.*/s|"profile": {|\&"bars": [&], |/' | sed -f - "$work/within.json")"
bad 'depth' "$(awk 'BEGIN { printf "[{\"a\": "; for (i = 0; i < 5000; i++) printf "[" }')"

# Files cut off at any place, and with some bytes replaced: 2 and a message, or 0, and never anything else.
survives() {	# text, file
	"$tool" --html /dev/null "$2" >"$work/out" 2>"$work/err"
	got=$?
	{ [ $got -eq 0 ] && [ ! -s "$work/err" ]; } || { [ $got -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ]; } ||
		wrong="$wrong $1: $got"
}
wrong=
size=$(wc -c <"$work/blocks.json")
k=1
while [ $k -lt "$size" ]; do
	head -c $k "$work/blocks.json" >"$work/cut"
	survives "cut at $k" "$work/cut"
	k=$((k + 37))
done
for pair in '0 9' '1 0' '1 -' '"x' ': ,' '{ [' '2 \0' 'e \377' ', }' '. e'; do
	from=${pair%% *} to=${pair##* }
	tr "$from" "$to" <"$work/blocks.json" >"$work/cut" 2>/dev/null
	survives "$from for $to" "$work/cut"
	[ -e "$work/r.json" ] || continue
	tr "$from" "$to" <"$work/r.json" >"$work/cut" 2>/dev/null
	survives "$from for $to, report" "$work/cut"
done
same 'spoilt files' '' "$wrong"
finish
