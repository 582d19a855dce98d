#!/bin/sh
# Totals counted without interrupts against the virtual PMU's exact ones; what it does not model; what is refused.
. "$(dirname "$0")/lib"

boot count-x87 0 --options "menu=no config=count n=150"
check_counters counts 0.1
check_counters columns
boot count-sse 0 --options "menu=no config=count workload=matmul-classic-sse n=150 repeats=2"
check_counters counts 0.1
boot count-flat 0 --options "menu=no config=count workload=tight-loop iterations=20000 events=0C0,0C1,0C1:c=3,0C2,0C4,040,080,0D7"
check_counters counts 0.1
check_counters modelled 0d7
shows "is not modelled"

# Refused with the reason before anything is programmed.
boot refused-five 1 --options "menu=no config=events sharing=none events=076,0C0,0C2,0C3,040"
shows "5 events, but 4 counters: allow re-runs or multiplexing"
boot refused-revision 1 --revision B --options "menu=no config=events events=1CF@500000"
shows "1CF"
shows_not "The run failed"
boot refused-model 1 --options "menu=no config=events events=0D7"
shows "the virtual PMU models none of these events"

# Without a run: what there is to measure.
boot show-events 0 --options "show=\"events DC\""
shows "DATA_CACHE_MISSES"
finish
