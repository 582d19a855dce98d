#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Hostile switches in combinations that a seed chooses (HOSTILE_SEED, HOSTILE_COUNT), on Family 10h, Zen 2, Zen 3 and 4, Zen 5 (HOSTILE_KINDS), with the
# settings that users have: no hang, the machine as before, each register that was written in the restore log, and either right figures or a line that says
# why there are none. Each commit tries a third (tests/turn); hostile.sh and hardware-zen.sh boot with each switch alone.
. "$(dirname "$0")/../lib"
IBSBOOT_OPTIONS=
seed=${HOSTILE_SEED:-1} count=${HOSTILE_COUNT:-20}

make -s build/tools/tables || exit 1
mkdir -p build/boot
turn=$(tests/turn 3 "$0")
for kind in ${HOSTILE_KINDS:-10h zen2 zen4 zen5}; do
    list=build/boot/hostile-mix-$kind-$seed.txt
    python3 tests/boot/check/hostile_mix.py choose "$seed" "$count" "$kind" >"$list" || not_ok "no combinations for seed $seed"
    n=0
    while IFS='|' read -r names options cores revision; do
        n=$((n + 1))
        [ $(((n - 1) * 3 / count)) = "${turn:-$(((n - 1) * 3 / count))}" ] || continue
        dir=build/boot/hostile-mix-$kind-$seed-$n
        tools/qemu/boot --out "$dir" --timeout $most --revision "$revision" --hostile "$names" --smp "$cores" --options "menu=no $options" </dev/null >"$dir.txt" 2>&1
        status=$?
        if result=$(python3 tests/boot/check/hostile_mix.py check "$dir" "$names" "$options" $status 2>&1); then
            ok "seed $seed, $revision, $names ($options): $result"
        else
            not_ok "seed $seed, $revision, $names ($options): $result"
        fi
    done <"$list"
    [ $n = "$count" ] && ok "$kind: $n combinations${turn:+, of which third $turn was tried}" || not_ok "$kind: $n combinations, not $count"
done
finish
