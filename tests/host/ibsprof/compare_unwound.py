# SPDX-License-Identifier: BSD-2-Clause
"""Stacks of a recording with --call-graph dwarf: ibsprof report --by=stack --csv against perf script, whole stacks with all their functions.

usage: compare_unwound.py PERCENT SCRIPT STACKS
  SCRIPT   perf script --no-inline -F ip,sym,dso    STACKS   ibsprof report --by=stack --csv

Both unwind by the same frame information: perf of Debian with libunwind, ibsprof with elfutils. At least PERCENT of the samples must have the same
stack. Others: where no file has frame information elfutils goes on by the frame pointer, and libunwind ends the stack.
And where an interrupt came at the first byte of a function of the kernel, ibsprof takes the byte before, as of a return address.
"""
import collections
import csv
import re
import sys

least, script, stacks = sys.argv[1:]


def plain(name):
    """A name without its symbol's version; none where there is none, and of stubs of the linker, which perf names after what they call."""
    return "" if name == "[unknown]" or name.endswith("@plt") else name.split("@")[0]


theirs, mine, stack = collections.Counter(), collections.Counter(), []
for line in list(open(script)) + ["\n"]:
    match = re.match(r"\s+([0-9a-f]+) (.+) \((.+)\)$", line.rstrip())
    if match:
        stack.append(plain(match[2]))
    elif stack:
        theirs[tuple(stack)] += 1
        stack = []
counts, names = {}, collections.defaultdict(list)
for row in csv.DictReader(open(stacks, newline="")):
    counts[row["stack"]] = int(row["samples"])
    names[row["stack"]].append(plain(row["function"]))
for number, count in counts.items():
    mine[tuple(names[number])] += count
same, samples = sum((theirs & mine).values()), sum(theirs.values())
depth = sum(len(stack) * count for stack, count in theirs.items()) / max(samples, 1)
print(f"{same} of {samples} samples have the same stack, {depth:.1f} functions deep on average, {len(theirs)} stacks")
for other, of in ((theirs - mine, "perf"), (mine - theirs, "ibsprof")):
    for stack, count in other.most_common(4):
        print(f"  {of} alone: {count} {' < '.join(stack)}")
sys.exit(samples < 100 or depth < 4 or sum(mine.values()) != samples or same * 100 < samples * float(least))
