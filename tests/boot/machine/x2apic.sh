#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What firmware of later machines may leave: the local APIC in x2APIC mode, where every register is an MSR and an
# access in memory ends the virtual PMU; five levels of page tables.
. "$(dirname "$0")/../lib"
make -s build/tools/ibs_dump build/tools/ibsprof || exit 1

check_cores() {
    check_with check_cores.py "$@"
}

by_uefi "the local APIC in x2APIC mode" "vpmu.efi would change the mode after ibsbios has read it, as no BIOS does" && {
# IBS on four cores, with the registers of Zen 2, that the program starts itself: reset leaves them in xAPIC mode.
boot x2apic-own 0 --smp 4 --without-mp --revision zen2 --x2apic --options "menu=no cores=all workload=own-page rounds=8 op_period=256 fetch_period=512"
check_cores samples 4
check_cores own-page 4
check_cores together 4 20000
shows "Local APIC    in x2APIC mode: its registers are MSRs"
shows_not "Page tables   of five levels"
shows "Started by INIT and STARTUP: cores 1-3."
for core in 1 2 3; do shows "vpmu: core $core: started by the guest; the firmware starts it again"; done
shows_not "NOT RESTORED"

# The same by MP Services; then counters, whose entry the handler writes, and ticks: the timer's entry has no message type there.
batch_options="--smp 2 --x2apic"
batch x2apic-counters 0 "cores=all workload=own-page rounds=8 op_period=256" run \
    "cores=0 workload=matmul-classic n=100 config=l2_access,tbp timer_us=10" run
check_cores samples 2
shows "Ticks         by overflow of counter 3 (076h): the APIC's timer sends no NMI"
shows "Time-based profile"
shows_not "NOT RESTORED"
}

# Firmware with five levels of page tables and AVX on, on a processor without IBS: the machine report, a session with page tables of its own, and
# own code whose registers of AVX must come back after each part of exact counts.
gcc -shared -nostdlib -Wl,-z,separate-code,--build-id=sha1,-Bsymbolic tests/boot/machine/avx.S -o build/boot/avx.elf || exit 1
printf 'menu = no\nbatch = \\ibsboot\\batch.txt\nnoise_ms = 1\nnoise_quanta = 20\nhold_s = 0\nend = reset\n' >build/boot/five.ini
printf 'config=noise\nrun\nconfig=exact workload=avx\nrun\n' >build/boot/five.txt
boot five-levels 0 --without-vpmu --cpu max --file build/five-levels.efi:EFI/BOOT/BOOTX64.EFI \
    --file build/ibsboot.efi:ibsboot/ibsboot.efi --file build/boot/five.ini:ibsboot/ibsboot.ini --file build/boot/five.txt:ibsboot/batch.txt \
    --file build/boot/avx.elf:ibsboot/code/avx.elf
shows "five-levels: CR4 41668"
shows "Page tables   of five levels"
shows_not "Local APIC    in x2APIC mode"
shows "Exact counts  120007 instructions executed one by one, in 2 parts"
shows "PASS result of avx: expected 40000, got 40000"
shows "PASS restored: 12 registers and tables read as before the run"
shows_not "NOT RESTORED"
finish
