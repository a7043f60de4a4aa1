#!/bin/sh
# sim_watch.sh - dls-sim --series, --spans and --trace: to the last nanosecond they are the run that dls-sim reports.
#
# Fails if: a span is lost, counted twice or put into another interval, polls are not told from work, time after the last task
# is taken for time before it, a message or task is miscounted, or the watched run is another one.
#
# runs: machines, texts
export LC_ALL=C
. test/sh.sh
tool=$bin/dls-sim

# Times have nine decimals: without the point they are ns.
check() {	# text, options
	text=$1
	shift
	"$tool" "$@" --csv --series "$work/series" --spans "$work/spans" --trace "$work/trace" >"$work/row" 2>"$work/err" &&
	for file in row series spans; do figures <"$work/$file" | sed 's/"[^"]*"/quoted/g' >"$work/$file.plain"; done &&
	awk -F, '
		function ns(text) { sub(/[.]/, "", text); return text + 0 }
		function wrong(what) { print "# " what; failed = 1 }
		function equal(what, a, b) { if (a != b) wrong(what ": " a " is not " b) }
		FNR == 1 { file++; split("", at); for (i = 1; i <= NF; i++) { at[$i] = i; name[i] = $i }; fields = NF; next }
		NF != fields { wrong(NF " cells: " $0) }
		file == 1 {
			end = ns($at["t_bal_s"]); P = $at["processors"]
			for (i = 1; i <= NF; i++) if ($i ~ /^[0-9.]+$/) run[name[i]] = $i
			n = split($at["kinds"], kind, " ")
			for (i = 1; i <= n; i++) { split(kind[i], pair, "="); run["sent_" pair[1]] = pair[2] }
			next
		}
		file == 2 {
			length_ = ns($at["end_s"]) - ns($at["begin_s"])
			if (ns($at["begin_s"]) != (($at["processor"] in last) ? last[$at["processor"]] : 0)) wrong("a gap before " $0)
			last[$at["processor"]] = ns($at["end_s"])
			all = 0
			for (i = at["busy_s"]; i <= at["idle_s"]; i++) {
				all += ns($i)
				if (ns($at["begin_s"]) < end) part[name[i]] += ns($i)
				if (ns($i) < 0) wrong("negative: " $0)
			}
			equal("parts of " $at["processor"] " at " $at["begin_s"], all, length_)
			for (i = at["tasks"]; i <= NF; i++) sum[name[i]] += $i
			load[$at["processor"]] = $at["load"] + $at["queued"]
			next
		}
		{
			from = ns($at["begin_s"]); to = ns($at["end_s"])
			if ($at["what"] == "message") {
				messages++
				if (to < from || $at["other"] == $at["processor"] || $at["name"] == "") wrong($0)
				next
			}
			if (to <= from || from < span_end[$at["processor"]]) wrong("spans overlap: " $0)
			span_end[$at["processor"]] = to
			if (to > end) to = from > end ? from : end
			what = $at["what"] == "task" ? "busy_s" : $at["what"] "_s"
			spans[what] += to - from - ns($at["polling_s"])
			spans["polling_s"] += ns($at["polling_s"])
		}
		END {
			for (what in part) {
				percent = what; sub(/_s$/, "_percent", percent)
				mean = end ? 100 * part[what] / (P * end) : 0
				if (mean - run[percent] > 6e-5 || run[percent] - mean > 6e-5) wrong(what " is " mean " %, not " run[percent])
				if (what != "idle_s") equal("spans of " what, spans[what] + 0, part[what])
			}
			for (what in run) if (what ~ /^sent_/) {
				equal(what, sum[what], run[what]); of = what; sub(/sent/, "received", of); equal(of, sum[of], run[what])
			}
			equal("sent_detection", sum["sent_detection"], run["service_messages"])
			equal("messages", messages + 0, run["messages"] + run["service_messages"])
			equal("tasks", sum["tasks"], run["tasks"])
			equal("tasks in", sum["tasks_in"], run["transfers"]); equal("tasks out", sum["tasks_out"], run["transfers"])
			for (p in load) equal("load left on " p, load[p], 0)
			exit failed
		}' "$work/row.plain" "$work/series.plain" "$work/spans.plain" >"$log"
	point $? "$text"
	: >"$log"
}
for strategy in gm sid rid hbm dem rips factor priority repart; do
	check "$strategy" --strategy $strategy --processors 12 --tasks 8
done
check 'speeds, faults, other costs' --strategy rid --net mesh:3x4 --processors 12 --tasks 8 --speeds .3:2 --costs cm5 --faults \
	delay=1e-3,stall=1e-2 --grain 1e-3 --intervals 7
check 'one long interval' --strategy dem --processors 5 --tasks 3 --load spike --intervals 1
check 'intervals of less than a nanosecond' --strategy rid --processors 3 --tasks 1 --grain 1e-8 --costs ideal --intervals 10000
check 'no task' --strategy dem --processors 4 --tasks 0 --costs ideal

if need python3 python3 'the trace is JSON, with an arrow for each message'; then
	"$tool" --strategy dem --processors 6 --tasks 9 --json --trace "$work/trace" >"$work/row"
	python3 -c '
