#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compares the source lines of `codemap list` with the line table as readelf decodes it.

usage: compare_lines.py CODEMAP_LIST READELF    (readelf -W --debug-dump=decodedline)

Of files only the last component is compared: readelf prints no more. addr2line is no oracle here: binutils 2.40 names the wrong
file of a DWARF 5 table when the first rows are from an included file.
"""
import bisect
import re
import sys


def main():
    rows = {}
    for line in open(sys.argv[2]):
        match = re.match(r"(\S+)\s+(\d+|-)\s+(?:0x)?([0-9a-f]+)(?:\[\d+\])?(?:\s|$)", line)
        if match:
            address = int(match[3], 16)
            # '-' ends a sequence; another one may begin at the same address
            if match[2] != "-" or address not in rows:
                rows[address] = None if match[2] == "-" else (match[1], int(match[2]))
    starts = sorted(rows)
    compared = problems = 0
    for line in open(sys.argv[1]):
        match = re.match(r"\s*([0-9a-f]+)\s+\d+  .*\s(\S+):(\d+)$", line)
        if not match:
            continue
        compared += 1
        place = bisect.bisect_right(starts, int(match[1], 16)) - 1
        theirs = rows[starts[place]] if place >= 0 else None
        if theirs != (match[2].split("/")[-1], int(match[3])):
            problems += 1
            print(f"# {match[1]}: ours {match[2]}:{match[3]}, readelf {theirs}")
    print(f"# {compared} source lines compared, {problems} differ")
    sys.exit(0 if compared and not problems else 1)


main()
