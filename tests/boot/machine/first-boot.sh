#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# docs/first-boot.md as somebody new follows it: the stick is written as printed, OVMF boots it from a USB 3 port, the document's lines are typed at
# the prompt in their order, and its commands read the files that would be sent. The stick has the virtual PMU besides, which a real machine is.
. "$(dirname "$0")/../lib"

dir=build/boot/first-boot
mkdir -p $dir.stick
tools/make-image --boot build/vpmu-boot.efi --file build/ibsboot-vpmu.efi:vpmu.efi --file build/ibsboot.efi:ibsboot/ibsboot.efi $dir.stick/ibsboot-usb.img
for step in "stick $dir.stick/stick" "follow $dir.stick/stick $dir" "read $dir"; do
    # shellcheck disable=SC2086 # words
    if said=$(python3 tests/boot/machine/first_boot.py $step 2>&1); then ok "first-boot: ${step%% *}: $said"; else not_ok "first-boot: ${step%% *}: $said"; fi
done
rm -rf $dir.stick
finish
