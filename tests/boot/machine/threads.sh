#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Cores that run at the same time, each on a thread of QEMU's, by both firmwares: they are started, run passes and are started again, by the
# firmware and by the program, and none executes what it should not. Without the virtual PMU, whose order of cores counts requests in vain
# (tools/qemu/boot). ROUNDS=N tries all of them N times, from the second round on with two cores, too.
#
# The questionnaire (config=hardware) makes 16 passes on all cores, none of which needs a tick of a timer. Whether one comes within 100 us depends
# on the host: status 1, of a run that should have the timer's samples, is in order; 5, an exception that nothing handled, is not.
. "$(dirname "$0")/../lib"
hardware="config=hardware cores=all" timer="config=tbp workload=own-page rounds=4 timer_us=1000000"
boots=0

# threads FIRMWARE CORES LINE...: a boot with these lines, of which one is $hardware; each way to start cores is in them.
threads() {
    firmware=$1 cores=$2 dir=build/boot/threads-$1-$2
    shift 2
    printf 'menu = no\nbatch = \\ibsboot\\batch.txt\nhold_s = 0\nend = off\nselftest = no\nsave = no\n' >"$dir.ini"
    printf '%s\n' "$@" >"$dir.txt"
    line=$(tools/qemu/boot --threads multi --smp "$cores" --without-vpmu --firmware "$firmware" --cpu phenom,-hypervisor \
        --file "$dir.ini:ibsboot/ibsboot.ini" --file "$dir.txt:ibsboot/batch.txt" --out "$dir" --timeout $most)
    status=$?
    boots=$((boots + 1))
    if [ $status -le 1 ]; then ok "$firmware, $cores cores: $line"; else not_ok "$firmware, $cores cores: status $status: $line"; fi
    shows "ibsboot: end: status"
    shows "16 passes on each of $cores cores: all came back"
    [ "$cores" = 2 ] && others=1 || others=1-$((cores - 1))
    shows "Started by the firmware: cores $others."
    shows "Started by INIT and STARTUP: cores $others."
    shows_not "LOST: "
    shows_not "NOT RESTORED"
}

mkdir -p build/boot
for round in $(seq "${ROUNDS:-1}"); do
    threads uefi 4 "$timer cores=all repeats=3" run "cores=1,3 core_start=own" run "$hardware" run
    threads bios 6 "$hardware" run "$timer core_start=own repeats=3" run
    [ "$round" = 1 ] || threads bios 2 "$hardware" run "$timer core_start=own" run
    [ "$round" = 1 ] || threads uefi 2 "$hardware" run "$timer core_start=own" run
done
ok "$boots boots with a thread for each core"
finish
