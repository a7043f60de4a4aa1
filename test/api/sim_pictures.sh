#!/bin/sh
# sim_pictures.sh - dls-sim --gantt, --heat and --messages of several runs: above each other, on one time axis, with their inputs.
#
# Fails if: a span, load or message is drawn at another time or in another row, the runs have axes of their own or stand upon each other, a title
# lacks an input, a legend's words stand upon each other, a scale is logarithmic without a word, a lecture's type is not larger or a
# lecture has more than six kinds of messages, nothing is for dark screens, a file's name is not escaped, rows are left out without a word,
# or the counts of a legend are not those of the run.
#
# runs: machines, texts
export LC_ALL=C
. test/sh.sh
tool=$bin/dls-sim

need python3 python3 'pictures of several runs' || finish

# Two processors without costs: one task of 4 s; two of 1 s.
printf '0 4\n1 1\n1 1\n' >"$work/a<b&c"
"$tool" --load "$work/a<b&c" --processors 2 --net ring --costs ideal --strategy 'none;factor' --gantt "$work/gantt.svg" \
	--heat "$work/heat.svg" >/dev/null
cat >"$work/rows.py" <<'END'
import re, sys
sys.path.insert(0, "test")
import labels
labels.check(sys.argv[1])
svg = open(sys.argv[1]).read()
assert svg.count("2 processors, costs ideal") == 2 and "none on" in svg and "factor on" in svg and svg.count(">time, s<") == 1
tops = [int(y) for y in re.findall(r'<text x="76.0" y="(\d+)\.\d">[^<]*seed 1', svg)]
assert len(tops) == 2 and tops[1] - tops[0] > 90, tops	# room for the legend and two lanes
want = eval(sys.argv[2])
for kind, rows in want.items():
    paths = [p for p in re.findall(r'<path class="%s" d="([^"]*)"/>\n' % kind, svg) if "H" in p]
    drawn = [tuple(map(float, r)) for r in re.findall(r"M([\d.]+) (\d+)H([\d.]+)v", paths[0])]
    # Rows from top to bottom; a cell on the edge of two loads may be of another step.
    drawn = [(x, to) for x, y, to in drawn if to - x > 3]
    assert len(drawn) == len(rows), (kind, drawn)
    for (x, to), (begin, end) in zip(drawn, rows):
        assert abs(x - (76 + 250 * begin)) < 2.5 and abs(to - (76 + 250 * end)) < 2.5, (kind, x, to, begin, end)
END
succeeds 'gantt: tasks where they ran' python3 "$work/rows.py" "$work/gantt.svg" '{"task": [(0, 4), (0, 2)]}'
python3 "$work/rows.py" "$work/heat.svg" '{"s3": [(0, 4), (1, 2)], "s4": [(0, 1)], "s0": [(2, 4)]}' >"$log" 2>&1
point $? 'heat: loads while they lasted'

# Fails if: a picture of what is balanced begins at 0, or nothing says so.
"$tool" --processors 4 --tasks 50 --strategy rid --gantt "$work/tail.svg" >/dev/null && python3 test/labels.py "$work/tail.svg" >"$log" 2>&1 &&
	grep -q 'Begins at [0-9.]* s: until then all processors were busy' "$work/tail.svg"
point $? 'gantt: of a balanced run the tail'

"$tool" --strategy 'dem;rid;hbm' --processors 8 --tasks 9 --speeds .5 --csv --messages "$work/messages.svg" >"$work/row"
python3 -c '
import csv, re, sys
svg, rows = open(sys.argv[1]).read(), list(csv.DictReader(open(sys.argv[2])))
legend = re.findall(r"<path class=\"k\d+\" d=\"M\d+ \d+h12v12h-12z\"/><text [^>]*>(\S+) (\d+)</text>", svg)
want = [tuple(pair.split("=")) for row in rows for pair in row["kinds"].split() + ["detection=" + row["service_messages"]]]
assert legend == want, (legend, want)
assert svg.count("costs ipsc2, speeds .5, uniform load of 9 tasks of 0.3263 s each, seed 1") == 3
' "$work/messages.svg" "$work/row" >"$log" 2>&1
point $? 'messages: as many of each kind as in the rows'

# As many messages in all, the rarest kinds counted together.
"$tool" --strategy repart --processors 16 --csv --lecture --messages "$work/six.svg" >"$work/row"
python3 -c '
import csv, re, sys
svg, row = open(sys.argv[1]).read(), next(csv.DictReader(open(sys.argv[2])))
legend = re.findall(r"<path class=\"k\d+\" d=\"M\d+ \d+h12v12h-12z\"/><text [^>]*>(\S+) (\d+)</text>", svg)
kinds = sorted(int(pair.split("=")[1]) for pair in row["kinds"].split())
assert len(kinds) > 6 and len(legend) == 6 and legend[-1][0] == "others", legend
assert sorted(int(n) for _, n in legend[:-1]) == kinds[-5:]
assert int(legend[-1][1]) == sum(kinds[:-5]) + int(row["service_messages"]), (legend, kinds)
drawn = re.findall(r"<path class=\"k\d+\" d=\"M[\d.]+ [\d.]+H", svg)
assert len(drawn) == 6, drawn
' "$work/six.svg" "$work/row" >"$log" 2>&1
point $? 'messages: a lecture has at most six kinds'

# Loads of up to six digits, in both sizes of type.
for size in 12 17; do
	# shellcheck disable=SC2046 # no word or one
	"$tool" $([ $size = 12 ] || echo --lecture) --load spike --processors 4 --tasks 30000 --costs ideal --strategy none --grain 1e-3 \
		--heat "$work/heat.svg" >/dev/null && python3 test/labels.py "$work/heat.svg" >"$log" 2>&1 &&
		grep -q "font-size:${size}px" "$work/heat.svg" && grep -q prefers-color-scheme:dark "$work/heat.svg" &&
		grep -q 'to 200000<' "$work/heat.svg"
	point $? "heat: words beside each other in type of $size"
done
"$tool" --strategy rid --processors 16 --messages "$work/even.svg" >/dev/null
"$tool" --strategy hbm --processors 128 --messages "$work/high.svg" >/dev/null
! grep -q logarithmic "$work/even.svg" && grep -q 'by kind; logarithmic' "$work/high.svg"
point $? 'messages: a logarithmic axis is said to be one'
"$tool" --net tree:15 --tasks 1 --csv 2>"$log" >/dev/null && grep -q '15 is the number of children; there are 32 processors' "$log" &&
	[ -z "$("$tool" --net tree:15 --processors 16 --tasks 1 --csv 2>&1 >/dev/null)$("$tool" --net tree:4 --tasks 1 --csv 2>&1 >/dev/null)" ]
point $? 'tree:15: what 15 is'

if need xmllint libxml2-utils 'pictures are XML'; then
	xmllint --noout "$work/gantt.svg" "$work/heat.svg" "$work/messages.svg" 2>"$log"
	point $? 'pictures are XML'
fi
for option in heat messages; do
	"$tool" --processors 300 --tasks 1 --$option "$work/many.svg" >/dev/null && "$tool" --processors 1 --tasks 0 --$option "$work/none.svg" \
		>/dev/null && [ -s "$work/none.svg" ] && [ "$(wc -c <"$work/many.svg")" -lt 4000000 ] &&
		{ [ $option = messages ] || grep -q 'of which 256 are shown' "$work/many.svg"; }
	point $? "--$option of 300 processors, and of nothing"
	refused '"/dev/null/x"' --$option /dev/null/x
done
finish
