#!/bin/sh
# sim_study.sh - dls-sim --study: rows, paired differences, table and figure of a file; what has not changed is kept, what has is run again.
#
# runs: machines, texts
export LC_ALL=C
. test/sh.sh
tool=$(cd "$bin" && pwd)/dls-sim include=$(pwd)/include labels=$(pwd)/test/labels.py
cd "$work" || exit 1
says() { "$tool" --study "$1" 2>"$log" | sed -n 's/^\([0-9]* combinations.*\)/\1/p'; }	# study
plain() { sed 's/"\([^",]*\),\([^"]*\)"/\1 \2/g' "$1"; }	# without commas in cells
put() { printf '%s\n' "$@"; }

printf '0 0.5\n1 0.25\n0 1\n' >tasks
put '# three strategies' '' 'strategy rid; dem ' '  strategy	hbm,u=0.5' 'net mesh:4x2; ring' 'load uniform; tasks' 'seed 1-8' \
	'processors 8' 'tasks 6' 'against dem' >u.study
same 'each with each' '12 combinations, 0 of them kept, 12 run' "$(says u.study)"

# Fails if: a cell has another's net, load or strategy, a row is lost, or the order is not loads, nets, strategies.
for load in uniform tasks; do
	for net in mesh:4x2 ring; do
		"$tool" --strategy 'rid; dem; hbm,u=0.5' --net $net --processors 8 --tasks 6 --load $load --seed 1-8 --csv | sed 1d
	done
done | figures >singly
sed 1d u.csv | figures | cmp - singly >"$log" 2>&1 && [ "$(wc -l <singly)" -eq $((6 * 12 + 6 * 9)) ]
point $? 'the rows of one run after the other'

# The t distribution of 7 degrees by Simpson's rule; its 97.5 % quantile is 2.3646; Holm: the smallest of m is multiplied by m, ...
# Fails if: runs of different seeds are paired, the test is one-sided or of two samples, or Holm's order is another.
plain u.csv | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$12 + 0 > 0 && $7 == "uniform" { x[$2, $1, $12] = $at["t_bal_s"] }
	function density(t) { return (1 + t * t / 7) ^ -4 * 0.384983 }	# Gamma(4) / (sqrt(7 pi) Gamma(7 / 2))
	function p(t, i, sum, h) {
		if (t < 0) t = -t
		for (i = 0; i <= 2000; i++) sum += density(t * i / 2000) * (i == 0 || i == 2000 ? 1 : i % 2 ? 4 : 2)
		return 1 - 2 * sum * t / 2000 / 3
	}
	END {
		split("mesh:4x2 ring", net, " "); split("rid hbm_u=0.5", name, " ")
		for (k = 1; k <= 2; k++) for (j = 1; j <= 2; j++) {
			s = name[j]; sub("_", " ", s); m = q = 0
			for (i = 1; i <= 8; i++) m += (x[net[k], s, i] - x[net[k], "dem", i]) / 8
			for (i = 1; i <= 8; i++) q += (x[net[k], s, i] - x[net[k], "dem", i] - m) ^ 2
			e = sqrt(q / 7 / 8)
			printf "%s %s %.6f %.4f %.4f\n", net[k], s, m, 2.3646 * e, p(m / e)
		}
	}' >wanted
plain u.differences.csv | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$1 == "uniform" && $3 != "dem" { printf "%s %s %.6f %.4f %.4f\n", $2, $3, $at["difference"],
		($at["high95"] - $at["low95"]) / 2, $at["p"] }' >got
[ "$(wc -l <got)" -eq 4 ] && awk 'NR == FNR { line[NR] = $0; next }
	{ split(line[FNR], w, " "); n = NF
	  for (i = 1; i <= n; i++) if (i > n - 3 ? (w[i] - $i) ^ 2 > 4e-8 : w[i] != $i) exit 1 }' wanted got || diff wanted got >"$log"
point $? 'paired differences, interval and p'
plain u.differences.csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["p"] != "" { print $at["p"], $at["p_holm"] }' | sort -g >p
awk '{ n++; x[n] = $1; h[n] = $2 } END { for (i = 1; i <= n; i++) { w = (n - i + 1) * x[i]; if (w < last) w = last; if (w > 1) w = 1; last = w
	if ((h[i] - w) ^ 2 > 1e-11) exit 1 } exit n != 4 }' p
point $? 'p by Holm'

