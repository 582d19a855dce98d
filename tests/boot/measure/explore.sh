#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# General Exploration: each workload designed to be bound by a single resource is flagged there and nowhere else on level 1.
. "$(dirname "$0")/../lib"

make -s build/tools/ibsprof || exit 1

# From the tree's head to the end of its checks, of what is on standard input.
tree_of() {
    sed -n '/^General Exploration, Family 10h/,/ not checked$/p'
}

# The host makes the same text of the run's files as the image has printed.
same_on_host() {
    run=$(echo "$dir"/runs/0001-*)
    tree_of <"$run/report.txt" >"$dir/tree-image.txt"
    build/tools/ibsprof report "$run" | tree_of >"$dir/tree-host.txt"
    if [ -s "$dir/tree-image.txt" ] && diff "$dir/tree-image.txt" "$dir/tree-host.txt"; then
        ok "$(basename "$dir"): ibsprof report prints the same $(wc -l <"$dir/tree-host.txt") lines"
    else
        not_ok "$(basename "$dir"): ibsprof report prints another tree than the image"
    fi
}

explore() { # name, settings, names of the rows that must be flagged...
    name=explore-$1 settings=$2
    shift 2
    boot "$name" 0 --options "menu=no config=explore $settings"
    check_counters flagged "$@"
    check_counters level1
    check_counters tree
    check_counters invariants "$invariants"
    check_counters columns
    same_on_host
}

# Where the number of instructions is known, one more check.
invariants=7
explore front "workload=code-walk rounds=2000" "Front-end bound" "Instruction cache misses, est."
check_counters documented '| `code-walk` | front-end bound, instruction cache misses'
explore memory "workload=pointer-chase" "Back-end bound" "Memory bound" "DRAM, est."
check_counters documented '| `pointer-chase` | back-end, memory bound, DRAM (and DTLB)'
# Cycles per hop: 165 of memory; each page is new to the TLB, so a page walk reads its last entry, whose few lines are in the L2: 15.
# Once round 16 MB. Preparing has left 6.6 MB in the caches, some of which is hit before misses have evicted it: 110 cycles less
# for 9 of 100 hops.
check_counters ratio 076 0C2 169 172
check_counters row Retiring 0.5 0.6 # three ops in that time
explore core "workload=divide-chain steps=60000" "Back-end bound" "Core bound"
check_counters documented '| `divide-chain` | back-end, core bound'
check_counters ratio 076 0C2 26 26.1 # 4 + 20 + 2 cycles per division
check_counters row Retiring 7.6 7.8     # six ops in them
explore speculation "workload=branch-random iterations=30000" "Bad speculation" "Refilling after a mispredict" "Until the branch is known, est."
check_counters documented '| `branch-random` | bad speculation, refilling'
# Every second one of the random branches, which are half of all: 30,000 have a standard error of 0.3 %.
check_counters ratio 0C3 0C2 0.244 0.256
explore retiring "workload=alu-independent iterations=6000" "Retiring"
check_counters documented '| `alu-independent` | retiring'
check_counters ratio 0C0 076 2.94 2.96 # 62 instructions in 21 lines of three
check_counters row Retiring 98.0 98.5

# Below the limits the same code is not flagged: predictable branches; as many pieces as the instruction cache holds.
boot explore-predictable 0 --options "menu=no config=explore workload=branch-random iterations=30000 percent=100"
check_counters not-flagged "Bad speculation" "Front-end bound"
# The same on two cores, with a tree for each: the host's is the image's, and what both counted is the sum.
boot explore-small 0 --smp 2 --options "menu=no config=explore cores=all workload=code-walk rounds=2000 pieces=16"
check_counters not-flagged "Front-end bound" "Bad speculation"
cores_of() {
    sed -n '/^General Exploration by core/,/^no weight/p'
}
run=$(echo "$dir"/runs/0001-*)
cores_of <"$run/report.txt" >"$dir/cores-image.txt"
build/tools/ibsprof report --by=core "$run" | cores_of >"$dir/cores-host.txt"
if grep -q '^CPI.* [0-9.]*  *[0-9.]*$' "$dir/cores-image.txt" && diff "$dir/cores-image.txt" "$dir/cores-host.txt"; then
    ok "ibsprof report --by=core prints the same trees of two cores"
else
    not_ok "ibsprof report --by=core prints other trees of cores than the image"
fi
# mean of an event in each file; instructions are exact, so no rounding of means is in the way
total=$(awk -F, '$1 == "0c0" { print $7 }' "$run/counts.csv")
if [ -n "$total" ] && [ "$total" = "$(awk -F, '$2 == "0c0" { sum += $8 } END { print sum }' "$run/core-counts.csv")" ]; then
    ok "instructions of both cores are the sum's $total"
else
    not_ok "instructions of both cores are not the sum's $total"
fi

# Two runs a side, compared row by row: predictable branches retire more and speculate less, and what is the same is not different.
for seed in 1 2; do
    for percent in 100 60; do
        boot explore-$percent-$seed 0 --options "menu=no config=explore workload=branch-random iterations=4000 percent=$percent seed=$seed"
    done
done
build/tools/ibsprof compare --csv build/boot/explore-100-[12]/runs/0001-* -- build/boot/explore-60-[12]/runs/0001-* >"$dir/compare.csv"
verdict() { # name of a row, its verdict
    found=$(grep "^exploration,\"$1\"," "$dir/compare.csv" | cut -d, -f"${3:-26}")
    if [ "$found" = "$2" ]; then ok "compare: $1 is $2"; else not_ok "compare: $1 is '$found', wanted $2"; fi
}
verdict "Bad speculation" different
verdict "Retiring" different
verdict "CPI, cycles per instruction" different 27 # a comma more
verdict "Front-end bound" equivalent
# A row that is made of samples, and of those none missed.
verdict "Memory bound" ""
build/tools/ibsprof compare build/boot/explore-100-1/runs/0001-* build/boot/explore-60-1/runs/0001-* >"$dir/compare.txt"
if grep -q '^  no verdicts: one run on a side' "$dir/compare.txt" && ! sed -n '/^General Expl/,/^95 %/p' "$dir/compare.txt" | grep -q different; then
    ok "compare: no verdict of rows from one run a side"
else
    not_ok "compare: one run a side got verdicts of rows"
fi

# The loop of the matrix multiply adds up in memory.
invariants=6
explore matmul "n=150" "Back-end bound" "Store forwarding, est."
check_counters counts 0.05
finish
