#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compares 'ibsprof export --format=jsonl' with ibs_dump on the same perf.data file: compare_dump.py DUMP JSONL [AT-LEAST].

Times, addresses, periods, caps, every register, and every field that both name. Both must be in the order of time.
"""
import json
import re
import sys


samples = 0
# ibs_dump has the order of the file, ibsprof that of time: these files are in order.
lines = [dict(word.split("=") for word in line.split()[1:]) | {"kind": line.split()[0]} for line in open(sys.argv[1]) if not line.startswith("lost")]
ours = [json.loads(line) for line in open(sys.argv[2])]
assert len(lines) == len(ours), (len(lines), len(ours))
for a, b in zip(lines, ours):
    assert b["event"] == "ibs_%s//" % a["kind"]
    for key in ("time_ns", "pid", "tid", "cpu", "period"):
        assert b[key] == int(a[key.removesuffix("_ns")]), key
    assert int(b["ip"], 16) == int(a["ip"], 16)
    assert int(b.get("addr", "0"), 16) == int(a["addr"], 16)
    assert int(b["caps"], 16) == int(a["caps"], 16)
    registers = [int(a[f"reg{i}"], 16) for i in range(8) if f"reg{i}" in a]
    assert [int(r, 16) for r in b["registers"]][: len(registers)] == registers
    fields = {re.sub("^(Nb)?Ibs(Op|Dc)?|^Dc", "", k).lower(): v for k, v in b["fields"].items()}
    compared = 0
    for name, value in a.items():
        mine = fields.get(re.sub("^(Op|Dc|Fetch)", "", name).lower())
        if isinstance(mine, int):
            assert mine == int(value), (name, mine, value)
            compared += 1
    assert compared >= (14 if a["kind"] == "op" else 3), compared
    samples += 1
print(f"{samples} samples")
sys.exit(samples < int(sys.argv[3] if len(sys.argv) > 3 else 1))
