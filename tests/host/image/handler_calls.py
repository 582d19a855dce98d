# SPDX-License-Identifier: BSD-2-Clause
"""handler_calls.py ELF: all code that the NMI's entry reaches is between image_handler and image_handler_end.

Follows calls and jumps through objdump's listing. Samples on code of the handler that lay elsewhere would count as outside workload and profiler,
which fails a run's noise certificate; NMI_TEXT (drivers/cpu/nmi_text.h) makes a function part of the handler.
"""
import re
import subprocess
import sys

elf = sys.argv[1]
symbols = {}
for line in subprocess.run(["nm", elf], capture_output=True, text=True, check=True).stdout.splitlines():
    address, _, name = line.rsplit(maxsplit=2)
    symbols[name] = int(address, 16)
first, end = symbols["image_handler"], symbols["image_handler_end"]

listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-j", ".text", elf], capture_output=True, text=True, check=True).stdout
targets, function, size = {}, None, {}  # of each function: the functions it calls or jumps to
for line in listing.splitlines():
    head = re.match(r"([0-9a-f]+) <([^>]+)>:$", line)
    if head:
        function = head[2]
        symbols.setdefault(function, int(head[1], 16))
        targets[function], size[function] = set(), 0
        continue
    code = re.match(r"\s+[0-9a-f]+:\s+(?:notrack |bnd )?(call|j[a-z]+)\s+(\S+)(?: <([^+>]+))?", line)
    size[function] = size.get(function, 0) + bool(re.match(r"\s+[0-9a-f]+:", line))
    if code:
        targets[function].add(code[3] or "indirect: " + code[2])

reached, outside = {}, []
waiting = ["cpu_nmi_entry", "cpu_nmi_entry_stacks", "cpu_nmi_entry_lingers", "cpu_nmi_entry_later", "cpu_nmi_entry_branches"]
while waiting:
    name = waiting.pop()
    if name in reached:
        continue
    reached[name] = True
    if name not in targets or not first <= symbols[name] < end:
        outside.append(name)
        continue
    for target in targets[name]:
        if target not in reached:
            waiting.append(target)
instructions = sum(size[name] for name in reached if name in size)
if outside:
    print(f"the NMI handler reaches what is not between image_handler and image_handler_end: {', '.join(sorted(outside))}")
else:
    print(f"all that the NMI handler runs lies in its section: {', '.join(sorted(reached))} ({instructions} instructions)")
sys.exit(bool(outside) or len(reached) < 5)
