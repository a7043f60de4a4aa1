#!/bin/sh
# papers.sh - every experiment of dls-paper, two at a time, a line each with its time.
#
# papers.sh TOOL FOLDER check		status 1 if any --check fails; lines on stderr, with the messages of those that fail
# papers.sh TOOL FOLDER record >FILE	the new before.h
export LC_ALL=C
tool=$1 logs=$2 what=$3 name=$4
if [ -n "$name" ]; then
	began=$(date +%s) verdict=ok
	case $what in
	check) "$tool" "$name" --csv --check >"$logs/$name.csv" 2>"$logs/$name.log" || verdict=FAILED ;;
	record) "$tool" record "$name" >"$logs/$name.h" || verdict=FAILED ;;
	esac
	printf '%-20s %4d s  %s\n' "$name" $(($(date +%s) - began)) "$verdict" >&2
	[ "$verdict" = ok ] || { sed 's/^/    /' "$logs/$name.log" >&2; exit 1; }
	exit
fi
mkdir -p "$logs" || exit
names=$("$tool" list | sed 's/ .*//')
# The longest first, so that no processor is idle at the end.
first='repart-threads wlr93-topology wlr93-scale wlr93-latency'
for name in $first $(echo "$names" | grep -vxF "$(echo "$first" | tr ' ' '\n')"); do
	echo "$name"
done | xargs -P 2 -I '{}' "$0" "$tool" "$logs" "$what" '{}' || exit 1
[ "$what" = check ] || for name in $names; do cat "$logs/$name.h"; done
