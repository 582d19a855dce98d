#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The paper's headline: contiguous frames, 4 KB pages, revision C, two rows of the classic matrix multiply; as in ./dev run.
. "$(dirname "$0")/../lib"

boot paper 0 --revision C --options "menu=no rows=2 op_period=512 fetch_period=256 records=262144"
check samples op 60000
check samples fetch 40000
check executions 2000000
check walk contiguous
check culprit-share 90
check dtlb-share 3.5
check hottest
check truth 0.3
check truth-ratio 2.5
check identities
check report
check ini samples.op_lost 0
shows "MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon."
shows "vpmu: restored:"
shows_not "NOT RESTORED"
figures
check paper-row "revision C model, contiguous frames"

perf_agrees

# The page that ibsprof draws of it, in a browser.
mkdir -p build/screenshots
run=$(echo "$dir"/runs/0001-*)
: >"$dir/html.txt"
build/tools/ibsprof report --html -o "$dir/paper.html" "$run" && python3 tests/host/pages/html_checks.py run "$dir/paper.html" build/screenshots >"$dir/html.txt" 2>&1
add_checks html_checks.py $? "$dir/html.txt"
finish
