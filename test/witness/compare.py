# compare.py - strategies by dls-sim and by the witness, on the same loads: T_bal / T_opt of both.
#
#	compare.py DLS-SIM WITNESS FOLDER [A-B]
#
# Loads are written into FOLDER as files that both read.  Each setting is the mean over the seeds A to B, by default
# 1 to 4: under rid a message that comes a microsecond later changes all that follows, and single runs differ by up
# to some per cent.  Exit 1 if two means differ by more than BOUND, or what a setting allows.  What breaks it: a
# strategy that strays from its paper, or an engine from its costs, on either side.
import json
import random
import subprocess
import sys

BOUND = 3	# per cent
sim, witness, folder = sys.argv[1:4]
first, last = (int(seed) for seed in (sys.argv[4] if len(sys.argv) > 4 else "1-4").split("-"))


# Loads: lines `processor time'; of a tree `number time parent'.
def uniform(rng, P, each):
    """Willebeek-LeMair 1993: as many tasks on each processor, and a mean time that each processor draws."""
    for p in range(P):
        most = 10 * rng.randint(1, 49)
        for _ in range(each):
            yield p, rng.randint(1, most) * 0.0013


def exponential(rng, P, each):
    for _ in range(P * each):
        yield rng.randrange(P), rng.expovariate(4)


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


SEEDS = range(first, last + 1)
SETTINGS = [	# strategy, net, P, costs, load, tasks for each processor; what is allowed; speeds
    ("sid,credit=off,unknown=wait", "hypercube", 32, "ipsc2", uniform, 100),
    ("sid,low=alpha,credit=off", "hypercube", 32, "ipsc2", uniform, 100),
    ("rid,cap=off", "hypercube", 64, "ipsc2", uniform, 100),
    ("rid,cap=off,u=0.5", "hypercube", 32, "ipsc2,latency=0.01", exponential, 50),
    ("rid", "hypercube", 128, "ipsc2", spike, 20),
    ("rid,low=5", "hypercube", 32, "ipsc2,poll=0", uniform, 50),
    ("rid,low=inf", "complete", 20, "ipsc2", exponential, 40),
    ("gm", "hypercube", 32, "ipsc2", uniform, 100, 5),
    ("gm", "hypercube", 32, "ipsc2", spike, 60),
    ("hbm", "hypercube", 32, "ipsc2", uniform, 100),
    ("hbm", "hypercube", 64, "ipsc2", exponential, 50, 5),
    ("hbm", "hypercube", 8, "ipsc2", spike, 60),
    ("dem", "hypercube", 32, "ipsc2", uniform, 100),
    ("dem", "hypercube", 24, "ipsc2", uniform, 50),
    ("dem", "hypercube", 32, "ipsc2,latency=0.01", exponential, 40),
    ("rips", "fattree", 64, "cm5", tree, 200),
    ("rips", "fattree", 48, "cm5", tree, 300),
    ("rips", "hypercube", 64, "ipsc2", uniform, 100),
    ("rips,transfer=all", "fattree", 32, "cm5", tree, 200),
    ("rips,queue=eager", "fattree", 32, "cm5", tree, 200),
    ("rips,transfer=all,queue=eager", "fattree", 32, "cm5", tree, 200),
    ("factor", "complete", 5, "nectar", exponential, 100, 5, "0.3"),
    ("factor", "complete", 5, "nectar", uniform, 100, 10, "0.3"),
    ("factor", "complete", 16, "nectar", uneven, 60, 5, "1:0.3:0.5"),
    *((f"repart,scheduler=dedicated,calc={calc}", "complete", 9, "nectar", load, 60, bound, speeds)
      for calc, bound in (("gss", 3), ("fac2", 3), ("awf-c", 3), ("mfsc", 10))
      for load, speeds in ((exponential, "0.3"), (uneven, "1:0.5:0.7"))),
    ("repart,calc=fac2", "complete", 8, "nectar", uneven, 60, 5, "1"),
]


def pair(setting, seed, name):
    """Of one setting: dls-sim's figures; the witness's T_bal and tasks sent."""
    strategy, net, P, costs, load, each = setting[:6]
    speeds = setting[7] if len(setting) > 7 else "1"
    with open(name, "w") as file:
        for task in load(random.Random(seed), P - ("dedicated" in strategy), each):
            file.write(f"{task[0]} {max(task[1], 1e-6):.9f}{''.join(f' {parent}' for parent in task[2:])}\n")
    where = "graph=" + name if load is tree else name
    ours = subprocess.run([sim, "--strategy", strategy, "--net", net, "--processors", str(P), "--costs", costs, "--load", where,
                           "--json", "--speeds", speeds], stdout=subprocess.PIPE, check=True)
    theirs = subprocess.run([witness, strategy.replace("rips", "twa"), net, str(P), costs, where, speeds],
                            stdout=subprocess.PIPE, check=True).stdout.split()
    return json.loads(ours.stdout)[0], [float(word) for word in theirs]


worst = 0
print("                                                                                      T/T_opt             differ, per cent      tasks sent")
print("strategy                              net        P    costs               load         ours  SimGrid   mean  (each seed)        ours SimGrid")
for setting in SETTINGS:
    strategy, net, P, costs, load, each = setting[:6]
    bound = setting[6] if len(setting) > 6 else BOUND
    runs = [pair(setting, seed, f"{folder}/load") for seed in SEEDS]
    mine = sum(ours["t_bal_s"] / ours["t_opt_s"] for ours, _ in runs) / len(SEEDS)
    other = sum(theirs[0] / ours["t_opt_s"] for ours, theirs in runs) / len(SEEDS)
    each_differs = [100 * (ours["t_bal_s"] / theirs[0] - 1) for ours, theirs in runs]
    differs = 100 * (mine / other - 1)
    worst = max(worst, abs(differs) / bound)
    print(f"{strategy:37} {net:10} {P:<4} {costs:19} {load.__name__:11} {mine:6.3f} {other:6.3f}  {differs:+6.2f}"
          f"  ({' '.join(f'{d:+.1f}' for d in each_differs)}) {sum(ours['transfers'] for ours, _ in runs) / len(SEEDS):8.0f}"
          f" {sum(theirs[1] for _, theirs in runs) / len(SEEDS):6.0f}{'  TOO FAR' if abs(differs) > bound else ''}", flush=True)

print(f"{len(SETTINGS)} settings; largest difference {worst:.2f} of what is allowed, {BOUND} % but where the setting says more")
sys.exit(worst > 1)
