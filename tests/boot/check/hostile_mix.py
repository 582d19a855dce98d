#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests several hostile switches at a time (docs/model.md): hostile_mix.py choose SEED COUNT 10h|zen2|zen4|zen5 | check FOLDER SWITCHES
OPTIONS STATUS

choose: prints "SWITCHES|OPTIONS|CORES|REVISION" for each combination. The switches are those of the program's own table that apply to
Family 10h, or
to Zen, including those that change answers of config=hardware; each is in some combination. The settings use what Zen adds: filters, branch
records,
merged counters, boost and levels, counters of the L3, data fabric and memory controllers.
check: checks one boot that ended with this status of tools/qemu/boot: it ended by itself, the machine is as before, a switch of the
combination explains
each line about an error, and such a line refused what it may refuse; otherwise samples, branch records or counts are right, and the restore
log names
each register that the virtual PMU saw written."""
import glob
import os
import random
import re
import subprocess
import sys

import check_families
import check_roofline
from check import Run, distance, truth
from verdict import Failed, need

# Measurements, in turn. Each has a known number of samples or counts.
RUNS = ("n=100 op_period=1024", "config=count workload=store-forward iterations=3000 events=0C0,0C2,0C4", "n=100 fetch=no random=no repeats=8 op_period=2048", "config=tbp n=200 timer_us=10")
# Measurements on Zen, each with the switches for its registers, of which one is chosen.
RUNS_OF_ZEN = (
    ("zen5", "fetch=no l3_miss_only=yes workload=pointer-chase kb=65536 hops=6000 op_period=144 reference=no", "curcnt-ignored left-on rip-invalid"),
    ("zen4", "n=100 fetch=no branches=yes op_period=1024", "branch-records rip-invalid"),
    ("zen2", "config=count workload=store-forward iterations=3000 events=076,0C0,0C2,0C4,003:ff", "energy-faults left-on no-l3"),
    ("zen3", "config=events events=0C4@500 branches=yes workload=branch-random iterations=20000", "branch-records lvtpc-open"),
    ("zen5", "fetch=no load_latency=128 workload=pointer-chase kb=65536 hops=6000 op_period=144 reference=no cppc=60 boost=off", "cppc-ignored energy-faults tsc-slow"),
    ("zen2", "n=100 op_period=1024 fetch_period=512 boost=off", "energy-faults ibs-off lvt-none"),
    ("zen4", "config=count workload=store-forward iterations=3000 events=076,0C0,0C2,0C4,0C3,0C8 cppc=100", "global-off cppc-ignored energy-faults"),
    ("zen4", "config=tbp n=200 timer_us=10 boost=off", ""),
    ("zen4", "config=roofline workload=matmul-classic-sse n=60 rows=4 fetch=no op_period=1024", "energy-faults left-on global-off"),
    ("zen2", "config=roofline workload=matmul-classic-sse n=60 rows=4 fetch=no op_period=1024", "no-l3 left-on energy-faults"),
    ("zen5", "config=count workload=store-forward iterations=3000 events=076,0C0,0C2,0C4,0C3,0C8 boost=off", "global-off global-deaf lost-bits"),
    ("zen5", "config=events events=0C4@500 branches=yes workload=branch-random iterations=20000", "branch-records lvtpc-masked late-overflow"),
    ("zen5", "config=roofline workload=matmul-classic-sse n=60 rows=4 fetch=no op_period=1024", "no-l3 cpuid-silent lost-bits"),
    ("zen2", "config=tbp n=200 timer_us=10", "timer-slows slow-nmi"),
    ("zen5", "n=100 op_period=1024 fetch_period=512", "val-level odd-fields rearm-otherwise"),
)
ZENS = {"zen2": ("zen2",), "zen4": ("zen3", "zen4"), "zen5": ("zen5",)}
# Switches of registers and errata that no Zen has.
OF_10H = ("storm", "storm-stays", "revision-b-bits")
# Beginning of a line about an error; switches that always cause it with these settings, and others that may; the settings that it may
# refuse (None: it only comes with another).
OPS = r"\bop_period="
FETCHES = rf"^(?!.*fetch=no).*{OPS}"
EXPLAINED = (
    ("no usable IBS: ", "ibs-off", "", OPS),
    ("Self-test: FAIL passes: ", "machine-check", "", ""),
    ("Self-test: FAIL op.samples: ", "lvt-none lvt-taken", "stuck-valid", OPS),
    ("Self-test: FAIL fetch.samples: ", "", "stuck-valid storm-stays lvt-none lvt-taken", FETCHES),
    ("Self-test: FAIL restored: ", "stuck-valid", "", ""),
    ("Self-test: FAIL op.intervals: ", "curcnt-ignored", "stuck-valid storm-stays", rf"^(?!.*random=no).*{OPS}"),
    ("Self-test: FAIL overflows: ", "late-overflow", "", "config=(count|events|roofline)"),
    ("The run failed: MSR C001_02B3 (CPPC) does not keep what is written", "cppc-ignored", "", "cppc="),
    ("The run failed: the ticks ended before the measured part did", "", "timer-ends", "config=tbp"),
    ("LOST: core 1 did not answer: it never began.", "", "mp-loses", "cores=all"),
    ("The run failed: HWCR bit 25 (boost) does not keep what is written to it", "lost-bits", "", "boost=off"),
    ("Self-test: FAIL op.data: ", "", "odd-fields", OPS),
    ("Self-test: FAIL ticks: ", "", "odd-reads", "config=tbp"),
    ("FAIL ticks: the timer sent no NMI", "", "timer-ends", None),
    ("The run failed: NMIs followed each other before sampling", "", "storm-stays", OPS),
    ("FAIL result of ", "", "cppc-ignored lost-bits mp-loses storm-stays", None),
)
# Other beginnings of such lines, which no combination may print.
WRONG = r"(?:Self-test: FAIL|The run failed:|no usable IBS:|FAIL|LOST:|STOPPED:|these settings cannot run here) .*|.* exists from revision .*|.*\brefused\b.*"
# Registers that nobody can restore, by the switch that prevents it: in the program's registers before and after, and in the virtual PMU's
# list of writes.
UNRESTORED = {"stuck-valid": r"MSR Ibs(Fetch|Op)Ctl |core \d+: MSR C001_103[03] ", "lvt-sticks": "APIC LVT LINT1 ",
              "odd-reads": r"core \d+: MSR C001_0207 "}  # saved by its old number, which reads differently
MOST_PATHS = 1.0  # points between branch records and the exact counts
OFF_MOST = 10  # percent between the samples and the number that their period predicts


def switches(kind):
    table = subprocess.run(["build/tools/tables", "hostile"], capture_output=True, text=True, check=True).stdout
    every = re.findall(r"^\| `([^`]+)` \| (after Family 10h)?", table, re.M)
    return [name for name, later in every if (not later if kind == "10h" else name not in OF_10H)]


def choose(seed, count, kind):
    """Prints combinations; each has the least used switches first, so all occur."""
    chance = random.Random(seed)
    used = {name: 0 for name in switches(kind)}
    runs = [("C", options, "") for options in RUNS] if kind == "10h" else [run for run in RUNS_OF_ZEN if run[0] in ZENS[kind]]
    for i in range(count):
        revision, options, own = runs[i % len(runs)]
        first = sorted(set(own.split()) & set(used), key=lambda name: (used[name], chance.random()))[:1]
        names = sorted(used, key=lambda name: (name not in first, used[name], chance.random()))[:chance.choice((2, 3, 4))]
        for name in names:
            used[name] += 1
        cores = chance.choice((1, 1, 2))
        print("+".join(names), options + (" cores=all" if cores > 1 else ""), cores, revision, sep="|")


def console(folder):
    with open(os.path.join(folder, "console.txt"), encoding="utf-8", errors="replace") as file:
        return file.read()


def ended(text, names):
    """Returns the program's own status; checks that the virtual PMU found everything restored."""
    status = re.search(r"^ibsboot: end: status ([01])$", text, re.M)
    if not status or not re.search(r"^vpmu: end: status ", text, re.M):
        raise Failed("it did not end by itself")
    kept = [UNRESTORED[name] for name in names if name in UNRESTORED]
    wrong = re.findall(r"^vpmu: NOT RESTORED (.*)$", text, re.M)
    other = [line for line in wrong if not any(re.match(one, line) for one in kept)]
    need(not other, "NOT RESTORED " + "; ".join(other))
    if not re.search(r"^vpmu: restored: \d+ items read as before$", text, re.M) and not wrong:
        raise Failed("nothing says whether the machine is as before")
    lost = re.findall(r"^vpmu: core (\d+): .* NOT RESTORED$", text, re.M)
    need(not lost or "mp-loses" in names and lost == ["1"] and "LOST: core 1 did not answer" in text, f"not restored: cores {lost}")
    return int(status[1])


