# compare.py - strategies by dls-sim and by the witness, on the same loads: T_bal / T_opt of both; then
# platforms, which both read, and the readings of both.
#
#	compare.py DLS-SIM WITNESS FOLDER [A-B [PLATFORMS]]
#
# PLATFORMS is the folder examples/platforms of SimGrid's sources; without it a platform of speeds that change is compared alone.
# Loads are written into FOLDER as files that both read.  Each setting is the mean over the seeds A to B, by default 1 to 4: under
# rid a message that comes a microsecond later changes all that follows, and single runs differ by up to some per cent.  Exit 1 if two means differ by more
# than BOUND, or what a setting allows.  What breaks it: a strategy that strays from its paper, or an engine from its costs, on either side.
import json
import random
import subprocess
import sys

BOUND = 3	# per cent
sim, witness, folder = sys.argv[1:4]
first, last = (int(seed) for seed in (sys.argv[4] if len(sys.argv) > 4 else "1-4").split("-"))
platforms = sys.argv[5] if len(sys.argv) > 5 else ""


# Loads: lines `processor time'; of a tree `number time parent'.
def uniform(rng, P, each):
    """Willebeek-LeMair 1993: as many tasks on each processor, and a mean time that each processor draws."""
    for p in range(P):
        most = 10 * rng.randint(1, 49)
        for _ in range(each):
            yield p, rng.randint(1, most) * 0.0013


