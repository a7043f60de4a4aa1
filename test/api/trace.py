# trace.py FILE - check a trace: what it says of one worker, one thread and one execution must fit together.
#
# Prints "lost executions chunks iterations", executions that are over; any fault ends it with an exception.
import collections
import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    text = f.read()
trace = json.loads(text)
assert trace["displayTimeUnit"] == "ns"
lost = trace["otherData"]["lost"]

# Times are in microseconds with three decimals: nanoseconds, exactly.
stamps = re.findall(r'"(?:ts|dur)":([^,]*),', text)
assert all(re.fullmatch(r"\d+\.\d{3}", s) for s in stamps)


def ns(us):
    return round(us * 1000)


threads, workers, reached = {}, {}, {}
chunks, ends, order = (collections.defaultdict(list) for _ in range(3))
for e in trace["traceEvents"]:
    if e["ph"] == "M":
        if e["name"] == "thread_name":
            threads[e["tid"]] = e["args"]["name"]
    elif e["ph"] == "X":
        a = e["args"]
        assert e["name"] == a["site"] and e["cat"] == a["schedule"] and a["size"] > 0 and a["dispatch_ns"] >= 0
        assert 0 <= a["worker"] < a["workers"] and e["tid"] in threads
        began = ns(e["ts"])
        chunks[a["execution"]].append((a["begin"], a["size"], a["worker"], began, began + ns(e["dur"])))
        order[e["tid"]].append((began, -ns(e["dur"])))
    elif e["name"] == "DLS_TRACE_LIMIT reached":
        assert e["ph"] == "i" and e["s"] == "t" and e["args"]["limit"] == trace["otherData"]["limit"]
        reached[e["tid"]] = (ns(e["ts"]), e["args"]["lost"])
    else:
        assert e["ph"] == "i" and e["s"] == "t" and e["name"] == "end of loop"
        assert e["tid"] not in reached
        a = e["args"]
        ends[a["execution"]].append((a, ns(e["ts"])))
        workers[a["execution"]] = a["workers"]
assert sum(n for _, n in reached.values()) == lost
over = {x for x in ends if sorted(a["worker"] for a, _ in ends[x]) == list(range(workers[x]))}

# A thread's slices are nested or apart.
for tid, slices in order.items():
    open_until = []
    for began, minus in sorted(slices):
        while open_until and open_until[-1] <= began:
            open_until.pop()
        assert not open_until or began - minus <= open_until[-1], f"thread {tid}: slices cross at {began}"
        open_until.append(began - minus)

total = 0
for execution, of in chunks.items():
    by_worker = collections.defaultdict(list)
    for begin, size, worker, began, ended in of:
        by_worker[worker].append((began, ended, size))
        total += size
    for slices in by_worker.values():
        slices.sort()
        assert all(a[1] <= b[0] for a, b in zip(slices, slices[1:])), f"execution {execution}: slices overlap"
    if lost or execution not in over:
        continue
    at = 0
    for begin, size, *_ in sorted(of):
        assert begin == at, f"execution {execution}: iteration {at} is in no chunk or in two"
        at += size
    for a, finished in ends[execution]:
        mine = by_worker[a["worker"]]
        assert a["chunks"] == len(mine) and a["iterations"] == sum(s[2] for s in mine)
        assert a["came_ns"] <= min([s[0] for s in mine], default=finished)
        assert finished >= max([s[1] for s in mine], default=a["came_ns"]) + a["dispatch_ns"]
    assert sum(a["iterations"] for a, _ in ends[execution]) == at

print(lost, len(over), sum(len(of) for of in chunks.values()), total)
