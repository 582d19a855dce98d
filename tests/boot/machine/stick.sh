#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Sticks as tools/make-image makes them, started by SeaBIOS and OVMF through their own boot loaders: buses, sizes of memory, ways in
# which the run area can be, and what the user sees. Of the whole image nothing but the run area may have changed.
# shellcheck disable=SC2086 # $small is several words
. "$(dirname "$0")/../lib"
work=build/boot/stick
rm -rf $work && mkdir -p $work
small='--fat16 --size-mb 24'
image() { # name, options of make-image
    name=$1
    shift
    tools/make-image --bare --boot build/vpmu-boot.efi --file build/ibsboot-vpmu.efi:vpmu.efi --file build/ibsboot.efi:ibsboot/ibsboot.efi \
        "$@" $work/"$name".img >$work/"$name".log 2>&1 || not_ok "make-image $*: $(cat $work/"$name".log)"
}
# started NAME STATUS options...: a boot from the stick; $said is its console in one line.
started() {
    name=$1 wanted=$2
    shift 2
    boot "stick/$name" "$wanted" "$@" --options "menu=no n=20 selftest=no config=${config:-ibs}"
    said=$(tr '\n' ' ' <"$dir/console.txt" | tr -s ' ')
}
says() {
    case $said in *"$1"*) ok "$name: it says '$1'" ;; *) not_ok "$name: it does not say '$1'" ;; esac
}
# The runs that are there, each readable.
runs() {
    found=$(find "$dir/runs" -mindepth 1 -maxdepth 1 ! -name '*-earlier' 2>/dev/null | sed 's,.*/,,' | sort | tr '\n' ' ')
    if [ "$found" = "$1" ]; then ok "$name: runs: $found"; else not_ok "$name: runs '$found', not '$1'"; fi
    for run in "$dir"/runs/*-ibs; do
        [ ! -e "$run/perf.data" ] || build/tools/ibsprof report "$run" >$work/report 2>&1 || not_ok "$name: $run: $(tail -n 1 $work/report)"
    done
}
# Outside of IBSRUNS.TAR every byte is as it was, and so the file system is.
untouched() { # image before
    mcopy -n -o -i "$dir/volume.img@@1M" ::/IBSRUNS.TAR $work/now.tar && mcopy -n -o -i "$1@@1M" ::/IBSRUNS.TAR $work/before.tar
    cmp -l "$1" "$dir/volume.img" | wc -l >$work/all
    cmp -l $work/before.tar $work/now.tar | wc -l >$work/inside
    dd if="$dir/volume.img" of=$work/fat.img bs=1M skip=1 status=none
    if cmp -s $work/all $work/inside && PATH=$PATH:/usr/sbin fsck.fat -n $work/fat.img >$work/fsck 2>&1; then
        ok "$name: nothing but the run area changed ($(cat $work/inside) bytes); fsck.fat is content"
    else
        not_ok "$name: $(cat $work/all) bytes changed, $(cat $work/inside) of them in the run area; $(tail -n 1 $work/fsck)"
    fi
}

# One stick in three machines: IDE with 64 MB, UEFI, and EHCI by cylinders and heads. Numbers go on, after 300 folders of earlier runs (1,000:
# tests/unit/core/disk/test_fat.c); by cylinders and heads a sector of them is read at a time.
printf 'DEFAULT a\nLABEL a\n KERNEL /boot/mboot.c32\n APPEND /boot/ibsbios chs\n' >$work/chs.cfg
image one --size-mb 64 --area-mb 4
(
    mkdir -p $work/folders/runs && cd $work/folders/runs || exit
    seq -f %04.0f-earlier 1 300 | xargs mkdir
    for i in *; do echo "# $i" >"$i/run.ini"; done
)
mcopy -s -i $work/one.img@@1M $work/folders/runs ::/ibsboot/
# Which of several equal machines it was, by SMBIOS, which SeaBIOS and OVMF make of QEMU's words.
which='serial=S-17,uuid=01234567-89ab-cdef-0123-456789abcdef'
facts() { sed -n 's/^#: machine\.\(serial\|uuid\) = /\1=/p' "$dir/runs/$1/run.ini" | tr '\n' ' '; }
export IBSBOOT_QEMU_ARGS="-smbios type=1,manufacturer=Lab,product=Bench,$which"
started ide 0 --firmware bios --stick $work/one.img --bus ide --machine pc --memory 64
says 'System Lab Bench, serial number S-17 Firmware BIOS, ibsbios 1, version '
is "$name: run.ini has serial number and UUID" "$(echo "$which" | tr , ' ') " "$(facts 0301-matmul-classic-ibs)"
runs "0301-matmul-classic-ibs "
untouched $work/one.img
started uefi 0 --firmware uefi --stick "$dir/volume.img" --bus xhci
unset IBSBOOT_QEMU_ARGS
says 'System Lab Bench, serial number S-17 Firmware UEFI 2.7, EDK II, version '
is "$name: run.ini has serial number and UUID" "$(echo "$which" | tr , ' ') " "$(facts 0302-matmul-classic-ibs)"
runs "0302-matmul-classic-ibs "
mcopy -o -i "$dir/volume.img@@1M" $work/chs.cfg ::/boot/syslinux.cfg
cp "$dir/volume.img" $work/three.img
started ehci 0 --firmware bios --stick $work/three.img --bus ehci
says ", by CHS:"
runs "0301-matmul-classic-ibs 0302-matmul-classic-ibs 0303-matmul-classic-ibs "
untouched $work/three.img
if diff -r $work/folders/runs "$dir/runs" | grep -v '^Only in .*: 030[1-3]-matmul' >$work/other; then
    not_ok "ehci: earlier runs: $(head -n 3 $work/other)"
else
    ok "ehci: the 300 earlier runs are as they were"
fi

# 8 GB, SMM, FAT16, and an area in which 1,000 runs were before, the last of them unfinished.
mkdir -p $work/runs && (
    cd $work/runs || exit
    seq -f ibsboot/runs/%04.0f-matmul-classic-ibs 1 1000 | xargs mkdir -p
    for i in ibsboot/runs/*; do echo "# $i" >"$i/run.ini"; done
    rm ibsboot/runs/1000-*/run.ini && echo '#: phase = saving perf.data' >ibsboot/runs/1000-matmul-classic-ibs/begun.ini
    find ibsboot -type f | sort | tar --format=ustar -cf ../thousand.tar -T - && truncate -s 4M ../thousand.tar
)
image thousand --area-mb 0 $small --file $work/thousand.tar:IBSRUNS.TAR
started ahci 0 --firmware bios --stick $work/thousand.img --bus ahci --machine q35,smm=on --memory 8192
says "1000-matmul-classic-ibs stopped in this step: saving perf.data"
untouched $work/thousand.img
if [ -e "$dir/runs/1001-matmul-classic-ibs/run.ini" ] && [ "$(find "$dir/runs" -name run.ini | wc -l)" = 1000 ]; then
    ok "ahci: run 1001, and the 1,000 before it are there"
