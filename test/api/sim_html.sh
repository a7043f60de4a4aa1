#!/bin/sh
# sim_html.sh - dls-sim --html: the page knows the run to the last nanosecond, in the browser as well, and obeys keys.
#
# Fails if: the page lacks a span, message, load or task, sums them up to another time than it shows, counts a phase twice or not
# at all, or names another processor's figures; if a key does nothing; if the page needs the network, writes an
# error or is wider than the window, also in a lecture's type.
#
# runs: machines, alone
export LC_ALL=C
. test/sh.sh
. test/browser.sh
tool=$bin/dls-sim

need python3 python3 'the page and the run are the same' || finish

# What the page is given, without a browser: its lists add up to the rows of the runs.
cat >"$work/lists.py" <<'END'
import csv, json, re, sys
page = open(sys.argv[1]).read()
assert not re.search(r'https?://|src=|@import', page), "the page asks for something else"
data = json.loads(re.search(r'<script type="application/json" id="data">\n(.*?)</script>', page, re.S).group(1))
rows = list(csv.DictReader(open(sys.argv[2])))
assert len(rows) == len(data["runs"]) > 0
for row, run in zip(rows, data["runs"]):
    P, time = int(row["processors"]), run["time"]
    assert time == int(row["t_bal_s"].replace(".", "")), row["t_bal_s"]
    parts = dict.fromkeys(["busy", "polling", "overhead", "service", "held"], 0)
    for flat in run["span"]:
        at = 0
        for what, gap, length, polling in zip(*[iter(flat)] * 4):
            assert gap >= 0 and length > 0
            at += gap
            before = max(0, min(at + length, time) - at)
            if what == 0:
                assert before == length
                parts["polling"] += polling
            parts[["busy", "overhead", "service", "held"][what]] += before - polling
            at += length
    for part, ns in parts.items():
        assert abs(100 * ns / (P * time) - float(row[part + "_percent"])) < 6e-5, part
    sent = {}
    for flat in run["sent"]:
        for kind, gap, tasks in zip(*[iter(flat)] * 3):
            sent[kind] = sent.get(kind, 0) + 1
    kinds = dict(pair.split("=") for pair in row["kinds"].split())
    assert {run["kinds"][k]: str(n) for k, n in sent.items() if k < 12} == {k: n for k, n in kinds.items() if n != "0"}
    assert sum(sent.values()) == len(run["message"]) / 6 == int(row["messages"]) + int(row["service_messages"])
    assert sum(run["message"][5::6]) == int(row["transfers"])
    assert sum(map(len, run["begun"])) == int(row["tasks"])
    counters = dict(pair.split("=") for pair in row["counters"].split())
    counted = {"dem": "sweeps", "rips": "phases"}.get(run["strategy"])
    numbers = {number for begin, end, number, text in run["phase"] if number}
    if counted:
        assert numbers == set(range(1, int(counters[counted]) + 1)), (run["strategy"], numbers)
    if run["strategy"] == "hbm":
        assert {"loads go up to level %d" % level for level in range(1, 5)} <= {text for *_, text in run["phase"]}
    # A phase is where its messages are.
    handled = set()
    at = 0
    for kind, _, _, gap, length, _ in zip(*[iter(run["message"])] * 6):
        at += gap
        handled.add(at + length)
    assert all(begin < end and end in handled for begin, end, *_ in run["phase"])
END
for net in hypercube:4 mesh:4x4; do
	"$tool" --strategy 'dem;rips;hbm;rid;gm' --net $net --tasks 9 --csv --html "$work/page.html" >"$work/row" &&
		python3 "$work/lists.py" "$work/page.html" "$work/row" >"$log" 2>&1
	point $? "five runs on $net: the page's lists are the runs"
done

refused 'x.html": shows at most 1024 processors, not 2048' --processors 2048 --html "$work/x.html"
refused 'of at most 16 runs alone, not of 17' --seed 1-17 --html "$work/x.html"