def cores_of(words):
    """Returns the numbers in "cores 0-2,5"; {0} without numbers, as in a run on one core."""
    ranges = re.findall(r"(\d+)(?:-(\d+))?", words) or [("0", "")]
    return {core for first, last in ranges for core in range(int(first), int(last or first) + 1)}


def logged(folder, text):
    """Checks that the run's restore log names each register that the virtual PMU saw written since the self-test, which has its own log,
    and the core that wrote it. Any core may write registers of a node."""
    log, registers, cores = set(), set(), set()
    with open(glob.glob(os.path.join(folder, "runs", "*", "run.ini"))[0], encoding="utf-8") as file:
        for name, by in re.findall(r"^#: restored\.\d+ = (MSR \S+|APIC \S+|F3x1CC).*?(?: \((cores? [\d,-]+)\))?, 0x", file.read(), re.M):
            log |= {(name, core) for core in cores_of(by)} | {(name, "node")}
    for core, names in re.findall(r"^vpmu: (core \d+|node) ?\d*: written: (.*) and no other$", text, re.M):
        of = "node" if core == "node" else int(core.split()[1])
        cores.add(of)
        registers |= {(name, of) for name in names.rstrip(",").split(", ") if name}
    need(registers, "the virtual PMU does not say what was written")
    missing = sorted(f"{name} of {of if of == 'node' else f'core {of}'}" for name, of in registers - log)
    need(not missing, f"not in the restore log: {', '.join(missing)}")
    return f"{len(registers)} registers of {len(cores - {'node'})} cores written, all in the restore log"


