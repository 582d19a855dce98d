#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Two nodes: the node of cores, memory and records, local and remote memory by the samples, and events that count once per node.
. "$(dirname "$0")/../lib"
make -s build/tools/ibs_dump build/tools/ibsprof || exit 1

check_cores() {
    check_with check_cores.py "$@"
}
check_nodes() {
    check_with check_nodes.py "$@"
}

# Four cores: each record's core is proven by its address, and its node by the core. Registers programmed on both nodes are restored.
boot nodes-4 0 --smp 4 --nodes 2 --options "menu=no cores=all workload=own-page rounds=8 op_period=256 fetch_period=512"
check_cores samples 4
check_cores own-page 4
check_cores together 4 20000
check_nodes cores 2
check_cores ibsprof 4 2
shows "core 1 node 0"
shows "core 2 node 1"
shows "node 1: memory 10000000 to 1fffffff"
shows_not "NOT RESTORED"

# The same walk in near and in far memory, longer than the caches; then by both cores in node 0's; then both write to one line.
batch_options="--smp 2 --nodes 2"
batch nodes-memory 0 "config=ibs fetch=no op_period=144" "workload=pointer-chase hops=30000 kb=16384 memory=local" run \
    "memory=remote" run "cores=all memory=0 kb=49152" run \
    "workload=false-sharing increments=30000 op_period=1040" run
check_nodes dram 1 local
check_nodes dram 2 remote
check_nodes dram 3 local remote
check_nodes caches 4
check_nodes shares 0.02
figures
shows_not "NOT RESTORED"

# The way between each two cores, and to the memory of each node. Each node's own counters, on one core of each (refused.sh: two cores of one node).
batch_options="--smp 4 --nodes 2"
batch nodes-counts 0 config=pairs run "config=latency pages=2m" run "pages=4k cores=0,2 config=count memory=0 workload=pointer-chase kb=16384 hops=2000 events=1E0:01,1E0:02" run \
    "workload=false-sharing increments=20000 events=0E9:A8,0E9:98,0E9:68" run
check_nodes counts 3 1E0:01=4000
check_nodes counts 4 0E9:A8=500 0E9:98=500 0E9:68=500
check_nodes pairs 1
check_nodes latency 2
shows_not "NOT RESTORED"

# From Zen on ACPI's SRAT alone says which node has which memory.
boot nodes-zen2 0 --revision zen2 --smp 4 --nodes 2 --options "menu=no config=latency pages=2m"
check_nodes latency 1 13
shows "node 1: memory 10000000 to 1fffffff"
finish
