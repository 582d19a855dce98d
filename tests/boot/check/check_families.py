#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks of a boot on the registers of a family after 10h: check_families.py FOLDER NAME ARGUMENT...

The registers are those that the image saved (ibsprof export), compared with the model's exact counts. Status 1 when a check fails.
"""
import bisect
import glob
import json
import os
import re
import shutil
import subprocess

import column_walk
from check import Run, latest_run, percent, truth, within
from check_counters import count_mask, tree, truth_runs
from verdict import main, need

BRANCH, TAKEN, RETURN = 1 << 37, 1 << 35, 1 << 34
LOAD, STORE, L1_MISS, L2_TLB_MISS, MISS, PHYSICAL = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 7, 1 << 18

# By processor: possible bits of OpData, OpData2 and OpData3; sources of data on one core; whether IbsOpData3[5:4] is the page size.
UPPER = 0xFFFF0000FFF00000
OF = {
    "12h": (0x7FFFFFFFFF, 0x07, 0xFFFF000FFFFF, set(), False),
    "14h": (0x7CFFFFFFFF, 0x07, 0xFFFF0007E9DF, set(), False),
    "15h-10": (0x7CFFFFFFFF, 0x37, 0xFFFF000FE1FF, set(), False),
    "zen": (0x1FCFFFFFFFF, 0x37, 0xFFFF0007E1FF | UPPER, {2, 3}, False),
    "15h-30": (0x7CFFFFFFFF, 0x37, 0xFFFF0007E1FF | UPPER, {3}, False),
    "16h": (0x7CFFFFFFFF, 0x07, 0xFFFF0007E9FF | UPPER, {3}, False),
    "zen2": (0x1FCFFFFFFFF, 0x37, 0xFFFF0007E1FF | UPPER, {2, 3}, False),
    "zen3": (0x1FCFFFFFFFF, 0x37, 0xFFFF0007E1FF | UPPER, {2, 3}, False),
    "zen4": (0x1FCFFFFFFFF, 0xF7, 0xFFFF0007E1FF | UPPER, {1, 3}, False),
    "zen5": (0x1FCFFFFFFFF, 0xF7, 0xFFFF0007E1BF | UPPER, {1, 3}, True),
    "zen6": (0x1FCFFFFFFFF, 0x3F7, 0xFFFF0007E1BF | UPPER, {1, 3}, True),
}

WRONG = ("error", "invalid sample", "corrupt", "unprocessable")


def exported(folder, kind):
    command = ["build/tools/ibsprof", "export", "--format=jsonl", f"--samples={kind}", Run(folder).path]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in text.splitlines()]


def samples(folder, kind):
    return [[int(register, 16) for register in sample["registers"]] for sample in exported(folder, kind)]


def check_interval(folder, period):
    """Checks completed fetches per fetch sample: the period and, for those before sampling is re-armed, up to two fifths more."""
    _, totals = truth(folder)
    taken = int(totals["fetch_samples"])
    return within(f"fetches to each of {taken} samples", int(totals["fetches_completed"]) / max(taken, 1), int(period),
                  1.4 * int(period), "")


def check_registers(folder, name):
    """Checks that op samples have only their family's bits, and that sources, misses of the L2, widths, refills and targets agree with
    each other. Branches lead to executed code, except for the workload's last return to its caller, which is not measured."""
    data_bits, data2_bits, data3_bits, sources, page_size = OF[name]
    code, seen, callers = set(truth(folder)[0]), set(), set()
    base = int(Run(folder).fact("image_base"), 16)
    refills = targets = l2 = 0
    for _, rip, data, data2, data3, _, _, target in samples(folder, "op"):
        text = f"at {rip:#x}: {data:#x} {data2:#x} {data3:#x} {target:#x}"
        need(not data & ~data_bits and not data2 & ~data2_bits and not data3 & ~data3_bits, f"reserved bits {text}")
        access, miss, beyond = data3 & (LOAD | STORE), data3 & MISS, data3 >> 20 & 1
        width, refill = data3 >> 22 & 15, data3 >> 48
        need((width > 0) == (access > 0) and width <= 7, f"access width {text}")
        need(miss or not beyond, f"a miss of the L2 that is none of the L1 {text}")
        if data3 & LOAD:
            need(beyond == (data2 & 7 > 0), f"the source of a miss of the L2 {text}")
            need(bool(data3 & L1_MISS) == (refill > 0), f"refill of the TLB {text}")
            refills += refill > 0
        if beyond and data3 & LOAD:
            l2 += 1
            seen.add(data2 & 7 | (data2 & 0xC0) >> 3)
        if page_size and data3 & PHYSICAL:
            need(data3 >> 4 & 3 == 0, f"page size {text}")
        need(data & BRANCH or not target, f"target of no branch {text}")
        if data & BRANCH:
            targets += 1
            if target and target - base not in code:
                need(data & RETURN, f"a target where nothing ran {text}")
                callers.add(target)
            need(target, f"no target {text}")
    need(seen <= sources and l2, f"sources {seen} of {l2} misses of the L2, wanted of {sources}")
    need(len(callers) <= 1, f"returns to {len(callers)} places where nothing ran")
    need(refills and targets, f"{refills} refills, {targets} targets")
    return f"{l2} misses of the L2 from {sorted(seen)}, {refills} refills of the TLB, {targets} targets"


