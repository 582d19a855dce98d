#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compares ibsprof's reading of a boot's run with the image's own results for the same samples.

check_export.py FOLDER JSONL: FOLDER is the boot's; JSONL the output of 'ibsprof export --format=jsonl'. The image's profile.csv
has a row per instruction: ops, their cycles, branches, loads, stores and misses are counted here from the exported fields and
must be the same in every row. Prints the figures; status 1 when one differs.
"""
import collections
import glob
import json
import os
import sys

from run_csv import read_rows

folder, jsonl = sys.argv[1:3]
run = sorted(glob.glob(os.path.join(folder, "runs", "*")))[-1]
rows = read_rows(os.path.join(run, "profile.csv"))
codes = {name.split()[0]: i for i, name in enumerate(rows[0])}
facts = dict(line[3:].strip().split(" = ", 1) for line in open(os.path.join(run, "run.ini")) if line.startswith("#: "))
base = int(facts["image_base"], 16)

# Derived events of ops, by the code that profile.csv has in front of the name.
OPS = {
    "F100": lambda f: 1,
    "F101": lambda f: f["IbsTagToRetCtr"],
    "F102": lambda f: f["IbsCompToRetCtr"],
    "F103": lambda f: f["IbsOpBrnRet"],
    "F105": lambda f: f["IbsOpBrnRet"] and f["IbsOpBrnTaken"],
    "F200": lambda f: f["IbsLdOp"] or f["IbsStOp"],
    "F201": lambda f: f["IbsLdOp"],
    "F202": lambda f: f["IbsStOp"],
    "F203": lambda f: (f["IbsLdOp"] or f["IbsStOp"]) and f["IbsDcLinAddrValid"] and not f["IbsDcL1tlbMiss"],
}
ours = collections.defaultdict(collections.Counter)
fetches = ops = 0
for line in open(jsonl):
    sample = json.loads(line)
    if sample["event"] == "ibs_fetch//":
        fetches += 1
        continue
    ops += 1
    for code, value in OPS.items():
        ours[int(sample["ip"], 16) - base][code] += int(value(sample["fields"]))
problems, cells, mapped = [], 0, set()
outside = collections.Counter()
for row in rows[1:]:
    if not row[codes["rva"]]:
        outside.update({code: int(row[codes[code]]) for code in OPS})
        continue
    rva = int(row[codes["rva"]], 16)
    mapped.add(rva)
    for code in OPS:
        cells += 1
        if ours[rva][code] != int(row[codes[code]]):
            problems.append(f"{code} of {rva:#x}: {ours[rva][code]}, the image has {row[codes[code]]}")
for code in OPS:
    rest = sum(counts[code] for rva, counts in ours.items() if rva not in mapped)
    if rest != outside[code]:
        problems.append(f"{code} outside of the map: {rest}, the image has {outside[code]}")
for name, count in (("samples.op", ops), ("samples.fetch", fetches)):
    if int(facts[name]) != count:
        problems.append(f"{name}: {count}, run.ini has {facts[name]}")
print(f"{ops} ops and {fetches} fetches, {cells} cells of profile.csv; {len(problems)} differ")
for problem in problems[:10]:
    print("  " + problem)
sys.exit(bool(problems) or ops == 0)
