#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Control flow and the core: the effect that each workload shows, in counted and in sampled figures.
. "$(dirname "$0")/../lib"

check_flow() {
    check_with check_flow.py "$@"
}

# Counted: cycles and mispredictions of each unit of work. One event of each kind is in all runs, so that the checks find it.
batch flow-counted 0 "config=count events=0C3,0C9,0CA,088,089" \
    "workload=branch-always iterations=4000 taken=1" run "taken=2" run \
    "workload=branch-pattern iterations=32000 period=4" run "period=16" run \
    "workload=call-depth rounds=1000 depth=8" run "depth=24" run "depth=40" run \
    "workload=call-indirect iterations=8000 targets=1" run "targets=4" run \
    "workload=jump-indirect iterations=8000 targets=1" run "targets=4" run \
    "workload=alu-independent iterations=4000" run "workload=add-chain iterations=1000" run "workload=imul-chain" run \
    "workload=divide-chain steps=4000" run \
    "events=084,085:01" "workload=code-pages rounds=400 pieces=40" run "code_pages=4k pieces=24" run "pieces=40" run
check_flow counted

# Sampled: the share of each instruction of the workload, and of its branches that were mispredicted, is the exact one.
batch flow-sampled 0 "config=ibs fetch=no op_period=144" \
    "workload=branch-always iterations=2000 taken=2" run \
    "workload=branch-pattern iterations=30000 period=16" run \
    "workload=call-depth rounds=900 depth=40" run \
    "workload=call-indirect iterations=6000 targets=4" run \
    "workload=jump-indirect iterations=12000 targets=3" run \
    "workload=add-chain iterations=2000" run "workload=imul-chain" run
check_flow sampled 7

# Fetch samples of code on many pages: of the two fetches of a piece that can be sampled, one is the first in its page.
batch flow-itlb 0 "config=ibs op=no fetch_period=144 workload=code-pages rounds=600 code_pages=4k" "pieces=24" run "pieces=40" run \
    "code_pages=firmware" run
check_flow itlb
finish