def check_levels(folder, name):
    """Compares the exact misses of b[k][j] with a simulation of the processor's sizes alone (column_walk.py), within half a point."""
    run, (rows, _) = Run(folder), truth(folder)
    row = rows[run.culprit()["rva"]]
    wanted = [100 * share for share in column_walk.levels(name, int(run.fact("n")))]
    exact = [percent(row[column], row["load_ops"]) for column in ("dc_load_misses", "dtlb_l1m_l2m", "dtlb_l1m_l2h")]
    text = "; ".join(f"{what} {a:.2f} %, predicted {b:.2f}" for what, a, b in zip(("DC miss", "DTLB L1M L2M", "DTLB L1M L2H"), exact, wanted))
    need(all(abs(a - b) <= 0.5 for a, b in zip(exact, wanted)), text)
    return f"b[k][j]: {text}"


def check_bits(folder, name):
    """Checks that there are op and fetch samples, and no op sample has a bit that its family reserves."""
    masks, ops, fetches = OF[name][:3], samples(folder, "op"), samples(folder, "fetch")
    for _, rip, *registers in ops:
        for value, mask in zip(registers, masks):
            need(not value & ~mask, f"reserved bits at {rip:#x}: {[hex(register) for register in registers]}")
    need(len(ops) >= 80 and len(fetches) >= 20, f"{len(ops)} op samples, {len(fetches)} fetch samples")
    return f"{len(ops)} op samples and {len(fetches)} fetch samples, no reserved bit"


def check_outer(folder, *memory):
    """Checks that L3 requests are misses of the L2 (064h) and page table reads, that L3 misses came from memory, and that nothing was
    written."""
    run, (_, totals) = Run(folder), truth(folder)
    with open(os.path.join(folder, "truth.csv")) as file:
        missed = sum(int(line.split(",")[3]) for line in file if line.startswith("# pmc,064,"))
    requests, misses = (int(run.fact(f"certificate.l3_{what}")) for what in ("requests", "misses"))
    moved = [int(run.fact(f"certificate.{what}")) for what in memory]
    need(moved[0] == 64 * misses and not any(moved[1:]), f"{misses} misses of the L3, bytes {moved}")
    return within(f"requests to the L3 ({missed} missed the L2)", requests, 0.97 * missed, missed + int(totals["page_walk_reads"]), "")


def check_passed(folder, latency):
    """Checks that each op sample is of an access that missed the L3, and of a load that took so many cycles."""
    taken = samples(folder, "op")
    for _, rip, _, data2, data3, *_ in taken:
        text = f"at {rip:#x}: {data2:#x} {data3:#x}"
        need(data3 & (LOAD | STORE) and data3 & MISS and data3 >> 20 & 1, f"no miss of the L2 {text}")
        need(not data3 & LOAD or data2 & 7 == 3, f"a load that DRAM did not answer {text}")
        need(int(latency) == 0 or data3 & LOAD and data3 >> 32 & 0xFFFF > int(latency), f"not more than {latency} cycles {text}")
    need(taken, "no op sample")
    return f"{len(taken)} op samples, each of a miss of the L3 of more than {latency} cycles"


def check_leaked(folder):
    """Checks that samples that contradict the filter of L3 misses are counted and reported, as many as in the saved registers."""
    ops = [(data2, data3) for _, _, _, data2, data3, *_ in samples(folder, "op")]
    leaked = sum(not data3 & (LOAD | STORE) or not data3 & MISS or not data3 >> 20 & 1 or bool(data3 & LOAD and data2 & 7 == 1) for data2, data3 in ops)
    told = facts(folder)
    need(leaked and int(told["samples.op_leaked"]) == leaked, f"{told['samples.op_leaked']} op samples are told, {leaked} contradict the filter")
    with open(folder + "/console.txt", encoding="utf-8", errors="replace") as file:
        need(f"WARNING: the processor's filter leaks: {leaked} of {len(ops)} op samples" in file.read(), "no WARNING")
    return f"{leaked} of {len(ops)} op samples contradict the filter, and are told"


