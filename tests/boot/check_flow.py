#!/usr/bin/env python3
"""Checks on boots that ran the workloads of control flow and of the core: check_flow.py FOLDER CHECK [ARGUMENT]..."""
import math
import sys

from check import Failed, truth
from check_workloads import Samples, passes, runs, sampled_as

ITLB_L2_HITS = 0x084
CYCLES, MISPREDICTED, RETURNS, INDIRECT, HITS, OVERFLOWS = 0x076, 0x0C3, 0x0C9, 0x0CA, 0x088, 0x089
RETURN_STACK = 24  # docs/model.md


def counted(folder):
    """Of each run: its name, its facts, the units of work, and what the virtual PMU counted of the workload alone."""
    done, at, every = [], 0, passes(folder)
    for _, facts in runs(folder):
        mine, exact = every[at:at + int(facts["passes"])], {}
        at += len(mine)
        for counts in mine:
            exact.update({select: count for (select, _), count in counts.items()})
        if facts["workload.check"] != "1" or not exact.get(CYCLES):
            raise Failed(f"{facts['workload']}: check {facts['workload.check']}, events {sorted(exact)}")
        done.append((facts["workload"].strip('"'), facts, int(facts["workload.work"]), exact))
    if at != len(every):
        raise Failed(f"{at} of {len(every)} passes belong to runs")
    return done


# What the model says that one unit takes: name, parameter and its value, cycles (least, most), the event, how many of it in a
# unit, and how many more it may be: while the predictor learns, and at the loop's end.
#   branch-always: 16 branches of 2 or 3 macro-ops in a pass; a taken one ends its line and costs a fetch slot.
#   branch-pattern: the history of 12 has 6 of the branch's outcomes.
#   call-depth: all but the newest 24 return addresses are lost.
#   call-indirect: chance; 4000 calls have a standard error of 0.7 %.
#   chains: latencies of 1, 4 and 4 + 20 + 2.
NO_EVENT = (MISPREDICTED, 0, 40)
STORY = (
    ("branch-always", "taken", 1, (1.9, 2.3), NO_EVENT),
    ("branch-always", "taken", 2, (0.9, 1.2), NO_EVENT),
    ("branch-pattern", "period", 4, (2, 5), NO_EVENT),
    ("branch-pattern", "period", 16, (2, 6), (MISPREDICTED, 1 / 16, 40)),
    ("call-depth", "depth", 8, (0, 12), (RETURNS, 0, 0)),
    ("call-depth", "depth", 24, (0, 12), (RETURNS, 0, 1)),
    ("call-depth", "depth", 40, (0, 40), (RETURNS, (40 - RETURN_STACK) / 40, 1)),
    ("call-indirect", "targets", 1, (0, 20), (INDIRECT, 0, 20)),
    ("call-indirect", "targets", 4, (20, 60), (INDIRECT, 3 / 4 - 4 * 0.007, 8 * 0.007 * 4000)),
    ("jump-indirect", "targets", 1, (0, 10), (INDIRECT, 0, 20)),
    ("jump-indirect", "targets", 4, (10, 40), (INDIRECT, 1 - 20 / 4000, 20)),
    ("alu-independent", "iterations", 300, (20, 23), NO_EVENT),
    ("add-chain", "iterations", 300, (1.0, 1.02), NO_EVENT),
    ("imul-chain", "iterations", 300, (4.0, 4.02), NO_EVENT),
    ("divide-chain", "steps", 1000, (26, 26.5), NO_EVENT),
    # Pages of 2 MB, as the firmware has them; of 4 KB: fewer than the first ITLB's 32 entries, more.
    ("code-pages", "pieces", 40, (1, 40), (ITLB_L2_HITS, 0, 0)),
    ("code-pages", "pieces", 24, (1, 40), (ITLB_L2_HITS, 0, 5)),
    ("code-pages", "pieces", 40, (1, 40), (ITLB_L2_HITS, 0.98, 180)),
)


