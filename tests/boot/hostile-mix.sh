#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Hostile switches in combinations that a seed chooses (HOSTILE_SEED, HOSTILE_COUNT), with the settings that users have: no hang, the machine
# as before, and either right figures or a line that says why there are none.
. "$(dirname "$0")/lib"
IBSBOOT_OPTIONS=
seed=${HOSTILE_SEED:-1} count=${HOSTILE_COUNT:-20}

make -s build/tools/tables || exit 1
mkdir -p build/boot
python3 tests/boot/hostile_mix.py choose "$seed" "$count" >build/boot/hostile-mix.txt || not_ok "no combinations for seed $seed"
n=0
while IFS='|' read -r names options cores; do
    n=$((n + 1))
    dir=build/boot/hostile-mix-$n
    tools/qemu/boot --out "$dir" --timeout $most --hostile "$names" --smp "$cores" --options "menu=no $options" </dev/null >"$dir.txt" 2>&1
    status=$?
    if result=$(python3 tests/boot/hostile_mix.py check "$dir" "$names" $status 2>&1); then
        ok "seed $seed, $names ($options): $result"
    else
        not_ok "seed $seed, $names ($options): $result"
    fi
done <build/boot/hostile-mix.txt
[ $n = "$count" ] && ok "$n combinations" || not_ok "$n combinations, not $count"
finish
