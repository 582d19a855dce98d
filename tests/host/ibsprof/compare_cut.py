#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Cuts a perf.data file short at random places, and compares what ibsprof reads of each part with what perf script reads of it.

usage: compare_cut.py IBSPROF FILE COUNT SEED FOLDER
perf refuses such a part, or reads another file than it is. So perf gets the part's whole records in a file that is whole: with their size in the
header, and behind them what stands at the end of FILE. FILE may be compressed, or of a pipe. ibsprof must give the same samples, one line that
says what is missing, and status 1; of a part that ends before its first record, the line alone.
"""
import collections
import json
import os
import random
import re
import struct
import subprocess
import sys

PIPE, HEADER, SECTION, FEATURES_AT = 16, 104, 16, 72


def records(data, at, end):
    """Where each record that is there as a whole begins and ends."""
    while at + 8 <= end:
        size = struct.unpack_from("<H", data, at + 6)[0]
        if size < 8 or at + size > end:
            return
        yield at, at + size
        at += size


def whole(data, cut):
    """The file that has the first 'cut' bytes' whole records, and whether there are any."""
    if struct.unpack_from("<Q", data, 8)[0] == PIPE:
        return data[:max([end for _, end in records(data, PIPE, cut)] + [PIPE])]
    begin, size = struct.unpack_from("<QQ", data, 40)
    until = begin + size
    if cut >= until:
        return data
    last = max([end for _, end in records(data, begin, cut)] + [begin])
    table = bytearray(data[until:])
    for place in range(sum(byte.bit_count() for byte in data[FEATURES_AT:HEADER])):
        struct.pack_into("<Q", table, place * SECTION, struct.unpack_from("<Q", table, place * SECTION)[0] - (until - last))
    return data[:48] + struct.pack("<Q", last - begin) + data[56:last] + bytes(table)


def of_perf(path):
    run = subprocess.run(["perf", "script", "-i", path, "--ns", "-G", "-F", "pid,tid,time,period,event,ip"], capture_output=True, text=True)
    rows = collections.Counter()
    for line in run.stdout.splitlines():
        match = re.match(r"\s*(-?\d+)/(-?\d+)\s+(\d+)\.(\d+):\s+(\d+)\s+(\S+?)(?::\S+)?:\s+([0-9a-f]+)", line)
        if match:
            pid, tid, seconds, rest, period, event, ip = match.groups()
            rows[int(pid), int(tid), int(seconds) * 10**9 + int(rest), int(period), event, int(ip, 16)] += 1
    return rows


def of_ibsprof(ibsprof, path):
    run = subprocess.run([ibsprof, "export", "--format=jsonl", path], capture_output=True, text=True)
    rows = collections.Counter()
    for line in run.stdout.splitlines():
        row = json.loads(line)
        if "ip" in row:
            rows[row["pid"], row["tid"], row["time_ns"], row["period"], row["event"].split(":")[0], int(row["ip"], 16)] += 1
    return rows, run.returncode, run.stderr


def main(ibsprof, path, count, seed, folder):
    data = open(path, "rb").read()
    first = PIPE if struct.unpack_from("<Q", data, 8)[0] == PIPE else struct.unpack_from("<Q", data, 40)[0]
    draw = random.Random(seed)
    part, again, samples, bad = os.path.join(folder, "part.data"), os.path.join(folder, "again.data"), 0, 0
    for number in range(int(count)):
        # Each eighth one in what stands before the records, or in the last thousand bytes.
        cut = draw.randrange(1, first) if number % 8 == 6 else draw.randrange(len(data) - 1000, len(data)) if number % 8 == 7 else \
            draw.randrange(first, len(data))
        open(part, "wb").write(data[:cut])
        open(again, "wb").write(whole(data, cut))
        ours, status, line = of_ibsprof(ibsprof, part)
        at_a_record = first == PIPE and os.path.getsize(again) == cut  # nobody can know
        theirs = of_perf(again) if cut >= first else collections.Counter()
        good = ours == theirs and (at_a_record or status == 1 and line.count("\n") == 1)
        samples += sum(ours.values())
        bad += not good
        if not good:
            print(f"cut at {cut} of {len(data)}: {sum(ours.values())} samples, perf {sum(theirs.values())}, status {status}: {line.strip()}")
    print(f"{count} parts, {samples} samples, {bad} differ")
    return bad > 0 or samples == 0


sys.exit(main(*sys.argv[1:]))
