#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The same image on a BIOS: its files are those of UEFI, byte for byte, and its report but for the line of the firmware and what depends on the
# host's time in two boots by UEFI, too (told()).
. "$(dirname "$0")/../lib"

# The reports without the firmware's name and the times between what the virtual PMU does not step: how long the last pass was, with the
# code around the measured part, and the ticks by which cores began after each other. And where program and data were.
told() {
    for run in "$1"/runs/* "$2"/runs/*; do
        sed '/^Firmware /d; /elapsed: /s/[0-9.]* s\b//; s/^\(core [0-9].*\) [0-9]*$/\1/; s/ *$//' "$run/report.txt" >"$run/told.txt"
        grep -E '^#: (core.[0-9]+.)?(image_base|arena.physical) =' "$run/run.ini" >>"$run/told.txt"
    done
}

# files BOOT: what is compared.
files() {
    (cd "$1" && ls runs/*/profile.csv runs/*/pmc.csv runs/*/counts.csv runs/*/told.txt 2>/dev/null)
}

# pair NAME OPTIONS WORD...: both boots of this batch.
pair() {
    uefi=build/boot/$1-uefi bios=build/boot/$1 of=$1 more=$2
    shift 2
    batch_options="--firmware uefi $more"
    batch "$of-uefi" 0 "$@"
    batch_options="--firmware bios $more"
    batch "$of" 0 "$@"
    told "$uefi" "$bios"
    if [ "$(files "$uefi")" != "$(files "$bios")" ]; then not_ok "$of: files by BIOS: $(files "$bios" | paste -s)"; fi
    for file in $(files "$uefi"); do
        if cmp -s "$uefi/$file" "$bios/$file"; then ok "$of: $file is the same by BIOS"; else not_ok "$uefi/$file differs from $bios/$file"; fi
    done
    shows_not "NOT RESTORED"
    shows_not "is called while IBS or a counter may raise an NMI"
}

pair bios '' n=40 run config=assess n=20 run config=count run config=explore run
[ "$(files build/boot/bios | wc -l)" = 9 ] && ok "two profiles, two files of counts, one of samples, four reports" || not_ok "files: $(files build/boot/bios | paste -s)"
shows "ibsbios: version 1, multiboot 1"
shows_not "unsupported function of UEFI"
if grep -q '^Firmware  *BIOS, ibsbios 1, version ' "$dir"/runs/*-ibs/report.txt; then ok "the report names the firmware"; else not_ok "no BIOS in the report"; fi

# Four cores, and two nodes.
pair bios-four "--smp 4 --nodes 2" n=20 cores=all run workload=own-page rounds=4 op_period=256 fetch_period=512 run

# What it cannot begin on is a line on the screen and the serial port, and the end: no reset, no silence. By -kernel, as SeaBIOS starts no stick
# on some of these processors.
refuses() { # NAME WORDS ARGUMENT...
    name=$1 words=$2 serial=build/boot/refuses-$1.txt screen=$PWD/build/boot/refuses-$1.screen
    shift 2
    rm -f "$serial" "$screen"
    {
        for _ in $(seq 150); do
            grep -q 'Stopped' "$serial" 2>/dev/null && break
            sleep 0.1
        done
        printf '%s\n' "pmemsave 0xb8000 160 \"$screen\"" quit
    } | timeout 30 qemu-system-x86_64 -machine pc -kernel build/ibsbios "$@" -display none -nic none -no-reboot -monitor stdio \
        -serial "file:$serial" >build/boot/refuses.log 2>&1
    shown=$(tr -d '\a\0\117' <"$screen" | sed 's/ *$//')
    if [ "$(tr -d '\r' <"$serial")" = "ibsbios: $words Stopped." ]; then ok "$name: $words"; else not_ok "$name: it says '$(cat "$serial")', not '$words'"; fi
    case $shown in "ibsbios: $words"*) ok "$name: on the screen, too" ;; *) not_ok "$name: on the screen '$shown'" ;; esac
}
refuses athlon "this processor has no 64 bits (long mode)." -cpu athlon
refuses pae "this processor's CPUID denies PAE, MSRs, FXSR or SSE." -cpu phenom,-pae
refuses memory "there is too little memory: 3 MB are needed to begin." -m 2M
refuses a20 "address line 20 is off, so 1 MB is 0: the boot loader is wrong." -kernel build/a20-off -initrd build/ibsbios

# A jump through a pointer of 0, and a return to 0, are told: without, the vectors of real mode are executed as code.
dir=build/boot/bios-null
line=$(IBSBOOT_IMAGE=null-call tools/qemu/boot --without-vpmu --firmware bios --stall 4 --out $dir)
status=$?
if [ $status = 5 ]; then ok "a call of 0: $line"; else not_ok "a call of 0: status $status: $line"; fi
shows "ibsbios: exception 14, error 10, at 0, address 0, stack "
finish
