#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks boots of the workloads on control flow and the core: check_flow.py FOLDER CHECK [ARGUMENT]..."""
import math

from check import truth
from check_workloads import Samples, passes, runs, sampled_as
from verdict import Failed, main

ITLB_L2_HITS = 0x084
CYCLES, MISPREDICTED, RETURNS, INDIRECT, HITS, OVERFLOWS = 0x076, 0x0C3, 0x0C9, 0x0CA, 0x088, 0x089
RETURN_STACK = 24  # docs/model.md


def counted(folder):
    """Returns each run's name, facts, units of work, and the virtual PMU's counts of the workload alone."""
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


# docs/model.md: fetches of 32 bytes, one a cycle; a taken branch ends its line of macro-ops and costs a fetch slot; lines of three;
# a mispredicted branch; loads; L2 after the L1I's 3 cycles; an L2 TLB's hit; memory.
WIDTH, MISPREDICT, LOAD, FROM_L2, FROM_L2_TLB, MEMORY = 3, 12, 3, 15 - 3, 3, 165


def front(taken, blocks):
    """Returns the front end's cycles for code with these numbers of taken branches and fetched blocks."""
    return taken + blocks


def lines(ops):
    return math.ceil(ops / WIDTH)


def call_depth(depth):
    """Returns least and most cycles of a round. Least: 2 * depth + 1 taken branches, with the code between two of them in one block.
    Most: each level waits for the stack pointer: two cycles of the call's two ops, the return's load and its two ops. Each return of
    a level that the return stack has lost is mispredicted when its load has its data."""
    lost = max(0, depth - RETURN_STACK)
    least = front(2 * depth + 1, 2 * depth + 1) + lost * MISPREDICT
    return least / depth, (depth * (2 + LOAD + 2) + 2 + lost * (MISPREDICT + 1)) / depth


# One unit: least and most cycles as they follow from these constants and from the code's layout (which is aligned); a function
# takes the share of mispredicted branches. The run's first cycles are added: START for each line of code, data and page
# tables. Then the event, its number in a unit, and the tolerated excess: while the predictor learns, and at the end.
#   branch-always: 16 branches and the loop's. Taken, 17 runs of code, of which two cross the end of a block. Not taken, all 50
#     ops in lines of three, which the loop's branch ends.
#   branch-pattern: an iteration is two runs, or one where the branch is not taken. The history of 12 has 6 of its outcomes, so with
#     a period of 16 its end is mispredicted, and executed one cycle after the subtraction that it waits for.
#   call-indirect: three times a copy, a shift and an exclusive or, each waiting for the one before; at most two cycles of the call's
#     and the return's second ops more. Mispredicted (by chance; 8000 calls have a standard error of 0.5 %): the right path is two taken
#     branches before that chain, then eight cycles from copy to call, of which the multiplication is 4.
#   jump-indirect: three taken branches and four blocks. Mispredicted: two taken branches, and six instructions in a chain to the jump.
#   alu-independent: 60 additions and the loop's two. Chains: latencies of 1, 4 and 4 + 20 + 2.
#   code-pages: two lines of each piece come from the L2, because the L1I has two ways for lines 4 KB apart, in 8 sets; three blocks and
#     a jump. At most the fetches and the piece's chain of eight follow each other.
START = 36
NO_EVENT = (MISPREDICTED, 0, 40)
PIECE = front(1, 3) + 2 * FROM_L2
CHAIN = 8
STORY = (
    ("branch-always", "taken", 1, (front(17, 19) / 16,), START, NO_EVENT),
    ("branch-always", "taken", 2, (lines(50) / 16,), START, NO_EVENT),
    ("branch-pattern", "period", 4, ((3 * front(2, 2) + front(1, 1)) / 4,), START, NO_EVENT),
    ("branch-pattern", "period", 16, ((15 * front(2, 2) + front(1, 1) + MISPREDICT + 1) / 16,), START, (MISPREDICTED, 1 / 16, 40)),
    ("call-depth", "depth", 8, call_depth(8), START, (RETURNS, 0, 0)),
    ("call-depth", "depth", 24, call_depth(24), START, (RETURNS, 0, 1)),
    ("call-depth", "depth", 40, call_depth(40), START, (RETURNS, (40 - RETURN_STACK) / 40, 1)),
    ("call-indirect", "targets", 1, (9, 9 + 2), START, (INDIRECT, 0, 20)),
    ("call-indirect", "targets", 4, (lambda bad: 9 * (1 - bad) + (MISPREDICT + front(2, 2) + 9 + 8) * bad,
                                     lambda bad: 11 * (1 - bad) + (MISPREDICT + front(2, 2) + 9 + 8 + 2) * bad), START,
     (INDIRECT, 3 / 4 - 4 * 0.005, 8 * 0.005 * 8000)),
    ("jump-indirect", "targets", 1, (front(3, 4),), START, (INDIRECT, 0, 20)),
    ("jump-indirect", "targets", 4, (lambda bad: front(3, 4) * (1 - bad) + (MISPREDICT + front(2, 2) + 6) * bad,), START,
     (INDIRECT, 1 - 20 / 8000, 20)),
    ("alu-independent", "iterations", 4000, (lines(62),), START, NO_EVENT),
    ("add-chain", "iterations", 1000, (1,), START, NO_EVENT),
    ("imul-chain", "iterations", 1000, (4,), START, NO_EVENT),
    ("divide-chain", "steps", 4000, (4 + 20 + 2,), START, NO_EVENT),
    # Pages of 2 MB, as the firmware maps; then 4 KB, with fewer pages than the first ITLB's 32 entries, and with more.
    ("code-pages", "pieces", 40, (PIECE, PIECE + CHAIN), START + 80, (ITLB_L2_HITS, 0, 0)),
    ("code-pages", "pieces", 24, (PIECE, PIECE + CHAIN), START + 48, (ITLB_L2_HITS, 0, 5)),
    ("code-pages", "pieces", 40, (PIECE + FROM_L2_TLB, PIECE + FROM_L2_TLB + CHAIN), START + 80, (ITLB_L2_HITS, 41 / 40 - 60 / 16000, 60)),  # the loop needs a page, too; the first fetches walk
)


