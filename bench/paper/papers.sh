#!/bin/sh
# papers.sh - every experiment of dls-paper, or some, two at a time, a line each with its time.
#
# papers.sh TOOL FOLDER check [NAME]...		status 1 if a row or figure is not as before.h has it, or dls-paper(1) says another thing
# papers.sh TOOL FOLDER renew [NAME]...		write both anew
#
# FOLDER has what the experiments record, in NAME.new: lines of before.h, then of the manual, an item of the list of columns, a row of
# the table of figures and an item of the list of those that do not reproduce.
export LC_ALL=C
: "${before:=bench/paper/before.h}" "${manual:=man/dls-paper.1}"
tool=$1 logs=$2 what=$3
shift 3

# The lines of an experiment in a manual.
of_manual() {	# name, manual
	awk -v name="$1" '
		$1 == ".It" { on = $2 == name || ($2 == "Cm" && $3 == name && NF == 3 && listed) }
		$1 == ".El" || /^\.\\"/ { on = 0 }
		/^\.\\" (columns|reproduce)/ { listed = 1 }
		/^\.\\" end/ { listed = 0 }
		$1 == ".It" && $2 == name && $3 == "Ta" || on { print }' "$2"
}
of_record() {	# name: without the lines of before.h
	awk 'past; /"\)$/ { past = 1 }' "$logs/$1.new"
}

if [ "$what" = one ]; then
	what=$1 name=$2 began=$(date +%s) verdict=ok
	case $what in
	check) "$tool" record "$name" --check >"$logs/$name.new" 2>"$logs/$name.log" || verdict=FAILED ;;
	renew) "$tool" record "$name" >"$logs/$name.new" 2>"$logs/$name.log" || verdict=FAILED ;;
	esac
	if [ "$what" = check ] && [ $verdict = ok ]; then
		of_record "$name" >"$logs/$name.man"
		of_manual "$name" "$manual" | cmp -s - "$logs/$name.man" || {
			echo "$manual: what it says of $name has changed; see papers-renew" >"$logs/$name.log"
			verdict=FAILED
		}
	fi
	printf '%-20s %4d s  %s\n' "$name" $(($(date +%s) - began)) "$verdict" >&2
	[ "$verdict" = ok ] || { sed 's/^/    /' "$logs/$name.log" >&2; exit 1; }
	exit
fi

mkdir -p "$logs" || exit
names=$("$tool" list | sed 's/ .*//')
# The longest first, so that no processor is idle at the end.
order="repart-threads wlr93-topology wlr93-scale wlr93-latency"
order=$(echo "${*:-$order $(echo "$names" | grep -vxF "$(echo "$order" | tr ' ' '\n')")}" | tr ' ' '\n')
echo "$order" | xargs -P 2 -I '{}' "$0" "$tool" "$logs" one "$what" '{}' || exit 1
[ "$what" = renew ] || exit 0

# Of the others what there is.
: >"$logs/before.h"
for part in columns rows items; do
	: >"$logs/$part"
done
for name in $names; do
	if echo "$order" | grep -qxF "$name"; then
		sed '/")$/q' "$logs/$name.new" >>"$logs/before.h"
		of_record "$name" >"$logs/$name.man"
	else
		awk "/\"$name\"/, /\"\)\$/" "$before" >>"$logs/before.h"
		of_manual "$name" "$manual" >"$logs/$name.man"
	fi
	awk -v name="$name" -v columns="$logs/columns" -v rows="$logs/rows" -v items="$logs/items" '
		$2 == name { print >>rows; past = 1; next }
		{ print >>(past ? items : columns) }' "$logs/$name.man"
done
# What the papers' own experiments come to, each figure once.
awk '
	function add(of) { agree[of] += $4; differ[of] += $6; all[of] += $8 }
	{ paper = $2; sub(/-.*/, "", paper) }
	$NF != "again" { add(paper); add("all"); if (agree[paper] + differ[paper] > 0 && !(paper in seen)) { seen[paper]; order[++n] = paper } }
	END {
		order[++n] = "all"
		for (i = 1; i <= n; i++)
			printf ".It Sy %s Ta %d Ta %d Ta %d Ta own\n", order[i], agree[order[i]], differ[order[i]], all[order[i]]
	}' "$logs/rows" >"$logs/sums"
awk -v columns="$logs/columns" -v rows="$logs/rows" -v sums="$logs/sums" -v items="$logs/items" '
	function copy(file, line) { while ((getline line <file) > 0) print line }
	/^\.\\" end/ { off = 0 }
	!off
	/^\.\\" columns/ { copy(columns); off = 1 }
	/^\.\\" figures/ { copy(rows); copy(sums); off = 1 }
	/^\.\\" reproduce/ { copy(items); off = 1 }' "$manual" >"$logs/dls-paper.1" &&
	cp "$logs/before.h" "$before" && cp "$logs/dls-paper.1" "$manual"
