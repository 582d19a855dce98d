#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The image: sections, registers, red zone, reproducibility, the USB image.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts

for image in build/ibsboot.efi build/ibsboot-vpmu.efi; do
    python3 - $image <<'EOF'
import struct, sys
data = open(sys.argv[1], "rb").read()
pe = struct.unpack_from("<I", data, 0x3C)[0]
count, optional = struct.unpack_from("<H", data, pe + 6)[0], struct.unpack_from("<H", data, pe + 20)[0]
EXECUTE, WRITE, bad, end = 0x20000000, 0x80000000, [], 0
for i in range(count):
    name, size, rva, _, _, _, _, _, _, flags = struct.unpack_from("<8sIIIIIIHHI", data, pe + 24 + optional + 40 * i)
    bad += [name] if flags & EXECUTE and flags & WRITE or rva % 4096 or rva < end else []
    end = rva + size
sys.exit(bool(bad) or count < 5)
EOF
    verdict $? "$image: sections apart, page-aligned, none both writable and executable"
done

# Firmware's and the workload's x87 and SSE state belong to them: only workloads may use those registers.
objects=$(find build/image/core build/image/drivers build/image/app build/image/efi -name '*.o')
# shellcheck disable=SC2086
objdump -d $objects | grep -cE '%(xmm|ymm|mm|st)[0-9(]?' | grep -qx 0
verdict $? "no x87, MMX or SSE register outside of the workloads ($(echo "$objects" | wc -l) objects)"
objdump -d build/image/workloads/matmul/matmul_classic.o | grep -q 'fmulp' && objdump -d build/image/workloads/matmul/matmul_classic_sse.o | grep -q mulss
verdict $? "the workload multiplies by x87, its twin by SSE"

# -mno-red-zone: no data below the stack pointer.
# shellcheck disable=SC2046
objdump -d $(find build/image -name '*.o') | grep -E -- '-0x[0-9a-f]+\(%rsp[,)]' | grep -qv lea && below=1 || below=0
verdict "$below" "nothing is kept below the stack pointer"

# All code that runs between an NMI and its iretq is in the image's handler range.
python3 tests/host/image/handler_calls.py build/ibsboot.elf >build/handler-calls.txt
verdict $? "$(tail -n 1 build/handler-calls.txt)"
rm -f build/handler-calls.txt

