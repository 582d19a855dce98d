#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Several hostile switches at a time (docs/model.md): hostile_mix.py choose SEED COUNT 10h|zen | check FOLDER SWITCHES STATUS

choose: a line "SWITCHES|OPTIONS|CORES|REVISION" for each combination. The switches are those of the program's own table that concern Family 10h, or
Zen 2, 4 and 5 with what they have besides: filters, branch records, merged counters, boost and levels; each is in some combination.
check: one boot, that ended with this status of tools/qemu/boot: it ended by itself, the machine is as before, and its samples or counts are
right, or a line says why there are none."""
import glob
import os
import random
import re
import subprocess
import sys

from check import Run, distance, truth
from verdict import Failed

# What is measured, in turn. Each says by itself how many samples or counts there must be.
RUNS = ("n=100 op_period=1024", "config=count workload=store-forward iterations=3000 events=0C0,0C2,0C4", "n=100 fetch=no random=no repeats=8 op_period=2048", "config=tbp n=200 timer_us=10")
RUNS_OF_ZEN = (("zen5", "fetch=no l3_miss_only=yes workload=pointer-chase kb=65536 hops=6000 op_period=144 reference=no"),
               ("zen4", "n=100 fetch=no branches=yes op_period=1024 cppc=100"),
               ("zen2", "config=count workload=store-forward iterations=3000 events=0C0,0C2,0C4,003:ff"),
               ("zen5", "fetch=no load_latency=128 workload=pointer-chase kb=65536 hops=6000 op_period=144 reference=no cppc=60 boost=off"),
               ("zen2", "n=100 op_period=1024 fetch_period=512 boost=off"),
               ("zen4", "config=tbp n=200 timer_us=10 boost=off"))
# Of registers and errata that no Zen has.
OF_10H = ("storm", "storm-stays", "revision-b-bits")
# A line that says why there is nothing, or what is wrong.
REASONS = ("The run failed: ", "Not run. ", "LOST: ", "STOPPED: ", "FAIL ", "these settings cannot run here", "#MC machine check", "exists from revision",
           "refused")
# What nobody can put back: the switch that says so.
UNRESTORED = {"stuck-valid": 2}
OFF_MOST = 15  # percent between the samples and what their period says


def switches(kind):
    table = subprocess.run(["build/tools/tables", "hostile"], capture_output=True, text=True, check=True).stdout
    every = re.findall(r"^\| `([^`]+)` \| (after Family 10h)?", table, re.M)
    return [name for name, later in every if (name not in OF_10H if kind == "zen" else not later)]


def choose(seed, count, kind):
    """Each combination has the least used switches first, so all occur."""
    chance = random.Random(seed)
    used = {name: 0 for name in switches(kind)}
    for i in range(count):
        names = sorted(used, key=lambda name: (used[name], chance.random()))[:chance.choice((2, 3, 4))]
        for name in names:
            used[name] += 1
        cores = chance.choice((1, 1, 2))
        revision, options = RUNS_OF_ZEN[i % len(RUNS_OF_ZEN)] if kind == "zen" else ("C", RUNS[i % len(RUNS)])
        print("+".join(names), options + (" cores=all" if cores > 1 else ""), cores, revision, sep="|")


def console(folder):
    with open(os.path.join(folder, "console.txt"), encoding="utf-8", errors="replace") as file:
        return file.read()


def ended(text, names):
    """The program's own status; the virtual PMU has compared what may be changed."""
    status = re.search(r"^ibsboot: end: status ([01])$", text, re.M)
    if not status or not re.search(r"^vpmu: end: status ", text, re.M):
        raise Failed("it did not end by itself")
    allowed = sum(UNRESTORED.get(name, 0) for name in names)
    wrong = re.findall(r"^vpmu: NOT RESTORED (.*)$", text, re.M)
    if len(wrong) > allowed:
        raise Failed("NOT RESTORED " + "; ".join(wrong))
    if not re.search(r"^vpmu: restored: \d+ items read as before$", text, re.M) and not wrong:
        raise Failed("nothing says whether the machine is as before")
    return int(status[1])


