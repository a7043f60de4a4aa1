# mutants.py - plant faults in the library, one at a time, and see whether a test notices.
#
#	mutants.py FOLDER [N [SEED [FILE]...]]	usually by `make mutants N=50 SEED=3`
#
# The faults: an operator, a constant, a dropped statement, two arguments the other way round; in sched/, lib/machine and what loops are made of,
# or in the files named.  (Memory orders: `make weak` weakens every one.)  SEED draws which N, most of them the same ones after a
# change of the sources.  Each is planted in a copy of the sources in FOLDER, and linked into the tests, the nearest to its file
# first, which run until one fails.  FOLDER/SEED.tsv has a line for each fault: only those that survived run again.  JOBS run at a time (2).
# With TIER=check only the C programs of `make check` run; the lines are in FOLDER/SEED-check.tsv.
#
# Verdicts: killed by TEST; same, the code is the same; kept, it changes nothing that is promised, as a line of test/mutants.kept
# says; survived.  Exit status 1: less than 95 % of the faults that are neither same nor kept are killed.
import collections
import concurrent.futures
import ctypes
import filecmp
import glob
import hashlib
import os
import queue
import re
import resource
import shlex
import shutil
import subprocess
import sys
import threading
import time

FOLDERS = "sched sched/chunk sched/balance lib/auto lib/site lib/loop_machine lib/deal lib/region lib/machine".split()
JOBS = int(os.environ.get("JOBS") or 2)
TIER = os.environ.get("TIER")
LONG = 6.0	# seconds of processor time; of tests that are far from a file a part
NEAR, ADDRESS = 12, "-fsanitize=address"	# tests of those that survived all, once more with this
SCRIPTED = "lib/region/foreign.c", "lib/region/fortran.c", "lib/deal/unmodified.c"	# whose tests are scripts, with compilers of their own
OTHERS = "fuzz/", "mpi/", "omp/", "soak/", "user/", "weak/"	# folders of programs that are not tests by themselves
OPERATORS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+",
             "*": "/", "/": "*", "%": "/", "+=": "-=", "-=": "+=", "++": "--", "--": "++", "<<": ">>", ">>": "<<", "&": "|", "|": "&"}
# Tests for any fault in a folder, nearest first, after those for the file itself.
WIDER = {
    "sched": "chunk/oracle balance/dem",
    "sched/chunk": "chunk/rows chunk/every chunk/oracle chunk/adaptive chunk/learn api/parameters "
                   "loop/walks loop/shares loop/live api/schedule",
    "sched/balance": "api/parameters machine/once balance/dem loop/loop_machine",
    "lib/auto": "auto/once auto/sequences auto/bounds auto/taken api/auto loop/predict",
    "lib/site": "api/sites api/env api/auto api/stats loop/walks loop/memory",
    "lib/loop_machine": "loop/loop_machine loop/rounds loop/walks loop/memory",
    "lib/deal": "loop/walks api/for_cancel api/stats loop/memory api/regions",
    "lib/region": "api/regions api/team loop/walks api/for_cancel api/stats loop/memory",
    "lib/machine": "machine/machine machine/once loop/loop_machine machine/memory",
}
# Files whose tests have other names.
OF = {
    "team": "api/team cpp/nested", "fork": "api/fork", "site": "loop/site api/sites", "site_schedule": "api/sites",
    "env": "api/env", "misuse": "api/misuse", "reduce": "api/reduce", "operator": "api/reduce",
    "align": "loop/multiple api/for_2d loop/curve", "partials": "api/reduce", "deal": "loop/walks", "loop": "api/misuse loop/walks", "ranges": "loop/walks loop/race",
    "tickets": "loop/walks loop/race", "own": "loop/walks api/static_blocks", "timing": "api/stats api/auto api/report", "measure": "loop/measure api/trace api/stats",
    "balanced": "loop/loop_machine", "loop_machine_open": "loop/loop_machine", "tuner": "api/auto api/learn", "choice": "api/auto api/learn",
    "costs_measured": "loop/measure", "region": "api/regions", "chain": "api/regions api/memory", "launch": "api/regions api/team cpp/nested",
    "blocks": "loop/blocks loop/serial api/changes api/static_blocks", "foreign": "api/team api/regions",
    "class": "machine/class machine/class_data machine/class_work machine/class_move", "engine_threads": "machine/once machine/threads_ends machine/spend",
    "engine_virtual": "machine/virtual machine/once machine/arrivals", "faults": "machine/virtual machine/spec", "costs": "machine/spec machine/virtual",
    "termination": "machine/once", "queue": "machine/virtual machine/once", "pool": "machine/stream machine/once",
    "run": "machine/machine machine/virtual", "state": "machine/machine",
    "send": "machine/virtual machine/once", "ship": "machine/class_move machine/once machine/parts", "step": "machine/virtual machine/once",
    "view": "machine/class_view", "vp": "machine/virtual machine/misuse", "virtual_account": "machine/parts machine/once machine/trace",
    "virtual_carry": "machine/virtual machine/links",
    "result": "machine/parts machine/machine machine/virtual", "window": "machine/window loop/memory balance/repart", "central": "balance/factor balance/phase",
    **dict.fromkeys(["central_decide", "classes"], "balance/factor balance/phase balance/priority machine/class_view "
                    "machine/class_move machine/class_work"),
    **dict.fromkeys(["repart_reactive", "repart_scheduler", "repart_table", "repart_worker"], "balance/repart "
                    "repart/sweep"),
    "static": "chunk/weights", "wf": "loop/shares", "awf": "chunk/awf chunk/adaptive",
    "auto": "api/auto", "registry": "api/parameters api/schedule", "database": "balance/factor balance/phase balance/repart",
    "domain": "balance/sid balance/rid balance/diffusion",
    "machine_trace": "machine/trace machine/parts", "step_watch": "machine/parts machine/trace", "vp_check": "machine/misuse",
    "lane": "machine/class_view machine/class_work machine/class_move machine/stream", "dealer": "balance/dealer", "rips_move": "balance/rips",
}

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
    for m in re.finditer(r"^\t+((?:[\w.>*()\[\]-]+ (?:[-+|&*]?=|<<=) [^;{}\n]*|\w+\([^;{}\n]*\)|[\w.>-]+(?:\+\+|--));)", code, re.M):
        yield "dropped", m.start(1), m.end(1), ";"
    for m in re.finditer(r"(?<=\w\()([\w.>\[\]-]+), (&?[\w.>\[\]-]+)(?=[,)])", code):
        if m.group(1) != m.group(2) and code.rfind("\n", 0, m.start()) + 1 < len(code) and \
                code[code.rfind("\n", 0, m.start()) + 1] == "\t":
            yield "swapped", m.start(), m.end(), f"{m.group(2)}, {m.group(1)}"


