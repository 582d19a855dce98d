#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Families after 10h: op and fetch samples on the virtual PMU's rows for them, against the model's exact counts. Families differ in how fetch
# sampling is armed again, in the counts' width, and in what the registers say; 15h 30h, 16h, Zen 2, Zen 4 and Zen 5 are one of each kind.
. "$(dirname "$0")/../lib"

# The newest perf where it is to be had: the installed one does not know the latest families, but decodes their registers.
perf=$(tests/host/families/newest_perf 2>/dev/null) || perf=perf

sampled="menu=no rows=1 n=300 op_period=256 fetch_period=128"

for row in 15h-30 16h zen2 zen4 zen5; do
    boot "family-$row" 0 --revision "$row" --options "$sampled"
    check samples op 4000
    check truth 0.4
    check identities
    check_with check_families.py interval 128
    check_with check_families.py registers "$row"
    case $row in 16h | zen5) check_with check_families.py levels "$row" ;; esac
    case $row in zen*) check_with check_families.py perf "$perf" ;; esac
    case $row in zen2) check_with check_families.py outer dram ;; zen*) check_with check_families.py outer dram_read dram_written ;; esac
    shows "timing of none: the pipeline is Family 10h's"
done
shows "Family 1Ah model 44h (Zen 5)"
shows "AuthenticAMD family 1ah model 44h"

# The other rows, once: samples, and no bit that is not the family's; perf reads those of Zen.
# Zen's firmware has left IBS off: the run switches it on, and the four registers read as before after it.
for row in 12h 14h 15h-10 zen3 zen6 zen; do
    if [ $row = zen ]; then off="--hostile ibs-off"; else off=; fi
    # shellcheck disable=SC2086 # none, or two words
    boot "family-$row" 0 --revision "$row" $off --options "menu=no zen_ibs_on=yes rows=1 n=30 op_period=256 fetch_period=128"
    check_with check_families.py bits "$row"
    case $row in zen*) check_with check_families.py perf "$perf" ;; esac
    check identities
    shows_not "FAIL"
done
shows "switched on only during runs, by zen_ibs_on"
rows=$(grep -hE 'C001_(1005|1029|1020|0296)' "$dir"/runs/0001-*/run.ini)
if [ "$(echo "$rows" | grep -c ', same$')" = 4 ]; then ok "family-zen: four registers are put back"; else not_ok "family-zen: put back: $rows"; fi

# Counter events by the processor's own table, on the counters at C001_0200h: totals against the model's exact ones; those that the
# pipeline has no equal for have no number. Samples of three of them, by the names that the image writes into its files.
# On Family 15h some events go to counters 2:0 alone, and floating-point ones to counters 5:3.
boot family-count-15h-30 0 --revision 15h-30 --options "menu=no config=count n=100"
check_counters counts 0.05 11
check_counters modelled 003 07d 0d1
check_counters clock 3000000
boot family-count-zen4 0 --revision zen4 --options "menu=no config=count n=100"
check_counters counts 0.05 21
check_counters modelled 029 047 0ab 0ae 0d6 # of 0D6's default mask two bits have no equal
check_counters clock 3000000

# What the configurations of counters sample on Zen 2 and Zen 5, counted: the same events by the same meanings.
boot family-count-zen2 0 --revision zen2 --options "menu=no config=count n=100 events=0C0,0C2,0C3,0C4,0C8,0C9,0CA,040,041:03,043:5b,045:0f,045:f0,060:f9,064:09,081,084,085"
check_counters counts 0.05 17
boot family-count-zen5 0 --revision zen5 --options "menu=no config=count n=100 events=0C0,0C2,0C3,0C4,0C8,0C9,0CA,041:07,044:df,045:0f,045:f0,060:f1,064:09,084,085"
check_counters counts 0.05 15

# Floating-point operations, which take two counters each.
for flops in zen:ff zen3:0f zen5:0f; do
    boot "family-flops-${flops%:*}" 0 --revision "${flops%:*}" \
        --options "menu=no config=count n=100 workload=matmul-classic-sse events=0C0,003:01,003:02,003:${flops#*:}"
    check_counters counts 0.05 4
done

boot family-flops-sampled 0 --revision zen3 --options "menu=no config=events n=100 rows=20 workload=matmul-classic-sse events=003:0f@500,0C0@50000"
check_counters estimate fp_ret_sse_avx_ops:0F 400000 3