def check_counted(folder):
    """Compares cycles, and each run's event, per unit of work: exact counts of the virtual PMU."""
    found, wrong, lines = counted(folder), [], []
    if len(found) != len(STORY):
        raise Failed(f"{len(found)} runs, wanted {len(STORY)}")
    for (name, facts, units, exact), (wanted, key, value, bounds, start, (event, share, more)) in zip(found, STORY):
        cycles, count = exact[CYCLES] / units, exact[event]
        low, *high = (bound(count / units) if callable(bound) else bound for bound in bounds)
        high = (high[0] if high else low) + start * MEMORY / units
        line = f"{name} {key}={facts['workload.' + key]}: {cycles:.3f} cycles ({low:.3f} to {high:.3f})"
        if event != MISPREDICTED or share or count > more:
            line += f", {event:03X} {count} in {units}"
        if name != wanted or int(facts["workload." + key]) != value:
            raise Failed(f"{line} where {wanted} {key}={value} should be")
        good = low - 0.001 <= cycles <= high and share * units - 1 <= count <= share * units + more
        if name == "call-depth":
            rounds = int(facts["workload.rounds"])
            over = max(0, value - RETURN_STACK)
            line += f", 089 {exact[OVERFLOWS]}"
            # In the first round the stack also has the workload's caller.
            good &= over * rounds <= exact[OVERFLOWS] <= over * rounds + RETURN_STACK
            good &= 0 <= exact[HITS] - (min(value, RETURN_STACK) * rounds) <= 1
        lines.append(line)
        if not good:
            wrong.append(f"WRONG: {line}, wanted {low:.3f} to {high:.3f}, and {share * units:.0f} to {share * units + more:.0f} of {event:03X}")
    if wrong:
        raise Failed("; ".join(wrong + lines))
    return "; ".join(lines)


def check_sampled(folder, count):
    """Checks that a workload's instructions have op samples in proportion to their dispatched macro-ops, and that samples agree with the
    exact counts of its branches; in standard errors."""
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
    """Checks which share of the sampled fetches attempted in the pieces missed the first ITLB and hit the second: runs with 4 KB pages
    that fit, 4 KB pages that do not, and 2 MB pages."""
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
    if few > 2 or large or walked > 5:  # walks, and entries that a handler evicts
        raise Failed(line)
    sampled_as(line, many, fetches, 1 / 2)  # the first of a piece's three fetches, a jump's target, is not sampled
    return line


if __name__ == "__main__":
    main(globals())