def source(test):
    return f"test/{test}.cc" if test.startswith("cpp/") else f"test/{test}.c"


def tests_of(name):
    """The tests for a file, nearest first, then all others."""
    folder, base = os.path.dirname(name), os.path.basename(name)[:-2]
    near = [f"{folder.split('/')[-1]}/{base}"] + OF.get(base, "").split()
    for test in sorted(glob.glob("test/*/*.c")):
        with open(test) as f:
            if f'"{name[:-2]}.h"' in f.read():
                near.append(test[5:-2])
    near += WIDER[folder].split() + [test[5:-2] for test in sorted(glob.glob("test/[a-z]*/*.c"))]
    return [t for t in dict.fromkeys(near) if os.path.exists(source(t)) and not t.startswith(OTHERS) and in_tier(t)]


def in_tier(test):
    """Whether the last line of its first comment has the tier's tag."""
    with open(source(test)) as f:
        return not TIER or re.search(rf"^ \* runs: (.*, )?{TIER}\b", f.read(), re.M)


def switches(session):
    """Context switches of all threads of a session so far; None: one runs, or would if it had a processor."""
    n = 0
    for process in glob.glob("/proc/[0-9]*"):
        try:
            with open(f"{process}/stat") as f:
                if f.read().rpartition(")")[2].split()[3] != str(session):
                    continue
            for thread in glob.glob(f"{process}/task/*"):
                with open(f"{thread}/status") as f:
                    status = f.read()
                if re.search(r"^State:\s+[RD]", status, re.M):
                    return None
                n += sum(map(int, re.findall(r"ctxt_switches:\s+(\d+)", status)))
        except (OSError, IndexError):
            pass
    return n