# AMD's top-down tree, where slots are counted: rows and checks against the model's exact counts, and the same text on the host.
# Branch records beside its IBS samples: code between branches, against the same counts; wrong paths are left out, and recording, which was
# on, is put back.
boot family-explore 0 --revision zen4 --hostile branch-records --options "menu=no config=explore workload=branch-random iterations=30000 branches=yes"
check_with check_families.py blocks 0.3
check_with check_families.py branches "$perf"
check_with check_families.py slots 6
check_counters flagged "Bad speculation" "Mispredicted branches" "Front-end bound" "Latency: nothing supplied"
check_counters invariants 8
check_counters counts 0.05 14
run=$(echo "$dir"/runs/0001-*)
rows=$(grep -cE 'C000_010(F|E) .*, (0x40, 0x40|0x1f, 0x1f), same$' "$run/run.ini")
if [ "$rows" = 2 ]; then ok "family-explore: both registers of the branch records are put back"; else not_ok "family-explore: put back: $rows"; fi
tree_of() { sed -n '/^General Exploration, top-down of six slots/,/ not checked$/p'; }
tree_of <"$run/report.txt" >"$dir/tree-image.txt"
if [ -s "$dir/tree-image.txt" ] && build/tools/ibsprof report "$run" | tree_of | diff "$dir/tree-image.txt" -; then
    ok "family-explore: ibsprof report prints the same tree"
else
    not_ok "family-explore: ibsprof report prints another tree than the image"
fi
# Zen 2's tree: what a mispredicted branch costs is one row, not the front end's latency.
boot family-tokens 0 --revision zen2 --options "menu=no config=explore workload=branch-random iterations=30000"
check_counters flagged "Bad speculation" "Mispredicted branches" "Front-end bandwidth"
check_counters not-flagged "Front-end latency (0A9)"
if build/tools/ibsprof report "$dir"/runs/0001-* | grep -q '^Cause     Mispredicted branches: [45]'; then
    ok "family-tokens: the cause is named"
else
    not_ok "family-tokens: another cause is named"
fi
# Call stacks of branch records against exact ones, of functions without frame pointers; and of one that calls itself, of which a sample in forty has a frame
# too many: the interrupt is later than the op, and the same code ran again.
boot family-stacks 0 --revision zen4 --options "menu=no fetch=no branches=yes workload=call-depth depth=8 rounds=30000 op_period=256"
check_with check_families.py stacks 8 2.5
IBSBOOT_IMAGE=ibsboot-test boot family-recursion 0 --revision zen4 --options "menu=no fetch=no branches=yes workload=calls depth=2 calls=20000 op_period=256"
check_with check_families.py stacks 2 3
boot family-events 0 --revision zen4 --options "menu=no config=events events=0C0@50000,ex_ret_brn@2000,045:f0@500 n=1000"
check_counters estimate "ex_ret_instr:00" 22019044 1
shows "0C2  Retired branch instructions"
if build/tools/ibsprof report "$dir"/runs/0001-* | grep -q 'Samples .* of ex_ret_brn:00'; then
    ok "family-events: ibsprof names the samples by the processor's table"
else
    not_ok "family-events: ibsprof does not name ex_ret_brn"
fi
# A configuration by meaning: what Zen 2 has none of is named once, and the rest is there.
boot family-meaning 0 --revision zen2 --options "menu=no config=l2_access workload=pointer-chase hops=20000 kb=4096"
shows "NOTE: not counted on Zen 2: L2 fills and writebacks (Linux' lists of their"
shows "NOTE: L2 cache misses (064:09): without prefetches into the L2"
shows "L2 access report by instruction: interrupts of counters"
run=$(echo "$dir"/runs/0001-*)
l2_table() { sed -n '/^L2 access report by instruction/,/^Rates/p'; }
l2_table <"$run/report.txt" >"$dir/l2-image.txt"
if grep -q '^> has the most of this event: L2 cache misses' "$dir/l2-image.txt" && build/tools/ibsprof report "$run" | l2_table | diff "$dir/l2-image.txt" -; then
    ok "family-meaning: ibsprof report prints the same table"
else
    not_ok "family-meaning: ibsprof report prints another table than the image"
fi

