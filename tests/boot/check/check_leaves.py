#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Planted bottlenecks in the trees of Zen: check_leaves.py BOOT planted FILE

FILE: a row for each run of the boot, "WORKLOAD SETTINGS | LEAF | more rows that may be first"; '#' begins a comment. The first note below
"Where to look" of each run names its LEAF, or one of the other rows; with '+' before LEAF, any of the notes may name it; with '?', the
note that names it says that it is not told apart from another; with '/', the first note says that it is not told apart from LEAF. With
'&' before a further row a later note names this one, too. "none | LEAF": no run plants this leaf, and none names it.

Each leaf of the tree is in FILE: each row with a threshold which not two such rows divide, of which the virtual PMU has the events. Prints
the table of all notes, too."""
import glob
import json
import re
import subprocess
import sys


def notes(text):
    """Returns the rows in "Where to look" with their figures, in order, '?' before those that are not told apart from another, whose name comes
    after a '/'; empty: no row is above its threshold."""
    part = re.split("^Where to look.*$", text, maxsplit=1, flags=re.M)
    rows = re.findall(r"^(\S.*?): (-?[0-9.]+) %.*(?:\n  But   not told apart from '(.*?)')?", part[1], re.M) if len(part) > 1 else []
    return [("?" * bool(but) + name, "/" + but, float(value)) for name, value, but in rows]


def leaves_of(run):
    """Returns the names of the leaves of a run's tree."""
    report = subprocess.run(["build/tools/ibsprof", "report", "--json", run], check=True, capture_output=True, encoding="utf-8").stdout
    tree = json.loads(report)["counters"]["tree"]
    divided = [row["parent"] for row in tree if row["limit_ppm"]]
    return {row["name"] for at, row in enumerate(tree) if row["limit_ppm"] and divided.count(at) < 2 and row["state"] != "not modelled"}


def planted(boot, path):
    with open(path, encoding="utf-8") as file:
        rows = [[cell.strip() for cell in line.split("|")] for line in file if line.strip() and not line.startswith("#")]
    never, rows = [row[1] for row in rows if row[0] == "none"], [row for row in rows if row[0] != "none"]
    runs, wrong = sorted(glob.glob(boot + "/runs/*/")), []
    if len(runs) != len(rows):
        sys.exit(f"{len(runs)} runs of {len(rows)}")
    for run, (settings, *leaves) in zip(runs, rows):
        with open(run + "report.txt", encoding="utf-8") as file:
            said = notes(file.read())
        first, other, _ = said[0] if said else ("none", "/", 0)
        right = first in leaves or other in leaves or any(leaf in ("+" + name, name) for leaf in leaves if leaf[0] in "+?" for name, _, _ in said)
        names = {name.lstrip("?") for name, _, _ in said}
        right = right and all(leaf[1:] in names for leaf in leaves if leaf[0] == "&") and not names.intersection(never)
        print(f"{settings:45} {'; '.join(f'{name} {value}' for name, _, value in said) or 'none'}", file=sys.stderr)
        if not right:
            wrong.append(f"{settings}: first {first}, not {' or '.join(leaves)}")
    without = leaves_of(runs[0]) ^ {leaf.lstrip("+?/&") for _, *leaves in rows for leaf in leaves} ^ set(never)
    if without:
        wrong.append(f"without a row, or no leaf: {', '.join(sorted(without))}")
    if wrong:
        sys.exit("; ".join(wrong))
    print(f"{len(rows)} planted bottlenecks are named, {sum(leaves[0][0] not in '+?/' for _, *leaves in rows)} of them first; "
          f"{len(leaves_of(runs[0])) - len(never)} leaves are planted, {len(never)} cannot be")


{"planted": planted}[sys.argv[2]](sys.argv[1], *sys.argv[3:])
