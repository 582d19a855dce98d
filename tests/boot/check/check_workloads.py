#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks a boot that made many runs: check_workloads.py FOLDER CHECK [ARGUMENT]..."""
import csv
import math
import os
import subprocess

from check import documented, truth
from check_counters import pmc_runs
from run_csv import read_rows
from verdict import Failed, main


def runs(folder):
    """Returns the folder of each run, in order, with the settings and facts of run.ini."""
    found = []
    for name in sorted(os.listdir(os.path.join(folder, "runs"))):
        path, facts = os.path.join(folder, "runs", name), {}
        with open(os.path.join(path, "run.ini")) as file:
            for line in file:
                if " = " in line and not line.startswith("# "):
                    key, value = line.removeprefix("#: ").split(" = ", 1)
                    facts[key] = value.strip()
        found.append((path, facts))
    return found


def passes(folder):
    """Returns the virtual PMU's record of each pass that ran a workload: {(select, mask): exact count of the workload}. A pass programs
    its counters from 0 on; an empty pass has no cycles of the workload (event 076)."""
    found, last = [], 99
    for item in pmc_runs(folder):
        if int(item["counter"]) <= last:
            found.append({})
        last = int(item["counter"])
        found[-1][int(item["select"], 16), int(item["mask"], 16)] = int(item["workload"])
    return [counts for counts in found if counts.get((0x076, 0))]


def title(facts):
    parameters = [f"{key.removeprefix('workload.')}={value}" for key, value in facts.items()
                  if key.startswith("workload.") and key not in ("workload.work", "workload.unit", "workload.check")]
    return facts["workload"] + " " + " ".join(parameters)


def check_expected(folder, least_runs, least_counts):
    """Checks that each count stated in a workload's row equals the virtual PMU's exact one, in each pass that counted it, and the
    image's count."""
    truth, at, checked, names = passes(folder), 0, 0, set()
    for path, facts in runs(folder):
        expected = {tuple(int(part, 16) for part in key.removeprefix("expected.").split(":")): int(value)
                    for key, value in facts.items() if key.startswith("expected.")}
        mine = truth[at:at + int(facts["passes"])]
        at += int(facts["passes"])
        if facts["workload.check"] != "1" or len(mine) != int(facts["passes"]) or not expected:
            raise Failed(f"{title(facts)}: check {facts['workload.check']}, {len(mine)} passes, {len(expected)} known counts")
        for key, value in expected.items():
            exact = {counts[key] for counts in mine if key in counts}
            if exact != {value}:
                raise Failed(f"{title(facts)}: event {key[0]:03X}:{key[1]:02X} expected {value}, exact {sorted(exact)}")
            checked += 1
        with open(os.path.join(path, "report.txt")) as file:
            known = [line for line in file if line.startswith(("same ", "OTHER "))]
        if len(known) != len(expected) or any(line.startswith("OTHER") for line in known):
            raise Failed(f"{title(facts)}: {known}")
        names.add(facts["workload"])
    if at != len(truth) or len(runs(folder)) < int(least_runs) or checked < int(least_counts):
        raise Failed(f"{len(runs(folder))} runs with {at} of {len(truth)} passes, {checked} counts")
    return f"{checked} known counts of {len(names)} workloads in {len(runs(folder))} runs are the exact ones: {', '.join(sorted(names))}"


class Samples:
    """profile.csv of one run."""

    def __init__(self, path):
        table = read_rows(os.path.join(path, "profile.csv"))
        codes = {name.split()[0]: i for i, name in enumerate(table[0])}
        self.rows = []
        for row in table[1:]:
            if row[codes["rva"]]:
                item = {code: int(row[i]) for code, i in codes.items() if code[0] in "FX"}
                item.update(rva=int(row[codes["rva"]], 16), function=row[codes["function"]], text=row[codes["instruction"]])
                self.rows.append(item)


