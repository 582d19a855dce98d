#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Totals counted without interrupts against the virtual PMU's exact ones, for all modelled events, on two workloads; and events
# that are not modelled.
. "$(dirname "$0")/../lib"

# Each event that the model reports as modelled, with each bit of its mask alone and with all: at least this number.
boot count-x87 0 --options "menu=no config=count events=all n=100"
check_counters counts 0.05 120
check_counters columns
shows "Residue: an empty region, minus the overhead, counts"
check_counters clock 3000000
# The same loop with SSE: what tells the two apart, beside instructions, ops and accesses.
boot count-sse 0 --options "menu=no config=count events=003,0C0,0C1,0C2,0CB:01,0CB:04,040,041,080 workload=matmul-classic-sse n=100"
check_counters counts 0.05 9
boot count-flat 0 --options "menu=no config=count events=all workload=tight-loop iterations=5000"
check_counters counts 0.05 120
boot count-flat-b 0 --revision B --options "menu=no config=count events=all workload=tight-loop iterations=5000"
check_counters counts 0.05 110
check_counters clock 2000000

# The configurations' events, twice; modifiers; and events that are not modelled.
boot count-repeats 0 --options "menu=no config=count n=120 repeats=2"
check_counters counts 0.05 20
boot count-masks 0 --options "menu=no config=count workload=tight-loop iterations=5000 events=0C0,0C1,0C1:c=1,0C1:c=3,0D9,042:02"
check_counters counts 0.05 5
check_counters modelled 0d9 042
shows "is not modelled"

# Without a run: the lists of what can be measured.
boot show-events 0 --options "show=\"events DC\""
shows "DATA_CACHE_MISSES"
finish
