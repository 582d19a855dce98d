#!/bin/sh
# General Exploration: each workload that is made to be bound by one thing is flagged there and nowhere else on level 1.
. "$(dirname "$0")/lib"

explore() { # name, settings, names of the rows that must be flagged...
    name=explore-$1 settings=$2
    shift 2
    boot "$name" 0 --options "menu=no config=explore $settings"
    check_counters flagged "$@"
    check_counters level1
    check_counters invariants "$invariants"
    check_counters columns
}

# With the number of instructions known beforehand, one check more.
invariants=7
explore front "workload=code-walk rounds=2000" "Front-end bound" "Instruction cache misses, est."
explore memory "workload=pointer-chase" "Back-end bound" "Memory bound" "DRAM and beyond, est."
check_counters ratio 076 0C2 165 200 # cycles per hop: memory takes 165 in the model, and page walks come to it
explore core "workload=divide-chain steps=60000" "Back-end bound" "Core bound"
check_counters ratio 076 0C2 25.5 26.5 # 4 + 20 + 2 cycles per division
explore speculation "workload=branch-random iterations=30000" "Bad speculation" "Refilling after a mispredict"
check_counters ratio 0C3 0C2 0.24 0.26 # every second one of the random branches, which are half of all
explore retiring "workload=alu-independent iterations=6000" "Retiring"
check_counters ratio 0C0 076 2.9 3

# Below the limits the same code is not flagged: predictable branches; as many pieces as the instruction cache holds.
boot explore-predictable 0 --options "menu=no config=explore workload=branch-random iterations=30000 percent=100"
check_counters not-flagged "Bad speculation" "Front-end bound"
boot explore-small 0 --options "menu=no config=explore workload=code-walk rounds=2000 pieces=16"
check_counters not-flagged "Front-end bound" "Bad speculation"

# The loop of the matrix multiply waits for its own results.
invariants=6
explore matmul "n=150" "Back-end bound" "Core bound"
check_counters counts 0.1
finish
