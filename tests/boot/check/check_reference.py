#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""check_reference.py FOLDER VERDICT: "What sampling changed" against the model's exact counts.

The counts without sampling are the model's to the digit, cycles of the TSC to one in 500; those with sampling, from which ibsboot takes
what the handler adds, are the workload's own, but for a 16th of that part, for what starting and stopping counts, and for one in 500.
Prints one line with the figures; exit status 1 when the check fails."""

import csv
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check
from check_counters import ini

EVENTS = {"cycles": ("076",), "dc_misses": ("041",), "walks": ("046", "045"), "mispredicted": ("0c3",), "instructions": ("0c0",),
          "beyond": ("043",)}


def counter_runs(folder, part):
    """Returns for each programming of a counter: select, how often it was enabled, its count, and the workload's part of that."""
    with open(os.path.join(folder, f"truth-{part}.csv"), newline="") as file:
        return [(row[3], int(row[5]), int(row[6]), int(row[7])) for row in csv.reader(file)
                if row[0] == "# pmc_run" and row[1] != "counter"]


def cycles(folder):
    """Returns the model's cycles of one pass without sampling."""
    with open(os.path.join(folder, "truth-reference.csv"), newline="") as file:
        rows = [row for row in csv.reader(file) if row[0] in ("# cycles", "# pmc_run")]
    return next(int(row[1]) for row in rows if row[0] == "# cycles") // sum(row[1] == "0" for row in rows)


def row_of(facts, name, quiet, busy):
    """Returns one event's figures in words; raises Failed."""
    figure = {what: int(facts[f"sampling.{name}.{what}"]) for what in ("undisturbed", "sampled", "handler")}
    counted = [(count, own) for select, _, count, own in quiet if select in EVENTS[name] and count == figure["undisturbed"]]
    if not counted:
        raise check.Failed(f"{name}: {figure['undisturbed']} without sampling, by the model {quiet}")
    edges = counted[0][0] - counted[0][1]  # count of starting and stopping
    exact = [own for select, windows, _, own in busy if select in EVENTS[name] and windows > 10 and (own or counted[0][1] < 10)]
    off = min((abs(figure["sampled"] - edges - own) for own in exact), default=None)
    if off is None or off > figure["handler"] / 16 + edges / 10 + figure["undisturbed"] / 500 + 10:
        raise check.Failed(f"{name}: sampled {figure['sampled']}, of the handler {figure['handler']}, exactly {exact}")
    return f"{name} {figure['undisturbed']}, {figure['sampled']} ({figure['handler']}) for {exact[-1]}"


def tags_lost(folder, facts):
    """For runs that count cycles: compares the intervals without a sample by the run with those by the model, whose pipeline also drains
    before each handler."""
    with open(os.path.join(folder, "truth.csv"), newline="") as file:
        exact = next(int(row[1]) for row in csv.reader(file) if row[0] == "# op_tags_skipped")
    lost, intervals = int(facts["ibs.tags_lost"]), int(facts["ibs.tag_intervals"])
    if not exact * 0.97 - 5 <= lost <= exact + intervals / 20 + 5:
        raise check.Failed(f"{lost} of {intervals} intervals without a sample, by the model {exact}")
    return f"; {lost} of {intervals} intervals without a sample, {exact} by the model"


def main(folder, verdict):
    facts = ini(folder)
    if facts["sampling"] != verdict:
        raise check.Failed(f"the verdict is {facts['sampling']}, wanted {verdict}")
    quiet, busy = counter_runs(folder, "reference"), counter_runs(folder, "other")
    if facts["sampling.clock"] == "TSC":
        figure = int(facts["sampling.cycles.undisturbed"])
        if abs(figure - cycles(folder)) > figure // 500:
            raise check.Failed(f"cycles: {figure} ticks, by the model {cycles(folder)}")
        quiet.append(("076", 1, figure, figure))
    names = [name for name in EVENTS if f"sampling.{name}.sampled" in facts]
    if len(names) < 3:
        raise check.Failed(f"only {names} were counted")
    text = "; ".join(row_of(facts, name, quiet, busy) for name in names)
    return f"{verdict}: {text}" + (tags_lost(folder, facts) if "ibs.tags_lost" in facts else "")


if __name__ == "__main__":
    try:
        print(main(*sys.argv[1:]))
    except check.Failed as failed:
        sys.exit(f"{failed}")