def check_counted(folder):
    """Cycles, and the event that each run is about, of each unit of work: exact counts of the virtual PMU."""
    found, wrong, lines = counted(folder), [], []
    if len(found) != len(STORY):
        raise Failed(f"{len(found)} runs, wanted {len(STORY)}")
    for (name, facts, units, exact), (wanted, key, value, (low, high), (event, share, more)) in zip(found, STORY):
        cycles, count = exact[CYCLES] / units, exact[event]
        line = f"{name} {key}={facts['workload.' + key]}: {cycles:.3f} cycles"
        if event != MISPREDICTED or share or count > more:
            line += f", {event:03X} {count} in {units}"
        if name != wanted or int(facts["workload." + key]) != value:
            raise Failed(f"{line} where {wanted} {key}={value} should be")
        good = low <= cycles <= high and share * units - 1 <= count <= share * units + more
        if name == "call-depth":
            rounds = int(facts["workload.rounds"])
            over = max(0, value - RETURN_STACK)
            line += f", 089 {exact[OVERFLOWS]}"
            # The workload's own caller is in the stack, too, in the first round.
            good &= over * rounds <= exact[OVERFLOWS] <= over * rounds + RETURN_STACK
            good &= 0 <= exact[HITS] - (min(value, RETURN_STACK) * rounds) <= 1
        lines.append(line)
        if not good:
            wrong.append(f"WRONG: {line}, wanted {low} to {high}, and {share * units:.0f} to {share * units + more:.0f} of {event:03X}")
    if wrong:
        raise Failed("; ".join(wrong + lines))
    return "; ".join(lines)


def check_sampled(folder, count):
    """Op samples fall on each instruction of a workload as often as its macro-ops were dispatched, and say of its branches what was
    exact; in standard errors."""
    exact_rows, _ = truth(folder)
    lines, names = [], set()
    for path, facts in runs(folder):
        name = facts["workload"].strip('"')
        rows = [row for row in Samples(path).rows if row["function"] == name.replace("-", "_") and row["rva"] in exact_rows]
        ops = sum(exact_rows[row["rva"]]["ops"] for row in rows)
        samples = sum(row["F100"] for row in rows)
        worst, tried = 0.0, 0
        for row in rows:
            share = exact_rows[row["rva"]]["ops"] / ops
            if samples * share < 10:
                continue
            tried += 1
            error = (row["F100"] - samples * share) / math.sqrt(samples * share * (1 - share))
            worst = error if abs(error) > abs(worst) else worst
        if samples < 500 or not tried or abs(worst) > 4.5:
            raise Failed(f"{name}: {samples} samples on {tried} instructions, worst share {worst:.2f} standard errors off")
        branches = sum(exact_rows[row["rva"]]["branches"] for row in rows)
        bad = sum(exact_rows[row["rva"]]["mispredicted"] for row in rows)
        seen, seen_bad = sum(row["F103"] for row in rows), sum(row["F104"] for row in rows)
        if seen:
            sampled_as(f"{name}: mispredicted", seen_bad, seen, bad / branches)
        lines.append(f"{name}: {samples} samples on {tried} instructions, at most {abs(worst):.1f} standard errors off; {seen_bad} of {seen} "
                     f"branches mispredicted, exact {100 * bad / branches:.2f} %")
        if name == "call-depth":
            returns, wrong = sum(row["F107"] for row in rows), sum(row["F108"] for row in rows)
            depth = int(facts["workload.depth"])
            sampled_as(f"{name}: mispredicted returns", wrong, returns, (depth - RETURN_STACK) / depth)
            lines[-1] += f"; {wrong} of {returns} returns, exact {100 * (depth - RETURN_STACK) / depth:.0f} %"
        names.add(name)
    if len(names) != int(count):
        raise Failed(f"{sorted(names)}")
    return "; ".join(lines)


def check_itlb(folder):
    """Of the sampled fetches that were attempted in the pieces: the share that missed the first ITLB, and found the page in the second.
    A run of each: 4 KB pages that fit, that do not, and 2 MB pages."""
    found = []
    for path, facts in runs(folder):
        rows = [row for row in Samples(path).rows if row["function"].startswith("code_pages_")]
        found.append(tuple(sum(row[code] for row in rows) for code in ("F002", "F006", "F007")))
        if facts["workload.check"] != "1":
            raise Failed("a result is wrong")
    line = "; ".join(f"{pages}: {missed} of {fetches} fetches in L2 ITLB, {walked} walked"
                     for pages, (fetches, missed, walked) in zip(("24 of 4 KB", "40 of 4 KB", "40 in 2 MB pages"), found))
    if len(found) != 3 or any(fetches < 100 for fetches, _, _ in found):
        raise Failed(line)
    (_, few, _), (fetches, many, walked), (_, large, _) = found
    if few > 2 or large or walked > 5:  # what is walked, and what a handler drives out
        raise Failed(line)
    sampled_as(line, many, fetches, 1 / 2)  # of a piece's three fetches the first, a jump's target, is not sampled
    return line


def main():
    folder, name, *arguments = sys.argv[1:]
    try:
        print(globals()["check_" + name](folder, *arguments))
    except Failed as failure:
        print(failure)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
