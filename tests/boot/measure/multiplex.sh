#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# 24 events in six groups that take turns: a short run has fewer than ten turns of each and is flagged, after it said how long it should be; the
# same run repeated, or longer, is not. Then the counters' own totals are those of a run that counts each event all the time.
. "$(dirname "$0")/../lib"

events=0C0,0C1,0C2,0C3,0C4,0C5,076,0D0,0D1,0D2,0D3,0D5,0DA,040,041,042,043,045,046,047,0C8,07E,080,081
# Ten microseconds are 30,000 cycles of the model; a step of the workload takes 26.
turns="menu=no config=events events=$events periods=given sharing=multiplex slice_us=10 workload=divide-chain"

boot turns-short 0 --options "$turns steps=15000"
check_counters columns
check_counters reliability low
shows "Turns: with less than 600 us of measured time, 10 turns of each of 6 groups,"
shows "NOTE: too short for turns: "

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
shows_not "NOTE: too short"

boot turns-long 0 --options "$turns steps=300000"
check_counters reliability high
check_counters total RETIRED_INSTRUCTIONS:00 1800005 3 # of 1.8 M; each turn counts the entry to and the exit from its handler
check_counters total RETIRED_BRANCH_INSTRUCTIONS:00 300001 3

# Each page is walked once, in the beginning: 67 times, which the group of that event may miss. It is not 0 then.
boot turns-missed 0 --options "menu=no config=events events=0C0,076,040,041,042:1F,043:1F,046:07 workload=stream-read kb=256 passes=40 seed=1 sharing=multiplex slice_us=453"
if grep -q '^046:07 DTLB L1M L2M .* unknown  0\.00 LOW$' "$dir/console.txt"; then
    ok "turns-missed: the event that a turn missed is LOW"
else
    not_ok "turns-missed: $(grep '^046:07 DTLB L1M L2M' "$dir/console.txt")"
fi
finish
