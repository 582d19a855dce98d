#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# config=hardware: the virtual machine answers as driver and model have it, and with a hostile switch (docs/model.md) exactly the answers
# change that are about it: those of the rows that name it as what turns them. Switches whose answers are apart share a boot.
. "$(dirname "$0")/../lib"

asked() { # NAME [run-option]...
    name=$1
    shift
    boot "hardware-$name" 0 --options "menu=no config=hardware" "$@"
    shows "The answers come from a model, and describe this model, not silicon"
}

asked plain --smp 2
check_with check_hardware.py answered 88
plain=$dir

# Tried by hardware-zen.sh.
of_zen=lost-bits+cpuid-silent+global-deaf+odd-reads+odd-fields+sources-wrong+walk-in-latency+filters-leak+lvtpc-masked+not-interrupts+entries-differ
of_zen=$of_zen+slow-cycles+tsc-apart+rearm-otherwise+off-opens+slow-nmi
of_zen=$of_zen+val-level+late-overflow+invert-always+timer-slows+boot-id+lvt-sticks+--writes
switches=no-timer-nmi+svr-off+lvtpc-open+memory-uc+revision-b-bits+bare-core+mp-refuses+nmi-reason
asked apart --smp 2 --hostile $switches
check_with check_hardware.py changes "$plain" $switches "apic_timer_rate=not answerable" "own_start=as expected" "own_start_types=as expected"
check_with check_hardware.py switches $switches+storm+curcnt-ignored+rip-invalid+branch-records+energy-faults+cppc-ignored+lvt-none+no-l3+tsc-slow+$of_zen
apart=$dir

asked storm --hostile storm
check_with check_hardware.py changes "$plain" storm "val_is_edge=not answerable"

# Without varying intervals loops are sampled at the same few ops: what shares of samples would answer, nothing does.
asked curcnt --hostile curcnt-ignored
check_with check_hardware.py changes "$plain" curcnt-ignored \
    "ibs_dst_proc=not answerable" "mispredicted_return=not answerable" \
    "data3_bit19=not answerable" "line_ops_equal=not answerable" "misslat_without_walk=not answerable" "miss_in_flight=not answerable" \
    "source_l2=not answerable" "misslat_medians=not answerable" "banks=not answerable" "l3_present=not answerable" \
    "sources_known=not answerable"

# After Family 10h: what is about that family alone is set aside; all else is asked, and some answers in it turned.
asked zen5 --revision zen5 --hostile rip-invalid+branch-records+energy-faults+cppc-ignored
check_with check_hardware.py family 88 rip_invalid_share branch_records_off energy_as_told cppc_request_holds
shows "not on this family"
answered=$(sed -nE 's/^([0-9]+) questions: ([0-9]+) as expected, ([0-9]+) otherwise, .*, ([0-9]+) by hand\r?$/\2 \3 \1 \4/p' "$dir/console.txt" |
    awk '{ print "On the model of Zen 5", $1 + $2, "of", $3, "questions are answered,", $4, "are for a person." }')
is "docs/first-boot.md counts the questions" "1" "$(grep -cF "${answered:-no answers}" docs/first-boot.md)"

for revision in zen zen3 zen6; do # the others: hardware-zen.sh
    asked $revision --revision $revision --smp 2
    check_with check_hardware.py family 88
done

# Machines side by side, each otherwise answer with what it would change.
build/tools/ibsprof hardware "$plain" "$apart" >"$dir/side-by-side.txt"
is "ibsprof hardware: the table of both" "$(grep -c 'same *same$' "$dir/side-by-side.txt") $(grep -c 'same OTHER$' "$dir/side-by-side.txt")" "77 10"
if grep -A6 '^27 lvtpc_masked' "$dir/side-by-side.txt" | grep -q 'this changes: vpmu/model/pmu/local_apic.c apic_take'; then
    ok "and which line of the model an answer would change"
else
    not_ok "ibsprof hardware does not say what lvtpc_masked would change: $(cat "$dir/side-by-side.txt")"
fi
finish
