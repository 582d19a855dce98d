#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The workloads on memory: their exactly known counts, and the effect of each in figures.
. "$(dirname "$0")/../lib"

# All loops with small parameters, each event of a row; stores and loads in all their relations.
batch memory-counts 0 "config=count" "events=0C0,0C2,0C4,0C8,040,047,02A:07" \
    "workload=stream-read kb=4" run "workload=stream-write kb=4 streaming=1" run "streaming=2" run \
    "workload=stream-copy kb=4" run \
    "workload=strided passes=5 kb=8 stride=24" run \
    "workload=misaligned passes=3 kb=4 offset=3 stride=8" run "offset=8" run "offset=60 stride=64" run \
    "workload=tlb-reach hops=500 reach=20" run \
    "workload=store-forward iterations=300 width=8 offset=0" run "offset=4" run "offset=0 place=12" run "place=0 width=4" run \
    "width=2 offset=3" run "width=1 offset=0 place=9" run \
    "workload=bank-conflict iterations=300 stride=64" run \
    "events=0C0,0C2,0C4,0C8,040,003:08,003:10" "workload=stream-triad kb=4 passes=1" run
check_with check_workloads.py expected 17 91
check_with check_memory.py exact 8

# The predictions from the sizes of caches and TLBs, counted exactly.
batch memory-sizes 0 "config=count" "events=0C0,041,042:1F" \
    "workload=stream-triad kb=128 passes=1" run "workload=stream-copy" run "workload=stream-read" run "workload=stream-write streaming=1" run "streaming=2" run \
    "workload=strided stride=8" run "stride=64 passes=5" run "stride=128" run "stride=4096 passes=200" run \
    "workload=stream-read kb=512 passes=1" run "repeats=2" "workload=strided kb=132 stride=4160 passes=200" run "repeats=1" \
    "events=0C0,045:07,046:07" \
    "workload=tlb-reach hops=6000 reach=48" run "reach=49" run "reach=512" run "reach=640" run "pages=2m" run \
    "pages=4k" "events=0C0,076" "workload=bank-conflict iterations=100000 stride=64" run "stride=72" run \
    "workload=misaligned kb=16 passes=400 stride=64 offset=12" run "offset=8" run
check_with check_memory.py exact 16
check_with check_memory.py cycles 2

# The same by IBS.
batch memory-stories 0 "config=ibs fetch=no op_period=144" \
    "workload=stream-triad kb=128 passes=1" run "workload=stream-write streaming=2" run \
    "workload=strided stride=128 passes=20" run \
    "workload=stream-read kb=512 passes=1" run "workload=strided kb=132 stride=4160 passes=600" run \
    "workload=misaligned kb=16 offset=3 passes=10 stride=8" run \
    "workload=tlb-reach hops=20000 reach=49" run "reach=640" run \
    "workload=store-forward iterations=10000 offset=0 width=8" run "width=4" run \
    "workload=bank-conflict iterations=10000 stride=64" run "stride=72" run "stride=96" run
check_with check_memory.py stories 13
finish
