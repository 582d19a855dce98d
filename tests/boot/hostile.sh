#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Machines that differ from what driver and model both take for granted (docs/hostile.md): none hangs a run, and each is told in a line.
. "$(dirname "$0")/lib"

# hostile NAME WANTED OPTIONS [run-option]...: a boot with that switch.
hostile() {
    switch=$1 wanted=$2 options=$3
    shift 3
    boot "hostile-$switch" "$wanted" --hostile "$switch" --options "menu=no $options" "$@"
    shows "vpmu: hostile: $switch:"
    # All that was changed is put back, but for bits that nobody can clear.
    [ "$switch" = stuck-valid ] || shows_not "NOT RESTORED"
}

# says KEY VALUE: a fact of the run's run.ini.
says() {
    if grep -qx "#: $1 = $2" "$dir"/runs/0001-*/run.ini; then
        ok "$(basename "$dir"): $1 = $2"
    else
        not_ok "$(basename "$dir"): not $1 = $2, but: $(grep "^#: $1 =" "$dir"/runs/0001-*/run.ini)"
    fi
}

# Erratum 420 in spite of the two steps: the storm is ended, and the samples are kept.
hostile storm 0 "n=30"
shows "WARNING: a storm of NMIs without a sample, as erratum 420 has them, was ended"
says nmi.storm 1
check samples op 20

# The APIC's timer sends no NMI: a counter's overflow makes the ticks, for samples, turns and the limit.
hostile no-timer-nmi 0 "n=60 config=tbp timer_us=20"
shows "Ticks         by overflow of counter 3, event 076h: the APIC's timer sends no NMI here"
says timer.by counter
says nmi.storm 0
IBSBOOT_IMAGE=ibsboot-test hostile no-timer-nmi 1 "workload=endless limit_ms=1"
shows "STOPPED: endless did not end within 1 ms; what was recorded by then is kept."
# With all four counters in use there is none to spare: a limit is a warning, turns are refused in words.
hostile no-timer-nmi 0 "n=20 config=count events=0C0,0C1,040,041 limit_ms=1000"
shows "WARNING: no time limit: neither the APIC's timer nor a free counter sends an NMI here."
hostile no-timer-nmi 1 "n=20 config=events sharing=multiplex events=0C0,0C1,040,041,0C2"
shows "neither the APIC's timer nor the overflow of a free counter"

# The local APIC is off by software: it is switched on, and off again.
hostile svr-off 0 "n=30 cores=all" --smp 2
grep -q '^#: restored.*APIC 0F0h spurious interrupt, 0xff, 0xff, same' "$dir"/runs/0001-*/run.ini && ok "svr-off: put back" || not_ok "svr-off: not in run.ini"
check samples op 20

# A core with the floating-point state of a reset: without a start state of our own its x87 loop would end at #MF.
hostile bare-core 0 "n=30 cores=all" --smp 2
says core.1.restored 13 # CR0 and CR4 among them

# A machine check ends the run; its bank is printed, and cleared for the next.
hostile machine-check 1 "n=30"
shows "#MC machine check in the measured part"
shows "machine check: bank 0 status b600000000010015h address 401234000h"
says error 58

# Other cores that the firmware does not start: the boot core runs alone, and the reason is told.
hostile mp-refuses 1 "n=30 cores=all" --smp 2
shows "LOST: core 1 was not started: the firmware starts no cores for a program of the"

# Several passes on a firmware that must not be asked before it has a core back.
hostile mp-freezes 0 "n=30 cores=all config=count events=0C0,0C1,040,041,042,043" --smp 2

hostile lvt-taken 1 "n=30"
shows "The run failed: extended interrupt entries 1 to 3 of the local APIC are all"

# Counters whose entry stays open are sampled as those whose entry is masked by delivery.
hostile lvtpc-open 0 "n=100 config=assess"
says nmi.storm 0

# One sample of each kind, and no word of success.
hostile stuck-valid 1 "n=30"
shows "FAIL MSR C001_1033 IbsOpCtl was 0, is 40000 (core 0)"

finish
