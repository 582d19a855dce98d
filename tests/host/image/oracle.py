# SPDX-License-Identifier: BSD-2-Clause
"""Callgrind's counts of the Linux twin's workloads, against the virtual PMU's exact counts of the same program and against the
counts that the workloads' rows predict.

oracle.py rows                          the runs that are compared, one a line: NAME parameter=value...
oracle.py compare NUMBER CALLGRIND TRUTH INI TWIN
    for the row of that number, from 0 on: callgrind's output (--dump-instr=yes --collect-jumps=yes --cache-sim=yes --branch-sim=yes
    with a D1 of 64 KB, 2-way, 64-byte lines), truth.csv of step_twin, the run's --format=ini, and the program
oracle.py compare-all WORK TWIN NUMBER...   of WORK/NUMBER.callgrind, .truth.csv and .ini: a line "ok ..." or "not ok ..." for each
oracle.py exact FOLDER WORK TWIN ODD NAME
    for a boot of every second row, from that of number 0 or 1 on, and of own code NAME.elf, with config=exact: its exact.csv, and
    callgrind's output of the same runs

Callgrind shares no code with this project: Valgrind's decoder reads the instructions and decides what is a load, a store or a
branch, and its cache has neither prefetcher nor time. So instructions, loads, stores, branches and taken branches must be
equal, instruction by instruction. Two things are counted differently, and are distinguished by objdump: for a read-modify-write
instruction callgrind counts only the write; and its branches are conditional and indirect jumps, not direct ones.

Misses of the data cache (except those of streaming stores, which bypass the model's caches) can differ by no more than the features
that only the model has:
  first      misses of the model except those on a line that is on its way already (MAB hits), loads and stores
  prefetched lines that the model's prefetcher brought in: each may have prevented a miss, or evicted a line
  cold       lines of the workload that prepare() may have left in callgrind's cache; the model begins with an empty one
callgrind - prefetched <= first <= callgrind + prefetched + cold.
"""
import csv
import functools
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../boot/check"))
from run_csv import read_exact  # noqa: E402

