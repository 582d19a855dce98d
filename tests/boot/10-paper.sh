#!/bin/sh
# The paper's headline: contiguous frames, 4 KB pages, revision C, one row of the classic matrix multiply.
. "$(dirname "$0")/lib"

boot paper 0 --revision C --options "menu=no"
check samples op 20000
check samples fetch 5000
check executions 1000000
check walk contiguous
check culprit-share 90
check dtlb-share 3.5
check hottest
check truth 0.4
check truth-ratio 3.5
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
build/tools/ibsprof report --html -o "$dir/paper.html" "$run" && python3 tests/host/html_checks.py run "$dir/paper.html" build/screenshots >"$dir/html.txt" 2>&1
add_checks html_checks.py $? "$dir/html.txt"
finish
