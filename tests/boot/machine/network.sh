#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Machines without a disk boot over the network, from the server as tools/lab-server configures it, and their runs arrive as the same seed writes
# them to a stick. Over TFTP, also with 5 % of the packets lost, and when the server is away for some seconds. On a BIOS by the card's
# own code, and by iPXE's loader, which ends that: over the serial port.
. "$(dirname "$0")/../lib"
server=build/boot/network-server
rm -rf "$server"
lacks=$(tests/boot/machine/on-network $server)
if [ $? = 77 ]; then
    skip "boot over the network" "$lacks"
    finish
    exit
fi

# network FOLDER NAME OPTIONS...: a boot from the server with this folder. The wire, and QEMU beside it, in one namespace.
network() {
    from=$1 dir=build/boot/$2
    shift 2
    line=$(tests/boot/machine/on-network "$from" --out "$dir" --timeout $most "$@")
}
# same FROM: the run that arrived is the one on the stick, but for what tells of the boot.
same() {
    run=$(basename "$1")
    if [ "$(ls "$1")" = "$(ls "$dir/runs/$run")" ]; then ok "$run: the same files"; else not_ok "$run: $(ls "$1")"; fi
    for file in "$dir/runs/$run"/*; do
        file=$(basename "$file")
        for side in "$1" "$dir/runs/$run"; do
            # Times, places in memory, and the cycles, which depend on both: row 076 of counts.csv, and what is computed of it. perf.data has
            # an address of the program in each record, so what ibsprof reads in it is compared.
            case $file in
            counts.csv | report.txt) grep -av '^076[ ,]\|, at 076, \|^ *elapsed: ' "$side/$file" ;;
            run.ini) grep -v "$of_this_boot" "$side/$file" ;;
            perf.data) build/tools/ibsprof report --csv "$side" ;;
            *) cat "$side/$file" ;;
            esac >"$dir/side-$([ "$side" = "$1" ] && echo 1 || echo 2)" 2>&1
        done
        if cmp "$dir/side-1" "$dir/side-2" && [ -s "$dir/side-1" ]; then ok "$run/$file as on the stick"; else not_ok "$run/$file differs"; fi
    done
}
of_this_boot='^#: \(started\|image_base\|arena.physical\|certificate.clocks\|certificate.tsc\|tsc.st[a-z]*\|elapsed_us\|machine.mac\|restored[.0-9]*\) = '

settings=$server/ibsboot/52-54-00-12-34-56
mkdir "$settings"
echo 'n = 77' >"$server/ibsboot/ibsboot.ini" # not taken: there is one of the machine's own
printf 'n = 20\nbatch = \\ibsboot\\batch.txt\n' >"$settings/ibsboot.ini"
printf 'list own\nrun\nconfig=count events=0C0\nrun\nrun\n' >"$server/ibsboot/batch.txt"
# Own code, which a text names: TFTP does not list.
make -s -C examples hand && mkdir "$server/ibsboot/code" && cp build/code/hand.elf "$server/ibsboot/code/"
printf 'hand.elf\nmissing.elf\n' >"$server/ibsboot/code/list.txt"

# The card's own iPXE tells no size of a file; vpmu.efi cannot be read so, and QEMU's own processor is the machine. Beside the next boot, which
# waits for its server.
card=$server-card
rm -rf "$card" && cp -a "$server" "$card" && cp build/ibsboot.efi "$card/"
printf 'list own\nworkload=hand steps=1000 config=exact\nrun\n' >"$card/ibsboot/batch.txt"
{
    network "$card" network-card --firmware uefi --card-pxe --without-vpmu
    echo "$line" >"$card.line"
} &

export WIRE=bad
network $server network --firmware uefi
unset WIRE
case $line in
*"boot: passed"*) ok "network: $line" ;;
*) not_ok "network: $line $(tail -n 5 $server.log)" && tail -n 20 "$dir/console.txt" ;;
esac
shows 'hand: multiplications by 3, one after the other'
shows '  not usable: missing.elf: '
shows 'Saved to \ibsboot\runs\0001-matmul-classic-ibs'
shows 'Saved to \ibsboot\runs\0002-matmul-classic-count'
shows 'begun.ini: the boot server does not answer (TFTP)'
shows 'The boot server does not answer (TFTP); tried again after 10 s of 60.'
shows 'Saved to \ibsboot\runs\0003'
on_screen=$(grep -c '^0C0  ' "$dir/console.txt")
if [ "$on_screen" = 2 ]; then ok "what was counted is on the screen, saved or not"; else not_ok "on the screen: $on_screen of 2 counts"; fi
lost=$(cat $server.lost)
if [ "$lost" -ge 3 ]; then ok "run 0002 arrived although packets were lost"; else not_ok "packets lost in run 0002: $lost"; fi
rm -rf build/boot/collected
build/tools/ibsprof receive --to build/boot/collected "$server/runs" >build/boot/collected.txt
is "run.ini has the card's address" '#: machine.mac = 52-54-00-12-34-56' "$(grep machine.mac build/boot/collected/*/*/0001-matmul-classic-ibs/run.ini)"
is "run 0003, whose begun.ini did not arrive, is finished as well" 1 "$(find build/boot/collected -path '*/0003-*/run.ini' | wc -l)"
printf 'run\nconfig=count events=0C0\nrun\n' >"$server/ibsboot/batch.txt"
boot network-stick 0 --firmware uefi --file "$server/ibsboot/batch.txt:ibsboot/batch.txt" --file "$settings/ibsboot.ini:ibsboot/ibsboot.ini"
for run in 0001-matmul-classic-ibs 0002-matmul-classic-count; do
    same "$(echo build/boot/collected/52-54-00-12-34-56/*/$run)"
