# coverage.py - which branches of sched/ and lib/ the tests have taken; `make coverage` runs it.
#
#	coverage.py FOLDER [PREFIX]...	files that begin so; sched/ and lib/ if there is none
#
# FOLDER is of objects built by gcc --coverage.  What an object of libdls.a and one of libdls.so have counted is added up, and so is
# what the instances of a macro have that defines functions: LOOP(4, int32_t) and LOOP(8, int64_t) are one text with its branches.
# Likewise an inline function of a header, whose branches gcov lists once for each place where a file has it.
# FOLDER/coverage.txt lists each line with branches that were not taken, and each that did not run.
import collections
import glob
import json
import os
import re
import subprocess
import sys

folder, prefixes = sys.argv[1], tuple(sys.argv[2:] or ("sched/", "lib/"))
lines = collections.defaultdict(collections.Counter)	# file: line: times run
counts = collections.defaultdict(lambda: collections.defaultdict(list))	# file: line: a list of its branches' times for each object

data = [p for p in glob.glob(folder + "/**/*.gcda", recursive=True)
        if os.path.relpath(p, folder).startswith(("sched/", "lib/", "test/"))]
for at in range(0, len(data), 50):
    text = subprocess.run(["gcov", "--branch-probabilities", "--json-format", "--stdout", *data[at:at + 50]],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode()
    for document in filter(None, text.split("\n")):
        for file in json.loads(document)["files"]:
            name = os.path.relpath(file["file"])
            if not name.startswith(prefixes):
                continue
            of = collections.defaultdict(list)
            for line in file["lines"]:
                lines[name][line["line_number"]] += line["count"]
                of[line["line_number"]] += [branch["count"] for branch in line["branches"]]
            for number in filter(of.get, of):
                counts[name][number].append(of[number])

taken = collections.defaultdict(collections.Counter)	# file: (line, number of the branch): times
for name, of in counts.items():
    for number, objects in of.items():
        size = min(map(len, objects))
        if any(len(times) % size for times in objects):
            size = max(map(len, objects))
        for times in objects:
            for branch, n in enumerate(times):
                taken[name][number, branch % size] += n

for name, of in taken.items():
    with open(name) as f:
        source = f.read().split("\n")
    size = collections.Counter(number for number, branch in of)
    instances = {}	# (macro, branches): line of the first
    for number in sorted(size):
        macro = re.match(r"\w+(?=\()", source[number - 1])
        first = instances.setdefault((macro.group(), size[number]), number) if macro else number
        if first != number:
            for branch in range(size[number]):
                of[first, branch] += of.pop((number, branch))

total = collections.defaultdict(lambda: [0, 0, 0, 0])
with open(folder + "/coverage.txt", "w") as out:
    for name in sorted(lines):
        figures = [len(lines[name]), sum(n > 0 for n in lines[name].values()),
                   len(taken[name]), sum(n > 0 for n in taken[name].values())]
        for of in os.path.dirname(name), "all":
            total[of] = [a + b for a, b in zip(total[of], figures)]
        with open(name) as f:
            source = f.read().split("\n")
        missing = collections.defaultdict(list)
        for (number, branch), n in taken[name].items():
            if not n and lines[name][number]:
                missing[number].append(branch)
        for number, n in sorted(lines[name].items()):
            if not n or missing[number]:
                what = f"branch {', '.join(map(str, missing[number]))}" if n else "not run"
                print(f"{name}:{number}: {what}: {source[number - 1].strip()}", file=out)

print(f"{'':20}{'lines':>8}{'run':>9}{'branches':>10}{'taken':>9}")
for of, (n, run, branches, took) in sorted(total.items(), key=lambda item: (item[0] == "all", item[0])):
    print(f"{of:20}{n:8}{100 * run / max(n, 1):8.1f}%{branches:10}{100 * took / max(branches, 1):8.1f}%")
print(f"What is not covered: {folder}/coverage.txt")
