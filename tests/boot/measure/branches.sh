#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Branch records of Zen 3 (Branch Sampling): the 16 branches after a counter's overflow, against the model's exact counts. Firmware has left the
# recording on, with records of its own. (Those of Zen 4: families.sh.)
. "$(dirname "$0")/../lib"

boot branches-zen3 0 --revision zen3 --hostile branch-records --count-handler \
    --options "menu=no config=events events=0C4@500 workload=branch-random iterations=500000 branches=yes"
check_with check_families.py blocks 0.5 bare
check_with check_families.py paths 0.5 bare
check_with check_families.py branches perf bare
shows "; predictions are not recorded; 0 empty"
check_counters estimate "ex_ret_brn_tkn:00" 750195 1
row=$(grep -c 'C000_010F .*, 0x5003c, 0x5003c, same$' "$dir"/runs/0001-*/run.ini)
if [ "$row" = 1 ]; then ok "branches-zen3: the control is put back"; else not_ok "branches-zen3: put back: $row rows"; fi

# Call stacks without frame pointers: all that there are, and no other.
IBSBOOT_IMAGE=ibsboot-test boot branches-stacks 0 --revision zen3 --options "menu=no config=events events=0C4@501 branches=yes workload=calls depth=2 calls=40000"
check_with check_families.py stacks 2

# What would cut the recording short is refused, in one line.
for refused in "config=ibs" "config=events events=0C4@1000,0C0@50000" "config=tbp" "config=events events=0C2@1000"; do
    boot branches-refused 1 --revision zen3 --options "menu=no branches=yes workload=branch-random iterations=1000 $refused"
    shows "these settings cannot run here: Zen 3 records branches only after a counter's"
done
boot branches-none 1 --revision zen2 --options "menu=no branches=yes workload=branch-random iterations=1000"
shows "this processor has no branch records"
finish
