#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# How ops are selected: fixed intervals alias with the loop, cycle counting favours ops that wait at dispatch.
. "$(dirname "$0")/../lib"

# A flat loop of 17 ops with a fixed interval: two samples are period - N workload ops apart, because N ops of the handler are counted
# too. The first boot measures N, the second uses a period with which that distance is a multiple of 17.
flat="menu=no workload=tight-loop random=no fetch=no"
boot fixed 0 --options "$flat op_period=736"
period=$(python3 tests/boot/check/check.py "$dir" alias-period 736 17)
boot aliased 0 --options "$flat op_period=$period"
shows "WARNING: the intervals are not random"
shows "WARNING: Op samples within basic blocks"
check biased 80
figures
figures "docs/measuring.md: op_period={} gives {} - {} = {} = {} x 17" "$period" "$period" 14 $((period - 14)) $(((period - 14) / 17))
boot random 0 --options "menu=no workload=tight-loop fetch=no op_period=$period"
shows_not "WARNING"
check truth 0.4

boot cycles 0 --options "menu=no count=cycles n=600"
shows "NOTE: op intervals were counted in core cycles"
check biased 2
check identities
finish