def check_filtered(folder, without, latency):
    """As check_passed; also checks that there are fewer than in the boot 'without'."""
    passed, taken, all_of = check_passed(folder, latency), len(samples(folder, "op")), len(samples(without, "op"))
    need(50 <= taken < all_of / 2, f"{taken} samples, {all_of} without a filter")
    return f"{passed}; {all_of} without a filter"


def check_perf(folder, *perf):
    """Checks that perf script -D decodes the image's perf.data without errors, with the samples of ibsprof export, their addresses and,
    from Zen 4 on, that family's fields; perf mem and perf c2c read it, and count the loads and stores."""
    file = glob.glob(Run(folder).path + "/perf.data")[0]

    def by_perf(*command):
        ran = subprocess.run([*perf, *command, "-f", "-i", file], capture_output=True, text=True, errors="replace", check=False)
        need(ran.returncode == 0, f"perf {command[0]}: status {ran.returncode}: {ran.stderr}")
        return ran

    ran = by_perf("script", "-D")
    told = (ran.stdout + ran.stderr).lower()  # not by a regular expression, which takes 30 times as long on half a million lines
    said = [line for word in WRONG if word in told for line in told.splitlines() if word in line]
    need(not said, f"perf says {said[:3]}")
    counts = []
    for kind, label, register in (("op", "IbsOpRip", 1), ("fetch", "IbsFetchLinAd", 1)):
        theirs = sorted(int(value, 16) for value in re.findall(rf"^{label}:\s+([0-9a-f]+)$", ran.stdout, re.M))
        ours = sorted(sample[register] for sample in samples(folder, kind))
        need(theirs == ours and ours, f"{kind}: perf has {len(theirs)} addresses, ibsprof {len(ours)}, or others")
        counts.append(f"{len(ours)} {kind}")
    ops = [sample[4] & (LOAD | STORE) for sample in samples(folder, "op")]
    later = [ran.stdout.count(f" {field} ") for field in ("L3MissOnly", "LdLatEn", "StrmSt")]
    caps = int(Run(folder).fact("machine.ibs_caps"), 16)
    both = len(ops) + int(counts[1].split()[0])
    newest = perf != ("perf",)  # Debian 12's perf has no filter by latency, and lacks Zen 6's bits
    expected = [both * (caps >> 11 & 1), len(ops) * (caps >> 12 & 1) * newest, len(ops) * (caps >> 16 & 1) * newest]
    need(later == expected, f"perf shows the fields of Zen 4, 5 and 6 {later} times, not {expected}")
    c2c = dict(re.findall(r"^ +(\w[\w /]+?) +: +(\d+)$", by_perf("c2c", "report", "--stdio", "--stats", "--no-source").stdout, re.M))
    told = int(c2c["Load Operations"]), int(c2c["Store Operations"])
    need(told == (len(ops) - ops.count(STORE) - ops.count(0), ops.count(STORE)), f"perf c2c has {told[0]} loads and {told[1]} stores")
    need(" L1 hit " in by_perf("mem", "report", "--stdio").stdout, "perf mem report has no L1 hit")
    return f"perf script -D decodes {' and '.join(counts)} samples with ibsprof's addresses, perf c2c {told[0]} loads and {told[1]} stores"


def check_rip_invalid(folder):
    """Checks that one sample in eight has an invalid address; these are not exact, and all others are."""
    all_of, invalid = exported(folder, "op"), 0
    for sample in all_of:
        marked = int(sample["registers"][2], 16) >> 38 & 1
        invalid += marked
        need(sample["exact"] == (not marked), f"exact {sample['exact']} at {sample['ip']}, IbsRipInvalid {marked}")
    return within(f"IbsRipInvalid in {invalid} of {len(all_of)} op samples", 100 * invalid / len(all_of), 10.5, 14.5)


def reported(folder, by):
    """Returns the output of ibsprof report --by=branch or block."""
    return json.loads(subprocess.run(["build/tools/ibsprof", "report", "--json", f"--by={by}", latest_run(folder)], capture_output=True, text=True,
                                     check=True).stdout)


