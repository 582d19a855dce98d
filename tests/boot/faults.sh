#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Errors are reported in one line, and measured data is kept.
. "$(dirname "$0")/lib"
mkdir -p build/boot
short="menu=no n=100"

boot small-ring 0 --options "$short records=50"
shows "WARNING: the buffer held 50 samples;"
check samples op 1
check identities

# Settings: unknown keys and wrong values, then binary garbage, then a megabyte.
printf 'pages = 3k\r\ncolour = blue\r\nn = 100\r\nmenu = no\r\n' >build/boot/wrong.ini
boot wrong-settings 0 --file build/boot/wrong.ini:ibsboot/ibsboot.ini
shows "ibsboot.ini:1:"
shows "ibsboot.ini:2:"
check ini n 100
check ini pages 4k

head -c 5000 build/ibsboot.efi >build/boot/garbage.ini
boot garbage-settings 0 --options "$short" --file build/boot/garbage.ini:ibsboot/ibsboot.ini
shows "ibsboot.ini"
check ini pages 4k

head -c 1048576 /dev/zero | tr '\0' 'a' >build/boot/huge.ini
boot huge-settings 0 --options "$short" --file build/boot/huge.ini:ibsboot/ibsboot.ini
shows "ibsboot.ini: 1048576 bytes"

boot read-only 1 --options "$short" --readonly
shows "NOT SAVED: the volume is write-protected"
shows "IBS op profile"

# A stick with room for the report, for profile.csv (about as long as the first boot's) and for 200 KB more: perf.data
# (450 KB) does not fit. A snapshot of such a machine would serve this boot alone.
room=$(($(cat build/boot/small-ring/runs/*/profile.csv build/boot/small-ring/runs/*/report.txt | wc -c) + 200000))
if [ "${IBSBOOT_FIRMWARE:-uefi}" = bios ]; then
    set -- --area-kb $((room / 1024))
else
    programs=$(cat build/ibsboot.efi build/ibsboot-vpmu.efi build/vpmu-boot.efi | wc -c)
    head -c $((33 * 1024 * 1024 - programs - room)) /dev/zero >build/boot/filler
    set -- --size-mb 33 --cold --file build/boot/filler:filler
fi
boot full 1 --options "$short op_period=160 fetch_period=80" "$@"
shows "NOT SAVED: \\ibsboot\\runs\\0001-matmul-classic-ibs\\perf.data"
shows "the volume is full"
shows "IBS op profile"
check ini n 100 # the next file was tried
rm -f build/boot/filler

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
shows "STOPPED: endless did not end within 1 ms; what was recorded by then is kept."
shows "never_end"
shows "FAIL result of endless: not there, it did not run to its end"
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
