#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The functions of UEFI that ibsbios has (bios/uefi/uefi_rows.h) are those that efi/ and the virtual PMU call, in both directions.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
mkdir -p build/host
/usr/bin/python3 -B tests/host/image/bios_calls.py >build/host/bios_calls.txt 2>&1
status=$?
count_log build/host/bios_calls.txt
[ $status = 0 ] || not_ok "bios_calls.py ended with status $status"

# ibsbios is what a boot loader takes, and small.
make -s build/ibsbios || exit 1
size=$(stat -c %s build/ibsbios)
if [ "$size" -le 65536 ]; then ok "ibsbios has $size bytes, 65536 at most"; else not_ok "ibsbios has $size bytes, more than 65536"; fi
if readelf -h build/ibsbios | grep -q ELF32; then ok "ibsbios is ELF32"; else not_ok "ibsbios is no ELF32"; fi
# The header is on a multiple of 4 in the first 8 KB (multiboot 1), and of 8 in the first 32 KB (multiboot 2).
for magic in '\x02\xb0\xad\x1b 4 8192' '\xd6\x50\x52\xe8 8 32768'; do
    # shellcheck disable=SC2086 # words
    set -- $magic
    at=$(LC_ALL=C grep -obUaP -m 1 "$1" build/ibsbios | head -n 1 | cut -d : -f 1)
    if [ -n "$at" ] && [ $((at % $2)) = 0 ] && [ "$at" -lt "$3" ]; then ok "a multiboot header at $at"; else not_ok "no multiboot header $1"; fi
done
finish