def near(what, came, expected):
    if abs(came - expected) * 100 > OFF_MOST * expected:
        raise Failed(f"{what}: {came}, expected {expected:.0f}, and no line says so")
    return f"{came} {what} of {expected:.0f}"


def ticks(run):
    """Checks the number of timer samples: as many as fit into the measured part of each working core. The first may be late, and the
    handler's time counts as none."""
    with open(os.path.join(run, "run.ini"), encoding="utf-8") as file:
        facts = dict(re.findall(r"^#: (\S+) = (.*)$", file.read(), re.M))
    cores = [key[:-len(".works")] + "." for key, value in facts.items() if key.endswith(".works") and value == "1"] or [""]
    spent = sum(int(facts[core + "tsc.stop"]) - int(facts[core + "tsc.start"]) for core in cores)
    came, expected = int(facts["samples.timer"]), spent * 1000 / int(facts["machine.tsc_khz"]) / int(facts["timer.us"])
    if not expected * 0.8 - len(cores) <= came <= expected + len(cores):
        raise Failed(f"{came} ticks on {len(cores)} cores, expected {expected:.0f}, and no line that says so")
    return f"{came} ticks of {expected:.0f}"


def asked(folder, text, names, options):
    """Checks the results of a filter, branch records, counts of energy and a level, as far as the settings ask for them. Returns None
    without branch records."""
    facts = check_families.facts(folder)
    if level := re.search(r"\bcppc=(\d+)", options):
        need(f"CPPC          level {level[1]} during the run" in text, f"the level {level[1]} is not told")
    for key in [key for key in facts if re.search(r"certificate\..*energy", key)]:
        faults = facts[key] == "not available: reading it raises an exception"
        need(faults if "energy-faults" in names else facts[key].isdigit() or "another core" in facts[key], f"{key} = {facts[key]}")
    # Samples that pass a filter wrongly are counted and reported; the program drops those below the load latency.
    if "l3_miss_only=yes" in options and "filters-leak" in names:
        check_families.check_leaked(folder)
    elif "l3_miss_only=yes" in options or "load_latency=" in options:
        check_families.check_passed(folder, (re.findall(r"load_latency=(\d+)", options) or [0])[0])
    if "branches=yes" not in options:
        return None
    bare = "bare" if "branches.mispredicted" not in facts else None
    wrong = int(facts.get("branches.wrong_path", 0))
    need((wrong > 0) == ("branch-records" in names and not bare), f"{wrong} branches of wrong paths")
    check_families.check_paths(folder, MOST_PATHS, bare)
    return check_families.check_blocks(folder, MOST_PATHS, bare)


