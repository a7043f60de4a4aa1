# report.py - read reports.  Prints a line for each thing that is wrong, nothing if all is well.
#
#   report.py same JSON CSV EXPECTED   the numbers of both are those of EXPECTED, to the last bit
#   report.py late HTML CHUNKS         so many chunks of one iteration, half before the last worker came
#   report.py page HTML SITES          well-formed, whole in itself, rows of tables too, three pictures of an execution for each of so many sites
import csv
import json
import math
import re
import string
import sys
import xml.etree.ElementTree

FIGURES = ("executions iterations measured chunks measured_iterations workers wall busy dispatch idle late mean_finish "
           "imbalance_percent cov efficiency saving mu sigma h").split()
WORKER = "chunks iterations busy dispatch idle late mean_finish".split()


def number(text):
    return float.fromhex(text) if "x" in text or "n" in text else float(text)


def same(a, b):
    """As floats; None, an empty cell and NaN are one."""
    if b is None or b == "" or math.isnan(float(b)):
        return a is None or a == "" or math.isnan(float(a))
    return a not in (None, "") and float(a) == float(b)


def expect(good, *wrong):
    if not good:
        print(*wrong)


def check_same(report, rows, expected):
    sites, wanted = {s["site"]: s for s in report}, []
    for line in expected:
        fields = [number(x) for x in line.split()]
        if line[0] == " ":
            wanted[-1][1].append(dict(zip(WORKER, fields)))
        else:
            wanted.append((dict(zip(FIGURES, fields)), []))
    hard = "a <b> & \"c\", \\ ; \u00e9 " + "\ufffd" * 2 + "\ufffd" * 3
    names = [hard, "=alone()", "'unmeasured"]
    if sorted(sites) != sorted(names) or len(report) != 3:
        print("sites:", [s["site"] for s in report])
        return
    for name, (figures, workers) in zip(names, wanted):
        site = sites[name]
        mine = [r for r in rows if r["site"] == ("'" if name[0] in "=+-@'" else "") + name]
        if [r["worker"] for r in mine] != ["all"] + [str(i) for i in range(len(workers))]:
            print(name, "rows", [r["worker"] for r in mine])
            continue
        unmeasured = figures["measured"] == 0
        for key, value in figures.items():
            if unmeasured and key in ("saving", "mean_finish", "imbalance_percent", "cov", "efficiency"):
                value = math.nan
            expect(same(site[key], value), "JSON", name, key, site[key], value)
            expect(same(mine[0][key], value), "CSV", name, key, mine[0][key], value)
        if len(site["worker"]) != len(workers):
            print("JSON", name, "has", len(site["worker"]), "workers")
            continue
        for i, w in enumerate(workers):
            for key, value in w.items():
                expect(same(site["worker"][i][key], value), "JSON", name, i, key, site["worker"][i][key], value)
                column = "measured_iterations" if key == "iterations" else key
                expect(same(mine[i + 1][column], value), "CSV", name, i, key, value)
        all_time = figures["busy"] + figures["dispatch"] + figures["idle"]
        if all_time and not math.isclose(site["dispatch_share"], figures["dispatch"] / all_time, rel_tol=1e-12,
                                         abs_tol=1e-300):
            print(name, "dispatch_share", site["dispatch_share"])
        if not unmeasured and not math.isclose(site["saving_share"], figures["saving"] / figures["wall"], rel_tol=1e-12):
            print(name, "saving_share", site["saving_share"])
    ran = [(r["asked"], r["ran"], bool(r["why"]), r["executions"]) for r in sites[hard]["schedules"]]
    expect(ran == [("fac", "fac2", True, 1), ("gss,2", "gss", False, 1)], "schedules:", ran)
    row = [r for r in rows if r["site"] == hard][0]
    if (row["schedule"], row["ran"], row["ran_executions"]) != ("fac; gss,2", "fac2; gss", "1; 1"):
        print("CSV schedules:", row["schedule"], row["ran"])
    savings = [s["saving"] for s in report if s["measured"]]
    expect(savings == sorted(savings, reverse=True) and not report[-1]["measured"], "order:", savings)


def numbers(text):
    """See lib/report/report_timeline.c."""
    digit = string.digits + string.ascii_uppercase + string.ascii_lowercase + "-_"
    value = weight = 0
    for d in map(digit.index, text):
        value += d % 32 << weight
        weight += 5
        if d < 32:
            yield value
            value = weight = 0


def spans_of(worker):
    """Of each its begin, end, iterations, chunks and, of a single chunk, its first iteration."""
    _, _, joins, text = worker
    fours, at, lo = iter(numbers(text)), 0, 0
    for before, length, n, x in zip(fours, fours, fours, fours):
        at += before + length
        lo += x // 2 if x % 2 == 0 else -(x + 1) // 2
        yield at - length, at, n, x if joins else 1, None if joins else lo
        lo += n