# The twin's runs, and the number of different lines of data that the kernel touches: parameters, result and stack are at most eight.
OTHER = 8
CACHE = 1024  # lines: capacity
WORKLOADS = 0x1000  # the first workload's RVA (linker.ld)
OWN_CODE = 0x404000000000  # drivers/cpu/paging.h
ROWS = (
    ("matmul-classic n=32 rows=1", 32 * 32 // 16 + 32 + 6),  # rows of 32 floats, from any place in a line
    ("matmul-classic-sse n=32 rows=1", 32 * 32 // 16 + 32 + 6),
    ("matmul-interchanged n=32 rows=1", 32 * 32 // 16 + 32 + 6),
    ("matmul-blocked n=32 rows=1 block=16", 32 * 32 // 16 + 32 + 6),
    ("pointer-chase kb=96 hops=20000", CACHE),
    ("pointer-chase kb=60 hops=10000", 60 * 16),
    ("branch-random iterations=1500 percent=50", CACHE),
    ("branch-pattern iterations=3000 period=7", 0),
    ("stream-triad kb=64 passes=1", CACHE),
    ("stream-write kb=64 passes=2 streaming=2", CACHE),
    ("strided kb=132 stride=4160 passes=100", 33),
    ("strided kb=128 stride=4096 passes=100", 32),
    ("call-depth rounds=100 depth=40", 11),  # 40 return addresses and 40 saved registers
    ("code-walk rounds=20 pieces=24", 0),
    ("tlb-reach reach=640 hops=6400", 640),
    ("jump-indirect iterations=1000 targets=4", 0),
    ("call-indirect iterations=1000 targets=4", CACHE),
    ("divide-chain steps=2000", 0),
    ("misaligned kb=4 passes=3 offset=3 stride=8", 64 + 1),
    ("store-forward iterations=1000 width=4", 2),
    ("bank-conflict iterations=1000 stride=64", 2),
)


# AT&T syntax, as objdump writes it: an arithmetic operation whose last operand is in memory.
READ_MODIFY_WRITE = r"(add|sub|inc|dec|and|or|xor|neg|not|xadd|xchg|lock \w+)[bwlq]? .*\)$"


class Failed(Exception):
    pass


def callgrind(path):
    """For each address: {event: count} of the instruction itself, and for conditional jumps {"taken": count}."""
    events, costs, at, inclusive, jump = [], {}, 0, False, None
    for line in open(path):
        words = line.split()
        if line.startswith("events:"):
            events = words[1:]
        elif line.startswith("totals:"):
            total = int(words[1])
        elif line.startswith("calls="):
            inclusive = True
        elif line.startswith("jcnd="):
            jump = int(line[5:].split("/")[0])
        elif line.startswith("jump="):
            jump = 0
        elif words and events and (words[0][0] in "+-*" or words[0][0].isdigit()):
            at = at if words[0] == "*" else at + int(words[0]) if words[0][0] in "+-" else int(words[0], 16)
            cost = costs.setdefault(at, dict.fromkeys(events + ["taken"], 0))
            if jump is not None:
                cost["taken"] += jump
            elif not inclusive:
                for event, count in zip(events, words[1:]):
                    cost[event] += int(count)
            inclusive, jump = False, None
    if sum(cost["Ir"] for cost in costs.values()) != total:
        raise Failed(f"{path}: the instructions that were read are not the total of {total}")
    return costs


def truth(path):
    totals, rows = {}, {}
    with open(path, newline="") as file:
        lines = list(csv.reader(file))
    for line in lines:
        if line[0].startswith("# ") and len(line) == 2:
            totals[line[0][2:]] = line[1]
    table = [line for line in lines if not line[0].startswith("#")]
    for line in table[1:]:
        if line[0] != "outside":
            rows[int(line[0], 16)] = {name: int(value) for name, value in zip(table[0][1:], line[1:])}
    return totals, rows


def known(path):
    with open(path) as file:
        return {key: int(value) for key, value in re.findall(r"^#: expected\.(\S+) = (\d+)$", file.read(), re.M)}


def listing(program, *options):
    """objdump's text of each instruction."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", *options, program], capture_output=True, text=True, check=True).stdout
    return {int(at, 16): text.strip() for at, text in re.findall(r"^ +([0-9a-f]+):\t(.*)$", text, re.M)}


@functools.lru_cache(maxsize=None)
def program(twin):
    """The beginning of the workloads, and the text of each instruction."""
    symbols = subprocess.run(["nm", twin], capture_output=True, text=True, check=True).stdout
    first, end = (int(re.search(rf"^([0-9a-f]+) . {name}$", symbols, re.M)[1], 16) for name in ("image_workloads", "image_workloads_end"))
    return first, listing(twin, f"--start-address={first}", f"--stop-address={end}")


def kind(text):
    """conditional, indirect, jump, call, ret, or "", from an instruction's text."""
    name = text.split()[0]
    if name.startswith("ret") or text.startswith("repz ret"):
        return "ret"
    if name.startswith("call"):
        return "call indirect" if "*" in text else "call"
    if name.startswith("jmp"):
        return "indirect" if "*" in text else "jump"
    return "conditional" if name.startswith("j") or name.startswith("loop") else ""


def counted(costs, at, text):
    """What callgrind counts of an instruction, by the names of truth.csv's columns."""
    theirs = costs.get(at, dict.fromkeys(next(iter(costs.values())), 0))
    what = kind(text)
    branches = theirs["Ir"] if what else 0
    rmw = theirs["Dw"] if re.match(READ_MODIFY_WRITE, text) else 0
    return dict(executions=theirs["Ir"], load_ops=theirs["Dr"] + rmw, store_ops=theirs["Dw"], branches=branches,
                taken=theirs["taken"] if what == "conditional" else branches, rmw=rmw, ret=branches if what == "ret" else 0,
                misses=0 if text.startswith("movnt") else theirs["D1mr"] + theirs["D1mw"], conditional=theirs["Bc"], indirect=theirs["Bi"])


def differences(at, text, row, theirs):
    return [f"{at:x} {text}: {name} {row[name]}, callgrind {theirs[name]}" for name in ("executions", "load_ops", "store_ops", "branches", "taken")
            if row[name] != theirs[name]]


def compare(number, callgrind_path, truth_path, ini_path, twin):
    run, lines = ROWS[int(number)]
    costs, (totals, rows) = callgrind(callgrind_path), truth(truth_path)
    first, texts = program(twin)
    shift = first - WORKLOADS
    wrong, sums = [], dict.fromkeys(("executions", "load_ops", "store_ops", "rmw", "branches", "taken", "ret", "misses", "first"), 0)
    for rva, row in sorted(rows.items()):
        at = rva + shift
        text = texts[at]
        theirs, what = counted(costs, at, text), kind(text)
        wrong += differences(at, text, row, theirs)
        if (what == "conditional") != (theirs["conditional"] > 0) or ("indirect" in what) != (theirs["indirect"] > 0):
            wrong.append(f"{at:x} {text}: callgrind has {theirs['conditional']} conditional, {theirs['indirect']} indirect branches")
        theirs["first"] = row["dc_load_misses"] + row["dc_store_misses"] - row["mab_hits"]
        for name in sums:
            sums[name] += theirs[name]
    if wrong or len(rows) < 4:
        raise Failed(f"{run}: {len(rows)} instructions, differing: " + "; ".join(wrong[:8]))
    expected = known(ini_path)
    for key, name in (("0c0:00", "executions"), ("0c2:00", "branches"), ("0c4:00", "taken"), ("0c8:00", "ret")):
        if expected.get(key, sums[name]) != sums[name]:
            raise Failed(f"{run}: {key} is {expected[key]} by the workload's row, {sums[name]} by callgrind")
    # Callgrind does not count floating-point operations; the matrix multiplies predict no other events.
    if "0c0:00" not in expected and not run.startswith("matmul"):
        raise Failed(f"{run}: its row knows no number of instructions")
    prefetched, cold = int(totals["prefetches"]), min(CACHE, lines + OTHER)
    line = (f"{run}: {sums['executions']} instructions, {sums['load_ops']} loads, {sums['rmw']} of them by callgrind stores alone, {sums['store_ops']} stores, {sums['branches']} branches, "
            f"{sums['taken']} taken; {len([key for key in expected if key[:3] in ('0c0', '0c2', '0c4', '0c8')])} known beforehand; "
            f"DC misses {sums['misses']} callgrind, {sums['first']} model ({prefetched} prefetched, {cold} cold)")
    if not sums["misses"] - prefetched <= sums["first"] <= sums["misses"] + prefetched + cold:
        raise Failed(line)
    return line


def compare_all(work, twin, *numbers):
    """The verdicts of these rows."""
    said = []
    for number in numbers:
        try:
            said.append("ok " + compare(number, *(f"{work}/{number}.{kind}" for kind in ("callgrind", "truth.csv", "ini")), twin))
        except (Failed, OSError) as failure:
            said.append(f"not ok {failure}")
    return "\n".join(said)


def exact_run(run, callgrind_path, shift, texts):
    """A run's exact.csv against callgrind's file, whose addresses are higher by 'shift' than the texts'; the instructions."""
    costs, rows, wrong = callgrind(callgrind_path), read_exact(f"{run}/exact.csv"), []
    for rva, row in rows.items():
        wrong += differences(rva, texts[rva], row, counted(costs, rva + shift, texts[rva]))
    if wrong or len(rows) < 4:
        raise Failed(f"{run}: {len(rows)} instructions, differing: " + "; ".join(wrong[:8]))
    return rows


def exact(folder, work, twin, odd, own):
    """Each run of a batch of every second row, and of own code, the last, stepped by the image on some processor of QEMU's, against callgrind's
    file of the same number, or name."""
    first, texts = program(twin)
    texts = {at - first + WORKLOADS: text for at, text in texts.items()}
    runs, numbers = sorted(os.listdir(f"{folder}/runs")), range(int(odd), len(ROWS), 2)
    if len(runs) != len(numbers) + 1 or len(runs) < 11:
        raise Failed(f"{folder}: {len(runs)} runs, of {len(numbers) + 1}")
    found = [exact_run(f"{folder}/runs/{run}", f"{work}/{number}.callgrind", first - WORKLOADS, texts) for number, run in zip(numbers, runs)]
    found.append(exact_run(f"{folder}/runs/{runs[-1]}", f"{work}/{own}.callgrind", OWN_CODE, listing(f"build/code/{own}.elf")))
    executions = sum(row["executions"] for rows in found for row in rows.values())
    return f"{len(runs)} runs, one of {own}.elf, {sum(map(len, found))} instructions, {executions} executions: as callgrind's"


def main():
    if sys.argv[1] == "rows":
        print("\n".join(run for run, _ in ROWS))
        return 0
    try:
        print({"compare": compare, "compare-all": compare_all, "exact": exact}[sys.argv[1]](*sys.argv[2:]))
    except Failed as failure:
        print(failure)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
