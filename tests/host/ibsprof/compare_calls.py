# SPDX-License-Identifier: BSD-2-Clause
"""Call stacks of a recording: ibsprof's rows against perf script's stacks and perf report's columns Children and Self.

usage: compare_calls.py PROGRAM SCRIPT REPORT CALLERS CALLEES STACKS
  SCRIPT   perf script -F ip,sym,dso    REPORT  perf report --children --stdio -g none --sort dso,sym
  CALLERS, CALLEES, STACKS  ibsprof report --by=caller|callee|stack --csv

Only functions of the program and calls between them are compared: perf and ibsprof name others by different files.
"""
import collections
import csv
import re
import sys

program, script, report, *ours = sys.argv[1:]


def stacks():
    stack = []
    for line in list(open(script)) + [""]:
        match = re.match(r"\s+([0-9a-f]+) (.+) \((.+)\)$", line.rstrip())
        if match:
            file = match[3].rsplit("/", 1)[-1]
            stack.append((match[2] if file == program else "[unknown]", file))
        elif stack:
            yield stack
            stack = []


def rows_of(path):
    return csv.DictReader(line for line in open(path, newline="") if not line.startswith("#"))


own, total, calls, whole, samples = (collections.Counter() for _ in range(5))
for stack in stacks():
    samples["all"] += 1
    whole[tuple(name for name, file in stack if file == program)] += 1
    if stack[0][1] == program:
        own[stack[0][0]] += 1
    for name in {name for name, file in stack if file == program}:
        total[name] += 1
    for pair in {(a[0], b[0]) for a, b in zip(stack, stack[1:]) if a[1] == program == b[1]}:
        calls[pair] += 1  # callee, caller

problems = []


def same(what, theirs, mine):
    mine = {key: value for key, value in mine.items() if value}
    if dict(theirs) != mine:
        keys = [key for key in {*theirs, *mine} if theirs.get(key) != mine.get(key)]
        problems.append(f"{what}: {[(key, theirs.get(key), mine.get(key)) for key in keys[:5]]} (perf, ibsprof)")


shares = {}
for path, kind in zip(ours, ("caller", "callee")):
    my_own, my_total, my_calls, function = {}, {}, {}, None
    for row in rows_of(path):
        mine = row["module"] == program and row["function"] != "[unknown]"
        if row["row"] == "function":
            function = row["function"] if mine else None
            if mine:
                my_own[function], my_total[function] = int(row["self"]), int(row["total"])
                shares[function] = float(row["percent"]), 100 * int(row["self"]) / samples["all"]
        elif mine and function is not None:
            my_calls[(function, row["function"]) if kind == "caller" else (row["function"], function)] = int(row["total"])
    same(kind + ", self", own, my_own)
    same(kind + ", total", total, my_total)
    same(kind + ", calls", calls, my_calls)

mine, names = collections.Counter(), collections.defaultdict(list)
counts = {}
for row in rows_of(ours[2]):
    counts[row["stack"]] = int(row["samples"])
    names[row["stack"]] += [row["function"]] if row["module"] == program else []
for stack, count in counts.items():
    mine[tuple(names[stack])] += count
same("stacks", whole, mine)

rows = 0
for line in open(report):
    match = re.match(r"\s*([\d.]+)%\s+([\d.]+)%\s+(\S+)\s+\[\.\] (\S+)\s*$", line)
    if match and match[3] == program and match[4] in shares:
        rows += 1
        for theirs, mine in zip((match[1], match[2]), shares[match[4]]):
            if abs(float(theirs) - mine) > 0.0051:
                problems.append(f"{match[4]}: perf report has {theirs} %, ibsprof {mine:.4f} %")
if rows < 4 or len(calls) < 4 or samples["all"] < 100:
    problems.append(f"too little to compare: {samples['all']} samples, {len(calls)} calls, {rows} rows of perf report")
print("\n".join(problems) or f"{samples['all']} samples, {len(total)} functions, {len(calls)} calls, {len(whole)} stacks, "
      f"{rows} rows of perf report")
sys.exit(bool(problems))