done

wait
dir=build/boot/network-card line=$(cat "$card.line")
case $line in
*"boot: passed"*) ok "network-card: $line" ;;
*) not_ok "network-card: $line $(tail -n 5 $card.log)" && tail -n 20 "$dir/console.txt" ;;
esac
shows "Open Source Network Boot Firmware"
shows '  not usable: missing.elf: no such file'
shows 'PASS result of hand'

# A machine with a BIOS. The boot file and all else come by the card's own code, and the runs go back by it.
rm -rf build/boot/collected "$server/runs"/* "$server.lost"
printf 'list own\nrun\nconfig=count events=0C0\nrun\nrun\n' >"$server/ibsboot/batch.txt"
export WIRE=bad
network $server network-bios --firmware bios
unset WIRE
case $line in
*"boot: passed"*) ok "network-bios: $line" ;;
*) not_ok "network-bios: $line $(tail -n 5 $server.log)" && tail -n 20 "$dir/console.txt" ;;
esac
shows "multiboot 1, PXE"
shows 'hand: multiplications by 3, one after the other'
shows '  not usable: missing.elf: '
shows 'Saved to \ibsboot\runs\0002-matmul-classic-count'
shows 'begun.ini: the boot server does not answer (TFTP)'
shows 'The boot server does not answer (TFTP); tried again after 10 s of 60.'
shows 'Saved to \ibsboot\runs\0003'
lost=$(cat $server.lost)
if [ "$lost" -ge 3 ]; then ok "BIOS: run 0002 arrived although packets were lost"; else not_ok "BIOS: packets lost in run 0002: $lost"; fi
build/tools/ibsprof receive --to build/boot/collected "$server/runs" >build/boot/collected.txt
is "BIOS: run.ini has the card's address" '#: machine.mac = 52-54-00-12-34-56' "$(grep machine.mac build/boot/collected/*/*/0001-matmul-classic-ibs/run.ini)"

echo 'output = serial' >>"$settings/ibsboot.ini"
printf 'list own\nrun\nconfig=count events=0C0\nrun\n' >"$server/ibsboot/batch.txt"
network $server network-ipxe --ipxe --firmware bios
case $line in
*"boot: passed"*) ok "network-ipxe: $line" ;;
*) not_ok "network-ipxe: $line $(tail -n 5 $server.log)" && tail -n 20 "$dir/console.txt" ;;
esac
shows "multiboot 1, iPXE"
shows 'hand: multiplications by 3, one after the other'
if build/tools/ibsprof receive --to build/boot/collected "$dir/console.raw" >build/boot/collected.txt 2>&1; then
    ok "received: $(paste -s -d ';' build/boot/collected.txt)"
else
    not_ok "received: $(cat build/boot/collected.txt)"
fi
printf 'run\nconfig=count events=0C0\nrun\n' >"$server/ibsboot/batch.txt"
boot network-bios-stick 0 --firmware bios --file "$server/ibsboot/batch.txt:ibsboot/batch.txt" --file "$settings/ibsboot.ini:ibsboot/ibsboot.ini"
for run in 0001-matmul-classic-ibs 0002-matmul-classic-count; do
    same build/boot/collected/$run
    sed -i 's/^output = serial$/output = volume/' "$dir/runs/$run/run.ini"
    same "$(echo build/boot/collected/52-54-00-12-34-56/*/"$run")"
done
rm -rf build/boot/collected "$server" "$card"
finish