# Another folder, another time, the same bytes: no object names the folder, no source the time (-Wdate-time), all is linked anew, with its
# code map, and a quarter of the objects is compiled anew, so that four consecutive commits compile all.
again=$(mktemp -d)
git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -C "$again" -xf -
! grep -rlF --include='*.o' "$PWD" build/image && ! grep -qF "$PWD" build/ibsboot.elf && grep -q -- ' -Wdate-time ' build/image.flags
verdict $? "no object names this folder, and none may name the time"
mkdir "$again/build"
cp -a build/image build/host build/tools build/*.flags "$again/build/"
rm -rf "$again/build/image/build" "$again/build/image/tests"
# Of sources that are there: a renamed one leaves its object.
(cd "$again" && find core drivers app efi workloads noise -name '*.[cS]') | sed "s,^\(.*\)\.[cS]$,$again/build/image/\1.o," | sort |
    awk -v turn="$(tests/turn 4 tests/host/image/image.sh)" 'turn == "" || NR % 4 == turn' >"$again/anew"
xargs rm <"$again/anew"
make -s -C "$again" build/ibsboot.efi >"$again/log" 2>&1 || cat "$again/log"
sed "s,^$again/,," "$again/anew" | while read -r object; do cmp "$object" "$again/$object" || rm -f "$again/build/ibsboot.efi"; done
cmp build/ibsboot.efi "$again/build/ibsboot.efi" && cmp build/ibsboot.elf "$again/build/ibsboot.elf"
verdict $? "two builds in two folders give the same bytes ($(sha256sum <build/ibsboot.efi | cut -c1-16))"

# The examples of docs/adding.md as they stand there, added to that copy: each is a file and nothing else. One boot has all of them: the
# made-up kind of measurement, of the made-up workload, on the made-up processor (family 1Fh), which has neither IBS nor counters in QEMU.
example() { sed -n "/^## A $1\$/,/^## /{/^\`\`\`c\$/,/^\`\`\`\$/{/^\`\`\`/!p}}" docs/adding.md >"$again/$2/$3.c"; }
example "kind of measurement" app/kinds time && example workload workloads mine && example "family of processors" core family_1fh
cp build/ibsbios "$again/build/" && make -s -C "$again" build/ibsboot.efi >"$again/log" 2>&1 || cat "$again/log"
printf '%s\n' menu=no hold_s=0 end=off config=time workload=mine iterations=1000 >"$again/ibsboot.ini"
IBSBOOT_BUILD=$again/build tools/qemu/boot --timeout 300 --without-vpmu --firmware bios --cpu phenom,family=31,model=1 --out build/boot/examples \
    --file "$again/ibsboot.ini:ibsboot/ibsboot.ini" >"$again/log" 2>&1 || cat "$again/log"
saved=build/boot/examples/runs/0001-mine-time
grep -q '^#: machine.family = 31$' $saved/run.ini && grep -q '^#: repeats = 5$' $saved/run.ini && grep -q '^#: workload.check = 1$' $saved/run.ini &&
    [ "$(grep -A 5 '^TSC ticks of the workload' $saved/report.txt | grep -c '^ *[0-9]*$')" = 5 ]
verdict $? "the three examples of docs/adding.md run in one boot"

# A second kind of the same place in lists would not be found: the linker refuses it, and names both files.
sed 's/kind_time/kind_again/; s/"time"/"again"/' "$again/app/kinds/time.c" >"$again/app/kinds/again.c"
! make -s -C "$again" build/ibsboot.efi >"$again/log" 2>&1 && grep -q "kinds/time.*multiple definition of .kind_order_90.*kinds/again" "$again/log"
verdict $? "two kinds of one order are not linked: $(grep -o 'multiple definition of[^;]*' "$again/log" | head -n 1)"
rm -rf "$again"

# The image knows its ELF's build-id.
id=$(readelf -n build/ibsboot.elf | sed -n 's/.*Build ID: //p')
od -An -v -tx1 build/ibsboot.efi | tr -d ' \n' | grep -q "474e5500$id"
verdict $? "the ELF's build-id $id is in the image"
[ "$(readelf -n build/ibsboot-run.elf | sed -n 's/.*Build ID: //p')" = "$id" ] && objcopy --dump-section .elf=build/carried.elf build/ibsboot.efi build/carried.efi &&
    head -c "$(stat -c %s build/ibsboot-run.elf)" build/carried.elf | cmp - build/ibsboot-run.elf
verdict $? "the image carries the ELF file that its runs take along, of the same build-id ($(stat -c %s build/ibsboot-run.elf) bytes)"
rm -f build/carried.e*
readelf -SW build/ibsboot.elf | sed 's/\[ */[/' | awk '$2 == ".text" {found = ($4 + 0 || 1) && substr($4, 11) == $5} END {exit !found}'
verdict $? "the ELF's .text is at its RVA in the file, as perf.data says"

# The USB image, read by independent tools. What a BIOS starts is any file here: nothing boots.
kernel=build/ibsboot-vpmu.efi
tools/make-image --kernel $kernel build/usb-1.img >/dev/null && tools/make-image --kernel $kernel build/usb-2.img >/dev/null &&
    cmp build/usb-1.img build/usb-2.img
verdict $? "two USB images are the same bytes"
sectors=$((128 * 2048))
# Status, head 32 sector 33 cylinder 0 of sector 2048; 255 heads and 63 sectors make the last one 16/113/33.
table="80 20 21 00 0c 71 21 10 00 08 00 00 $(printf '%02x %02x %02x %02x' $((sectors & 255)) $((sectors >> 8 & 255)) $((sectors >> 16 & 255)) 0)"
[ "$(od -An -tx1 -w16 -j446 -N16 build/usb-1.img)" = " $table" ] &&
    [ "$(od -An -v -tx1 -w50 -j462 -N50 build/usb-1.img | tr -d ' ')" = "$(printf '%096d' 0)55aa" ] && ! grep -q 'EFI PART' build/usb-1.img
verdict $? "a plain MBR table with one active partition of type 0Ch:$(od -An -tx1 -w16 -j446 -N16 build/usb-1.img)"
cmp -n 440 build/usb-1.img /usr/lib/syslinux/mbr/mbr.bin
verdict $? "syslinux's code in the first sector"
dd if=build/usb-1.img of=build/usb-fat.img bs=1M skip=1 status=none
volume_geometry=$(minfo -i build/usb-fat.img :: | sed -n 's/^sectors per track: //p; s/^heads: //p; s/^hidden sectors: //p; s/^serial number: //p' | sort -u | tr '\n' ' ')
[ "$volume_geometry" = "1B5B0071 2048 255 63 " ]
verdict $? "the boot sector has the number that bios/ looks for, its place, 255 heads and 63 sectors: $volume_geometry"
PATH=$PATH:/usr/sbin fsck.fat -n build/usb-fat.img >build/usb-fsck.txt 2>&1 && ! grep -qi 'differ\|dirty\|label' build/usb-fsck.txt
verdict $? "fsck.fat: $(tail -n 1 build/usb-fsck.txt)"
mcopy -n -i build/usb-1.img@@1M ::/EFI/BOOT/BOOTX64.EFI build/usb-boot.efi && cmp build/usb-boot.efi build/ibsboot.efi
verdict $? "EFI/BOOT/BOOTX64.EFI is ibsboot itself"
[ "$(mdir -a -b -i build/usb-1.img@@1M ::/boot | sed 's,.*/,,' | sort | tr '\n' ' ')" = "ibsbios ldlinux.c32 ldlinux.sys libcom32.c32 mboot.c32 syslinux.cfg " ] &&
    mcopy -n -i build/usb-1.img@@1M ::/boot/ibsbios build/usb-kernel && cmp build/usb-kernel $kernel
verdict $? "what a BIOS starts is in boot, with the loader's files"
# dated IMAGE: the times of its files.
dated() { TZ=UTC mdir -i "$1@@1M" :: ::/EFI/BOOT ::/ibsboot ::/boot | grep -oE '[0-9]{4}-[0-9]{2}-[0-9]{2}  *[0-9]{1,2}:[0-9]{2}' | tr -s ' ' | sort -u | paste -s -d , -; }
is "its files have the time of the commit" "$(TZ=UTC git log -1 --date=format-local:'%Y-%m-%d %k:%M' --format=%cd | tr -s ' ')" "$(dated build/usb-1.img)"
for time in "0 1980-01-01 0:00" "1700000000 2023-11-14 22:13" "9999999999 2107-12-31 23:59"; do
    SOURCE_DATE_EPOCH=${time%% *} tools/make-image --kernel $kernel --size-mb 64 --area-mb 1 build/usb-3.img >/dev/null
    is "or with SOURCE_DATE_EPOCH=${time%% *}" "${time#* }" "$(dated build/usb-3.img)"
done
pieces=$(mshowfat -i build/usb-1.img@@1M ::/IBSRUNS.TAR)
mcopy -n -i build/usb-1.img@@1M ::/IBSRUNS.TAR build/usb-area && [ "$(stat -c %s build/usb-area)" = $((64 << 20)) ] &&
    [ "$pieces" = "::/IBSRUNS.TAR <3-65538>" ] && [ -z "$(tar -tf build/usb-area)" ]
verdict $? "the run area is an empty tar of 64 MB in one piece, the volume's first: $pieces"
for layout in "--size-mb 64 --area-mb 8" "--size-mb 64 --area-mb 0" "--size-mb 64 --area-mb 8 --fat16"; do
    # shellcheck disable=SC2086 # several words
    tools/make-image --kernel $kernel $layout --file LICENSE:a/b/licence.txt build/usb-3.img >build/usb-log 2>&1 &&
        dd if=build/usb-3.img of=build/usb-fat.img bs=1M skip=1 status=none && PATH=$PATH:/usr/sbin fsck.fat -n build/usb-fat.img >build/usb-log 2>&1 &&
        mtype -i build/usb-fat.img ::/a/b/licence.txt | cmp - LICENSE
    verdict $? "$layout: $(tail -n 1 build/usb-log)"
done
rm -f build/usb-*

finish
