#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Machines that differ from what driver and model both take for granted (docs/hostile.md): none hangs a run, and each is told in a line.
. "$(dirname "$0")/lib"

# hostile NAME WANTED OPTIONS [run-option]...: a boot with that switch, in which all that was changed must be put back.
hostile() {
    switch=$1 wanted=$2 options=$3
    shift 3
    boot "hostile-$switch" "$wanted" --hostile "$switch" --options "menu=no $options" "$@"
    shows "vpmu: hostile: $switch:"
    shows_not "NOT RESTORED"
}

# Erratum 420 in spite of the two steps: the storm is ended, and the samples are kept.
hostile storm 0 "n=30"
shows "WARNING: a storm of NMIs without a sample, as erratum 420 has them, was ended"
check ini nmi.storm 1
check samples op 20

finish
