#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A plan of six runs on a machine that is switched off at random places: each boot goes on where the last one stopped, and at the end
# there are the runs that there would have been without. KILLS=20 TIMES=10 is one of 30 runs; PLAN_SEED chooses other places.
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

# Each finished run in $dir, in the order of the plan: which it is, and that its result is right. Samples depend on where in memory it ran.
results() {
    for run in "$dir"/runs/*; do
        [ ! -e "$run/run.ini" ] || echo "$(sed -n 's/^#: plan.run = //p' "$run/run.ini") $(sed -n 's/^#: workload.check = //p; s/^seed = //p; s/^pages = //p; s/^n = //p; s/^#: plan.section =//p' "$run/run.ini" | tr '\n' ' ')"
    done | sort -n
}

boot plan-whole 0 "$@" $file --options "$words"
results >build/boot/plan-whole.txt
if [ "$(wc -l <build/boot/plan-whole.txt)" = $((3 * times)) ]; then ok "$((3 * times)) runs"; else not_ok "$(wc -l <build/boot/plan-whole.txt) runs"; fi
sections=$(awk '{ printf "%s", /small/ ? "s" : "l" }' build/boot/plan-whole.txt)
case $sections in ssllss*) ok "forth and back in turns: $sections" ;; *) not_ok "order: $sections" ;; esac
if grep -q 'Files: about .* KB, for which the volume has room.' $dir/console.txt; then ok "said before: $(grep 'Files: about' $dir/console.txt)"; else not_ok "nothing said of files"; fi

# killed WAY options...: boots until the plan is done, and kills the first $kills boots, each after its share of a whole boot's bytes on
# port 80h.
killed() {
    way=$1
    shift
    steps=$(stat -c %s build/boot/plan-whole/post)
    dir=build/boot/plan-$way volume=$file killed=0 boots=0
    rm -rf "$dir"
    for place in $(awk -v seed="$seed" -v n="$kills" -v steps="$steps" -v runs="$((3 * times))" 'BEGIN { srand(seed); each = steps / runs
        for (i = 0; i < n; i++) printf "%d+%.3f\n", 8 + each * (0.2 + rand() * 3 * runs / (n + runs / 2)), rand() * 0.1 }') 0; do
        line=$(tools/qemu/boot --out "$dir" --timeout $most "$@" $volume --kill-at "$place" --options "$words")
        volume="--volume $dir/volume.img"
        boots=$((boots + 1))
        case $line in *"QEMU status 137"*) killed=$((killed + 1)) ;; esac
        if [ "$place" != 0 ]; then ok "$way, killed at $place: $(results | wc -l) runs are there"; fi
    done
    results >"$dir.txt"
    if cmp -s build/boot/plan-whole.txt "$dir.txt"; then ok "$way: after $boots boots, $killed of them killed, the same $(wc -l <"$dir.txt") runs"; else
        not_ok "$way: other runs: $(diff build/boot/plan-whole.txt "$dir.txt" | head -n 5)"
    fi
    if grep -q 'runs are there already, of this machine' "$dir/console.txt"; then ok "$way: $(grep 'are there already' "$dir/console.txt")"; else not_ok "$way: it does not go on"; fi
}
killed stick
[ -n "${IBSBOOT_FIRMWARE:-}" ] || killed area --firmware bios
finish
