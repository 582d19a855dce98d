# SPDX-License-Identifier: BSD-2-Clause
"""check_autofdo.py IBSPROF ELF RUN SOURCE WORK: clang compiles the source with the run's op samples, and its branches have their weights.

LLVM's sample profile loader gives a function one more than the profile's count of its head, and weights to the branches between lines with
counts. Without the profile there is neither.
"""
import os
import re
import shutil
import subprocess
import sys

ibsprof, elf, run, source, work = sys.argv[1:]
os.makedirs(work + "/elf", exist_ok=True)
shutil.copy(elf, work + "/elf")
profile = work + "/autofdo"
subprocess.run([ibsprof, "report", "--format=autofdo", "--debug-dir=" + work + "/elf", "-o", profile, run], check=True)
heads = {name: int(head) for name, head in re.findall(r"^(\w+):\d+:(\d+)$", open(profile).read(), re.M)}


def compiled(*options):
    command = ["clang", "-std=gnu11", "-I.", "-O2", "-g", "-ffreestanding", *options, "-S", "-emit-llvm", "-o", "-", source]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


text = compiled("-fprofile-sample-use=" + profile)
nodes = dict(re.findall(r"^(!\d+) = !\{(.*)\}$", text, re.M))
problems, branches = [], []
for name, head in heads.items():
    body = re.search(r"^define [^\n]*@" + name + r"\([^\n]*!prof (!\d+) \{\n(.*?)^\}", text, re.M | re.S)
    entry = nodes.get(body[1], "") if body else ""
    if entry != f'!"function_entry_count", i64 {head + 1}':
        problems.append(f"{name}: {head} samples at its head, but {entry or 'no count'}")
    branches += [nodes[node] for node in re.findall(r"^  br i1 .*!prof (!\d+)", body[2], re.M)] if body else []
weights = [[int(weight) for weight in re.findall(r"i32 (\d+)", branch)] for branch in branches if "branch_weights" in branch]
if len(heads) < 3 or not any(max(pair) > 2 * min(pair) for pair in weights):
    problems.append(f"functions {heads}, weights of branches {weights}")
if "branch_weights" in compiled():
    problems.append("branches have weights without a profile")
print(f"not ok autofdo: {problems}" if problems else f"ok autofdo: clang takes the counts of {len(heads)} functions; branches weigh {weights}")
