#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Machines with a BIOS, and with UEFI and save=tar, that are switched off at random places of their runs, most of them while IBSRUNS.TAR is
# written: what was complete stays as it is to the byte, nothing is half, nothing else on the volume changes, and the next boot says how far
# the last run came. KILLS=100 makes that many of each (bench/kills); the seed is fixed.
. "$(dirname "$0")/../lib"
make -s build/tools/ibsprof || exit 1
kills=${KILLS:-10} seed=17
dir=build/boot/killed-area work=build/boot/killed-area/work

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
        echo "$(basename "$last") stopped in this step: $(sed -n 's/^#: phase = //p' "$last/begun.ini" | tail -n 1)."
    fi
}
told() { # in one line, however it is broken
    tr '\n' ' ' <$dir/console.txt | tr -s ' ' | sed -n 's/.*NOT FINISHED: [^ ]*runs.\([^ ]* [^.;]*[.;][a-z]*[. ]\).*/\1/p' | sed 's/ $//'
}
# The volume but for the area, which has its first clusters: boot sector, two tables, the root's 32 sectors, and what follows the area.
outside() { # image
    head -c $(((2048 + area_first) * 512)) "$1" | cksum
    tail -c +$(((2048 + area_first + area_sectors) * 512 + 1)) "$1" | cksum
}
boot_stick() { # place
    line=$(tools/qemu/boot --firmware "$firmware" --bus ide --stick $work/next.img --out $dir --timeout "$most" --kill-at "$1" \
        --options "menu=no n=20 selftest=no config=ibs,tbp save=tar")
}
# Numbers of bytes on port 80h, by a boot that was not killed: four of five are those of the codes of a run's end, the report and its files
# (drivers/trace/trace_rows.h), the others come before the first of these.
places() {
    od -An -v -w1 -tx1 $dir/post | awk -v seed=$seed -v n="$kills" '
        $1 ~ /^2[12]$/ { at[count++] = NR }
        END { srand(seed); for (i = 0; i < n; i++) printf "%d+%.3f\n", rand() < 0.8 ? at[int(rand() * count)] : at[0] - int(rand() * 12), rand() * rand() * 0.1 }'
}

series() { # firmware
    firmware=$1
    rm -rf $dir && mkdir -p $work
    # Room for the files of the virtual PMU, which its driver writes when it is not killed.
    tools/make-image --bare --boot build/vpmu-boot.efi --file build/ibsboot-vpmu.efi:vpmu.efi --file build/ibsboot.efi:ibsboot/ibsboot.efi \
        --fat16 --area-mb $((2 * kills + 6)) --size-mb $((2 * kills + 26)) $work/next.img >/dev/null || exit 1
    area_sectors=$(((2 * kills + 6) << 11)) area_first=$((33 + 2 * $(minfo -i $work/next.img@@1M | sed -n 's/^sectors per fat: //p')))
    case $(mshowfat -i $work/next.img@@1M ::/IBSRUNS.TAR) in *"<2-"*) ;; *) not_ok "$firmware: the area is not at the first cluster" && return ;; esac
    boot_stick 0
    if [ "$(find $dir/runs -name run.ini | wc -l)" = 2 ] && [ -z "$(expected)" ]; then ok "$firmware: two runs are saved"; else not_ok "$firmware: $line"; fi
    want='' killed=0 writing=0 bad=0
    whole >$work/complete
    for place in $(places) 0; do
        mv $dir/volume.img $work/next.img
        outside $work/next.img >$work/outside
        boot_stick "$place"
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
        # By UEFI the virtual PMU's own files come to the volume at the end.
        [ "$firmware,$place" = uefi,0 ] || outside $dir/volume.img | cmp - $work/outside >$work/fsck || problems="${problems}something beside the area changed; "
        want=$(expected)
        case $want in *"saving "*) writing=$((writing + 1)) ;; esac
        if [ -n "$problems" ]; then
            bad=$((bad + 1))
            not_ok "$firmware: killed at $place: $problems"
        elif [ "$kills" -le 10 ]; then
            ok "$firmware: killed at $place: $(find $dir/runs -name run.ini | wc -l) runs complete; ${want:-the last one is finished}"
        fi
    done
    if build/tools/ibsprof runs $work/area.tar >$work/list 2>&1; then ok "$(tail -n +2 $work/list | wc -l) runs in the tar"; else not_ok "$(head -n 1 $work/list)"; fi
    if [ $bad = 0 ]; then ok "$firmware: $((kills + 2)) boots, nothing lost and nothing half: $(wc -l <$work/complete) files of $(find $dir/runs -name run.ini | wc -l) runs"; fi
    if [ $killed = "$kills" ]; then ok "$firmware: QEMU was killed $killed times"; else not_ok "$firmware: QEMU was killed $killed times, not $kills"; fi
    if [ $writing -ge $((kills / 5)) ]; then ok "$firmware: $writing of them while files were written"; else not_ok "$firmware: only $writing of them while files were written"; fi
    if [ -z "$want" ]; then ok "$firmware: the last boot was not killed, and its runs are finished"; else not_ok "$firmware: the last run: $want"; fi
}
for firmware in ${FIRMWARES:-bios uefi}; do series "$firmware"; done
finish
