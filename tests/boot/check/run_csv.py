# SPDX-License-Identifier: BSD-2-Clause
"""Reads the CSV files of a run (profile.csv, pmc.csv, counts.csv, noise.csv) in QEMU, with or without the virtual PMU: their first line
must
state the origin of the figures."""
import csv

FIRST = ("# MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.\n",
         "# VIRTUAL: hypervisor \"TCGTCGTCGTCG\" is present; figures are not silicon's.\n")


def table(text):
    """Returns the lines of such a text after the first."""
    lines = text.splitlines(keepends=True)
    if not lines or lines[0] not in FIRST:
        raise ValueError(f"a CSV begins with {lines[:1]}, which does not say MODEL")
    return lines[1:]


def read_rows(path):
    with open(path, newline="") as file:
        return list(csv.reader(table(file.read())))


def read_dicts(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(table(file.read())))


def read_exact(path):
    """Returns exact.csv by RVA, with the names of truth.csv's columns."""
    rows = {}
    for line in read_dicts(path):
        accesses = {"load": 0, "store": 0}
        for number in "12":
            for what in accesses:
                if line["access" + number] in (what, "both"):
                    accesses[what] += int(line["accesses" + number])
        executions = int(line["executions"])
        rows[int(line["rva"], 16)] = dict(executions=executions, load_ops=accesses["load"], store_ops=accesses["store"],
                                          branches=executions if line["taken"] else 0, taken=int(line["taken"] or 0))
    return rows
