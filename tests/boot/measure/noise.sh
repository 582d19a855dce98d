#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Noise. The same machine with time counted in instructions (-icount: 16 ns each), without the virtual PMU: ibsboot's
# regimes, and Debian's stock kernel with the same loop. And a disturbance that the virtual PMU plants is found and named.
. "$(dirname "$0")/../lib"
runs=3 ms=5000
mkdir -p build/boot

printf 'menu = no\nconfig = noise,noise,noise\nnoise_ms = %s\nnoise_quanta = 100\n' $ms >build/boot/noise.ini
IBSBOOT_QEMU_ARGS="-icount shift=4,sleep=off"
export IBSBOOT_QEMU_ARGS
boot noise-icount 0 --without-vpmu --file build/boot/noise.ini:ibsboot/ibsboot.ini
check_with check_noise.py silent $ms
by_uefi ticks "the firmware's timer interrupt: on a BIOS the program is called with interrupts off" && check_with check_noise.py ticks
shows "PASS restored"
if line=$(tools/linux-guest/noise-loops build/boot/noise-linux $runs seconds=$((ms / 1000)) quanta=100 --cpu=0); then ok "$line"; else not_ok "Linux: $line"; fi
check_with check_noise.py table build/boot/noise-linux
unset IBSBOOT_QEMU_ARGS

# The same by ibsprof: its verdict, and the pages.
make -s build/tools/ibsprof || exit 1
mkdir -p build/screenshots
bare=build/boot/noise-icount linux=build/boot/noise-linux
build/tools/ibsprof compare --csv -o build/boot/noise-compare.csv $bare $linux
if line=$(python3 tests/boot/check/check_noise.py build/boot compared build/boot/noise-compare.csv $runs $ms 2>&1); then ok "ibsprof compare: $line"; else not_ok "ibsprof compare: $line"; fi
if build/tools/ibsprof compare --html -o build/boot/noise-compare.html $bare $linux && build/tools/ibsprof report --html -o build/boot/noise.html $bare $linux &&
    line=$(python3 tests/boot/measure/noise_page.py build/boot/noise.html build/boot/noise-compare.html build/screenshots 2>&1); then ok "noise pages: $line"; else not_ok "noise pages: $line"; fi

# Planted in the detour loop; in the certificate's loop; while a workload is measured.
boot noise-planted 0 --disturb 1500000 --options "menu=no config=noise"
check_with check_noise.py planted
boot noise-named 0 --disturb 25000 --options "menu=no n=100 fetch=no"
check_with check_noise.py named before
boot noise-measured 0 --disturb 200000 --options "menu=no n=200 fetch=no"
check_with check_noise.py named measured
shows "NOTE NMIs without a sample: 1"
finish