class Sound:
    """A copy of the sources as they are, and its build: what a fault is linked to."""

    def __init__(self, folder, killed_by):
        self.where, self.links = os.path.join(folder, "sound"), {}
        # By content: times of files stay, so that little is built again.
        for name in subprocess.run(["find", "Makefile", "include", "lib", "sched", "test", "bench", "-type", "f"],
                                   stdout=subprocess.PIPE, check=True).stdout.decode().split():
            to = os.path.join(self.where, name)
            if not os.path.exists(to) or not filecmp.cmp(name, to, shallow=False):
                os.makedirs(os.path.dirname(to), exist_ok=True)
                shutil.copy(name, to)
        self.killed_by = killed_by	# test: faults
        self.known = {}	# test: seconds of processor time
        self.times = os.path.join(folder, "times.tsv")
        self.pace = {}	# test, its source's time of change: (seconds, seconds of processor time), None if it fails
        if os.path.exists(self.times):
            with open(self.times) as f:
                for test, changed, *took in (line.split() for line in f):
                    self.pace[test, int(changed)] = tuple(map(float, took)) or None
                    self.known[test] = float(took[1]) if took else 0
        self.flags = shlex.split(self.make("-n", "-W", "sched/registry.c", "build/sched/registry.o").split("&& ")[-1])
        # One make for all, which takes longer to begin than to link a test.
        tests = ["build/" + os.path.splitext(test)[0] for test in glob.glob("test/[a-z]*/*.c*") if not test[5:].startswith(OTHERS)]
        self.make("-k", f"-j{JOBS}", *tests)
        said = self.make("-n", "-k", "-W", "build/libdls.a", *tests)
        for command in (shlex.split(line.split("&& ")[-1]) for line in said.split("\n") if " -o build/test/" in line):
            program = command[command.index("-o") + 1]
            if os.path.exists(f"{self.where}/{program}"):
                self.links[program] = command

    def make(self, *what):
        """What make says."""
        done = subprocess.run(["make", "--no-print-directory", "V=1", "B=build", "CC=gcc", "SAN=", "CFLAGS=-O1", "OPENMP=-fopenmp", *what],
                              cwd=self.where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.stdout.decode()

    def link(self, test):
        """The command that links a test; None if it cannot be built."""
        return self.links.get(f"build/test/{test}")

    def run(self, program, seconds, processor, memory=8 << 30):
        """How it ended, and (seconds, seconds of processor time) that it took."""
        def limit():
            ctypes.CDLL(None).prctl(1, 9)	# PR_SET_PDEATHSIG: it ends with this program
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            resource.setrlimit(resource.RLIMIT_CPU, (int(processor) + 1, int(processor) + 1))

        env = dict(os.environ, DLS_SEED=os.environ.get("DLS_SEED", "1"), DLS_STRESS="0.2", OMP_WAIT_POLICY="passive")
        child = subprocess.Popen([os.path.abspath(program)], cwd=self.where, env=env, preexec_fn=limit, start_new_session=True,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        took, asked, before = 0, 0, None
        while True:
            begun = time.monotonic()
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if took > max(seconds, asked + 1):	# it hangs if no thread has run for a second; else it is late
                asked, now = took, switches(child.pid)
                if now is not None and now == before:
                    break
                before = now
            time.sleep(min(0.005 + took / 20, 0.1))
            took += min(time.monotonic() - begun, 0.2)	# more if this program, too, was stopped
        if not pid:
            os.killpg(child.pid, 9)
            pid, status, usage = os.wait4(child.pid, 0)
            status = "hung"
        child.returncode = 0
        return status, (took, usage.ru_utime + usage.ru_stime)

    def takes(self, test):
        """Its pace where there is no fault."""
        if not self.link(test):
            return None
        key = test, os.stat(f"{self.where}/{source(test)}").st_mtime_ns
        if key not in self.pace:
            status, took = self.run(f"{self.where}/build/test/{test}", 300, 300)
            self.pace[key] = None if status else took
            with open(self.times, "a") as f:
                print(*key, *(self.pace[key] or ()), file=f)
        return self.pace[key]

    def order(self, tests):
        """First what kills most in a second: what it has killed, and more at first for the nearest.  Not what takes long."""
        rest = list(tests)
        while rest:
            test = max(rest, key=lambda t: (self.killed_by[t] + 4 / (1 + tests.index(t))) / (0.05 + self.known.get(t, 1)))
            rest.remove(test)
            takes = self.takes(test)
            if takes:
                self.known[test] = takes[1]
                if takes[1] < LONG / (1 + tests.index(test) // 20) or test == tests[0]:
                    yield test, takes


def judge(sound, own, name, start, end, new):
    """The verdict on one fault; OWN is a folder."""
    with open(f"{sound.where}/{name}") as f:
        text = f.read()
    path, obj = f"{own}/{name}", os.path.abspath(f"{own}/mutant.o")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    command = [a for a in sound.flags if not a.startswith("-MM") and a != "-MP"][:-3]
    command += [f"-I{os.path.abspath(sound.where)}", f"-I{os.path.abspath(sound.where)}/include", "-iquote",
                os.path.abspath(f"{sound.where}/{os.path.dirname(name)}"), "-Werror=incompatible-pointer-types",
                "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error",	# what SAN=undefined finds, this does
                "-Werror=int-conversion", "-o", obj, name]

    def code(source, *more):
        with open(path, "w") as f:
            f.write(source)
        if subprocess.run(command + list(more), cwd=own, stderr=subprocess.DEVNULL).returncode:
            return None
        with open(obj, "rb") as f:
            return f.read()

    def fails(test, seconds, processor, *more):
        link, program = sound.link(test), f"{own}/test/{test}"
        os.makedirs(os.path.dirname(program), exist_ok=True)
        at = link.index("build/libdls.a")	# whose member of this name is then not needed
        link = link[:at] + [obj] + link[at:] + list(more)
        link[link.index("-o") + 1] = os.path.abspath(program)
        if subprocess.run(link, cwd=sound.where, stderr=subprocess.DEVNULL).returncode:
            return None
        status, took = sound.run(program, 10 + 10 * seconds, 2 + 5 * processor, resource.RLIM_INFINITY if more else 8 << 30)
        os.remove(program)
        return status

    mutant = text[:start] + new + text[end:]
    was, found = code(text), code(mutant)
    if found is None or found == was:
        return "same" if found else "refused"
    tests = tests_of(name)
    for test, took in sound.order(tests):
        status = fails(test, *took)
        if status:
            sound.killed_by[test] += 1
            return f"killed by {test}" + (" (hung)" if status in ("hung", 9) else "")
    if TIER:
        return "survived"
    # What SAN=address finds: memory that is not given back, or beyond its end.
    near = [(test, took) for test, took in sound.order(tests[:NEAR])]
    code(text, ADDRESS)
    near = [(test, took) for test, took in near if fails(test, *took, ADDRESS) == 0]
    code(mutant, ADDRESS)
    for test, took in near:
        if fails(test, *took, ADDRESS):
            return f"killed by {test} (address)"
    return "survived"


def main():
    folder, count, seed = sys.argv[1], int(sys.argv[2] or 300), sys.argv[3] or "1"
    names = sys.argv[4:] or [n for f in FOLDERS for n in sorted(glob.glob(f + "/*.c")) if n not in SCRIPTED]
    os.makedirs(folder, exist_ok=True)
    record, done = os.path.join(folder, f"{seed}{'-' + TIER if TIER else ''}.tsv"), {}
    if os.path.exists(record):
        with open(record) as f:
            done = {tuple(row[:6]): row[7] for row in (line.rstrip("\n").split("\t") for line in f)}
    with open("test/mutants.kept") as f:
        kept = {tuple(row[:5]) for row in (line.rstrip("\n").split("\t") for line in f) if row[0][:1] not in "#"}
    done = {key: verdict for key, verdict in done.items() if verdict != "survived" or key[:5] in kept}
    sound = Sound(folder, collections.Counter(v.split()[2] for v in done.values() if v.startswith("killed")))
    by_kind = {}
    for name in names:
        with open(f"{sound.where}/{name}") as f:
            text = f.read()
        seen = collections.Counter()
        for kind, start, end, new in faults(name, text):
            line = " ".join(text[text.rfind("\n", 0, start) + 1:text.find("\n", start)].split())
            what = name, kind, " ".join(text[start:end].split()), new, line
            seen[what] += 1
            by_kind.setdefault(kind, []).append((what + (str(seen[what]),), text.count("\n", 0, start) + 1, start, end))
    for of in by_kind.values():
        of.sort(key=lambda fault: hashlib.sha256(repr((seed, fault[0])).encode()).digest())
    lock, own = threading.Lock(), queue.Queue()
    for k in range(JOBS):
        own.put(os.path.join(folder, f"job{k}"))

    def say(key, line):
        return f"{key[0]}:{line}: {key[1]}: {key[2]} -> {key[3] or 'nothing'}: {key[4]}"

    def one(key, line, start, end):
        if key not in done:
            mine = own.get()
            try:
                done[key] = judge(sound, mine, key[0], start, end, key[3])
            finally:
                own.put(mine)
            with lock, open(record, "a") as f:
                print(*key, line, done[key], sep="\t", file=f)
            print(f"{say(key, line)}: {done[key]}", flush=True)
        return key, line, "kept" if done[key] == "survived" and key[:5] in kept else done[key]

    # Kind after kind in turn, until so many faults have compiled.
    drawn = iter([of[at] for at in range(max(map(len, by_kind.values()))) for of in by_kind.values() if at < len(of)])
    tally, survivors = {"killed": 0, "same": 0, "kept": 0, "survived": 0}, []
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        pending = set()
        while True:
            while sum(tally.values()) + len(pending) < count and len(pending) < JOBS and (fault := next(drawn, None)):
                pending.add(pool.submit(one, *fault))
            if not pending:
                break
            ended, pending = concurrent.futures.wait(pending, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in ended:
                key, line, verdict = future.result()
                if verdict.split()[0] in tally:
                    tally[verdict.split()[0]] += 1
                if verdict == "survived":
                    survivors.append((key, line))
    for key, line in sorted(survivors):
        print("survived:", say(key, line))
    real = tally["killed"] + tally["survived"]
    print(f"{sum(tally.values())} faults of seed {seed}: {tally['same']} make the same code, {tally['kept']} are kept; of {real} "
          f"others {tally['killed']} killed, {100 * tally['killed'] / max(real, 1):.1f} %")
    return tally["killed"] < 0.95 * real


sys.exit(main())
