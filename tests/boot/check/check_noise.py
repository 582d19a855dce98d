#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks of noise runs, one by name on the command line, on the results of a boot in a folder.

check_noise.py DIR silent MS         the regime 'alone' of each run: no detour in at least MS milliseconds
check_noise.py DIR ticks             the regime 'firmware': its timer is found as a period
check_noise.py DIR planted           the disturbance that the virtual PMU raised: in 'alone', at its time, named
check_noise.py DIR named before|after|measured     the same by the noise certificate of a run
check_noise.py DIR compared CSV RUNS MS                 what 'ibsprof compare' says of both
check_noise.py DIR table LINUX_DIR   the table of both; Linux' ticks at its HZ
"""
import csv
import glob
import re
import sys

from run_csv import read_dicts


def facts(path):
    found = {}
    with open(path) as file:
        for line in file:
            if line.startswith("#: "):
                key, _, value = line[3:].rstrip("\n").partition(" = ")
                found[key] = value
    return found


def runs(folder):
    found = [facts(path) for path in sorted(glob.glob(folder + "/runs/*-noise/run.ini"))]
    assert found, "no noise run"
    return found


def planted_at(folder):
    with open(folder + "/console.txt") as file:
        return int(re.search(r"^vpmu: planted an NMI at TSC ([1-9]\d*)$", file.read(), re.M).group(1))


def silent(folder, milliseconds):
    for run in runs(folder):
        assert int(run["noise.alone.duration_ns"]) >= int(milliseconds) * 1000000, run["noise.alone.duration_ns"]
        assert int(run["noise.alone.reads"]) > 1000
        for name in ("nine", "microsecond"):
            assert run["noise.alone.%s.detours" % name] == "0", run["noise.alone.%s.detours" % name]
            bound = int(run["noise.alone.%s.fewer_micro_per_second" % name])
            seconds = int(run["noise.alone.duration_ns"]) / 1e9
            assert abs(bound / 1e6 * seconds - 3) < 0.001, bound
        assert run["noise.alone.counted: NMIs"] == "0" and run["noise.alone.counted: stray interrupts"] == "0"
    rows = [row for path in glob.glob(folder + "/runs/*-noise/noise.csv") for row in read_dicts(path)]
    assert not [row for row in rows if row["regime"] == "alone"]
    return "%d runs without a detour in %s ms each, %s readings" % (
        len(runs(folder)), milliseconds, runs(folder)[0]["noise.alone.reads"])


def ticks(folder):
    for run in runs(folder):
        period = re.match(r"(\d+) ns, (\d+) of (\d+), HZ (\d+)$", run["noise.firmware.period.0"])
        assert int(period[2]) >= 0.9 * int(period[3]), period[0]
        detours, seconds = int(run["noise.firmware.nine.detours"]), int(run["noise.firmware.duration_ns"]) / 1e9
        assert abs(detours / seconds * int(period[1]) / 1e9 - 1) < 0.05, (detours, period[0])
    return "the firmware's timer is found: " + period[0]


def planted(folder):
    (run,) = runs(folder)
    at, khz = planted_at(folder), int(run["machine.tsc_khz"])
    rows = [row for row in read_dicts(glob.glob(folder + "/runs/*-noise/noise.csv")[0]) if row["regime"] != "firmware"]
    assert len(rows) == 1 and rows[0]["regime"] == "alone" and rows[0]["cause"] == "NMI", rows
    late = int(run["noise.alone.tsc_start"]) + int(rows[0]["start_ns"]) * khz // 1000000 - at
    assert -1000 < late < 1000, late  # ticks: ops in flight retire first
    assert run["noise.alone.counted: NMIs"] == "1" and run["noise.alone.counted: interrupts"] == "1"
    assert run["noise.alone.detours: NMI"] == "1"
    return "one detour of %s ns, an NMI, %d ticks from where it was planted" % (rows[0]["length_ns"], late)


def named(folder, where):
    at = planted_at(folder)
    run = facts(glob.glob(folder + "/runs/*/run.ini")[0])
    assert run["certificate.samples.elsewhere"] == "0"
    assert run["certificate.interrupts"] == run["certificate.nmis"]
    if where == "measured":
        start, stop = int(run["tsc.start"]), int(run["tsc.stop"])
        assert start < at < stop, (start, at, stop)
        assert run["nmi.empty"] == "1" and run["certificate.gaps"] == "0", run["nmi.empty"]
        return "an NMI without a sample while it was measured"
    assert run["nmi.empty"] == "0" and run["certificate.gaps"] == "1", run["certificate.gaps"]
    gap = re.match(r"(\d+) ns, TSC (\d+), (\w+) pass 0, (.*)$", run["certificate.gap.0"])
    assert gap[3] == where and gap[4] == "NMI" and -1000 < int(gap[2]) - at < 1000, (gap[0], at)
    return "a gap: " + gap[0]


def figures(run, regime):
    name = "noise.%s." % regime
    return {"per_second": int(run[name + "microsecond.milli_per_second"]) / 1e3,
            "lost": int(run[name + "microsecond.lost_ppb"]) / 1e9,
            "largest_us": int(run[name + "largest_ns"]) / 1e3 if int(run[name + "nine.detours"]) else 0,
            "quantum": int(run[name + "quanta.most_ticks"]) / int(run[name + "quanta.least_ticks"]) - 1}


def spread(values):
    return "%.2f %%" % (100 * (max(values) - min(values)) / (sum(values) / len(values))) if sum(values) else "0"


def row(name, figures):
    mean = {key: sum(run[key] for run in figures) / len(figures) for key in figures[0]}
    return "| %s | %.2f | %.4f %% | %.1f us | %s | %.2f %% |" % (
        name, mean["per_second"], 100 * mean["lost"], max(run["largest_us"] for run in figures),
        spread([run["lost"] for run in figures]), 100 * max(run["quantum"] for run in figures))


def table(folder, linux_folder):
    with open(linux_folder + "/kernel.txt") as file:
        release, hz = file.read().split()
    linux = [facts(path) for path in sorted(glob.glob(linux_folder + "/run-*/run.ini"))]
    ours = runs(folder)
    assert len(linux) == len(ours)
    for run in linux:
        periods = [re.match(r"\d+ ns, (\d+) of (\d+), HZ (\d+)$", run[key]) for key in run if key.startswith("noise.linux.period.")]
        found = [(int(period[1]), int(period[2])) for period in periods if period[3] == hz]
        assert found and found[0][0] >= 0.95 * found[0][1], periods
        assert int(run["noise.linux.duration_ns"]) * int(hz) / 1e9 <= 1.1 * found[0][1], found
    print("| | detours per second | lost | largest | spread of lost | longest quantum |\n|---|---|---|---|---|---|")
    print(row("ibsboot, everything off", [figures(run, "alone") for run in ours]))
    print(row("ibsboot, interrupts off", [figures(run, "masked") for run in ours]))
    print(row("ibsboot, firmware's interrupts on", [figures(run, "firmware") for run in ours]))
    print(row("Linux %s, HZ=%s" % (release, hz), [figures(run, "linux") for run in linux]))
    return "Linux' ticks are found at HZ=%s: %d of %d" % (hz, *found[0])


def compared(folder, path, count, milliseconds):
    with open(path) as file:
        items = {row["figure"]: row for row in csv.DictReader(line for line in file if not line.startswith("#"))}
    rate, lost, largest = items["rate"], items["lost"], items["largest"]
    assert float(rate["a"]) == 0 and float(rate["a_high"]) < 4 / (int(count) * int(milliseconds) / 1000), rate
    assert 250 <= float(rate["b"]) < 260 and float(rate["b_low"]) < 250 < float(rate["b_high"]), rate  # ticks at HZ=250, and a little more
    assert float(lost["a"]) == 0 and float(lost["b"]) > 0 and float(largest["a"]) == 0 and float(largest["b"]) > 1000, (lost, largest)
    assert [items[key]["verdict"] for key in ("rate", "lost", "largest")] == ["different"] * 3, items
    assert items["spread"]["verdict"] == "" and float(items["spread"]["a"]) == 0
    return "%s and %s detours per second, %.4f %% lost, largest %.1f us" % (rate["a"], rate["b"], 100 * float(lost["b"]), float(largest["b"]) / 1e3)


if __name__ == "__main__":
    print({f.__name__: f for f in (silent, ticks, planted, named, compared, table)}[sys.argv[2]](sys.argv[1], *sys.argv[3:]))