import json, sys
run, trace = json.load(open(sys.argv[1]))[0], json.load(open(sys.argv[2]))
events = trace["traceEvents"]
phase = lambda p: [e for e in events if e["ph"] == p]
assert trace["otherData"]["command"].startswith("dls-sim --strategy dem") and trace["otherData"]["libdls"] == run["version"]
messages = run["messages"] + run["service_messages"]
assert len(phase("s")) == len(phase("f")) == messages and len({e["id"] for e in phase("s")}) == messages
assert all(s["id"] == f["id"] and s["ts"] <= f["ts"] and s["tid"] != f["tid"] for s, f in zip(phase("s"), phase("f")))
tracks = [e["args"]["name"] for e in phase("M") if e["name"] == "thread_name"]
assert tracks == ["processor %d" % p for p in range(6)]
busy = sum(e["dur"] for e in phase("X") if e["name"] == "task") * 1e-6
share = (run["busy_percent"] + run["polling_percent"]) / 100 * 6 * run["t_bal_s"]
assert abs(busy / share - 1) < 1e-5, (busy, share)
' "$work/row" "$work/trace" >"$log" 2>&1
	point $? 'the trace is JSON, with an arrow for each message'
fi

# DLS_TRACE, on threads and in virtual time.
# Fails if: a span or a message is lost, of another processor or at another time, a limit is not kept, or the run is another one.
trace='a trace by DLS_TRACE'
if need python3 python3 "$trace"; then
	cat >"$work/traced.py" <<'END'
import collections, csv, json, re, sys
text = open(sys.argv[1]).read()
row = list(csv.DictReader(open(sys.argv[2])))[0]
trace = json.loads(text)
events = trace["traceEvents"]
assert trace["otherData"]["lost"] == 0
assert all(re.fullmatch(r"\d+\.\d{3}", t) for t in re.findall(r'"(?:ts|dur)":([^,}]*)[,}]', text))
phase = lambda p: [e for e in events if e["ph"] == p]
names = [e["args"]["name"] for e in phase("M")]
word = "virtual time" if row["engine"] == "virtual" else "threads"
assert names == ["libdls", "machine 1: dem, " + word] + ["processor %d" % p for p in range(5)], names
messages = int(row["messages"]) + int(row["service_messages"])
assert len(phase("s")) == len({e["id"] for e in phase("s")}) <= messages
if row["engine"] == "virtual":
    assert len(phase("s")) == messages
ends = {e["id"]: e for e in phase("f")}
assert all(s["ts"] <= ends[s["id"]]["ts"] and s["tid"] != ends[s["id"]]["tid"] for s in phase("s"))
ns = lambda us: round(us * 1000)
tracks = collections.defaultdict(list)
for e in phase("X"):
    if e["dur"]:
        tracks[e["tid"]].append((ns(e["ts"]), ns(e["ts"]) + ns(e["dur"])))
assert set(tracks) == set(range(1, 6))
for spans in tracks.values():
    assert all(a[1] <= b[0] for a, b in zip(spans, spans[1:])), "spans overlap"
busy = sum(ns(e["dur"]) for e in phase("X") if e["name"] == "task")
t_bal = int(row["t_bal_s"].replace(".", ""))
percent = float(row["busy_percent"]) + float(row["polling_percent"])
share = 100 * busy / (5 * t_bal)
# On threads what the system took away in between is in the trace.
assert share - percent > -1.2e-4 and (share - percent < 1.2e-4 or row["engine"] == "threads"), (busy, t_bal, percent)
END
	for engine in virtual threads; do
		DLS_TRACE=$work/trace "$tool" --engine $engine --strategy dem --processors 5 --tasks 9 --csv >"$work/row" 2>"$work/err" &&
			python3 "$work/traced.py" "$work/trace" "$work/row" >"$log" 2>&1
		point $? "$trace, engine $engine"
	done
	"$tool" --strategy dem --processors 5 --tasks 9 --csv | figures >"$work/row"
	same 'which is the same run' "$(cat "$work/row")" \
		"$(DLS_TRACE=$work/trace DLS_TRACE_LIMIT=9 "$tool" --strategy dem --processors 5 --tasks 9 --csv 2>"$work/err" | figures)"
	grep -q "$(python3 -c '
import json, sys
trace = json.load(open(sys.argv[1]))
assert len([e for e in trace["traceEvents"] if e["ph"] in "Xf" and e.get("dur", 1)]) <= 9
print("\": %d events of machines are not in it: DLS_TRACE_LIMIT=9 " % trace["otherData"]["lost"])' "$work/trace")" "$work/err"
	point $? 'a limit is kept, and said'
fi

# 3000 processors in 100 intervals are more rows than 250,000.
"$tool" --processors 3000 --tasks 1 --series "$work/series" >/dev/null 2>"$work/err"
grep -q '^dls-sim: --series: of 3000 processors every 2-th is shown, so that there are 151500 rows$' "$work/err" &&
	[ "$(wc -l <"$work/series")" -eq 151501 ]
point $? 'many processors are sampled, and that is said'

refused 'of one run alone, not of 2' --strategy 'rid;dem' --series "$work/x"
refused '"/dev/null/x"' --spans /dev/null/x

# On threads each run is another, so that it is the one that is watched.
# Fails if: tasks are not those of the run, or threads disturb each other's.
"$tool" --engine threads --strategy rid --processors 4 --tasks 30 --csv --series "$work/series" --spans "$work/spans" \
	--trace "$work/trace" --html "$work/page" --gantt "$work/gantt" >"$work/row" 2>"$work/err"
same 'series, spans, trace and page on threads' '0 120 120 1 1' "$? $(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "tasks") k = i }
	NR > 1 { n += $k } END { print n }' "$work/series") $(last_row tasks <"$work/row") $(grep -c '"clock":"real"' "$work/trace") $(grep -c 'id="data"' "$work/page")"
refused '"0"' --intervals 0
if [ -w /dev/full ]; then
	"$tool" --processors 4 --tasks 1 --spans /dev/full >/dev/null 2>"$work/err"
	same 'a full device' '1 1' "$? $(grep -c 'cannot write the table\|--spans "/dev/full": No space' "$work/err")"
fi
finish
