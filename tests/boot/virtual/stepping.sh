#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The two ways of stepping: results with the QEMU plugin and with TF are the same bytes; if a check of the plugin fails, TF steps, and
# the reason is printed.
. "$(dirname "$0")/../lib"

# Each commit tries two of these rows of both-ways (tests/turn); what follows compares both ways for the matrix multiply each time.
mkdir -p build/boot
turn=$(tests/turn 4 "$0")
set -- late cores-2 handlers nodes overflow-short divide-error repeat tbp
if [ -n "$turn" ]; then
    shift $((2 * turn))
    set -- "$1" "$2"
fi
tests/boot/virtual/both-ways "$@" | grep -E '^(not )?ok ' >build/boot/both-ways.txt
count_log build/boot/both-ways.txt
[ $((passed + failed)) = $# ] || not_ok "both-ways: not the boots $*" build/boot/both-ways.txt

# Each check made to fail: the same truth as ever.
reason() { # check, the message on it
    boot "stepping-$1" 0 --plugin-fails "$1" --options "menu=no n=30 save=no"
    shows "vpmu: stepping by TF: $2"
    [ "$1" = symbols ] || check_same "$dir/truth.csv" build/boot/stepping-symbols/truth.csv
}
check_same() {
    if cmp -s "$1" "$2"; then ok "the truth is the same"; else not_ok "$1 is not $2"; fi
}
reason symbols "symbols: this QEMU does not export any (made to fail)"
reason cflags "cflags: not found in CPUState"
reason version "plugin and virtual PMU are of different versions"
reason memory "no plugin answers"
reason registers "registers: they are not those of the guest"
reason rip "rip: an instruction was announced with another's address"
reason step "step: an instruction was not announced"
reason stop "stop: an instruction that was to be left out has executed"

# With all checks passed the plugin steps; and the truth is still the same.
boot stepping-plugin 0 --options "menu=no n=30 save=no"
shows "vpmu: stepping by the QEMU plugin"
check_same "$dir/truth.csv" build/boot/stepping-symbols/truth.csv

# A library that cannot be loaded, here from a file system that is mounted noexec (or, without the right to mount one, no library).
elsewhere=build/boot/noexec
mkdir -p $elsewhere
if mount -t tmpfs -o noexec,size=64m tmpfs $elsewhere 2>/dev/null; then what='a file system mounted noexec'; else what='no library'; fi
cp build/ibsboot-vpmu.efi build/vpmu-boot.efi build/ibsboot.efi build/ibsbios $elsewhere
[ "$what" = 'no library' ] || cp build/vpmu-plugin.so $elsewhere
# There is a snapshot of this machine, and the program that starts it can only be executed where it is.
ln -sfn "$PWD/build/snapshots" $elsewhere/snapshots
ln -sfn "$PWD/build/qemu-memory" $elsewhere/qemu-memory
said=$(IBSBOOT_BUILD=$elsewhere tools/qemu/boot --out build/boot/stepping-noexec --options "menu=no n=30 save=no" 2>&1)
umount $elsewhere 2>/dev/null
if echo "$said" | grep -q '^boot: no plugin, so stepping is by TF' && echo "$said" | grep -q '^boot: passed'; then
    ok "$what: $(echo "$said" | head -n 1)"
else
    not_ok "$what: $said"
fi
check_same build/boot/stepping-noexec/truth.csv build/boot/stepping-symbols/truth.csv
finish
