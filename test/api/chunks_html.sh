#!/bin/sh
# chunks_html.sh - dls-chunks --html and of a trace: the page deals what --csv lists, in the browser as well, at any time and by keys; what a
# trace has is what is shown.
#
# Fails if: a chunk is missing or of another worker or time, a moment's sums are another's, a key does nothing, the page needs the
# network, writes an error or is wider than the window; if a trace's chunk, request or late worker is lost, or another loop or execution
# is shown than was asked for.
#
# A page that knows no dark paper, has a box of 900 pixels or another key for a chunk back breaks it.
#
# runs: machines, alone
export LC_ALL=C
. test/sh.sh
. test/browser.sh
tool=$bin/dls-chunks

# Two loops on two workers; of the first the second execution is that of which all is known: 6 iterations in 4, 1 and 1, of 1, 2 and
# 3 s each; worker 1 comes 1 s late and takes half a second to get its first chunk.
event() {	# kind, its own members, ts and ns of the event in us, execution, worker, schedule, site
	echo ",
{\"ph\":\"$1\",\"pid\":1,\"tid\":2,\"ts\":$3,\"name\":\"$7\",\"args\":{$2,\"execution\":$4,\"worker\":$5,\"workers\":2,\"schedule\":\"$6\",\"ran\":\"$6\",\"site\":\"$7\"}}"
}
chunk() { event X "\"begin\":$1,\"size\":$2,\"dispatch_ns\":$3" "$4,\"dur\":$5" "$6" "$7" "$8" "$9"; }
left() { event i "\"iterations\":$1,\"came_ns\":$2" "$3" "$4" "$5" "$6" "$7"; }
{
	printf '{"traceEvents":['
	chunk 0 9 0 0 3000000 1 0 gss 'a \u0022loop\u0022'
	left 9 0 3000000 1 0 gss 'a \u0022loop\u0022'
	left 0 0 1000000 1 1 gss 'a \u0022loop\u0022'
	chunk 0 4 0 5000000 4000000 2 0 gss 'a \u0022loop\u0022'
	chunk 4 1 500000000 6500000 2000000 2 1 gss 'a \u0022loop\u0022'
	chunk 5 1 0 8500000 3000000 2 1 gss 'a \u0022loop\u0022'
	left 4 5000000000 9000000 2 0 gss 'a \u0022loop\u0022'
	left 2 6000000000 11500000 2 1 gss 'a \u0022loop\u0022'
	chunk 0 4 0 12000000 4000000 3 0 gss 'a \u0022loop\u0022'
	chunk 0 5 0 9000000 1000000 4 0 rid other
	left 5 9000000000 10000000 4 0 rid other
	left 0 9000000000 10000000 4 1 rid other
	printf '\n]}\n'
} >"$work/trace"
set -- "$work/trace" -s gss
same 'a trace: rows by hand' 'gss, measured,0,0,4,0,0.000000000,4.000000000
gss, measured,1,4,1,1,1.500000000,2.000000000
gss, measured,2,5,1,1,3.500000000,3.000000000' "$("$tool" "$@" --csv | sed 's/"gss, measured"/gss, measured/' | figures | grep measured)"
# 3 2 1 of 6 take 3, 1 + 2, 3 s; a request takes 0.5 s in three: 0.167.  Worker 0 and 1 are equal, so 0 takes the last: 6.333.
same '... and what virtual time makes of it' 'gss,0,0,3,0,0.166666667,3.000000000
gss,1,3,2,1,0.166666667,3.000000000
gss,2,5,1,0,3.333333334,3.000000000' "$("$tool" "$@" --csv | figures | grep '^gss,')"
same '... in the table' 'gss, measured 3 4 1 6.5 0.2381 11.1% 0.6923 4 1x2' "$("$tool" "$@" | sed -n 's/  */ /g; /measured/p')"
same 'the execution that is asked for' '"gss, measured",0,0,9' "$("$tool" "$@" --execution 1 --csv | grep measured | cut -d, -f1-5)"
same 'the loop' '9 5 iterations, 2 workers rid, measured' \
	"$("$tool" "$work/trace" --loop other | sed -n '3p; $p' | tr '\n' ' ' | sed -n 's/\(.*workers\) \(.*measured\).*/9 \1 \2/p')"
same 'the same by --trace' "$("$tool" "$@" --csv | figures)" "$("$tool" --trace "$@" --csv | figures)"
refused '"none": not in' "$work/trace" --loop none
refused 'which has a "loop", other' "$work/trace" --loop none
refused '"3": ' "$work/trace" --execution 3
refused 'what -n, -p, --times and --steps would say' "$work/trace" -n 5
refused 'whose file is the argument' --loop a
refused '"b": one trace is accepted' a b
refused '"a": one trace is accepted' --trace b a
refused 'none of its lines is a chunk of a loop' test/sh.sh
refused 'No such file' "$work/none"
sed 's/"worker":1/"worker":2/' "$work/trace" >"$work/bad"
refused 'worker 2 of 2' "$work/bad"
sed 's/"dur":[0-9]*/"dur":x/' "$work/trace" >"$work/bad"
refused 'line 2: an event of a loop without "dur"' "$work/bad"
sed '/"came_ns"/d' "$work/trace" >"$work/bad"
refused 'no execution of a loop is there as a whole' "$work/bad"
text='a trace of a program, as its chunks cover the loop'
if DLS_TRACE="$work/real" "$bin/dls-loops" primes -t 2 --runs 1 -s fac2 >"$work/out" 2>&1 && [ -s "$work/real" ]; then
	"$tool" "$work/real" --csv >"$work/rows" 2>"$log" && awk -F, '$1 ~ /measured/ { n[0] += $4 } $1 == "fac2" { n[1] += $3; at = $3 }
		END { exit !(NR > 4) }' "$work/rows"
	point $? "$text"
else
	skip "$text" 'dls-loops does not run here'
fi

refused 'shows at most 4 schedules, not 5' -s 'ss;gss;tss;fac2;af' --html "$work/x.html"
refused 'shows at most 256 workers, not 300' -p 300 -s gss --html "$work/x.html"
refused 'at most 200000 chunks' -n 300000 -s ss --html "$work/x.html"
refused '"/nonexistent/a.html"' --html /nonexistent/a.html

need python3 python3 'the page and the rows are the same' || finish
cat >"$work/lists.py" <<'END'
import csv, json, re, sys
page = open(sys.argv[1]).read()
assert not re.search(r'https?://|src=|@import', page), "the page asks for something else"
data = json.loads(re.search(r'<script type="application/json" id="data">\n(.*?)</script>', page, re.S).group(1))
rows = list(csv.DictReader(open(sys.argv[2])))
ns = lambda text: int(text.replace(".", ""))
assert 0 < len(data["runs"]) == len({row["schedule"] for row in rows})
for run in data["runs"]:
    shown = [[w, b, n, asked + dispatch, time] for w, b, n, asked, dispatch, time in zip(*[iter(run["chunk"])] * 6)]
    assert shown == [[int(r["worker"]), int(r["begin"]), int(r["size"]), ns(r["start_s"]), ns(r["time_s"])]
                     for r in rows if r["schedule"] == run["name"]]
    assert sum(chunk[2] for chunk in shown) == data["n"] and len(run["came"]) == len(run["left"]) == data["p"]
    assert max(run["left"]) == run["time"] and run["measured"] == ("measured" in run["name"])
    if data["n"] == 6 and run["measured"]:
        assert [run["came"], run["left"]] == [[0, 10**9], [4 * 10**9, 65 * 10**8]]
END
lists() {	# text, options
	text=$1
	shift
	"$tool" "$@" --csv --html "$work/page.html" >"$work/rows" && python3 "$work/lists.py" "$work/page.html" "$work/rows" >"$log" 2>&1
	point $? "$text: the page's chunks are the rows"
	: >"$log"
}
lists 'a trace' "$work/trace" -s 'gss;ss;af'
lists 'late workers, by name of all' "$work/trace" --loop other
lists 'what is usual'
lists 'unequal iterations and workers, the third step' -s 'static;ss,7;af;awf' --times gamma --speeds 1:3 --steps 3 --overhead 1e-3 -p 7

cat >"$work/moment.py" <<'END'
import csv, re, sys
ns = lambda text: int(text.replace(".", ""))
page, rows, t = open(sys.argv[1]).read(), list(csv.DictReader(open(sys.argv[2]))), ns(sys.argv[3])
tables = [[re.findall(r'<t[dh]>(.*?)</t[dh]>', row) for row in re.findall(r'<tr>(.*?)</tr>', table)]
          for table in re.findall(r'<table.*?</table>', page, re.S)]
names = re.findall(r'<caption>(.*?), at %s s</caption>' % re.escape(sys.argv[3]), page)
assert len(tables) == len(names) == 3, names
figures = re.findall(r'<p class="figures">(.*?)</p>', page)
for name, table, text in zip(names, tables, figures):
    mine = [r for r in rows if r["schedule"] == name]
    begun = [r for r in mine if ns(r["start_s"]) <= t]
    assert text.startswith("%d of %d chunks dealt, %d of %d iterations remain" % (
        len(begun), len(mine), sum(int(r["size"]) for r in mine) - sum(int(r["size"]) for r in begun), sum(int(r["size"]) for r in mine))), text
    for worker, chunks, iterations, busy, requests, waiting in table[1:]:
        own = [r for r in begun if r["worker"] == worker]
        assert [int(chunks), int(iterations)] == [len(own), sum(int(r["size"]) for r in own)], (name, worker)
        assert ns(busy) == sum(min(t, ns(r["start_s"]) + ns(r["time_s"])) - ns(r["start_s"]) for r in own), (name, worker, busy)
        last = max(ns(r["start_s"]) + ns(r["time_s"]) for r in mine if r["worker"] == worker)
        over = max(ns(r["start_s"]) + ns(r["time_s"]) for r in mine)
        assert ns(waiting) == max(0, min(t, over) - last), (name, worker, waiting)
        assert ns(busy) + ns(requests) + ns(waiting) == min(t, over)
END
"$tool" -s 'gss;ss,9;af' --times exp --speeds 1:2 --overhead 1e-3 --csv --html "$work/page.html" >"$work/rows"
# Begin, a chunk on, another one, one back; to the first worker that ends, and what each has done.
with_keys "$work/page.html" "'End', 'Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'd'" >"$work/chunk.html"
with_keys "$work/page.html" "'End', 'Home', 'n', 'd'" >"$work/end.html"
# Fails if: what a worker does is cut at the page's edge, the chunks being large.
"$tool" -n 1000000 -s 'gss;static' --html "$work/large.html" >/dev/null
{
	cat "$work/large.html"
	echo '<script>document.title = panels.map(({ deal, left, wide, width }) => left + wide + 6 +'
	echo '	deal.getContext("2d").measureText("runs 250000").width <= width).join(" ");</script>'
} >"$work/fits.html"
moments='0.000000000 0.100000000 0.234567891 0.999999999'
# shellcheck disable=SC2046,SC2086 # words
need_browser 'moments in a browser are those of the rows' $(printf "file://$work/page.html#t=%s\n" $moments) \
	"file://$work/chunk.html" "file://$work/end.html" "file://$work/fits.html"
same 'labels of large chunks have room' 'true true' \
	"$(sed -n 's/.*<title>\(.*\)<.title>.*/\1/p' "$work/dom.7")"
at() { sed -n 's/.*<caption>gss, at \([0-9.]*\) s<.*/\1/p' "$work/dom.$1"; }	# frame
k=0
for t in $moments; do
	k=$((k + 1))
	at=$(at $k)	# the end, where t is behind that
	python3 "$work/moment.py" "$work/dom.$k" "$work/rows" "${at:-none}" >"$log" 2>&1 && { [ "$at" = "$t" ] || [ "$t" = 0.999999999 ]; }
	point $? "in a browser, $t s is that of the rows"
	: >"$log"
done

moments=$(python3 -c '
import json, re, sys
data = json.loads(re.search(r"id=\"data\">\n(.*?)</script>", open(sys.argv[1]).read(), re.S).group(1))
starts = sorted({run["chunk"][i + 3] + run["chunk"][i + 4] for run in data["runs"] for i in range(0, len(run["chunk"]), 6)})
lefts = sorted({t for run in data["runs"] for t in run["left"]})
print(*("%d.%09d" % divmod(t, 10**9) for t in (starts[1], lefts[0])))' "$work/page.html")
same 'keys go from chunk to chunk, and to where a worker ends' "$moments" "$(at 5) $(at 6)"

in_windows "$work/page.html" "[0, 1e6 - 1, 1e6, runs[0].left[0] - 1, runs[0].time].map(
		t => runs[0].came.map((_, w) => runs[0].doing(w, t)[0]).join(' ')).join('; ')" \
	'asks asks asks asks; asks asks asks asks; runs runs runs runs; runs waits waits waits; waits waits waits waits'
finish
