# ran.py - which schedule ran, by each form of a report.  Prints a line for each thing that is wrong, nothing if all is well.
#
#   ran.py FOLDER TRACE   FOLDER has ran.txt, ran.csv, ran.json, ran.html, expected, place, advice.csv and of_trace.csv, of one run; TRACE
#                         -: there is none; expected has a line for each site, NAME|ASKED>RAN|ASKED>RAN..., and *: there may be others
import collections
import csv
import json
import re
import sys
import xml.etree.ElementTree

folder, trace = sys.argv[1:3]
html = "{http://www.w3.org/1999/xhtml}"


def read(name):
    with open(folder + "/" + name, encoding="utf-8", newline="") as file:
        return file.read()


def expect(good, *wrong):
    if not good:
        print(*wrong)


def under(asked, ran, why):
    """What CSV, JSON and trace say of an execution: the schedule asked for, unless auto chose or another one had to run."""
    return ran if why or re.match(r"((non)?monotonic:)?auto(,|$)", asked) else asked


def of_text(text):
    """name: [(asked, ran, executions)]"""
    found, name = collections.OrderedDict(), None
    for block in text.split("\n\n"):
        lines = block.split("\n")
        name = re.sub(r" \(\w+\)$", "", lines[0])
        if not any(line.startswith("  executions  ") for line in lines):
            continue
        rows = found[name] = []
        measured = [int(re.match(r"  measured    (\d+)", line)[1]) for line in lines if line.startswith("  measured ")]
        inside = False
        for line in lines[1:]:
            inside = line.startswith("  schedule    ") or inside and line.startswith(" " * 14)
            if not inside:
                continue
            instead = re.match(r" {14}(\S+) ran: (\S+) ", line)
            if instead:
                rows[-1] = (rows[-1][0], instead[1], rows[-1][2])
                continue
            row = re.match(r".{14}(.*?)(: (.*?))?(, in (\d+) of \d+)?$", line)
            rows.append((row[1], row[3] or row[1], int(row[5]) if row[5] else sum(measured)))
    return found


def of_csv(rows):
    found = {}
    for row in rows:
        if row["worker"] != "all":
            continue
        name = row["site"]
        cells = [row[key].split("; ") if row["schedule"] else [] for key in ("schedule", "ran", "why", "ran_executions")]
        found[name] = [(a, under(a, r, w), int(n)) for a, r, w, n in zip(*cells)]
    return found


def of_page(page):
    """The tables of schedules; and what the summary has."""
    found, summary = {}, {}
    root = xml.etree.ElementTree.fromstring(page)
    for section in root.iter(html + "section"):
        if not (section.get("id") or "").startswith("site"):
            continue
        name = re.sub(r" \(\w+\)$", "", "".join(section.find(html + "h2").itertext()))
        rows = found[name] = []
        for table in section.iter(html + "table"):
            if "".join(next(table.iter(html + "th")).itertext()) != "asked for":
                continue
            for row in table.find(html + "tbody"):
                cell = ["".join(c.itertext()) for c in row]
                rows.append((cell[0], cell[1], int(cell[3])))
                expect(bool(re.search("auto", cell[0])) == ("auto" in cell[2]) or "asked for does" in cell[2], name, cell)
        for p in section.iter(html + "p"):
            slowest = re.match(r"\d+ iterations in .* under (\S+?)( \(ran: (.*)\))?\.", "".join(p.itertext()))
            expect(not slowest or (slowest[1], slowest[3] or slowest[1]) in [r[:2] for r in rows], name, "slowest:", slowest and slowest[0])
    for row in next(root.iter(html + "tbody")):
        name = re.sub(r" \(\w+\)$", "", "".join(row[0].itertext()))
        codes = [c.text for c in row[1].iter(html + "code")]
        said = "".join(row[1].itertext())
        summary[name] = [(a, r or a) for a, _, r in re.findall(r"(\S+?)( \(ran: (\S+?)\))?(?:, |$)", said + ", ")] if codes else []
    return found, summary


report = [s for s in json.loads(read("ran.json")) if "site" in s]     # the last object of dls-run's has regions
text, page = of_text(read("ran.txt")), of_page(read("ran.html"))
rows = of_csv(csv.DictReader(read("ran.csv").splitlines()))
advised = {form: {(r["site"], r["schedule"]): r["mark"] for r in csv.DictReader(read(form).splitlines()) if "mark" in r}
           for form in ("advice.csv", "of_trace.csv")}
wanted = {}
for line in (read("expected") + read("place")).splitlines():
    name, *pairs = line.split("|")
    wanted[re.sub(".*/", "", name)] = [tuple(p.split(">")) for p in pairs]
expect(len(wanted) == len(report) or "*" in wanted, "sites:", [s["site"] for s in report])

for site in report:
    name, in_force = site["site"], site.get("in_force")
    mine = [(r["asked"], under(r["asked"], r["ran"], r["why"]), r["executions"]) for r in site["schedules"]]
    want = wanted.get(name.split("/")[-1])
    if want is None and "*" not in wanted:
        print(name, "is not expected")
        continue
    if want and any(r[1] == "?" for r in want):
        expect([r[0] for r in want] == list(dict.fromkeys(r[0] for r in mine)), name, mine, want)
    else:
        expect(want is None or want == [r[:2] for r in mine], name, mine, want)
    for form, said in ("text", text.get(name)), ("CSV", rows.get(name)), ("page", page[0].get(name)):
        expect(said == mine, form, name, said, mine)
    if not mine:
        expect(site["schedule"] is None and in_force is None, name, site["schedule"], in_force)
        continue
    last = [r for r in mine if r[0] == (want or [(site["schedule"],)])[-1][0]]
    expect(site["schedule"] == last[0][0] and in_force in [r[1] for r in last], name, site["schedule"], in_force)
    expect(want is None or "?" in want[-1] or in_force == want[-1][1], name, in_force)
    keeps = [c["schedule"] for c in site["auto"] if (site["schedule"], c["schedule"]) in [r[:2] for r in last]]
    expect(in_force in keeps or len(site["auto"]) != 1 or not keeps, "auto keeps to", name, keeps, in_force)
    expect((site["schedule"], in_force) in page[1][name], "summary", name, page[1][name])
    expect(set(page[1][name]) <= {r[:2] for r in mine}, "summary", name, page[1][name])
    expect([p["schedule"] for p in site["predictions"] if p["now"]] in ([in_force], []), "predictions", name)
    for line in site["advice"]:
        for found in re.findall(r"where (\S+) takes|faster than (\S+),", line):
            expect(max(found) == in_force, "advice", name, line)
    for form, marks in advised.items():
        said = [schedule for (at, schedule), mark in marks.items() if at == name and mark == "in force"]
        # A trace has no site's class of auto: there the last execution counts.
        expect(said in ([in_force], []) or form == "of_trace.csv" and said[0] in [r[1] for r in last], form, name, said, in_force)
expect(not read("advice.csv") or "*" in wanted or sum(mark == "in force" for mark in advised["advice.csv"].values()) > 8,
       "dls-advise:", advised)

if trace != "-":
    ran = collections.defaultdict(set)
    with open(trace, encoding="utf-8") as file:
        for e in json.load(file)["traceEvents"]:
            if e["ph"] == "X":
                ran[e["args"]["site"]].add(e["args"]["schedule"])
                expect(e["cat"] == e["args"]["schedule"], "trace", e)
    for site in report:
        unders = {under(r["asked"], r["ran"], r["why"]) for r in site["schedules"]}
        expect(ran[site["site"]] == unders, "trace", site["site"], ran[site["site"]], unders)