def facts(folder):
    """Returns every fact of the run's run.ini ("#: key = value")."""
    with open(os.path.join(latest_run(folder), "run.ini")) as file:
        return dict(re.findall(r"^#: (\S+) = (.*)$", file.read(), re.M))


def recorded(folder, bare):
    """Returns the run's numbers of branch records that retired, of these mispredicted, and of wrong paths; 'bare': Zen 3, which lacks
    the latter two."""
    of = {key[len("branches."):]: value for key, value in facts(folder).items() if key.startswith("branches.")}
    need(bool(bare) != ("mispredicted" in of or "wrong_path" in of), f"run.ini has {of}")
    return [int(of["taken"])] + [0 if bare else int(of[key]) for key in ("mispredicted", "wrong_path")]


def check_branches(folder, perf, bare=None):
    """Checks that perf shows each record, which of them were mispredicted, and their history, in the run's folder, where it finds the
    ELF file."""
    taken, mispredicted, wrong = recorded(folder, bare)
    script, report = (subprocess.run([shutil.which(os.path.abspath(perf)) or perf, *words, "-i", "perf.data"], cwd=latest_run(folder),
                                     capture_output=True, text=True, check=True).stdout
                      for words in (["script", "-F", "brstack"], ["report", "--branch-history", "--stdio", "--no-inline"]))
    shown = re.findall(r"0x[0-9a-f]+/0x[0-9a-f]+/([MP-])", script)
    need((len(shown), shown.count("M"), "-" in shown) == (taken + wrong, mispredicted, bool(bare)),
         f"perf script: {len(shown)}, {shown.count('M')} mispredicted, {shown.count('-')} bare")
    need("(predicted:" in report, f"perf report --branch-history: {report[:200]}")
    rows = reported(folder, "branch")["branches"]
    own = [sum(row["times"] for row in rows), sum(row["mispredicted"] or 0 for row in rows), all(row["mispredicted"] is None for row in rows)]
    need(own == [taken, mispredicted, bool(bare)], f"ibsprof report --by=branch has {own[0]} branches, {own[1]} mispredicted")
    return f"perf shows {len(shown)} branches, {shown.count('M')} mispredicted, and their history"


def check_paths(folder, most, bare=None):
    """Compares recorded branches, by address, with exact counts of taken branches: shares, in points of distance."""
    counts, (rows, _) = {}, truth(folder)
    for branch in reported(folder, "branch")["branches"]:
        rva = int(branch["from"]["address"], 16)
        counts[rva] = counts.get(rva, 0) + branch["times"]
    need(sum(counts.values()) == recorded(folder, bare)[0], f"{sum(counts.values())} branches")
    exact = {rva: row["taken"] for rva, row in rows.items() if row["taken"] and rva != "outside"}
    both, recorded_all, taken_all = set(counts) | set(exact), sum(counts.values()), sum(exact.values())
    distance = sum(abs(counts.get(rva, 0) / recorded_all - exact.get(rva, 0) / taken_all) for rva in both)
    return within(f"distance of {recorded_all} recorded branches from {taken_all} taken ones", 50 * distance, 0, float(most))


def check_blocks(folder, most, bare=None):
    """Compares blocks between recorded branches, by ibsprof, with exact executions: shares of instructions, in points of distance."""
    rows, _ = truth(folder)
    rvas, report = sorted(rva for rva in rows if rva != "outside"), reported(folder, "block")
    counts = dict.fromkeys(rvas, 0)
    for block in report["blocks"]:
        first, last = (int(block[end]["address"], 16) for end in ("begin", "end"))
        for rva in rvas[bisect.bisect_left(rvas, first):bisect.bisect_right(rvas, last)]:
            counts[rva] += block["times"]
    need(report["wrong_path"] == recorded(folder, bare)[2], f"{report['wrong_path']} branches of wrong paths")
    need(report["broken"] == 0, f"{report['broken']} blocks are none")
    counted, executed = sum(counts.values()), sum(rows[rva]["executions"] for rva in rvas)
    distance = sum(abs(counts[rva] / counted - rows[rva]["executions"] / executed) for rva in rvas)
    return within(f"distance of {report['all']} pieces of code between branches from the exact counts", 50 * distance, 0, float(most))


