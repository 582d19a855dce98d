#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Revision B (no leaf 8000_001B, cycles only), revision E, a late NMI; and processors without IBS.
. "$(dirname "$0")/lib"

boot revision-b 0 --revision B --options "menu=no rows=2 op_period=512 fetch_period=256 records=262144" --late-nmi
shows "revision B"
shows "no leaf 8000_001B"
shows "core cycles"
check samples op 4000
check identities
check report
check hottest
check walk contiguous
check truth-ratio 3.5 # docs/paper.md: the exact ratio, whatever the tags wait for
check paper-row "revision B model, cycles counted"

boot revision-b-ops 1 --revision B --options "menu=no count=ops"
shows "these settings cannot run here"

boot revision-e 0 --revision E --options "menu=no n=300 op_period=160 fetch=no pstate=2 boost=off" --late-nmi
shows "revision E"
# The clock is set for the run, and put back.
shows "Clocks        P0 3200 MHz, boosted 3600 MHz"
shows "P-state       2 during the run (800 MHz)"
shows "PASS P-state: 2 at the start, 2 at the end"
shows "PASS boost off: 1 at the start, 1 at the end"
grep -qx '#: restored.* = MSR C001_0062 P-state, 0x0, 0x0, same' "$dir"/runs/0001-*/run.ini && ok "revision-e: P-state put back" || not_ok "revision-e: P-state not put back"
check truth 0.4
check late

boot plain-qemu 1 --without-vpmu --file tools/qemu/run-at-once.ini:ibsboot/ibsboot.ini
shows "no IBS to drive: AuthenticAMD family 10h model 2h"
shows "CPUID 8000_0001h"

boot intel 1 --without-vpmu --cpu Nehalem --file tools/qemu/run-at-once.ini:ibsboot/ibsboot.ini
shows "no IBS to drive: GenuineIntel"
finish
