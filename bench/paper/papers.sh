#!/bin/sh
# papers.sh - every experiment of dls-paper, or some, two at a time, a line each with its time.
#
# papers.sh TOOL FOLDER check [NAME]...		status 1 if a row or figure is not as before.h has it
# papers.sh TOOL FOLDER renew [NAME]...		write before.h anew
# papers.sh TOOL FOLDER page			write the words and the table of the ledger into dls-paper(1)
#
# FOLDER has what the experiments record, their lines of before.h, in NAME.new.
export LC_ALL=C
: "${before:=bench/paper/before.h}" "${page:=man/dls-paper.1}"
tool=$1 logs=$2 what=$3
shift 3

if [ "$what" = one ]; then
	what=$1 name=$2 began=$(date +%s) verdict=ok check=
	[ "$what" = renew ] || check=--check
	"$tool" record "$name" $check >"$logs/$name.new" 2>"$logs/$name.log" || verdict=FAILED
	printf '%-20s %4d s  %s\n' "$name" $(($(date +%s) - began)) "$verdict" >&2
	[ "$verdict" = ok ] || { sed 's/^/    /' "$logs/$name.log" >&2; exit 1; }
	exit
fi

mkdir -p "$logs" || exit
if [ "$what" = page ]; then
	"$tool" ledger | awk -v page="$page" '
		!NF { part++; next }
		{ text[part + 0] = text[part + 0] (part ? ".It " substr($0, 1, 14) "\n" substr($0, 16) : $0) "\n" }
		END {
			while ((getline line <page) > 0) {
				if (line == ".El" || line == ".Ed") skip = 0
				if (!skip) print line
				if (line ~ /^\.\\" (accounts|classes|ledger)$/) {
					printf "%s", text[line ~ /ledger/ ? 0 : line ~ /accounts/ ? 1 : 2]
					skip = 1
				}
			}
		}' | sed 's/[ ]*$//; s/^\.It \([^ ].*\)/.It \1/' >"$logs/page" && cp "$logs/page" "$page"
	exit
fi
names=$("$tool" list | sed 's/ .*//')
# The longest first, so that no processor is idle at the end.
order="readings wlr93-fig8 rips-table6"
order=$(echo "${*:-$order $(echo "$names" | grep -vxF "$(echo "$order" | tr ' ' '\n')")}" | tr ' ' '\n')
echo "$order" | xargs -P 2 -I '{}' "$0" "$tool" "$logs" one "$what" '{}' || exit 1
[ "$what" = renew ] || exit 0

# Experiments that did not run keep their lines of before.h.
for name in $names; do
	if echo "$order" | grep -qxF "$name"; then
		cat "$logs/$name.new"
	else
		awk "/\"$name\"/, /\"\)\$/" "$before"
	fi
done >"$logs/before.h" && cp "$logs/before.h" "$before"
