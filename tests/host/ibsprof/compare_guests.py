# SPDX-License-Identifier: BSD-2-Clause
"""Samples of a virtual machine: a recording of perf in which every third sample is made one of a guest, at the same address.

usage: compare_guests.py IBSPROF FILE FOLDER

perf script leaves guests' samples out (perf kvm has them): what it prints must be what ibsprof has outside of guests, by function. The others must
be in ibsprof's objects for guests, as many in kernel and user mode as were made, and in no function of the host.
"""
import collections
import csv
import io
import os
import re
import struct
import subprocess
import sys

SAMPLE, GUEST_KERNEL, GUEST_USER = 9, 4, 5


def run(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout


def plain(name):
    """None where there is none, and of stubs of the linker, which perf names after what they call."""
    return "" if name in ("[unknown]", "_init") or name.endswith("@plt") else name


def make(path, to):
    """Counts of guests' samples, by mode."""
    data, made, number = bytearray(open(path, "rb").read()), collections.Counter(), 0
    at, size = struct.unpack_from("<QQ", data, 40)
    end = at + size
    while at < end:
        kind, misc, size = struct.unpack_from("<IHH", data, at)
        if kind == SAMPLE:
            number += 1
            if number % 3 == 0:
                mode = GUEST_USER if number % 2 else GUEST_KERNEL  # whichever it had: a recording may have next to none of the kernel
                made[mode] += 1
                struct.pack_into("<H", data, at + 4, misc & ~7 | mode)
        at += size
    open(to, "wb").write(data)
    return made


def main(ibsprof, path, folder):
    guests = os.path.join(folder, "guests.data")
    made = make(path, guests)
    theirs, mine, inside = collections.Counter(), collections.Counter(), collections.Counter()
    for line in run("perf", "script", "-i", guests, "-F", "ip,sym,dso", "-G").splitlines():
        match = re.match(r"\s*[0-9a-f]+ (.+) \((.+)\)$", line)
        theirs[plain(match[1]) if match and match[2] != "[vdso]" else ""] += 1
    for row in csv.DictReader(io.StringIO(run(ibsprof, "report", "--csv", guests))):
        count = next(int(value) for title, value in row.items() if title.endswith(" [samples]") and title[0] not in "FX")
        if row["object"] in ("[guest]", "[guest kernel]"):
            inside[GUEST_KERNEL if "kernel" in row["object"] else GUEST_USER] += count
            mine["named a guest's function"] += row["function"] != ""
        else:
            mine[plain(row["function"]) if row["object"] != "[vdso]" else ""] += count
    mine += collections.Counter()
    print(f"{sum(theirs.values())} samples of the host in {len(theirs)} functions, {inside[GUEST_KERNEL]} of a guest's kernel, {inside[GUEST_USER]} on it")
    for name in theirs.keys() | mine.keys():
        if theirs[name] != mine[name]:
            print(f"{name}: {mine[name]}, perf has {theirs[name]}")
    return theirs != mine or inside != made or min(made[GUEST_KERNEL], made[GUEST_USER]) < 5 or len(theirs) < 4


sys.exit(main(*sys.argv[1:]))