def check_timeline(t, words):
    workers = [list(spans_of(w)) for w in t["workers"]]
    spans = [s for w in workers for s in w]
    name = words.split("\n")[1:2]
    if len(workers) < 64:       # all are shown
        expect(sum(s[2] for s in spans) == t["n"], name, "iterations:", spans, "of", t["n"])
    end = t["wall"] // t["tick"]
    for (came, gone, _, _), mine in zip(t["workers"], workers):
        expect(gone <= end and (came is not None or not mine), name, came, gone, end)
        expect(all(came <= s[0] <= s[1] <= gone for s in mine), name, "chunks outside of", came, gone)
    if len(workers) < 64 and all(s[4] is not None for s in spans):
        at = 0
        for _, _, n, _, lo in sorted(spans, key=lambda s: s[4]):
            expect(lo == at, name, "iteration", at, "or", lo)
            at = lo + n
    if len(workers) in range(2, 64):
        last = re.search("Worker ([0-9]+) finished last, ", words)
        latest = max(w[1] for w in t["workers"])
        expect(last and t["workers"][int(last[1])][1] == latest, name, "who finished last:", last)
        came = max(w[0] or 0 for w in t["workers"])
        if abs(came - end / 20) > 1:
            expect(("after the first" in words) == (came > end / 20), name, "late:", came, end)


def check_late(text, chunks):
    check_page(text, 1)
    t = json.loads(re.search(r'json" class="timeline">(.*?)</script>', text, re.S)[1])
    spans = [list(spans_of(w)) for w in t["workers"]]
    for what in 2, 3:
        expect(sum(s[what] for w in spans for s in w) == chunks, "not all chunks")
    came = t["workers"][-1][0]
    before = sum(s[3] for w in spans[:-1] for s in w if s[1] <= came)
    after = sum(s[3] for w in spans for s in w if s[0] >= came)
    # A span of several chunks may have begun before.
    expect(.4 <= before / chunks <= .5 and .4 <= after / chunks <= .5, "half of", before, after)


def check_page(text, pictures):
    root = xml.etree.ElementTree.fromstring(text)
    html, svg = "{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/2000/svg}"
    data = '<script type="application/json" id="report">'
    expect(text.count(data) == ("<title>Loop report<" in text), "no report for dls-advise")
    if data in text:
        json.loads(text.partition(data)[2].partition("</script>")[0])
    shown = '<script type="application/json" class="timeline">'
    expect(text.count(shown) == pictures, "not as many timelines as pictures")
    bare = text.replace(html[1:-1], "").replace(svg[1:-1], "")
    for expected in data, shown, "<script>":
        bare = bare.replace(expected, "")
    for word in ("http", "url(", "@import", "<script", "<link", "<img", "src="):
        hits = bare.replace("url(#", "").count(word)
        expect(hits == 0, word, "occurs", hits, "times")
    expect(text.count('meta charset="utf-8"') == 1, "no charset")
    drawn = 0
    for section in root.iter(html + "section"):
        n = len(list(section.iter(svg + "svg")))
        slowest = [s for s in section.iter(svg + "svg") if s.get("aria-label").startswith("Chunk")]
        drawn += len(slowest) == 2
        words = "".join(section.itertext())
        # A busy machine: what iterations cost, but no schedule's time.
        expect(n in (0, 2, 3, 5) or n == 4 and "no schedule is advised" in words, section.get("id"), "has", n, "pictures")
        expect(len(slowest) or not section.get("id") or "no pictures" in words or "not taken" in words,
               section.get("id"), "does not say why there are none")
        chunks = [p.get("d") for p in section.iter(svg + "path") if p.get("class") in ("even", "odd")]
        boxes = sum(d.count("M") for d in chunks)
        expect(boxes <= 1100, section.get("id"), "has", boxes, "boxes")
        for script in section.iter(html + "script"):
            check_timeline(json.loads(script.text), words)
    expect(drawn == pictures, drawn, "sites with pictures, not", pictures)
    for table in root.iter(html + "table"):
        for row in list(table.iter(html + "tr"))[1:]:
            expect(len(row) == len(table.find(f".//{html}tr")), "a row of", len(row), "cells:", "".join(row.itertext()))
    names = [e.get("id") for e in root.iter() if e.get("id")]
    expect(len(names) == len(set(names)), "an id is there twice")
    for a in root.iter(html + "a"):
        expect(a.get("href")[1:] in names, "link to nowhere:", a.get("href"))
    for e in root.iter():
        for key, value in e.items():
            number_lost = "nan" in value.lower().split() or "inf" in value or (key == "d" and "nan" in value)
            expect(not number_lost, e.tag, key, value[:80])
            expect(key not in ("width", "height") or float(value) > 0, e.tag, key, value)


what, path, other = sys.argv[1:4]
with open(path, encoding="utf-8") as file:
    first = file.read()
if what == "page":
    check_page(first, int(other))
elif what == "late":
    check_late(first, int(other))
else:
    with open(other, encoding="utf-8", newline="") as file:
        raw = file.read()
    expect(raw.count("\r\n") == raw.count("\n"), "lines of the CSV do not end as RFC 4180 has it")
    table = list(csv.DictReader(raw.splitlines(), strict=True))
    expect(all(None not in r and None not in r.values() for r in table), "rows of unequal length")
    with open(sys.argv[4], encoding="utf-8") as file:
        check_same(json.loads(first), table, file)
