# SPDX-License-Identifier: BSD-2-Clause
"""Predicts how often b[k][j] misses the data cache from the arrays' addresses: a simulation that shares no code with the model.

A data cache of 64 KB, two ways, 64-byte lines, least recently used; a is walked along a row, and each line's first use brings the line
after the
next one (the prefetcher); b is walked down a column. The loop's variables are one or two lines on the stack that are always in use, at any
address:
such a line leaves its set one way, so both cases of each set are counted. levels() does the same for later processors, with their DTLBs.
"""
import random

SETS, LINE, PAGE, ROW, FLOAT = 512, 64, 4096, 4000, 4
PLACE_A, PLACE_B = 0x413FE0 - 0x400000, 0x7E48E8 - 0x400000  # as in the paper, within the arena (workloads/matmul/matmul.h)
# By AMD's CPUID words and guide (docs/model.md): sets and ways of the L1D, entries of the L1 DTLB, sets and ways of the L2 DTLB.
PROCESSORS = {
    "16h": (64, 8, 40, 128, 4), "zen2": (64, 8, 64, 128, 16), "zen4": (64, 8, 72, 128, 24), "zen5": (64, 12, 96, 256, 16),
}
PERIOD = LINE // FLOAT  # columns in a line, after which the pattern repeats


def misses(columns, base, frames, ways):
    """Returns for each set the misses at b in the given columns of 1000, without the first ones, which find the cache cold."""
    kept, missed = [[None] * ways for _ in range(SETS)], [0] * SETS

    def line(address):
        return (frames[address // PAGE] * PAGE + address % PAGE if frames else base + address) // LINE

    def use(wanted):
        lines = kept[wanted % SETS]
        there = wanted in lines
        lines.remove(wanted if there else lines[0])
        lines.append(wanted)
        return there

    row = [line(PLACE_A + FLOAT * k) for k in range(1000 + 2 * PERIOD)]
    for j in range(PERIOD + columns):
        for k in range(1000):
            use(row[k])
            if k == 0 or row[k] != row[k - 1]:
                use(row[k + 2 * PERIOD])  # the line after the next
            wanted = line(PLACE_B + ROW * k + FLOAT * j)
            if not use(wanted) and j >= PERIOD:
                missed[wanted % SETS] += 1
    return missed


def predicted(base=0, order=None, columns=2 * PERIOD):
    """Returns the least and the most share of misses; order: number that draws the order of an arena's frames."""
    frames = None
    if order is not None:
        frames = list(range(4096))
        random.Random(order).shuffle(frames)
    free, one_less = (misses(columns, base, frames, ways) for ways in (2, 1))
    more = sorted(b - a for a, b in zip(free, one_less))
    loads = columns * 1000
    return sum(free) / loads, (sum(free) + sum(more[-2:])) / loads


def levels(name, size):
    """Simulates a whole row of the result, for arrays of that size, on a processor after Family 10h. Returns the shares of loads of b
    that miss the data cache, both DTLBs, and the first DTLB alone. These caches' indices are within the page, so frames do not
    matter."""
    sets, ways, entries, tlb_sets, tlb_ways = PROCESSORS[name]
    shapes, missed = [(sets, ways), (1, entries), (tlb_sets, tlb_ways)], [0, 0, 0]
    kept = [[[] for _ in range(number)] for number, _ in shapes]

    def use(level, wanted):
        number, ways = shapes[level]
        there = kept[level][wanted % number]
        found = wanted in there
        if found:
            there.remove(wanted)
        there.append(wanted)
        del there[:-ways]
        return found

    for j in range(size):
        for k in range(size):
            for address in (PLACE_A + FLOAT * k, PLACE_B + ROW * k + FLOAT * j):
                data, first = not use(0, address // LINE), not use(1, address // PAGE)
                both = first and not use(2, address // PAGE)
            missed = [missed[0] + data, missed[1] + both, missed[2] + first - both]
    return [number / size ** 2 for number in missed]


def spread(orders=20):
    """Returns mean, standard deviation, least and most over a number of orders of the frames."""
    middles = [sum(predicted(order=order)) / 2 for order in range(orders)]
    mean = sum(middles) / orders
    return mean, (sum((x - mean) ** 2 for x in middles) / (orders - 1)) ** 0.5, min(middles), max(middles)


if __name__ == "__main__":
    print("contiguous frames: %.2f to %.2f %%" % tuple(100 * x for x in predicted()))
    print("20 orders of frames: mean %.1f %%, standard deviation %.1f, %.1f to %.1f %%" % tuple(100 * x for x in spread()))
