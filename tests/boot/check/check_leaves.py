#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Planted bottlenecks in the trees of Zen: check_leaves.py BOOT planted FILE

FILE: a row for each run of the boot, "WORKLOAD SETTINGS | LEAF | more rows that may be first"; '#' begins a comment. The first note below
"Where to look" of each run names its LEAF, or one of the other rows; with '+' before LEAF, any of the notes may name it; with '?', the
note that names it says that it is not told apart from another; with '/', the
first note says that it is not told apart from LEAF. Prints the table of all notes, too."""
import glob
import re
import sys


def notes(text):
    """Returns the rows in "Where to look" with their figures, in order, '?' before those that are not told apart from another, whose name comes
    after a '/'; empty: no row is above its threshold."""
    part = re.split("^Where to look.*$", text, maxsplit=1, flags=re.M)
    rows = re.findall(r"^(\S.*?): (-?[0-9.]+) %.*(?:\n  But   not told apart from '(.*?)')?", part[1], re.M) if len(part) > 1 else []
    return [("?" * bool(but) + name, "/" + but, float(value)) for name, value, but in rows]


def planted(boot, path):
    with open(path, encoding="utf-8") as file:
        rows = [[cell.strip() for cell in line.split("|")] for line in file if line.strip() and not line.startswith("#")]
    runs, wrong = sorted(glob.glob(boot + "/runs/*/")), []
    if len(runs) != len(rows):
        sys.exit(f"{len(runs)} runs of {len(rows)}")
    for run, (settings, *leaves) in zip(runs, rows):
        with open(run + "report.txt", encoding="utf-8") as file:
            said = notes(file.read())
        first, other, _ = said[0] if said else ("none", "/", 0)
        right = first in leaves or other in leaves or any(leaf in ("+" + name, name) for leaf in leaves if leaf[0] in "+?" for name, _, _ in said)
        print(f"{settings:45} {'; '.join(f'{name} {value}' for name, _, value in said) or 'none'}", file=sys.stderr)
        if not right:
            wrong.append(f"{settings}: first {first}, not {' or '.join(leaves)}")
    if wrong:
        sys.exit("; ".join(wrong))
    print(f"{len(rows)} planted bottlenecks are named, {sum(leaves[0][0] not in '+?/' for _, *leaves in rows)} of them first")


{"planted": planted}[sys.argv[2]](sys.argv[1], *sys.argv[3:])
