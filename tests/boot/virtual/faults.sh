#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Errors are reported in one line, and measured data is kept.
. "$(dirname "$0")/../lib"
mkdir -p build/boot
short="menu=no n=100"

make -s build/tools/ibsprof || exit 1

# Its files go over the serial port as well, on which the console is: what is received is what is on the stick. With 1 % of the bits
# flipped nothing is taken for right; with one line in a hundred cut short, and then sent again, all is.
boot small-ring 0 --options "$short records=50 output=serial"
receive() { # log, wanted status
    build/tools/ibsprof receive --to build/boot/received "$1" >build/boot/received.txt 2>&1
    if [ $? = "$2" ]; then ok "received: $(head -n 1 build/boot/received.txt)"; else not_ok "received: $(cat build/boot/received.txt)"; fi
}
rm -rf build/boot/received
python3 - "$dir/console.raw" build/boot/flipped.raw build/boot/cut.raw <<'END'
import random, sys
text = open(sys.argv[1], "rb").read()
chance = random.Random(6)
mask = bytearray(len(text))
for _ in range(8 * len(text) // 100):
    bit = chance.randrange(8 * len(text))
    mask[bit // 8] ^= 1 << bit % 8
open(sys.argv[2], "wb").write(bytes(a ^ b for a, b in zip(text, mask)))
open(sys.argv[3], "wb").write(b"\n".join(l[:200] if chance.random() < 0.01 else l for l in text.split(b"\n")))
END
receive build/boot/flipped.raw 1
if [ -z "$(find build/boot/received -type f ! -name received.lines 2>/dev/null)" ]; then ok "1 % flipped: no file"; else not_ok "1 % flipped: there are files"; fi
rm -rf build/boot/received
receive build/boot/cut.raw 1
receive "$dir/console.raw" 0
if diff -r build/boot/received "$dir/runs" >build/boot/received.txt 2>&1; then ok "received as saved"; else not_ok "received otherwise: $(cat build/boot/received.txt)"; fi
rm -rf build/boot/received build/boot/flipped.raw build/boot/cut.raw
shows "WARNING: the buffer held 50 samples;"
check samples op 1
check identities

# Settings: unknown keys and wrong values, then binary garbage, then a megabyte: nothing is run, and the reason is saved.
refused() {
    shows_not "Running "
    is "$(basename "$dir"): saved" ./0001-refused/begun.ini "$(cd "$dir/runs" && find . -type f)"
}
printf 'pages = 3k\r\ncolour = blue\r\nn = 100\r\nmenu = no\r\n' >build/boot/wrong.ini
boot wrong-settings 1 --file build/boot/wrong.ini:ibsboot/ibsboot.ini
shows "ibsboot.ini:1:"
shows "ibsboot.ini:2:"
refused

head -c 5000 build/ibsboot.efi >build/boot/garbage.ini
boot garbage-settings 1 --options "$short" --file build/boot/garbage.ini:ibsboot/ibsboot.ini
shows "ibsboot.ini"
refused

head -c 1048576 /dev/zero | tr '\0' 'a' >build/boot/huge.ini
boot huge-settings 1 --options "$short" --file build/boot/huge.ini:ibsboot/ibsboot.ini
shows "ibsboot.ini: 1048576 bytes"
refused

boot read-only 1 --options "$short" --readonly
shows "NOT SAVED: the volume is write-protected"
shows "WARNING: this run cannot be saved now: "
shows "IBS op profile"

# A stick with room for the report, for profile.csv (about as long as the first boot's) and for 310 KB more: begun.ini, run.ini, 64 KB that prove that a
# name has room (efi/folders.c): perf.data (450 KB) does not fit. A snapshot of such a machine would serve this boot alone.
room=$(($(cat build/boot/small-ring/runs/*/profile.csv build/boot/small-ring/runs/*/report.txt | wc -c) + 310000))
if [ "${IBSBOOT_FIRMWARE:-uefi}" = bios ]; then
    set -- --area-kb $((room / 1024))
else
    programs=$(cat build/ibsboot.efi build/ibsboot-vpmu.efi build/vpmu-boot.efi | wc -c)
    head -c $((33 * 1024 * 1024 - programs - room)) /dev/zero >build/boot/filler
    set -- --size-mb 33 --cold --file build/boot/filler:filler
fi
boot full 1 --options "$short op_period=160 fetch_period=80" "$@"
shows "WARNING: this run cannot be saved completely now: its files take about"
shows "NOT SAVED: \\ibsboot\\runs\\0001-matmul-classic-ibs\\perf.data"
shows "the volume is full"
shows "IBS op profile"
check ini n 100 # the next file was tried
rm -f build/boot/filler

# No room at all, and no folder of runs yet: the firmware would leave a folder without a cluster (efi/folders.c). The file system stays
# in order, and when there is room the run is saved.
in_order() {
    if PATH=$PATH:/usr/sbin fsck.fat -n "$dir/volume.img" >build/boot/fsck.txt 2>&1; then ok "$name: fsck.fat is content"; else not_ok "$name: fsck.fat: $(sed 1d build/boot/fsck.txt)"; fi
}
if by_uefi "no room for a folder" "files go to IBSRUNS.TAR, which is there"; then
    in_order # after the boot above
    export MTOOLS_SKIP_CHECK=1
    cp build/boot/small-ring/volume.img build/boot/no-room.img && mdeltree -i build/boot/no-room.img ::/ibsboot/runs
    room=$(mdir -i build/boot/no-room.img :: | sed -n 's/ *\([0-9 ]*\) bytes free/\1/p' | tr -d ' ')
    truncate -s "$room" build/boot/filler && mcopy -i build/boot/no-room.img build/boot/filler ::/filler
    boot no-room 1 --options "$short config=count events=0C0" --volume build/boot/no-room.img
    shows "WARNING: this run cannot be saved now: the volume is full"
    shows "NOT SAVED: the volume is full."
    in_order
    cp "$dir/volume.img" build/boot/no-room.img && mdel -i build/boot/no-room.img ::/filler
    boot room-again 0 --options "$short config=count events=0C0" --volume build/boot/no-room.img
    in_order
    shows "Saved to "
    # save=tar writes nothing else in the place of IBSRUNS.TAR.
    boot no-area 1 --options "$short config=count events=0C0 save=tar"
    shows "WARNING: this run cannot be saved now: IBSRUNS.TAR is not in the root"
    if mdir -b -i "$dir/volume.img" ::/ibsboot/runs >/dev/null 2>&1; then not_ok "$name: there is a folder of runs"; else ok "$name: nothing is saved elsewhere"; fi
    truncate -s 4M build/boot/filler
    boot large-area 1 --options "$short config=count events=0C0 save=tar" --sector 4096 --file build/boot/filler:IBSRUNS.TAR
    shows "NOT SAVED: IBSRUNS.TAR is on a disk whose"
    rm -f build/boot/filler build/boot/no-room.img
fi

IBSBOOT_IMAGE=ibsboot-test boot divide-error 1 --options "menu=no workload=divide-error op_period=160 trace=com1"
# Told where it happened: by a code, and on the serial port before anything else was done.
posts "10 11 12 13 14 15 16 17 18 19 1a 1b c0 1c 1d 1e 1f 20 21 22"
shows "ibsboot: 1Bh sampling is switched on, the workload runs"
shows "ibsboot: #DE divide error"
shows "ibsboot: rax 00000000"
shows "#DE"
shows "in the measured part"
shows "idiv"
shows "rax "
shows "vpmu: restored:"
shows_not "NOT RESTORED"

# A workload that never ends: the time limit ends it, with IBS sampling, with counters, and without either.
IBSBOOT_IMAGE=ibsboot-test boot endless 1 --options "menu=no workload=endless limit_ms=1 op_period=4096 fetch_period=2048"
shows "STOPPED: endless did not end within 1 ms; the samples until then are kept."
shows "never_end"
shows "FAIL result of endless: missing, as the workload did not run to its end"
check samples op 300
shows "vpmu: restored:"
shows_not "NOT RESTORED"
IBSBOOT_IMAGE=ibsboot-test boot endless-counted 1 --options "menu=no workload=endless limit_ms=1 config=count events=0C0"
shows "STOPPED: endless did not end within 1 ms;"
shows_not "NOT RESTORED"
IBSBOOT_IMAGE=ibsboot-test boot endless-timer 1 --options "menu=no workload=endless limit_ms=1 config=tbp timer_us=100"
shows "STOPPED: endless did not end within 1 ms;"
shows_not "NOT RESTORED"
finish
