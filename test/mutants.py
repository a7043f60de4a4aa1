# mutants.py - plant faults in the library, one at a time, and see whether a test notices.
#
#	mutants.py FOLDER [N [SEED [FILE]...]]	usually by `make mutants N=50 SEED=3`
#
# The faults: an operator, a constant, a weaker memory order, a dropped statement, two arguments the other way round; in sched/,
# lib/loop and lib/machine, or in the files named.  SEED draws which N.  Each is planted in a copy of the sources in FOLDER, where the
# tests nearest to its file run until one fails.  FOLDER/SEED.tsv has a line for each: what was found before is not run again.
# Weaker orders run under clang's ThreadSanitizer, since most of them make the same code for x86, and gcc's does not know OpenMP.
# KINDS, some of operator constant order dropped swapped, leaves out the others; JOBS run at a time (2).
#
# Verdicts: killed by TEST; same, the code is the same; survived.  Exit status 1: less than 95 % of what is not the same is killed.
import concurrent.futures
import ctypes
import filecmp
import glob
import hashlib
import os
import queue
import random
import re
import resource
import shutil
import subprocess
import sys
import threading
import time

FOLDERS = "sched sched/chunk sched/balance sched/auto lib/loop lib/machine".split()
JOBS = int(os.environ.get("JOBS") or 2)
KINDS = (os.environ.get("KINDS") or "operator constant order dropped swapped").split()
SCRIPTED = "lib/loop/foreign.c", "lib/loop/fortran.c"	# whose tests are scripts, with compilers of their own
OPERATORS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+",
             "*": "/", "/": "*", "%": "/", "+=": "-=", "-=": "+=", "++": "--", "--": "++", "<<": ">>", ">>": "<<", "&": "|", "|": "&"}
# Tests for any fault in a folder, nearest first, after those for the file itself.
WIDER = {
    "sched": "chunk/oracle balance/order",
    "sched/chunk": "chunk/oracle chunk/adaptive loop/walks loop/shares loop/live api/schedule",
    "sched/balance": "machine/once machine/threads balance/order loop/crew",
    "sched/auto": "auto/sequences auto/bounds auto/taken api/auto loop/predict",
    "lib/loop": "loop/walks api/for_cancel api/regions api/team api/stats loop/memory",
    "lib/machine": "machine/machine machine/once machine/threads loop/crew machine/memory",
}
ORDERS = {"lib/loop": "loop/race loop/walks", "lib/machine": "machine/mailbox machine/stream machine/threads"}
# Files whose tests have other names.
OF = {
    "team": "api/team", "fork": "api/fork", "site": "loop/site api/sites", "site_schedule": "api/sites", "site_stats": "api/stats",
    "env": "api/env", "misuse": "api/misuse", "reduce": "api/reduce api/reduce_memory", "operator": "api/reduce",
    "plane": "api/for_2d loop/curve", "cursor": "loop/cursor", "deal": "loop/walks loop/publish", "loop": "api/misuse loop/walks", "ranges": "loop/walks loop/race",
    "tickets": "loop/walks loop/race", "own": "loop/walks api/static_blocks", "timing": "api/stats", "watch": "api/trace api/stats",
    "balanced": "loop/crew", "crew_open": "loop/crew", "chooser": "api/auto api/learn", "choice": "api/auto api/learn",
    "costs_measured": "loop/measure", "region": "api/regions", "chain": "api/regions", "launch": "api/regions api/team",
    "plain_region": "api/regions", "undealt": "api/changes api/static_blocks", "foreign": "api/team api/regions",
    "class": "machine/class machine/class_work machine/class_move", "engine_threads": "machine/threads machine/threads_ends",
    "engine_virtual": "machine/virtual machine/once", "faults": "machine/virtual machine/spec", "costs": "machine/spec machine/virtual",
    "termination": "machine/ends machine/once", "queue": "machine/virtual machine/threads", "pool": "machine/stream machine/threads",
    "lane": "machine/stream machine/threads", "run": "machine/machine machine/virtual", "state": "machine/machine",
    "send": "machine/virtual machine/once", "ship": "machine/once machine/parts", "step": "machine/virtual machine/once",
    "view": "machine/class_view", "vp": "machine/virtual machine/misuse", "virtual_account": "machine/parts machine/once",
    "virtual_carry": "machine/virtual machine/links", "virtual_links": "machine/links", "virtual_watch": "machine/parts api/trace",
    "result": "machine/parts machine/machine machine/virtual", "window": "machine/window loop/memory balance/repart", "central": "balance/factor balance/phase",
    "dealer": "balance/dealer", "rips_move": "balance/rips", "rips_walk": "balance/rips",
}

