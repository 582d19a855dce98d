#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# config=hardware on Zen 2, 4 and 5: which answers the virtual machine gives, and by which hostile switch (docs/model.md) each is turned, as a
# table of answers and conditions: each answer is turned by one of them. One of the three machines for each commit (tests/turn). Switches whose answers are apart share a boot.
. "$(dirname "$0")/../lib"

asked() { # NAME WANTED [run-option]...
    name=$1 wanted=$2
    shift 2
    boot "$name" "$wanted" --options "menu=no config=hardware" --smp 2 "$@"
}

# turns SWITCHES [ID=VERDICT]...: a boot with these switches turns the answers of their rows, and no other one.
turns() {
    switches=$1 wanted=0
    shift
    number=$((number + 1))
    case $switches in lvt-none*) wanted=1 ;; esac # nothing can be sampled
    case $switches in *--writes) slow="--writes 20" ;; *) slow= ;; esac
    # shellcheck disable=SC2086 # no words, or two
    asked "$plain-$number" $wanted --revision "$revision" --hostile "${switches%+--*}" $slow
    check_with check_hardware.py changes "build/boot/$plain" "$switches" "$@"
}

turn=$(tests/turn 3 "$0")
which=0
for revision in zen2 zen4 zen5; do
    [ "${turn:-$which}" = $which ] || { which=$((which + 1)) && continue; }
    which=$((which + 1))
    plain=answers-$revision number=0
    rm -rf "build/boot/$plain"*
    asked "$plain" 0 --revision $revision
    check_with check_hardware.py family 88

    turns lost-bits+rip-invalid+branch-records+energy-faults+cppc-ignored+lvtpc-masked+no-timer-nmi+svr-off+bare-core+mp-refuses+memory-uc any=none "own_start=as expected" "own_start_types=as expected"
    turns odd-fields+entries-differ+tsc-slow any=none
    turns odd-reads+global-deaf+sources-wrong+tsc-apart+slow-cycles+rearm-otherwise+off-opens+slow-nmi any=none
    turns cpuid-silent+storm+walk-in-latency+not-interrupts+filters-leak any=none
    turns curcnt-ignored any=none
    turns no-l3+val-level+late-overflow+invert-always+timer-slows+nmi-reason+boot-id any=none
    turns lvt-none+lvt-sticks+--writes any=none
    dir=build/boot/$plain
    check_with check_hardware.py turned
done
finish
