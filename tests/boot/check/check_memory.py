#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks a boot of the workloads on memory: check_memory.py FOLDER CHECK RUNS.

Predictions from the workloads' parameters and the model's sizes (docs/model.md) equal the counts exactly, and the samples within
standard errors."""

from check import truth
from check_workloads import Samples, passes, runs, sampled_as, title
from verdict import Failed, main

LINE, PAGE, L1_SETS, L1_WAYS, DTLB_L1, DTLB_L2 = 64, 4096, 512, 2, 48, 512
ARRAYS = {"stream-read": 1, "stream-write": 1, "stream-copy": 2, "stream-triad": 3}
OTHERS = 4  # most other lines or pages that a run touches: parameters, result, stack, the arena's first page


class Figure:
    """A predicted count, the same in each pass over the workload, because its memory is filled before each: least, most, and the total
    of which it is a share."""

    def __init__(self, what, least, of, more=0):
        self.what, self.least, self.of, self.most = what, least, of, least + more


# Event and mask of a figure, its name in truth.csv, and its part and whole in profile.csv.
COUNTED = {"lines": (0x042, 0x1F), "first misses": (0x041, 0x00), "misaligned": (0x047, 0x00), "L1M L2H": (0x045, 0x07),
           "L1M L2M": (0x046, 0x07), "cancelled": (0x02A, 0x07)}
EXACT = {"first misses": lambda row: row["dc_load_misses"] + row["dc_store_misses"] - row["mab_hits"],
         "misaligned": lambda row: row["misaligned"], "L1M L2H": lambda row: row["dtlb_l1m_l2h"],
         "L1M L2M": lambda row: row["dtlb_l1m_l2m"], "forwarded": lambda row: row["forwarded"],
         "cancelled": lambda row: row["forwarding_cancelled"], "bank conflicts": lambda row: row["bank_conflicts"]}
SAMPLED = {"first misses": (lambda row: row["F206"] - row["F210"], "F200"), "misaligned": (lambda row: row["F208"], "F200"),
           "L1M L2H": (lambda row: row["F204"], "F201"), "L1M L2M": (lambda row: row["F205"], "F201"),
           "forwarded": (lambda row: row["F20B"], "F201"), "cancelled": (lambda row: row["F20C"], "F201"),
           "bank conflicts": (lambda row: row["F209"], "F201"), "streaming": (lambda row: row["F20E"], "F202")}
# An interrupt between two instructions separates them: the store reaches the cache before the load begins.
OF_NEIGHBOURS = ("forwarded", "cancelled", "bank conflicts")


def crosses(place, size):
    """Event 047h: returns whether the bytes are in two blocks of 16."""
    return len({byte // 16 for byte in range(place, place + size)}) == 2


def banks_meet(one, other):
    """Returns whether two addresses meet in a bank by SOG-K8 section 5.9: a line is in a row by its address modulo 32 KB (the same row
    of both ways counts as one), its words of eight bytes are in eight adjacent banks, and a bank delivers a word of one row in a
    cycle."""
    rows = [list(range(start, start + LINE, 8)) for start in range(0, L1_SETS * LINE, LINE)]
    place = {word: (row, bank) for row, words in enumerate(rows) for bank, word in enumerate(words)}
    (row_a, bank_a), (row_b, bank_b) = (place[address % (L1_SETS * LINE)] for address in (one, other))
    return bank_a == bank_b and row_a != row_b


def stream(name, p, work):
    """Arrays larger than the cache: each line is fetched once in a pass. The prefetcher brings all lines of a page except the first two,
    where the stream has to start again two lines ahead; an array's stream starts with one more miss."""
    arrays, size = ARRAYS[name], p["kb"] * 1024
    if size < 2 * L1_SETS * L1_WAYS * LINE:
        return []
    if p.get("streaming") == 2:
        return [Figure("lines", 0, arrays * work, OTHERS), Figure("first misses", 0, work, OTHERS), Figure("streaming", work, work)]
    return [Figure("lines", size // LINE * p["passes"] * arrays, arrays * work, OTHERS),
            Figure("first misses", (2 * size // PAGE + 1) * p["passes"] * arrays, arrays * work, OTHERS)]


def strided(name, p, work):
    """Strides up to a line use all lines, as streams. Beyond, each load has a separate line, and misses unless all fit."""
    size, stride = p["kb"] * 1024, p["stride"]
    loads = -(-size // stride)
    sets = len({i * stride // LINE % L1_SETS for i in range(loads)})
    if size < 2 * L1_SETS * L1_WAYS * LINE:
        return []
    if stride <= LINE:
        return [Figure("lines", size // LINE * p["passes"], work, OTHERS),
                Figure("first misses", (2 * size // PAGE + 1) * p["passes"], work, OTHERS)]
    if loads <= sets * L1_WAYS:  # the lines filled last are cached; each other line misses once
        cold = sum(i * stride < size - L1_SETS * L1_WAYS * LINE for i in range(loads))
        return [Figure("lines", cold, work, OTHERS), Figure("first misses", cold, work, OTHERS)]
    return [Figure("lines", work, work, OTHERS), Figure("first misses", work, work, OTHERS)]


def misaligned(name, p, work):
    places = [p["offset"] + i * p["stride"] for i in range(work // p["passes"])]
    return [Figure("misaligned", 2 * p["passes"] * sum(crosses(place, 8) for place in places), 2 * work)]


def tlb_reach(name, p, work):
    """In a circle all pages are found, or none. The L2's 128 sets of four hold 512; 640 pages need five in each set, so none is found."""
    if p["pages"] != PAGE:
        return [Figure("L1M L2H", 0, work), Figure("L1M L2M", 0, work, 2 + OTHERS)]
    if p["reach"] <= DTLB_L1:
        hits, walks = 0, p["reach"]
    elif p["reach"] <= DTLB_L2:
        hits, walks = work - p["reach"], p["reach"]
    elif p["reach"] >= DTLB_L2 * 5 // 4:
        hits, walks = 0, work
    else:
        raise Failed(f"reach={p['reach']} is between none and all")
    return [Figure("L1M L2H", hits, work), Figure("L1M L2M", walks, work, OTHERS)]


def store_forward(name, p, work):
    """SOG appendix A on LS2: a store forwards to a load that begins with the same byte, if the store covers the load and neither is
    misaligned; any other load that shares a byte with the store waits."""
    width, offset, place = p["width"], p["offset"], p["place"]
    stored, loaded = range(place, place + width), range(place + offset, place + offset + 8)
    meet = bool(set(stored) & set(loaded))
    fits = meet and stored[0] == loaded[0] and set(loaded) <= set(stored) and not crosses(place, width) and not crosses(place + offset, 8)
    return [Figure("forwarded", fits * work, work), Figure("cancelled", (meet and not fits) * work, work),
            Figure("misaligned", (crosses(place, width) + crosses(place + offset, 8)) * work, 2 * work)]


def bank_conflict(name, p, work):
    return [Figure("bank conflicts", banks_meet(PAGE, PAGE + p["stride"]) * work, 2 * work)]


STORIES = {"stream-read": stream, "stream-write": stream, "stream-copy": stream, "stream-triad": stream, "strided": strided,
           "misaligned": misaligned, "tlb-reach": tlb_reach, "store-forward": store_forward, "bank-conflict": bank_conflict}


def figures(facts):
    """Returns the workload's name, and its predictions."""
    known = ("workload.work", "workload.unit", "workload.check")
    p = {key.removeprefix("workload."): int(value) for key, value in facts.items() if key.startswith("workload.") and key not in known}
    p["pages"] = {"4k": PAGE, "2m": 1 << 21}[facts["pages"]]
    name = facts["workload"].strip('"')
    if facts["workload.check"] != "1":
        raise Failed(f"{title(facts)}: its result is wrong")
    return name, STORIES[name](name, p, int(facts["workload.work"]))


def named(facts):
    return title(facts) + ("" if facts["pages"] == "4k" else " pages=" + facts["pages"])


def check_exact(folder, least):
    """Runs with config=count: checks that each pass has counted the predicted numbers."""
    exact, at, lines = passes(folder), 0, []
    for _, facts in runs(folder):
        mine, said = exact[at:at + int(facts["passes"])], []
        at += int(facts["passes"])
        for figure in figures(facts)[1]:
            found = [counts[COUNTED[figure.what]] for counts in mine if COUNTED.get(figure.what) in counts]
            for number, count in enumerate(found):
                low, high = figure.least, figure.most
                if not low <= count <= high:
                    raise Failed(f"{named(facts)}: {figure.what}: {count} in pass {number}, predicted {low} to {high}")
                said.append(f"{figure.what} {count} of {figure.of}, predicted {low}")
        if said:
            lines.append(f"{named(facts)}: {', '.join(said)}")
    if at != len(exact) or len(lines) < int(least):
        raise Failed(f"{len(lines)} runs with figures, {at} of {len(exact)} passes")
    return "\n  ".join([f"{len(lines)} runs with what was predicted", *lines])


def costs(facts):
    """Returns the cycles that the rules predict for conflicts of a run: one for each load of a pair in one bank, and for each misaligned
    load."""
    name, predicted = figures(facts)
    return sum(figure.least for figure in predicted) // (2 if name == "misaligned" else 1)  # half of the misaligned accesses are stores


def check_cycles(folder, least):
    """Pairs of runs of a workload with config=count, of which only the first has conflicts: checks that their cycles differ as
    predicted, within a fiftieth for other lines and pages that a run touches."""
    exact, mine = passes(folder), [facts for _, facts in runs(folder) if facts["workload"].strip('"') in ("bank-conflict", "misaligned")]
    exact, lines = exact[-len(mine):], []
    for at in range(0, len(mine), 2):
        more = exact[at][0x076, 0x00] - exact[at + 1][0x076, 0x00]
        wanted = costs(mine[at]) - costs(mine[at + 1])
        lines.append(f"{named(mine[at])}: {more} cycles more than without, predicted {wanted}")
        if wanted < 100000 or not abs(more - wanted) <= wanted // 50:
            raise Failed(lines[-1])
    if len(lines) != int(least):
        raise Failed(f"{len(lines)} pairs, wanted {least}")
    return "\n  ".join([f"{least} pairs", *lines])


def check_stories(folder, least):
    """Runs with config=ibs: checks that over all runs of a workload the exact counts are as predicted (except where interrupts separate
    instructions), and each run's samples agree."""
    rows, _ = truth(folder)
    lines, sums, functions = [], {}, {}
    for path, facts in runs(folder):
        name, predicted = figures(facts)
        mine = [row for row in Samples(path).rows if row["function"] == name.replace("-", "_")]
        functions[name], said = {row["rva"] for row in mine}, []
        for figure in predicted:
            if figure.what not in SAMPLED:
                continue
            part, whole = SAMPLED[figure.what]
            hits, samples = sum(part(row) for row in mine), sum(row[whole] for row in mine)
            if samples < 30:
                raise Failed(f"{named(facts)}: {samples} samples")
            sampled_as(f"{named(facts)}: {figure.what}", hits, samples, figure.least / figure.of)
            said.append(f"{figure.what} {100 * figure.least / figure.of:.4g} % predicted, {hits} of {samples} sampled")
            total = sums.setdefault((name, figure.what), Figure(figure.what, 0, 0))
            parted = sum(row["F100"] for row in mine) if figure.what in OF_NEIGHBOURS else 0
            total.least, total.most = total.least + max(0, figure.least - parted), total.most + figure.most
        lines.append(f"{named(facts)}: {', '.join(said)}")
    for (name, what), total in sums.items():
        if what not in EXACT:
            continue
        exact = sum(EXACT[what](row) for rva, row in rows.items() if rva in functions[name])
        lines.append(f"{name}, all runs: {what} {exact}, predicted {total.least} to {total.most}")
        if not total.least <= exact <= total.most:
            raise Failed(lines[-1])
    if len(runs(folder)) != int(least):
        raise Failed(f"{len(runs(folder))} runs, wanted {least}")
    return "\n  ".join([f"{least} runs", *lines])


if __name__ == "__main__":
    main(globals())
