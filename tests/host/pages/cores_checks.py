# SPDX-License-Identifier: BSD-2-Clause
"""Reads 'ibsprof report --by=core --csv' from standard input: cores add up to nodes, and all of them to these numbers of samples.
cores_checks.py OPS FETCHES"""
import csv
import sys

ops, fetches = map(int, sys.argv[1:3])
rows = list(csv.DictReader(line for line in sys.stdin if not line.startswith("#")))
cores, nodes = [row for row in rows if row["core"]], [row for row in rows if not row["core"]]
columns = [name for name in rows[0] if name not in ("core", "node") and "latency p" not in name]
wrong = [(node["node"], name) for node in nodes for name in columns
         if int(node[name]) != sum(int(core[name]) for core in cores if core["node"] == node["node"])]
print(f"{len(cores)} cores, {len(nodes)} nodes, {len(columns)} columns, wrong: {wrong[:5]}")
good = sum(int(core["op samples"]) for core in cores) == ops and sum(int(core["fetch samples"]) for core in cores) == fetches
sys.exit(bool(wrong) or not good or not cores or len(columns) < 70)
