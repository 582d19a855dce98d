#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""check_once.py FOLDER LEAST: one sample a pass against the exact counts of a pass that nothing disturbed (truth-reference.csv).

Chi-square of the samples by instruction, and of the misses of each instruction with at least LEAST sampled loads. Prints one line with the
figures; exit status 1 when chance makes either so large less than once in a thousand times."""

import collections
import csv
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check

FEWEST = 5  # minimum of expected samples in a cell, the usual rule for chi-square


def exact_rows(folder):
    with open(os.path.join(folder, "truth-reference.csv"), newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {int(row["rva"], 16): {k: int(v) for k, v in row.items() if k != "rva"} for row in rows if row["rva"] != "outside"}


def normal(chi2, df):
    """Returns the standard deviations above the mean (Wilson and Hilferty, 1931); 0 for a single cell, which has no test."""
    if df < 1:
        return 0.0
    return (((chi2 / df) ** (1 / 3)) - 1 + 2 / (9 * df)) / math.sqrt(2 / (9 * df))


def cells(pairs):
    """Returns chi-square of (found, expected), after joining small cells, and its degrees of freedom."""
    chi2, count, rest = 0.0, 0, [0.0, 0.0]
    for found, expected in pairs:
        if expected < FEWEST:
            rest = [rest[0] + found, rest[1] + expected]
            continue
        chi2 += (found - expected) ** 2 / expected
        count += 1
    if rest[1] >= FEWEST:
        chi2 += (rest[0] - rest[1]) ** 2 / rest[1]
        count += 1
    return chi2, count - 1


def main(folder, least):
    run, exact = check.Run(folder), exact_rows(folder)
    sampled = collections.defaultdict(lambda: collections.defaultdict(int), {row["rva"]: row for row in run.rows})
    all_samples = sum(row["F100"] for row in run.rows)
    all_ops = sum(row["ops"] for row in exact.values())
    chi2, df = cells((sampled[rva]["F100"], row["ops"] / all_ops * all_samples) for rva, row in exact.items())
    words = [f"{all_samples} samples of {len(exact)} instructions: chi-square {chi2:.1f} of {df}, {normal(chi2, df):+.2f} deviations"]
    worst = normal(chi2, df)
    misses, loads = 0.0, 0
    for rva, row in exact.items():
        n, p = sampled[rva]["F201"], row["dc_load_misses"] / row["load_ops"] if row["load_ops"] else 0
        if n < int(least):
            continue
        if not 0 < p < 1:
            if sampled[rva]["X200"] != n * p:
                raise check.Failed(f"{rva:x}: {sampled[rva]['X200']} of {n} loads missed, exactly {p:.0%} do")
            continue
        misses += (sampled[rva]["X200"] - n * p) ** 2 / (n * p * (1 - p))
        loads += 1
    if loads:
        worst = max(worst, normal(misses, loads))
        words.append(f"misses of {loads} loads: {misses:.1f}, {normal(misses, loads):+.2f}")
    if df < 1 and not loads:
        raise check.Failed(words[0] + ": too few samples to tell anything")
    if worst > 3.1:
        raise check.Failed("; ".join(words))
    return "; ".join(words)


if __name__ == "__main__":
    try:
        print(main(*sys.argv[1:]))
    except check.Failed as failed:
        sys.exit(f"{failed}")