def sampled_as(name, misses, samples, rate, errors=4.0):
    """Checks that the number of misses among the samples agrees with the exact rate within four standard errors (of at least one)."""
    mean = samples * rate
    error = max(1.0, math.sqrt(mean * (1 - rate)))
    if abs(misses - mean) > errors * error:
        raise Failed(f"{name}: {misses} of {samples} sampled, exact rate {100 * rate:.4f} % is {mean:.1f} +- {error:.1f}")


# DTLB: entries of L1 and L2 for 4 KB pages; 4-byte elements of a line and of a page. b: its offset in a page.
PAGE, LINE, ELEMENT, STRIDE, PLACE_B = 4096, 64, 4, 4000, 0x8E8


def streams_of_rows(n):
    """Returns the misses of a forward stream through n elements of n rows of b: two that start it, and the line after them, because the
    prefetcher is two lines ahead; and two in each following page."""
    starts = [PLACE_B + row * STRIDE for row in range(n)]
    return sum(3 + 2 * ((start + n * ELEMENT - 1) // PAGE - start // PAGE) for start in starts)


def check_matmul(folder, n, block):
    """Compares misses at the load of b, the instruction with most data cache misses, per execution: exact and sampled.

    Prediction from the sizes. Classic: n rows of b are more pages than both DTLBs hold, so each step to another page walks: 4000 of 4096.
    Interchanged: a row is contiguous, so each page of b is walked once in n * n loads: fewer by a factor of n. Blocked: the pages of
    'block' rows stay in the L1 DTLB until all their columns are used: the same factor. Data cache: at most one miss in the 16 elements of a
    line, where the column's walk has more than two. All such loads of the interchanged loops but the starts of streams find their line in
    transfer."""
    n, block = int(n), int(block)
    if n <= 48 + 512:
        raise Failed("n rows fit into the DTLBs")
    if block > 40:
        raise Failed("the rows of a block do not fit into the L1 DTLB")
    predicted = {"matmul-classic": STRIDE / PAGE, "matmul-interchanged": STRIDE / PAGE / n, "matmul-blocked": STRIDE / PAGE / n}
    exact_rows, _ = truth(folder)
    rates, lines = {}, []
    for path, facts in runs(folder):
        name, samples = facts["workload"].strip('"'), Samples(path)
        function = {"matmul-classic": "multiply_matrices", "matmul-interchanged": "multiply_interchanged",
                    "matmul-blocked": "multiply_blocked"}[name]
        at = max((rva for rva in exact_rows if rva != "outside" and any(r["rva"] == rva and r["function"] == function for r in samples.rows)),
                 key=lambda rva: exact_rows[rva]["dtlb_l1m_l2m"])
        exact, row = exact_rows[at], next(r for r in samples.rows if r["rva"] == at)
        walks, misses = exact["dtlb_l1m_l2m"] / exact["load_ops"], exact["dc_load_misses"] / exact["load_ops"]
        sampled_as(name + " DTLB", row["F205"], row["F201"], walks)
        sampled_as(name + " DC", row["X200"], row["F201"], misses)
        rates[name] = walks, misses
        if name == "matmul-interchanged":
            started, all_misses = exact["dc_load_misses"] - exact["mab_hits"], exact["dc_load_misses"]
        lines.append(f"{name} at {row['text']}: DTLB {100 * walks:.4f} % exact (predicted {100 * predicted[name]:.4f}), {row['F205']} of "
                     f"{row['F201']} sampled; DC {100 * misses:.2f} %, {row['X200']} sampled")
    text = "; ".join(lines)
    for name, (walks, misses) in rates.items():
        # The prediction leaves out the pages at the ends of b's rows, and those of the other arrays.
        if not 0.9 <= walks / predicted[name] <= 1.1:
            raise Failed(f"{name}: {text}")
        if name != "matmul-classic" and misses > ELEMENT / LINE * 1.1:
            raise Failed(f"{name}: more DC misses than one in a line: {text}")
    if len(rates) != 3 or rates["matmul-classic"][1] < 2 * ELEMENT / LINE:
        raise Failed(text)
    if not 0.98 <= started / streams_of_rows(n) <= 1.02:
        raise Failed(f"matmul-interchanged: {started} lines missed, {streams_of_rows(n)} starts of streams: {text}")
    documented(folder, "docs/workloads.md: Of {} misses {} are lines that had not been requested: three where a row of b begins, which start a stream, "
               "and two where the row continues in the next page ({} by b's place).", all_misses, started, streams_of_rows(n))
    rows = {"matmul-classic": "| classic | {} %: each step that leaves the page, 4000 of 4096 | {} % | {} % |",
            "matmul-interchanged": "| interchanged | {} %: each page of b once in n * n loads | {} % | {} % |",
            "matmul-blocked": "| blocked, block=32 | {} %: the same | {} % | {} % |"}
    for name, (walks, misses) in rates.items():
        documented(folder, "docs/workloads.md: " + rows[name], f"{100 * predicted[name]:.4f}", f"{100 * walks:.4f}", f"{100 * misses:.2f}")
    return text


def check_mispredicted(folder, shuffled, ordered):
    """Compares the mispredicted share of sampled branches on data, exact and sampled, between the run on shuffled and that on sorted
    data. The truth has the sum of both runs."""
    rates = []
    for path, facts in runs(folder):
        row = max((r for r in Samples(path).rows if r["function"] == "branch_sorted" and r["text"].startswith("jb")),
                  key=lambda r: r["F103"] if "F103" in r else 0)
        rates.append((row["F104"], row["F103"], row["rva"]))
    exact = truth(folder)[0][rates[0][2]]
    per_run = exact["executions"] / 2
    (bad_a, all_a, _), (bad_b, all_b, _) = rates
    line = (f"branch on data: {bad_a} of {all_a} mispredicted on shuffled data, {bad_b} of {all_b} on sorted; exact: {exact['mispredicted']} "
            f"of {per_run:.0f} in both runs")
    sampled_as(line, bad_b, all_b, float(ordered))
    sampled_as(line, bad_a, all_a, exact["mispredicted"] / per_run)
    if not 0.8 * float(shuffled) <= bad_a / all_a <= 1.1 * float(shuffled):
        raise Failed(line)
    return line


# docs/model.md, revision C: cycles from the start of an access to its data, kilobytes; a DC miss's latency begins after the L1D's 3.
L1_KB, L2_KB, L3_KB = 64, 512, 6144
LEVELS = (("L1", L1_KB, 0), ("L2", L1_KB + L2_KB, 15 - 3), ("L3", L1_KB + L2_KB + L3_KB, 55 - 3), ("DRAM", 1 << 30, 165 - 3))


def load_latencies(path):
    """Returns the DC miss latency of each sampled load of the walk, 0 for a hit."""
    text = subprocess.run(["build/tools/ibsprof", "export", "-f", "csv", "-s", "op", path], check=True, capture_output=True,
                          text=True).stdout
    rows = list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
    facts = dict(runs(os.path.dirname(os.path.dirname(path))))[path]
    hop = max(Samples(path).rows, key=lambda row: row["F201"])["rva"] + int(facts["image_base"], 16)
    return [int(row["IbsDcMissLat"]) if row["IbsDcMiss"] == "1" else 0 for row in rows if int(row["IbsOpRip"], 16) == hop]


def check_staircase(folder):
    """Checks that the medians of DC miss latencies of a random walk rise where the model's levels end, to the model's latencies."""
    lines, wrong, seen = [], [], set()
    for path, facts in runs(folder):
        kb, values = int(facts["workload.kb"]), sorted(load_latencies(path))
        name, _, latency = next(level for level in LEVELS if kb <= level[1])
        p50, p90 = values[len(values) // 2], values[len(values) * 9 // 10]
        lines.append(f"{kb} KB: {p50} / {p90} ({name}, {len(values)} loads)")
        seen.add(name)
        if p50 != latency or len(values) < 80:
            wrong.append(f"{kb} KB: median {p50}, wanted {latency} of {name}")
    if wrong or len(seen) != len(LEVELS):
        raise Failed("; ".join(wrong) + " | " + ", ".join(lines))
    return "median / 90th percentile in cycles: " + ", ".join(lines)


if __name__ == "__main__":
    main(globals())