# Filters: each sample meets them, and the report says that shares are skewed. On Zen 5
# the filter by latency is set with the other one (erratum 1606).
missing="menu=no workload=pointer-chase hops=24000 kb=65536 op_period=144"
boot family-all-ops 0 --revision zen5 --options "$missing fetch=no"
shows_not "this skews their shares"
boot family-l3-misses 0 --revision zen5 --options "$missing fetch=no l3_miss_only=yes"
check_with check_families.py filtered build/boot/family-all-ops 0
shows "NOTE: only samples that missed the L3 were taken"
shows_not "the processor's filter leaks"
boot family-leaks 0 --revision zen5 --hostile filters-leak --options "$missing l3_miss_only=yes"
check_with check_families.py leaked
boot family-slow-loads 0 --revision zen5 --options "$missing fetch=no load_latency=128"
check_with check_families.py filtered build/boot/family-all-ops 128
shows "NOTE: only op samples of loads of more than 128 cycles"

# Levels of performance and counts of energy are registers alone here. What firmware has left on is told; a level and boost are set, and put back.
powered="menu=no rows=1 n=1000 op_period=4096 fetch=no"
boot family-power-zen4 0 --revision zen4 --smp 2 --hostile left-on --options "$powered cores=all cppc=100 boost=off"
shows "Left on       CPPC, the core's watchdog, memory encryption, SEV-SNP"
shows "CPPC          level 100 during the run"
# 10 W, and 3 W of each core; each whole millisecond, of which the run has five or six
is "family-power-zen4: energy and power" 1 \
    "$(grep -cE '(15 mJ of the core, 80 mJ of the processor, 16|18 mJ of the core, 96 mJ of the processor, 19)[.]' "$dir/console.txt")"
is "family-power-zen4: energy of each core" 2 "$(grep -cE '^#: certificate.core.[01].energy_core = (150(29|30)|18035)$' "$dir"/runs/0001-*/run.ini)"
is "family-power-zen4: boost and level are put back" 2 \
    "$(grep -cE '(HWCR, boost \(cores 0-1\), 0x1000000, 0x1000000|C001_02B3 CPPC \(cores 0-1\), 0x800014a6, 0x800014a6), same$' "$dir"/runs/0001-*/run.ini)"
# Each socket counts its own, each whole millisecond: five or six of them. Before Zen 4 levels are ACPI's.
boot family-power-zen2 0 --revision zen2 --smp 2 --nodes 2 --options "$powered cores=all"
is "family-power-zen2: energy of each socket" 2 "$(grep -cE '^#: certificate.core.[01].energy = (65|78)00[0-9]$' "$dir"/runs/0001-*/run.ini)"
boot family-level-zen2 1 --revision zen2 --options "$powered cppc=100"
shows "there is no CPPC by MSRs, or firmware has not"
boot family-level-ignored 1 --revision zen4 --hostile cppc-ignored --options "$powered cppc=100"
shows "MSR C001_02B3 (CPPC) does not keep what is written to it:"
boot family-energy-faults 0 --revision zen4 --hostile energy-faults --options "$powered"
is "family-energy-faults: said" 2 "$(grep -c '^#: certificate.energy.* = not available: reading it raises an exception$' "$dir"/runs/0001-*/run.ini)"

# The certificate's counter of cycles, where the global control is off as found.
boot family-global-off 0 --revision zen5 --hostile global-off --options "menu=no rows=1 n=30"
shows "clock (076h over the TSC): 1000000 ppm"

# Firmware has assigned no entry of the local vector table, and none is to be had without northbridges.
boot family-no-entry 1 --revision zen2 --hostile lvt-none --options "$sampled"
shows "C001_103A"

# IBS switched off in the setup: nothing is sampled or changed, and the message says what to change there.
# Zen 2 is none of the models that zen_ibs_on is for.
boot family-ibs-off 1 --revision zen2 --hostile ibs-off --options "$sampled zen_ibs_on=yes"
shows "CBS, Zen Common Options, Enable IBS"
shows "zen_ibs_on = yes: how to switch IBS on is published"
shows "vpmu: 0 steps"

# One sample in eight says that its address is not valid, and has another one's.
boot family-rip-invalid 0 --revision zen4 --hostile rip-invalid --options "$sampled fetch=no"
check_with check_families.py rip-invalid
finish
