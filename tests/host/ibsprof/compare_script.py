#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compares 'ibsprof export --format=jsonl' with 'perf script' on the same perf.data file, sample by sample, in order.

usage: compare_script.py FILE JSONL
Every field that perf can print for the event is compared: event, time, pid, tid, cpu, period, ip, addr, phys_addr, weight,
data_src, call chain. Prints what was compared; status 1 when anything differs.
"""
import collections
import itertools
import json
import os
import re
import subprocess
import sys

EVENT = re.compile(r"^\s*(?P<comm>.*?)\s+(?P<pid>-?\d+)/(?P<tid>-?\d+)\s+(?:\[(?P<cpu>-?\d+)\]\s+)?(?:(?P<time>\d+\.\d{9}):\s+)?"
                   r"(?P<rest>.*)$")


def perf(path, *args):
    return subprocess.run(["perf", *args, "-i", path], capture_output=True, text=True)


def events(path):
    """Event name -> set of sample_type words, from perf evlist -v."""
    found = {}
    for line in perf(path, "evlist", "-v").stdout.splitlines():
        name, _, rest = line.partition(": ")
        match = re.search(r"sample_type: ([A-Z_|0-9a-z]+)", rest)
        found[name] = set(match.group(1).split("|")) if match else set()
    return found


def fields_of(types):
    """perf script -F words that every event has, in the order in which perf prints them."""
    common = set.intersection(*types.values())
    fields = ["comm", "pid", "tid"]
    fields += ["cpu"] if "CPU" in common else []
    fields += ["time"] if "TIME" in common else []
    fields += ["period", "event"]
    fields += ["addr"] if "ADDR" in common else []
    fields += ["data_src"] if "DATA_SRC" in common else []
    fields += ["weight"] if "WEIGHT" in common or "WEIGHT_STRUCT" in common else []
    fields += ["ip"]
    fields += ["phys_addr"] if "PHYS_ADDR" in common else []
    return fields


def script(path, fields):
    """perf script's samples as dictionaries."""
    run = perf(path, "script", "--ns", "-G", "-F", ",".join(fields))
    if run.returncode != 0:
        sys.exit(f"perf script: {run.stderr}")
    samples = []
    for line in run.stdout.splitlines():
        if not line.strip():
            continue
        match = EVENT.match(line)
        if not match:
            sys.exit(f"perf script: not understood: {line}")
        sample = {"pid": int(match["pid"]), "tid": int(match["tid"])}
        if match["cpu"] is not None:
            sample["cpu"] = int(match["cpu"])
        if match["time"] is not None:
            seconds, nanos = match["time"].split(".")
            sample["time_ns"] = int(seconds) * 1000000000 + int(nanos)
        period, event, *rest = match["rest"].split()
        sample["period"] = int(period)
        sample["event"] = event.rstrip(":")
        if "addr" in fields:
            sample["addr"] = int(rest.pop(0), 16)
        # From the end, because data_src contains several words.
        if "phys_addr" in fields:
            sample["phys_addr"] = int(rest.pop(), 16)
        sample["ip"] = int(rest.pop(), 16)
        if "weight" in fields:
            sample["weight"] = int(rest.pop())
        if "data_src" in fields:
            sample["data_src"] = int(rest.pop(0), 16)
        samples.append(sample)
    return samples


def by_processor(samples):
    """Orders samples of the same nanosecond by processor, and leaves all others where they are.

    For a folder of perf record --threads: of two files' samples with equal times perf prints first the one that its
    reader, which goes from file to file, came to first.
    """
    together = itertools.groupby(samples, lambda sample: sample["time_ns"])
    return [sample for _, same in together for sample in sorted(same, key=lambda sample: sample["cpu"])]


def chains(path):
    """The call chains of perf script -D: as they are in the file, with markers."""
    found = []
    for line in perf(path, "script", "-D").stdout.splitlines():
        if ": PERF_RECORD_SAMPLE(" in line:
            found.append([])
        elif found and re.match(r"\.\.\.\.\. *\d+: [0-9a-f]{16}$", line):
            found[-1].append(int(line.split()[-1], 16))
    return found


def main():
    path, jsonl = sys.argv[1:3]
    types = events(path)
    fields = fields_of(types)
    ours = [json.loads(line) for line in open(jsonl)]
    theirs = script(path, fields)
    if os.path.isdir(path):
        ours, theirs = by_processor(ours), by_processor(theirs)
    problems = []
    if len(ours) != len(theirs):
        problems.append(f"{len(ours)} samples, perf has {len(theirs)}")
    for number, (a, b) in enumerate(zip(ours, theirs)):
        for key, wanted in b.items():
            if key == "frames":
                continue
            value = a.get(key, 0)
            value = int(value, 16) if isinstance(value, str) and value.startswith("0x") else value
            if value != wanted:
                problems.append(f"sample {number}: {key} is {value}, perf has {wanted}")
    frames = 0
    if any("CALLCHAIN" in t for t in types.values()):
        for number, (a, b) in enumerate(zip(ours, chains(path))):
            frames += len(b)
            if [int(f, 16) for f in a.get("callchain", [])] != b:
                problems.append(f"sample {number}: call chain {a.get('callchain')}, perf has {[hex(f) for f in b]}")
    counts = collections.Counter(s["event"] for s in ours)
    print(f"{len(ours)} samples, {', '.join(f'{n} {e}' for e, n in sorted(counts.items()))}; fields {' '.join(fields)}"
          + (f"; {frames} frames of call chains" if frames else ""))
    for problem in problems[:20]:
        print(problem)
    return 1 if problems or not ours else 0


sys.exit(main())
