#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""check_trace.py FOLDER order RUNS SEQUENCE... | loop RUN N BODY | konata RUN LOG: traces of ops against what the program is.

order: the runs whose names begin so (0001,0002): their instructions, by first words, are SEQUENCE, where "3*(a b)" is a b three times; each
instruction's ops are there, from the first to the last; and all runs are the same in all but ticks. loop: a loop of BODY instructions of which
the last is its branch, which is reached from before the loop too, and taken N of N + 1 times. konata: the log has the ops, labels and cycles of trace.csv."""

import csv
import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check
import kanata


def rows_of(folder, run):
    paths = glob.glob(os.path.join(folder, "runs", f"{run}-*", "trace.csv"))
    if len(paths) != 1:
        raise check.Failed(f"{len(paths)} traces of run {run}")
    with open(paths[0], newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def instructions(rows):
    """Returns their first words; raises Failed if some ops of one are missing."""
    words = []
    for row, before in zip(rows, [None, *rows]):
        if row["macro_op"] == "1":
            words.append(row["instruction"].split()[0])
            complete = before is None or before["macro_op"] == before["ops"]
        else:
            complete = before and before["rva"] == row["rva"] and int(before["macro_op"]) + 1 == int(row["macro_op"])
        if not complete:
            raise check.Failed(f"op {row['op']}: not all ops of the instruction before")
    return words


def expanded(text):
    while match := re.search(r"(\d+)\*\(([^()]*)\)", text):
        text = text.replace(match.group(0), " ".join([match.group(2)] * int(match.group(1))))
    return text.split()


def order(folder, runs, *sequence):
    wanted, first = expanded(" ".join(sequence)), None
    for run in runs.split(","):
        rows = rows_of(folder, run)
        got = instructions(rows)
        if got != wanted:
            raise check.Failed(f"run {run}: {' '.join(got)}, not {' '.join(wanted)}")
        kept = [{key: value for key, value in row.items() if key != "ticks"} for row in rows]
        if first not in (None, kept):
            raise check.Failed(f"run {run} is another than the first")
        if any(row["differs"] or row["samples"] != row["passes"] for row in rows):
            raise check.Failed(f"run {run}: an op did not repeat")
        first = kept
    return f"{len(wanted)} instructions, {len(first)} ops, {len(runs.split(','))} times the same"


def loop(folder, run, turns, body):
    turns, body, rows = int(turns), int(body), rows_of(folder, run)
    inside = [row for row in rows if row["macro_op"] == "1"]
    branches = [i for i, row in enumerate(inside) if row["branch"] and row["instruction"].startswith("j")]
    inner = inside[branches[0]]["rva"]
    at = [i for i in branches if inside[i]["rva"] == inner]
    for a, b in zip(at, at[1:]):
        if inside[a]["branch"].endswith("not taken"):
            continue
        if b - a != body or [int(row["rva"], 16) for row in inside[a + 1 : b + 1]] != sorted(int(row["rva"], 16) for row in inside[a + 1 : b + 1]):
            raise check.Failed(f"op {inside[a]['op']}: a turn of {b - a} instructions, not {body} in order")
    leaves = [n for n, i in enumerate(at) if inside[i]["branch"].endswith("not taken")]
    if any(b - a != turns + 1 for a, b in zip(leaves, leaves[1:])) or len(leaves) < 2:
        raise check.Failed(f"the loop is left by its branches {leaves}, not after {turns} turns each time")
    return f"{len(rows)} ops, {len(at)} turns of {body} instructions, left {len(leaves)} times"


def konata(folder, run, log):
    rows, ops = rows_of(folder, run), kanata.read(log)
    if len(ops) != len(rows):
        raise check.Failed(f"{len(ops)} ops in the log, {len(rows)} in trace.csv")
    for op, row in zip(ops.values(), rows):
        lost = row["samples"] == "0"
        same = op.number == int(row["op"]) and op.flushed == lost and op.began == int(row["tag"])
        if not lost:
            done = max(int(row["tag"]), int(row["retire"]) - int(row["completion_to_retire"]))
            same = same and op.ended == int(row["retire"]) and row["instruction"] in op.label
            same = same and op.stages == [("T", op.began, done), ("C", done, op.ended)]
        if not same:
            raise check.Failed(f"op {row['op']}: {vars(op)}")
    return f"{len(ops)} ops in {max(op.ended for op in ops.values())} cycles"


if __name__ == "__main__":
    try:
        print({"order": order, "loop": loop, "konata": konata}[sys.argv[2]](sys.argv[1], *sys.argv[3:]))
    except (check.Failed, kanata.Wrong) as failed:
        sys.exit(f"{failed}")
