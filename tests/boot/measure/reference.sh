#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What sampling changed: short periods do, long ones do not, and the counts are the model's exact ones, on several processors and cores.
. "$(dirname "$0")/../lib"

boot reference 0 --options "menu=no n=200 rows=5 workload=matmul-interchanged reference=yes op_period=512 fetch_period=512"
check_with check_reference.py changed
shows "WARNING: sampling changed the workload"

# What sampling leaves alone gives the same estimate on each layout of the code: 4.9 with this seed. Of the run above it differs by seed and layout,
# as the handler leaves the loop differently each time.
boot reference-time 0 --options "menu=no seed=1 workload=misaligned passes=20 kb=64 reference=yes op_period=4096 fetch=no repeats=4"
check_with check_time.py 8

boot reference-long 0 --options "menu=no n=200 rows=5 workload=matmul-interchanged reference=yes op_period=65536 fetch_period=65536"
check_with check_reference.py unchanged
shows "PASS sampling changed no more than the samples' uncertainty"
shows "in the model's cycles"

# Sampled by counters: the ones that a group leaves free count the rest, the TSC counts the clocks. Sampled by the timer.
boot reference-assess 0 --options "menu=no n=100 rows=5 workload=matmul-interchanged config=assess reference=yes"
check_with check_reference.py unchanged
shows "PASS sampling changed no more than the samples' uncertainty: cycles (TSC)"

boot reference-timer 0 --options "menu=no workload=stream-copy kb=512 passes=2 config=tbp timer_us=10 reference=yes"
check_with check_reference.py unchanged

# Half of the loads are forwarded, but those of the column wait for page walks: the estimate of time says which of both costs, and that it is no
# quarter of the cycles (17.5 % go with --free dtlb).
boot reference-cause 0 --options "menu=no seed=5 reference=yes"
cause=$(build/tools/ibsprof report build/boot/reference-cause/runs/*/ | sed -n '/^Cause/,/^  next/p' | tr -s '\n ' ' ')
case $cause in
"Cause Addresses miss both data TLBs"*"by estimated time "*"; at most "[12][0-9].*) ok "reference-cause: page walks of the column" ;;
*) not_ok "reference-cause: $cause" ;;
esac

boot reference-b 0 --revision B --options "menu=no workload=branch-random iterations=400000 reference=yes op_period=8192 fetch_period=4096"
check_with check_reference.py unchanged

boot reference-zen4 0 --revision zen4 --options "menu=no workload=stream-copy reference=yes op_period=640 fetch_period=640"
check_with check_reference.py changed

boot reference-cores 0 --smp 2 --options "menu=no cores=all workload=tlb-reach reference=yes op_period=16384 fetch=no"
shows "What sampling changed, in one pass"
shows "PASS sampling changed no more than the samples' uncertainty"

# One sample a pass: shares and misses are those of an undisturbed pass, within chance.
boot once 0 --options "menu=no once=yes repeats=140 workload=stream-copy kb=32 passes=1"
check_with check_once.py 30
finish
