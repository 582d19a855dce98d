#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Machines that differ from what driver and model both take for granted (docs/model.md): none hangs a run, and each is told in a line.
. "$(dirname "$0")/../lib"

# hostile NAME WANTED OPTIONS [run-option]...: a boot with that switch, or with several that have '+' between.
hostile() {
    switch=$1 wanted=$2 options=$3
    shift 3
    boot "hostile-$switch" "$wanted" --hostile "$switch" --options "menu=no $options" "$@"
    for one in $(echo "$switch" | tr + ' '); do shows "vpmu: hostile: $one:"; done
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

# Erratum 420 in spite of the two steps: the storm is ended, and the samples are kept. It follows a count that is stopped, and not a sample
# that waits by then, which of short periods every third run has.
seldom="n=150 op_period=8192 fetch_period=8192"
hostile storm 0 "$seldom selftest=yes"
shows "Self-test: 12 of 12 checks passed."
shows "WARNING: a storm of NMIs without samples (erratum 420) was ended"
says nmi.storm 1
check samples op 20

# The request survives masking: the next run opens the entry, and says so before it samples.
hostile storm-stays 1 "$seldom config=ibs,ibs"
shows "WARNING: a storm of NMIs without samples (erratum 420) was ended"
shows "The run failed: NMIs followed each other before sampling, from opening an"
says nmi.storm 1

# The APIC's timer sends no NMI: a counter's overflow makes the ticks, for samples, turns and the limit.
hostile no-timer-nmi 0 "n=60 config=tbp timer_us=20"
shows "Ticks         by overflow of counter 3 (076h): the APIC's timer sends no NMI"
says timer.by counter
says nmi.storm 0
IBSBOOT_IMAGE=ibsboot-test hostile no-timer-nmi 1 "workload=endless limit_ms=1"
shows "STOPPED: endless did not end within 1 ms; the samples until then are kept."
# With all four counters in use there is none to spare: a limit is a warning, turns are refused in words.
hostile no-timer-nmi 0 "n=20 config=count events=0C0,0C1,040,041 limit_ms=1000"
shows "WARNING: no time limit: neither the APIC's timer nor a free counter"
hostile no-timer-nmi 1 "n=20 config=events sharing=multiplex events=0C0,0C1,040,041,0C2"
shows "neither the APIC's timer nor the overflow of a free counter"

# It sends some, and then none: what has had no turn since is no result.
hostile timer-ends 1 "config=events events=0C0,040,041,045,046,047,0C2,0C3 periods=given sharing=multiplex slice_us=10 workload=divide-chain steps=15000"
shows "The run failed: the ticks ended before the measured part did: no NMI came for"

# The local APIC is off by software: it is switched on, and off again. And the firmware has set up the MTRRs of the boot core alone.
hostile svr-off+core-mtrrs 0 "n=30 cores=all" --smp 2
shows "Memory type   WB; of the program's code WB"
shows "WARNING: the memory type of the workload's memory is UC on core 1, not WB:"
shows "NOTE: core 1 is not set up like the boot core: MTRR_DEF_TYPE, MTRR_BASE_0,"
says core.1.silicon.MTRR_DEF_TYPE 0x800
says core.1.arena.type UC
says arena.type WB
says silicon.APIC_SPURIOUS 0xff
says core.1.silicon.LVT_LINT0 "$(by_firmware 0x10700 0x10000)" # of a reset by ibsbios: another core gets no interrupts
grep -q '^#: restored.*APIC 0F0h spurious interrupt (cores 0-1), 0xff, 0xff, same' "$dir"/runs/0001-*/run.ini && ok "svr-off: put back" || not_ok "svr-off: not in run.ini"
check samples op 20

# The same, but the program starts the core: it gets the boot core's MTRRs, and the others' registers of a reset are no obstacle.
hostile core-mtrrs+bare-core+mp-refuses 0 "n=30 cores=all" --smp 2
says core.1.start.set "$(by_firmware 5 3)" # SeaBIOS uses one range of memory types, OVMF two
says core.1.start.wrong 0
says core.1.arena.type WB
shows_not "WARNING: the memory type"

# A core with the floating-point state of a reset: without a start state of our own its x87 loop would end at #MF.
hostile bare-core 0 "n=30 cores=all" --smp 2
says core.1.restored 15 # CR0 and CR4 among them

# A machine check ends the run; its bank is printed, and cleared for the next.
hostile machine-check 1 "n=30"
shows "#MC machine check in the measured part"
shows "machine check: bank 0 status b600000000010015h address 401234000h"
says error 58

# Other cores that the firmware does not start: the program does, and tells why; once for all passes. Forced to the firmware's way it has
# the boot core alone.
batch_options="--hostile mp-refuses --smp 2"
batch hostile-mp-refuses 1 n=30 cores=all core_start=firmware run core_start=auto config=count events=0C0,0C1,040,041,042,043 run
shows "LOST: core 1 was not started: the firmware starts no cores for a program of the"
shows "(MP Services: EFI_STATUS 8000000000000003)."
shows "Started by INIT and STARTUP (MP Services: EFI_STATUS 8000000000000003):"
shows "vpmu: core 1: started by the guest; the firmware starts it again"
shows_not "NOT RESTORED"

# Several passes on a firmware that must not be asked before it has a core back.
hostile mp-freezes 0 "n=30 cores=all config=count events=0C0,0C1,040,041,042,043" --smp 2

hostile lvt-taken 1 "n=30"
shows "The run failed: extended interrupt entries 1 to 3 of the local APIC are all"
shows "Note          The local APIC's entry for thresholds or IBS (510h) was not"

# Counters whose entry stays open are sampled as those whose entry is masked by delivery.
hostile lvtpc-open 0 "n=100 config=assess"
says nmi.storm 0

# One sample of each kind, and no word of success; none at all in the next run, which says so, too.
hostile stuck-valid 1 "n=30 config=ibs,ibs"
shows "FAIL MSR C001_1033 IbsOpCtl was 0, is 40000 (core 0)"
shows "The run failed: an IBS control register does not keep what is written to it"

# The self-test refuses what would have too few samples. Intervals longer than the period says: with the self-test no run takes such samples unless it is told to, or does not need them short.
hostile stuck-valid 1 "n=30 selftest=yes"
shows "Self-test: FAIL op.samples: "
hostile curcnt-ignored 1 "n=30 selftest=yes"
shows "too few: IbsOpCurCnt does not shorten the interval;"
shows "    set random=no"
shows "The self-test failed for parts that this run uses: random op intervals."
shows "Not run. 'selftest=force' runs nevertheless"
hostile curcnt-ignored 0 "n=30 selftest=yes random=no"
shows "WARNING: self-test of this boot: failed: op.intervals"

# Registers that are not as usual: each has its line. The measured TSC is not P0's.
# And the firmware maps all addresses: the arena is where nothing lies.
hostile memory-uc+tsc-slow+revision-b-bits+pml4-full 0 "n=30 erratum_721=on"
says arena.virtual 0x400000000000
shows "Memory type   UC; of the program's code UC"
shows "WARNING: the memory type of the workload's memory is UC on core 0, not WB:"
shows "WARNING: the TSC counts at 1500 MHz and P0 is 3000 MHz"
shows "Note          CPUID 8000_0007h EDX[8] is clear: the TSC may change its rate"
shows "Note          HWCR[24] is clear: the TSC does not count at P0's rate"
shows "Note          HWCR[3] is set: page tables are read from memory"
shows "Note          BU_CFG[1] is set"
shows "Note          BU_CFG2[29] is set"
shows "Note          DE_CFG[0] is clear: after a long series of pushes and calls, or"
shows "Erratum 721   DE_CFG[0] set during the run"
grep -q '^#: restored.*DE_CFG, erratum 721, 0x0, 0x0, same' "$dir"/runs/0001-*/run.ini && ok "DE_CFG: put back" || not_ok "DE_CFG: not in run.ini"
says arena.type UC
says silicon.BU_CFG2 0x20000000
ppm=$(sed -n 's/^ *clock (076h over the TSC): \([0-9]*\) ppm.*/\1/p' "$dir/console.txt")
if [ "${ppm:-0}" -ge 1999000 ] && [ "$ppm" -le 2001000 ]; then ok "two core clocks a tick of the TSC"; else not_ok "$ppm ppm, not 2000000"; fi

# Events of an L3 that is not there are refused, and an exploration charges nothing for it.
batch_options="--hostile no-l3"
batch hostile-no-l3-events 1 n=30 config=count events=4E0 run
shows "events: 4E0 READ_REQUEST_L3_CACHE: this processor has no L3 (CPUID 8000_0006h), the event would read 0"
batch hostile-no-l3 0 n=30 config=explore run
shows "L3            none: lines that miss an L2 come from memory or from another core"
shows "    L3 hits, est.                   no L3"
says machine.l3_kb 0

finish