if "order" in KINDS and not shutil.which("clang"):
    sys.exit("mutants.py: clang is not installed (package clang); without the kind order it is not needed")
ARCHER = ""
if "order" in KINDS:
    ARCHER = subprocess.run(["clang", "-print-resource-dir"], stdout=subprocess.PIPE, check=True).stdout.decode().strip() + \
        "/../../libarcher.so"


def blank(text):
    """Comments, strings and preprocessor lines as blanks, so that offsets stay."""
    hide = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)
    return hide.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def faults(name, text):
    """All faults that can be planted in a file: kind, from, to, replacement."""
    code = blank(text)
    for m in re.finditer(r"(?<= )(<<|>>|[<>=!]=|&&|\|\||[-+]=|[-+*/%<>&|])(?= )|\+\+|--", code):
        yield "operator", m.start(), m.end(), OPERATORS[m.group()]
    for m in re.finditer(r"(?<=[(!&| ])!(?=[\w(])", code):
        yield "operator", m.start(), m.end(), ""
    for m in re.finditer(r"(?<![\w.])\d+(?![\w.])", code):
        yield "constant", m.start(), m.end(), str(int(m.group(), 8 if m.group()[0] == "0" else 10) + 1)
    for m in re.finditer(r"memory_order_(?:acquire|release|acq_rel|seq_cst)", code):
        yield "order", m.start(), m.end(), "memory_order_relaxed"
    for m in re.finditer(r"^\t+((?:[\w.>*()\[\]-]+ (?:[-+|&*]?=|<<=) [^;{}\n]*|\w+\([^;{}\n]*\)|[\w.>-]+(?:\+\+|--));)", code, re.M):
        yield "dropped", m.start(1), m.end(1), ";"
    for m in re.finditer(r"(?<=\w\()([\w.>\[\]-]+), (&?[\w.>\[\]-]+)(?=[,)])", code):
        if m.group(1) != m.group(2) and code.rfind("\n", 0, m.start()) + 1 < len(code) and \
                code[code.rfind("\n", 0, m.start()) + 1] == "\t":
            yield "swapped", m.start(), m.end(), f"{m.group(2)}, {m.group(1)}"


def tests_of(name, kind):
    folder, base = os.path.dirname(name), os.path.basename(name)[:-2]
    near = [f"{folder.split('/')[-1]}/{base}"] + OF.get(base, "").split()
    for test in sorted(glob.glob("test/*/*.c")):
        if f'"{name[:-2]}.h"' in open(test).read():
            near.append(test[5:-2])
    near += WIDER[folder].split()
    if kind == "order":
        near = near[:3] + ORDERS.get(folder, "").split()
    return [t for t in dict.fromkeys(near) if os.path.exists(f"test/{t}.c") and not t.startswith("fuzz/")]