def corner(rng, P, each):
    """All on the first eighth of the processors."""
    for _ in range(P * each):
        yield rng.randrange(max(1, P // 8)), rng.expovariate(5)


def exponential(rng, P, each):
    for _ in range(P * each):
        yield rng.randrange(P), rng.expovariate(4)


def pareto(rng, P, each):
    """A few tasks take very long."""
    for p in range(P):
        for _ in range(each):
            yield p, 0.05 * rng.paretovariate(2.2)


def two(rng, P, each):
    """Every other processor has long tasks."""
    for p in range(P):
        for _ in range(each):
            yield p, rng.uniform(0.2, 0.6) if p % 2 else rng.uniform(0.01, 0.1)


def uneven(rng, P, each):
    """The numbers of tasks differ."""
    for p in range(P):
        for _ in range(rng.randint(0, 2 * each)):
            yield p, rng.uniform(0.05, 0.3)


def spike(rng, P, each):
    for _ in range(P * each):
        yield 0, rng.uniform(0.05, 0.3)


def tree(rng, P, each):
    """Shu 1996 has such loads: one task spawns others, and these more."""
    yield 0, 0.01
    number, parent = 1, 0
    while number < P * each:
        for _ in range(rng.randint(1, 6)):
            yield number, rng.uniform(0.01, 0.19), parent
            number += 1
        parent += 1


RID = "rid,cap=off"
SEEDS = range(first, last + 1)
SETTINGS = [	# strategy, net, P, costs, load, tasks for each processor
    (RID, "hypercube", 32, "ipsc2", uniform, 100),
    (RID, "hypercube", 64, "ipsc2", uniform, 100),
    (RID, "mesh:8x8", 64, "ipsc2", uniform, 100),
    (RID + ",low=inf", "torus:8x4", 32, "ipsc2", exponential, 50),
    (RID, "tree:3", 40, "ipsc2", uniform, 200),
    (RID + ",u=0.5", "hypercube", 32, "ipsc2,latency=0.01", exponential, 50),
    (RID, "mesh:8x4", 32, "ipsc2", corner, 200),
    ("dem", "hypercube", 32, "ipsc2", uniform, 100),
    ("dem", "hypercube", 128, "ipsc2", uniform, 50),
    ("dem", "mesh:8x8", 64, "ipsc2", uniform, 60),
    ("dem", "torus:8x4", 32, "ipsc2", exponential, 40),
    ("dem", "hypercube", 32, "ipsc2,latency=0.01", exponential, 40),
    ("dem", "hypercube", 16, "ipsc2", corner, 30),
    ("rips", "fattree", 32, "cm5", uniform, 100),
    ("rips", "fattree", 64, "cm5", tree, 200),
    ("rips", "hypercube", 32, "cm5", tree, 200),
    ("rips", "mesh:8x4", 32, "cm5", tree, 200),
    ("rips", "tree:2", 31, "cm5", tree, 200),
    ("rips", "hypercube", 64, "ipsc2", uniform, 100),
    ("rips", "torus:8x4", 32, "cm5", exponential, 50),
    # What follows was first compared when both sides were as they are.
    ("rid,low=inf", "hypercube", 32, "ipsc2", pareto, 60),
    ("rid", "hypercube", 128, "ipsc2", spike, 20),
    ("rid", "ring", 24, "ipsc2", uneven, 60),
    ("rid", "torus:6x6", 36, "ipsc2", two, 60),
    ("rid,u=0.7", "mesh:7x5", 35, "ipsc2", uneven, 60),
    ("rid,low=inf", "tree:4", 21, "ipsc2", spike, 60),
    ("rid", "complete", 20, "ipsc2", exponential, 40),
    ("rid,low=5", "torus:5x5", 25, "ipsc2,poll=0", uniform, 50),
    ("dem", "hypercube", 24, "ipsc2", uniform, 50),
    ("dem", "ring", 16, "ipsc2", uneven, 40),
    ("dem", "torus:4x4", 16, "ipsc2", two, 60),
    ("dem", "tree:2", 15, "ipsc2", spike, 30),
    ("rips", "ring", 16, "cm5", tree, 100),
    ("rips", "torus:6x6", 36, "cm5", pareto, 40),
    ("rips", "tree:4", 21, "cm5", two, 60),
    ("rips", "fattree", 48, "cm5", tree, 300),
    # From the paper's text alone, with the witness's own readings, below.
    ("sid,credit=off,unknown=wait", "hypercube", 32, "ipsc2", uniform, 100),
    ("sid,low=alpha,credit=off", "hypercube", 32, "ipsc2", uniform, 100),
    ("sid,credit=off", "torus:6x6", 36, "ipsc2", two, 60),
    ("hbm", "hypercube", 32, "ipsc2", uniform, 100),
    ("hbm", "hypercube", 64, "ipsc2", exponential, 50, 5),
    ("hbm", "hypercube", 8, "ipsc2", spike, 60),
    ("hbm", "hypercube", 32, "ipsc2", spike, 60, 25),
    ("hbm,u=0.9", "hypercube", 32, "ipsc2", uniform, 100),
    ("hbm,u=1", "hypercube", 32, "ipsc2", spike, 60),
    ("gm", "hypercube", 32, "ipsc2", uniform, 100, 5),
    ("gm", "hypercube", 32, "ipsc2", spike, 60),
    ("rips,transfer=all", "fattree", 32, "cm5", tree, 200),
    ("rips,queue=eager", "fattree", 32, "cm5", tree, 200),
    ("rips,transfer=all,queue=eager", "fattree", 32, "cm5", tree, 200),
    ("factor", "complete", 5, "nectar", exponential, 100, 5, "0.3"),
    ("factor", "complete", 5, "nectar", uniform, 100, 10, "0.3"),
    ("factor", "complete", 4, "nectar", exponential, 60, 5, "1:0.3"),
    ("factor", "complete", 16, "nectar", uneven, 60, 5, "1:0.3:0.5"),
    *((f"repart,scheduler=dedicated,calc={calc}", "complete", P, costs, load, 60, bound, speeds)
      for calc, bound in (("gss", 3), ("fac2", 3), ("awf-c", 3), ("mfsc", 10))
      for P, costs, load, speeds in ((9, "nectar", exponential, "0.3"), (9, "nectar", uneven, "1:0.5"), (17, "cluster", uneven, "1:0.5:0.7"))),
    ("repart,calc=fac2", "complete", 8, "nectar", two, 60, 5, "1"),
    ("repart,calc=ss,scheduler=dedicated", "complete", 9, "cluster", exponential, 60, 3, "0.3"),
]
# The last is the bytes of a task, and what is allowed.  On small_platform.xml links of 2.6 MB/s are shared by large messages, which
# SimGrid lets go at the same time at a part of the bandwidth each, and dls-sim one after the other: not compared with more than 100 kB.
PLATFORMS = [	# strategy, net, P, costs, load, tasks for each processor, platform, bytes of a task
    (RID, "complete", 7, "ipsc2", uniform, 60, "small_platform.xml", 32),
    (RID, "complete", 7, "ipsc2", uniform, 60, "small_platform.xml", 100000),
    ("dem", "ring", 7, "ipsc2", uniform, 60, "small_platform.xml", 32),
    ("dem", "ring", 7, "ipsc2", uniform, 60, "small_platform.xml", 100000),
    (RID, "mesh:10x10", 100, "ipsc2", uniform, 30, "cluster_backbone.xml", 32),
    (RID, "mesh:10x10", 100, "ipsc2", uniform, 30, "cluster_backbone.xml", 1000000),
    ("dem", "mesh:10x10", 100, "ipsc2", uniform, 30, "cluster_backbone.xml", 32),
    ("dem", "mesh:10x10", 100, "ipsc2", uniform, 30, "cluster_backbone.xml", 1000000),
    (RID, "torus:6x4", 24, "ipsc2", exponential, 60, "cluster_multi.xml", 32),
    (RID, "torus:6x4", 24, "ipsc2", exponential, 60, "cluster_multi.xml", 1000000),
    ("dem", "mesh:6x4", 24, "ipsc2", exponential, 60, "cluster_multi.xml", 32),
    ("dem", "mesh:6x4", 24, "ipsc2", exponential, 60, "cluster_multi.xml", 1000000),
    (RID, "ring", 8, "ipsc2", uniform, 60, "speeds.xml", 32),
    ("dem", "ring", 8, "ipsc2", uniform, 60, "speeds.xml", 32),
]
READINGS = [	# strategy, what the text leaves open, the witness, the library, which the text supports
    ("sid", "a neighbour that has not told its load", "nothing is sent before all have", "counts as the mean", "both: eq. 8 is over all K"),
    ("sid", "what was sent, until the next update", "does not count", "counts (credit=on)", "the witness: no credit is named"),
    ("hbm", "thresholds of less than a task", "a task for each pair", "a task for each pair", "neither: they are in loops"),
    ("hbm", "orders given, until updates come", "count as done", "count as done", "silent"),
    ("hbm", "above u = .7, updates of less than a factor of two", "count against orders, start no new ones", "the same", "silent"),
    ("hbm", "a load that an order changes", "is told, too (it was not: 18 % late)", "is told, too", "both: `whenever a load drops'"),
    ("hbm", "one processor has all load", "as before 30 orders; then chaos", "the same", "`instability', section V"),
    ("gm", "when a heavy processor sends", "one task at each check for messages", "one task at each check", "both: `if heavy ... sends'"),
    ("rips", "ALL, eager", "signals up the tree, init from the root", "the same", "both"),
    ("factor", "the last tasks of a node", "two or three are one group", "the same", "both: 125 62 31 16 8 4 2 2"),
    ("factor", "a node that has not reported", "at most its group by the time", "the same", "silent; waiting misses Table 2"),
    ("factor", "when moving is needed", "a task above its share", "an eighth of what it has", "silent: `if needed'"),
    ("factor", "where the task scheduler is", "on processor 0, which is a node", "on the last, a node", "neither: Figure 2 has it apart"),
    ("factor", "after a move", "both ends tell, and begin anew", "the same", "silent"),
    ("repart", "when a request is sent", "as the last object begins", "the same", "both: `the last few iterations'"),
    ("repart", "who is the slowest", "longest left, by its rate so far", "the same", "silent"),
    ("repart", "objects of a chunk", "sum nearest to the size, at least one", "the same", "both: `approximately f W'"),
    ("repart", "what is worth moving", "all", "what ends before its owner", "both: `may consider'"),
    ("repart", "which first request is served first", "in the order of numbers", "the same", "silent; GSS depends on it"),
    ("repart", "chunks of mFSC", "as many as FAC has, of an object or more", "the same (it had 4 times)", "the witness: `the same number'"),
    ("repart", "weights of AWFC", "rate by the mean of rates", "weighted by chunk", "silent: `rates of earlier chunks'"),
]


def write_speeds(folder):
    """Eight hosts, four of them with speeds that change and repeat, each with a link to what joins them."""
    for i in range(1, 8, 2):	# SimGrid wants a file for each
        with open(f"{folder}/speeds{i}.profile", "w") as file:
            file.write(f"0 0.5\n{i} 1.0\n{i + 2} 0.7\n{i + 3} 0.1\n{i + 4} 1.5\nLOOPAFTER 3\n")
    with open(f"{folder}/speeds.xml", "w") as file:
        file.write('<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n<platform version="4.1">\n<zone id="all" routing="Full">\n')
        for i in range(8):
            trace = f' speed_file="speeds{i}.profile"' if i % 2 else ""
            file.write(f'<host id="h{i}" speed="{50 + 10 * i}Mf"{trace}/>\n<link id="l{i}" bandwidth="10MBps" latency="{100 + i}us"/>\n')
        for i in range(8):
            for k in range(i):
                file.write(f'<route src="h{k}" dst="h{i}"><link_ctn id="l{k}"/><link_ctn id="l{i}"/></route>\n')
        file.write("</zone>\n</platform>\n")


def pair(setting, seed, name, platform=None, size=32):
    """Of one setting: dls-sim's figures and its line of speed; the witness's T_bal, messages, tasks sent, events, seconds."""
    strategy, net, P, costs, load, each = setting[:6]
    speeds = setting[7] if len(setting) > 7 else "1"
    with open(name, "w") as file:
        for task in load(random.Random(seed), P - ("dedicated" in strategy), each):
            file.write(f"{task[0]} {max(task[1], 1e-6):.9f}{''.join(f' {parent}' for parent in task[2:])}\n")
    where = "graph=" + name if load is tree else name
    ours = subprocess.run([sim, "--strategy", strategy, "--net", net, "--processors", str(P), "--costs", costs, "--load", where,
                           "--json", "--speed"] + (["--platform", platform, "--bytes", str(size)] if platform else ["--speeds", speeds]),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    theirs = subprocess.run([witness, strategy.replace("rips", "twa"), net, str(P), costs, where] +
                            ([platform, str(size)] if platform else [speeds]), stdout=subprocess.PIPE, check=True).stdout.split()
    return json.loads(ours.stdout)[0], ours.stderr.decode(), [float(word) for word in theirs]


worst = 0
print("                                                                                      T/T_opt             differ, per cent      tasks sent")
print("strategy                              net        P    costs               load         ours  SimGrid   mean  (each seed)        ours SimGrid")
for setting in SETTINGS:
    strategy, net, P, costs, load, each = setting[:6]
    bound = setting[6] if len(setting) > 6 else BOUND
    runs = [(ours, theirs) for ours, _, theirs in (pair(setting, seed, f"{folder}/load") for seed in SEEDS)]
    mine = sum(ours["t_bal_s"] / ours["t_opt_s"] for ours, _ in runs) / len(SEEDS)
    other = sum(theirs[0] / ours["t_opt_s"] for ours, theirs in runs) / len(SEEDS)
    each_differs = [100 * (ours["t_bal_s"] / theirs[0] - 1) for ours, theirs in runs]
    differs = 100 * (mine / other - 1)
    worst = max(worst, abs(differs) / bound)
    print(f"{strategy:37} {net:10} {P:<4} {costs:19} {load.__name__:11} {mine:6.3f} {other:6.3f}  {differs:+6.2f}"
          f"  ({' '.join(f'{d:+.1f}' for d in each_differs)}) {sum(ours['transfers'] for ours, _ in runs) / len(SEEDS):8.0f}"
          f" {sum(theirs[2] for _, theirs in runs) / len(SEEDS):6.0f}{'  TOO FAR' if abs(differs) > bound else ''}", flush=True)

write_speeds(folder)
print("\n                                                                               T_bal, s            differ, per cent")
print("platform              bytes    strategy     net         P    load         ours    SimGrid   mean  (each seed)")
for *setting, name, size in PLATFORMS:
    where = f"{folder if name == 'speeds.xml' else platforms}/{name}"
    if name != "speeds.xml" and not platforms:
        continue
    runs = [pair(setting, seed, f"{folder}/load", where, size) for seed in SEEDS]
    mine = sum(ours["t_bal_s"] for ours, _, _ in runs) / len(SEEDS)
    other = sum(theirs[0] for _, _, theirs in runs) / len(SEEDS)
    differs = 100 * (mine / other - 1)
    each = [f"{100 * (ours['t_bal_s'] / theirs[0] - 1):+.1f}" for ours, _, theirs in runs]
    worst = max(worst, abs(differs) / BOUND)
    print(f"{name:21} {size:<8} {setting[0]:12} {setting[1]:11} {setting[2]:<4} {setting[4].__name__:11} {mine:8.3f} {other:8.3f}  {differs:+6.2f}"
          f"  ({' '.join(each)})"
          f"{'  TOO FAR' if abs(differs) > BOUND else ''}", flush=True)
if not platforms:
    print("SimGrid's own platforms: not compared; PLATFORMS=FOLDER names the folder examples/platforms of its sources")

_, speed, theirs = pair((RID, "hypercube", 256, "ipsc2", uniform, 100), 1, f"{folder}/load")
print(f"events per second of processor time, RID on 256 processors: {speed.split()[-1]} million, "
      f"SimGrid {theirs[3] / theirs[4] / 1e6:.2f} million")
print(f"{len(SETTINGS)} settings; largest difference {worst:.2f} of what is allowed, {BOUND} % but where the setting says more")
print()
rows = [("strategy", "the text leaves open", "witness", "library", "the text supports"), *READINGS]
for row in rows:
    print("  ".join(f"{text:{max(len(r[i]) for r in rows)}}" for i, text in enumerate(row)).rstrip())
sys.exit(worst > 1)
