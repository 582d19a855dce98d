# SPDX-License-Identifier: BSD-2-Clause
"""check_stacks.py ELF RUN...: checks that the call stacks in perf.data of runs are possible, by the program's machine code (objdump).

Each return address must follow a call, and that call must lead to the function of the next inner address. Frame pointers do not tell the
caller of a function at its first two instructions or its last one, so that call is not checked.
"""
import collections
import json
import os
import re
import subprocess
import sys

elf, *runs = sys.argv[1:]
ibsprof = os.environ.get("IBSBOOT_BUILD", "build") + "/tools/ibsprof"
function_of, call_before, edge = {}, {}, set()
name, previous, index = None, None, 0
for line in subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-j", ".text", elf], capture_output=True, text=True, check=True).stdout.splitlines():
    head = re.match(r"([0-9a-f]+) <([^>]+)>:$", line)
    code = re.match(r"\s+([0-9a-f]+):\s+(\S+)\s*(.*)$", line)
    if head:
        name, index = head[2], 0
    elif code:
        address = int(code[1], 16)
        function_of[address] = name
        if previous is not None:
            call_before[address] = previous
        target = re.search(r"<([^+>]+)>", code[3])
        previous = (target[1] if target else "*") if code[2] == "call" else None
        if index < 2 or code[2] == "ret":
            edge.add(address)
        index += 1


def calls(caller, callee):
    """Returns whether the call before this return address leads there; a call through a register, or to code that jumps on, may."""
    target = call_before.get(caller)
    return target is not None and (target in ("*", callee) or target not in workload)


workload = {"successor", "climb", "call_often"}
problems, checked, unknown, depths = [], 0, 0, collections.Counter()
for run in runs:
    facts = dict(re.findall(r"^#: (\S+) = (.*)$", open(run + "/run.ini").read(), re.M))
    settings = dict(re.findall(r"^(\w+) = (.*)$", open(run + "/run.ini").read(), re.M))
    base, most = int(facts["image_base"], 16), int(settings["call_stack"])
    ends = [int(facts["stacks." + end]) for end in ("whole", "cut", "broken")]
    samples = 0
    jsonl = subprocess.run([ibsprof, "export", "--format=jsonl", run], capture_output=True, text=True, check=True).stdout
    for line in jsonl.splitlines():
        marker, at, *addresses = (int(word, 16) for word in json.loads(line)["callchain"])
        samples += 1
        depths[len(addresses)] += 1
        if marker != 2 ** 64 - 512 or len(addresses) > most:
            problems.append(f"{run}: {line[:300]}")
            continue
        places = [address - base for address in (at, *addresses)]
        if places[0] not in function_of:
            unknown += 1
            continue
        for inner, outer in zip(places, places[1:]):
            if inner == places[0] and inner in edge:
                continue
            checked += 1
            if not calls(outer, function_of.get(inner)):
                problems.append(f"{run}: {[function_of.get(place, hex(place)) for place in places]}: no call at {outer:x}")
    if sum(ends) != samples or ends[2] or not ends[0]:
        problems.append(f"{run}: {samples} samples, but {ends} stacks that are whole, cut, broken")
    if most < 16 and not ends[1]:
        problems.append(f"{run}: no stack was cut at {most}")
if unknown > sum(depths.values()) / 20 or len(depths) < 4:
    problems.append(f"{unknown} interrupts outside of the program, depths {dict(depths)}")
if problems:
    print(f"not ok call stacks: {len(problems)} problems: {problems[:3]}")
else:
    print(f"ok call stacks of {sum(depths.values())} samples: {checked} calls are the program's, depths {dict(sorted(depths.items()))}")