cat >"$work/moment.py" <<'END'
import csv, re, sys
ns = lambda text: int(text.replace(".", ""))
page, rows, t = open(sys.argv[1]).read(), list(csv.DictReader(open(sys.argv[2]))), ns(sys.argv[3])
tables = [[re.findall(r'<t[dh]>(.*?)</t[dh]>', row) for row in re.findall(r'<tr>(.*?)</tr>', table)]
          for table in re.findall(r'<table.*?</table>', page, re.S)]
assert len(tables) == 2, len(tables)
assert "at %s s</caption>" % sys.argv[3] in page
head, *shown = tables[0]
assert len(shown) == 12
for row in shown:
    row = dict(zip(head, row))
    upto = [r for r in rows if r["processor"] == row["processor"] and ns(r["end_s"]) <= t]
    assert ns(upto[-1]["end_s"]) == t
    for name in head[1:3]:
        assert row[name] == upto[-1][name], (name, row, upto[-1])
    for name in head[3:9]:
        assert ns(row[name]) == sum(ns(r[name]) for r in upto), (name, row)
    for name in head[9:]:
        assert int(row[name]) == sum(int(r[name]) for r in upto), (name, row)
for kind, sent, received in tables[1][1:]:
    upto = [r for r in rows if ns(r["end_s"]) <= t]
    assert [int(sent), int(received)] == [sum(int(r[way + kind]) for r in upto) for way in ("sent_", "received_")], kind
END
"$tool" --strategy dem --net mesh:4x3 --tasks 9 --speeds .4:2 --intervals 9 --html "$work/page.html" --series "$work/series" >/dev/null
moments=$(python3 -c '
import csv, sys
rows = [row for row in csv.DictReader(open(sys.argv[1])) if row["processor"] == "0"]
print(rows[1]["end_s"], rows[5]["end_s"], rows[9]["end_s"])' "$work/series")
with_keys "$work/page.html" "'End', 'Home', 'n', 'ArrowRight', 'd'" >"$work/keys.html"
# Fails if: the page opens before processors that begin with messages know of their tasks.
"$tool" --strategy 'sid;dem' --net tree --processors 15 --tasks 9 --html "$work/first.html" >/dev/null
# shellcheck disable=SC2046,SC2086 # words
need_browser 'three moments in a browser are those of --series' $(printf "file://$work/page.html#t=%s\n" $moments) \
	"file://$work/keys.html" "file://$work/first.html"
k=0
for t in $moments; do
	k=$((k + 1))
	python3 "$work/moment.py" "$work/dom.$k" "$work/series" "$t" >"$log" 2>&1
	point $? "in a browser, $t s is that of --series"
done

# Home, the first phase, a message on, the table.
wanted=$(python3 -c '
import json, re, sys
data = json.loads(re.search(r"id=\"data\">\n(.*?)</script>", open(sys.argv[1]).read(), re.S).group(1))
run = data["runs"][0]
times, at = set(), 0
for i in range(0, len(run["message"]), 6):
    at += run["message"][i + 3]
    times |= {at, at + run["message"][i + 4]}
first = run["phase"][0]
after = min(time for time in times if time > first[0])
print("%d.%09d" % divmod(after, 10**9), first[3])' "$work/page.html")
same 'keys go to the first phase, then to a message' "$wanted" \
	"$(sed -n 's/.*<caption>dem, at \([0-9.]*\) s<.*/\1/p' "$work/dom.4") $(sed -n 's/.*<p class="phase">\([^<]*\)<.*/\1/p' "$work/dom.4")"

same 'it opens with the load that all begin with' 'load 9 to 9 load 9 to 9' \
	"$(grep -o 'load [0-9]* to [0-9]*' "$work/dom.5" | xargs)"

"$tool" --strategy dem --net mesh:4x3 --tasks 9 --speeds .4:2 --lecture --html "$work/page.html" >/dev/null
in_windows "$work/page.html" "[0, runs[0].end].map(t => [0, 1, 11].map(p => runs[0].doing(p, t) ?? 'idle').join(' ')).join('; ')" \
	'0 0 0; idle idle idle'
finish
