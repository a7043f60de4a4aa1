#!/bin/sh
# verify.sh - dls-advise --verify: a program, here a script that writes reports with times of its own, is run as often as it is said,
# with the schedules and arguments that it is said, and what it gains is the difference of those times.
#
# Fails if: gains have the wrong sign or are those of another loop, the first run counts as a round, what the environment says of
# schedules is lost, loops that take no time are varied, options of the program are read, a run that ends badly counts, rounds that
# disagree are called a gain, files are left behind; a balanced loop of which no schedule was measured that keeps iterations with their
# workers is not run under one.
#
# runs: texts
export LC_ALL=C
. test/sh.sh
tool=$bin/dls-advise
[ -x "$tool" ] || skip_all 'dls-advise is not built'
export TMPDIR="$work/tmp" SAID="$work/said"
mkdir "$TMPDIR"

# A loop of two halves, blocks under static: a perfect balance takes 2/3.  $1 is what it takes with the advice, s, of 0.03; the
# program takes as long as its 100 executions would.
cat >"$work/program" <<'END'
#!/bin/sh
printf '%s|%s|%s\n' "${DLS_SCHEDULE-}" "$*" "${DLS_TRACE-}" >>"$SAID"
echo 'not to be seen'
runs=$(wc -l <"$SAID")
case ${DLS_SCHEDULE-} in *loop:*) each=$1 ;; *) each=0.03 ;; esac
case $1 in
status) [ "$runs" -lt 3 ] || exit 7; each=0.03 ;;
signal) kill -9 $$ ;;
silent) exit 0 ;;
scatter) each=$(awk -v r="$runs" 'BEGIN { print r % 3 ? 0.04 : 0.02 }') ;;
same) each=0.03 ;;
gone) [ "$runs" -lt 2 ] || { echo '[]' >"$DLS_REPORT"; exit 0; } ;;
moves) case ${DLS_SCHEDULE-} in *loop:*) each=0.018 ;; *) each=0.02 ;; esac ;;
esac
awk -v each="$each" -v moves="$1" 'function site(name, scale,   b, run, light) {
	run = moves == "moves" ? "fac2" : "static"
	light = moves == "moves" ? 0.0625 : 0.03125
	printf "{\"site\": \"%s\", \"schedule\": \"%s\", \"workers\": 2, \"measured\": 100, \"busy\": %g, \"efficiency\": %g, ", name, run,
		4 * scale, moves == "moves" ? 0.997 : 0.666
	printf "\"profile\": {\"executions\": 100, \"iterations\": 6400, \"spread\": 0, \"longest\": %g, \"time\": [", 0.001 * scale
	for (b = 0; b < 64; b++)
		printf "%s%g", b ? "," : "", (b < 32 ? light : 0.125 - light) * scale
	printf "]}, \"worker\": [{\"speed\": 1}, {\"speed\": 1}], \"schedules\": "
	printf "[{\"asked\": \"%s\", \"ran\": \"%s\", \"taken\": ", run, run
	printf "{\"workers\": 2, \"executions\": 100, \"wall\": %g, \"busy\": %g, \"iterations\": 6400}}]}", 100 * each * scale, 4 * scale
	}
	BEGIN { printf "["; site("loop", 1); printf ",\n"; site("little", 1e-4); print "]" }' >"$DLS_REPORT"
sleep "$(awk -v each="$each" 'BEGIN { print 3 * each }')"
END
chmod +x "$work/program"

cell() {	# row, column
	sed 's/"[^"]*"/text/g' "$work/rows" | awk -F, -v want="$1" -v column="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) k = i }
		$1 == want { print $k }'
}
verified() {	# argument...
	rm -f "$SAID"
	"$tool" --verify --csv --rounds 3 "$work/program" "$@" >"$work/rows" 2>"$log"
}

verified 0.02 --rounds 9
same 'it gains a third' 33.3 "$(cell loop gained_percent)"
same 'in each round' '33.3 33.3' "$(cell loop least) $(cell loop most)"
same 'which is a gain' gained "$(cell loop verdict)"
same 'that was predicted' predicted "$(cell loop by)"
awk -v e="$(cell loop expected_percent)" 'BEGIN { exit !(e > 25 && e < 34) }'
point $? 'as about so much'
same 'times are those of an execution' '0.03 0.02' "$(cell loop without_seconds) $(cell loop with_seconds)"
same 'the program has a row' program "$(sed -n '3s/,.*//p' "$work/rows")"
same 'a loop that takes no time is left as it is' '' "$(cell little verdict)"
same 'one run for the advice, and two a round' 7 "$(wc -l <"$SAID" | tr -d ' ')"
same 'the order alternates' '.. . with with . . with' "$(awk -F'|' 'NR == 1 { printf ".." } { printf " %s", $1 ~ /loop:/ ? "with" : "." }' "$SAID" |
	sed 's/^.. \. /.. /')"
same 'its options are its own' '|0.02 --rounds 9|' "$(head -1 "$SAID")"
[ -z "$(ls "$TMPDIR")" ] && ! grep -q 'not to be seen' "$work/rows"
point $? 'nothing is left, and nothing of it printed'

DLS_SCHEDULE='static; other:gss; ' DLS_TRACE=trace.json verified 0.02
awk -F'|' '$1 ~ /loop:/ && $1 !~ /^static; other:gss;loop:[a-z]/ || $1 !~ /^static; other:gss/ || $3 != "" { exit 1 }' "$SAID"
point $? 'schedules of the environment stay, traces are not written'
verified 0.04
same 'a loss' 'lost -33.3' "$(cell loop verdict) $(cell loop gained_percent)"
verified scatter
same 'runs that disagree' 'machine too busy to tell' "$(cell loop verdict)"
verified same
same 'runs that are equal' 'no difference' "$(cell loop verdict)"
verified gone
same 'a loop that does not run again' 'not run in every run' "$(cell loop verdict)"
verified moves
same 'balanced, and data may move: static blocks are tried' 'loop:static gained 10.0' \
	"$(sed -n 's/|.*//; 3s/^;*//p' "$SAID") $(cell loop verdict) $(cell loop gained_percent)"
same 'of which nothing was expected' ',' "$(cell loop expected_percent),$(cell loop by)"
rm -f "$SAID"
"$tool" --verify --rounds 2 "$work/program" 0.02 >"$log" 2>&1 && grep -q 'advice: .*(predicted)' "$log" &&
	grep -q "^verified by 2 runs without and 2 with DLS_SCHEDULE='loop:" "$log" && grep -q '^loop  .* 33.3  .*predicted  *gained$' "$log"
point $? 'in words'

refused 'which program' --verify
refused "$work/none\": No such file" --verify "$work/none"
refused 'Permission denied' --verify "$work"
refused '--rounds "1"' --verify --rounds 1 true
refused 'not accepted with it' --verify -t 4 true
ends() {	# what is said, text, arguments
	said=$1 name=$2
	shift 2
	rm -f "$SAID"
	"$tool" --verify --csv "$@" >"$work/out" 2>"$log"
	[ $? -eq 1 ] && [ "$(wc -l <"$log")" -eq 1 ] && grep -q -e "$said" "$log" && [ -z "$(ls "$TMPDIR")" ]
	point $? "$name"
}
ends 'ended with status 7.*nothing is verified' 'a later run ends badly' "$work/program" status
ends 'signal 9 ended it: nothing' 'a signal ends it' "$work/program" signal
ends 'written no report.*dls-run' 'no report' "$work/program" silent
finish
