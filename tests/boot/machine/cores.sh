#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Several cores sampled at once: each core's samples are complete and its own, effects on each other's caches show, and a missing
# core is named.
. "$(dirname "$0")/../lib"
make -s build/tools/ibs_dump build/tools/ibsprof || exit 1

check_cores() {
    check_with check_cores.py "$@"
}

# same NAME OTHER FILE...: files of these two boots are equal, byte for byte.
same() {
    one=build/boot/$1 other=build/boot/$2
    shift 2
    for file in "$@"; do
        if cmp -s "$one/$file" "$other/$file"; then
            ok "$one and $other: same $file"
        else
            not_ok "$one and $other differ in $file"
            diff "$one/$file" "$other/$file" | head -n 20
        fi
    done
}

# Each core on its own page: the sampled addresses identify the core.
boot cores-4 0 --smp 4 --options "menu=no cores=all workload=own-page rounds=8 op_period=256 fetch_period=512"
posts "05 41 42 43"
posts "81 82 83 20"
check_cores samples 4
check_cores own-page 4
check_cores together 4 20000
check_cores ibsprof 4 1
shows "core 3 node 0"
shows_not "NOT RESTORED"

# Started by the program itself, without MP Services, and stepped by TF, each core does the same. Firmware can start it again afterwards.
boot cores-own 0 --smp 4 --without-mp --step tf --options "menu=no cores=all workload=own-page rounds=8 op_period=256 fetch_period=512"
same cores-own cores-4 truth.csv truth-1.csv truth-2.csv truth-3.csv runs/0001-own-page-ibs/profile.csv
shows "Started by INIT and STARTUP: cores 1-3."
# Of the report who started them differs, and when they began.
for boot in cores-own cores-4; do
    sed '/^Started by /d; /elapsed: /d; s/^\(core [0-9].*\) [0-9]*$/\1/; s/ *$//' build/boot/$boot/runs/0001-*/report.txt >build/boot/$boot/told.txt
done
same cores-own cores-4 told.txt
for core in 1 2 3; do shows "vpmu: core $core: started by the guest; the firmware starts it again"; done
shows_not "NOT RESTORED"

# Eight cores, and several runs: each core is started once.
batch_options="--smp 8 --memory 1024 --without-mp"
batch cores-own-8 0 workload=own-page rounds=8 cores=all op_period=256 fetch_period=512 run cores=0,7 rounds=1 run
check_cores own-page 8
check_cores together 8 20000
shows "Started by INIT and STARTUP: cores 1-7."
shows "vpmu: core 7: started by the guest; the firmware starts it again"
shows_not "NOT RESTORED"

# Two of them, without the boot core; each with its own arena.
boot cores-some 0 --smp 4 --options "menu=no cores=1,3 n=60 op_period=256"
shows "core 1 node 0"
shows "core 3 node 0"
shows_not "core 0 node"
shows_not "core 2 node"
shows_not "NOT RESTORED"

# False sharing, and its end. Two cores never find a line owned, four do.
sharing="menu=no cores=all workload=false-sharing fetch=no"
boot cores-false-sharing 0 --smp 2 --options "$sharing increments=20000 op_period=1040"
check_cores sharing 2 3 50
boot cores-padded 0 --smp 2 --options "$sharing increments=4000 op_period=160 padding=64"
check_cores sharing 2 0 0
boot cores-false-sharing-4 0 --smp 4 --options "$sharing increments=4000 op_period=144"
check_cores sharing 4 1 50
boot cores-true-sharing 0 --smp 2 --options "menu=no cores=all workload=true-sharing increments=4000 op_period=160 fetch=no"
check_cores sharing 2 3 60

# Without MP Services, and told not to start them itself: one line, and the boot core.
boot cores-no-services 0 --smp 2 --without-mp --options "menu=no cores=all core_start=firmware n=60"
shows "cores = all: the firmware runs nothing on other cores (it has no MP Services);"
shows "this run is on the boot core alone"

# One core never begins, although the firmware says that it has started it: it is named, the others' samples are there; and the next run starts
# it itself. (Four as above, so that no other machine starts up.)
batch_options="--smp 4 --hostile mp-loses"
batch cores-dead 1 cores=all n=60 op_period=256 run run
shows "LOST: core 1 did not answer: it never began."
shows "      The results of the others are kept. The next run starts it by INIT and STARTUP."
shows "core 2 node 0"
shows "core 3 node 0"
shows "core 1 node 0"
shows "Started by INIT and STARTUP: cores 1."
shows "vpmu: core 1: started by the guest; the firmware starts it again"
shows "A core is still running: switch the machine off"
shows_not "NOT RESTORED"

# The same when the program starts it: it is told not to come later, so nothing else has to be left alone.
boot cores-own-dead 1 --smp 4 --dead-core 1 --options "menu=no cores=all n=60 op_period=256 core_start=own"
shows "LOST: core 1 was not started: no answer to INIT and STARTUP."
shows "Started by INIT and STARTUP: cores 2-3."
shows_not "is still running"
shows_not "NOT RESTORED"

# None of them ends: all are stopped, and their samples kept.
IBSBOOT_IMAGE=ibsboot-test boot cores-endless 1 --smp 2 \
    --options "menu=no cores=all workload=endless limit_ms=1 op_period=8192 fetch_period=4096"
shows "STOPPED: endless did not end within 1 ms; the samples until then are kept."
shows "core 1 node 0"
shows_not "NOT RESTORED"

# Without a time limit, one core ends and the other never does: it is named after a hundred times the first core's time.
IBSBOOT_IMAGE=ibsboot-test boot cores-half-endless 1 --smp 2 \
    --options "menu=no cores=all workload=half-endless op_period=8192 fetch_period=4096"
shows "LOST: core 1 did not answer: the measured part did not end."
shows "core 0 node 0"

# Eighty cores, more than the virtual PMU has: QEMU's own, whose Phenom has no IBS. One beyond 64 is started by the firmware, and in the next run
# by the program. Whether ticks of the timer come in time depends on the host, so there are none, and the status does not count.
dir=build/boot/cores-eighty
printf 'menu = no\nbatch = \\ibsboot\\batch.txt\nhold_s = 0\nend = off\nselftest = no\n' >build/boot/eighty.ini
printf '%s\n' "config=tbp workload=own-page rounds=20 timer_us=1000000 cores=0,70" run "core_start=own cores=65,70" run >build/boot/eighty.txt
tools/qemu/boot --without-vpmu --smp 80 --memory 1024 --cpu phenom,-hypervisor --file build/boot/eighty.ini:ibsboot/ibsboot.ini \
    --file build/boot/eighty.txt:ibsboot/batch.txt --out $dir --timeout $most
shows "Started by the firmware: cores 70."
shows "Started by INIT and STARTUP: cores 65,70."
shows "core 70 node 0"
shows "core 65 node 0"
shows "ibsboot: end: status"
shows_not "LOST: "
finish
