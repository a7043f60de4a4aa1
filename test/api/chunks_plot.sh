#!/bin/sh
# chunks_plot.sh - dls-chunks --plot: each schedule's sizes as steps in the panel of its family.
#
# Fails if: a schedule is in no panel or in another family's, a panel has a colour twice, a curve goes aslant or is of other sizes, a
# label lies on another one or outside, a lecture has more than six curves, or the picture needs another program.
#
# runs: texts
export LC_ALL=C
. test/sh.sh
tool=$bin/dls-chunks

PATH=/nonexistent "$tool" -s gss --plot "$work/plot.svg" >"$work/out" 2>"$work/err"
same 'no other program is needed' '0 0 <svg' "$? $(wc -l <"$work/err") $(head -c 4 "$work/plot.svg")"
refused '"/nonexistent/a.svg"' --plot /nonexistent/a.svg

need python3 python3 'what the pictures show' || finish
cat >"$work/panels.py" <<'END'
import math, re, sys
sys.path.insert(0, "test")
import labels
import xml.etree.ElementTree as tree
S = "{http://www.w3.org/2000/svg}"
labels.check(sys.argv[1])
root = tree.parse(sys.argv[1]).getroot()
width, height = map(float, root.get("viewBox").split()[2:])
numbers = lambda text: [float(n) for n in re.findall(r"-?[\d.]+", text)]
found, curves, used = [], 0, []
for g in root.findall(S + "g"):
    family = re.match(r"\w+", g.find(S + "text").text).group()
    axis = next(p for p in g.findall(S + "path") if p.get("class") == "axis" and "H" in p.get("d"))
    _, bottom, wide = numbers(axis.get("d"))
    left, top = numbers(g.get("transform"))
    assert 0 < left and left + wide < width and top + bottom < height
    lines = [p for p in g.findall(S + "path") if "curve" in p.get("class")]
    names = [t for t in g.findall(S + "text") if " on" in (t.get("class") or "")]
    colours = [p.get("class").split()[1] for p in lines]
    assert len(set(colours)) == len(colours) == len(names), (family, colours)
    assert [t.get("class").split()[0] for t in names] == colours
    curves += len(lines)
    for line, name in zip(lines, names):
        at = numbers(line.get("d").replace("M", " ").replace("L", " "))
        points = list(zip(at[::2], at[1::2]))
        for (x0, y0), (x1, y1) in zip(points, points[1:]):
            assert x1 >= x0 and (x0 == x1 or y0 == y1), (family, name.text, x0, y0, x1, y1)
        assert all(0 <= x <= wide + .1 and -.1 <= y <= bottom + .1 for x, y in points)
        assert float(name.get("x")) + 5 * len(name.text) <= wide, (family, name.text)
        found.append((family, name.text, points, wide, bottom))
assert len(root.find(S + "defs").find(S + "g")) >= curves
assert "prefers-color-scheme:dark" in root.find(S + "style").text
END
panels() {	# text, Python about `found` (family, label, points, width and height of the panel) and `curves`, options
	text=$1 test=$2
	shift 2
	"$tool" "$@" --plot "$work/plot.svg" >/dev/null 2>"$work/err" && { cat "$work/panels.py"; echo "$test"; } >"$work/test.py" &&
		python3 "$work/test.py" "$work/plot.svg" >"$log" 2>&1
	point $? "$text"
	: >"$log"
}
panels 'each schedule is in the panel of its family' '
want = {"Fixed": "static ss fsc mfsc", "Decreasing": "gss tss tap", "Factoring": "fac fac2 tfss fiss viss", "Weighted": "wf",
        "Adaptive": "awf awf-b awf-c awf-d awf-e af bold", "Stealing": "steal frac auto", "Other": "rnd"}
got = {}
for family, label, *_ in found:
    got.setdefault(family, []).extend(label.split(": ")[0].split(" = "))
assert {k: sorted(v) for k, v in got.items()} == {k: sorted(v.split()) for k, v in want.items()}, got' \
	--mu 1e-3 --sigma 1e-3 --overhead 1e-5 --weights 1:2:1:4
panels '... without what some of them need, and on the largest loop' 'assert curves > 5' -n 18446744073709551615 -p 512
panels '... on the smallest' 'assert curves' -n 1 -p 1
# 5 3 1 1 and 10 chunks of 1, linear: step k begins at (k - 1) / 10 of the width; sizes from 0.8 to 7.5.
panels 'steps are the sizes' '
for family, label, points, wide, bottom in found:
    y = lambda K: bottom * (1 - math.log(K / .8) / math.log(7.5 / .8))
    want = {"gss: 4": [(0, 5), (1, 5), (1, 3), (2, 3), (2, 1), (4, 1)], "ss: 10": [(0, 1), (10, 1)]}[label]
    assert len(points) == len(want)
    for (x, at), (k, K) in zip(points, want):
        assert abs(x - k * wide / 10) < .1 and abs(at - y(K)) < .1, (label, points)
assert len(found) == 2' -n 10 -p 2 -s gss,ss
panels 'equal sizes are one curve; more curves than colours are two panels' '
assert curves == 9 and found[0][1] == "gss = gss,1: 22" and [f[0] for f in found] == ["Decreasing"] * 9, found' \
	-s 'gss;gss,1;gss,2;gss,3;gss,4;gss,5;gss,6;gss,7;gss,8;gss,9'
panels 'a lecture has at most six' '
assert 4 <= curves <= 6 and len({f[0] for f in found}) == curves and " as " not in str([f[1] for f in found]), found' --lecture
same '... and names the others' 'here without ss' "$(sed -n 's/.*\(here without [a-z]*\),.*/\1/p' "$work/err")"
panels '... but all of six that are named' 'assert curves == 6' --lecture -s 'gss;tss;gss,2;gss,3;gss,4;gss,5'
finish
