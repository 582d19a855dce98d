#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks a boot of runs with config=exact: check_exact.py FOLDER CHECK [ARGUMENT]..."""
import os
import re

from check import truth
from run_csv import read_exact
from verdict import Failed, main, need

COLUMNS = ("executions", "load_ops", "store_ops", "branches", "taken")


def runs(folder):
    return [os.path.join(folder, "runs", name) for name in sorted(os.listdir(os.path.join(folder, "runs")))]


def all_rows(folder):
    """Returns the rows of all runs, each of which has measured other code."""
    found = {}
    for run in runs(folder):
        for rva, row in read_exact(os.path.join(run, "exact.csv")).items():
            need(rva not in found, f"{run}: {rva:x} is in another run, too")
            found[rva] = row
    return found


def check_truth(folder, number):
    """Compares each instruction's counts with the virtual PMU's, in a boot that measured each workload once."""
    rows, (model, _) = all_rows(folder), truth(folder)
    model.pop("outside", None)
    need(len(runs(folder)) == int(number), f"{len(runs(folder))} runs, wanted {number}")
    need(rows.keys() == model.keys(), f"other instructions: {sorted(rows.keys() ^ model.keys())[:8]}")
    for rva, row in rows.items():
        for name in COLUMNS:
            if row[name] != model[rva][name]:
                raise Failed(f"{rva:x}: {name} {row[name]}, by the virtual PMU {model[rva][name]}")
    for run in runs(folder):
        counted(run)
    return f"{len(rows)} instructions of {number} workloads, {sum(row['executions'] for row in rows.values())} executions, equal in {', '.join(COLUMNS)}"


def counted(run):
    """Checks that both counters agree to the instruction."""
    with open(os.path.join(run, "report.txt")) as file:
        said = re.findall(r"^(same|OTHER) 0C([02]) .*: counter (\d+), step by step (\d+)$", file.read(), re.M)
    need([(word, event) for word, event, _, _ in said] == [("same", "0"), ("same", "2")], f"{run}: {said}")
    return f"{os.path.basename(run)}: {said[0][2]} instructions, {said[1][2]} branches by counter and by steps"


def check_counters(folder):
    """Checks the counters of a boot's last run."""
    return counted(runs(folder)[-1])


def check_same(folder, other):
    """Checks that another boot's last run has the same counts, instruction by instruction."""
    here, there = (read_exact(os.path.join(runs(path)[-1], "exact.csv")) for path in (folder, other))
    need(here and here == there, f"{len(here)} instructions, and {len(there)} in {other}, differ")
    return f"{len(here)} instructions, as in {other}"


if __name__ == "__main__":
    main(globals())
