#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A plan of six runs on a machine that is switched off at random places: each boot goes on where the last one stopped, and at the end
# there are the runs that there would have been without. Over a serial line alone, where nothing is kept, it begins anew. KILLS=20 TIMES=10 is one
# of 30 runs; PLAN_SEED chooses other places, WAYS="stick serial" some ways to save.
# shellcheck disable=SC2086 # options are several words
. "$(dirname "$0")/../lib"
kills=${KILLS:-3} times=${TIMES:-2} seed=${PLAN_SEED:-5}
mkdir -p build/boot
cat >build/boot/plan.ini <<EOF
# What do pages of 2 MB change?
workload = matmul-classic
rows = 4
plan_times = $times
plan_order = abba
[small]
n = 16 | 20
[large]
n = 20
pages = 2m
EOF
file='--file build/boot/plan.ini:ibsboot/plan.ini' words='menu=no plan=\ibsboot\plan.ini'

# Each finished run in the folders $from, in the order of the plan: which it is, and that its result is right. Samples depend on where in memory
# it ran.
results() {
    for run in $from; do
        [ ! -e "$run/run.ini" ] || echo "$(sed -n 's/^#: plan.run = //p' "$run/run.ini") $(sed -n 's/^#: workload.check = //p; s/^seed = //p; s/^pages = //p; s/^n = //p; s/^#: plan.section =//p' "$run/run.ini" | tr '\n' ' ')"
    done | sort -n
}

boot plan-whole 0 "$@" $file --options "$words"
from="$dir/runs/*"
results >build/boot/plan-whole.txt
if [ "$(wc -l <build/boot/plan-whole.txt)" = $((3 * times)) ]; then ok "$((3 * times)) runs"; else not_ok "$(wc -l <build/boot/plan-whole.txt) runs"; fi
sections=$(awk '{ printf "%s", /small/ ? "s" : "l" }' build/boot/plan-whole.txt)
case $sections in ssllss*) ok "forwards and backwards in turn: $sections" ;; *) not_ok "order: $sections" ;; esac
if grep -q 'Files: about .* KB, for which the volume has room.' $dir/console.txt; then ok "said before: $(grep 'Files: about' $dir/console.txt)"; else not_ok "nothing said of files"; fi

# killed WAY SENT START...: boots until the plan is done, and kills the first $kills boots, each after its share of a whole boot's bytes on
# port 80h. SENT is where a boot's runs arrive ('': they are on its volume, which the next boot has).
killed() {
    way=$1 sent=$2
    shift 2
    steps=$(stat -c %s build/boot/plan-whole/post)
    # A run that a kill cut off keeps its place in IBSRUNS.TAR, half of the volume.
    dir=build/boot/plan-$way volume="$file --size-mb $((64 + 8 * kills))" killed=0 boots=0
    rm -rf "$dir" "$dir-received" "$dir-server"
    if [ -n "$sent" ]; then from="$dir-received/*-* $dir-received/*/*/*-*"; else from="$dir/runs/*"; fi
    for place in $(awk -v seed="$seed" -v n="$kills" -v steps="$steps" -v runs="$((3 * times))" 'BEGIN { srand(seed); each = steps / runs
        for (i = 0; i < n; i++) printf "%d+%.3f\n", 8 + each * (0.2 + rand() * 3 * runs / (n + runs / 2)), rand() * 0.1 }') 0; do
        line=$("$@" --out "$dir" --timeout $most $volume --kill-at "$place" --options "$words $more")
        if [ -z "$sent" ]; then volume="--volume $dir/volume.img"; else build/tools/ibsprof receive --to "$dir-received" "$sent" >"$dir.received" 2>&1; fi
        boots=$((boots + 1))
        case $line in *"QEMU status 137"*) killed=$((killed + 1)) ;; esac
        if [ "$place" != 0 ]; then ok "$way, killed at $place: $(results | wc -l) runs are there"; fi
    done
    # A run that was sent and not yet noted, or before the plan began anew, is there twice.
    if [ -n "$sent" ]; then results | uniq >"$dir.txt"; else results >"$dir.txt"; fi
    if cmp -s build/boot/plan-whole.txt "$dir.txt"; then ok "$way: after $boots boots, $killed of them killed, the same $(wc -l <"$dir.txt") runs, $(results | wc -l) arrived"; else
        not_ok "$way: other runs: $(diff build/boot/plan-whole.txt "$dir.txt" | head -n 5)"
    fi
    shows "$begins"
}
more='' begins='of the runs already; the plan continues with the'
for way in ${WAYS:-stick area network serial}; do
    case $way in
    stick) killed stick '' tools/qemu/boot ;;
    area) [ -n "${IBSBOOT_FIRMWARE:-}" ] || killed area '' tools/qemu/boot --firmware bios ;;
    network)
        lacks=$(tests/boot/machine/on-network build/boot/plan-network-server)
        if [ $? = 77 ]; then skip "boot over the network" "$lacks"; else killed network build/boot/plan-network-server/runs tests/boot/machine/on-network build/boot/plan-network-server --firmware uefi; fi
        ;;
    serial)
        more='output=serial save=no' begins='WARNING: save=no: after a reset the plan starts from the beginning.'
        killed serial build/boot/plan-serial/console.raw tools/qemu/boot --firmware bios
        ;;
    esac
done
finish
