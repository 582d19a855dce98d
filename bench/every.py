# SPDX-License-Identifier: BSD-2-Clause
"""Lists all workloads, each with its default parameters and with others, for the programs here that try all workloads."""
import os
import re
import subprocess
import sys

# The workloads with other parameters than their defaults.
WORKLOADS = {
    "add-chain": "iterations=5000", "alu-independent": "iterations=4000", "bank-conflict": "iterations=50000 stride=72", "branch-always": "taken=2",
    "branch-pattern": "period=300", "branch-random": "percent=10", "branch-sorted": "sorted=2", "call-depth": "depth=8",
    "call-indirect": "targets=16", "code-pages": "rounds=1000 pieces=20", "code-walk": "rounds=2000 pieces=8", "divide-chain": "steps=40000",
    "false-sharing": "padding=64", "imul-chain": "iterations=3000", "jump-indirect": "targets=16", "matmul-blocked": "n=400",
    "matmul-classic": "n=300 rows=4", "matmul-classic-sse": "n=500", "matmul-interchanged": "n=600", "misaligned": "passes=20 kb=64",
    "own-page": "rounds=300", "pointer-chase": "kb=1024 hops=100000", "store-forward": "width=4", "stream-copy": "kb=256 passes=8",
    "stream-read": "kb=256 passes=8", "stream-triad": "kb=256 passes=8", "stream-write": "kb=256 passes=8", "strided": "stride=256",
    "tight-loop": "iterations=30000", "tlb-reach": "reach=3000", "true-sharing": "increments=20000",
}
# Sizes that are executed step by step, or hundreds of times, within seconds.
SMALL = {
    "add-chain": "iterations=300", "alu-independent": "iterations=300", "bank-conflict": "iterations=3000", "branch-always": "iterations=1500",
    "branch-pattern": "iterations=4000", "branch-random": "iterations=2000", "branch-sorted": "passes=1", "call-depth": "rounds=100",
    "call-indirect": "iterations=2000", "code-pages": "rounds=60", "code-walk": "rounds=100", "divide-chain": "steps=1000",
    "false-sharing": "increments=3000", "imul-chain": "iterations=200", "jump-indirect": "iterations=2000", "matmul-blocked": "n=40 block=8",
    "matmul-classic": "n=40", "matmul-classic-sse": "n=40", "matmul-interchanged": "n=40", "misaligned": "passes=4", "own-page": "rounds=2",
    "pointer-chase": "hops=2000 kb=1024", "store-forward": "iterations=3000", "stream-copy": "kb=32", "stream-read": "kb=64", "stream-triad": "kb=32",
    "stream-write": "kb=64", "strided": "passes=1 kb=128", "tight-loop": "iterations=2000", "tlb-reach": "hops=3000", "true-sharing": "increments=3000",
}


def defaults():
    """Reads each workload's parameters from docs/workloads.md, because a batch keeps the settings of earlier lines."""
    with open("docs/workloads.md") as file:
        rows = [re.match(r"\| `([a-z-]+)` \|[^|]*\| (`.*) \|$", line) for line in file]
    return {row[1]: dict(re.findall(r"`([a-z_]+)` ([0-9a-z]+),", row[2])) for row in rows if row}


def settings(workload, small):
    """Returns the words of a workload's parameters: the defaults, or with small the others."""
    values = defaults()[workload] | (dict(word.split("=") for word in WORKLOADS[workload].split()) if small else {})
    return " ".join(f"{key}={value}" for key, value in values.items())


def boot(out, options, *more):
    """Boots with these load options, quietly; a boot that fails ends the program with the message of tools/qemu/boot."""
    done = subprocess.run(["tools/qemu/boot", "--out", out, "--options", "menu=no selftest=no " + options, *more], capture_output=True, text=True, check=False)
    if done.returncode:
        words = (done.stdout + done.stderr).splitlines() or [f"tools/qemu/boot ended with status {done.returncode}"]
        sys.exit(f"{os.path.basename(sys.argv[0])}: {out}: {words[0]}")
