#!/usr/bin/env python3
"""run.py - run the programs of test/weak, and hold what they find against the orders that the sources name, and the planted faults.

Every acquire, release and acq_rel of the sources must be shown to be needed: some program fails when it alone is weaker.  What
no program shows stands in test/weak/kept, with the reason; an entry of which a program shows it is one too many.

Every fault of test/weak/faults, planted alone in a copy of its file, must make its program fail.  COMPILE and OBJECTS of the
environment say how such a program is made."""
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

WEAKER = {"acq_rel": ["acquire", "release"], "acquire": ["relaxed"], "release": ["relaxed"], "seq_cst": ["acq_rel"]}
CALL = re.compile(r"\b(?:__)?atomic_(\w+?)(_explicit|_n|_val)?\s*\(")
FREE = ("init", "is_lock_free", "signal_fence")		# of orders
ORDER = re.compile(r"memory_order_(\w+)|__ATOMIC_(\w+)")
FUNCTION = re.compile(r"^[A-Za-z_].*?\b(?!__attribute__)(\w+)\([^;]*$")
MACRO = re.compile(r"^#define (\w+)\((?:.*\\\n)*.*\Z", re.M)


def argument_end(text, at):
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    return len(text)


def uses(text, name):
    """The lines of the uses of a macro, those in other macros where these are used."""
    lines = []
    for use in re.finditer(rf"\b(?<!#define ){name}\(", text):
        before = text[:use.start()]
        macro = MACRO.search(before[before.rfind("#define"):])
        lines += uses(text, macro.group(1)) if macro else [before.count("\n") + 1]
    return lines


def operations(path):
    """(line, the lines that the compiler may give it, function, what it does, [order, ...]) of each atomic operation."""
    text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), path.read_text(), flags=re.S)
    for call in CALL.finditer(text):
        what, before = re.sub("_(strong|weak)$", "", call.group(1)), text[:call.start()]
        orders = [(a or b).lower() for a, b in ORDER.findall(text[call.end():argument_end(text, call.end() - 1)])]
        lines = [line := before.count("\n") + 1]
        macro = MACRO.search(before[before.rfind("#define"):]) if "#define" in before else None
        if macro:
            lines += uses(text, macro.group(1))
        heads = [m.group(1) for m in map(FUNCTION.match, before.split("\n")) if m]
        if what not in FREE:
            yield line, lines, macro.group(1) if macro else heads[-1] if heads else "-", what, orders


def wanted():
    """(file, line, function, what, role, from, to): lines, of every order that could be weaker; and what names no order."""
    result, unnamed = {}, []
    for path in sorted(p for folder in ("include", "sched", "lib") for p in Path(folder).rglob("*.[ch]")):
        for line, lines, function, what, orders in operations(path):
            if not orders:
                unnamed.append(f"{path}:{line}: {function}: {what} names no order")
            for role, order in zip(("operation", "failure"), orders):
                for to in WEAKER.get(order, []):
                    result[str(path), line, function, what, role, order, to] = lines
    return result, unnamed


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
    """(file, function, what, role, from, to): reason."""
    result = {}
    for line in Path("test/weak/kept").read_text().splitlines():
        if line and not line.startswith("#"):
            *key, reason = line.split(None, 6)
            result[tuple(key)] = reason
    return result


def faults():
    """(file, program, what it is, [[lines, other lines], ...])"""
    result = []
    for line in Path("test/weak/faults").read_text().splitlines():
        if line[:1] in ("-", "+"):
            hunks = result[-1][3]
            if line[0] == "-" and (not hunks or hunks[-1][1]):
                hunks.append([[], []])
            hunks[-1][line[0] == "+"].append(line[1:])
        elif line and line[0] != "#":
            result.append((*line.split(None, 2), []))
    return result


def plant(fault, programs):
    """A line that says whether the fault is found."""
    name, program, what, hunks = fault
    base, text = next(p for p in programs if p.name == program), Path(name).read_text()
    for old, new in (map("\n".join, hunk) for hunk in hunks):
        if text.count(old) != 1:
            return f"not ok - {name}: {what}: stands {text.count(old)} times: {old}"
        text = text.replace(old, new)
    folder = base.parent / "fault" / re.sub(r"\W+", "_", f"{name} {what}")
    copy, source = folder / name, Path("test/weak", program + ".c")
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(text)
    included = name in [os.path.normpath(p) for p in (base.parent / source.with_suffix(".d")).read_text().split()]
    compiler, *flags = shlex.split(os.environ["COMPILE"])
    objects = []
    for path in [source] if included else [source, copy]:
        objects.append(folder / (path.stem + ".o"))
        objects_made = subprocess.run([compiler, f"-I{folder}", f"-I{folder}/include", f"-iquote{Path(name).parent}", *flags,
                                       "-w", "-c", "-o", objects[-1], path], stderr=subprocess.PIPE, text=True)
        if objects_made.returncode:
            return f"not ok - {name}: {what}: {objects_made.stderr}"
    subprocess.run([compiler, "-no-pie", "-o", folder / program, *objects, *shlex.split(os.environ["OBJECTS"])], check=True)
    said = subprocess.run([folder / program, "faulty"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          errors="replace").stdout
    found = re.search(r"^not ok \d+ - (.*)\n# (.*)", said, re.M)
    if not found or found.group(2).startswith("explorer:"):
        return f"not ok - {name}: {what}: " + (f"{found.group(1)}: {found.group(2)}" if found else f"{program} does not fail")
    return f"ok - {name}: {what}: {program}, {found.group(1)}: {found.group(2)}"


def main():
    programs, failed, said, shown = sys.argv[1:], 0, {}, 0
    planted, paths = faults(), [Path(p) for p in programs]
    with ThreadPoolExecutor(2) as pool:
        for program, (code, lines, by_program) in zip(programs, pool.map(run, programs)):
            print(f"# {program}", *lines[1:], sep="\n", flush=True)
            failed += code != 0
            for key, killer in by_program.items():
                said[key] = said.get(key) or killer
        names = [p.name for p in paths]
        for line in pool.map(lambda fault: plant(fault, paths), [f for f in planted if f[1] in names]):
            print(line, flush=True)
            failed += line.startswith("not ok")
    reasons, (needed, unnamed) = kept(), wanted()
    unused = set(reasons)
    complete = len(programs) == sum("WEAK_MAIN(" in p.read_text() for p in Path("test/weak").glob("*.c"))
    for (name, line, *rest), lines in needed.items():
        function, what, *change = rest
        found = [said[key] for key in ((name, at, *change) for at in lines) if key in said]
        if any(found):
            shown += 1
        elif (name, *rest) in reasons:
            unused.discard((name, *rest))
        elif complete or found:
            failed += 1
            print(f"not ok - {name}:{line}: {function}: {what}, {change[1]} of the {change[0]} as {change[2]}:",
                  "no test fails" if found else "no test runs it")
    for entry in [*unnamed, *(["test/weak/kept: nothing to keep: " + " ".join(u) for u in sorted(unused)] if complete else [])]:
        failed += 1
        print("not ok -", entry)
    if complete:
        print(f"# {len(needed)} weaker orders, {shown} shown to fail, {len(reasons) - len(unused)} kept for a reason")
    return failed != 0


sys.exit(main())
