#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A machine that is reset at ten random places of its runs: the next boot says how far the last one came, and every earlier run can be
# read. The places are numbers of bytes on port 80h, so of steps, and up to 0.1 s after these; KILL_SEED chooses others.
. "$(dirname "$0")/../lib"
by_uefi killed "runs in folders; of those in IBSRUNS.TAR: tests/boot/machine/killed-area.sh" || { ok "nothing else is in this script" && finish && exit; }
make -s build/tools/ibsprof || exit 1
seed=${KILL_SEED:-16} kills=10 steps=46
# The same stick was in a machine with a BIOS before, whose 41st run did not end: numbers go on, and it is told.
earlier=0041-matmul-classic-ibs
rm -rf build/boot/area && mkdir -p build/boot/area/ibsboot/runs/$earlier && {
    echo '#: phase = measuring'
    echo '#: phase = saving report.txt'
} >build/boot/area/ibsboot/runs/$earlier/begun.ini && tar --format=ustar -C build/boot/area -cf build/boot/area.tar ibsboot || exit 1
volume='--file build/boot/area.tar:IBSRUNS.TAR'

# How far the last run on the volume in $dir came, by its own files, in the words of the next boot; "" when it was finished.
expected() {
    last=$(find "$dir/runs" -mindepth 1 -maxdepth 1 2>/dev/null | sort | tail -n 1)
    if [ -z "$last" ]; then
        :
    elif [ -e "$last/begun.ini" ]; then
        echo "$(basename "$last") stopped in this step: $(sed -n 's/^#: phase = //p' "$last/begun.ini" | tail -n 1)."
    elif [ ! -e "$last/run.ini" ]; then
        echo "$(basename "$last") was not started;"
    fi
}

# One line, however it is broken.
told() {
    tr '\n' ' ' <"$dir/console.txt" | tr -s ' ' | sed -n 's/.*NOT FINISHED: [^ ]*runs.\([^ ]* [^.;]*[.;][a-z]*[. ]\).*/\1/p' | sed 's/ $//'
}

want="$earlier stopped in this step: saving report.txt." killed=0 boots=0 phases=''
for place in $(awk -v seed="$seed" -v n="$kills" -v steps="$steps" 'BEGIN { srand(seed); for (i = 0; i < n; i++) printf "%d+%.3f\n", 4 + int(rand() * steps), rand() * 0.1 }') 0; do
    dir=build/boot/killed
    # shellcheck disable=SC2086 # none, or two words
    line=$(tools/qemu/boot --out $dir --timeout $most $volume --kill-at "$place" --options "menu=no n=20 selftest=no config=ibs,tbp,tbp")
    volume="--volume $dir/volume.img"
    [ "$place" = 0 ] || case $line in *"QEMU status 137"*) killed=$((killed + 1)) ;; esac
    if [ "$(told)" = "$want" ]; then ok "before $place: it says '${want}'"; else not_ok "before $place: it says '$(told)', not '$want'"; fi
    for run in "$dir"/runs/*; do
        [ ! -e "$run/run.ini" ] || build/tools/ibsprof runs "$run" >/dev/null || not_ok "$run cannot be read"
        if [ -e "$run/perf.data" ] && ! build/tools/ibsprof report "$run" >/dev/null 2>build/boot/killed.err; then not_ok "$run: $(cat build/boot/killed.err)"; fi
    done
    if [ $boots = 0 ]; then
        if [ -d $dir/runs/0042-matmul-classic-ibs ]; then ok "the run after $earlier has number 42"; else not_ok "no run 42: $(ls $dir/runs)"; fi
    fi
    boots=$((boots + 1))
    want=$(expected)
    phases="$phases
$want"
done
if [ $killed = $kills ]; then ok "QEMU was killed $killed times"; else not_ok "QEMU was killed $killed times, not $kills"; fi
different=$(echo "$phases" | sed 's/^[0-9]*-[^ ]*//' | sort -u | grep -c .)
if [ "$different" -ge 2 ]; then ok "in $different different phases"; else not_ok "in only $different different phases: $phases"; fi
if [ -z "$want" ]; then ok "the last boot was not killed, and its runs are finished"; else not_ok "the last run: $want"; fi
finish
