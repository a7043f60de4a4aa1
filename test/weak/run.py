#!/usr/bin/env python3
"""run.py - run the programs of test/weak, and hold what they find against the orders that the sources name.

Every acquire, release and acq_rel of the sources must be shown to be needed: some program fails when it alone is weaker.  What
no program shows stands in test/weak/kept, with the reason; an entry of which a program shows it is one too many."""
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

WEAKER = {"acq_rel": ["acquire", "release"], "acquire": ["relaxed"], "release": ["relaxed"], "seq_cst": ["acq_rel"]}
CALL = re.compile(r"\b(?:atomic_\w+_explicit|__atomic_\w+|atomic_thread_fence)\s*\(")
ORDER = re.compile(r"memory_order_(\w+)|__ATOMIC_(\w+)")
FUNCTION = re.compile(r"^[A-Za-z_].*?\b(\w+)\([^;]*$")


def argument_end(text, at):
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    return len(text)


def of_source(path):
    """(file, line): (function, [order, ...]) of each atomic operation."""
    text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), path.read_text(), flags=re.S)
    found = {}
    for call in CALL.finditer(text):
        line = text.count("\n", 0, call.start()) + 1
        orders = [(a or b).lower() for a, b in ORDER.findall(text[call.end():argument_end(text, call.end() - 1)])]
        heads = [m.group(1) for m in map(FUNCTION.match, text[:call.start()].split("\n")) if m]
        found.setdefault((str(path), line), []).append((heads[-1] if heads else "-", orders))
    return found


def wanted():
    """(file, line, role, from, to): function, of every order that could be weaker."""
    result = {}
    for path in sorted(p for folder in ("include", "sched", "lib") for p in Path(folder).rglob("*.[ch]")):
        for (name, line), calls in of_source(path).items():
            for function, orders in calls:
                for role, order in zip(("operation", "failure"), orders):
                    for to in WEAKER.get(order, []):
                        result[name, line, role, order, to] = function
    return result


def run(program):
    """Its output, and what it says of the orders: (file, line, role, from, to): the line that says so, if one was killed."""
    done = subprocess.run([program], stdout=subprocess.PIPE, text=True, errors="replace")
    lines = done.stdout.splitlines()
    weakened = [line.split(" ", 7) for line in lines if line.startswith("# weakened ")]
    where = subprocess.run(["addr2line", "-e", program] + [w[2] for w in weakened], stdout=subprocess.PIPE, text=True)
    said = {}
    for w, place in zip(weakened, where.stdout.splitlines()):
        name, _, line = place.split(" ")[0].rpartition(":")
        name = re.sub(r"^.*/((?:lib|include|sched|test)/)", r"\1", str(Path(name)))
        if line.isdigit():
            key = (name, int(line), *w[3:6])
            said[key] = said.get(key) or (w[7] if w[6] == "killed" else None)
    return done.returncode, [line for line in lines if not line.startswith("# weakened ")], said


def kept():
    """(file, function, role, from, to): reason."""
    result = {}
    for line in Path("test/weak/kept").read_text().splitlines():
        if line and not line.startswith("#"):
            *key, reason = line.split(None, 5)
            result[tuple(key)] = reason
    return result


def main():
    programs, failed, said = sys.argv[1:], 0, {}
    with ThreadPoolExecutor(2) as pool:
        for program, (code, lines, by_program) in zip(programs, pool.map(run, programs)):
            print(f"# {program}", *lines[1:], sep="\n", flush=True)
            failed += code != 0
            for key, killer in by_program.items():
                said[key] = said.get(key) or killer
    reasons, needed, unused = kept(), wanted(), set(kept())
    complete = len(programs) > 1
    shown = 0
    for key, function in needed.items():
        name, line, role, order, to = key
        reason = reasons.get((name, function, role, order, to))
        if said.get(key):
            shown += 1
            if reason is not None and (name, function, role, order, to) in unused and complete:
                print(f"# {name}:{line}: {function}: {order} of the {role} is shown to be needed ({said[key]})")
        elif reason is not None:
            unused.discard((name, function, role, order, to))
        elif complete or key in said:
            failed += 1
            state = "no test fails" if key in said else "no test runs it"
            print(f"not ok - {name}:{line}: {function}: {order} of the {role} as {to}: {state}")
    if complete:
        for entry in sorted(unused):
            failed += 1
            print("not ok - test/weak/kept: nothing to keep:", *entry)
        print(f"# {len(needed)} weaker orders, {shown} shown to fail, {len(reasons)} kept for a reason")
    return failed != 0


sys.exit(main())
