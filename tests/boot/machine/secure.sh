#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Secure Boot: OVMF's build for it starts a stick that is signed by a key of one's own in db, and refuses one that is not signed, is
# signed by another key, was altered after it was signed, or whose key is revoked in dbx.
. "$(dirname "$0")/../lib"
work=build/boot/secure
mkdir -p build/boot
log=build/boot/secure.log
tests/boot/machine/secure-sticks >$log 2>&1
verdict $? "sticks, and keys in the firmware's stores"
tests/boot/machine/matrix.py secure refused >$log
add_checks matrix $? $log
if grep -a 'ibsboot [0-9]' build/boot/matrix/refused-*/console.txt >$log; then not_ok "a refused image printed something"; else ok "no refused image printed anything"; fi
# What signing tools and shim ask for.
mcopy -n -i "$work/signed.img@@1M" ::/EFI/BOOT/BOOTX64.EFI "$work/signed.efi"
sbverify --cert "$work/own.crt" "$work/signed.efi" >"$log" 2>&1 && ! grep -q warning "$log"
verdict $? "sbverify: $(tail -n 1 "$log")"
objdump -h "$work/signed.efi" | grep -A1 -E '^ +[0-9]+ ' | grep -A1 -E '\.(text|rodata|sbat|codemap|rela|elf|data) ' | grep 'CONTENTS' >"$log"
[ "$(grep -vc READONLY "$log")" = 1 ] && [ "$(grep -c CODE "$log")" = 1 ] && ! grep CODE "$log" | grep -qv READONLY
verdict $? "one section of code, and one that is written"
objdump -p "$work/signed.efi" | grep -q '^DllCharacteristics[[:blank:]]*00000100$'
verdict $? "NX_COMPAT"
[ "$(objcopy -O binary -j .sbat "$work/signed.efi" /dev/stdout | sed -n 's/^ibsboot,1,.*,\([0-9.]*\),.*/\1/p')" = "$(sed -n 's/.*IBSBOOT_VERSION "\(.*\)"/\1/p' core/base/version.h)" ]
verdict $? "SBAT names this version"
finish