def code_of(folder, *functions):
    """Returns the addresses of these functions' instructions, by objdump."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-j", ".text", latest_run(folder) + "/ibsboot.elf"], capture_output=True, text=True, check=True).stdout
    for name in functions:
        yield [int(rva, 16) for rva in re.findall("^ +([0-9a-f]+):", re.search(rf"^[0-9a-f]+ <{name}>:\n((?: .*\n)+)", text, re.M)[1], re.M)]


def stacks_of_calls(folder, depth):
    """Stacks of the test image's 'calls': an instruction of climb, which calls itself, ran once in each of its depth + 1 frames, or only
    in those that call again."""
    rows, _ = truth(folder)
    successor, climb, call_often = code_of(folder, "successor", "climb", "call_often")
    yield from ((("call_often",), rows[rva]["ops"]) for rva in call_often)
    for level in range(depth + 1):
        frames = ("climb",) * (level + 1) + ("call_often",)
        yield from ((("successor",) + frames, rows[rva]["ops"] / (depth + 1)) for rva in successor)
        for rva in climb:
            ran = rows[rva]["executions"] * (depth + 1) // rows[climb[0]]["executions"]
            yield frames, rows[rva]["ops"] / ran if level < ran else 0


def stacks_of_call_depth(folder, depth):
    """Stacks of call-depth: each level has sixteen bytes of its own, the last ones of the function."""
    rows, _ = truth(folder)
    ran = [rva for rva in next(code_of(folder, "call_depth")) if rva in rows]
    outermost = sorted({rva // 16 for rva in ran})[-depth]
    yield from ((("call_depth",) * (2 + max(rva // 16 - outermost, -1)), rows[rva]["ops"]) for rva in ran)


def check_stacks(folder, depth, most=None):
    """Compares call stacks that ibsprof makes from branch records, without frame pointers, with the exact ones: the same stacks, except
    for three samples around the workload; 'most': points between the shares and those of the ops."""
    exact, of = {}, stacks_of_call_depth if "-call-depth-" in latest_run(folder) else stacks_of_calls
    for stack, ops in of(folder, int(depth)):
        exact[stack] = exact.get(stack, 0) + ops
    report = reported(folder, "stack")
    found = {tuple(frame["function"] for frame in row["functions"]): row["samples"] for row in report["stacks"]}
    need(report["made_from"] == "branch records" and set(exact) <= set(found), f"stacks {found}")
    others = sum(found.values()) - sum(found[stack] for stack in exact)
    need(others <= 3, f"{others} samples have stacks that never were: {found}")
    every, ops = sum(found[stack] for stack in exact), sum(exact.values())
    distance = sum(abs(found[stack] / every - exact[stack] / ops) for stack in exact) if most else 0
    return within(f"distance of {every} samples' stacks from the {len(exact)} exact ones, {others} with another", 50 * distance, 0, float(most or 0))


def check_slots(folder, slots):
    """Computes AMD's tree from the virtual PMU's exact counts (core/explore/explore_slots.h) and compares each row to the printed tenth
    and the 0.1 % of a total. The exact counts of level 1 are all slots: each was used, or lacked an op, or waited."""
    exact = {(select, mask, count_mask(ctl)): workload for select, mask, ctl, workload in truth_runs(folder) if workload}
    width = int(slots)
    cycles, ops, front, back, dispatched = (exact[key] for key in ((0x076, 0, 0), (0x0C1, 0, 0), (0x1A0, 1, 0), (0x1A0, 0x1E, 0), (0x0AA, 7, 0)))
    nothing, waits, loads = exact[0x1A0, 1, width] * width, exact[0x0D6, 2, 0], exact.get((0x0D6, 0xA2, 0), 0)
    wrong, resyncs = exact.get((0x0C3, 0, 0), 0), exact.get((0x096, 0, 0), 0) + exact.get((0x09F, 1, 0), 0)
    bad = dispatched - ops
    parts = {"Retiring": ops, "Bad speculation": bad, "Front-end bound": front, "Back-end bound": back,
             "Other thread (SMT contention)": 0, "Microcode (1C2)": exact.get((0x1C2, 0, 0), 0),
             "Mispredicted branches": bad * wrong / max(wrong + resyncs, 1), "Latency: nothing supplied": nothing,
             "Bandwidth: too few supplied": front - nothing, "Memory bound": back * loads / waits, "Core bound": back * (1 - loads / waits)}
    rows, wanted = tree(folder), {name: percent(part, width * cycles) for name, part in parts.items()}
    off = [f"{name} {rows[name][1]}, exact {value:.2f}" for name, value in wanted.items() if abs(rows[name][1] - value) > 0.15]
    need(not off, "; ".join(off))
    within("all slots", percent(front + back + dispatched, width * cycles), 99.9, 100.1)
    return "from exact counts: " + ", ".join(f"{name} {value:.2f}" for name, value in wanted.items())


if __name__ == "__main__":
    main(globals())