else
    not_ok "ahci: $(find "$dir/runs" -name run.ini | wc -l) runs"
fi

# A run area in pieces, and a second disk with the same serial number, without one.
image pieces --area-mb 0 $small
image other --area-mb 0 $small
: >$work/part && truncate -s 700K $work/part
at=$work/pieces.img@@1M
for i in 1 2 3 4 5 6 7 8 9; do mcopy -i "$at" $work/part ::/part$i; done
free=$(mdir -i "$at" :: | sed -n 's/ *\([0-9 ]*\) bytes free/\1/p' | tr -d ' ')
rm -f $work/rest && truncate -s "$free" $work/rest && mcopy -i "$at" $work/rest ::/rest
for i in 1 3 5 7; do mdel -i "$at" ::/part$i; done
truncate -s 2M $work/area && mcopy -i "$at" $work/area ::/IBSRUNS.TAR
IBSBOOT_QEMU_ARGS="-drive if=none,id=other,format=raw,snapshot=on,file=$work/other.img -device ide-hd,drive=other"
export IBSBOOT_QEMU_ARGS
started xhci 0 --firmware bios --stick $work/pieces.img --bus xhci --memory 6144
unset IBSBOOT_QEMU_ARGS
says "2 disks have a volume with our serial number"
says "IBSRUNS.TAR is in 3 pieces"
runs "0001-matmul-classic-ibs "
untouched $work/pieces.img

# More runs than fit, no run area, and a stick that cannot be written: the run is on the screen, and what was complete stays.
image small --area-mb 2 $small
config=ibs,ibs,ibs started full 1 --firmware bios --stick $work/small.img --bus xhci
says 'NOT SAVED: \ibsboot\runs\0002-matmul-classic-ibs\ibsboot.elf: the volume is'
says 'The other files (4) are in \ibsboot\runs\0003-matmul-classic-ibs'
untouched $work/small.img
for run in 0001 0002; do
    if build/tools/ibsprof report "$work/now.tar:$run" >$work/report 2>&1; then ok "full: run $run is whole"; else not_ok "full: $(cat $work/report)"; fi
done
started missing 1 --firmware bios --stick $work/other.img --bus xhci
missing="IBSRUNS.TAR is not in the root of the stick, and runs are saved nowhere else; copy a file of zeros of this name there"
says "ibsbios: runs are not saved: $missing"
says "WARNING: this run cannot be saved now: $missing"
says "NOT SAVED: $missing. Of this run there are only the tables above"
says "multiply_matrices"
started readonly 1 --firmware bios --stick $work/one.img --bus xhci --readonly
says "the disk's error is "
says "NOT SAVED: the volume is write-protected, or the firmware does not write to it; "
says "multiply_matrices"
printf 'something else' | cat - /dev/zero | head -c 2M >$work/no.tar
image damaged --area-mb 0 $small --file $work/no.tar:IBSRUNS.TAR
started damaged 1 --firmware bios --stick $work/damaged.img --bus xhci
says "ibsbios: runs are not saved: IBSRUNS.TAR is damaged, or not a tar;"
says "NOT SAVED: IBSRUNS.TAR is damaged, or not a tar;"
untouched $work/damaged.img
finish
