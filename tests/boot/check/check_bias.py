#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks the output of 'ibsprof bias --json' for a boot: check_bias.py FOLDER CHECK [ARGUMENT]...

Total variation, chi-square and the floor of chance are computed again here, from exact.csv, profile.csv, pmc.csv and truth.csv.
"""
import glob
import json
import math
import os

from check import truth
from run_csv import read_dicts
from verdict import Failed, main, need

FEWEST = 5
COLUMN = {"IBS ops, counted in ops": "F100", "IBS ops, counted in cycles": "F100", "counter 0C0, retired instructions": "0C0",
          "counter 076, cycles": "076", "timer": "timer"}


def said(folder):
    with open(os.path.join(folder, "bias.json")) as file:
        return json.load(file)


def exact(folder):
    """Returns executions and macro-ops by RVA."""
    rows = read_dicts(glob.glob(os.path.join(folder, "runs", "0001-*-exact", "exact.csv"))[0])
    return {int(row["rva"], 16): (int(row["executions"]), int(row["executions"]) * int(row["ops"])) for row in rows}


def samples(path, begin):
    name = "profile.csv" if begin[0] == "F" else "pmc.csv"
    rows = read_dicts(os.path.join(path, name))
    column = [key for key in rows[0] if key.startswith(begin + " ")][0]
    return {int(row["rva"], 16): int(row[column]) for row in rows if row["rva"]}


def variation(one, other):
    ones, others = sum(one.values()), sum(other.values())
    return sum(abs(one.get(key, 0) / ones - other.get(key, 0) / others) for key in set(one) | set(other)) / 2


def deviation(n, p):
    """Returns the mean of |x - n p| of a binomial x, as the sum over all x."""
    return sum(math.comb(n, x) * p**x * (1 - p)**(n - x) * abs(x - n * p) for x in range(n + 1)) if 0 < p < 1 else 0


def chi_square(found, share):
    n, every = sum(found.values()), sum(share.values())
    cells = [(share[key] / every * n, found.get(key, 0)) for key in share]
    large, small = [cell for cell in cells if cell[0] >= FEWEST], [cell for cell in cells if cell[0] < FEWEST]
    if small and sum(cell[0] for cell in small) < FEWEST and large:
        small.append(large.pop(min(range(len(large)), key=lambda at: large[at][0])))  # of equal cells the first
    if small:
        large.append(tuple(map(sum, zip(*small))))
    return sum((got - wanted)**2 / wanted for wanted, got in large), len(large) - 1


def near(what, value, wanted):
    if not math.isclose(value, wanted, rel_tol=1e-6, abs_tol=1e-9):
        raise Failed(f"{what}: {value}, by this {wanted}")


def check_number(run, ops, row):
    """Compares the number of samples by ops with the expected one: ops of all passes divided by the mean interval, and chance."""
    with open(os.path.join(run, "run.ini")) as file:
        facts = dict(line[3:].rstrip("\n").split(" = ", 1) for line in file if line.startswith("#: "))
    period, width, passes = (int(facts["ibs." + key]) for key in ("op_period", "op_random_range", "repeats"))
    mean = passes * ops / period
    chance = 4 * math.sqrt(passes / 12 + mean * (width / period)**2 / 12)
    near("least samples", row["least"], mean - chance)
    near("most samples", row["most"], mean / (1 - 64 / period) + chance)
    near("missing samples", row["missing"], max(0, 1 - row["samples"] / row["least"]))
    near("samples too many", row["surplus"], max(0, row["samples"] / row["most"] - 1))
    return 1


def check_figures(folder, number):
    """Checks every comparison with counts, and that of plain samples with the true time."""
    counts, answer, compared, numbers = exact(folder), said(folder), 0, 0
    times, _ = truth(folder)
    time = {rva: times[rva]["time_sixths"] / 6 for rva in counts}
    time["front"] = sum(times[rva]["empty_cycles"] for rva in counts)
    for row in answer["rows"]:
        if row["estimate"]:
            continue
        found = {rva: n for rva, n in samples(answer["runs"][row["run"]], COLUMN[row["sampled"]]).items() if n}
        shares = time if row["against"] == "true time" else {rva: of[row["against"] == "macro-ops"] for rva, of in counts.items()}
        name = f"{row['sampled']} against {row['against']}"
        near(name + ", variation", row["tvd"], variation(found, shares))
        need(row["samples"] == sum(found.values()), f"{name}: {row['samples']} samples, {sum(found.values())} in the file")
        if row["against"] == "true time":
            continue
        if row["samples"] < 1000:  # beyond this, terms of the sum exceed a double
            near(name + ", chance", row["chance"]["value"],
                 sum(deviation(row["samples"], share / sum(shares.values())) for share in shares.values()) / 2 / row["samples"])
        need(row["chance"]["value"] < row["chance"]["high"] < 2 * row["chance"]["value"], f"{name}: {row['chance']}")
        chi2, df = chi_square(found, shares)
        near(name + ", chi-square", row["chi2"], chi2)
        need(row["df"] == df, f"{name}: {row['df']} degrees of freedom, by this {df}")
        if "IBS ops, counted in ops" in name and row["against"] == "macro-ops" and "least" in row:
            numbers += check_number(answer["runs"][row["run"]], sum(ops for _, ops in counts.values()), row)
        compared += row["against"] == "macro-ops"
    need(compared == int(number), f"{compared} ways, wanted {number}")
    need(numbers == 1, f"the number of samples is told of {numbers} runs, not of the one by ops")
    return f"{compared} ways of sampling: all figures as computed here"


def by_chance(row):
    """Returns whether chance gives as much more often than once in a thousand times: other code between the samples moves them all."""
    return min(row["p"], row["p_tvd"]) > 0.001 and not row["never"] and not row["even"]


def check_verdicts(folder):
    """Checks that ops are within chance, but cycles, counters and the timer are not: skid puts half of their samples one instruction
    late."""
    answer = said(folder)
    rows = {(row["sampled"], row["against"]): row for row in answer["rows"] if not row["estimate"]}
    words = []
    for name in COLUMN:
        row = rows[name, "macro-ops"]
        need(by_chance(row) if name == "IBS ops, counted in ops" else row["beyond"], f"{name}: {row['text']}")
        words.append(f"{name} {100 * row['tvd']:.1f} %")
    times = {(row["run"], row["sampled"], row["estimate"]): row["tvd"] for row in answer["rows"] if row["against"] == "true time"}
    for (run, name, estimate), tvd in times.items():
        if estimate == "moved back one instruction":
            need(tvd < times[run, name, None], f"{name}: moved back it is no nearer to the time, {tvd}")
    nearest = answer["rows"][answer["nearest"]]
    need(nearest["tvd"] == min(times.values()), f"not the nearest: {nearest}")
    return ", ".join(words) + f"; nearest to the time {nearest['sampled']}, {100 * nearest['tvd']:.1f} %"


def ops_row(folder):
    return [row for row in said(folder)["rows"] if row["against"] == "macro-ops"][0]


def check_fixed(folder):
    row = ops_row(folder)
    need(row["beyond"] and row["tvd"] > 0.5, row["text"])
    need(row["missing"] > 0.05, f"missing: {row['missing']}")  # IbsOpCurCnt would have shortened the intervals
    return f"{row['text']}; {100 * row['missing']:.1f} % missing"


def check_within(folder):
    row = ops_row(folder)
    need(by_chance(row), row["text"])
    need(not row["missing"] and not row["surplus"], f"{row['samples']} samples, {row['least']:.0f} to {row['most']:.0f} by their intervals")
    return row["text"]


if __name__ == "__main__":
    main(globals())