class Tree:
    """A copy of the sources, with one fault at a time."""

    def __init__(self, where):
        self.where = where
        # By content: a run that was stopped may have left a fault here.
        for name in subprocess.run(["find", "Makefile", "include", "lib", "sched", "test", "bench", "-type", "f"],
                                   stdout=subprocess.PIPE, check=True).stdout.decode().split():
            to = os.path.join(where, name)
            if not os.path.exists(to) or not filecmp.cmp(name, to, shallow=False):
                os.makedirs(os.path.dirname(to), exist_ok=True)
                shutil.copy(name, to)
        self.pace, self.lock = {}, threading.Lock()

    def call(self, *command, seconds=None, memory=0):
        def limit():
            ctypes.CDLL(None).prctl(1, 9)	# PR_SET_PDEATHSIG: it ends with this program
            if memory:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

        env = dict(os.environ, DLS_SEED=os.environ.get("DLS_SEED", "1"), DLS_STRESS="0.5", OMP_WAIT_POLICY="passive",
                   TSAN_OPTIONS="halt_on_error=1 ignore_noninstrumented_modules=1", OMP_TOOL_LIBRARIES=ARCHER)
        with subprocess.Popen(command, cwd=self.where, env=env, preexec_fn=limit, start_new_session=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
            try:
                return child.wait(seconds)
            except subprocess.TimeoutExpired:
                return "hung"
            finally:
                if child.poll() is None:
                    os.killpg(child.pid, 9)

    def make(self, san, *what):
        how = ["B=build-thread", "CC=clang", "SAN=thread"] if san else ["B=build", "CC=gcc", "SAN="]
        return self.call("make", "-s", "GSL=", "CFLAGS=-O1", "OPENMP=-fopenmp", *how, *what)

    def digest(self, obj):
        path = os.path.join(self.where, obj)
        subprocess.run(["objcopy", "--strip-debug", path, path + ".bare"], check=True)
        with open(path + ".bare", "rb") as f:
            return hashlib.sha256(f.read()).hexdigest()

    def seconds(self, san, test):
        """That a test takes here, where there is no fault; None: it fails then."""
        if (san, test) not in self.pace:
            program = f"build{'-thread' if san else ''}/test/{test}"
            with self.lock:
                built = self.make(san, program) == 0
            begun = time.time()
            good = built and self.call(program, seconds=300) == 0
            self.pace[san, test] = time.time() - begun if good else None
        return self.pace[san, test]

    def judge(self, sound, name, kind, start, end, new):
        san, path = kind == "order", os.path.join(self.where, name)
        build = "build-thread" if san else "build"
        obj = f"{build}/{name[:-2]}.o"
        with open(name) as f:
            text = f.read()
        try:
            if self.make(san, obj) != 0:
                return "no build without it"
            was = self.digest(obj)
            with open(path, "w") as f:
                f.write(text[:start] + new + text[end:])
            if self.make(san, obj) != 0:
                return "refused"
            if self.digest(obj) == was:
                return "same"
            for t in tests_of(name, kind):
                program = f"{build}/test/{t}"
                pace = sound.seconds(san, t)
                if pace is None or self.make(san, program) != 0:
                    continue
                code = self.call(program, seconds=60 + 10 * pace, memory=0 if san else 8 << 30)
                if code != 0:
                    return f"killed by {t}" + (" (hung)" if code == "hung" else "")
            return "survived"
        finally:
            with open(path, "w") as f:
                f.write(text)


def main():
    folder, count, seed = sys.argv[1], int(sys.argv[2] or 300), sys.argv[3] or "1"
    names = sys.argv[4:] or [n for f in FOLDERS for n in sorted(glob.glob(f + "/*.c"))]
    os.makedirs(folder, exist_ok=True)
    by_kind = {}
    for name in names:
        with open(name) as f:
            text = f.read()
        for kind, start, end, new in faults(name, text):
            line = text.count("\n", 0, start) + 1
            by_kind.setdefault(kind, []).append((f"{name}:{line}", name, kind, start, end, new, " ".join(text[start:end].split())))
    draw = random.Random(seed)
    for of in by_kind.values():
        draw.shuffle(of)
    record = os.path.join(folder, f"{seed}.tsv")
    done = {}
    if os.path.exists(record):
        with open(record) as f:
            done = {tuple(row[:5]): row[5] for row in (line.rstrip("\n").split("\t") for line in f)}
    trees, lock, sound = queue.Queue(), threading.Lock(), Tree(os.path.join(folder, "sound"))
    for k in range(JOBS):
        trees.put(Tree(os.path.join(folder, f"tree{k}")))

    def one(fault):
        key = (fault[0], fault[2], str(fault[3]), fault[6], fault[5])
        if key not in done:
            tree = trees.get()
            try:
                verdict = tree.judge(sound, *fault[1:6])
            finally:
                trees.put(tree)
            with lock, open(record, "a") as f:
                f.write("\t".join(key + (verdict,)) + "\n")
            done[key] = verdict
            print(f"{key[0]}: {key[1]}: {key[3]} -> {key[4] or 'nothing'}: {verdict}", flush=True)
        return key, done[key]

    # Kind after kind in turn, until so many faults have compiled.
    drawn = [f for at in range(max(map(len, by_kind.values()))) for of in by_kind.values() if at < len(of) for f in [of[at]]
             if f[2] in KINDS and f[1] not in SCRIPTED]
    tally, survivors, next_one = {"killed": 0, "same": 0, "survived": 0}, [], iter(drawn)
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        pending = set()
        while True:
            while sum(tally.values()) + len(pending) < count and len(pending) < JOBS and (fault := next(next_one, None)):
                pending.add(pool.submit(one, fault))
            if not pending:
                break
            ended, pending = concurrent.futures.wait(pending, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in ended:
                key, verdict = future.result()
                if verdict.split()[0] in tally:
                    tally[verdict.split()[0]] += 1
                if verdict == "survived":
                    survivors.append(key)
    for key in sorted(survivors):
        print(f"survived: {key[0]}: {key[1]}: {key[3]} -> {key[4] or 'nothing'}")
    real = tally["killed"] + tally["survived"]
    print(f"{sum(tally.values())} faults of seed {seed}: {tally['same']} make the same code; of {real} others "
          f"{tally['killed']} killed, {100 * tally['killed'] / max(real, 1):.1f} %")
    return tally["killed"] < 0.95 * real


sys.exit(main())
