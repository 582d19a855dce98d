#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# 24 events in six groups that take turns: a short run gives them unequal shares and is flagged; the same run repeated, or
# longer, is not. Then the counters' own totals are those of a run that counts each event all the time.
. "$(dirname "$0")/lib"

events=0C0,0C1,0C2,0C3,0C4,0C5,076,0D0,0D1,0D2,0D3,0D5,0DA,040,041,042,043,045,046,047,0C8,07E,080,081
# Ten microseconds are 30,000 cycles of the model; a step of the workload takes 26.
turns="menu=no config=events events=$events periods=given sharing=multiplex slice_us=10 workload=divide-chain"

boot turns-short 0 --options "$turns steps=15000"
check_counters columns
check_counters reliability low
shows " LOW"

# So short that the turns of most groups never come: their events are in no table, not even as zeros.
boot turns-none 0 --options "menu=no config=events events=0C0,040,041,045,046,047,0C2,0C3 periods=given sharing=multiplex slice_us=1000 workload=divide-chain steps=300"
shows "was not measured"
shows_not "DTLB report"
if "${IBSBOOT_BUILD:-build}/tools/ibsprof" report "$dir" | grep -q '^Samples   not measured: MISALIGNED_ACCESSES:00$'; then
    ok "ibsprof report: not measured"
else
    not_ok "ibsprof report does not say that an event was not measured"
fi
check_counters uncounted RETIRED_BRANCH_INSTRUCTIONS:00 RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS:00

boot turns-repeated 0 --options "$turns steps=15000 repeats=24"
check_counters columns
check_counters reliability high
shows_not " LOW"

boot turns-long 0 --options "$turns steps=300000"
check_counters reliability high
check_counters total RETIRED_INSTRUCTIONS:00 1800005 3 # of 1.8 M; each turn counts the entry to and the exit from its handler
check_counters total RETIRED_BRANCH_INSTRUCTIONS:00 300001 3
shows_not " LOW"
finish
