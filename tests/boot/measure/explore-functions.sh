#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Level 1 of General Exploration by function, from samples in one run whose groups take turns: the whole run's rows are those of
# the tree, which docs/exploration.md has of these workloads, and the host prints the same table of functions.
. "$(dirname "$0")/../lib"

make -s build/tools/ibsprof || exit 1

# One run, turns of 20 us: 60,000 cycles of the model. Points that a row may be off.
tolerance=1.5
multiplexed() { # workload, its settings
    boot "explore-turns-$1" 0 --options "menu=no config=explore_functions workload=$1 $2 sharing=multiplex slice_us=20"
    check_counters whole "$1" $tolerance
    check_counters columns
}
multiplexed divide-chain steps=60000
multiplexed branch-random iterations=60000
# 400 interrupts would cost this one 5 points of retiring (in 1.3 million cycles): with the usual periods there are few.
multiplexed alu-independent "iterations=60000 periods=given"

# The groups of a run that ends before the second turn are unequal, and marked; here by slots.
boot explore-turns-short 0 --revision zen4 --options "menu=no config=explore_functions workload=divide-chain steps=60000 sharing=multiplex slice_us=400"
shows " LOW"
shows "Other thread (SMT contention) "
shows "The rest up to 100 % is the other thread and"

# Each group in a run of its own, with enough samples for intervals: the tables of the image are the host's, text and CSV.
boot explore-functions 0 --options "menu=no config=explore_deep workload=matmul-classic n=150 rows=10"
run=$(echo "$dir"/runs/0001-*)
shows "General Exploration, the rows of the whole run"
shows "Stall: reorder buffer full (0D5) "
tables_of() { # of functions
    sed -n '/^General Exploration by function:/,/^Raw, because/p'
}
tables_of <"$run/report.txt" >"$dir/image.txt"
build/tools/ibsprof report "$run" | tables_of >"$dir/host.txt"
if grep -q '^multiply_matrices .*+-' "$dir/image.txt" && grep -q 'reorder buffer full (0D5) .*+-' "$dir/image.txt" &&
    diff "$dir/image.txt" "$dir/host.txt"; then
    ok "ibsprof report prints the same $(wc -l <"$dir/host.txt") lines"
else
    not_ok "ibsprof report prints another table than the image"
fi
for by in function line; do
    build/tools/ibsprof report --view=exploration --by=$by "$run" >"$dir/$by.txt"
    build/tools/ibsprof report --view=exploration --by=$by --csv "$run" >"$dir/$by.csv"
    if said=$(/usr/bin/python3 -B tests/boot/measure/same_cells.py "$dir/$by.txt" "$dir/$by.csv" 2>&1); then
        ok "by $by: $said"
    else
        not_ok "by $by: $said"
    fi
done
# The samples of an event whose groups had unequal periods, as most have, are not compared: what to do instead is said.
turns=$(echo build/boot/explore-turns-branch-random/runs/0001-*)
event=$(perf script -f -F event,period -i "$turns/perf.data" 2>/dev/null | awk '{ print $2, $1 }' | sort -u | sed 's/: .*//' | uniq -d | head -n 1)
build/tools/ibsprof compare --event="$event" "$run" "$turns" >"$dir/compare.txt" 2>&1
if grep -q 'represent unequal numbers of events; measure with random=no' "$dir/compare.txt"; then
    ok "compare says how explorations are compared"
else
    not_ok "compare of explorations by function: $(cat "$dir/compare.txt")"
fi
finish
