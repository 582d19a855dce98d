#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks on the results of one boot: check.py FOLDER CHECK [ARGUMENT]...

FOLDER holds console.txt, truth.csv and runs/*/{report.txt,profile.csv,run.ini,perf.data}. Everything is computed again here from
profile.csv and truth.csv, without code of the project. Prints one line with the figures; exit status 1 when the check fails.
"""
import csv
import glob
import math
import os
import re
import subprocess
import sys

import column_walk
import paper_row
from run_csv import read_rows
from verdict import Failed, main


def latest_run(folder):
    runs = sorted(glob.glob(os.path.join(folder, "runs", "*")))
    if not runs:
        raise Failed("no run was saved")
    return runs[-1]


class Run:
    def __init__(self, folder):
        self.folder = folder
        self.path = latest_run(folder)
        rows = read_rows(os.path.join(self.path, "profile.csv"))
        codes = {name.split()[0]: i for i, name in enumerate(rows[0])}
        self.rows = []  # instructions of the map
        self.total = {}
        for row in rows[1:]:
            item = {code: int(row[i]) for code, i in codes.items() if code[0] in "FX"}
            item.update(rva=row[codes["rva"]], function=row[codes["function"]], line=row[codes["line"]],
                        text=row[codes["instruction"]])
            for code in item:
                if code[0] in "FX":
                    self.total[code] = self.total.get(code, 0) + item[code]
            if item["rva"]:
                item["rva"] = int(item["rva"], 16)
                self.rows.append(item)

    def file(self, name):
        return os.path.join(self.path, name)

    def fact(self, key):
        """Returns a fact of run.ini ("#: key = value"), or a setting."""
        with open(self.file("run.ini")) as file:
            for line in file:
                if line.startswith((f"#: {key} = ", f"{key} = ")):
                    return line.split(" = ", 1)[1].strip()
        raise Failed(f"run.ini has no {key}")

    def culprit(self):
        """Returns the load of b[k][j], found by its code: the load with displacement 8 after "add rax, 0F9238h" (b's place / 4)."""
        loads = [row for before, row in zip(self.rows, self.rows[1:])
                 if "f9238" in before["text"].lower() and before["text"].startswith("add")]
        if not loads:
            raise Failed("the load of b[k][j] is not in the profile")
        return max(loads, key=lambda row: row["F201"])  # x87 or SSE: the one that was executed


def truth(folder):
    rows, totals, header = {}, {}, None
    with open(os.path.join(folder, "truth.csv"), newline="") as file:
        for row in csv.reader(file):
            if row[0].startswith("#"):
                if len(row) == 2:
                    totals[row[0][1:].strip()] = row[1]
            elif header is None:
                header = row
            else:
                item = {name: int(value) for name, value in zip(header[1:], row[1:])}
                rows[row[0] if row[0] == "outside" else int(row[0], 16)] = item
    return rows, totals


def percent(part, whole):
    if whole == 0:
        raise Failed("nothing was counted to take a share of")
    return 100.0 * part / whole


def within(name, value, low, high, unit=" %"):
    line = f"{name} = {value:.2f}{unit}, wanted {low} to {high}"
    if not low <= value <= high:
        raise Failed(line)
    return line


def check_samples(folder, kind, least):
    value = Run(folder).total["F100" if kind == "op" else "F000"]
    if value < int(least):
        raise Failed(f"{value} {kind} samples, wanted at least {least}")
    return f"{value} {kind} samples"


def check_miss_ratio(folder, low, high):
    row = Run(folder).culprit()
    return within(f"DC miss ratio at {row['rva']:x} {row['text']} ({row['X200']} of {row['F201']} loads)",
                  percent(row["X200"], row["F201"]), float(low), float(high))


def check_culprit_share(folder, least):
    run = Run(folder)
    row = run.culprit()
    loop = sum(r["X200"] for r in run.rows if r["function"] == row["function"])
    return within("share of the function's DC misses at the load of b[k][j]", percent(row["X200"], loop), float(least), 100)


def check_culprit_truth(folder, errors, least):
    """Compares the culprit's sampled share of its function's load misses in the DC with the exact share, in standard errors of that
    number of misses. The exact share must also reach the given percentage."""
    rows, _ = truth(folder)
    run = Run(folder)
    row = run.culprit()
    loop = [r for r in run.rows if r["function"] == row["function"]]
    sampled_misses = sum(r["X200"] for r in loop)
    exact = percent(rows[row["rva"]]["dc_load_misses"], sum(rows[r["rva"]]["dc_load_misses"] for r in loop if r["rva"] in rows))
    sampled = percent(row["X200"], sampled_misses)
    if exact < float(least):
        raise Failed(f"exact share of the DC misses at the load of b[k][j] = {exact:.2f} %, wanted {least} % or more")
    error = math.sqrt(exact * (100 - exact) / sampled_misses)
    return within(f"share of {sampled_misses} DC misses at the load of b[k][j] {sampled:.2f} % sampled, {exact:.2f} % exact: difference",
                  abs(sampled - exact) / error, 0, float(errors), f" standard errors of {error:.2f} points")


def check_dtlb_share(folder, errors):
    """The 1000 rows of a column need more pages than both DTLBs hold, so each step to another page walks: 4000 of 4096. Exact to a tenth
    of a point (the column's end), sampled within standard errors of that number of loads."""
    rows, _ = truth(folder)
    row = Run(folder).culprit()
    predicted = 100 * column_walk.ROW / column_walk.PAGE
    exact = percent(rows[row["rva"]]["dtlb_l1m_l2m"], rows[row["rva"]]["load_ops"])
    if abs(exact - predicted) > 0.1:
        raise Failed(f"L1M L2M share of the loads of b[k][j]: {exact:.2f} % exact, {predicted:.2f} % predicted")
    error = math.sqrt(predicted * (100 - predicted) / row["F201"])
    return within(f"L1M L2M share of the loads of b[k][j] {percent(row['X202'], row['F201']):.2f} % sampled, {predicted:.2f} % predicted: difference",
                  abs(percent(row["X202"], row["F201"]) - predicted) / error, 0, float(errors), f" standard errors of {error:.2f} points")


def check_dtlb_misses(folder, most):
    run = Run(folder)
    misses = sum(r["F204"] + r["F205"] for r in run.rows)
    return within("L1 DTLB misses among load/store ops", percent(misses, sum(r["F200"] for r in run.rows)), 0, float(most))


def distance(run, rows, mine, theirs):
    """Returns the total variation distance of the samples' shares from the exact ones, and its expectation from chance alone."""
    samples = {r["rva"]: r[mine] for r in run.rows}
    n, exact = sum(samples.values()), sum(rows[rva][theirs] for rva in rows if rva != "outside")
    if n == 0 or exact == 0:
        raise Failed("no samples or no truth")
    tvd = floor = 0.0
    for rva in set(samples) | {r for r in rows if r != "outside"}:
        p = rows.get(rva, {theirs: 0})[theirs] / exact
        tvd += abs(samples.get(rva, 0) / n - p) / 2
        # E|X| of a binomial share around p is sqrt(2 p (1-p) / (pi n)); the distance has half of that.
        floor += math.sqrt(p * (1 - p) / (2 * math.pi * n))
    return 100 * tvd, 100 * floor, n


def check_truth(folder, excess):
    """The distance may exceed the expectation from chance by the given points, or by 3.1 of its standard deviations (one in a thousand)
    if that is more: with few samples the points would be within the scatter. A distance is half a sum of |normal| values, each with
    the variance (1 - 2/pi) p (1 - p) / n."""
    rows, _ = truth(folder)
    run = Run(folder)
    tvd, floor, n = distance(run, rows, "F100", "ops")
    shares = [row["ops"] for rva, row in rows.items() if rva != "outside"]
    spread = sum(x / sum(shares) * (1 - x / sum(shares)) for x in shares)
    scatter = 100 * 0.5 * math.sqrt((1 - 2 / math.pi) * spread / n)
    line = (f"distance of {n} op samples from the truth = {tvd:.2f} %, chance alone {floor:.2f} +- {scatter:.2f} %, "
            f"wanted within {max(3.1 * scatter, float(excess)):.2f} % more")
    if tvd > floor + max(3.1 * scatter, float(excess)):
        raise Failed(line)
    return line


def check_biased(folder, least):
    rows, _ = truth(folder)
    tvd, floor, _ = distance(Run(folder), rows, "F100", "ops")
    return within(f"distance from the executed ops {tvd:.2f} %, chance alone {floor:.2f} %: excess", tvd - floor, float(least), 100)


def check_truth_ratio(folder, errors):
    """Compares the culprit's sampled miss ratio with the exact one, in standard errors of that number of loads."""
    rows, _ = truth(folder)
    row = Run(folder).culprit()
    exact = percent(rows[row["rva"]]["dc_load_misses"], rows[row["rva"]]["load_ops"])
    sampled = percent(row["X200"], row["F201"])
    error = math.sqrt(exact * (100 - exact) / row["F201"])
    return within(f"DC miss ratio {sampled:.2f} % sampled, {exact:.2f} % exact: difference", abs(sampled - exact) / error, 0,
                  float(errors), f" standard errors of {error:.2f} points")


PAPER = 892, 4090  # misses and loads at b[k][j] in AMD's paper, for printing only


def check_walk(folder, frames):
    """Compares the culprit's exact miss ratio with the prediction from the arrays' addresses (column_walk.py): with contiguous frames
    within a twentieth of a point, for lines of a that the model's prefetcher misses; with shuffled frames within four standard
    deviations over such orders."""
    run, (rows, _) = Run(folder), truth(folder)
    row = run.culprit()
    exact = percent(rows[row["rva"]]["dc_load_misses"], rows[row["rva"]]["load_ops"])
    if frames == "contiguous":
        base = int(run.fact("arena.physical"), 16)
        low, high = (100 * share for share in column_walk.predicted(base))
        low, high = low - 0.05, high + 0.05
    else:
        mean, deviation, _, _ = column_walk.spread()
        low, high = (100 * (mean + side * deviation) for side in (-4, 4))
    error = math.sqrt(exact * (100 - exact) / row["F201"])
    line = (f"DC miss ratio at {row['text']}, {frames} frames: {exact:.2f} % exact, {low:.2f} to {high:.2f} predicted; "
            f"{row['X200']} of {row['F201']} sampled = {percent(row['X200'], row['F201']):.2f} +- {error:.2f} % "
            f"(AMD's paper: {PAPER[0]} of {PAPER[1]} = {percent(*PAPER):.1f} %)")
    if not low <= exact <= high:
        raise Failed(line)
    return line


def documented(folder, template, *values):
    """Checks that a document has these figures: see figures.py."""
    figures = subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "figures.py"), folder, template, *map(str, values)],
                             capture_output=True, text=True)
    if figures.returncode:
        raise Failed(figures.stderr.strip())
    return figures.stdout.strip()


def check_paper_row(folder, name):
    """Compares the row of that name in docs/paper.md with this boot's samples and exact counts."""
    rows, _ = truth(folder)
    row = Run(folder).culprit()
    exact = rows[row["rva"]]
    values = (row["X200"], row["F201"], f"{percent(row['X200'], row['F201']):.1f}",
              f"{percent(exact['dc_load_misses'], exact['load_ops']):.2f}", f"{row['F219'] / row['X200']:.2f}",
              f"{exact['dc_miss_latency_cycles'] / exact['dc_load_misses']:.1f}", f"{percent(row['X202'], row['F201']):.1f}")
    if os.environ.get("REBASE") == "1":
        return documented(folder, paper_row.template(name), *values)
    with open("docs/paper.md", encoding="utf-8") as file:
        wrong = paper_row.differences(file.read(), name, values)
    if wrong:
        raise Failed(f"{name}: " + "; ".join(wrong) + " (REBASE=1 writes the document anew)")
    return f"docs/paper.md's {name} is this boot's: the exact figures to the digit, {values[0]} / {values[1]} samples by chance"


def check_walk_figures(folder):
    """Checks the documents' figures on the ratio with shuffled frames, and on column_walk.py's predictions."""
    rows, _ = truth(folder)
    row = rows[Run(folder).culprit()["rva"]]
    low, high = (f"{100 * share:.1f}" for share in column_walk.predicted())
    mean, _, least, most = (f"{100 * share:.1f}" for share in column_walk.spread())
    return "; ".join((
        documented(folder, "docs/reading-a-run.md: misses about three times as often ({} % with the order of `frame_seed=1`",
                   f"{percent(row['dc_load_misses'], row['load_ops']):.0f}"),
        documented(folder, "docs/paper.md: (`tests/boot/check/column_walk.py`) gives {} to {} %", low, high),
        documented(folder, "docs/paper.md: over 20 orders that simulation has {} to {} %, {} % in the mean", least, most, mean)))


def check_late(folder):
    """Checks that all late NMIs of the model were seen and discarded; samples in transfer at the stop add to them."""
    _, totals = truth(folder)
    raised = int(totals["late_nmis"])
    seen = int(Run(folder).fact("nmi.late"))
    line = f"{raised} late NMIs raised, {seen} seen after the stop had begun"
    if not 1 <= raised <= seen:
        raise Failed(line)
    return line


def check_executions(folder, expected):
    rows, _ = truth(folder)
    row = Run(folder).culprit()
    value = rows[row["rva"]]["executions"]
    if value != int(expected):
        raise Failed(f"the load of b[k][j] ran {value} times, wanted {expected}")
    return f"the load of b[k][j] ran {value} times"


def check_identities(folder):
    total = Run(folder).total
    equal = [
        (["F000"], ["F001", "F002"]), (["F002"], ["F003", "F004"]), (["F203", "F204", "F205"], ["X201"]),
        (["F206", "F207"], ["F200"]), (["F211", "F212", "F213"], ["F203"]), (["F215", "F216", "F217"], ["F204"]),
        (["F240", "F241"], ["X240"]),
    ]
    if Run(folder).fact("machine.family") != "16":  # a family has no column for events without a source
        equal = [(left, right) for left, right in equal if all(c in total for c in left + right)]
    for left, right in equal:
        a, b = sum(total[c] for c in left), sum(total[c] for c in right)
        if a != b:
            raise Failed(f"{'+'.join(left)} = {a}, {'+'.join(right)} = {b}")
    if total["F201"] + total["F202"] < total["F200"]:
        raise Failed("F201 + F202 < F200")
    with open(os.path.join(folder, "console.txt")) as file:
        text = file.read()
    if "FAIL" in text or "PASS F000" not in text:
        raise Failed("the image's own checks did not all pass")
    return f"{len(equal) + 1} identities hold over {total['F000'] + total['F100']} samples, and the image says so too"


def check_report(folder):
    """Checks that the console has report.txt word for word, and no line exceeds an 80-column screen."""
    run = Run(folder)
    with open(os.path.join(folder, "console.txt")) as file:
        console = file.read()
    with open(run.file("report.txt")) as file:
        report = file.read().split("\n", 1)[1]
    if report not in console:
        raise Failed("report.txt is not what the console showed")
    wide = [line for line in report.split("\n") if len(line) > 79]
    if wide:
        raise Failed(f"{len(wide)} lines are wider than 79: {wide[0]}")
    order = [report.find(title) for title in ("IBS fetch profile", "IBS op profile", "load/store", "DC miss latency")]
    if -1 in order or order != sorted(order):
        raise Failed(f"the paper's tables are missing or out of order: {order}")
    return f"report.txt ({report.count(chr(10))} lines) is on the console, at most 79 columns wide, tables in the paper's order"


def check_ini(folder, key, expected):
    value = Run(folder).fact(key)
    if value != expected:
        raise Failed(f"run.ini: {key} = {value}, wanted {expected}")
    return f"run.ini: {key} = {value}"


def check_handler_cost(folder, kind, most):
    with open(os.path.join(folder, "handler.csv"), newline="") as file:
        rows = {row["what"]: row for row in csv.DictReader(file) if row["kind"] == kind and not row["msr"]}
    value = float(rows["instructions"]["per_sample"])
    line = f"{value:.1f} instructions for each {kind} sample ({rows['nmis']['count']} of them), wanted below {most}"
    if value >= float(most):
        raise Failed(line)
    return line


def check_handler_paths(folder, kind, usual, rare=""):
    """Checks the lengths of the paths through the handler, in instructions: all usual ones occur, and no others except rare ones. A
    kind's mean depends on the samples, a path's length only on the handler's code."""
    with open(os.path.join(folder, "handler.csv"), newline="") as file:
        seen = {row["what"].removeprefix("path_") for row in csv.DictReader(file) if row["kind"] == kind and row["what"].startswith("path_")}
    usual, rare = set(usual.split(",")), set(rare.split(","))
    if not usual <= seen or not seen <= usual | rare:
        raise Failed(f"{kind} handlers of {', '.join(sorted(seen))} instructions, wanted {', '.join(sorted(usual))}, at times {', '.join(sorted(rare))}")
    return f"{kind} handlers have {', '.join(sorted(seen))} instructions"


def check_handlers(folder):
    """Checks handler.csv, which the shim counts while it steps the handlers. It has each NMI that the model raised, once and under its
    kind: one per sample of op sampling; those without a sample (late ones, and erratum 420's); and those of the local APIC, of which
    the self-test has printed the timer's. The instructions of each kind are between those of its shortest and its longest handler."""
    with open(os.path.join(folder, "handler.csv"), newline="") as file:
        rows = {(row["kind"], row["what"]): int(row["count"]) for row in csv.DictReader(file) if not row["msr"]}
    totals = {name: int(value) for name, value in truth(folder)[1].items() if value.isdigit()}
    with open(os.path.join(folder, "console.txt")) as file:
        timer = int(re.search(r"^selftest: ok an NMI each time it ends \(([0-9a-f]+)\)$", file.read(), re.M)[1], 16)
    wanted = {"op": totals["op_samples"], "none": totals["late_nmis"] + totals["erratum420_nmis"], "timer": timer,
              "counter": totals["apic_nmis"] - timer}
    for kind, count in wanted.items():
        nmis, instructions = rows[kind, "nmis"], rows[kind, "instructions"]
        least, most = (nmis * rows[kind, "instructions_" + end] for end in ("minimum", "maximum"))
        line = f"{kind}: {nmis} NMIs, the model raised {count}; {instructions} instructions, {least} to {most} by the shortest and longest"
        if nmis != count or count == 0 or not least <= instructions <= most or least == 0:
            raise Failed(line)
    return "handlers counted: " + ", ".join(f"{kind} {count}" for kind, count in wanted.items())


def check_alias_period(folder, period, loop):
    """Returns the period at which every sample of a loop with the given number of ops hits the same op. The handler executes a few ops
    after it re-arms IBS, which count too: they are the gap between period and workload ops in this run of the given period."""
    _, totals = truth(folder)
    workload = int(totals["steps"]) - int(totals["steps_outside_map"])
    # Up to a period of ops precede the first sample and follow the last: less than half an op for each sample.
    after = int(period) - round(workload / int(totals["op_samples"]))
    return next(p for p in range(512, 0xFFFF0, 16) if (p - after) % int(loop) == 0)


def check_hottest(folder):
    """Checks that the culprit has the most DC misses; prints its row to compare other tools with."""
    run = Run(folder)
    row = max(run.rows, key=lambda r: r["X200"])
    if row is not run.culprit():
        raise Failed(f"most DC misses are at {row['rva']:x} {row['text']}")
    return f"most DC misses are at {row['rva']:x} {row['text']}, the load of b[k][j]"


if __name__ == "__main__":
    main(globals())
