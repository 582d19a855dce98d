#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The screen on top of the prompt, on both firmwares: settings changed, a run, its report searched, heat, two results compared, the prompt's line. By a
# serial line, and by QEMU's keyboard with the VGA's memory and pictures (build/boot/screen-keyboard-*/*.png).
. "$(dirname "$0")/../lib"

for how in line keyboard; do
    for firmware in uefi bios; do
        if said=$(python3 tests/boot/machine/screen.py $how "build/boot/screen-$how-$firmware" --firmware $firmware 2>&1); then ok "screen: $firmware: $said"; else not_ok "screen: $firmware, $how: $said"; fi
    done
done
finish