# Fails if: an interval of width 0 is shown, or a difference of what does not vary is tested.
same 'deterministic runs say so' 'tasks,ring,rid,dem,t_bal_s,8 deterministic deterministic' \
	"$(sed -n 's/^\(tasks,ring,rid,dem,t_bal_s,8\),[^,]*,,,\([a-z]*\),[^,]*,,,[^,]*,,,,\([a-z]*\),.*/\1 \2 \3/p' u.differences.csv)"
same 'in the table too' '10 1' "$(grep -o '[$].,d' u.tex | wc -l | tr -d ' ') $(grep -c 'deterministic, the same' u.tex)"

# Fails if: anything is run again without reason, or bytes change.
for f in csv differences.csv tex svg manifest; do cp u.$f was.$f; done
same 'all is kept' '12 combinations, 12 of them kept, 0 run' "$(says u.study)"
differ=0
for f in csv differences.csv tex svg manifest; do cmp u.$f was.$f >>"$log" 2>&1 || differ=1; done
point $differ 'with the same bytes'

# Fails if: rows stay that were run with other inputs, or others go with them.
printf '0 0.5\n1 0.25\n0 1\n1 1\n' >tasks
same 'a load has changed: its combinations are run again' '12 combinations, 6 of them kept, 6 run' "$(says u.study)"
printf '0 0.5\n1 0.25\n0 1\n' >tasks
same 'and again' '12 combinations, 6 of them kept, 6 run' "$(says u.study)"
succeeds 'to the same rows' cmp u.csv was.csv
sed 's/^net .*/net ring; mesh:2x4/' u.study >v && mv v u.study
same 'another net: what is still asked for is kept' '12 combinations, 6 of them kept, 6 run' "$(says u.study)"
sed 's/^tasks .*/tasks 7/' u.study >v && mv v u.study
same 'another option: nothing is' '12 combinations, 0 of them kept, 12 run' "$(says u.study)"
cp u.csv was.csv
sed '12s/,8,/,9,/' was.csv >u.csv
same 'a row was changed by hand: it and those behind it are run again' '12 combinations, 0 of them kept, 12 run' "$(says u.study)"
head -n 40 was.csv >u.csv
same 'rows are missing' '12 combinations, 3 of them kept, 9 run' "$(says u.study)"
succeeds 'all are as before' cmp u.csv was.csv
if [ -n "${SAN-}${ARCH-}" ]; then
	skip 'a plug-in that changes' 'plain builds only'
else
	plugin() {	# a number in it
		put '#include "dls/strategy.h"' 'static struct dls_strategy mine;' 'int dls_plugin(void);' 'int dls_plugin(void)' \
			"{ mine = *dls_strategy_find(\"none\"); mine.name = \"mine\"; mine.aliases = NULL; mine.idea = \"$1\"; " \
			'return dls_strategy_register(&mine); }' >plugin.c
		${CC:-cc} -std=c11 -I"$include" -fPIC -shared -o plugin.so plugin.c 2>>"$log" || bail 'no plug-in'
	}
	put 'plugin plugin.so' 'strategy mine; none' 'tasks 3' >mine.study
	plugin 1
	same 'a plug-in' '2 combinations, 0 of them kept, 2 run' "$(says mine.study)"
	same 'that has not changed' '2 combinations, 2 of them kept, 0 run' "$(says mine.study)"
	plugin 2
	same 'that has' '2 combinations, 0 of them kept, 2 run' "$(says mine.study)"
	"$tool" --study mine.study >was 2>&1 && plugin 3 && "$tool" --study mine.study | grep -q '^stale: rows of files plugin.so cksum='
	point $? 'and which that is'
fi

# Fails if: a panel, a strategy's name or interval is missing, a label lies beyond the edge or on another, the
# figure is not as wide as a column, a lecture's has small type or runs anything again, none is for dark
# screens, or the lack of a PDF is not told.
sed 's/hbm,u=0.5/&; repart,calc=fac2,serve=falling,first=0.6667,least=2/; s/^against.*/measure t_opt_s/' u.study \
	>long.study
if need python3 python3 'the figure'; then
	"$tool" --study u.study >"$log" 2>&1 && cp u.svg plain.svg &&
		"$tool" --study u.study --lecture >"$log" && grep -q ' 0 run$' "$log" && "$tool" --study long.study >"$log" 2>&1 && python3 "$labels" plain.svg u.svg long.svg 2>"$log"
	point $? 'the figure: labels beside each other, within the edges'
	python3 -c '
