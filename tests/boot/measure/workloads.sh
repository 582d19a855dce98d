#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Each workload's exactly known counts against the virtual PMU's; many runs in one boot.
. "$(dirname "$0")/../lib"

check_workloads() {
    check_with check_workloads.py "$@"
}

batch known-counts 0 "config=count" \
    "events=0C0,0C2,0C4,0C8,040" \
    "workload=alu-independent iterations=100" run "iterations=1" run \
    "workload=branch-random iterations=500 percent=50" run "percent=100" run \
    "workload=code-walk rounds=20 pieces=24" run "pieces=1" run \
    "workload=pointer-chase hops=3000 kb=64" run "hops=1 kb=4" run \
    "workload=branch-sorted passes=1 sorted=1" run "sorted=2" run \
    "workload=branch-always iterations=50 taken=1" run "taken=2" run \
    "workload=branch-pattern iterations=500 period=7" run "period=1" run \
    "workload=call-depth rounds=20 depth=1" run "depth=48" run \
    "workload=call-indirect iterations=200 targets=1" run "targets=16" run \
    "workload=jump-indirect iterations=200 targets=1" run "targets=5" run \
    "workload=add-chain iterations=20" run "workload=imul-chain" run \
    "workload=code-pages rounds=20 pieces=40" run "pieces=1" run \
    "events=0C0,0C2,0C4,0C8,040,003:08,003:20" \
    "workload=divide-chain steps=100" run \
    "events=1C0:01,1C0:02" "workload=matmul-classic n=20 rows=2" run \
    "workload=matmul-interchanged" run "workload=matmul-blocked block=7" run \
    "events=003:01,003:02" "workload=matmul-classic-sse n=20 rows=2" run
check_workloads expected 29 135

# The matrix multiply: the effect of interchanging and blocking at the load of b[k][j].
batch matmul-story 0 "config=ibs fetch=no op_period=2048 n=664 rows=1" "workload=matmul-classic" run \
    "workload=matmul-interchanged" run "workload=matmul-blocked block=32" run
check_workloads matmul 664 32

# The same work on sorted and on shuffled data.
batch sorted 0 "config=ibs fetch=no op_period=160 workload=branch-sorted passes=3" "sorted=1" run "sorted=2" run
check_workloads mispredicted 0.5 0.001

# The staircase of memory: from IBS DC miss latencies alone. Four laps and more, so that the median is of a warm list.
set -- "config=ibs fetch=no workload=pointer-chase pages=2m op_period=144"
for step in 32:20000 48:20000 96:20000 256:24000 448:40000 768:60000 2048:131072; do
    set -- "$@" "kb=${step%:*} hops=${step#*:}" run
done
set -- "$@" "op_period=1008" "kb=5120 hops=260000" run "kb=12288 hops=400000" run
batch staircase 0 "$@"
check_workloads staircase
# The same in ibsprof's page.
make -s build/tools/ibsprof || exit 1
if steps=$(build/tools/ibsprof report build/boot/staircase | sed '1,/^Steps/d' | sed 's/^ *//' | tr '\n' ';') &&
    # Where the stack lies in L1 beside the list, one load of several hundred can miss.
    echo "$steps" | grep -Eqx "32 to 48: L1, (no misses|most loads hit, 0\.[0-9] % missed);96 to 448: L2, 12 cycles;768 to 5120: L3, 52 cycles;12288: DRAM, 162 cycles;" &&
    build/tools/ibsprof report --html -o build/boot/staircase.html build/boot/staircase; then ok "ibsprof report: $steps"; else not_ok "ibsprof report: $steps"; fi

# Nothing of a batch with a wrong line is run.
batch batch-wrong 1 "workload=tight-loop iterations=10 config=count" "run" "iteration=5" "run"
shows "batch: ended at this line: iteration=5"
shows_not "Running "
boot batch-missing 1 --options 'batch=\ibsboot\batch.txt'
shows "batch = \ibsboot\batch.txt: "
finish