def right(folder, text, names, options):
    """Compares the run's results with the virtual PMU's exact counts or with what is known beforehand."""
    runs = glob.glob(os.path.join(folder, "runs", "*"))
    if len(runs) != 1:
        raise Failed(f"{len(runs)} runs were saved")
    if "config=roofline" in options:
        cores = check_families.facts(folder)["cores"].count(",") + 1
        return check_roofline.check_counts(folder, 1, str(2 * 60 * 60 * 4 * cores))
    blocks = asked(folder, text, names, options)
    if os.path.exists(os.path.join(runs[0], "counts.csv")):
        same, other = (len(re.findall(rf"^{word} [0-9A-F]{{3}}:[0-9A-F]{{2}} known beforehand", text, re.M)) for word in ("same", "OTHER"))
        if other or not same:
            raise Failed(f"{other} of {same + other} counts are not those known beforehand")
        return f"{same} counts as known beforehand"
    run = Run(folder) if os.path.exists(os.path.join(runs[0], "profile.csv")) else None
    cores = len(re.findall(r"^core \d+ node \d+ ", text, re.M)) or 1
    if blocks and not run:
        (rows, _), facts = truth(folder), check_families.facts(folder)
        return near("counter samples", int(facts["samples.pmc"]), cores * sum(row["taken"] for row in rows.values()) / int(facts["event.0.period"])) + "; " + blocks
    if not run:
        return ticks(runs[0])
    rows, _ = truth(folder)
    cycles = re.search(r"op\s+intervals\s+were\s+counted\s+in\s+core\s+cycles", text)
    ops = cores * sum(row["ops"] for rva, row in rows.items() if rva != "outside")
    mine = sum(row["F100"] for row in run.rows)
    placed = 7 / 8 if "rip-invalid" in names else 1  # one in eight has the address of its interrupt
    if re.search(r"were\s+taken\s+\(", text):  # a filter decides on the number
        return near("op samples that a filter passed", mine, placed * int(run.fact("samples.op")))
    said = f"{mine} op samples" if cycles and mine > 20 else near("op samples", mine, placed * ops / int(run.fact("ibs.op_period")))
    tvd, floor, samples = distance(run, rows, "F100", "ops")
    if placed < 1:
        return said
    if not cycles and not re.search(r"intervals\s+are\s+not\s+random", text) and tvd > floor + 100 * 2 / samples ** 0.5:
        raise Failed(f"samples are {tvd:.1f} % from the exact counts, by chance {floor:.1f} %")
    return said


def reasons(text, names, options):
    """Returns the error lines that may refuse these settings. Checks that a switch explains each error line, and that lines that it
    always causes are there."""
    found = []
    if "registers of Family 1" in text:  # firmware has assigned their entry, which lvt-taken does not change
        names = set(names) - {"lvt-taken"}
    if set(names) & {"lvt-none", "ibs-off"}:  # no sample whose Val bit could stay
        names = set(names) - {"stuck-valid"}
    for begin, always, _, settings in EXPLAINED:
        brings = set(names) & set(always.split())
        if brings and settings is not None and re.search(settings, options):
            need(f"\n{begin}" in text, f"{'+'.join(brings)} did not bring: {begin}")
            break  # after the end of a run no further lines come
    for line in re.findall(rf"^({WRONG})$", text, re.M):
        rows = [row for row in EXPLAINED if line.startswith(row[0]) and set(names) & set((row[1] + " " + row[2]).split())]
        need(rows, f"nothing of {'+'.join(sorted(names))} explains: {line}")
        found += [line for *_, refused in rows if refused is not None and re.search(refused, options)]
    return found


def check(folder, names, options, status):
    text = console(folder)
    if status not in (0, 1):
        raise Failed(f"QEMU was ended after no progress or could not start: {status}")
    own = ended(text, names)
    found = reasons(text, names, options)
    if own == 0:
        need(not found, f"it ran in spite of: {found}")
        return right(folder, text, names, options) + "; " + logged(folder, text)
    need(found, "status 1, and none of its lines may refuse these settings")
    return found[0]


if __name__ == "__main__":
    if sys.argv[1:2] == ["choose"]:
        choose(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
    else:
        try:
            print(check(sys.argv[2], sys.argv[3].split("+"), sys.argv[4], int(sys.argv[5])))
        except Failed as failed:
            sys.exit(str(failed))
