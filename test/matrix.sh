#!/bin/sh
# matrix.sh - the rows of test/matrix: `test/matrix.sh ci` runs two at a time, each with one job, without what CI leaves out;
# `test/matrix.sh nightly` runs all of all rows, one after the other.
#
# Each prints its log at its end; last comes a table of the rows with their seconds, on the clock and of processor time.  A row that
# ends with 3 could not be run here, as newcomer.sh says of a suite.  Exit status 1: a row failed.
if [ "${1-}" = --row ]; then	# --row RESULTS ci|nightly ROW
	results=$2
	name=$(echo "$4" | cut -d'|' -f1 | sed 's/ *$//')
	command=$(echo "$4" | cut -d'|' -f2)
	left=$(echo "$4" | cut -d'|' -f3)
	log=$results/$(echo "$name" | tr ' ' _).log
	case $3 in
	ci)	[ "$left" != ' all' ] || exit 0
		[ -z "$left" ] || command="$command WITHOUT='$left'"
		export JOBS=1 SAMPLE=4 tier=check soak=0.5 fuzz=30000 ranks=3
		export papers='wlr93-table1 rips-table2 aroma-table2 repart-table51' ;;
	*)	export SHAPES=all tier=check-all soak=60 fuzz=1000000 ranks= papers= ;;
	esac
	begin=$(date +%s)
	(eval "$command") >"$log" 2>&1 </dev/null
	status=$?
	seconds=$(($(date +%s) - begin))
	times >"$log.times"
	case $status in 0) said=passed ;; 3) said='not run' ;; *) said=FAILED ;; esac
	awk -v name="$name" -v seconds=$seconds -v said="$said" '
		END { gsub(/[ms]/, " "); printf "%7d %7d  %-8s %s\n", seconds, $1 * 60 + $2 + $3 * 60 + $4, said, name }' "$log.times" \
		>>"$results/table"
	echo "$name, $seconds s:$command"
	cat "$log"
	exit 0
fi

cd "$(dirname "$0")/.." || exit
results=$(mktemp -d) || exit
trap 'rm -rf "$results"' EXIT
trap 'exit 1' HUP INT TERM
case ${1-} in
ci)	jobs=2 ;;
nightly) jobs=1 ;;
*)	echo "matrix.sh \"${1-}\": not ci or nightly" >&2; exit 2 ;;
esac
sed '/^#/d; s/ |$/|/' test/matrix | xargs -d '\n' -n 1 -P $jobs "$0" --row "$results" "$1"
echo 'seconds of processor'
sort -rn "$results/table"
! grep -q FAILED "$results/table"
