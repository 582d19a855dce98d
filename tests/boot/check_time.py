#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""check_time.py FOLDER MOST: the estimate of time (time.csv) against the model's time by state of commit of the passes without sampling
(truth-reference.csv). Total variation, in percent, over instructions, what is outside of the map, and the front end; at most MOST, and less
than that of the shares of ops. The exact times of all instructions must be the cycles. Prints one line; exit status 1 otherwise."""

import csv
import glob
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check
import run_csv


def exact(folder):
    """Cycles by rva, of what is outside, and with nothing to retire; and all."""
    cycles, times = 0, {"front": 0}
    with open(os.path.join(folder, "truth-reference.csv"), newline="") as file:
        lines = list(csv.reader(file))
    for line in lines:
        if line[0] == "# cycles":
            cycles = int(line[1])
    table = [line for line in lines if not line[0].startswith("#")]
    for row in (dict(zip(table[0], line)) for line in table[1:]):
        times[row["rva"] if row["rva"] == "outside" else int(row["rva"], 16)] = int(row["time_sixths"]) / 6
        times["front"] += int(row["empty_cycles"])
    return times, cycles


def found(run):
    """Shares of time and of samples by the same names."""
    times, ops = {}, {}
    for row in run_csv.read_dicts(run + "/time.csv"):
        name = int(row["rva"], 16) if row["rva"] else "front" if row["function"] == "(front end)" else "outside"
        times[name], ops[name] = int(row["est. time [ppm]"]) / 1e6, int(row["ops [samples]"])
    return times, {name: count / sum(ops.values()) for name, count in ops.items()}


def variation(one, other):
    return 50 * sum(abs(one.get(name, 0) - other.get(name, 0)) for name in set(one) | set(other))


def main(folder, most):
    times, cycles = exact(folder)
    if abs(sum(times.values()) - cycles) > 12:  # which are counted at dispatch, and begin with the first fetch
        raise check.Failed(f"exact times are {sum(times.values()):.1f} of {cycles} cycles")
    share = {name: time / cycles for name, time in times.items()}
    estimated, ops = found(glob.glob(folder + "/runs/*")[0])
    line = f"estimated time {variation(estimated, share):.1f} % from the exact one, shares of ops {variation(ops, share):.1f} %"
    if not variation(estimated, share) <= min(float(most), variation(ops, share)):
        raise check.Failed(line)
    return line


if __name__ == "__main__":
    try:
        print(main(*sys.argv[1:]))
    except check.Failed as failed:
        sys.exit(f"{failed}")
