#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A machine with a BIOS that is switched off at random places of its runs, most of them while files are written: what was complete
# stays as it is to the byte, nothing is half, the file system is as it was, and the next boot says how far the last run came.
# KILLS=100 makes that many (bench/kills); the seed is fixed.
. "$(dirname "$0")/../lib"
make -s build/tools/ibsprof || exit 1
kills=${KILLS:-10} seed=17
dir=build/boot/killed-bios work=build/boot/killed-bios/work
rm -rf $dir && mkdir -p $work
tools/make-image --bare --boot build/vpmu-boot.efi --file build/ibsboot-vpmu.efi:vpmu.efi --file build/ibsboot.efi:ibsboot/ibsboot.efi \
    --fat16 --area-mb $((2 * kills + 4)) --size-mb $((2 * kills + 24)) $work/next.img >/dev/null || exit 1
dd if=$work/next.img of=$work/first.fat bs=1M skip=1 status=none

# The sums of all files of runs that are complete: they have run.ini and no begun.ini.
whole() {
    for run in "$dir"/runs/*; do
        [ ! -e "$run/run.ini" ] || [ -e "$run/begun.ini" ] || cksum "$run"/*
    done
}
# In the words of the next boot; "" when the last run was finished.
expected() {
    last=$(find $dir/runs -mindepth 1 -maxdepth 1 2>/dev/null | sort | tail -n 1)
    if [ -n "$last" ] && [ -e "$last/begun.ini" ]; then
        echo "$(basename "$last") came as far as: $(sed -n 's/^#: phase = //p' "$last/begun.ini" | tail -n 1)."
    fi
}
told() { # in one line, however it is broken
    tr '\n' ' ' <$dir/console.txt | tr -s ' ' | sed -n 's/.*NOT FINISHED: [^ ]*runs.\([^ ]* [^.;]*[.;][a-z]*[. ]\).*/\1/p' | sed 's/ $//'
}
want='' killed=0 writing=0 bad=0
: >$work/complete
for place in $(awk -v seed=$seed -v n="$kills" 'BEGIN { srand(seed); for (i = 0; i < n; i++) printf "%d+%.3f\n", (rand() < 0.5 ? 25 : 44) + int(rand() * 7), rand() * 0.1 }') 0; do
    line=$(tools/qemu/boot --firmware bios --bus ide --stick $work/next.img --out $dir --timeout "$most" --kill-at "$place" \
        --options "menu=no n=20 selftest=no config=ibs,tbp")
    case $line in *"QEMU status 137"*) killed=$((killed + 1)) ;; esac
    problems=
    [ "$(told)" = "$want" ] || problems="it says '$(told)', not '$want'; "
    whole >$work/now
    grep -vxFf $work/now $work/complete >$work/changed && problems="${problems}complete before, and not now: $(head -n 1 $work/changed); "
    mv $work/complete $work/before
    mv $work/now $work/complete
    mcopy -n -o -i $dir/volume.img@@1M ::/IBSRUNS.TAR $work/area.tar && tar -tf $work/area.tar >$work/list 2>&1 ||
        problems="$problems$(head -n 1 $work/list); "
    for run in "$dir"/runs/*; do
        # The sums of those that were whole before are compared; what is not there yet is no error.
        [ ! -e "$run/perf.data" ] || grep -qF "$run/run.ini" $work/before || build/tools/ibsprof report "$run" >$work/report 2>&1 ||
            problems="$problems$run: $(tail -n 1 $work/report); "
    done
    dd if=$dir/volume.img of=$work/now.fat bs=1M skip=1 conv=sparse status=none
    PATH=$PATH:/usr/sbin fsck.fat -n $work/now.fat >$work/fsck 2>&1 || problems="$problems$(sed -n 2p $work/fsck)"
    # Boot sector, tables and the first folder: 1 sector, 2 tables, 32 sectors, all before the area.
    cmp -n $((64 * 512)) $work/first.fat $work/now.fat >$work/fsck || problems="$problems$(cat $work/fsck)"
    want=$(expected)
    case $want in *"saving "*) writing=$((writing + 1)) ;; esac
    if [ -n "$problems" ]; then
        bad=$((bad + 1))
        not_ok "killed at $place: $problems"
    elif [ "$kills" -le 10 ]; then
        ok "killed at $place: $(find $dir/runs -name run.ini | wc -l) runs complete; ${want:-the last one is finished}"
    fi
    mv $dir/volume.img $work/next.img
done
if build/tools/ibsprof runs $work/area.tar >$work/list 2>&1; then ok "$(tail -n +2 $work/list | wc -l) runs in the tar"; else not_ok "$(head -n 1 $work/list)"; fi
if [ $bad = 0 ]; then ok "$((kills + 1)) boots, nothing lost and nothing half: $(wc -l <$work/complete) files of $(find $dir/runs -name run.ini | wc -l) runs"; fi
if [ $killed = "$kills" ]; then ok "QEMU was killed $killed times, $writing of them while files were written"; else not_ok "QEMU was killed $killed times, not $kills"; fi
if [ -z "$want" ]; then ok "the last boot was not killed, and its runs are finished"; else not_ok "the last run: $want"; fi
finish
