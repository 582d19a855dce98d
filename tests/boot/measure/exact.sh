#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Exact counts (config=exact) against the virtual PMU's, of every workload, and of own code; on both firmwares, and after other runs.
. "$(dirname "$0")/../lib"

check_exact() {
    check_with check_exact.py "$@"
}

# Each workload once: the model's exact counts are of the pass that counters counted.
batch exact 0 config=exact \
    "workload=add-chain iterations=20" run "workload=alu-independent iterations=100" run "workload=bank-conflict iterations=200" run \
    "workload=branch-always iterations=50" run "workload=branch-pattern iterations=500 period=7" run \
    "workload=branch-random iterations=500 percent=30" run "workload=branch-sorted passes=1" run "workload=call-depth rounds=20 depth=5" run \
    "workload=call-indirect iterations=200 targets=3" run "workload=code-pages rounds=20 pieces=40" run \
    "workload=code-walk rounds=20 pieces=24" run "workload=divide-chain steps=100" run "workload=false-sharing increments=100" run \
    "workload=imul-chain iterations=20" run "workload=jump-indirect iterations=200 targets=5" run \
    "workload=matmul-blocked n=20 rows=2 block=7" run "workload=matmul-classic n=20 rows=2" run \
    "workload=matmul-classic-sse n=20 rows=2" run "workload=matmul-interchanged n=20 rows=2" run \
    "workload=misaligned kb=4 passes=1" run "workload=own-page rounds=3" run "workload=pointer-chase hops=3000 kb=64" run \
    "workload=store-forward iterations=200" run "workload=stream-copy kb=64 passes=1" run "workload=stream-read kb=64 passes=1" run \
    "workload=stream-triad kb=64 passes=1" run "workload=stream-write kb=64 passes=1" run "workload=strided kb=64 passes=2" run \
    "workload=tight-loop iterations=100" run "workload=tlb-reach reach=64 hops=500" run "workload=true-sharing increments=100" run
check_exact truth 31
kept=$dir

# By a BIOS, after a run in which the virtual PMU has stepped; and stepped by TF, where the virtual PMU's own TF comes and goes.
batch_options="--firmware bios" batch exact-bios 0 "workload=true-sharing increments=100" "config=ibs" run "config=exact" run
check_exact same "$kept"
check_exact counters
boot exact-tf 0 --step tf --options "menu=no config=exact workload=true-sharing increments=100"
check_exact same "$kept"

# Own code, with its map.
make -s -C examples dot && make -s build/tools/ibsprof && build/tools/ibsprof codemap build/code/dot.elf >build/boot/exact-map.txt || exit 1
boot exact-own 0 --file build/code/dot.elf:ibsboot/code/dot.elf --file build/code/dot.map:ibsboot/code/dot.map \
    --options "menu=no config=exact workload=dot passes=2 n=1000"
check_exact truth 1

finish
