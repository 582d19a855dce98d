#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Secure Boot: OVMF's build for it starts a stick that is signed by a key of one's own in db, and refuses one that is not signed, is
# signed by another key, was altered after it was signed, or whose key is revoked in dbx.
. "$(dirname "$0")/../lib"
work=build/boot/secure
rm -rf "$work"
mkdir -p "$work"
log=$work/log
ovmf=${OVMF_DIR:-/usr/share/OVMF}
for name in own other; do
    openssl req -new -x509 -newkey rsa:2048 -nodes -sha256 -days 3650 -subj "/CN=$name" -keyout "$work/$name.key" -out "$work/$name.crt" 2>"$log" || not_ok "a key" "$log"
done
# The store with keys of Debian's for tests: the platform's own, as on a board whose owner has enrolled keys, and db.
cp "$ovmf/OVMF_VARS_4M.snakeoil.fd" "$work/vars.fd" && tests/boot/machine/enroll.py "$work/vars.fd" db "$work/own.crt" >"$log" 2>&1 &&
    cp "$work/vars.fd" "$work/revoked.fd" && tests/boot/machine/enroll.py "$work/revoked.fd" dbx "$work/own.crt" >"$log" 2>&1
verdict $? "keys in the firmware's store"
cp "$ovmf/OVMF_VARS_4M.ms.fd" "$work/sold.fd" && cp "$work/sold.fd" "$work/mok.fd" && tests/boot/machine/enroll.py "$work/mok.fd" MokList "$work/own.crt" >"$log" 2>&1
verdict $? "a key in shim's list"
printf 'menu=no\nworkload=tight-loop\nconfig=count\n' >"$work/ibsboot.ini"
stick() { # name, options of make-image
    name=$1
    shift
    tools/make-image --bare --area-mb 0 --size-mb 64 --fat16 --file "$work/ibsboot.ini:ibsboot/ibsboot.ini" "$@" "$work/$name.img" >"$log" 2>&1 || not_ok "make-image $name" "$log"
}
stick unsigned
stick signed --sign "$work/own.key" "$work/own.crt"
stick other --sign "$work/other.key" "$work/other.crt"
# One bit of the code, after it was signed.
mcopy -n -i "$work/signed.img@@1M" ::/EFI/BOOT/BOOTX64.EFI "$work/altered.efi"
python3 - "$work/altered.efi" <<'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[0x8000] ^= 1
open(sys.argv[1], "wb").write(data)
END
stick altered --boot "$work/altered.efi"
stick shim --sign "$work/own.key" "$work/own.crt" --shim /usr/lib/shim

# ends STICK STORE WORDS: its console has these words within two minutes, and has not the opposite.
ends() {
    cp "$work/$2.fd" "$work/used.fd"
    : >"$work/console"
    qemu-system-x86_64 -machine q35,smm=on -global driver=cfi.pflash01,property=secure,value=on -global ICH9-LPC.disable_s3=1 \
        -m 256 -display none -vga none -nic none -no-reboot -monitor none -serial "file:$work/console" \
        -drive "if=pflash,format=raw,unit=0,readonly=on,file=$ovmf/OVMF_CODE_4M.secboot.fd" -drive "if=pflash,format=raw,unit=1,file=$work/used.fd" \
        -drive "if=none,id=stick,format=raw,cache=unsafe,file=$work/$1.img" -device virtio-blk-pci,drive=stick,bootindex=1 \
        -device isa-debug-exit,iobase=0xf4,iosize=0x04 2>"$log" &
    qemu=$! waited=0
    while kill -0 $qemu 2>/dev/null && [ $waited -lt 480 ] && ! grep -qa 'Boot0001.*\(Access Denied\|Security Violation\)\|Verification failed\|^ibsboot: end: status' "$work/console"; do
        sleep 0.25
        waited=$((waited + 1))
    done
    kill $qemu 2>/dev/null
    wait $qemu 2>/dev/null
    sed 's/\x1b\[[0-9;?=]*[@-~]//g; s/\r//g' "$work/console" >"$work/$1-$2.txt"
    if grep -qa "$3" "$work/$1-$2.txt"; then ok "$1, $2: $3"; else not_ok "$1, $2: not \"$3\"" "$work/$1-$2.txt"; fi
}
ends signed vars '^ibsboot: end: status'
ends unsigned vars 'failed to load Boot0001.*Access Denied'
ends other vars 'failed to load Boot0001.*Access Denied'
ends altered vars 'failed to load Boot0001.*Access Denied'
ends signed revoked 'failed to load Boot0001.*Access Denied'
ends shim mok '^ibsboot: end: status'
ends shim sold 'Verification failed: (0x1A) Security Violation'
if grep -q 'ibsboot [0-9]' "$work/unsigned-vars.txt" "$work/other-vars.txt" "$work/altered-vars.txt" "$work/signed-revoked.txt" "$work/shim-sold.txt"; then
    not_ok "a refused image printed something"
else
    ok "no refused image printed anything"
fi
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