import re, sys
plain, large = (open(f).read() for f in sys.argv[1:])
for name in "rid", "dem", "hbm,u=0.5":
    assert plain.count(">" + name + "<") == 4, name
assert len(re.findall("<circle class=\"point c0", plain)) == len(re.findall("<path class=\"span", plain)) == 6
assert len(re.findall("<circle class=\"point hollow", plain)) == 6
assert "viewBox=\"0 0 374 " in plain and "width=\"8.8cm\"" in plain and "prefers-color-scheme:dark" in plain
assert "{font-size:12px}" in plain and "{font-size:17px}" in large
' plain.svg u.svg 2>"$log"
	point $? 'names, intervals, a column wide, for dark screens; for a lecture'
fi
if need rsvg-convert librsvg2-bin 'the figure as PDF'; then
	"$tool" --study u.study >"$log" 2>&1 && grep -q '^u.pdf  the figure' "$log" &&
		[ "$(head -c 5 u.pdf)" = '%PDF-' ]
	point $? 'the figure as PDF'
fi
same 'without rsvg-convert' '0 1' \
	"$(PATH=$work/path "$tool" --study u.study >out 2>"$log"; echo "$? $(grep -c 'no PDF.*librsvg2-bin' out)")"
if need pdflatex texlive-latex-base 'the table'; then
	put '\documentclass{article}\begin{document}' '\input{u.tex}' '\end{document}' >table.tex
	pdflatex -interaction=nonstopmode table.tex >"$log" 2>&1 && [ "$(head -c 5 table.pdf)" = '%PDF-' ]
	point $? 'the table'
fi

# Fails if: the net is not named where it is the default, runs that are the same get a test, or their reason is missing.
put 'strategy repart,calc=fac2; repart,calc=awf-b; rid' 'processors 8' 'tasks 10' 'seed 1-3' >alike.study
"$tool" --study alike.study -o folder >out 2>"$log"
same 'the default net; equal runs' 'uniform,hypercube:3,"repart,calc=awf-b"  equal' \
	"$(sed -n 's/^\(uniform,hypercube:3,"repart,calc=awf-b"\),.*,0,,,0.0000,,\(,\),\(equal\),.*/\1  \3/p' folder/alike.differences.csv)"
same 'and why they are' 'repart,calc=awf-b: learns how fast workers are, and measures the same of all' \
	"$(sed -n '/^The same/,/^$/s/^ *\(.*: learns.*\)/\1/p' out)"
refused '"fac2,3": fac2 is a calculator of loops: --strategy repart,calc=fac2, or dls study' --strategy fac2,3

# Fails if: something else is written over.
echo mine >w.csv && put 'strategy rid' 'tasks 2' >w.study
refused '"w.csv" is there' --study w.study
echo mine >w.manifest
refused '"w.manifest" is not the manifest of a study' --study w.study
same 'which stays' 'mine mine' "$(cat w.csv w.manifest | tr '\n' ' ' | sed 's/ $//')"

bad() {	# what it quotes, lines
	said=$1
	shift
	put "$@" >bad.study
	refused "$said" --study bad.study
}
bad 'line 1, "net": needs a value' 'net'
bad 'line 2, "ring": given before' 'net ring; mesh' 'net ring'
bad 'line 3, "tasks": given before' 'tasks 4' '#' 'tasks 5'
bad 'line 2: --tasks "many": not a whole number' '# x' 'tasks many'
bad 'line 3: --net "mesh:0": ' 'strategy rid' 'net ring' 'net mesh:0'
bad 'line 2: --strategy "rid,x=1": ' 'net ring' 'strategy dem; rid,x=1'
bad 'line 2: --load "nosuch": not uniform' 'strategy dem' 'load nosuch'
bad 'line 1: --engine "mpi": not in a study' 'engine mpi'
bad 'line 1: --costs "x": ' 'costs x'
bad 'line 1: --seed "3-1": ' 'seed 3-1'
bad 'line 1: --plugin "none.so": ' 'plugin none.so'
printf 'net ring\0\n' >bad.study
refused 'line 1: a NUL byte' --study bad.study
mkfifo pipe.study
put 'net ring' >pipe.study &
refused '"pipe.study": it is no regular file' --study pipe.study
wait
refused 'its name must end in .study or .txt' --study u.csv
finish