def near(what, came, expected):
    if abs(came - expected) * 100 > OFF_MOST * expected:
        raise Failed(f"{what}: {came}, expected {expected:.0f}, and no line says so")
    return f"{came} {what} of {expected:.0f}"


def ticks(run):
    """As many as fit into the measured part, on each core that worked; the first may be late, and the handler's time is in none of them."""
    with open(os.path.join(run, "run.ini"), encoding="utf-8") as file:
        facts = dict(re.findall(r"^#: (\S+) = (.*)$", file.read(), re.M))
    cores = [key[:-len(".works")] + "." for key, value in facts.items() if key.endswith(".works") and value == "1"] or [""]
    spent = sum(int(facts[core + "tsc.stop"]) - int(facts[core + "tsc.start"]) for core in cores)
    came, expected = int(facts["samples.timer"]), spent * 1000 / int(facts["machine.tsc_khz"]) / int(facts["timer.us"])
    if not expected * 0.8 - len(cores) <= came <= expected + len(cores):
        raise Failed(f"{came} ticks on {len(cores)} cores, expected {expected:.0f}, and no line that says so")
    return f"{came} ticks of {expected:.0f}"


def right(folder, text, names):
    """What the run gave, against the virtual PMU's exact counts or what is known beforehand."""
    runs = glob.glob(os.path.join(folder, "runs", "*"))
    if len(runs) != 1:
        raise Failed(f"{len(runs)} runs were saved")
    if os.path.exists(os.path.join(runs[0], "counts.csv")):
        same, other = (len(re.findall(rf"^{word} [0-9A-F]{{3}}:[0-9A-F]{{2}} known beforehand", text, re.M)) for word in ("same", "OTHER"))
        if other or not same:
            raise Failed(f"{other} of {same + other} counts are not those known beforehand")
        return f"{same} counts as known beforehand"
    run = Run(folder) if os.path.exists(os.path.join(runs[0], "profile.csv")) else None
    if not run:
        return ticks(runs[0])
    rows, _ = truth(folder)
    cycles = "op intervals were counted in core cycles" in text
    cores = len(re.findall(r"^core \d+ node \d+ ", text, re.M)) or 1
    ops = cores * sum(row["ops"] for rva, row in rows.items() if rva != "outside")
    mine = sum(row["F100"] for row in run.rows)
    if "samples are only of" in text:  # a filter: how many there are depends on what passes
        return near("op samples that a filter passed", mine, int(run.fact("samples.op")))
    said = f"{mine} op samples" if cycles and mine > 20 else near("op samples", mine, ops / int(run.fact("ibs.op_period")))
    tvd, floor, samples = distance(run, rows, "F100", "ops")
    if "rip-invalid" in names:  # the place of one in eight is its interrupt's
        return said
    if not cycles and "intervals are not random" not in text and tvd > floor + 100 * 2 / samples ** 0.5:
        raise Failed(f"samples are {tvd:.1f} % from the exact counts, by chance {floor:.1f} %")
    return said


def check(folder, names, status):
    text = console(folder)
    if status not in (0, 1):
        raise Failed(f"QEMU was ended after no progress or could not start: {status}")
    own = ended(text, names)
    if own == 0:
        return right(folder, text, names)
    reasons = [line for line in text.splitlines() if any(line.lstrip().startswith(reason) or reason in line for reason in REASONS)]
    if not reasons:
        raise Failed("status 1, and no line that says why")
    return reasons[0].strip()


if __name__ == "__main__":
    if sys.argv[1:2] == ["choose"]:
        choose(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
    else:
        try:
            print(check(sys.argv[2], sys.argv[3].split("+"), int(sys.argv[4])))
        except Failed as failed:
            sys.exit(str(failed))
