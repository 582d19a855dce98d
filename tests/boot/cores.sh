#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Several cores sampled at once: each core's samples are complete and its own, effects on each other's caches show, and a missing
# core is named.
. "$(dirname "$0")/lib"
make -s build/tools/ibs_dump build/tools/ibsprof || exit 1

check_cores() {
    check_with check_cores.py "$@"
}

# Each core on its own page: the sampled addresses identify the core.
boot cores-4 0 --smp 4 --options "menu=no cores=all workload=own-page rounds=8 op_period=256 fetch_period=512"
check_cores samples 4
check_cores own-page 4
check_cores together 4 20000
check_cores ibsprof 4 1
shows "core 3 node 0"
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

# Without MP Services: one line, and the boot core.
boot cores-no-services 0 --smp 2 --without-mp --options "menu=no cores=all n=60"
shows "cores = all: the firmware runs nothing on other cores (it has no MP Services); this run is on the boot core alone"

# One core never begins: it is named, the others' samples are there. (Four as above, so that no other machine starts up.)
boot cores-dead 1 --smp 4 --dead-core 1 --options "menu=no cores=all n=60 op_period=256"
shows "LOST: core 1 did not answer: it never began."
shows "core 2 node 0"
shows "core 3 node 0"
shows "A core is still running: switch the machine off"
shows_not "NOT RESTORED"

# None of them ends: all are stopped, and their samples kept.
IBSBOOT_IMAGE=ibsboot-test boot cores-endless 1 --smp 2 \
    --options "menu=no cores=all workload=endless limit_ms=1 op_period=8192 fetch_period=4096"
shows "STOPPED: endless did not end within 1 ms; what was recorded by then is kept."
shows "core 1 node 0"
shows_not "NOT RESTORED"

# Without a time limit, one core ends and the other never does: it is named after a hundred times the first core's time.
IBSBOOT_IMAGE=ibsboot-test boot cores-half-endless 1 --smp 2 \
    --options "menu=no cores=all workload=half-endless op_period=8192 fetch_period=4096"
shows "LOST: core 1 did not answer: the measured part did not end."
shows "core 0 node 0"
finish
