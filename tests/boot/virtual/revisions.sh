#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Revision B (no leaf 8000_001B, cycles only), revision E, a late NMI; and processors without IBS.
. "$(dirname "$0")/../lib"

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

# With intervals in steps of 16 cycles and no random time after the handler, 15 % of the sampled loads of b missed: the exact ratio is 21 %.
boot revision-b-short 0 --revision B --options "menu=no rows=2 fetch=no op_period=256 records=262144 seed=11"
check miss-ratio 17.8 24.5

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

# Machines that are refused: the reason stays on the screen for the time that is set, then the machine is reset.
# QEMU says so of powering off alone, with a reason.
printf 'menu = no\nhold_s = 1\nend = reset\n' >build/boot/reset.ini
export IBSBOOT_QEMU_ARGS="-trace qemu_system_shutdown_request"
boot plain-qemu 1 --without-vpmu --file build/boot/reset.ini:ibsboot/ibsboot.ini
shows "This screen stays for 1 s, or until you press a key."
case $line in *"(QEMU status 0,"*) ok "plain-qemu: it was reset" ;; *) not_ok "plain-qemu: no reset: $line" ;; esac
if grep -q shutdown_request "$dir/qemu.log"; then not_ok "plain-qemu: it was switched off"; else ok "plain-qemu: it was not switched off"; fi
shows "no usable IBS: AuthenticAMD family 10h model 2h"
shows "CPUID 8000_0001h"

boot intel 1 --without-vpmu --cpu Nehalem --file tools/qemu/run-at-once.ini:ibsboot/ibsboot.ini
shows "no usable IBS: GenuineIntel"

# A board without a screen, a keyboard and a serial port, and without IBS: config=noise is run and saved, and the board switched off.
printf 'menu = no\nconfig = noise\nnoise_ms = 1\nnoise_quanta = 20\nend = off\nhold_s = 0\ntrace = com1\n' >build/boot/headless.ini
dir=build/boot/headless
line=$(tools/qemu/boot --out $dir --without-vpmu --without-serial --timeout $most --file build/boot/headless.ini:ibsboot/ibsboot.ini)
if grep -q '^#: workload.check = 1' $dir/runs/0001-noise/run.ini; then ok "headless: saved"; else not_ok "headless: nothing was saved: $line"; fi
if grep -q 'shutdown_request' $dir/qemu.log; then ok "headless: switched off"; else not_ok "headless: it was not switched off: $line"; fi
unset IBSBOOT_QEMU_ARGS
finish
